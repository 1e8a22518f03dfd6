"""The store as the sandbox holds it: what its role may do, a digest of what is there, and the search's measure."""

from __future__ import annotations

import math

from core.model import Memory, Scope, sha256_text
from core.ports import Matched, Rights, Trace
from core.sql import load_queries
from core.store.database import Database
from core.store.rows import scope_params, searchable, storable
from core.store.words import content_words, spread, words_of

_QUERIES = load_queries("core.store", "trace.sql")
_COVERS = (
    "Of each of your rows a hash in the database: the number of its row version, which moves with every write, and of "
    "a memory also its status, version, times used, last statement, origins, pin, seal and text. Of the changes "
    "applied, which are only ever added, the number and the last."
)
_ONE_WORD = 0.1 / 1.64493406685  # what ts_rank gives a matching lexeme that has no position and the lowest weight


class StoreTrace:
    """Implements `core.ports.Traced` on a reader's pool."""

    def __init__(self, database: Database) -> None:
        """Use the pool of a `PostgresReader`."""
        self._database = database

    def trace(self, scope: Scope) -> Trace:
        """The owner's rows by table and a sha256 over the sums of their hashes, in one statement.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        with self._database.transaction(scope) as conn:
            rows = conn.execute(_QUERIES["trace"], scope_params(scope)).fetchall()
        return Trace(
            store="store",
            rows={str(row["name"]): int(row["rows"]) for row in rows},
            covers=_COVERS,
            digest=sha256_text("\n".join(f"{row['name']} {row['rows']} {row['sum']}" for row in rows)),
        )

    def rights(self) -> Rights:
        """The role and its privileges, as Postgres says them.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        with self._database.transaction() as conn:
            [row] = conn.execute(_QUERIES["rights"]).fetchall()
        temporary = ("TEMPORARY",) if row["temporary"] else ()
        return Rights(
            store="store",
            handle=str(row["role"]),
            may=(*(str(one) for one in row["may"] or ()), *temporary),
            read_only=bool(row["read_only"]),
        )


class StoreLexicon:
    """Implements `core.ports.Lexicon`: the rank and coverage that the search's SQL computes, for a memory in RAM."""

    def match(self, query: str, memory: Memory) -> Matched:
        """`ts_rank(words, any_word, 1)` without positions, and which of the query's content words it holds."""
        asked = spread(content_words(storable(query)))
        words = set(words_of(searchable(memory)))
        held = tuple(any(form in words for form in one) for one in asked)
        forms = {form for one in asked for form in one}
        found = len(forms & words)
        rank = found * _ONE_WORD / len(forms) / math.log2(len(words) + 1) if found else 0.0
        return Matched(rank=rank, held=held, length=len(words))
