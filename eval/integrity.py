"""The public suite `agent-memory-integrity` against the product: edits at rest, and attacks through the front door.

    pip install -e ".[integrity]" && python -m eval.integrity [--rest | --front] [--mutate]

At rest the suite edits the real ledger file and the real database, T1 to T9. At the front door its texts go through
the real write path, on the suite's three channels: once with no more than the suite hands over, once with where each
text came from, as a deployment that binds the origin on receipt knows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eval.integrity_place import Ground, ground
from eval.results import Row, measured, share, told, write

SUITE = "agent-memory-integrity"
NOTICED = {"audit": "reported", "read": "rejected"}
LABELS = {
    "tamper": "T1 content edited",
    "truncate": "T2 tail cut off",
    "delete_middle": "T3 middle deleted",
    "reorder": "T4 two swapped",
    "forge": "T5 forged entry",
    "cross_replay": "T6 another owner's",
    "rollback_replay": "T7 older over newest",
    "metadata_tamper": "T8 metadata edited",
    "snapshot_rollback": "T9 older copy back",
}


def at_rest(on: Ground, kept: list[Row], *, verbose: bool) -> int:
    """Print T1 to T9 for each row; returns how many edits the rows that must notice all of them let pass.

    `kept` gets the figures.
    """
    from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT  # noqa: PLC0415 - the suite is an extra

    from eval.integrity_rest import ChainRow, EverythingRow, NothingKeptRow, ReadRow, ReconciledRow  # noqa: PLC0415

    def edits_of(row: Any) -> list[Any]:
        return [one for one in AT_REST_ATTACKS_WITH_SNAPSHOT if not row.edits or one.name in row.edits]

    rows = (ChainRow, ReconciledRow, ReadRow, EverythingRow, NothingKeptRow)
    required = {ChainRow, ReconciledRow, EverythingRow}
    passed = 0
    cells: dict[tuple[str, str], str] = {}
    for row in rows:
        for attack in edits_of(row):
            result = attack().run(row(on))
            noticed = result.status == "safe"
            word = NOTICED[row.detection_point] if noticed else {"VULNERABLE": "accepted"}.get(result.status, "error")
            cells[row.name, attack.name] = word
            passed += row in required and not noticed
            if verbose or word == "error":
                print(f"    {row.name} · {attack.name}: {word} · {result.guard or result.error or result.detail}")
    print(f"\nedits at rest, one run each: n = {len(cells)}")
    for row in rows:
        marks = [cells[row.name, attack.name] for attack in edits_of(row)]
        noticed_count = sum(mark in NOTICED.values() for mark in marks)
        print(f"  {row.name} ({row.detection_point}): {noticed_count} of {len(marks)}")
        aimed = row in required
        kept.append(
            share(
                f"edits at rest noticed, {row.name} ({row.detection_point})", noticed_count, len(marks),
                aim="all" if aimed else "", met=noticed_count == len(marks) if aimed else None,
            )
        )  # fmt: skip
        for attack, mark in zip(edits_of(row), marks, strict=True):
            print(f"    {LABELS.get(attack.name, attack.name):22} {mark}")
    return passed


def front_door(on: Ground, kept: list[Row], *, mutate: bool, verbose: bool) -> int:
    """Print what surfaced of each attack on each channel; returns how many did though origins were known.

    `kept` gets the figures.
    """
    from agmi.attacks.memory_specific import ALL_MEMORY_ATTACKS  # noqa: PLC0415

    from eval.integrity_front import FrontDoor, origins_known  # noqa: PLC0415

    surfaced = 0
    for known in (False, True):
        counts: dict[str, list[int]] = {}
        print(f"\nfront door, {'with' if known else 'without'} origins: surfaced/texts with a verdict, by channel")
        for attack in ALL_MEMORY_ATTACKS:
            with FrontDoor(on, origins=known) as door, origins_known():
                result = attack(mutate=mutate).run(door)
            parts = [
                f"{channel} {sum(one is True for one in found)}/{sum(one is not None for one in found)}"
                for channel, found in result.channels.items()
            ]
            for channel, found in result.channels.items():
                count = counts.setdefault(channel, [0, 0])
                count[0] += sum(one is True for one in found)
                count[1] += sum(one is not None for one in found)
            surfaced += known * sum(one is True for found in result.channels.values() for one in found)
            print(f"  {result.attack:26} {' · '.join(parts) or f'n/a: {result.error}'}")
            if verbose:
                print(f"      {result.detail or result.error}")
        aim = "0" if known else ""
        kept += [
            share(
                f"front door, {'with' if known else 'without'} origins: {channel} texts surfaced", count, n,
                aim=aim, met=count == 0 if aim else None,
            )
            for channel, (count, n) in counts.items()
        ]  # fmt: skip
    return surfaced


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0 if every edit was noticed and nothing surfaced where origins are known."""
    parser = argparse.ArgumentParser(prog="python -m eval.integrity", description=__doc__)
    parser.add_argument("--rest", action="store_true", help="the edits at rest only")
    parser.add_argument("--front", action="store_true", help="the front door only")
    parser.add_argument("--mutate", action="store_true", help="each attack text in the suite's disguises too")
    parser.add_argument("--verbose", action="store_true", help="say what was found behind each mark")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    options = parser.parse_args(arguments)
    try:
        print(f"{SUITE} {version(SUITE)}")
    except PackageNotFoundError:
        print(f'{SUITE} is not installed: pip install -e ".[integrity]"', file=sys.stderr)
        return 2
    started = time.monotonic()
    both = options.rest is options.front
    bad = 0
    rows: list[Row] = []
    with ground() as on:
        if options.rest or both:
            bad += at_rest(on, rows, verbose=options.verbose)
        if options.front or both:
            bad += front_door(on, rows, mutate=options.mutate, verbose=options.verbose)
    print(f"\n{time.monotonic() - started:.0f} s")
    if options.out:
        write(measured("integrity", told("eval.integrity", arguments), rows), options.out)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
