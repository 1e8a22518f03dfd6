"""How fast and how right the store's search is: `python -m eval.bench_store [sizes…]`.

For each size: one owner with that many memories, vectors that lie as those of sentences do, sentences of eight
content words out
of 5,000 with a natural spread of frequency, questions of four. Prints the median and 95th percentile of the store's
whole search and
of embedding one question with the packaged model, and recall@10 against the exact answer in double precision.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psycopg

from core.llm.embedder import PackagedEmbedder
from core.model import Memory, MemoryKind, Root, Scope, SourceKind
from core.slots import slot_key
from core.store import EmbeddedPostgres, PostgresStore
from core.store.rows import to_row
from core.store.schema import build_index

DIMENSIONS = 384
HIDDEN = 32
SCOPE = Scope(tenant="bench", owner="bench")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUERIES = 60
ROOT = Root(episode_id="e", source_kind=SourceKind.USER_TURN, source_ref="bench", trust=1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """Milliseconds of one size, and recall in [0, 1]."""

    size: int
    sql_p50: float
    sql_p95: float
    recall_at_10: float


def vectors(count: int, seed: int) -> np.ndarray:
    """(count, 384) float32, L2-normalised, as those of sentences: 32 hidden dimensions, 300 topics, some noise.

    Uniform directions would be a harder test and a meaningless one: all neighbours are then equally far.
    """
    draw = np.random.default_rng(seed)
    fixed = np.random.default_rng(0)
    outward = fixed.normal(size=(HIDDEN, DIMENSIONS)) / np.sqrt(HIDDEN)
    topics = fixed.normal(size=(300, HIDDEN))
    hidden = topics[draw.integers(0, len(topics), count)] + draw.normal(size=(count, HIDDEN))
    raw = hidden @ outward + 0.15 * draw.normal(size=(count, DIMENSIONS))
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def sentence(draw: np.random.Generator, words: Sequence[str], length: int = 8) -> str:
    """`length` content words, rank r with frequency about 1/(r + 30): the commonest stands in one row of twenty."""
    weights = 1.0 / (np.arange(len(words)) + 30.0)
    chosen = draw.choice(len(words), size=length, p=weights / weights.sum())
    return "You are " + " ".join(words[int(n)] for n in chosen) + "."


def fill(conninfo: str, count: int, found: np.ndarray) -> None:
    """Insert `count` memories as the owner of the tables, past the effects: only reading is measured."""
    draw = np.random.default_rng(1)
    words = [f"word{n}" for n in range(5000)]
    columns: list[str] = []
    with psycopg.connect(conninfo) as conn:
        conn.execute("SET search_path = chronomemory, public")
        conn.execute("DROP INDEX memory_embedding_hnsw")
        with conn.cursor() as cursor:
            rows = (_row(n, sentence(draw, words)) for n in range(count))
            first = next(rows)
            columns = list(first)
            with cursor.copy(f"COPY memory ({', '.join(columns)}) FROM STDIN") as copy:
                copy.write_row([_cell(first[name]) for name in columns])
                for row in rows:
                    copy.write_row([_cell(row[name]) for name in columns])
            with cursor.copy(
                "COPY memory_embedding (owner, memory_id, tenant, agent, active, embedding) FROM STDIN"
            ) as copy:
                for n in range(count):
                    text = "[" + ",".join(format(x, ".6g") for x in found[n]) + "]"
                    copy.write_row([SCOPE.owner, f"m{n}", SCOPE.tenant, SCOPE.agent, True, text])
        conn.execute(
            "INSERT INTO scope_stat (owner, agent, tenant, memories) VALUES (%s, %s, %s, %s)",
            (SCOPE.owner, SCOPE.agent, SCOPE.tenant, count),
        )
        conn.execute("SET maintenance_work_mem = '1GB'")
        build_index(conn)
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE")


def bench_search(count: int, conninfo: str) -> Result:
    """Fill an empty database with `count` memories of one owner and measure the store's own `search` on it."""
    store = PostgresStore.open(conninfo, dimensions=DIMENSIONS, embedding_identity="bench")
    try:
        stored = vectors(count, 2)
        fill(conninfo, count, stored)
        draw = np.random.default_rng(3)
        words = [f"word{n}" for n in range(5000)]
        times: list[float] = []
        right = 0
        for number, question in enumerate(vectors(QUERIES + 10, 4)):
            text = sentence(draw, words, 4)
            began = time.perf_counter()
            hits = store.search(SCOPE, vector=question.tolist(), query=text, at=NOW, limit=20)
            took = (time.perf_counter() - began) * 1000
            if number < 10:  # warm-up: caches, and the store learns the scope's size
                continue
            times.append(took)
            exact = np.argsort(-(stored.astype(np.float64) @ question.astype(np.float64)))[:10]
            best = sorted(hits, key=lambda hit: -hit.cosine)[:10]
            right += len({f"m{n}" for n in exact} & {hit.memory.memory_id for hit in best})
    finally:
        store.close()
    cuts = statistics.quantiles(times, n=20)
    return Result(size=count, sql_p50=statistics.median(times), sql_p95=cuts[-1], recall_at_10=right / (10 * QUERIES))


def bench_embed() -> tuple[float, float]:
    """Median and 95th percentile, in ms, of embedding one question with the packaged model."""
    embedder = PackagedEmbedder()
    embedder.warm()
    times = []
    for number in range(QUERIES):
        began = time.perf_counter()
        embedder.embed([f"What did I say about the appointment number {number} with the dentist?"])
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main(sizes: Sequence[int]) -> None:
    """Run every size on a server of its own and print one line each."""
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedPostgres(Path(folder) / "pg")
        admin = server.start()
        try:
            for size in sizes:
                name = f"bench_{size}"
                with psycopg.connect(admin, autocommit=True) as conn:
                    conn.execute(f"CREATE DATABASE {name}".encode())
                result = bench_search(size, psycopg.conninfo.make_conninfo(admin, dbname=name))
                print(
                    f"{size:>8} memories: search p50 {result.sql_p50:.1f} ms, p95 {result.sql_p95:.1f} ms, "
                    f"recall@10 {result.recall_at_10:.3f}"
                )
        finally:
            server.stop()
    median, high = bench_embed()
    print(f"embedding one question: p50 {median:.1f} ms, p95 {high:.1f} ms")


def _row(number: int, text: str) -> dict[str, object]:
    memory = Memory(
        memory_id=f"m{number}",
        scope=SCOPE,
        kind=MemoryKind.FACT,
        subject="user",
        attribute="statement",
        slot_key=slot_key("user", "statement"),
        value="",
        text=text,
        importance=0.5,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="bench",
        source_title="",
        actor="bench",
        episode_id="e",
        conversation_id="c",
        serial_no=number,
        roots=(ROOT,),
        stated_at=NOW,
        created_at=NOW,
    )
    return to_row(memory, ledger_seq=1, mac_key=None)


def _cell(value: object) -> object:
    return " ".join(f"'{word}'" for word in value) if isinstance(value, list) else value


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1_000, 10_000, 100_000])
