"""What is measured of each peer: changing facts, two users, times in paired rounds, a kill in mid-write."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from core.store import EmbeddedPostgres
from eval.peers import material
from eval.peers.process import Child, Made, PeerCannot, PeerFailed
from eval.peers.scoring import Judged, foreign, judge, missing

K = 5
USERS = 10  # that the statements of the speed stage are spread over
BLOCK = 50  # statements a round
OPEN_SECONDS = 300.0


@dataclass(kw_only=True, slots=True)
class Found:
    """What was measured of one peer. `cannot` says by stage why something is missing."""

    about: dict[str, str] = field(default_factory=dict)
    cannot: dict[str, str] = field(default_factory=dict)
    judged: list[Judged] = field(default_factory=list)
    foreign: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # pair: foreign hits, questions
    adds: dict[int, list[float]] = field(default_factory=dict)  # size reached: seconds of each add since the one before
    rounds: dict[int, list[float]] = field(default_factory=dict)  # size: seconds a round until it could be found
    searches: dict[int, list[list[float]]] = field(default_factory=dict)  # size: seconds, a list a round
    kept: dict[int, int] = field(default_factory=dict)  # size: memories that it lists of all users
    resident: dict[int, int] = field(default_factory=dict)  # size: bytes
    crashed: list[tuple[int, int]] = field(default_factory=list)  # acknowledged, of them missing; a kill each


class Ground:
    """One Postgres for everybody, a database and a folder for each."""

    def __init__(self, folder: Path) -> None:
        """Start the server."""
        self.folder = folder
        self._server = EmbeddedPostgres(folder / "postgres")
        self._conninfo = self._server.start()

    def fresh(self, name: str) -> tuple[Path, str]:
        """A folder that does not exist yet, and the address of an empty database with pgvector."""
        database = name.replace("-", "_")
        with psycopg.connect(self._conninfo, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')  # type: ignore[arg-type]
            server.execute(f'CREATE DATABASE "{database}"')  # type: ignore[arg-type]
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        known = conninfo_to_dict(self._conninfo)
        dsn = f"postgresql://{known.get('user', 'postgres')}@/{database}?host={known['host']}"
        with psycopg.connect(dsn, autocommit=True) as made:
            made.execute("CREATE EXTENSION IF NOT EXISTS vector")
        return folder, dsn

    def close(self) -> None:
        """Stop the server."""
        self._server.stop()


@contextmanager
def opened(
    made: Made, ground: Ground, *, place: str, told: dict[str, str], again: tuple[Path, str] | None = None
) -> Iterator[tuple[Child, tuple[Path, str]]]:
    """A child whose store is open: a fresh one, or the one at `again`."""
    at = again or ground.fresh(place)
    with Child(made, log=ground.folder / f"{made.name}.log", extra=told) as child:
        child.ask("open", folder=str(at[0]), dsn=at[1], timeout=OPEN_SECONDS)
        yield child, at


def tried(found: Found, stage: str, work: Callable[[], None]) -> None:
    """Run a stage; what it cannot or fails at is written down."""
    try:
        work()
    except PeerCannot as reason:
        found.cannot[stage] = f"cannot: {reason}"
    except PeerFailed as problem:
        found.cannot[stage] = f"failed: {problem}"


def add(child: Child, user: str, texts: Sequence[str]) -> list[float]:
    """Seconds of each add."""
    seconds: list[float] = child.ask("add", user=user, texts=list(texts))["seconds"]
    return seconds


def search(child: Child, user: str, queries: Sequence[str], k: int = K) -> dict[str, Any]:
    """Hits and seconds of each query."""
    return child.ask("search", user=user, queries=list(queries), k=k)


def changing(child: Child, found: Found, *, seeds: Sequence[int]) -> None:
    """Facts that change, one user a seed."""
    for seed in seeds:
        history = material.changing(seed)
        user = f"changing-{seed}"
        add(child, user, history.said)
        child.ask("settle")
        hits = search(child, user, [one.question for one in history.asked])["found"]
        found.judged += [judge(asked, texts) for asked, texts in zip(history.asked, hits, strict=True)]


def leaks(child: Child, found: Found) -> None:
    """Pairs of users with near-identical facts."""
    for pair in material.neighbours():
        for user, text in pair.said:
            add(child, user, [text])
        child.ask("settle")
        count = 0
        for user, question, others in pair.asked:
            count += foreign(search(child, user, [question])["found"][0], others)
        found.foreign[pair.users] = (count, len(pair.asked))


def speed(
    children: dict[str, Child],
    found: dict[str, Found],
    *,
    sizes: Sequence[int],
    rounds: int,
    queries: int,
    budget: float,
    say: Callable[[str], None],
) -> None:
    """Adds and searches in rounds, everybody doing the same round one after the other, each round in another order.

    Who has spent `budget` seconds on adding stops at the size it has reached.
    """
    spent = dict.fromkeys(children, 0.0)
    told = 0
    for size in sizes:
        while told < size:
            numbers = range(told, min(told + BLOCK, size))
            for name in _turn(list(children), told // BLOCK):
                if spent[name] <= budget and "speed" not in found[name].cannot:
                    tried(found[name], "speed", partial(_round, children[name], found[name], numbers, size))
                    spent[name] += found[name].rounds.get(size, [0.0])[-1]
                    if spent[name] > budget:
                        reason = f"stopped at {numbers[-1] + 1:,} statements after {budget:.0f} s of adding"
                        found[name].cannot["speed"] = reason
            told = numbers[-1] + 1
        say(f"   {size:,} statements: " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in spent.items()))
        able = [name for name in children if "speed" not in found[name].cannot]
        for nth in range(-1, rounds):  # the first is a warm-up
            for name in _turn(able, nth):
                tried(
                    found[name],
                    f"search at {size:,}",
                    partial(_searches, children[name], found[name], size, nth, queries),
                )
        for name in able:
            tried(found[name], f"memories at {size:,}", partial(_weigh, children[name], found[name], size))


def _turn(names: Sequence[str], by: int) -> list[str]:
    by %= max(1, len(names))
    return [*names[by:], *names[:by]]


def _round(child: Child, found: Found, numbers: Sequence[int], size: int) -> None:
    seconds: list[float] = []
    for user in range(USERS):
        texts = [material.statement(number) for number in numbers if number % USERS == user]
        if texts:
            seconds += add(child, f"speed-{user}", texts)
    settled = child.ask("settle")["seconds"][0]
    found.adds.setdefault(size, []).extend(seconds)
    found.rounds.setdefault(size, []).append(sum(seconds) + settled)


def _searches(child: Child, found: Found, size: int, nth: int, queries: int) -> None:
    user = nth % USERS
    asked = [
        material.question((size // (queries + 1) * step) // USERS * USERS + user) for step in range(1, queries + 1)
    ]
    seconds = search(child, f"speed-{user}", asked)["seconds"]
    if nth >= 0:
        found.searches.setdefault(size, []).append(seconds)


def _weigh(child: Child, found: Found, size: int) -> None:
    found.resident[size] = child.resident()
    found.kept[size] = sum(len(child.ask("listed", user=f"speed-{user}")["found"][0]) for user in range(USERS))


def crash(made: Made, ground: Ground, found: Found, *, told: dict[str, str], kills: Sequence[int]) -> None:
    """SIGKILL after so many acknowledged adds, while the next one is under way; then look for what was acknowledged.

    The peer's process and whatever it started are killed; the shared Postgres is not.
    """
    for nth, after in enumerate(kills):
        marks = [material.name(1000 * (nth + 1) + number) for number in range(after + 200)]
        with opened(made, ground, place=f"{made.name}-crash", told=told) as (child, at):
            for mark in marks:
                child.post("add", user="crash", texts=[_written(mark)])
            for _ in range(after):
                child.reply()
            child.kill()
            count = after + child.left()
        with opened(made, ground, place="", told=told, again=at) as (child, _):
            child.ask("settle")
            found.crashed.append((count, len(missing(marks[:count], _everything(child, marks[:count])))))


def _everything(child: Child, marks: Sequence[str]) -> list[str]:
    """What a peer lists of the user; who cannot list is asked for each statement."""
    try:
        listed: list[str] = child.ask("listed", user="crash")["found"][0]
    except PeerCannot:
        hits = search(child, "crash", [_written(mark) for mark in marks])["found"]
        return [text for texts in hits for text in texts]
    return listed


def _written(mark: str) -> str:
    return f"My friend {mark} lives in Lisbon."
