"""Recall on streaming replicas, with the primary behind them (docs/read-replicas.md)."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar

import psycopg

from core.errors import ChronoMemoryError, LedgerUnavailable
from core.model import Memory, MemoryStatus, Scope, ScoredMemory
from core.ports import MemoryFilter, RecallReader
from core.store.replica import Condition, Replica
from core.store.replicapool import Behind

GUARD_SECONDS = 1.0  # between looks for what hangs

_Found = TypeVar("_Found")


class ReplicatedRecall:
    """`core.ports.RecallReader`: a fresh replica if it has the owner's last effect, else the primary."""

    def __init__(
        self, primary: RecallReader, replicas: Sequence[Replica], *, last_effect: Callable[[Scope], str]
    ) -> None:
        """Nothing is watched before `start`.

        Args:
            primary: answers whatever no replica may or can.
            replicas: at least one.
            last_effect: id of an owner's last effect in the ledger; "": they have none, and only the primary is asked.
                So it is with an owner who was erased: the ledger forgets their effects before the store their memories.
        """
        self._primary, self.replicas, self._last_effect = primary, tuple(replicas), last_effect
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._guard = threading.Thread(target=self._watch, name="replicas", daemon=True)

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
        """As the port says."""
        return self._read(
            scope,
            lambda one: one.search(
                scope, vector=vector, query=query, at=at, limit=limit, include_archived=include_archived
            ),
        )

    def as_of(
        self, scope: Scope, *, vector: Sequence[float], query: str, then: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """As the port says."""
        return self._read(scope, lambda one: one.as_of(scope, vector=vector, query=query, then=then, limit=limit))

    def slot(
        self, scope: Scope, slot_key: str, *, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)
    ) -> builtins.list[Memory]:
        """As the port says."""
        return self._read(scope, lambda one: one.slot(scope, slot_key, statuses=statuses))

    def list(
        self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0
    ) -> tuple[builtins.list[Memory], int]:
        """As the port says."""
        return self._read(scope, lambda one: one.list(scope, where, limit=limit, offset=offset))

    def genuine(self, one: ScoredMemory) -> bool:
        """As the port says; the seal is checked here, whichever server the row came from."""
        return self.replicas[0].reader.genuine(one)

    def start(self) -> None:
        """Watch every replica; returns at once, whatever state they are in."""
        for one in self.replicas:
            one.start()
        self._guard.start()

    def close(self) -> None:
        """Stop watching and close every connection to them."""
        self._closing.set()
        for one in self.replicas:
            one.close()

    def state(self) -> str:
        """For health: how many are in use and how old what they hold is at most; no host is named."""
        used = [one for one in self.replicas if one.usable]
        rest = ", ".join(f"replica {one.number} {_said(one)}" for one in self.replicas if one not in used)
        if not used:
            return f"down: the primary answers every recall ({rest})"
        oldest = max(one.age or 0.0 for one in used)
        return f"ok: {len(used)} of {len(self.replicas)} in use, at most {oldest:.1f} s old" + (
            f"; {rest}" if rest else ""
        )

    def _read(self, scope: Scope, ask: Callable[[RecallReader], _Found]) -> _Found:
        replica = self._free_one()
        if replica is None:
            return ask(self._primary)
        try:
            effect_id = self._last_effect(scope)
        except LedgerUnavailable:  # nobody can say what the replica must have
            return ask(self._primary)
        if not effect_id:
            return ask(self._primary)
        try:
            with _counted(replica, self._lock), replica.database.holding(effect_id):
                found = ask(replica.reader)
        except Behind:
            return ask(self._primary)
        except (ChronoMemoryError, psycopg.Error) as problem:  # of a replica nothing is an answer but its answer
            replica.failed(problem)
            return ask(self._primary)
        replica.answered()
        return found

    def _free_one(self) -> Replica | None:
        """The usable one with the fewest reads under way; of several the one that had the fewest in all."""
        fit = [one for one in self.replicas if one.usable]
        with self._lock:
            return min(fit, key=lambda one: (one.busy, one.turn), default=None)

    def _watch(self) -> None:
        while not self._closing.wait(GUARD_SECONDS):
            for one in self.replicas:
                one.guard()


@contextmanager
def _counted(replica: Replica, lock: threading.Lock) -> Iterator[None]:
    with lock:
        replica.busy += 1
        replica.turn += 1
    try:
        yield
    finally:
        with lock:
            replica.busy -= 1


def _said(one: Replica) -> str:
    if one.condition is Condition.FRESH:
        return "did not answer lately"
    return str(one.condition)


__all__ = ["ReplicatedRecall"]
