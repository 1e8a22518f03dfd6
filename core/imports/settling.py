"""What becomes of a changed item's earlier version: facts that rest on it alone and are no longer said end with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.conflict import same_value
from core.enact import Enactor
from core.errors import StaleReview
from core.model import (
    Candidate,
    CandidateState,
    Effect,
    EffectKind,
    HeldItem,
    Memory,
    MemoryStatus,
    Verdict,
)
from core.policy import Policy
from core.ports import Clock, Ids, ImportLedger, KnownItem, Ledger, MemoryReader
from core.slots import slot_key

NO_LONGER, STILL = "no_longer_said", "still_said"
_KEPT = (CandidateState.ADMITTED, CandidateState.PROMOTED)
_STANDING = (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settler:
    """Sees to earlier versions once the new one has been through the gate.

    A memory ends (RETRACT: history, not deletion) if its words are in the new version no more and nobody else says
    them; a held item leaves the queue. What a person pinned stays. What was promoted from the earlier version and is
    said again in the very same words is not put before a person a second time.
    """

    imports: ImportLedger
    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids

    def run_once(self) -> bool:
        """See to one item; False if none waits.

        Raises:
            StoreUnavailable, LedgerUnavailable: wait and call again; nothing is lost.
        """
        waiting = self.imports.outgoing_items(limit=1)
        for item in waiting:
            self._settle(item)
        return bool(waiting)

    def _settle(self, item: KnownItem) -> None:
        if self.ledger.waiting(item.scope):  # what stands in the store decides what can end
            self.enactor.relay()
        now = [one for episode in item.parts.values() for one in self.ledger.candidates_of(episode)]
        old = [one for episode in item.outgoing for one in self.ledger.candidates_of(episode)]
        ended: list[Memory] = []
        for one in old:
            said = [other for other in now if _says(other, one.candidate)]
            if one.state is CandidateState.HELD and not said:
                self._let_go(one, NO_LONGER)
            elif one.state in _KEPT:
                memory = self.store.get(item.scope, one.candidate.candidate_id)
                if memory is None or memory.status not in _STANDING:
                    continue
                if said:
                    self._remembered(said, one.candidate)
                elif not memory.pinned and self._alone(one, item):
                    ended.append(memory)
        self._end(item, ended)
        with self.imports.transaction() as tx:
            tx.put_known_item(replace(item, outgoing=()))

    def _alone(self, one: HeldItem, item: KnownItem) -> bool:
        """Whether nobody but the earlier version stands behind a memory."""
        candidate = one.candidate
        key = slot_key(candidate.proposal.subject, candidate.proposal.attribute)
        others = self.ledger.items_of_slot(item.scope, key)
        return not any(
            other.state in _KEPT
            and other.candidate.episode_id not in item.outgoing
            and same_value(other.candidate.proposal.value, candidate.proposal.value)
            for other in others
        )

    def _remembered(self, said: Sequence[HeldItem], kept: Candidate) -> None:
        """Take the same words out of the queue: a person promoted these very bytes of this very note."""
        for other in said:
            if other.state is CandidateState.HELD and other.candidate.digest == kept.digest:
                self._let_go(other, STILL)

    def _let_go(self, item: HeldItem, reason: str) -> None:
        decision = replace(
            item.decision,
            decision_id=self.ids.new(),
            verdict=Verdict.REJECT,
            reasons=(reason,),
            effects=(),
            policy_digest=self.policy.digest,
            by="policy",
            at=self.clock.now(),
            note="",
        )
        try:
            self.enactor.expire(item, decision, action=reason)
        except StaleReview:  # somebody decided it at this moment
            return

    def _end(self, item: KnownItem, memories: Sequence[Memory]) -> None:
        at = self.clock.now()
        effects = [
            Effect(
                effect_id=f"{EffectKind.RETRACT.value}:{self.ids.new()}",
                kind=EffectKind.RETRACT,
                scope=item.scope,
                memory_id=one.memory_id,
                at=at,
                reason="its source no longer says so",
            )
            for one in memories
        ]
        if effects:
            about = {"version": item.version, "episode_ids": list(item.parts.values())[:20]}
            self.enactor.commit_effects("policy", effects, action=f"memory:{NO_LONGER}", about=about)
            self.enactor.relay()


def _says(one: HeldItem, old: Candidate) -> bool:
    """Whether a candidate of the new version says what an old one did: the same words, or the same value of a slot."""
    new = one.candidate
    if one.decision.evidence.repeats == old.candidate_id or new.digest == old.digest:
        return True
    slots = {slot_key(each.proposal.subject, each.proposal.attribute) for each in (new, old)}
    return len(slots) == 1 and same_value(new.proposal.value, old.proposal.value)


__all__ = ["Settler"]
