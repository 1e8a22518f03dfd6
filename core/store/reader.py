"""Reading memories: the hybrid search and the look-ups, confined to one scope by SQL and by row-level security."""

from __future__ import annotations

import builtins
import logging
import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.errors import Misconfigured
from core.model import Memory, MemoryStatus, Scope, ScoredMemory
from core.ports import Clock, MemoryFilter
from core.slots import SLOTS
from core.store.database import QUERIES, READER_ROLE, Database, connect
from core.store.rows import (
    attribute_key,
    from_row,
    is_sealed,
    scope_params,
    slot_hash,
    storable,
    subject_key,
    vector_literal,
)
from core.store.schema import REEMBED
from core.store.words import any_of, content_words, each_of, marked, two_of

_log = logging.getLogger(__name__)

# Memories of one scope up to which every vector is compared. Measured on two cores: at 10,000 the exact scan takes 9 ms
# and the index 3 ms at recall@10 1.00; below a few thousand the scan is as fast, and exact by nature.
EXACT_UP_TO = 4_000
INDEX_SHARE = 0.2  # of all vectors; a smaller scope drowns among its neighbours in the index and recall falls
WORD_BUDGET = 1000  # rows ranked by words, per kind of match
_BATCH = 1000
_DURABLE = sorted(name for name, slot in SLOTS.items() if slot.durable)


