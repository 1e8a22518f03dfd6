"""Promote and reject: a named person's ruling on the exact bytes they were shown (rules §1.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.conflict import Contest
from core.errors import ChronoMemoryError, Contradicts, NeedsReason, NotAuthorised
from core.gate import effects_of
from core.model import Actor, CandidateState, Evidence, HeldItem, Ruling, RulingKind, Verdict
from core.review.eyes import FourEyes
from core.review.values import Outcome, asked_of_owner, flags_of, outcome_of, refuse_in_bulk


@dataclass(frozen=True, kw_only=True, slots=True)
class Rulings(FourEyes):
    """What a reviewer decides on one held item, or on many one by one."""

    def resolve(self, actor: Actor, ruling: Ruling) -> Outcome:
        """Carry out one ruling. Repeating it changes nothing and answers the same.

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            NeedsReason: a rejection, or the promotion of a flagged item, without a reason.
            StaleReview: the item changed after it was shown; nothing was written.
            Contradicts: the owner said otherwise; nothing was written.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._resolve(actor, ruling))

    def _resolve(self, actor: Actor, ruling: Ruling) -> Outcome:
        item = self._item(actor, ruling.candidate_id, rule=True)
        repeat = self._repeat(actor, item, ruling)
        if repeat is not None:
            return repeat
        self._open(actor, item, ruling)
        note = ruling.note.strip()
        if ruling.kind is RulingKind.REJECT:
            if not note:
                msg = "Say why it is rejected: the reason is kept in the audit."
                raise NeedsReason(msg)
            return self._commit(actor, item, Verdict.REJECT, (), item.decision.evidence, note)
        self._overridden(flags_of(item), ruling)
        evidence = self._evidence(item.candidate)
        rivalry = self._rivalry(item.candidate, evidence)
        if not rivalry.wins or self._behind_the_owner(rivalry):
            return self._put_to_owner(actor, item, evidence, rivalry, note)
        eyes = self._eyes(actor, item, evidence, note)
        if eyes.waits is not None:
            return eyes.waits
        effects = effects_of(
            item.candidate,
            evidence,
            at=self.clock.now(),
            trust=evidence.effective_trust,
            rivalry=rivalry,
            vouched_by=eyes.vouched_by,
        )
        return self._commit(actor, item, Verdict.ADMIT, effects, evidence, note, action=eyes.action, about=eyes.about)

    def resolve_many(self, actor: Actor, rulings: Sequence[Ruling], *, bulk: bool = True) -> list[Outcome]:
        """Carry out rulings one by one; what one item refuses never stops the others.

        Args:
            actor: who rules.
            rulings: on items as they were shown.
            bulk: one act for many: flagged items and those of an impact tier are then never promoted.
        """
        outcomes = []
        for ruling in rulings:
            try:
                if bulk and ruling.kind is RulingKind.PROMOTE:
                    refuse_in_bulk(self._item(actor, ruling.candidate_id, rule=True))
                outcomes.append(self.resolve(actor, ruling))
            except NotAuthorised:
                raise
            except ChronoMemoryError as problem:
                outcomes.append(Outcome(candidate_id=ruling.candidate_id, ok=False, message=str(problem)))
        return outcomes

    def _repeat(self, actor: Actor, item: HeldItem, ruling: Ruling) -> Outcome | None:
        """A double click: the same person, the same verdict, on what they saw, is answered and not done again."""
        reached = CandidateState.PROMOTED if ruling.kind is RulingKind.PROMOTE else CandidateState.REJECTED
        same = item.state is reached and item.decision.by == actor.user_id
        if same and item.candidate.version == ruling.seen_version + 1:
            return outcome_of(item.candidate, reached, item.decision)
        return None

    def _behind_the_owner(self, rivalry: Contest) -> bool:
        """Whether it would become mere history behind the owner's own words: they are asked then, too (rules §1.11)."""
        level = self.policy.trust.vouch_level
        return rivalry.older is not None and any(one.ranking_trust > level for one in rivalry.rivals)

    def _put_to_owner(self, actor: Actor, item: HeldItem, evidence: Evidence, rivalry: Contest, note: str) -> Outcome:
        """A promotion that contradicts what the owner said opens a conflict card to the owner (rules §1.11)."""
        reasons = tuple(dict.fromkeys(("conflict", *item.decision.reasons)))
        if not asked_of_owner(item):
            self._commit(
                actor,
                item,
                Verdict.HOLD,
                (),
                evidence,
                note or "promotion asked",
                action="put_to_owner",
                reasons=reasons,
            )
        held = max(rivalry.rivals, key=lambda one: one.ranking_trust)
        msg = (
            f"The owner's own words say otherwise: “{held.text}” (trust {held.ranking_trust:.2f}). A promotion does "
            "not overwrite them; the owner was asked to settle it."
        )
        raise Contradicts(msg)
