"""The store of trusted memories: its reader, the relay's writer, its keeper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model import Memory, MemoryStatus, Scope, ScoredMemory, SourceKind
from core.ports.ledger import OutboxItem
from core.ports.models import FactLookup


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryFilter:
    """What the Memories page lists; fields are AND-ed."""

    text: str | None = None
    statuses: tuple[MemoryStatus, ...] = (MemoryStatus.ACTIVE,)
    kinds: tuple[str, ...] = ()
    source_kinds: tuple[SourceKind, ...] = ()
    impact: str | None = None  # one tier of rules §1.7; "any": whatever could do harm if it were false


class RecallReader(Protocol):
    """What recall asks of the store: the part of `MemoryReader` that a replica may answer (docs/adr/0019)."""

    def search(
        self,
        scope: Scope,
        *,
        vector: Sequence[float],
        query: str,
        at: datetime,
        limit: int,
        include_archived: bool = False,
    ) -> list[ScoredMemory]:
        """The nearest active, unexpired memories by meaning and the best by words, each with both raw signals.

        `limit` bounds each of the two lists; their union is returned, unranked, with the live memories that one link
        leads to from the best of them (rules §4.2), all in one statement.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def slot(
        self, scope: Scope, slot_key: str, *, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)
    ) -> list[Memory]:
        """Memories in one slot, in the given statuses."""

    def as_of(
        self, scope: Scope, *, vector: Sequence[float], query: str, then: datetime, limit: int
    ) -> list[ScoredMemory]:
        """`search` over what was current at `then`: by record time and by valid time, tombstones left out (§3.4)."""

    def genuine(self, one: ScoredMemory) -> bool:
        """Whether the row carries the seal of this installation; a row put in past the ledger does not (§8.1)."""

    def list(self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[Memory], int]:
        """One page of memories, last stated first, and the true total."""


class MemoryReader(RecallReader, FactLookup, Protocol):
    """Read-only face of the store. Every call is confined to the scope by SQL and by row-level security."""

    def nearest(self, scope: Scope, *, vector: Sequence[float], at: datetime, limit: int) -> list[ScoredMemory]:
        """The `limit` nearest live memories by meaning alone, best first: what a statement may meet (rules §3.1b).

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def of_conversation(self, scope: Scope, conversation_id: str, *, limit: int = 50) -> list[Memory]:
        """Active memories of one conversation, newest first."""

    def get(self, scope: Scope, memory_id: str) -> Memory | None:
        """One memory in any status."""

    def statuses(self, scope: Scope, memory_ids: Sequence[str]) -> dict[str, MemoryStatus]:
        """The status of each of the memories that the scope has, by id."""

    def left_out(
        self, scope: Scope, *, vector: Sequence[float], query: str, at: datetime, limit: int
    ) -> list[ScoredMemory]:
        """`search` over what is no longer recalled at `at`: replaced, archived, ended, expired; tombstones left out.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def recent(self, scope: Scope, *, limit: int = 50) -> list[Memory]:
        """Active facts (no events), last stated first."""

    def of_episode(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Active memories that one episode made, its event included."""

    def pinned(self, scope: Scope, *, limit: int = 50) -> list[Memory]:
        """The profile: pinned memories, then the most important durable facts."""

    def count(self, scope: Scope) -> dict[MemoryStatus, int]:
        """Number of memories by status."""

    def spaces(self, scope: Scope) -> Sequence[str]:
        """The agents' parts of the scopes in which this owner has or had memories, in order."""

    def witness(self) -> tuple[int, str]:
        """The highest (ledger_seq, ledger_head) that an effect or a relay brought; (0, "") before the first effect."""

    def ping(self) -> None:
        """Raise StoreUnavailable unless Postgres answers."""


class MemoryWriter(Protocol):
    """The relay's face of the store: only `core.enact` holds one."""

    def apply(self, item: OutboxItem, *, embedding: Sequence[float] | None) -> bool:
        """Apply one effect in one transaction, with its witness; False if it had been applied before.

        Raises:
            StoreUnavailable: Postgres is not reachable; nothing was applied.
        """

    def lacking(self, scope: Scope, effect_ids: Sequence[str]) -> set[str]:
        """Those of the owner's effects that were never applied to this store, or that it lost.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def witness_head(self, ledger_seq: int, ledger_head: str) -> None:
        """Move the witnessed head forwards; a store that no effect ever reached goes on witnessing nothing.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """


class StoreKeeper(Protocol):
    """Maintenance that no relayed effect can express; only `core.lifecycle` is given one."""

    def erase(self, tenant: str, owner: str) -> int:
        """Delete every row of an owner, their account and sessions included; returns the number of memories."""

    def clear(self) -> None:
        """Delete all memories, links and applied effects of every owner, to rebuild them from the ledger."""

    def reconcile(self, scope: Scope) -> list[str]:
        """Ids of the scope's rows without a genuine seal (rules §8.1)."""
