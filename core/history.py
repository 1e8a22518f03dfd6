"""One memory over time: its versions in order, when it was used, and memories found by meaning. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.accounts import Accounts
from core.errors import NotFound
from core.lifecycle import CORRECTED, CORRECTION, current_at
from core.model import Actor, Memory, MemoryKind, MemoryStatus, Scope, ScoredMemory
from core.policy import Policy
from core.ports import Clock, Embedder, LedgerReader, MemoryFilter, MemoryReader
from core.slots import is_multi_valued

VERSIONS = 50  # of one memory that are looked up
USES = 50  # last uses that are listed
NEAREST = 200  # memories nearest in meaning that a search by meaning looks through


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One statement of a line of statements that took each other's place."""

    memory: Memory
    by: str = ""  # id of the version that took its place, if one did
    corrected: bool = False  # its owner said it was wrong; a newer statement did not merely arrive


@dataclass(frozen=True, kw_only=True, slots=True)
class Use:
    """One answer that was built on a memory; counted once a conversation (rules §2.4)."""

    at: datetime
    conversation_id: str  # "" where no conversation is known: asked through the API, or before it was noted


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A memory found by meaning and how near it is: cosine in [-1, 1]."""

    memory: Memory
    cosine: float


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """The owner's own memories, over time."""

    accounts: Accounts
    ledger: LedgerReader
    store: MemoryReader
    embedder: Embedder
    policy: Policy
    clock: Clock

    def versions(self, actor: Actor, memory_id: str) -> tuple[Version, ...]:
        """What a memory replaced and what replaced it, first stated first; itself among them.

        Raises:
            NotFound: the actor has no memory by that id.
        """
        start = self._own(actor, memory_id)
        if start.kind is MemoryKind.EVENT:  # what was once said is never another version of it
            return (Version(memory=start),)
        found: dict[str, Memory] = {}
        corrected: dict[str, str] = {}
        waiting = [start]
        while waiting and len(found) < VERSIONS:
            one = waiting.pop()
            if one.memory_id in found:
                continue
            found[one.memory_id] = one
            after = self._corrections(actor, one)
            if after:
                corrected[one.memory_id] = after[0].memory_id
            waiting += [*after, *self._neighbours(actor.scope, one)]
        return tuple(
            Version(
                memory=one,
                by=one.superseded_by or corrected.get(one.memory_id, ""),
                corrected=one.memory_id in corrected,
            )
            for one in sorted(found.values(), key=lambda one: (one.created_at, one.serial_no, one.memory_id))
        )

    def _neighbours(self, scope: Scope, memory: Memory) -> list[Memory]:
        """What stands next to it: in its slot where one value holds at a time, else by the pointers alone."""
        ids = [memory.superseded_by or "", memory.source_ref.removeprefix(CORRECTION)]
        pointed = [self.store.get(scope, one) for one in ids if one and one != memory.source_ref]
        found = [one for one in pointed if one is not None and one.kind is not MemoryKind.EVENT]
        slot = self.store.slot(scope, memory.slot_key, statuses=tuple(MemoryStatus))
        alone = not is_multi_valued(memory.attribute)
        return found + [
            one for one in slot if one.kind is not MemoryKind.EVENT and (alone or one.superseded_by == memory.memory_id)
        ]

    def _corrections(self, actor: Actor, memory: Memory) -> list[Memory]:
        """What its owner said instead, as far as that became memory."""
        entries, _ = self.ledger.audit(
            actor.tenant, owner=actor.user_id, action=CORRECTED, about=memory.memory_id, limit=VERSIONS
        )
        episodes = [str(one.about.get("episode_id", "")) for one in entries]
        items = [item for one in episodes if one for item in self.ledger.candidates_of(one)]
        facts = [one for one in items if one.candidate.proposal.kind is not MemoryKind.EVENT]
        found = (self.store.get(memory.scope, one.candidate.candidate_id) for one in facts)
        return [one for one in found if one is not None and one.memory_id != memory.memory_id]

    def uses(self, actor: Actor, memory_id: str) -> tuple[list[Use], int]:
        """The last answers that were built on a memory, newest first, and how many there were.

        Raises:
            NotFound: the actor has no memory by that id.
        """
        self._own(actor, memory_id)
        entries, total = self.ledger.audit(
            actor.tenant, owner=actor.user_id, action="memory:recalled", about=memory_id, limit=USES
        )
        return [Use(at=one.at, conversation_id=str(one.about.get("conversation_id", ""))) for one in entries], total

    def by_meaning(
        self, actor: Actor, text: str, where: MemoryFilter, *, then: datetime | None = None
    ) -> tuple[Sequence[Found], bool]:
        """Memories near a text in meaning, nearest first; and whether there may be more than were looked through.

        Forgotten ones are never found like this: their vectors are out of every search.

        Args:
            actor: the owner.
            text: what is looked for.
            where: statuses, kinds, sources and impact that count; its own text is not looked at.
            then: what was current at that time, whatever it is now.

        Raises:
            StoreUnavailable, ModelUnavailable: it is not possible right now.
        """
        self.accounts.authorise(actor)
        [vector] = self.embedder.embed([text])
        rows = self._near(actor.scope, vector, where.statuses, then)
        floor = self.policy.recall.min_cosine
        found = {
            one.memory.memory_id: Found(memory=one.memory, cosine=one.cosine)
            for one in rows
            if one.cosine >= floor and self.store.genuine(one) and _fits(one.memory, where, then)
        }
        return sorted(found.values(), key=lambda one: (-one.cosine, one.memory.memory_id)), len(rows) >= NEAREST

    def _near(
        self, scope: Scope, vector: Sequence[float], statuses: Iterable[MemoryStatus], then: datetime | None
    ) -> list[ScoredMemory]:
        at = self.clock.now()
        if then is not None:
            return self.store.as_of(scope, vector=vector, query="", then=then, limit=NEAREST)
        wanted, rows = set(statuses), []
        if MemoryStatus.ACTIVE in wanted:
            rows += self.store.nearest(scope, vector=vector, at=at, limit=NEAREST)
        if wanted & {MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED}:
            rows += self.store.left_out(scope, vector=vector, query="", at=at, limit=NEAREST)
        return rows

    def _own(self, actor: Actor, memory_id: str) -> Memory:
        self.accounts.authorise(actor)
        memory = self.store.get(actor.scope, memory_id)
        if memory is None or memory.scope != actor.scope:
            msg = "There is no such memory."
            raise NotFound(msg)
        return memory


def _fits(memory: Memory, where: MemoryFilter, then: datetime | None) -> bool:
    if then is not None and not current_at(memory, then):
        return False
    if then is None and memory.status not in where.statuses:
        return False
    harm = where.impact is None or (bool(memory.impact) if where.impact == "any" else where.impact in memory.impact)
    return (
        harm
        and (not where.kinds or memory.kind.value in where.kinds)
        and (not where.source_kinds or memory.source_kind in where.source_kinds)
    )
