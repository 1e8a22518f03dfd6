"""Recall over HTTP, measured: `python -m eval.bench_api`, or `make bench-api`.

    python -m eval.bench_api [--sizes 500,100000] [--clients 1,8,32] [--seconds N] [--runs N] [--small]
        [--folder FOLDER] [--out FILE]

A throw-away installation gets an owner a size; `chronomemory serve` serves it as it is by default, one embedding model
in memory. Clients in a process of their own keep asking different questions, and then the same eight again and again,
which the cache of vectors answers. Runs of every size and number of clients take turns, so that what else the machine
does meets all alike; figures are medians of the runs. Where the time goes is measured in this process, on the same
folder.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from core.bootstrap import build_layer
from core.model import Scope
from eval import api_place
from eval.results import Row, measured, told, write

AIM = (500, 32, 80.0, 409.0, 939.0)  # memories, clients; requests a second, p50 and p99 in ms: a known small service
SAME = 8  # questions that are asked again and again
WARM_UP = 20  # questions before the clock counts
PARTS = 120  # questions of the measurement of parts
MOST = 20_000  # requests of one run


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """One run of one cell."""

    rate: float  # answers a second
    p50: float
    p95: float
    p99: float
    own_share: float  # of one core, used by the clients themselves
    wrong: int  # answers that were no 200 with hits


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """What is asked: how many memories, how many clients, different questions or the same."""

    size: int
    clients: int
    same: bool = False

    def __str__(self) -> str:
        """As the report names it."""
        asked = "the same 8 questions" if self.same else "different questions"
        return f"{self.size:,} memories, {self.clients} clients, {asked}"


@dataclass(kw_only=True)
class Watched:
    """A part of recall with the time each call of it took, in milliseconds; stands for the part itself."""

    inner: Any
    names: tuple[str, ...]
    took: list[float] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        """The part's attribute; a named method is timed."""
        found = getattr(self.inner, name)
        return self._timed(found) if name in self.names else found

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*given, **named)
            finally:
                self.took.append((time.perf_counter() - began) * 1000)

        return timed


def parts(folder: Path, owners: Mapping[int, api_place.Owner], clients: Sequence[int]) -> list[Row]:
    """Where the time of a recall goes, in this process: the embedding, the store, and what is computed on its rows."""
    layer = build_layer(api_place.settings_of(folder))
    rows: list[Row] = []
    try:
        layer.start()
        until_ready(layer.health)
        print("\nin the process, without HTTP: median milliseconds a recall")
        asked = iter(api_place.questions((len(owners) * len(clients)) * (PARTS + WARM_UP)))
        for size, owner in owners.items():
            for count in clients:
                found = _parts(layer.agent.recaller, owner.scope, list(islice(asked, PARTS + WARM_UP)), count)
                told = "  ".join(f"{name} {value:.1f}" for name, value in found.items())
                print(f"   {f'{size:,} memories, {count} callers':<34} {told}")
                rows += [
                    Row(claim=f"part: {name}, {size:,} memories, {count} callers, ms", figure=round(value, 2), n=PARTS)
                    for name, value in found.items()
                ]
    finally:
        layer.close()
    return rows


def until_ready(health: Callable[[], Mapping[str, str]]) -> None:
    """Wait for a started layer.

    Raises:
        TimeoutError: it does not come up.
    """
    deadline = time.monotonic() + 300
    while any(state.startswith("starting") for state in health().values()):
        if time.monotonic() > deadline:
            msg = f"the installation did not start: {health()}"
            raise TimeoutError(msg)
        time.sleep(0.05)


def _parts(recaller: Any, scope: Scope, questions: Sequence[str], callers: int) -> dict[str, float]:
    for question in questions[:WARM_UP]:
        recaller.recall(question, scope)
    embedding = Watched(inner=recaller.embedder, names=("embed",))
    search = Watched(inner=recaller.store, names=("search",))
    whole: list[float] = []
    watched = replace(recaller, embedder=embedding, store=search)

    def one(question: str) -> None:
        began = time.perf_counter()
        watched.recall(question, scope)
        whole.append((time.perf_counter() - began) * 1000)

    with ThreadPoolExecutor(callers) as pool:
        list(pool.map(one, questions[WARM_UP:]))
    total, embedded, searched = (statistics.median(took) for took in (whole, embedding.took, search.took))
    return {
        "embedding": embedded,
        "search": searched,
        "ranking": max(0.0, total - embedded - searched),
        "in all": total,
    }


