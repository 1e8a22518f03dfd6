"""The four answers to a conflict card or a "remember this?" (console.md §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.conflict import Contest, rivals_of
from core.errors import BadInput, Contradicts
from core.gate import effects_of, with_echoes
from core.model import Actor, Candidate, Effect, EffectKind, Evidence, Incumbent, Ruling, RulingKind, Verdict
from core.review.eyes import Eyes, FourEyes
from core.review.values import ANSWERS, OWNERS, REVIEWERS, TAKING, Outcome, asked_of_owner, flags_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Settling(FourEyes):
    """The owner answers about their own memory whatever their role."""

    def settle(self, actor: Actor, ruling: Ruling) -> Outcome:
        """Answer a conflict card or a "remember this?": keep the old, take the new, both are true, or neither.

        The owner answers about their own memory whatever their role; a reviewer only where the owner's own words are
        not at stake. Taking the new supersedes what it contradicts, and keeps the item's origin on record.

        Raises:
            NotAuthorised, NotFound, StaleReview: as `resolve`.
            BadInput: not one of the four answers, or the item is neither a conflict nor a question to the owner.
            NeedsReason: taking in what is flagged, without an override and a reason.
            Contradicts: the owner's own words are at stake and the actor is somebody else.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._settle(actor, ruling))

    def _settle(self, actor: Actor, ruling: Ruling) -> Outcome:
        item = self._item(actor, ruling.candidate_id, owner=True)
        candidate = item.candidate
        if ruling.kind not in ANSWERS or not (OWNERS & set(item.decision.reasons)):
            msg = "This item is not a conflict: promote or reject it."
            raise BadInput(msg)
        if not asked_of_owner(item):
            self.accounts.authorise(actor, *REVIEWERS)  # nobody vouches for a page to their own memory unasked
        own = candidate.scope.owner == actor.user_id
        answers = own and asked_of_owner(item)  # nobody keeps the owner from what they are asked
        self._open(actor, item, ruling, regardless=answers)
        evidence = self._evidence(candidate)
        rivals = rivals_of(candidate, evidence, self.policy.conflict)
        asked = "ask_owner" in item.decision.reasons
        if not own and (asked or any(held.ranking_trust > self.policy.trust.vouch_level for held in rivals)):
            msg = "The owner's own words are at stake: only the owner can settle this."
            raise Contradicts(msg)
        flagged = [one for one in flags_of(item) if one != "ask_owner"]  # the answer itself overrides that one
        if ruling.kind in TAKING:
            self._overridden(flagged, ruling)
        note = ruling.note.strip() or ruling.kind.value.replace("_", " ")
        if ruling.kind is RulingKind.KEEP_OLD:
            return self._commit(
                actor, item, Verdict.REJECT, (), evidence, note, action=ruling.kind.value, regardless=answers
            )
        at = self.clock.now()
        if ruling.kind is RulingKind.NEITHER:
            closed = neither(candidate, rivals, at=at, own=own)
            return self._commit(
                actor, item, Verdict.REJECT, closed, evidence, note, action=ruling.kind.value, regardless=answers
            )
        eyes = Eyes(vouched_by=actor.username) if answers else self._eyes(actor, item, evidence, note)
        if eyes.waits is not None:
            return eyes.waits
        replaced = rivals if ruling.kind is RulingKind.TAKE_NEW else ()
        effects = taken(candidate, evidence, replaced, at=at, vouched_by=eyes.vouched_by)
        return self._commit(
            actor,
            item,
            Verdict.ADMIT,
            effects,
            evidence,
            note,
            action=ruling.kind.value,
            about={**eyes.about, **({"alone": True} if eyes.action else {})},
            regardless=answers,
        )


def neither(candidate: Candidate, rivals: Sequence[Incumbent], *, at: datetime, own: bool) -> list[Effect]:
    """What closes the memories that a candidate contradicts, when neither side is true."""
    return [
        Effect(
            effect_id=f"{candidate.candidate_id}:{candidate.version}:neither:{memory_id}",
            kind=EffectKind.RETRACT,
            scope=candidate.scope,
            memory_id=memory_id,
            at=at,
            reason="neither is true, says the owner" if own else "neither is true, says a reviewer",
        )
        for memory_id in with_echoes(rivals)
    ]


def taken(
    candidate: Candidate, evidence: Evidence, replaced: Sequence[Incumbent], *, at: datetime, vouched_by: str
) -> tuple[Effect, ...]:
    """What takes a candidate in on a person's word, in place of what it replaces."""
    return effects_of(
        candidate,
        evidence,
        at=at,
        trust=evidence.effective_trust,
        rivalry=Contest(rivals=tuple(replaced)),
        vouched_by=vouched_by,
    )
