"""What a memory without a gate would know: every statement whatever its source, the newest value of a slot wins. Pure.

An overlay for comparison only. It is made from the ledger's candidates, held ones among them, so nothing of it may
reach the store or a prompt: `core.sides` answers from it by rules and shows it to people who may see held words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.decay import age_days
from core.gate import memory_of
from core.literals import content_words
from core.model import CandidateState, HeldItem, Hit, Memory, MemoryKind, Scope, ScoredMemory
from core.policy import RecallRules
from core.recall import above_floor
from core.relevance import relevances
from core.slots import is_multi_valued, normalise

KEPT = (CandidateState.ADMITTED, CandidateState.PROMOTED, CandidateState.HELD)  # what such a store would have taken in


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One statement that a last-wins store would hold now, with what the gate made of it."""

    memory: Memory
    item: HeldItem

    @property
    def held(self) -> bool:
        """Whether the governed memory waits for a person to decide on it."""
        return self.item.state is CandidateState.HELD


def winners(items: Sequence[HeldItem]) -> list[Statement]:
    """The newest value of each slot, newest first; trust, impact and contradiction count for nothing.

    Args:
        items: candidates of one owner, in any order; those that were rejected or withdrawn are passed over.
    """
    kept = [one for one in items if one.state in KEPT]
    slots: dict[str, dict[str, Statement]] = {}
    for item in sorted(kept, key=_said):
        memory = _as_memory(item)
        values = slots.setdefault(memory.slot_key, {})
        key = _value_key(memory)
        if item.candidate.proposal.retracts:
            gone = [key] if key in values else list(values)
            for one in gone:
                del values[one]
            continue
        values.pop(key, None)  # said again: its place in time is the last one
        values[key] = Statement(memory=memory, item=item)
    every = [one for values in slots.values() for one in values.values()]
    return sorted(every, key=lambda one: _said(one.item), reverse=True)


def _said(item: HeldItem) -> tuple[int, int, str]:
    candidate = item.candidate
    return candidate.serial_no, candidate.proposal.span.start, candidate.candidate_id


def _as_memory(item: HeldItem) -> Memory:
    evidence = item.decision.evidence
    return memory_of(
        item.candidate,
        evidence,
        at=item.candidate.provenance.observed_at,
        trust=evidence.effective_trust,
        vouched_by=None,
    )


def _value_key(memory: Memory) -> str:
    """What a new value takes the place of: the one value of its slot, or the same value where many stand together."""
    if memory.kind is MemoryKind.EVENT:
        return memory.memory_id
    return normalise(memory.value) if is_multi_valued(memory.attribute) else ""


def signals(query: str, statements: Sequence[Statement], cosines: Mapping[str, float]) -> list[ScoredMemory]:
    """Statements with the raw signals of one question, in the order given.

    Args:
        query: what is asked.
        statements: what is looked through.
        cosines: how near each is in meaning, in [-1, 1], by memory id; one that is not named counts by its words alone.
    """
    wanted = content_words(query)
    found = []
    for one in statements:
        shared = len(wanted & content_words(one.memory.text)) / len(wanted) if wanted else 0.0
        cosine = cosines.get(one.memory.memory_id, 0.0)
        found.append(ScoredMemory(memory=one.memory, cosine=cosine, lexical=shared, coverage=shared))
    return found


def hits_of(query: str, found: Sequence[ScoredMemory], rules: RecallRules, at: datetime) -> list[Hit]:
    """What clears the floor of raw signals, best first: the score is the relevance alone."""
    hits = [
        Hit(
            memory=one.memory,
            score=relevance,
            relevance=relevance,
            freshness=1.0,
            cosine=one.cosine,
            lexical=one.lexical,
            coverage=one.coverage,
            age_days=age_days(one.memory.stated_at, at),
            composite_trust=1.0,  # it asks for none
        )
        for one, relevance in zip(found, relevances(found, rules.meaning), strict=True)
    ]
    passed = [hit for hit in hits if above_floor(hit, rules, query)]
    return sorted(passed, key=lambda hit: (-hit.score, -hit.memory.serial_no, hit.memory.memory_id))


@dataclass(frozen=True, kw_only=True, slots=True)
class Overlay:
    """The look-ups of `core.ports.FactLookup` over statements that are in no store."""

    memories: tuple[Memory, ...]  # newest first

    def by_slot(self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20) -> list[Memory]:
        """Those with one of the attributes (and that subject, if given), newest first."""
        names = {_key(one) for one in attributes}
        wanted = None if subject is None else normalise(subject)
        found = [
            one
            for one in self.memories
            if one.scope == scope and _key(one.attribute) in names and wanted in (None, normalise(one.subject))
        ]
        return found[:limit]

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> list[Memory]:
        """Those about one subject, most important first."""
        wanted = normalise(subject)
        found = [one for one in self.memories if one.scope == scope and normalise(one.subject) == wanted]
        return sorted(found, key=lambda one: -one.importance)[:limit]


def _key(attribute: str) -> str:
    return normalise(attribute).replace(" ", "_")
