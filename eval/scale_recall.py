"""Recall in a store of many owners, against the limit of its parts: the bare encoder and one probe of the index."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import psycopg

from core.layer import MemoryLayer
from core.model import Scope
from core.ports import Embedder
from core.store.rows import vector_literal
from eval.bench_api import Watched
from eval.bench_recall import NEAREST
from eval.scale_place import Filled, Shape, scope_of

WARM_UP = 6  # questions of each group before the clock counts
# One probe, as search does it: as many rows, and the index looked through as thoroughly.
_PROBE = (
    "SELECT memory_id FROM chronomemory.memory_embedding "
    "ORDER BY embedding <=> %(vector)s::public.halfvec LIMIT %(limit)s"
)
_THOROUGH = "SET hnsw.ef_search = 120"


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Owners who have about as many memories, and where their vectors begin."""

    name: str
    size: int  # memories of each
    owners: tuple[tuple[Scope, int], ...]  # with the number of their first vector

    def of(self, number: int) -> tuple[Scope, int]:
        """Whose turn it is."""
        return self.owners[number % len(self.owners)]


def groups(shape: Shape) -> tuple[Group, ...]:
    """The heavy owner, the one of a tenth, and all the light ones."""
    lights = shape.heavy + shape.middle
    light = tuple((scope_of(f"light-{one}"), lights + one * shape.light) for one in range(shape.light_owners))
    return (
        Group(name="heavy", size=shape.heavy, owners=((scope_of("heavy"), 0),)),
        Group(name="middle", size=shape.middle, owners=((scope_of("middle"), shape.heavy),)),
        Group(name="light", size=shape.light, owners=light),
    )


@dataclass(kw_only=True)
class Asked:
    """What the questions of one group took, in milliseconds, question by question."""

    together: list[float] = field(default_factory=list)  # the product: from the question to ranked, checked memories
    embedding: list[float] = field(default_factory=list)  # of that
    search: list[float] = field(default_factory=list)  # of that
    limit: list[float] = field(default_factory=list)  # bare encoder and one probe, for the same question

    @property
    def ratios(self) -> list[float]:
        """The product over the limit, question by question."""
        return [ours / bare for ours, bare in zip(self.together, self.limit, strict=True)]


class Limit:
    """The least a recall can cost: the encoder by itself, then one probe of the vector index over all owners."""

    def __init__(self, conninfo: str, encoder: Embedder, candidates: int) -> None:
        """Connect past the product's roles: no row-level security, no transaction of its own."""
        self._encoder, self._candidates = encoder, candidates
        self._conn = psycopg.connect(conninfo, autocommit=True, prepare_threshold=None)
        self._conn.execute(_THOROUGH)

    def ask(self, question: str) -> float:
        """Milliseconds of one question."""
        began = time.perf_counter()
        [vector] = self._encoder.embed([question])
        found = self._conn.execute(
            _PROBE, {"vector": vector_literal(vector), "limit": self._candidates}, binary=True
        ).fetchall()
        took = (time.perf_counter() - began) * 1000
        if not found:
            msg = "the vector index gave no row"
            raise RuntimeError(msg)
        return took

    def close(self) -> None:
        """Close the connection."""
        self._conn.close()


def ask(
    layer: MemoryLayer, shape: Shape, questions: Iterator[str], count: int, *, limit: Limit | None = None
) -> dict[str, Asked]:
    """Ask `count` questions of each group in turn, each question once; with a limit, in pairs with it.

    Whoever comes second finds the index's pages warm: product and limit take turns in coming first.
    """
    embedding = Watched(inner=layer.agent.recaller.embedder, names=("embed",))
    search = Watched(inner=layer.agent.recaller.store, names=("search",))
    agent = replace(layer.agent, recaller=replace(layer.agent.recaller, embedder=embedding, store=search))
    kinds = groups(shape)
    found = {group.name: Asked() for group in kinds}
    for number in range(count + WARM_UP):
        for group in kinds:
            scope, _ = group.of(number * 37)  # 37: light owners from everywhere in the tables
            question = next(questions)
            bare = limit.ask(question) if limit is not None and number % 2 else None
            embedding.took.clear()
            search.took.clear()
            began = time.perf_counter()
            agent.recall(question, scope)
            together = (time.perf_counter() - began) * 1000
            if limit is not None and bare is None:
                bare = limit.ask(question)
            if number < WARM_UP:
                continue
            asked = found[group.name]
            asked.together.append(together)
            asked.embedding.append(sum(embedding.took))
            asked.search.append(sum(search.took))  # the second search of an owner whose answer is empty is part of it
            if bare is not None:
                asked.limit.append(bare)
    return found


def right(
    layer: MemoryLayer, filled: Filled, questions: Sequence[str], encoder: Embedder
) -> dict[str, tuple[int, int]]:
    """How many of the exact ten nearest came back, of how many, for the owners who are not scanned whole by nature."""
    recaller = layer.agent.recaller
    vectors = np.asarray(encoder.embed(questions), dtype=np.float32)
    found: dict[str, tuple[int, int]] = {}
    for group in groups(filled.shape)[:2]:
        if group.size <= NEAREST:
            continue
        scope, start = group.owners[0]
        exact = _exact(filled.vectors, start, group.size, vectors)
        got = 0
        for question, vector, best in zip(questions, vectors, exact, strict=True):
            rows = recaller.store.search(
                scope,
                vector=vector.tolist(),
                query=question,
                at=recaller.clock.now(),
                limit=recaller.policy.recall.candidates,
            )
            nearest = sorted(rows, key=lambda one: -one.cosine)[:NEAREST]
            got += len(best & {one.memory.memory_id for one in nearest})
        found[group.name] = got, NEAREST * len(questions)
    return found


def _exact(vectors: np.ndarray, start: int, size: int, asked: np.ndarray, *, rows: int = 50_000) -> list[set[str]]:
    """Ids of the ten nearest of an owner to each question, every vector compared."""
    best: list[list[tuple[float, int]]] = [[] for _ in asked]
    for at in range(0, size, rows):
        upto = min(at + rows, size)
        cosines: Any = asked @ vectors[start + at : start + upto].astype(np.float32).T
        keep = min(NEAREST, upto - at)
        for place, line in enumerate(cosines):
            nearest = np.argpartition(-line, keep - 1)[:keep]
            best[place] = sorted([*best[place], *((-float(line[one]), at + int(one)) for one in nearest)])[:NEAREST]
    return [{f"m{number}" for _, number in one} for one in best]
