"""The store with would-be memories on top, in RAM, and with what a story would do to those that are there.

Would-be memories are found by the same cosine and the same lexical rank as stored ones (`Lexicon`). Links that a story
would make are not followed: they can only lift what a question finds anyway.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from core.model import Effect, EffectKind, Memory, MemoryKind, MemoryStatus, Scope, ScoredMemory
from core.ports import Clock, Lexicon, MemoryFilter, MemoryReader
from core.slots import normalise

_EVERY = tuple(MemoryStatus)


class MemoryOverlay:
    """Implements `core.ports.MemoryReader`: reads the store, as the story would leave it."""

    def __init__(self, inner: MemoryReader, *, lexicon: Lexicon, clock: Clock) -> None:
        """Begin with nothing on top."""
        self._inner = inner
        self._lexicon = lexicon
        self._clock = clock
        self._own: dict[str, tuple[Memory, Sequence[float]]] = {}
        self._effects: dict[str, builtins.list[Effect]] = {}

    def add(self, memory: Memory, vector: Sequence[float]) -> None:
        """Put a would-be memory on top."""
        self._own[memory.memory_id] = (memory, vector)

    def change(self, effect: Effect) -> None:
        """Do to a memory, stored or would-be, what an effect would do; links change none."""
        self._effects.setdefault(effect.memory_id, []).append(effect)

    @property
    def made(self) -> tuple[Memory, ...]:
        """The would-be memories that would still be active, in order."""
        return tuple(one for one in map(self._seen, self._memories()) if one.status is MemoryStatus.ACTIVE)

    # --- searching ----------------------------------------------------------------------------------------------

    def search(
        self,
        scope: Scope,
        *,
        vector: Sequence[float],
        query: str,
        at: datetime,
        limit: int,
        include_archived: bool = False,
    ) -> builtins.list[ScoredMemory]:
        """The store's finds that are still live, and the would-be memories that are among the best of both lists."""
        found = self._inner.search(
            scope, vector=vector, query=query, at=at, limit=limit, include_archived=include_archived
        )
        statuses = (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED) if include_archived else (MemoryStatus.ACTIVE,)
        stored = self._still(found, statuses)
        own = [
            ScoredMemory(
                memory=memory,
                cosine=_cosine(vector, of),
                lexical=words.rank,
                coverage=words.coverage,
                held=words.held,
                length=words.length,
            )
            for memory, of in self._vectors(scope, statuses)
            if _live(memory, at)
            for words in [self._lexicon.match(query, memory)]
        ]
        direct = [one for one in [*stored, *own] if one.found]
        near = sorted(direct, key=lambda one: -one.cosine)[:limit]
        worded = [one for one in sorted(direct, key=lambda one: -one.lexical)[:limit] if one.lexical > 0]
        best = {one.memory.memory_id for one in (*near, *worded)}
        return [*stored, *(one for one in own if one.memory.memory_id in best)]

    def nearest(
        self, scope: Scope, *, vector: Sequence[float], at: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The nearest of both, best first."""
        stored = self._still(
            self._inner.nearest(scope, vector=vector, at=at, limit=limit + len(self._effects)), (MemoryStatus.ACTIVE,)
        )
        own = [
            ScoredMemory(memory=memory, cosine=_cosine(vector, of), lexical=0.0)
            for memory, of in self._vectors(scope, (MemoryStatus.ACTIVE,))
            if _live(memory, at)
        ]
        return sorted([*stored, *own], key=lambda one: -one.cosine)[:limit]

    def as_of(
        self, scope: Scope, *, vector: Sequence[float], query: str, then: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The store's: a story changes nothing of the past."""
        return self._inner.as_of(scope, vector=vector, query=query, then=then, limit=limit)

    def left_out(
        self, scope: Scope, *, vector: Sequence[float], query: str, at: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The store's; what only the story would close is not among them."""
        return self._inner.left_out(scope, vector=vector, query=query, at=at, limit=limit)

    def genuine(self, one: ScoredMemory) -> bool:
        """Whether a stored row is sealed; what is in RAM comes from this process."""
        return one.memory.memory_id in self._own or self._inner.genuine(one)

    # --- looking up ---------------------------------------------------------------------------------------------

    def slot(
        self, scope: Scope, slot_key: str, *, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)
    ) -> builtins.list[Memory]:
        """What holds a slot, last stated first."""
        stored = self._inner.slot(scope, slot_key, statuses=_EVERY)
        return self._joined(scope, stored, lambda one: one.slot_key == slot_key, statuses)

    def get(self, scope: Scope, memory_id: str) -> Memory | None:
        """One memory, as the story would leave it."""
        own = self._own.get(memory_id)
        found = own[0] if own and own[0].scope == scope else self._inner.get(scope, memory_id)
        return self._seen(found) if found else None

    def statuses(self, scope: Scope, memory_ids: Sequence[str]) -> dict[str, MemoryStatus]:
        """The status of each, as the story would leave it."""
        found = ((one, self.get(scope, one)) for one in memory_ids)
        return {memory_id: memory.status for memory_id, memory in found if memory is not None}

    def recent(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """Live facts without events, last stated first."""
        at = self._clock.now()
        found = self._joined(
            scope,
            self._inner.recent(scope, limit=limit),
            lambda one: one.kind is not MemoryKind.EVENT and _live(one, at),
        )
        return sorted(found, key=lambda one: one.stated_at, reverse=True)[:limit]

    def of_episode(self, scope: Scope, episode_id: str) -> builtins.list[Memory]:
        """Active memories that one text made."""
        return self._joined(scope, self._inner.of_episode(scope, episode_id), lambda one: one.episode_id == episode_id)

    def of_conversation(self, scope: Scope, conversation_id: str, *, limit: int = 50) -> builtins.list[Memory]:
        """Active memories of one conversation, newest first."""
        stored = self._inner.of_conversation(scope, conversation_id, limit=limit)
        return self._joined(scope, stored, lambda one: one.conversation_id == conversation_id)[:limit]

    def by_slot(
        self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20
    ) -> builtins.list[Memory]:
        """Live facts with one of the attributes, newest statement first."""
        at, wanted = self._clock.now(), {normalise(one) for one in attributes}
        stored = self._inner.by_slot(scope, subject=subject, attributes=attributes, limit=limit)
        return self._joined(
            scope,
            stored,
            lambda one: (
                normalise(one.attribute) in wanted
                and (subject is None or normalise(one.subject) == normalise(subject))
                and _live(one, at)
            ),
        )[:limit]

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> builtins.list[Memory]:
        """Live facts on one subject, most important first."""
        at = self._clock.now()
        found = self._joined(
            scope,
            self._inner.about(scope, subject=subject, limit=limit),
            lambda one: normalise(one.subject) == normalise(subject) and _live(one, at),
        )
        return sorted(found, key=lambda one: -one.importance)[:limit]

    def pinned(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """The profile, as the story would leave it; a story pins nothing."""
        return self._joined(scope, self._inner.pinned(scope, limit=limit), lambda one: one.pinned)

    def list(
        self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0
    ) -> tuple[builtins.list[Memory], int]:
        """The store's page as the story would leave it, and before it what the story would add."""
        found, total = self._inner.list(scope, where, limit=limit, offset=offset)
        text = (where.text or "").casefold()
        joined = self._joined(
            scope,
            found,
            lambda one: (
                (not where.kinds or one.kind.value in where.kinds)
                and (not where.source_kinds or one.source_kind in where.source_kinds)
                and text in one.text.casefold()
            ),
            where.statuses,
        )
        return joined, total + len(joined) - len(found)

    def count(self, scope: Scope) -> dict[MemoryStatus, int]:
        """The store's: how many there are."""
        return self._inner.count(scope)

    def spaces(self, scope: Scope) -> Sequence[str]:
        """The store's."""
        return self._inner.spaces(scope)

    def witness(self) -> tuple[int, str]:
        """The store's."""
        return self._inner.witness()

    def ping(self) -> None:
        """The store's."""
        self._inner.ping()

    # --- inner parts --------------------------------------------------------------------------------------------

    def _memories(self) -> builtins.list[Memory]:
        return [memory for memory, _ in self._own.values()]

    def _vectors(self, scope: Scope, statuses: Sequence[MemoryStatus]) -> builtins.list[tuple[Memory, Sequence[float]]]:
        seen = ((self._seen(memory), vector) for memory, vector in self._own.values() if memory.scope == scope)
        return [(memory, vector) for memory, vector in seen if memory.status in statuses]

    def _joined(
        self,
        scope: Scope,
        stored: Iterable[Memory],
        fits: Callable[[Memory], bool],
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
    ) -> builtins.list[Memory]:
        """Would-be memories that fit, the latest first, then stored ones; each as the story would leave it."""
        own = [memory for memory in reversed(self._memories()) if memory.scope == scope and fits(memory)]
        return [one for one in map(self._seen, (*own, *stored)) if one.status in statuses]

    def _still(self, found: Iterable[ScoredMemory], statuses: Sequence[MemoryStatus]) -> builtins.list[ScoredMemory]:
        seen = (replace(one, memory=self._seen(one.memory)) for one in found)
        return [one for one in seen if one.memory.status in statuses]

    def _seen(self, memory: Memory) -> Memory:
        """A memory after the effects of the story on it, as the store's statements have them."""
        for effect in self._effects.get(memory.memory_id, ()):
            memory = after(memory, effect)
        return memory


def after(memory: Memory, effect: Effect) -> Memory:
    """What the store's statement for an effect of the gate makes of a memory."""
    if effect.kind is EffectKind.CONFIRM:
        revived = memory.status is MemoryStatus.ARCHIVED
        new = effect.origin and effect.origin not in memory.support
        support = (*memory.support, effect.origin) if new else memory.support
        return replace(
            memory,
            version=memory.version + 1,
            stated_at=max(memory.stated_at, effect.at),
            status=MemoryStatus.ACTIVE if revived else memory.status,
            expired_at=None if revived else memory.expired_at,
            support=support,
            origins=len(support) if effect.origin else memory.origins,
        )
    if effect.kind is EffectKind.ARCHIVE and memory.status is MemoryStatus.ACTIVE:
        return replace(memory, status=MemoryStatus.ARCHIVED, expired_at=effect.at, version=memory.version + 1)
    if effect.kind is EffectKind.ARCHIVE or memory.status is MemoryStatus.DELETED:
        return memory
    closed = replace(memory, status=MemoryStatus.SUPERSEDED, expired_at=effect.at, version=memory.version + 1)
    if effect.kind is EffectKind.SUPERSEDE:
        return replace(closed, superseded_by=effect.by_memory_id)
    until = effect.until or effect.at
    return replace(closed, invalid_at=min(memory.invalid_at or until, until))


def _live(memory: Memory, at: datetime) -> bool:
    return all(end is None or end > at for end in (memory.expires_at, memory.invalid_at))


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))
