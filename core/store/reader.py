"""Reading memories: the hybrid search and the look-ups, confined to one scope by SQL and by row-level security."""

from __future__ import annotations

import builtins
import logging
import math
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.errors import Misconfigured
from core.model import MemoryStatus, Scope, ScoredMemory
from core.ports import Clock
from core.store.database import READER_ROLE, Database, RawRows, connect
from core.store.known import KnownRow, KnownRows, SealedMemory
from core.store.lookups import Lookups
from core.store.rows import scope_params, storable, vector_literal
from core.store.schema import REEMBED
from core.store.words import any_of, content_words, each_of, marked, spread, two_of

_log = logging.getLogger(__name__)

# Memories of one scope up to which every vector is compared. Measured on two cores: at 10,000 the exact scan takes 9 ms
# and the index 3 ms at recall@10 1.00; below a few thousand the scan is as fast, and exact by nature.
EXACT_UP_TO = 4_000
# Of all vectors that one index covers (a part's, where the store is in parts); a smaller scope drowns among its
# neighbours in the index and recall falls. Measured at a tenth: of 100,000 rows the index takes 1.09 of the scan's
# time, of 1,000,000 .30 of it, with recall@10 of .99 to 1.00.
INDEX_SHARE = 0.09
# Rows ranked by words, per kind of match: each costs about 7 microseconds. Measured at 100,000, the ten best of 300
# have .9998 of the rank of the ten best of 1,000.
WORD_BUDGET = 300
# Measured at 10,000 memories with two links each: the whole hop adds 8 % of processor time to an exact search, twenty
# seeds and eight neighbours 13 %.
LAST_OF_MEMORY = "row_mac"  # the column up to which a row is the memory; after it comes what this search says of it
SEEDS = 10  # of the nearest, from which links are followed
NEIGHBOURS = 6  # rows that only a link leads to, the highest cosine × weight first


