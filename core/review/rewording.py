"""Edit and promote: a claim is kept in other words, as a second record beside the first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.distil import clean
from core.enact import Act
from core.errors import BadInput, Contradicts, TooLarge
from core.gate import decide, effects_of
from core.literals import figures
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Decision,
    Evidence,
    HeldItem,
    Proposal,
    Ruling,
    SourceKind,
    Verdict,
)
from core.ports import LedgerTx
from core.queueing import flags
from core.review.rulings import Rulings
from core.review.values import Outcome
from core.secrets import mask

EDITED = "edited"
LONGEST = 2000  # characters of an edited statement
OWN = 1.0  # trust of the owner's own words


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewording(Rulings):
    """The original stays in the ledger as it came, rejected; the edited words never count for more than it did."""

    def edit(self, actor: Actor, ruling: Ruling, text: str) -> Outcome:
        """Promote a claim in other words. They go through detectors, impact, conflict and gates as any candidate.

        The new candidate keeps the origin, the roots and at most the trust of the original. An impact tier needs a
        second person: the edited words are then held with the actor's yes on record. `undo` takes both back.

        Returns:
            `other` is the new candidate's id.

        Raises:
            NotAuthorised, NotFound, StaleReview, Reserved: as `resolve`.
            BadInput: no words, the same words, or the owner's own words by somebody else.
            NeedsReason: the edited words are flagged, and no override with a reason was given.
            Contradicts: the owner said otherwise; nothing was written.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._edit(actor, ruling, text))

    def _edit(self, actor: Actor, ruling: Ruling, text: str) -> Outcome:
        item = self._item(actor, ruling.candidate_id, rule=True)
        made = self._made(actor, item, ruling)
        if made is not None:
            return made
        self._open(actor, item, ruling)
        candidate = replace(
            item.candidate,
            candidate_id=self.ids.new(),
            version=1,
            proposal=reworded(item.candidate.proposal, self._words(actor, item, text)),
        )
        evidence = self._as_trusted(item, self._evidence(candidate))
        ruled = decide(candidate, evidence, self.policy, at=self.clock.now(), by="policy", decision_id=self.ids.new())
        self._overridden(flags(ruled), ruling)
        rivalry = self._rivalry(candidate, evidence)
        if not rivalry.wins or self._behind_the_owner(rivalry):
            msg = (
                "The owner's own words say otherwise; nothing was written. Promote the item as it is to ask the owner."
            )
            raise Contradicts(msg)
        edited = HeldItem(
            candidate=candidate,
            state=CandidateState.HELD,
            decision=ruled,
            excerpt=item.excerpt,
            excerpt_span=item.excerpt_span,
            updated_at=ruled.at,
        )
        if self._needs_second(edited, evidence):
            self._may(actor, edited)
            return self._commit_edit(actor, item, _held(candidate, ruled), ruling.note.strip())
        effects = effects_of(
            candidate,
            evidence,
            at=ruled.at,
            trust=evidence.effective_trust,
            rivalry=rivalry,
            vouched_by=actor.username,
        )
        decision = replace(
            ruled,
            verdict=Verdict.ADMIT,
            reasons=("promoted", EDITED),
            effects=effects,
            by=actor.user_id,
            note=ruling.note.strip(),
        )
        new = Act(candidate=candidate, decision=decision, state=CandidateState.PROMOTED, action="promoted", new=True)
        return self._commit_edit(actor, item, new, ruling.note.strip())

    def _commit_edit(self, actor: Actor, item: HeldItem, new: Act, note: str) -> Outcome:
        """Both decisions and what ties them together, in one ledger transaction."""
        old, edited = item.candidate.candidate_id, new.candidate
        rejected = self._act(
            actor,
            item,
            Verdict.REJECT,
            (),
            item.decision.evidence,
            note or EDITED,
            action=EDITED,
            reasons=(EDITED,),
            about={"edited_as": edited.candidate_id},
        )
        waits = new.state is CandidateState.HELD

        def beside(tx: LedgerTx) -> None:
            tx.add_rewording(edited.candidate_id, original_id=old)
            if waits:
                self.enactor.approved(tx, actor, edited, note)

        new = replace(new, about={"edited_from": old}, beside=beside)
        self.enactor.commit_ruling(actor, [rejected, new])
        self._relay_soon()
        message = (
            "Edited, and your yes is recorded: a second person must confirm the edited words."
            if waits
            else "Promoted in the edited words; the original is kept as rejected."
        )
        return Outcome(
            candidate_id=old,
            ok=True,
            message=message,
            state=new.state,
            decision=new.decision,
            other=edited.candidate_id,
        )

    def _made(self, actor: Actor, item: HeldItem, ruling: Ruling) -> Outcome | None:
        """A double click: the same person's edit of what they saw is answered and not made again."""
        again = item.candidate.version == ruling.seen_version + 1 and item.decision.by == actor.user_id
        pair = self.ledger.reworded(item.candidate.candidate_id) if again else None
        if pair is None or pair[0] != item.candidate.candidate_id:
            return None
        new = self._item(actor, pair[1], rule=True)
        return Outcome(
            candidate_id=pair[0],
            ok=True,
            message="It is edited already.",
            state=new.state,
            decision=new.decision,
            other=pair[1],
        )

    def _words(self, actor: Actor, item: HeldItem, text: str) -> str:
        words, _ = mask(clean(text).strip())
        if len(words) > LONGEST:
            msg = f"The edited statement has {len(words):,} characters; the limit is {LONGEST:,}. Say it shorter."
            raise TooLarge(msg)
        if words == item.candidate.text:
            msg = "These are the same words: promote the item as it is."
            raise BadInput(msg)
        said = item.candidate.provenance.source_kind is SourceKind.USER_TURN
        if said and item.decision.evidence.effective_trust >= OWN and actor.user_id != item.candidate.scope.owner:
            msg = "These are the owner's own words: only they can put them otherwise."
            raise BadInput(msg)
        return words

    def _as_trusted(self, item: HeldItem, found: Evidence) -> Evidence:
        """What was found about the edited words, with the origin of the original and no more than its trust."""
        old = item.decision.evidence
        return replace(
            found,
            effective_trust=min(old.effective_trust, found.effective_trust),
            voice_trust=min(old.voice_trust, found.voice_trust),
            roots=old.roots,
            standing=old.standing,
            origin=old.origin,
            cluster=old.cluster,
            repeats="",  # it repeats the original, which it replaces
        )


def reworded(proposal: Proposal, text: str) -> Proposal:
    """The proposal with another statement, and the value and times that still fit it.

    The value is the old one if it still stands there, else what stands in its place; where that cannot be told, the
    whole statement, which contradicts whatever holds the slot. Times that were read out of other figures are dropped.
    """
    old, value = proposal.statement, proposal.value
    if not value or value.casefold() not in text.casefold():
        before, found, after = old.partition(value) if value else ("", "", "")
        middle = text[len(before) : len(text) - len(after)].strip()
        fits = bool(found) and text.startswith(before) and text.endswith(after) and len(before) + len(after) < len(text)
        value = middle if fits and middle else text
    if figures(text) != figures(old):
        proposal = replace(proposal, valid_at=None, invalid_at=None)
    return replace(proposal, statement=text, value=value)


def _held(candidate: Candidate, ruled: Decision) -> Act:
    """Edited words that a second person must confirm: held as the policy holds them."""
    reasons = ruled.reasons if ruled.verdict is Verdict.HOLD else ("impact",)
    decision = replace(ruled, verdict=Verdict.HOLD, reasons=reasons, effects=())
    return Act(candidate=candidate, decision=decision, state=CandidateState.HELD, action="held", new=True)
