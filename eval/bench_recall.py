"""Recall as the product does it: the packaged model, then the store's one statement, against the exact answer."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg

from core.model import Memory, MemoryKind, Root, Scope, SourceKind
from core.policy import Policy
from core.ports import Embedder
from core.recall import rank
from core.slots import slot_key
from core.store import PostgresStore
from core.store.rows import to_row, vector_literal
from core.store.schema import build_index
from eval.bench_report import Times

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WARM_UP = 12  # questions asked before the clock counts
NEAREST = 10  # recall@10
_ROOT = Root(episode_id="e", source_kind=SourceKind.USER_TURN, source_ref="bench", trust=1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallResult:
    """One size: milliseconds a question, and the share of the exact ten nearest that came back."""

    size: int
    embedding: Times
    sql: Times
    store: Times
    ranking: Times
    total: Times
    recall: float


def scope_of(size: int) -> Scope:
    """The owner of that many memories."""
    return Scope(tenant="bench", owner=f"owner-of-{size}")


def load(conninfo: str, sizes: Sequence[int], texts: Sequence[str], vectors: np.ndarray) -> float:
    """COPY one owner's memories a size, straight into the tables as their owner; returns the seconds it took.

    Only reading is measured on these rows, so they pass by the effects; every row is made by the store's own `to_row`.
    """
    return load_owners(conninfo, [(scope_of(size), size) for size in sizes], texts, vectors)


def load_owners(
    conninfo: str,
    owners: Sequence[tuple[Scope, int]],
    texts: Sequence[str],
    vectors: np.ndarray,
    *,
    mac_key: bytes | None = None,
    newest: datetime = AT,
    days: int = 0,
) -> float:
    """As `load`, for named owners; returns the seconds it took.

    Args:
        conninfo: the store's, as its owner.
        owners: whose rows, and how many of each.
        texts: what they say, in turn.
        vectors: as many as the largest owner has rows.
        mac_key: seals each row, for an installation that checks seals.
        newest: when the latest was stated.
        days: the others were stated on one of that many days before.
    """
    began = time.perf_counter()
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        conn.execute("SET maintenance_work_mem = '1GB'")
        conn.execute("DROP INDEX memory_embedding_hnsw")
        for scope, size in owners:
            load_owner(conn, scope, size, texts, vectors, mac_key=mac_key, newest=newest, days=days)
        build_index(conn)
        conn.execute("VACUUM ANALYZE memory")
        conn.execute("VACUUM ANALYZE memory_embedding")
    return time.perf_counter() - began


def load_owner(
    conn: psycopg.Connection,
    scope: Scope,
    size: int,
    texts: Sequence[str],
    vectors: np.ndarray,
    *,
    mac_key: bytes | None = None,
    newest: datetime = AT,
    days: int = 0,
) -> None:
    """One owner's rows of `load_owners`, on a connection whose search path is the store's."""
    _copy(conn, _rows(scope, size, texts, mac_key=mac_key, newest=newest, days=days))
    with conn.cursor().copy(
        "COPY memory_embedding (owner, memory_id, tenant, agent, active, embedding) FROM STDIN"
    ) as copy:
        for number in range(size):
            vector = vector_literal(vectors[number].tolist())
            copy.write_row([scope.owner, _id(scope, number), scope.tenant, scope.agent, True, vector])
    conn.execute(
        "INSERT INTO scope_stat (owner, agent, tenant, memories) VALUES (%s, %s, %s, %s)",
        (scope.owner, scope.agent, scope.tenant, size),
    )


def measure(
    store: PostgresStore,
    embedder: Embedder,
    policy: Policy,
    size: int,
    *,
    questions: Sequence[str],
    vectors: np.ndarray,
) -> RecallResult:
    """Ask every question once in the scope of `size` memories."""
    scope = scope_of(size)
    limit = policy.recall.candidates
    stored = vectors[:size].astype(np.float16).astype(np.float32)  # as halfvec keeps them
    spans: dict[str, list[float]] = {"embedding": [], "sql": [], "store": [], "ranking": [], "total": []}
    sql = _timed(store)
    right = 0
    for number, question in enumerate(questions):
        start = time.perf_counter()
        [vector] = embedder.embed([question])
        embedded = time.perf_counter()
        found = store.search(scope, vector=vector, query=question, at=AT, limit=limit)
        searched = time.perf_counter()
        rank(found, policy, AT)
        ranked = time.perf_counter()
        if number < WARM_UP:
            continue
        for name, seconds in (
            ("embedding", embedded - start),
            ("sql", sql.seconds),
            ("store", searched - embedded),
            ("ranking", ranked - searched),
            ("total", ranked - start),
        ):
            spans[name].append(seconds * 1000)
        cosines = stored @ np.asarray(vector, dtype=np.float32)
        exact = {f"m{index}" for index in np.argpartition(-cosines, NEAREST)[:NEAREST]}
        best = sorted(found, key=lambda one: -one.cosine)[:NEAREST]
        right += len(exact & {one.memory.memory_id for one in best})
    asked = len(questions) - WARM_UP
    return RecallResult(
        size=size,
        recall=right / (NEAREST * asked),
        **{name: Times.of(values) for name, values in spans.items()},
    )


@dataclass(slots=True)
class _Sql:
    """Time of the last search's statement: sent, run and its rows received, before they become memories."""

    seconds: float = 0.0


def _timed(store: PostgresStore) -> _Sql:
    """Watch the store's one statement."""
    inner, seen = PostgresStore._search, _Sql()  # noqa: SLF001 - measured from outside, so that the store pays nothing

    def search(scope: Scope, params: dict[str, Any], *, indexed: bool) -> list[dict[str, Any]]:
        began = time.perf_counter()
        rows = inner(store, scope, params, indexed=indexed)
        seen.seconds = time.perf_counter() - began
        return rows

    store._search = search  # type: ignore[method-assign]  # noqa: SLF001
    return seen


def _id(scope: Scope, number: int) -> str:
    return f"m{number}" if scope.tenant == "bench" else f"{scope.owner}-m{number}"


def _rows(
    scope: Scope, size: int, texts: Sequence[str], *, mac_key: bytes | None, newest: datetime, days: int
) -> Iterator[dict[str, object]]:
    for number in range(size):
        text = texts[number % len(texts)]
        if number >= len(texts):
            text = f"{text[:-1]}, noted {math.floor(number / len(texts))} times."
        at = newest - timedelta(days=number % (days + 1))
        yield to_row(_memory(scope, number, text, at), ledger_seq=1, mac_key=mac_key)


def _memory(scope: Scope, number: int, text: str, at: datetime) -> Memory:
    return Memory(
        memory_id=_id(scope, number),
        scope=scope,
        kind=MemoryKind.FACT,
        subject="user",
        attribute="statement",
        slot_key=slot_key("user", f"statement {number}"),
        value="",
        text=text,
        importance=0.6,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="bench",
        source_title="",
        actor="bench",
        episode_id=f"e{number}",
        conversation_id="c",
        serial_no=number,
        roots=(_ROOT,),
        stated_at=at,
        created_at=at,
    )


def _copy(conn: psycopg.Connection, rows: Iterator[dict[str, object]]) -> None:
    first = next(rows)
    columns = list(first)
    with conn.cursor().copy(f"COPY memory ({', '.join(columns)}) FROM STDIN".encode()) as copy:
        copy.write_row([_cell(first[name]) for name in columns])
        for row in rows:
            copy.write_row([_cell(row[name]) for name in columns])


def _cell(value: object) -> object:
    return " ".join(f"'{word}'" for word in value) if isinstance(value, list) else value
