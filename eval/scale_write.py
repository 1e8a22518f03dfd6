"""Writes through the product's own path beside what its parts could do alone, and recall while they come in."""

from __future__ import annotations

import sqlite3
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count as count_from
from pathlib import Path
from typing import Any

from core.errors import ChronoMemoryError
from core.intake import Submission
from core.layer import MemoryLayer
from core.ledger.connection import SqliteConnection
from core.model import Scope, SourceKind
from core.ports import Embedder
from eval.scale_place import Shape, scope_of
from eval.scale_recall import Asked, ask

BATCH = 32  # texts that the encoder gets at once, as the product's own batches
SUBMITTERS = 8  # threads that put texts in at once
BUSY = 6  # texts that are put in before each round of questions: more than the worker gets through meanwhile
ROW = "x" * 400  # a text, its audit entry and its place in the inbox, roughly
_BARE_SECONDS = 2.0
_TURNS = (
    "My locker number at hall {n} is {m}.",
    "The budget for the harbour report {n} is {m} thousand.",
    "My dentist appointment at clinic {n} is on {d} May.",
    "Our launch of module {n} moved to {d} May.",
    "My parking space at site {n} is {m}.",
    "I keep the spare key of van {n} at flat {m}.",
    "The wifi password hint at cabin {n} is mango{m}.",
    "I lent my bicycle number {n} to Ada on {d} May.",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """So many in so long."""

    count: int
    seconds: float

    @property
    def a_second(self) -> float:
        """How many a second."""
        return self.count / self.seconds


NOTHING = Rate(count=0, seconds=1.0)  # not measured yet


@dataclass(kw_only=True)
class Written:
    """What came of the writes."""

    encoder_single: Rate  # texts, one at a time
    encoder_batch: Rate  # the same texts, BATCH at a time
    bare_ledger: Rate  # durable commits of an empty SQLite file in the same folder
    submitted: Rate = NOTHING  # texts acknowledged, one after the other: one ledger transaction each
    submitted_at_once: Rate = NOTHING  # by SUBMITTERS threads
    learned: dict[str, Rate] = field(default_factory=dict)  # texts taken through to the store, by owners
    transactions: Rate = NOTHING  # the ledger's, while it learned the light owners' texts
    changes: Rate = NOTHING  # of the store, by the same texts
    idle: dict[str, Asked] = field(default_factory=dict)
    busy: dict[str, Asked] = field(default_factory=dict)
    backlog: tuple[int, int] = (0, 0)  # texts that waited when the busy questions began, and after them


def turn(number: int) -> str:
    """One thing that a person says, different for every number."""
    return _TURNS[number % len(_TURNS)].format(n=number // len(_TURNS), m=100 + number, d=number % 28 + 1)


def measure(
    layer: MemoryLayer,
    shape: Shape,
    folder: Path,
    encoder: Embedder,
    questions: Iterator[str],
    *,
    writes: int,
    asked: int,
) -> Written:
    """Put `writes` texts in for light owners and for the heavy one, half each, then ask while more come.

    Args:
        layer: the installation, without a worker.
        shape: who its owners are.
        folder: where its ledger lies.
        encoder: the bare one.
        questions: that nobody asked yet.
        writes: texts whose way to the store is timed.
        asked: questions of each group, idle and busy.
    """
    first = layer.ledger.head()[0] * 1_000  # a second run in the same folder says other things
    texts = [turn(first + number) for number in range(writes)]
    half = writes // 2
    single, batch = _encoded(encoder, texts[:256])
    idle = ask(layer, shape, questions, asked)
    lights = [(scope_of(f"light-{one * 37 % shape.light_owners}"), text) for one, text in enumerate(texts[:half])]
    heavy = [(scope_of("heavy"), text) for text in texts[half:]]
    written = Written(
        encoder_single=single,
        encoder_batch=batch,
        bare_ledger=bare_ledger(folder),
        idle=idle,
    )
    written.submitted = _submitted(layer, lights, threads=1)
    transactions, applied = Counted(), _applied(layer)
    with counting(transactions):
        written.learned["light"] = _learned(layer, len(lights))
    seconds = written.learned["light"].seconds
    written.transactions = Rate(count=transactions.count, seconds=seconds)
    written.changes = Rate(count=_applied(layer) - applied, seconds=seconds)
    written.submitted_at_once = _submitted(layer, heavy, threads=SUBMITTERS)
    written.learned["heavy"] = _learned(layer, len(heavy))
    written.busy, written.backlog = _busy(layer, shape, questions, asked, first + writes)
    return written


def bare_ledger(folder: Path) -> Rate:
    """Durable commits a second of SQLite by itself: one row each, as safe as the ledger's own."""
    path = folder / "bare.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("CREATE TABLE IF NOT EXISTS one (said TEXT)")
        count, began = 0, time.perf_counter()
        while time.perf_counter() - began < _BARE_SECONDS:
            conn.execute("INSERT INTO one VALUES (?)", (ROW,))
            count += 1
        seconds = time.perf_counter() - began
    for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        one.unlink(missing_ok=True)
    return Rate(count=count, seconds=seconds)


@dataclass(slots=True)
class Counted:
    """Transactions that were begun to write."""

    count: int = 0


@contextmanager
def counting(into: Counted) -> Iterator[None]:
    """Count the ledger's writing transactions of this process; watched from outside, the ledger pays nothing."""
    inner = SqliteConnection.transaction

    def transaction(self: SqliteConnection, *, writes: bool) -> Any:
        into.count += writes
        return inner(self, writes=writes)

    SqliteConnection.transaction = transaction  # type: ignore[method-assign]
    try:
        yield
    finally:
        SqliteConnection.transaction = inner  # type: ignore[method-assign]


def _encoded(encoder: Embedder, texts: Sequence[str]) -> tuple[Rate, Rate]:
    encoder.embed(texts[:BATCH])
    began = time.perf_counter()
    for text in texts[:64]:
        encoder.embed([text])
    single = Rate(count=len(texts[:64]), seconds=time.perf_counter() - began)
    began = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        encoder.embed(texts[start : start + BATCH])
    return single, Rate(count=len(texts), seconds=time.perf_counter() - began)


def _submitted(layer: MemoryLayer, said: Sequence[tuple[Scope, str]], *, threads: int) -> Rate:
    def put(one: tuple[Scope, str]) -> None:
        scope, text = one
        layer.agent.submit(
            Submission(scope=scope, conversation_id="scale", channel=SourceKind.USER_TURN, text=text, actor=scope.owner)
        )

    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(put, said))
    return Rate(count=len(said), seconds=time.perf_counter() - began)


def _learned(layer: MemoryLayer, count: int) -> Rate:
    """Take everything that waits through to the store."""
    began = time.perf_counter()
    while layer.intake.run_once("scale"):
        pass
    seconds = time.perf_counter() - began
    if layer.ledger.unprocessed() or layer.ledger.outbox():
        msg = "the write path did not come to an end"
        raise RuntimeError(msg)
    return Rate(count=count, seconds=seconds)


def _applied(layer: MemoryLayer) -> int:
    """Changes of the store that the chain says were applied."""
    _, total = layer.ledger.audit(scope_of("heavy").tenant, action="effect:applied", limit=1)
    return total


@dataclass(frozen=True, kw_only=True, slots=True)
class _Load:
    """Texts that keep coming, and a worker that works without a pause."""

    layer: MemoryLayer
    scopes: Sequence[Scope]
    numbers: Iterator[int]
    ended: threading.Event = field(default_factory=threading.Event)

    def put(self, count: int) -> None:
        """So many more texts, for the owners in turn."""
        numbers = [next(self.numbers) for _ in range(count)]
        _submitted(self.layer, [(self.scopes[one % len(self.scopes)], turn(one)) for one in numbers], threads=1)

    def submit(self) -> None:
        """Never let the worker run out of work."""
        while not self.ended.is_set():
            if self.layer.ledger.unprocessed() < 10 * BUSY:
                self.put(BUSY)
            self.ended.wait(0.05)

    def work(self) -> None:
        """As the product's worker does, without its pauses."""
        while not self.ended.is_set():
            try:
                self.layer.intake.run_once("scale")
            except ChronoMemoryError:
                self.ended.wait(0.2)


def _busy(
    layer: MemoryLayer, shape: Shape, questions: Iterator[str], asked: int, first: int
) -> tuple[dict[str, Asked], tuple[int, int]]:
    """Ask while a worker works without a pause and texts keep coming faster than it takes them."""
    scopes = [scope_of("heavy"), *(scope_of(f"light-{one * 37 % shape.light_owners}") for one in range(20))]
    load = _Load(layer=layer, scopes=scopes, numbers=count_from(first))
    load.put(10 * BUSY)
    before = layer.ledger.unprocessed()
    threads = [threading.Thread(target=one, daemon=True) for one in (load.submit, load.work)]
    for one in threads:
        one.start()
    try:
        found = ask(layer, shape, questions, asked)
        after = layer.ledger.unprocessed()
    finally:
        load.ended.set()
        for one in threads:
            one.join()
    if not after:
        msg = "the worker ran out of work while recall was measured: the load was not full"
        raise RuntimeError(msg)
    return found, (before, after)


def slower(busy: Asked, idle: Asked) -> float:
    """How many times slower recall is under the load, by medians."""
    return statistics.median(busy.together) / statistics.median(idle.together)