def run(port: int, owner: api_place.Owner, cell: Cell, questions: Sequence[str], seconds: float) -> Ran:
    """One bounded load on the interface, from a process of its own."""
    job = {
        "port": port,
        "token": owner.token,
        "clients": cell.clients,
        "seconds": seconds,
        "requests": MOST,
        "questions": list(questions),
    }
    done = subprocess.run(
        [sys.executable, "-m", "eval.api_load"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
        timeout=seconds + 240,
    )
    met = json.loads(done.stdout)
    took = sorted(met["milliseconds"])
    if len(took) < 2:
        msg = f"{cell}: {len(took)} answers in {seconds:.0f} s"
        raise RuntimeError(msg)
    at = statistics.quantiles(took, n=100)
    return Ran(
        rate=len(took) / met["seconds"],
        p50=at[49],
        p95=at[94],
        p99=at[98],
        own_share=met["own_share"],
        wrong=len(took) - met["statuses"].get("200", 0) + met["empty"],
    )


def load(
    folder: Path, owners: Mapping[int, api_place.Owner], cells: Sequence[Cell], *, seconds: float, runs: int
) -> dict[Cell, list[Ran]]:
    """Every cell `runs` times, in turns."""
    found: dict[Cell, list[Ran]] = {cell: [] for cell in cells}
    fresh = cycle(api_place.questions(10_000))
    with api_place.served(folder) as port:
        for size, owner in owners.items():
            run(port, owner, Cell(size=size, clients=4), list(islice(fresh, WARM_UP)), 60.0)
        for number in range(runs):
            for cell in cells:
                same = list(islice(cycle(api_place.questions(SAME)), MOST))
                asked = same if cell.same else list(islice(fresh, min(MOST, 10_000)))
                found[cell].append(run(port, owners[cell.size], cell, asked, seconds))
                print(f"   run {number + 1}: {cell}: {found[cell][-1].rate:.1f}/s", file=sys.stderr)
    return found


def middle(ran: Sequence[Ran], name: str) -> tuple[float, float, float]:
    """Median, least and most of one figure over the runs."""
    values = [float(getattr(one, name)) for one in ran]
    return statistics.median(values), min(values), max(values)


def report(found: Mapping[Cell, Sequence[Ran]]) -> list[Row]:
    """Print the table and give its rows."""
    rows: list[Row] = []
    print("\nPOST /api/v1/recall; medians of the runs (least to most)")
    for cell, ran in found.items():
        aims = _aims(cell)
        rate, low, high = middle(ran, "rate")
        print(f"   {cell!s:<56} {rate:7.1f}/s ({low:.1f} to {high:.1f})", end="")
        for name in ("rate", "p50", "p95", "p99"):
            value, least, most = middle(ran, name)
            aim = aims.get(name)
            met = None if aim is None else (value >= aim if name == "rate" else value <= aim)
            rows.append(
                Row(
                    claim=f"{cell}: {'requests a second' if name == 'rate' else f'{name}, ms'}",
                    figure=round(value, 1),
                    low=round(least, 1),
                    high=round(most, 1),
                    n=len(ran),
                    aim="" if aim is None else f"{'at least' if name == 'rate' else 'at most'} {aim:g}",
                    met=met,
                )
            )
            if name != "rate":
                print(f"  {name} {value:7.1f} ms", end="")
        print(f"  wrong {sum(one.wrong for one in ran)}")
        for name in aims:
            one = next(row for row in rows[-4:] if row.claim.startswith(f"{cell}: {_TOLD[name]}"))
            print(f"      aim {_TOLD[name]} {one.aim}: {'met' if one.met else 'MISSED'}")
    busiest = max(one.own_share for ran in found.values() for one in ran)
    print(f"the clients' own process used {busiest:.0%} of one core at most")
    return rows


_TOLD = {"rate": "requests a second", "p50": "p50", "p99": "p99"}


def _aims(cell: Cell) -> dict[str, float]:
    size, clients, rate, p50, p99 = AIM
    asked = not cell.same and (cell.size, cell.clients) == (size, clients)
    return {"rate": rate, "p50": p50, "p99": p99} if asked else {}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if every answer was right and every aim that was measured is met."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench_api", description=__doc__)
    parser.add_argument("--sizes", default="500,100000")
    parser.add_argument("--clients", default="1,8,32")
    parser.add_argument("--seconds", type=float, default=15.0, help="of one run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="500 and 5,000 memories, 2 runs of 4 seconds")
    parser.add_argument("--folder", type=Path, help="fill it and keep it, or take what an earlier run left in it")
    parser.add_argument("--out", type=Path, help="write the figures there too, as JSON")
    given = parser.parse_args(arguments)
    if given.small:
        given.sizes, given.seconds, given.runs = "500,5000", 4.0, 2
    sizes, clients = ([int(one) for one in text.split(",")] for text in (given.sizes, given.clients))
    busy = os.getloadavg()[0]  # of the machine's other work: above the cores, every time below is longer for it
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, load {busy:.1f}, Python {platform.python_version()}")
    cells = [Cell(size=size, clients=count) for size in sizes for count in clients]
    cells += [Cell(size=size, clients=clients[-1], same=True) for size in sizes]
    with tempfile.TemporaryDirectory(prefix="chronomemory-bench-", ignore_cleanup_errors=True) as name:
        folder = given.folder or Path(name)
        owners = api_place.fill(folder, sizes)
        within = parts(folder, owners, sorted({clients[0], clients[-1]}))
        found = load(folder, owners, cells, seconds=given.seconds, runs=given.runs)
    rows = report(found)
    if given.out:
        write(measured("bench-api", told("eval.bench_api", arguments), rows + within), given.out)
    wrong = sum(one.wrong for ran in found.values() for one in ran)
    missed = [row.claim for row in rows if row.met is False]
    print(f"\nwrong answers: {wrong}; aims {'MISSED: ' + ', '.join(missed) if missed else 'met'}")
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main())
