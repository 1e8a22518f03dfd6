"""Taking rulings back: undo within minutes, revoke at any time with all that was derived from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.errors import BadInput, ChronoMemoryError, NeedsReason, NotAuthorised
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Effect,
    EffectKind,
    HeldItem,
    MemoryKind,
    MemoryStatus,
    Role,
    Verdict,
)
from core.review.bench import Bench
from core.review.values import REVIEWERS, Outcome, outcome_of
from core.slots import is_multi_valued


@dataclass(frozen=True, kw_only=True, slots=True)
class Undoing(Bench):
    """Undo and revoke."""

    def undo(self, actor: Actor, candidate_id: str) -> Outcome:
        """Take a ruling back within the policy's minutes: the item is held again, its memory leaves the store.

        Raises:
            NotAuthorised: somebody else ruled, and the actor is no admin.
            BadInput: there is nothing to undo, or it is too late.
        """
        item = self._item(actor, candidate_id, rule=True)
        last, now = item.decision, self.clock.now()
        if item.state not in (CandidateState.PROMOTED, CandidateState.REJECTED) or last.by == "policy":
            msg = "There is no ruling to undo on this item."
            raise BadInput(msg)
        if last.by != actor.user_id and actor.role is not Role.ADMIN:
            msg = "Only the one who ruled, or an admin, can undo it."
            raise NotAuthorised(msg)
        if now - last.at > timedelta(minutes=self.policy.review.undo_minutes):
            msg = (
                f"A ruling can be undone for {self.policy.review.undo_minutes:.0f} minutes; forget the memory instead."
            )
            raise BadInput(msg)
        pair = self.ledger.reworded(candidate_id)
        if pair is not None and "edited" in last.reasons:
            return self._undo_edit(actor, *pair)
        return self._commit(actor, item, Verdict.HOLD, self._taken_back(item), last.evidence, "undone", action="undone")

    def _undo_edit(self, actor: Actor, original_id: str, edited_id: str) -> Outcome:
        """Both decisions of an edit are taken back together: the original is held again, the edited words go."""
        original = self._item(actor, original_id, rule=True)
        edited = self._item(actor, edited_id, rule=True)
        if edited.decision.by not in ("policy", actor.user_id) and actor.role is not Role.ADMIN:
            msg = "Somebody else confirmed the edited words: they, or an admin, can undo it."
            raise NotAuthorised(msg)
        held = self._act(actor, original, Verdict.HOLD, (), original.decision.evidence, "undone", action="undone")
        gone = self._act(
            actor,
            edited,
            Verdict.HOLD,
            self._taken_back(edited),
            edited.decision.evidence,
            "undone",
            action="undone",
            reasons=("undone",),
        )
        gone = replace(gone, state=CandidateState.WITHDRAWN, beside=lambda tx: tx.drop_rewording(edited_id))
        version = self.enactor.commit_ruling(actor, [held, gone])
        self._relay_soon()
        return outcome_of(replace(original.candidate, version=version), held.state, held.decision)

    def _taken_back(self, item: HeldItem, reason: str = "ruling undone") -> tuple[Effect, ...]:
        last = item.decision
        again = self._reverse(item.candidate, last.effects, self.clock.now(), reason)
        return (*again, *self._unconfirmed(item))

    def _unconfirmed(self, item: HeldItem) -> list[Effect]:
        """What a merge added to a memory goes again: its origin, and the later date of being stated."""
        before = {one.memory_id: one for one in item.decision.evidence.incumbents}
        candidate = item.candidate
        return [
            Effect(
                effect_id=f"{candidate.candidate_id}:{candidate.version}:undo:{one.memory_id}",
                kind=EffectKind.UNCONFIRM,
                scope=candidate.scope,
                memory_id=one.memory_id,
                at=one.at,
                until=before[one.memory_id].stated_at,
                origin=one.origin if one.origin not in before[one.memory_id].support else "",
            )
            for one in item.decision.effects
            if one.kind is EffectKind.CONFIRM and one.memory_id in before
        ]

    def undo_many(self, actor: Actor, ids: Sequence[str]) -> list[Outcome]:
        """Take rulings back one by one; what one item refuses never stops the others."""
        self.accounts.authorise(actor, *REVIEWERS)
        outcomes = []
        for one in ids:
            try:
                outcomes.append(self.undo(actor, one))
            except ChronoMemoryError as problem:
                outcomes.append(Outcome(candidate_id=one, ok=False, message=str(problem)))
        return outcomes

    def revoke(self, actor: Actor, candidate_id: str, reason: str) -> list[Outcome]:
        """Take a promotion back at any time: it is held again, and so is everything derived from it (rules §1.11).

        Raises:
            NotAuthorised: the actor is no reviewer.
            NeedsReason: no reason was given.
            BadInput: nothing was promoted under this id.
        """
        item = self._item(actor, candidate_id, rule=True)
        if not reason.strip():
            msg = "Say why the promotion is revoked: the reason is kept in the audit."
            raise NeedsReason(msg)
        if item.state is not CandidateState.PROMOTED:
            msg = f"Only a promoted item can be revoked; this one is {item.state.value}."
            raise BadInput(msg)
        outcomes: list[Outcome] = []
        for one in [item, *self._along(item)]:
            effects = self._taken_back(one, "promotion revoked")
            why = reason.strip() if one is item else f"derived from {candidate_id}, which was revoked"
            outcomes.append(
                self._commit(actor, one, Verdict.HOLD, effects, one.decision.evidence, why, action="revoked")
            )
        return outcomes

    def along(self, actor: Actor, candidate_id: str) -> list[HeldItem]:
        """What would be held again together with a promotion that is revoked: everything derived from it.

        Raises:
            NotAuthorised: the actor is no reviewer.
        """
        return self._along(self._item(actor, candidate_id, rule=True))

    def _along(self, item: HeldItem) -> list[HeldItem]:
        found: dict[str, HeldItem] = {}
        waiting, first = [item], item.candidate.candidate_id
        while waiting:
            one = waiting.pop(0).candidate
            for derived in self.ledger.derived(one.scope, one.candidate_id):
                if derived.candidate.candidate_id not in {first, *found}:
                    found[derived.candidate.candidate_id] = derived
                    waiting.append(derived)
        return list(found.values())

    def _reverse(
        self, candidate: Candidate, effects: Sequence[Effect], at: datetime, reason: str = "ruling undone"
    ) -> Sequence[Effect]:
        undo = {
            EffectKind.ACTIVATE: EffectKind.REMOVE,
            EffectKind.SUPERSEDE: EffectKind.RESTORE,
            EffectKind.RETRACT: EffectKind.RESTORE,
        }
        if self.ledger.waiting(candidate.scope):  # what stands now decides what can come back
            self.enactor.relay()
        return [
            Effect(
                effect_id=f"{candidate.candidate_id}:{candidate.version}:undo:{one.memory_id}",
                kind=undo[one.kind],
                scope=candidate.scope,
                memory_id=one.memory_id,
                at=at,
                reason=reason,
            )
            for one in effects
            if one.kind is EffectKind.ACTIVATE or (one.kind in undo and self._comes_back(candidate, one))
        ]

    def _comes_back(self, candidate: Candidate, ended: Effect) -> bool:
        """Whether what a ruling ended is current again once it is undone: unless the story went on since (§3.4)."""
        memory = self.store.get(candidate.scope, ended.memory_id)
        if memory is None or memory.status is not MemoryStatus.SUPERSEDED or memory.superseded_by != ended.by_memory_id:
            return False
        if ended.kind is EffectKind.SUPERSEDE:
            by = self.store.get(candidate.scope, candidate.candidate_id)
            if by is None or by.status is not MemoryStatus.ACTIVE:
                return False
        if memory.kind is MemoryKind.EVENT or is_multi_valued(memory.attribute):
            return True
        known = {memory.memory_id, candidate.candidate_id}
        stands = self.store.slot(memory.scope, memory.slot_key)
        return not any(one.memory_id not in known and one.kind is not MemoryKind.EVENT for one in stands)
