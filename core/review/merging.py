"""Merge: a held claim says the same as a memory of the owner and becomes support of it, not a memory of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.conflict import incumbents, rivals_of
from core.errors import BadInput, Contradicts, NotFound
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Effect,
    EffectKind,
    Evidence,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Ruling,
    SourceKind,
    Verdict,
)
from core.policy import ranking_trust
from core.review.foresight import Foresight
from core.review.values import Outcome
from core.slots import slot_key

TARGETS = 5
NEAR = 20  # nearest memories looked at for targets


@dataclass(frozen=True, kw_only=True, slots=True)
class Merging(Foresight):
    """A merge never raises a memory's effective trust; it adds one origin, and the age counts from the claim's time."""

    def merge(self, actor: Actor, ruling: Ruling, memory_id: str) -> Outcome:
        """Let a claim support a memory that says the same. `undo` takes the support back.

        Raises:
            NotAuthorised, NotFound, StaleReview, Reserved: as `resolve`; NotFound also for a memory that is not there.
            BadInput: the claim takes something back, or the memory is an event.
            Contradicts: the claim says otherwise than the memory; nothing was written.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._merge(actor, ruling, memory_id))

    def _merge(self, actor: Actor, ruling: Ruling, memory_id: str) -> Outcome:
        item = self._item(actor, ruling.candidate_id, rule=True)
        candidate = item.candidate
        done = item.state is CandidateState.PROMOTED and "merged" in item.decision.reasons
        if done and item.decision.by == actor.user_id and candidate.version == ruling.seen_version + 1:
            return _merged(item)
        self._open(actor, item, ruling)
        evidence = self._evidence(candidate)
        target = self._target(candidate, evidence, memory_id)
        key = evidence.origin
        counts = key and key not in target.support and candidate.provenance.source_kind is not SourceKind.AGENT_TURN
        effect = Effect(
            effect_id=f"{candidate.candidate_id}:{candidate.version}:merge:{memory_id}",
            kind=EffectKind.CONFIRM,
            scope=candidate.scope,
            memory_id=memory_id,
            at=min(self.clock.now(), candidate.provenance.observed_at),
            origin=key if counts else "",
        )
        # what the memory was like is on record with the ruling: undoing it needs that
        held = incumbents(candidate, [target], lambda memory: ranking_trust(memory, self.policy))
        others = tuple(one for one in evidence.incumbents if one.memory_id != memory_id)
        outcome = self._commit(
            actor,
            item,
            Verdict.ADMIT,
            (effect,),
            replace(evidence, incumbents=(*others, *held)),
            ruling.note.strip() or "says the same",
            action="merged",
            reasons=("merged",),
        )
        return replace(outcome, message=MERGED)

    def _target(self, candidate: Candidate, evidence: Evidence, memory_id: str) -> Memory:
        if candidate.proposal.retracts:
            msg = "This takes something back: it cannot support a memory. Promote or reject it."
            raise BadInput(msg)
        target = self.store.get(candidate.scope, memory_id)
        if target is None or target.status is not MemoryStatus.ACTIVE:
            msg = "There is no such memory any more. Choose another, or promote the item."
            raise NotFound(msg)
        if target.kind is MemoryKind.EVENT:
            msg = "An event is what was said at one time: nothing else supports it. Choose a fact."
            raise BadInput(msg)
        if memory_id in {one.memory_id for one in rivals_of(candidate, evidence, self.policy.conflict)}:
            msg = f"It does not say the same: the memory says “{target.text}”. Decide the conflict instead."
            raise Contradicts(msg)
        return target

    def merge_targets(self, actor: Actor, candidate_id: str) -> list[Memory]:
        """The owner's nearest live memories that the claim may be merged into, at most five, the nearest first.

        A look at another owner's memories is audited (rules §1.8).

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            StoreUnavailable: the memory cannot be read now.
        """
        with self._refusals(actor, candidate_id):
            candidate = self._item(actor, candidate_id, rule=True).candidate
        key = slot_key(candidate.proposal.subject, candidate.proposal.attribute)
        found = {one.memory_id: one for one in self.store.slot(candidate.scope, key)}
        vectors, _ = self.assessor.vectors([candidate.text])
        near = (
            self.store.nearest(candidate.scope, vector=vectors[0], at=self.clock.now(), limit=NEAR) if vectors else []
        )
        ranked = {one.memory.memory_id: one.memory for one in sorted(near, key=lambda one: -one.cosine)}
        rivals = {one.memory_id for one in rivals_of(candidate, self.assessor.again(candidate), self.policy.conflict)}
        targets = [
            one
            for one in (ranked | found).values()
            if one.status is MemoryStatus.ACTIVE and one.kind is not MemoryKind.EVENT and one.memory_id not in rivals
        ][:TARGETS]
        self._looked(actor, candidate, targets)
        return targets


MERGED = "Merged: the memory has one more voice behind it."


def _merged(item: HeldItem) -> Outcome:
    return Outcome(
        candidate_id=item.candidate.candidate_id,
        ok=True,
        message=MERGED,
        state=item.state,
        decision=item.decision,
    )
