"""Look-ups of memories: by slot, subject, origin and page. Only rows that carry this installation's seal are served."""

from __future__ import annotations

import builtins
import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.model import Memory, MemoryStatus, Scope, ScoredMemory
from core.ports import Clock, MemoryFilter
from core.slots import SLOTS
from core.store.database import QUERIES, Database
from core.store.known import SealedMemory
from core.store.rows import attribute_key, genuine_memory, scope_params, slot_hash, storable, subject_key

_log = logging.getLogger(__name__)

_BATCH = 1000
_PAGES = 20  # fetched at most to fill one answer when rows without a seal crowd the first ones
_DURABLE = sorted(name for name, slot in SLOTS.items() if slot.durable)


class Lookups:
    """The look-ups of `core.ports.MemoryReader` and `FactLookup`."""

    def __init__(self, database: Database, *, clock: Clock | None, mac_key: bytes | None) -> None:
        """Read through a pool.

        Args:
            database: the pool.
            clock: what "unexpired" means; None: the server's clock.
            mac_key: rows without its seal are left out (rules §8.1); None: every row counts as genuine.
        """
        self._database = database
        self._clock = clock
        self._mac_key = mac_key

    @property
    def database(self) -> Database:
        """The pool, shared with `PostgresPeople`."""
        return self._database

    def close(self) -> None:
        """Close the pool."""
        self._database.close()

    def genuine(self, one: ScoredMemory) -> bool:
        """Whether a search's row carries the seal of this installation (rules §8.1); true of all without a key."""
        if self._mac_key is None:
            return True
        return isinstance(one, SealedMemory) and one.row.memory is one.memory and one.row.genuine(self._mac_key)

    def by_slot(
        self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20
    ) -> builtins.list[Memory]:
        """Active, unexpired memories with one of `attributes` (and that subject, if given), newest statement first."""
        return self._memories(
            "by_slot",
            scope,
            limit,
            subject=None if subject is None else subject_key(subject),
            attributes=[attribute_key(name) for name in attributes],
            at=self._now(),
        )

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> builtins.list[Memory]:
        """Active, unexpired memories whose subject is `subject` (normalised), most important first."""
        return self._memories("about", scope, limit, subject=subject_key(subject), at=self._now())

    def slot(
        self, scope: Scope, slot_key: str, *, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)
    ) -> builtins.list[Memory]:
        """Memories in one slot, in the given statuses, last stated first."""
        named = [status.value for status in statuses]
        return self._memories("slot", scope, None, slot_hash=slot_hash(slot_key), statuses=named)

    def get(self, scope: Scope, memory_id: str) -> Memory | None:
        """One memory in any status."""
        found = self._memories("get", scope, 1, memory_id=storable(memory_id))
        return found[0] if found else None

    def list(
        self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0
    ) -> tuple[builtins.list[Memory], int]:
        """One page of memories, last stated first, and the true total; `where.text` is looked for as it is written.

        A row without a genuine seal leaves a gap on its page, and the total counts it until it is reconciled.
        """
        params: dict[str, Any] = scope_params(scope) | {
            "statuses": [status.value for status in where.statuses],
            "kinds": [str(kind) for kind in where.kinds] or None,
            "source_kinds": [kind.value for kind in where.source_kinds] or None,
            "pattern": _pattern(where.text),
            "impact": where.impact,
        }
        with self._database.transaction(scope) as conn:
            total = conn.execute(QUERIES["list_total"], params).fetchone()
            rows = conn.execute(QUERIES["list"], params | {"limit": limit, "offset": offset}).fetchall()
        return self._genuine_rows(rows), int(total["total"]) if total else 0

    def statuses(self, scope: Scope, memory_ids: Sequence[str]) -> dict[str, MemoryStatus]:
        """The status of each of the memories that the scope has, by id."""
        params = scope_params(scope) | {"memory_ids": [storable(one) for one in memory_ids]}
        rows = self._database.fetch("statuses", params, scope)
        return {str(row["memory_id"]): MemoryStatus(row["status"]) for row in rows}

    def recent(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """Active facts (no events), last stated first."""
        return self._memories("recent", scope, limit, at=self._now())

    def of_episode(self, scope: Scope, episode_id: str) -> builtins.list[Memory]:
        """Active memories that one episode made, its event included."""
        return self._memories("of_episode", scope, None, episode_id=storable(episode_id))

    def of_conversation(self, scope: Scope, conversation_id: str, *, limit: int = 50) -> builtins.list[Memory]:
        """Active memories of one conversation, newest first."""
        return self._memories("of_conversation", scope, limit, conversation_id=storable(conversation_id))

    def pinned(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """The profile: pinned memories, then the most important durable facts."""
        return self._memories("pinned", scope, limit, durable=_DURABLE, at=self._now())

    def count(self, scope: Scope) -> dict[MemoryStatus, int]:
        """Number of memories by status; every status is named."""
        rows = self._database.fetch("count", dict(scope_params(scope)), scope)
        found = {str(row["status"]): int(row["total"]) for row in rows}
        return {status: found.get(status.value, 0) for status in MemoryStatus}

    def spaces(self, scope: Scope) -> Sequence[str]:
        """The agents' parts of the scopes in which this owner has or had memories, in order."""
        return [str(row["agent"]) for row in self._database.fetch("spaces", dict(scope_params(scope)), scope)]

    def witness(self) -> tuple[int, str]:
        """The highest (ledger_seq, ledger_head) that an effect or a relay brought; (0, "") before the first effect."""
        rows = self._database.fetch("witness", {})
        return (int(rows[0]["ledger_seq"]), str(rows[0]["ledger_head"])) if rows else (0, "")

    def ping(self) -> None:
        """Raise StoreUnavailable unless Postgres answers."""
        with self._database.transaction() as conn:
            conn.execute("SELECT 1")

    def tampered(self, scope: Scope, *, key: bytes) -> builtins.list[str]:
        """Ids of the scope's rows that do not carry the seal `key` gives them (rules §8.1), in order of id."""
        found: list[str] = []
        after = ""
        while True:
            rows = self._database.fetch("sealed_rows", scope_params(scope) | {"after": after, "limit": _BATCH}, scope)
            found.extend(str(row["memory_id"]) for row in rows if genuine_memory(row, key) is None)
            if len(rows) < _BATCH:
                return found
            after = str(rows[-1]["memory_id"])

    def _memories(self, name: str, scope: Scope, limit: int | None, **params: Any) -> builtins.list[Memory]:
        """The first `limit` genuine rows of a query: a row without a seal takes no other's place."""
        found: list[Memory] = []
        for page in range(_PAGES):
            paging = {"limit": limit, "offset": page * (limit or 0)}
            rows = self._database.fetch(name, scope_params(scope) | params | paging, scope)
            found.extend(self._genuine_rows(rows))
            if limit is None or len(rows) < limit or len(found) >= limit:
                break
        return found[:limit]

    def _genuine_rows(self, rows: Iterable[Mapping[str, Any]]) -> builtins.list[Memory]:
        found: list[Memory] = []
        for row in rows:
            memory = genuine_memory(row, self._mac_key)
            if memory is None:
                _log.warning("memory %s has no genuine seal and is not served: reconcile the store", row["memory_id"])
            else:
                found.append(memory)
        return found

    def _now(self) -> datetime | None:
        return self._clock.now() if self._clock else None


def _pattern(text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    escaped = storable(text.strip()).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