class PostgresReader(Lookups):
    """`core.ports.MemoryReader` on Postgres."""

    def __init__(
        self,
        database: Database,
        *,
        dimensions: int,
        embedding_identity: str,
        clock: Clock | None,
        mac_key: bytes | None = None,
    ) -> None:
        """Use `PostgresStore.open` or `PostgresReader.open`.

        Args:
            database: the pool.
            dimensions: length of every vector.
            embedding_identity: the model whose vectors are compared.
            clock: what "unexpired" means in calls that name no time; None: the server's clock.
            mac_key: rows without its seal are not served (rules §8.1); None: every row counts as genuine.
        """
        super().__init__(database, clock=clock, mac_key=mac_key)
        self._dimensions = dimensions
        self._identity = embedding_identity
        self._large: dict[Scope, bool] = {}  # whether the scope was too large to scan when last searched
        self._large_lock = threading.Lock()
        self._known = KnownRows()

    @classmethod
    def open(
        cls,
        conninfo: str,
        *,
        dimensions: int,
        embedding_identity: str,
        clock: Clock | None = None,
        mac_key: bytes | None = None,
        direct: str = "",
        pool_size: int = 4,
    ) -> PostgresReader:
        """A reader in a role that can only SELECT, for the sandbox; the schema must exist already.

        Its arguments are those of `PostgresStore.open`.

        Raises:
            StoreUnavailable: the server cannot be reached.
            Misconfigured: the reader's role could write.
        """
        database = Database(
            conninfo,
            role=READER_ROLE,
            prepare=_check_reader,
            direct=direct,
            read_only=True,
            pool_size=pool_size,
        )
        try:
            database.start()
        except BaseException:
            database.close()
            raise
        return PostgresReader(
            database, dimensions=dimensions, embedding_identity=embedding_identity, clock=clock, mac_key=mac_key
        )

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
        """The nearest by meaning and the best by words among active, live, unexpired memories, in one statement.

        Live: `invalid_at` not reached. A fact whose valid time starts later is known now and is found. What one link
        leads to from the nearest comes along as not found (rules §4.2). Small scopes are scanned exactly; large ones
        go through the vector index, which falls back to the scan when it brings fewer rows than asked. With archived
        memories the scope is scanned without a hop.

        Rows are not checked for their seal here: ask `genuine` of those that are used.

        Raises:
            StoreUnavailable: Postgres is not reachable.
            Misconfigured: `vector` is not of the stored length, or the stored vectors are another model's by now.
        """
        params, words = self._asked(scope, vector=vector, query=query, at=at, limit=limit)
        if include_archived:
            named = [MemoryStatus.ACTIVE.value, MemoryStatus.ARCHIVED.value]
            rows = self._fetched("search_scan", params | {"statuses": named, "past": False}, scope)
            return self._scored(scope, rows, words)
        indexed = self._large.get(scope, False)
        rows = self._search(scope, params, indexed=indexed)
        if indexed and sum(row["found"] for _, row in rows.rows) < limit:
            rows = self._search(scope, params, indexed=False)
        return self._scored(scope, rows, words)

    def nearest(
        self, scope: Scope, *, vector: Sequence[float], at: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The nearest by meaning among active, live, unexpired memories, best first: what a statement may meet.

        Raises:
            StoreUnavailable, Misconfigured: as `search`.
        """
        self._check_length(vector)
        params = scope_params(scope) | {"vector": vector_literal(vector), "at": at, "limit": limit}
        rows = None
        if self._large.get(scope, False):
            rows = self._fetched("nearest_indexed", params, scope, first="prefer_vector_index")
        if rows is None or len(rows.rows) < limit:
            rows = self._fetched("nearest_exact", params, scope)
        return sorted(self._scored(scope, rows, 0), key=lambda one: -one.cosine)

    def as_of(
        self, scope: Scope, *, vector: Sequence[float], query: str, then: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """`search` over what was current at `then`, by record time and by valid time; an exact scan, without a hop.

        Tombstones are left out: what was forgotten is not told again by asking for an earlier day.

        Raises:
            StoreUnavailable, Misconfigured: as `search`.
        """
        params, words = self._asked(scope, vector=vector, query=query, at=then, limit=limit)
        named = [status.value for status in MemoryStatus if status is not MemoryStatus.DELETED]
        rows = self._fetched("search_scan", params | {"statuses": named, "past": True}, scope)
        return self._scored(scope, rows, words)

    def left_out(
        self, scope: Scope, *, vector: Sequence[float], query: str, at: datetime, limit: int
    ) -> builtins.list[ScoredMemory]:
        """`search` over what is no longer recalled at `at`: replaced, archived, ended, expired; tombstones left out.

        Raises:
            StoreUnavailable, Misconfigured: as `search`.
        """
        params, words = self._asked(scope, vector=vector, query=query, at=at, limit=limit)
        return self._scored(scope, self._fetched("left_out", params, scope), words)

    def age(self) -> None:
        """Let go of rows that nobody searched for lately: what a search does beside, for a reader that gets none."""
        self._known.age()

    def _asked(
        self, scope: Scope, *, vector: Sequence[float], query: str, at: datetime, limit: int
    ) -> tuple[dict[str, Any], int]:
        """Parameters of a search, and the number of content words in its query."""
        self._check_length(vector)
        words = content_words(storable(query))
        stored = [marked(scope, one) for one in spread(words)]
        params: dict[str, Any] = scope_params(scope) | {
            "vector": vector_literal(vector),
            "any_word": any_of(stored),
            "each_word": each_of(stored),
            "two_words": two_of(stored),
            "at": at,
            "limit": limit,
            "budget": WORD_BUDGET,
            "seeds": SEEDS,
            "neighbours": NEIGHBOURS,
        }
        return params, len(words)

    def _scored(self, scope: Scope, rows: RawRows, words: int) -> builtins.list[ScoredMemory]:
        if rows.rows:
            self._learn(scope, rows.rows[0][1])
        self._known.age()
        found: list[ScoredMemory] = []
        for raw, told in rows.rows:
            try:
                found.append(_scored(self._known.of(raw, rows.read), told, words))
            except (AttributeError, KeyError, TypeError, ValueError):  # no effect writes a row that cannot be read
                name = (raw[0] or b"").decode(errors="replace")
                _log.warning("memory %s cannot be read and is not served: reconcile the store", name)
        return found

    def _search(self, scope: Scope, params: dict[str, Any], *, indexed: bool) -> RawRows:
        if indexed:
            return self._fetched("search_indexed", params, scope, first="prefer_vector_index")
        return self._fetched("search_exact", params, scope)

    def _fetched(self, name: str, params: dict[str, Any], scope: Scope, *, first: str | None = None) -> RawRows:
        return self._database.fetch_raw(name, params, scope, first=first, head=LAST_OF_MEMORY)

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

    def _check_length(self, vector: Sequence[float]) -> None:
        if len(vector) != self._dimensions:
            msg = f"a vector of {len(vector)} dimensions for a store of {self._dimensions}: recompute with `{REEMBED}`"
            raise Misconfigured(msg)


def _scored(row: KnownRow, told: Mapping[str, Any], words: int) -> SealedMemory:
    cosine = told["cosine"]
    held = tuple(told["held"] or ())
    heaviest: dict[str, float] = {}
    for parent, weight in zip(told["parents"] or (), told["weights"] or (), strict=True):
        if parent == row.memory.memory_id:
            continue
        heaviest[parent] = max(weight, heaviest.get(parent, 0.0))
    return SealedMemory(
        memory=row.memory,
        cosine=0.0 if math.isnan(cosine) else max(-1.0, min(1.0, cosine)),  # NaN: a zero vector
        lexical=float(told["lexical"]),
        coverage=sum(held) / words if words else 0.0,
        held=held,
        length=told["length"],
        before=tuple(told["before"] or ()),
        parents=tuple(sorted(heaviest.items(), key=lambda link: (-link[1], link[0]))) if heaviest else (),
        found=told["found"],
        row=row,
    )


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
