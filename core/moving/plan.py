"""What of a verified file becomes memory here: a first reading that writes nothing. Only ids and rulings are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import BinaryIO, TypeVar

from core.errors import BadInput
from core.gate import STATE_OF, decide
from core.model import (
    Candidate,
    CandidateState,
    Decision,
    Effect,
    EffectKind,
    Evidence,
    MemoryStatus,
    Proposal,
    Provenance,
    Root,
    Scope,
    Verdict,
    sha256_text,
)
from core.moving.caps import Channel, Weighed, capped, weigh
from core.moving.lines import records, refuse
from core.moving.shape import arriving
from core.policy import Policy
from core.ports import Codec, Plain

T = TypeVar("T")

_CLOSING = {
    EffectKind.SUPERSEDE: MemoryStatus.SUPERSEDED,
    EffectKind.RETRACT: MemoryStatus.SUPERSEDED,
    EffectKind.ARCHIVE: MemoryStatus.ARCHIVED,
    EffectKind.TOMBSTONE: MemoryStatus.DELETED,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """One candidate of a file as nouns, with the record that it was."""

    number: int
    candidate: Candidate
    state: CandidateState
    decisions: tuple[Decision, ...]
    at: datetime
    updated_at: datetime
    original_id: str


@dataclass(kw_only=True, slots=True)
class Reading:
    """Reads candidates and effects of one file for one owner, as this installation keeps them."""

    file: Callable[[], BinaryIO]
    tenant: str
    owner: str
    serials: Sequence[int]
    places: dict[str, int]  # rank of each episode
    codec: Codec

    def arrived(self) -> Iterator[Arrived]:
        """Every candidate with its decisions, in order."""
        waiting: tuple[int, Plain] | None = None
        decisions: list[Plain] = []
        with self.file() as file:
            for number, kind, record in records(file, "candidate", "decision"):
                if kind == "decision":
                    decisions.append(record)
                elif waiting is not None:
                    yield self._arrived(*waiting, decisions)
                    waiting, decisions = None, []
                if kind == "candidate":
                    waiting = (number, record)
        if waiting is not None:
            yield self._arrived(*waiting, decisions)

    def effects(self) -> Iterator[tuple[int, Effect]]:
        """Every effect with its line, in order."""
        with self.file() as file:
            for number, _kind, record in records(file, "effect"):
                yield number, self._noun(number, Effect, record, self.scope(record["scope"]["agent"]))

    def scope(self, agent: str) -> Scope:
        """The new owner's scope for an agent of the file."""
        return Scope(tenant=self.tenant, owner=self.owner, agent=agent)

    def _arrived(self, number: int, record: Plain, decisions: Sequence[Plain]) -> Arrived:
        try:
            scope = self.scope(record["agent"])
            candidate = Candidate(
                candidate_id=record["candidate_id"],
                episode_id=record["episode_id"],
                scope=scope,
                proposal=self._noun(number, Proposal, record["proposal"], scope),
                provenance=self._noun(number, Provenance, record["provenance"], scope),
                serial_no=self.serials[self.places[record["episode_id"]] - 1],
                extractor=record["extractor"],
                version=record["version"],
            )
            found = tuple(self._noun(number, Decision, one, scope) for one in decisions)
            made = Arrived(
                number=number,
                candidate=candidate,
                state=CandidateState(record["state"]),
                decisions=found,
                at=datetime.fromisoformat(record["created_at"]),
                updated_at=datetime.fromisoformat(record["updated_at"]),
                original_id=record["original_id"],
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise refuse(number, f"this candidate cannot be read ({problem})") from problem
        if candidate.digest != record.get("digest") or not found:
            raise refuse(number, "this candidate's digest is not that of its words, or it has no decision")
        if any(one.candidate_id != candidate.candidate_id for one in found):
            raise refuse(number, "a decision below it is another candidate's")
        return made

    def _noun(self, number: int, kind: type[T], record: Plain, scope: Scope) -> T:
        try:
            return self.codec.from_plain(kind, arriving(record, scope=scope, serials=self.serials))
        except BadInput as problem:
            raise refuse(number, str(problem)) from problem


@dataclass(kw_only=True, slots=True)
class Plan:
    """What becomes of each candidate of a file; what is not named is taken as it is."""

    digests: dict[str, str] = field(default_factory=dict)  # of the words of each that may be in memory
    trust: dict[str, tuple[float, tuple[Root, ...]]] = field(default_factory=dict)  # of those that lost some
    states: dict[str, CandidateState] = field(default_factory=dict)  # of those that stand otherwise here
    added: dict[str, Decision] = field(default_factory=dict)  # the gate's word here, where it is another one
    instead: dict[str, tuple[Effect, ...]] = field(default_factory=dict)  # of those that meet a memory of this place
    known: set[str] = field(default_factory=set)  # here already, and left as they are
    undone: set[str] = field(default_factory=set)  # effects of decisions that do not hold here
    fresh: int = 0  # candidates that are not here yet

    def lower(self, arrived: Arrived, decision: Decision, state: CandidateState) -> None:
        """Keep a candidate out of memory."""
        key = arrived.candidate.candidate_id
        self.digests.pop(key, None)
        self.trust.pop(key, None)
        self.added[key], self.states[key] = decision, state
        self._undo(arrived)

    def replace(self, arrived: Arrived, decision: Decision) -> None:
        """Let a candidate in by the gate's word here: that decision's effects in place of what was done to it there.

        What it replaced there stays replaced: it is admitted here too.
        """
        key = arrived.candidate.candidate_id
        self.digests.pop(key, None)
        self.added[key], self.instead[key] = decision, decision.effects

    def take(self, arrived: Arrived, weighed: Weighed) -> None:
        """Note how a candidate was weighed."""
        key = arrived.candidate.candidate_id
        self.fresh += 1
        if weighed.effective is not None:
            self.digests[key] = arrived.candidate.digest
            if weighed.added is not None:
                self.trust[key] = (weighed.effective, weighed.roots)
                self.added[key] = weighed.added
        elif weighed.added is not None:
            self.lower(arrived, weighed.added, weighed.state)
        else:
            if weighed.state is not arrived.state:
                self.states[key] = weighed.state
            self._undo(arrived)

    def applies(self, number: int, effect: Effect) -> Effect | None:
        """An effect as it happens here; None if it does not.

        Raises:
            BadInput: it would put words into memory that are not its candidate's.
        """
        if effect.effect_id in self.undone or effect.memory_id not in self.digests:
            return None
        if effect.kind is EffectKind.LINK and effect.by_memory_id not in self.digests:
            return None
        if effect.kind is not EffectKind.ACTIVATE:
            return effect
        memory = effect.memory
        if memory is None or memory.memory_id != effect.memory_id or memory.scope != effect.scope:
            raise refuse(number, "this effect activates another memory than it names")
        if sha256_text(memory.text) != self.digests[effect.memory_id]:
            raise refuse(number, "the words of this memory are not those that were decided")
        trust, roots = self.trust.get(effect.memory_id, (memory.effective_trust, memory.roots))
        return replace(
            effect,
            memory=replace(
                memory,
                effective_trust=min(trust, memory.effective_trust),
                roots=roots,
                vouched_by=None,
                vouched_at=None,
            ),
        )

    def active(self, effects: Iterator[tuple[int, Effect]]) -> set[str]:
        """Which memories end active."""
        standing: dict[str, MemoryStatus] = {}
        for number, found in effects:
            effect = self.applies(number, found)
            if effect is None:
                continue
            if effect.memory is not None:
                standing[effect.memory_id] = effect.memory.status
            elif effect.kind in _CLOSING:
                standing[effect.memory_id] = _CLOSING[effect.kind]
            elif effect.kind is EffectKind.RESTORE or (
                effect.kind is EffectKind.CONFIRM and standing.get(effect.memory_id) is MemoryStatus.ARCHIVED
            ):
                standing[effect.memory_id] = MemoryStatus.ACTIVE
        return {key for key, status in standing.items() if status is MemoryStatus.ACTIVE}

    def _undo(self, arrived: Arrived) -> None:
        self.undone.update(one.effect_id for decision in arrived.decisions for one in decision.effects)


Meets = Callable[[Candidate], Evidence]  # what a candidate meets in the memory that is here already


def make_plan(
    reading: Reading,
    *,
    policy: Policy,
    channel: Channel,
    known: Callable[[str], bool],
    meets: Meets | None,
    at: datetime,
    mark: str,
) -> Plan:
    """Rule on every candidate of a file.

    1. Each that was admitted is weighed by this policy (`core.moving.caps`). 2. Where there is memory already, each
    that would end active meets it as a new statement would: it may confirm what is here, replace it or become history
    behind it by the policy's own order, or wait for a person. What it would have replaced in the file is active again
    then, so it meets the memory too, until nothing new comes up.

    Args:
        reading: the file.
        policy: in force here.
        channel: where a text of the file came from.
        known: whether a candidate is here already.
        meets: evidence on a candidate against the memory of this place; None if there is none.
        at: now.
        mark: begins the ids of the rulings that are made here.
    """
    plan = Plan()
    for one in reading.arrived():
        key = one.candidate.candidate_id
        if known(key):
            plan.known.add(key)
            plan._undo(one)  # noqa: SLF001 - one part of this room
            continue
        weighed = weigh(
            one.candidate, one.state, one.decisions, policy=policy, channel=channel, at=at, decision_id=f"{mark}:{key}"
        )
        plan.take(one, weighed)
    met: set[str] = set()
    while meets is not None and (todo := plan.active(reading.effects()) - met):
        for one in reading.arrived():
            if one.candidate.candidate_id in todo:
                _meet(plan, one, meets(one.candidate), policy=policy, channel=channel, at=at, mark=mark)
        met |= todo
    return plan


def _meet(
    plan: Plan, one: Arrived, found: Evidence, *, policy: Policy, channel: Channel, at: datetime, mark: str
) -> None:
    key = one.candidate.candidate_id
    most = plan.trust.get(key, (1.0, ()))[0]
    recorded = next(made for made in reversed(one.decisions) if made.verdict is Verdict.ADMIT).evidence
    trust = min(most, recorded.effective_trust, capped(one.candidate, found, policy, channel).effective_trust)
    evidence = replace(found, effective_trust=trust, voice_trust=min(found.voice_trust, recorded.voice_trust))
    ruled = decide(one.candidate, evidence, policy, at=at, by="policy", decision_id=f"{mark}:{key}")
    if found.forgotten and ruled.verdict is Verdict.ADMIT:  # what was forgotten here comes back by a new statement only
        ruled = replace(ruled, verdict=Verdict.HOLD, reasons=("forgotten",), effects=())
    if ruled.verdict is not Verdict.ADMIT:
        plan.lower(one, replace(ruled, effects=()), STATE_OF[ruled.verdict])
    elif found.incumbents:
        plan.replace(one, ruled)


__all__ = ["Arrived", "Plan", "Reading", "make_plan"]
