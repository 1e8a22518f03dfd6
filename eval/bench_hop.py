"""What the hop along links costs a recall: the same questions with and without it, taken in turns.

Every memory gets two links to others at random before, so that the hop has something to follow. Without the hop is the
same statement with no seeds. Pairs in one process: the machine's noise falls on both.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from core.model import ScoredMemory
from core.policy import Policy
from core.ports import Embedder
from core.recall import rank
from core.store import PostgresStore
from eval.bench_recall import AT, WARM_UP, scope_of
from eval.bench_report import Times

LINKS = 2  # a memory, to others of the owner
WEIGHT = 0.3  # that of adjacent turns (rules §4.1)
_SEED = 20_261


@dataclass(frozen=True, kw_only=True, slots=True)
class HopResult:
    """Milliseconds of the statement and of the whole recall (embedding, statement, ranking), with and without."""

    sql_with: Times
    sql_without: Times
    recall_with: Times
    recall_without: Times


def link(conninfo: str, size: int) -> None:
    """Give every memory of the owner of `size` memories its links, as the owner of the tables."""
    scope, pick = scope_of(size), random.Random(_SEED)  # noqa: S311 - which memories are linked is no secret
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        with conn.cursor().copy(
            "COPY memory_link (owner, from_id, to_id, kind, tenant, weight, made_at) FROM STDIN"
        ) as copy:
            for number in range(size):
                for other in pick.sample(range(size), LINKS + 1):
                    if other != number:
                        copy.write_row([scope.owner, f"m{number}", f"m{other}", "adjacent", scope.tenant, WEIGHT, AT])
        conn.execute("VACUUM ANALYZE memory_link")


def measure(store: PostgresStore, embedder: Embedder, policy: Policy, size: int, questions: Sequence[str]) -> HopResult:
    """Ask every question twice in the scope of `size` memories, the order within a pair changing from pair to pair."""
    scope, limit = scope_of(size), policy.recall.candidates
    inner = PostgresStore._search  # noqa: SLF001 - the seeds are no setting: recall always hops
    spans: dict[tuple[str, bool], list[float]] = {
        (part, hop): [] for part in ("sql", "recall") for hop in (True, False)
    }
    seeds, took = [True], [0.0]

    def search(of: Any, params: dict[str, Any], *, indexed: bool) -> list[dict[str, Any]]:
        began = time.perf_counter()
        rows = inner(store, of, params if seeds[0] else params | {"seeds": 0}, indexed=indexed)
        took[0] = time.perf_counter() - began
        return rows

    store._search = search  # type: ignore[method-assign,assignment]  # noqa: SLF001
    for number, question in enumerate(questions):
        for hop in (True, False) if number % 2 else (False, True):
            seeds[0] = hop
            start = time.perf_counter()
            [vector] = embedder.embed([question])
            found: list[ScoredMemory] = store.search(scope, vector=vector, query=question, at=AT, limit=limit)
            rank(found, policy, AT)
            if number >= WARM_UP:
                spans["sql", hop].append(took[0] * 1000)
                spans["recall", hop].append((time.perf_counter() - start) * 1000)
    del store._search  # noqa: SLF001
    return HopResult(
        sql_with=Times.of(spans["sql", True]),
        sql_without=Times.of(spans["sql", False]),
        recall_with=Times.of(spans["recall", True]),
        recall_without=Times.of(spans["recall", False]),
    )
