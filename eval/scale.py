"""Speed by the number of memories in all: `python -m eval.scale`, or `make eval-scale`.

    python -m eval.scale [--sizes 1000,10000,100000] [--questions N] [--writes N] [--folder FOLDER]
        [--prices FILE] [--out FILE]

Every size is an installation of its own: one owner has 40 % of the memories, one 10 %, up to 10,000 light ones share
the rest. They are loaded in bulk, from 2,000 sentences that are embedded for real and neighbours of their vectors; then
a fresh process opens the installation as the product does and measures recall, writes, and recall while texts come in.
The limit that recall is compared with is the bare encoder and one probe of the vector index, for the same questions.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from eval import scale_place
from eval.results import measured, write
from eval.results import told as told_command
from eval.scale_growth import PRICES, Prices
from eval.scale_measure import Measured, measure
from eval.scale_report import RECALL_AIM, growth, rows_of, slowest, told


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if enough of the exact nearest came back at every size."""
    parser = argparse.ArgumentParser(prog="python -m eval.scale", description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000", help="memories in all")
    parser.add_argument("--questions", type=int, default=120, help="of each kind of owner")
    parser.add_argument(
        "--writes", type=int, default=200, help="texts through the write path; 50000 for the large figure"
    )
    parser.add_argument("--folder", type=Path, help="fill it and keep it, or take what an earlier run left in it")
    parser.add_argument("--prices", type=Path, default=PRICES, help="a table of prices, TOML")
    parser.add_argument("--out", type=Path, help="write the figures there too, as JSON")
    given = parser.parse_args(arguments)
    sizes = sorted({int(one) for one in given.sizes.split(",")})
    if sizes[0] < 100:
        parser.error("a size is 100 memories or more")
    prices = Prices.read(given.prices)
    began = time.perf_counter()
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print(
        f"Python {platform.python_version()}; {given.questions} questions of each kind of owner, {given.writes} texts"
    )
    texts, base = scale_place.embedded_texts()
    found: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="chronomemory-scale-", ignore_cleanup_errors=True) as name:
        for size in sizes:
            folder = (given.folder or Path(name)) / str(size)
            filled = scale_place.fill(folder, size, base, texts)
            # A process of its own, so that its memory and caches are those of this size alone.
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
                found.append(pool.submit(measure, filled, given.questions, given.writes).result())
            told(found[-1], prices)
    rows = [row for one in found for row in rows_of(one, prices)]
    if len(found) > 1:
        rows += growth(found)
    if given.out:
        write(measured("scale", told_command("eval.scale", arguments), rows), given.out)
    missed = [row.claim for row in rows if row.met is False]
    print(f"\n{slowest(found[-1])}")
    print(f"recall@10 of at least {RECALL_AIM}: {'MISSED by ' + ', '.join(missed) if missed else 'met'}")
    print(f"took {(time.perf_counter() - began) / 60:.1f} minutes; load {os.getloadavg()[0]:.1f} at the end")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
