"""How outside files that nobody wrote for this project are read: entries, broken ones and why, by format.

    python -m eval.import_real PATH …

Walks the given files and folders, opens what a connector knows by its name, and prints a table. Nothing is stored, and
no file is copied. A folder of notes counts as one vault.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from core.connectors import FileConnectors
from core.errors import ChronoMemoryError
from core.ports import BrokenItem, Source, Window
from eval.results import Row, measured, share, told, write

WINDOW = Window(now=datetime.fromisoformat("2024-06-01T00:00:00+00:00"), past_days=3650, future_days=3650)
SINGLE = {".ics": "ics", ".ical": "ics", ".mbox": "mail", ".eml": "mail", ".csv": "csv", ".jsonl": "jsonl"}
NOTES = (".md", ".markdown")


class Tally:
    """What was found in the files of one format."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.files = self.entries = self.refused = self.crashed = 0
        self.seconds = 0.0
        self.broken: Counter[str] = Counter()

    def take(self, source: Source, where: Path, *, loud: bool) -> None:
        """Read one source to its end."""
        began = time.perf_counter()
        try:
            for one in source.entries():
                if isinstance(one, BrokenItem):
                    self.broken[" ".join(one.reason.split()[:6])] += 1
                    if loud:
                        print(f"  {where} {one.place}: {one.reason}", file=sys.stderr)
                else:
                    self.entries += 1
        except ChronoMemoryError as problem:
            self.refused += 1
            if loud:
                print(f"  {where}: refused: {problem}", file=sys.stderr)
        except Exception as problem:  # noqa: BLE001 - what this measures
            self.crashed += 1
            print(f"  {where}: CRASHED {type(problem).__name__}: {problem}", file=sys.stderr)
        self.files += 1
        self.seconds += time.perf_counter() - began


def sources(path: Path, kind: str | None) -> list[tuple[str, Path]]:
    """(format, path) of everything under a path that a connector takes by its name, or of all as one format."""
    files = [path] if path.is_file() else [one for one in sorted(path.rglob("*")) if one.is_file()]
    if kind:
        return [(kind, one) for one in files]
    found = [(SINGLE[one.suffix.lower()], one) for one in files if one.suffix.lower() in SINGLE]
    notes = [one for one in files if one.suffix.lower() in NOTES]
    return [*found, *(("markdown", one) for one in notes)]


def main() -> int:
    """Print the table; 1 if a reader crashed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--only", help="one format")
    parser.add_argument("--as", dest="kind", help="read every file as this format, whatever its name")
    parser.add_argument("--loud", action="store_true", help="name every broken entry")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args()
    connectors, tallies = FileConnectors(), dict[str, Tally]()
    for path in given.paths:
        for key, file in sources(path, given.kind):
            if given.only and key != given.only:
                continue
            tally = tallies.setdefault(key, Tally())
            try:
                source = connectors.open(file, format=key, name="", window=WINDOW)
            except ChronoMemoryError as problem:
                tally.files += 1
                tally.refused += 1
                if given.loud:
                    print(f"  {file}: refused: {problem}", file=sys.stderr)
                continue
            tally.take(source, file, loud=given.loud)
    print(f"{'format':10} {'files':>6} {'entries':>8} {'broken':>7} {'refused':>8} {'crashed':>8} {'entries/s':>10}")
    for key, tally in sorted(tallies.items()):
        broken, pace = sum(tally.broken.values()), tally.entries / max(tally.seconds, 1e-9)
        ended = f"{tally.refused:8,} {tally.crashed:8,}"
        print(f"{key:10} {tally.files:6,} {tally.entries:8,} {broken:7,} {ended} {pace:10,.0f}")
        for reason, count in tally.broken.most_common(6):
            print(f"{'':10} {count:6,} × {reason} …")
    if given.out:
        write(measured("import", told("eval.import_real", None), figures(tallies)), given.out)
    return 1 if any(one.crashed for one in tallies.values()) else 0


def figures(tallies: Mapping[str, Tally]) -> list[Row]:
    """For the results file; an entry that was not read is named with its place, a reader never crashes."""
    rows: list[Row] = []
    for key, tally in sorted(tallies.items()):
        rows.append(Row(claim=f"{key}: files", figure=tally.files))
        rows.append(share(f"{key}: entries read", tally.entries, tally.entries + sum(tally.broken.values())))
    refused, crashed = (sum(getattr(one, name) for one in tallies.values()) for name in ("refused", "crashed"))
    files = sum(one.files for one in tallies.values())
    rows.append(Row(claim="files refused", figure=refused, n=files))
    rows.append(Row(claim="readers that crashed", figure=crashed, n=files, aim="0", met=crashed == 0))
    return rows


if __name__ == "__main__":
    sys.exit(main())