class PostgresReader:
    """`core.ports.MemoryReader` on Postgres."""

    def __init__(self, database: Database, *, dimensions: int, embedding_identity: str, clock: Clock | None) -> None:
        """Use `PostgresStore.open` or `PostgresReader.open`.

        Args:
            database: the pool.
            dimensions: length of every vector.
            embedding_identity: the model whose vectors are compared.
            clock: what "unexpired" means in calls that name no time; None: the server's clock.
        """
        self._database = database
        self._dimensions = dimensions
        self._identity = embedding_identity
        self._clock = clock
        self._large: dict[Scope, bool] = {}  # whether the scope was too large to scan when last searched
        self._large_lock = threading.Lock()

    @classmethod
    def open(
        cls, conninfo: str, *, dimensions: int, embedding_identity: str, clock: Clock | None = None, pool_size: int = 4
    ) -> PostgresReader:
        """A reader in a role that can only SELECT, for the sandbox; the schema must exist already.

        Raises:
            StoreUnavailable: the server cannot be reached.
            Misconfigured: the reader's role could write.
        """
        database = Database(
            conninfo,
            role=READER_ROLE,
            prepare=lambda: _check_reader(conninfo),
            read_only=True,
            pool_size=pool_size,
        )
        try:
            database.start()
        except BaseException:
            database.close()
            raise
        return PostgresReader(database, dimensions=dimensions, embedding_identity=embedding_identity, clock=clock)

    @property
    def database(self) -> Database:
        """The pool, shared with `PostgresPeople`."""
        return self._database

    def close(self) -> None:
        """Close the pool."""
        self._database.close()

    def search(
        self,
        scope: Scope,
        *,
        vector: Sequence[float],
        query: str,
        at: datetime,
        limit: int,
    ) -> builtins.list[ScoredMemory]:
        """The nearest by meaning and the best by words among active, live, unexpired memories, in one statement.

        Live: `invalid_at` not reached. A fact whose valid time starts later is known now and is found.
        Small scopes are scanned exactly; large ones go through the vector index, which falls back to the scan when it
        brings
        fewer rows than asked.

        Raises:
            StoreUnavailable: Postgres is not reachable.
            Misconfigured: `vector` is not of the stored length, or the stored vectors are another model's by now.
        """
        self._check_length(vector)
        words = content_words(storable(query))
        stored = marked(scope, words)
        params: dict[str, Any] = scope_params(scope) | {
            "vector": vector_literal(vector),
            "any_word": any_of(stored),
            "each_word": each_of(stored),
            "two_words": two_of(stored),
            "at": at,
            "limit": limit,
            "budget": WORD_BUDGET,
        }
        indexed = self._large.get(scope, False)
        rows = self._search(scope, params, indexed=indexed)
        if indexed and len(rows) < limit:
            rows = self._search(scope, params, indexed=False)
        if rows:
            self._learn(scope, rows[0])
        found: list[ScoredMemory] = []
        for row in rows:
            cosine = float(row["cosine"])
            found.append(
                ScoredMemory(
                    memory=from_row(row),
                    cosine=0.0 if cosine != cosine else max(-1.0, min(1.0, cosine)),  # noqa: PLR0124 - NaN: a zero vector
                    lexical=float(row["lexical"]),
                    coverage=int(row["words_held"]) / len(words) if words else 0.0,
                )
            )
        return found

    def by_slot(
        self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20
    ) -> builtins.list[Memory]:
        """Active, unexpired memories with one of `attributes` (and that subject, if given), newest statement first."""
        return self._memories(
            "by_slot",
            scope,
            subject=None if subject is None else subject_key(subject),
            attributes=[attribute_key(name) for name in attributes],
            at=self._now(),
            limit=limit,
        )

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> builtins.list[Memory]:
        """Active, unexpired memories whose subject is `subject` (normalised), most important first."""
        return self._memories("about", scope, subject=subject_key(subject), at=self._now(), limit=limit)

    def slot(self, scope: Scope, slot_key: str) -> builtins.list[Memory]:
        """Active memories in one slot, last stated first."""
        return self._memories("slot", scope, slot_hash=slot_hash(slot_key))

    def get(self, scope: Scope, memory_id: str) -> Memory | None:
        """One memory in any status."""
        found = self._memories("get", scope, memory_id=storable(memory_id))
        return found[0] if found else None

    def list(
        self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0
    ) -> tuple[builtins.list[Memory], int]:
        """One page of memories, last stated first, and the true total; `where.text` is looked for as it is written."""
        params: dict[str, Any] = scope_params(scope) | {
            "statuses": [status.value for status in where.statuses],
            "kinds": [str(kind) for kind in where.kinds] or None,
            "source_kinds": [kind.value for kind in where.source_kinds] or None,
            "pattern": _pattern(where.text),
        }
        with self._database.transaction(scope) as conn:
            total = conn.execute(QUERIES["list_total"], params).fetchone()
            rows = conn.execute(QUERIES["list"], params | {"limit": limit, "offset": offset}).fetchall()
        return [from_row(row) for row in rows], int(total["total"]) if total else 0

    def recent(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """Active facts (no events), last stated first."""
        return self._memories("recent", scope, at=self._now(), limit=limit)

    def of_episode(self, scope: Scope, episode_id: str) -> builtins.list[Memory]:
        """Active memories that one episode made, its event included."""
        return self._memories("of_episode", scope, episode_id=storable(episode_id))

    def pinned(self, scope: Scope, *, limit: int = 50) -> builtins.list[Memory]:
        """The profile: pinned memories, then the most important durable facts."""
        return self._memories("pinned", scope, durable=_DURABLE, at=self._now(), limit=limit)

    def count(self, scope: Scope) -> dict[MemoryStatus, int]:
        """Number of memories by status; every status is named."""
        found = {str(row["status"]): int(row["total"]) for row in self._database.fetch("count", _only(scope), scope)}
        return {status: found.get(status.value, 0) for status in MemoryStatus}

    def witness(self) -> tuple[int, str]:
        """The highest (ledger_seq, ledger_head) that came with an applied effect; (0, "") if none."""
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
            found.extend(str(row["memory_id"]) for row in rows if not is_sealed(row, key))
            if len(rows) < _BATCH:
                return found
            after = str(rows[-1]["memory_id"])

    def _search(self, scope: Scope, params: dict[str, Any], *, indexed: bool) -> builtins.list[dict[str, Any]]:
        with self._database.transaction(scope) as conn:
            if indexed:
                conn.execute(QUERIES["prefer_vector_index"])
            return conn.execute(QUERIES["search_indexed" if indexed else "search_exact"], params).fetchall()

    def _learn(self, scope: Scope, row: dict[str, Any]) -> None:
        if row["identity"] != self._identity:
            msg = (
                f"the stored vectors are now those of {row['identity']}, this process still asks with "
                f"{self._identity}: "
                f"restart it with the new model, or run `{REEMBED}`"
            )
            raise Misconfigured(msg)
        size = int(row["scope_size"])
        # reltuples is -1 until the table is first analysed.
        large = size > EXACT_UP_TO and size >= INDEX_SHARE * int(row["store_size"])
        with self._large_lock:
            if large:
                self._large[scope] = True
            else:
                self._large.pop(scope, None)

    def _memories(self, name: str, scope: Scope, **params: Any) -> builtins.list[Memory]:
        return [from_row(row) for row in self._database.fetch(name, _only(scope) | params, scope)]

    def _check_length(self, vector: Sequence[float]) -> None:
        if len(vector) != self._dimensions:
            msg = f"a vector of {len(vector)} dimensions for a store of {self._dimensions}: recompute with `{REEMBED}`"
            raise Misconfigured(msg)

    def _now(self) -> datetime | None:
        return self._clock.now() if self._clock else None


def _only(scope: Scope) -> dict[str, Any]:
    return dict(scope_params(scope))


def _pattern(text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    escaped = storable(text.strip()).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _check_reader(conninfo: str) -> None:
    with connect(conninfo) as conn:
        row = conn.execute(
            "SELECT has_database_privilege(oid, current_database(), 'TEMPORARY') AS temp, "
            "current_database() AS name, to_regclass('chronomemory.memory') IS NOT NULL AS there "
            "FROM pg_roles WHERE rolname = %s",
            (READER_ROLE,),
        ).fetchone()
    if row is None or not row["there"]:
        msg = "there is no memory store in this database yet: open the store for writing once, it brings the schema"
        raise Misconfigured(msg)
    if row["temp"]:
        msg = f'{READER_ROLE} could make temporary tables: run REVOKE TEMPORARY ON DATABASE "{row["name"]}" FROM PUBLIC'
        raise Misconfigured(msg)
