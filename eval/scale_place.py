"""Installations for `eval.scale`: one heavy owner, one of a tenth and up to 10,000 light ones, loaded in bulk."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import psycopg

from core.bootstrap import SystemClock, build_layer, load_secret
from core.layer import MemoryLayer
from core.llm.embedder import PackagedEmbedder
from core.model import Scope
from core.settings import Settings
from core.store import EmbeddedPostgres
from core.store.schema import build_index
from eval import bench_corpus
from eval.api_place import DAYS
from eval.bench_api import until_ready
from eval.bench_recall import load_owner

HEAVY = 0.4  # of all memories, one owner's
MIDDLE = 0.1  # of all, one owner's: too few for the vector index among so many others'
LIGHT_OWNERS = 10_000  # at most; they share the rest
BUILD_MEMORY = "3GB"  # maintenance_work_mem: an index of 1,000,000 vectors is built in memory within it
_KEPT = "scale.json"
_VECTORS = "vectors.npy"
_SAID = 100_000  # rows between two words of progress


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """Who has how many memories."""

    total: int
    heavy: int
    middle: int
    light: int  # of each light owner
    light_owners: int

    @classmethod
    def of(cls, total: int) -> Shape:
        """Of about `total` memories in all; what does not divide evenly goes to the heavy owner."""
        middle = int(total * MIDDLE)
        shared = total - int(total * HEAVY) - middle
        light_owners = min(LIGHT_OWNERS, shared)
        light = shared // light_owners
        return cls(
            total=total,
            heavy=total - middle - light * light_owners,
            middle=middle,
            light=light,
            light_owners=light_owners,
        )

    def owners(self) -> Iterator[tuple[Scope, int]]:
        """Every owner with the number of their memories, in the order in which vectors go to them."""
        yield scope_of("heavy"), self.heavy
        yield scope_of("middle"), self.middle
        for number in range(self.light_owners):
            yield scope_of(f"light-{number}"), self.light


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """One installation as it was loaded."""

    folder: Path
    shape: Shape
    copying: float  # seconds: COPY with every index but that of the vectors
    indexing: float  # seconds: the index of the vectors
    bytes: dict[str, int]  # on the disk: the tables' rows and each large index

    @property
    def vectors(self) -> np.ndarray:
        """Every vector in the order of the owners, (n, dimensions) float16, read from the disk as it is used."""
        found: np.ndarray = np.load(self.folder / _VECTORS, mmap_mode="r")
        return found


def scope_of(name: str) -> Scope:
    """The scope of a named owner."""
    return Scope(tenant="bench", owner=name)


def settings_of(folder: Path) -> Settings:
    """An installation in a folder that nothing works in but the measurement."""
    return Settings(_env_file=None, chronomemory_data=folder, chronomemory_worker=False)


@contextmanager
def opened(folder: Path) -> Iterator[MemoryLayer]:
    """The layer on a folder, started and ready, without a worker; closed at the end."""
    layer = build_layer(settings_of(folder), pause=lambda _seconds: None)
    try:
        layer.start()
        until_ready(layer.health)
        yield layer
    finally:
        layer.close()


def fill(folder: Path, total: int, base: np.ndarray, texts: list[str]) -> Filled:
    """Load an installation in bulk, or take what an earlier run left in the folder.

    Args:
        folder: of the installation.
        total: memories in all.
        base: vectors of the texts, (n, dimensions).
        texts: what is remembered, in turn.
    """
    kept = folder / _KEPT
    shape = Shape.of(total)
    if kept.is_file():
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found.pop("shape") != asdict(shape):
            msg = f"{folder} holds other owners than {shape}: give another folder"
            raise ValueError(msg)
        return Filled(folder=folder, shape=shape, **found)
    folder.mkdir(parents=True, exist_ok=True)
    with opened(folder):
        pass  # makes the schema and the secret
    vectors = np.lib.format.open_memmap(folder / _VECTORS, mode="w+", dtype=np.float16, shape=(total, base.shape[1]))
    bench_corpus.spread_over(base, vectors)
    settings = settings_of(folder)
    server = EmbeddedPostgres(settings.postgres_path)
    try:
        made = _load(server.start(), shape, texts, vectors, mac_key=load_secret(settings.secret_path))
    finally:
        server.stop()
    kept.write_text(json.dumps({"shape": asdict(shape)} | made), encoding="utf-8")
    return Filled(folder=folder, shape=shape, **made)


def _load(conninfo: str, shape: Shape, texts: list[str], vectors: np.ndarray, *, mac_key: bytes) -> dict[str, object]:
    newest = SystemClock().now()
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        conn.execute("SET synchronous_commit = off")  # a load that breaks off is begun again
        conn.execute("DROP INDEX memory_embedding_hnsw")
        began, start, said = time.perf_counter(), 0, _SAID
        for scope, size in shape.owners():
            turn = start % len(texts)
            own = vectors[start : start + size]
            load_owner(conn, scope, size, texts[turn:] + texts[:turn], own, mac_key=mac_key, newest=newest, days=DAYS)
            start += size
            if start >= said:
                print(f"   {start:,} loaded in {time.perf_counter() - began:.0f} s", file=sys.stderr)
                said = (start // _SAID + 1) * _SAID
        copying = time.perf_counter() - began
        conn.execute(f"SET maintenance_work_mem = '{BUILD_MEMORY}'".encode())
        began = time.perf_counter()
        build_index(conn)
        indexing = time.perf_counter() - began
        conn.execute("VACUUM ANALYZE memory")
        conn.execute("VACUUM ANALYZE memory_embedding")
        conn.execute("ANALYZE scope_stat")
        conn.execute("CHECKPOINT")
        return {"copying": copying, "indexing": indexing, "bytes": disk(conn)}


def disk(conn: psycopg.Connection) -> dict[str, int]:
    """Bytes of the store on the disk, by part."""
    rows = conn.execute(
        "SELECT pg_table_size('memory'), pg_table_size('memory_embedding'), "
        "pg_relation_size('memory_embedding_hnsw'), pg_relation_size('memory_words'), "
        "pg_indexes_size('memory') + pg_indexes_size('memory_embedding')"
    ).fetchall()
    memory, embedding, vector_index, word_index, indexes = (int(one) for one in rows[0])
    return {
        "rows": memory,
        "vectors": embedding,
        "vector index": vector_index,
        "word index": word_index,
        "other indexes": indexes - vector_index - word_index,
    }


def embedded_texts() -> tuple[list[str], np.ndarray]:
    """The sentences that the corpus embeds for real, and their vectors."""
    embedder = PackagedEmbedder()
    embedder.warm()
    texts = bench_corpus.sentences(bench_corpus.SENTENCES)
    return texts, bench_corpus.embedded(embedder, texts)
