"""Numbers about memories for the charts: one scan an owner, under row-level security, in a read-only transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from core.model import MemoryStatus, Scope, SourceKind
from core.ports import Dot, Ended, Fading, Kept, Spell, StoreNumbers, StrengthCell, TrustBin
from core.sql import load_queries
from core.store.database import QUERIES, Database
from core.store.rows import scope_params

_QUERIES = load_queries("core.store", "insight.sql")
_SOURCE_KINDS = [kind.value for kind in SourceKind]
# How a row of each sort is told from others of its sort: two owners' rows with one key are counted together.
_KEYS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "trust": lambda row: (row["status"], row["trust_bin"], row["vouched"]),
    "spell": lambda row: (row["source_kind"], row["days"], row["ended"]),
    "cell": lambda row: (row["trust_bin"], row["strength_bin"]),
    "ended": lambda row: (row["ended_on"], row["status"]),
    "kept": lambda row: (row["source_kind"], row["status"]),
}


class PostgresInsight:
    """`core.ports.StoreInsight`.

    A tenant's numbers are the sum over its owners, each read in their own scope: no role or function sees more than
    one owner at a time, so a mistake in a filter cannot count anybody else's rows. Rows put in past the ledger are
    counted like any other; `reconcile` finds them.
    """

    def __init__(self, database: Database) -> None:
        """Read through the store's pool."""
        self._database = database

    def numbers(
        self, scopes: Sequence[Scope], *, at: datetime, since: datetime, fading: Fading, weak_below: float, bins: int
    ) -> StoreNumbers:
        """The numbers of these owners together, in one transaction.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        params = _rules(fading) | {"at": at, "since": since, "weak_below": weak_below, "bins": bins}
        totals: dict[str, Counter[tuple[Any, ...]]] = {sort: Counter() for sort in _KEYS}
        weak: Counter[tuple[Any, ...]] = Counter()
        with self._database.transaction() as conn:
            conn.execute("SET TRANSACTION READ ONLY")
            conn.execute(_QUERIES["prefer_hashing"])
            for scope in {(one.tenant, one.owner): one for one in scopes}.values():
                of_owner = params | scope_params(scope)
                conn.execute(QUERIES["set_scope"], scope_params(scope))
                for row in conn.execute(_QUERIES["numbers"], of_owner).fetchall():
                    key = _KEYS[row["sort"]](row)
                    totals[row["sort"]][key] += row["total"]
                    if row["sort"] == "kept":
                        weak[key] += row["weak"]
        return _numbers(totals, weak, bins)

    def dots(self, scope: Scope, *, at: datetime, fading: Fading, limit: int) -> tuple[list[Dot], int]:
        """At most `limit` active memories of the scope, the same random ones each time, by id; and of how many.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        params = _rules(fading) | scope_params(scope) | {"at": at, "limit": limit}
        with self._database.transaction(scope) as conn:
            conn.execute("SET TRANSACTION READ ONLY")
            rows = conn.execute(_QUERIES["dots"], params).fetchall()
            counted = conn.execute(_QUERIES["dots_total"], scope_params(scope)).fetchone()
        dots = [
            Dot(
                memory_id=row["memory_id"],
                source_kind=SourceKind(row["source_kind"]),
                trust=row["trust"],
                strength=row["strength"],
            )
            for row in rows
        ]
        return dots, int(counted["total"]) if counted else 0


def _rules(fading: Fading) -> dict[str, Any]:
    """The rules of decay as query parameters."""
    kinds = fading.kinds
    return {
        "kinds": [one.kind.value for one in kinds],
        "half_lives": [one.half_life_days for one in kinds],
        "etas": [one.eta_days for one in kinds],
        "etas_more": [one.eta_days_corroborated for one in kinds],
        "shapes": [one.shape for one in kinds],
        "never": list(fading.never),
        "access_gain": fading.access_gain,
        "access_cap": fading.access_cap,
        "source_kinds": _SOURCE_KINDS,
    }


def _numbers(totals: dict[str, Counter[tuple[Any, ...]]], weak: Counter[tuple[Any, ...]], bins: int) -> StoreNumbers:
    return StoreNumbers(
        trust=tuple(
            TrustBin(status=MemoryStatus(status), low=low / bins, vouched=vouched, count=count)
            for (status, low, vouched), count in sorted(totals["trust"].items())
        ),
        spells=tuple(
            Spell(source_kind=SourceKind(kind), days=days, ended=ended, count=count)
            for (kind, days, ended), count in sorted(totals["spell"].items())
        ),
        cells=tuple(
            StrengthCell(trust=trust / bins, strength=strength / bins, count=count)
            for (trust, strength), count in sorted(totals["cell"].items())
        ),
        ended=tuple(
            Ended(day=day, status=MemoryStatus(status), count=count)
            for (day, status), count in sorted(totals["ended"].items())
        ),
        kept=tuple(
            Kept(source_kind=SourceKind(kind), status=MemoryStatus(status), count=count, weak=weak[kind, status])
            for (kind, status), count in sorted(totals["kept"].items())
        ),
    )
