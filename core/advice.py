"""What an agent may do with the memories that a question found, by what else their slots hold (rules §5.2). Reads only.

Recall asks the store alone. Who wants to act, and a person's chat, ask the ledger too: an open conflict on a slot is a
competing value. Its words stay with the review desk; an agent learns only that it may not act (rules §6.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from core.confidence import (
    NOTHING,
    Because,
    Counsel,
    advise,
    confidence_of,
    most_cautious,
    single_valued,
    within,
)
from core.corroboration import counts
from core.errors import LedgerUnavailable
from core.gate import memory_of
from core.model import Advice, CandidateState, HeldItem, Memory, MemoryKind, Scope
from core.policy import Policy
from core.sameness import same_value

SLOTS = 12  # slots of one answer that are looked through for competing values; the first ones
CONFLICT = "conflict"  # the gate's reason


class SlotReader(Protocol):
    """The store's part that this needs."""

    def slot(self, scope: Scope, slot_key: str) -> list[Memory]:
        """As `MemoryReader.slot`."""


class SlotLedger(Protocol):
    """The ledger's part that this needs."""

    def items_of_slot(self, scope: Scope, slot_key: str, *, limit: int = 200) -> list[HeldItem]:
        """As `LedgerReader.items_of_slot`."""


def leading(memories: Sequence[Memory]) -> Memory | None:
    """The memory that answers: the first fact; a lesson only warns, and what was merely said once proves least."""
    kinds = [one.kind for one in memories]
    place = {MemoryKind.LESSON: 1, MemoryKind.EVENT: 2}
    best = min(range(len(kinds)), key=lambda at: (place.get(kinds[at], 0), at), default=None)
    return None if best is None else memories[best]


def of_memory(
    memory: Memory, store: SlotReader, at: datetime, policy: Policy, *, fits: Callable[[Memory], bool]
) -> Counsel:
    """Counsel on one memory. `fits` says which rows of its slot may be seen at all: scope and session.

    Raises:
        StoreUnavailable: the slot cannot be read right now.
    """
    others = store.slot(memory.scope, memory.slot_key) if single_valued(memory) else []
    return advise(memory, [one for one in others if one.scope == memory.scope and fits(one)], at, policy)


def of_answer(
    memories: Sequence[Memory], store: SlotReader, at: datetime, policy: Policy, *, fits: Callable[[Memory], bool]
) -> Counsel:
    """Counsel on an answer that stands on several memories: as cautious as the least sure of them asks for.

    Raises:
        StoreUnavailable: as `of_memory`.
    """
    return most_cautious(
        [of_memory(one, store, at, policy, fits=fits) for one in memories[:SLOTS]]
        + [advise(one, (), at, policy) for one in memories[SLOTS:]]
    )


def with_conflicts(
    counsel: Counsel, memories: Sequence[Memory], ledger: SlotLedger, at: datetime, policy: Policy
) -> Counsel:
    """The same with what waits in the ledger: a held claim that says otherwise is a competing value.

    1. About as sure: it is a question. 2. Held for nothing but the contradiction, and said since the memory was last
    stated or confirmed: nothing is acted on before somebody answered (docs/adr/0013).

    Raises:
        LedgerUnavailable: what waits cannot be read right now.
    """
    if counsel.advice is Advice.ASK:
        return counsel
    for memory in memories[:SLOTS]:
        if not single_valued(memory):
            continue
        mine = confidence_of(memory, at, policy)
        waiting = [item for item in ledger.items_of_slot(memory.scope, memory.slot_key) if _is_open(item, memory)]
        near = [
            item
            for item in waiting
            if within(confidence_of(_would_be(item, at), at, policy), mine, policy.confidence.competing_within)
        ]
        since = [item for item in waiting if _contests(item, memory)]
        if near:
            found = (Advice.ASK, Because.OPEN_CONFLICT, near)
        elif since and counsel.advice is Advice.ACT:
            found = (Advice.ANSWER, Because.CONTESTED, since)
        else:
            continue
        return Counsel(
            advice=found[0],
            because=found[1],
            memory=memory,
            confidence=mine,
            waiting=tuple(one.candidate.candidate_id for one in found[2]),
        )
    return counsel


def for_an_agent(counsel: Counsel, ledger: SlotLedger, at: datetime, policy: Policy) -> Counsel:
    """What an agent is told: what waits can only take its permission to act, and no word or id of it is given out.

    Where the ledger cannot be read nobody acts: a gap can only hold (rules §1.12).
    """
    if counsel.advice is not Advice.ACT or counsel.memory is None:
        return counsel
    try:
        told = with_conflicts(counsel, [counsel.memory], ledger, at, policy)
    except LedgerUnavailable:
        return replace(counsel, advice=Advice.ANSWER, because=Because.UNCHECKED)
    if told.advice is Advice.ACT:
        return counsel
    return replace(counsel, advice=Advice.ANSWER, because=Because.CONTESTED)


def _is_open(item: HeldItem, memory: Memory) -> bool:
    held = item.state is CandidateState.HELD and CONFLICT in item.decision.reasons
    return held and not same_value(item.candidate.proposal.value, memory.value)


def _contests(item: HeldItem, memory: Memory) -> bool:
    """Whether it would be in memory but for this one, and came after this one was last heard of."""
    return item.decision.reasons == (CONFLICT,) and item.candidate.provenance.observed_at > memory.stated_at


def _would_be(item: HeldItem, at: datetime) -> Memory:
    """The memory that a held claim would be: compared by its confidence, never told."""
    evidence = item.decision.evidence
    made = memory_of(item.candidate, evidence, at=at, trust=evidence.effective_trust, vouched_by=None)
    voices = {key for key in (*evidence.supporters, evidence.origin) if key and counts(key)}
    return replace(made, origins=max(1, len(voices)))


__all__ = ["NOTHING", "for_an_agent", "leading", "of_answer", "of_memory", "with_conflicts"]
