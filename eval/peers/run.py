"""Memory layers side by side, the product through the same protocol as its peers, with the same embedding weights.

    python -m eval.peers.run [--peers mem0,langgraph] [--sizes 1000,10000] [--small] [--out FILE]

Every peer runs in a virtual environment of its own (`make eval-peers` makes them in PEERS_VENVS), set up as its
documentation shows, without a key and without a network. One Postgres serves everybody who can use one. Times are
taken inside each process around the peer's own call, in rounds in which everybody does the same; ratios are medians
over the rounds, peer over product, with the middle half in brackets.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eval.peers import stages
from eval.peers.process import Child, Made, PeerCannot, PeerFailed
from eval.peers.report import rows, shown
from eval.peers.roster import ENTRIES, LEFT_OUT, PRODUCT, product
from eval.peers.stages import Found, Ground, opened, tried
from eval.results import measured, told, write

SEEDS = (23, 24, 25, 26)
KILLS = (5, 30, 80)
WORKER = {"PEER_WORKER": "1"}
PARTS = ("right", "speed", "crash")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; exit status 1 if the product misses an aim of its own."""
    parser = argparse.ArgumentParser(prog="python -m eval.peers.run", description=__doc__)
    parser.add_argument("--peers", default=",".join(ENTRIES), help="which peers, by comma")
    parser.add_argument("--sizes", default="1000,10000", help="statements at which is measured, by comma")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of searches a size")
    parser.add_argument("--queries", type=int, default=20, help="searches a round")
    parser.add_argument("--budget", type=float, default=900.0, help="seconds that one peer may spend on adding")
    parser.add_argument("--small", action="store_true", help="some minutes: 200 statements, two histories, one kill")
    parser.add_argument("--only", choices=PARTS, action="append", help="some parts only; right: facts and users")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    parser.add_argument("--logs", type=Path, help="keep what the peers print in this folder")
    given = parser.parse_args(arguments)
    names = [one for one in given.peers.split(",") if one]
    unknown = [one for one in names if one not in ENTRIES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(ENTRIES)}")
    sizes = [200] if given.small else sorted(int(one) for one in given.sizes.split(","))
    began = time.monotonic()
    plan = Plan(
        sizes=sizes,
        rounds=4 if given.small else given.rounds,
        queries=given.queries,
        budget=given.budget,
        seeds=SEEDS[:2] if given.small else SEEDS,
        kills=KILLS[1:2] if given.small else KILLS,
        parts=given.only or PARTS,
    )
    found = measure(names, plan, logs=given.logs)
    command = told("eval.peers.run", arguments)
    result = measured("peers", command, rows(found), seed=", ".join(str(one) for one in plan.seeds))
    print(f"\ncommand: {command}\nmachine: {result.machine}; {result.date}")
    print("\n".join(shown(found, LEFT_OUT)))
    print(f"\ntook {time.monotonic() - began:.0f} s")
    if given.out:
        write(result, given.out)
    return 1 if any(row.met is False for row in result.rows) else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How much is measured."""

    sizes: Sequence[int]
    rounds: int
    queries: int
    budget: float  # seconds that one peer may spend on adding
    seeds: Sequence[int]
    kills: Sequence[int]
    parts: Sequence[str] = PARTS


def measure(names: Sequence[str], plan: Plan, *, logs: Path | None = None) -> Mapping[str, Found]:
    """Every stage, the product first. Ctrl-C or SIGTERM ends it with what was measured so far."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background otherwise
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    made = {PRODUCT: product()} | {name: ENTRIES[name].made(name) for name in names}
    told = {name: dict(ENTRIES[name].told) for name in names} | {PRODUCT: {}}
    found = {name: Found() for name in made}
    with tempfile.TemporaryDirectory(prefix="chronomemory-peers-", ignore_cleanup_errors=True) as folder:
        ground = Ground(Path(folder))
        try:
            with ExitStack() as stack:
                children = _started(stack, made, ground, told, found)
                _side_by_side(children, found, plan)
            for name in children if "crash" in plan.parts else ():
                beside = told[name] | (WORKER if name == PRODUCT else {})
                work = partial(stages.crash, made[name], ground, found[name], told=beside, kills=plan.kills)
                tried(found[name], "crash", work)
                print(f"   {name}: killed {len(found[name].crashed)} times", flush=True)
        except KeyboardInterrupt:
            print("stopped; what follows is what was measured until then", flush=True)
        finally:
            ground.close()
            if logs:
                logs.mkdir(parents=True, exist_ok=True)
                for log in Path(folder).glob("*.log"):
                    (logs / log.name).write_bytes(log.read_bytes())
    return found


def _started(
    stack: ExitStack,
    made: Mapping[str, Made],
    ground: Ground,
    told: Mapping[str, dict[str, str]],
    found: dict[str, Found],
) -> dict[str, Child]:
    """Everybody who starts, with an open store."""
    children: dict[str, Child] = {}
    for name, one in made.items():
        if not one.python.exists():
            found[name].cannot["start"] = f"cannot: no environment at {one.python}; see `make eval-peers`"
            continue
        try:
            child, _ = stack.enter_context(opened(one, ground, place=name, told=told[name]))
            found[name].about = child.ask("about")["about"]
            children[name] = child
        except PeerCannot as reason:
            found[name].cannot["start"] = f"cannot: {reason}"
        except PeerFailed as problem:
            found[name].cannot["start"] = f"failed: {problem}"
    print(f"started: {', '.join(children)}", flush=True)
    return children


def _side_by_side(children: dict[str, Child], found: dict[str, Found], plan: Plan) -> None:
    if "right" in plan.parts:
        for name, child in children.items():
            one = found[name]
            tried(one, "changing facts", partial(stages.changing, child, one, seeds=plan.seeds))
            tried(one, "two users", partial(stages.leaks, child, one))
            print(f"   {name}: changing facts and two users done", flush=True)
    if "speed" in plan.parts:
        stages.speed(
            children, found, sizes=plan.sizes, rounds=plan.rounds, queries=plan.queries, budget=plan.budget,
            say=lambda line: print(line, flush=True),
        )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
