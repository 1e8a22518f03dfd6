"""Memory layers side by side, the product through the same protocol as its peers, with the same embedding weights.

    python -m eval.peers.run [--peers mem0,langgraph] [--sizes 1000,10000] [--small] [--out FILE]

Every peer runs in a virtual environment of its own (`make eval-peers` makes them in PEERS_VENVS), set up as its
documentation shows, without a key and without a network. One Postgres serves everybody who can use one. Times are
taken inside each process around the peer's own call, in rounds in which everybody does the same; ratios are medians
over the rounds, peer over product, with the middle half in brackets.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from eval.peers import stages
from eval.peers.process import PeerCannot, PeerFailed
from eval.peers.report import rows, shown
from eval.peers.roster import ENTRIES, LEFT_OUT, PRODUCT, product
from eval.peers.stages import Found, Ground, opened, tried
from eval.results import measured, write

SEEDS = (23, 24, 25, 26)
KILLS = (5, 30, 80)
WORKER = {"PEER_WORKER": "1"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; exit status 1 if the product misses an aim of its own."""
    parser = argparse.ArgumentParser(prog="python -m eval.peers.run", description=__doc__)
    parser.add_argument("--peers", default=",".join(ENTRIES), help="which peers, by comma")
    parser.add_argument("--sizes", default="1000,10000", help="statements at which is measured, by comma")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of searches a size")
    parser.add_argument("--queries", type=int, default=20, help="searches a round")
    parser.add_argument("--budget", type=float, default=900.0, help="seconds that one peer may spend on adding")
    parser.add_argument("--small", action="store_true", help="some minutes: 200 statements, two histories, one kill")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    parser.add_argument("--logs", type=Path, help="keep what the peers print in this folder")
    given = parser.parse_args(arguments)
    names = [one for one in given.peers.split(",") if one]
    unknown = [one for one in names if one not in ENTRIES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(ENTRIES)}")
    sizes = [200] if given.small else sorted(int(one) for one in given.sizes.split(","))
    began = time.monotonic()
    found = measure(
        names,
        sizes=sizes,
        rounds=4 if given.small else given.rounds,
        queries=given.queries,
        budget=given.budget,
        seeds=SEEDS[:2] if given.small else SEEDS,
        kills=KILLS[1:2] if given.small else KILLS,
        logs=given.logs,
    )
    command = f"python -m eval.peers.run {' '.join(arguments if arguments is not None else sys.argv[1:])}".rstrip()
    result = measured("peers", command, rows(found))
    print(f"\ncommand: {command}\nmachine: {result.machine}; {result.date}")
    print("\n".join(shown(found, LEFT_OUT)))
    print(f"\ntook {time.monotonic() - began:.0f} s")
    if given.out:
        write(result, given.out)
    return 1 if any(row.met is False for row in result.rows) else 0


def measure(
    names: Sequence[str],
    *,
    sizes: Sequence[int],
    rounds: int,
    queries: int,
    budget: float,
    seeds: Sequence[int],
    kills: Sequence[int],
    logs: Path | None = None,
) -> Mapping[str, Found]:
    """Every stage, the product first."""
    made = {PRODUCT: product()} | {name: ENTRIES[name].made(name) for name in names}
    told = {name: dict(ENTRIES[name].told) for name in names} | {PRODUCT: {}}
    found = {name: Found() for name in made}
    with tempfile.TemporaryDirectory(prefix="chronomemory-peers-", ignore_cleanup_errors=True) as folder:
        ground = Ground(Path(folder))
        try:
            with ExitStack() as stack:
                children = {}
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
                print(f"started: {', '.join(children)}")
                for name, child in children.items():
                    one = found[name]
                    tried(one, "changing facts", lambda child=child, one=one: stages.changing(child, one, seeds=seeds))
                    tried(one, "two users", lambda child=child, one=one: stages.leaks(child, one))
                    print(f"   {name}: changing facts and two users done", flush=True)
                stages.speed(
                    children, found, sizes=sizes, rounds=rounds, queries=queries, budget=budget,
                    say=lambda line: print(line, flush=True),
                )  # fmt: skip
            for name in children:
                beside = told[name] | (WORKER if name == PRODUCT else {})
                tried(
                    found[name],
                    "crash",
                    lambda name=name, beside=beside: stages.crash(
                        made[name], ground, found[name], told=beside, kills=kills
                    ),
                )
                print(f"   {name}: killed {len(found[name].crashed)} times", flush=True)
        finally:
            ground.close()
            if logs:
                logs.mkdir(parents=True, exist_ok=True)
                for log in Path(folder).glob("*.log"):
                    (logs / log.name).write_bytes(log.read_bytes())
    return found


if __name__ == "__main__":
    sys.exit(main())
