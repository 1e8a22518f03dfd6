"""Measure the claims and print one table: `make eval`, or `make eval-full DATA=folder`.

    python -m eval.proof [--data FOLDER] [--full] [--only NAME]…

Runs the rows of `eval/registry.py`: those that take minutes and need no data, and with `--data` those whose files are
found by name under that folder; with `--full` those that take hours too. Each command runs alone, one after the other,
and its figures go into `eval/measured`; RESULTS.md, the README's figures and the pictures are written from there. What
was not run keeps its earlier result and is named. Exit status 1 if an aim is missed that the registry does not know to
be missed, or if a command failed.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval import figures, tables
from eval.digests import ROOT
from eval.pictures import NoBrowser, chromium
from eval.registry import MEASURES, Measure, measure
from eval.results import FOLDER, Result, read, write

PATIENCE = 10.0  # times the expected minutes: after that a command hangs
TOLD = 25  # last lines of a command that failed


@dataclass(kw_only=True)
class Run:
    """What was measured, what was left out and why, and which commands failed."""

    results: dict[str, Result] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def where(data: Path | None, names: Sequence[str]) -> dict[str, Path]:
    """The files of these names under the folder of data; what is missing is missing."""
    if data is None:
        return {}
    found = ((name, next(iter(sorted(data.rglob(name))), None)) for name in names)
    return {name: path for name, path in found if path is not None}


def left_out(entry: Measure, files: dict[str, Path], *, full: bool, named: bool) -> str:
    """Why a row is not run; "" if it is."""
    missing = [name for name in entry.data if name not in files]
    if not entry.run:
        return "a first look, which cannot be repeated"
    if missing:
        return f"no {' or '.join(missing)} under DATA"
    if not (full or named or entry.quick):
        return f"takes about {entry.minutes:g} minutes: make eval-full"
    return lacking(entry)


def lacking(entry: Measure) -> str:
    """What a row needs beside data and is not there; "" if nothing is."""
    if entry.needs == "peers":
        return "" if _peers().is_dir() else f"no environments of peers in {_peers().name}: {entry.command} makes them"
    if entry.needs == "chromium":
        return "" if chromium() else "no Chromium"
    if entry.needs and importlib.util.find_spec(entry.needs) is None:
        return f"{entry.needs} is not installed"
    return ""


def _peers() -> Path:
    from eval.peers.roster import VENVS  # noqa: PLC0415 - read from the environment when it is imported

    return VENVS


def once(entry: Measure, files: dict[str, Path], out: Path, log: Path) -> str:
    """Run one command; "" or what went wrong. A missed aim is no failure here: the figures say so."""
    given = [str(files[one[1:-1]]) if one.startswith("{") else one for one in entry.run]
    command = [sys.executable, "-m", *given, "--out", str(out)]
    patience = 60 * PATIENCE * entry.minutes
    with log.open("wb") as told:
        try:
            done = subprocess.run(
                command, cwd=ROOT, stdout=told, stderr=subprocess.STDOUT, timeout=patience, check=False
            )
        except subprocess.TimeoutExpired:
            return f"took longer than {patience / 60:.0f} minutes"
    if not out.exists():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TOLD:]
        return "\n".join([f"ended with {done.returncode} and no figures", *lines])
    result = read(out)
    if done.returncode and not any(row.met is False for row in result.rows):
        return f"ended with {done.returncode}, though no aim is missed"
    return ""


def run(
    entries: Sequence[Measure],
    files: dict[str, Path],
    *,
    full: bool,
    named: bool,
    keep: Path,
    say: Callable[[str], None],
) -> Run:
    """Every row that can be run, one after the other; each result is kept as soon as it is there."""
    made = Run()
    for entry in entries:
        why = left_out(entry, files, full=full, named=named)
        if why:
            made.left[entry.name] = why
            continue
        say(f"{entry.name}: {entry.title}; about {entry.minutes:g} minutes")
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="chronomemory-proof-") as folder:
            out = Path(folder) / f"{entry.name}.json"
            problem = once(entry, files, out, Path(folder) / "log")
            if out.exists():
                made.results[entry.name] = read(out)
                write(made.results[entry.name], keep / f"{entry.name}.json")
        if problem:
            made.failed[entry.name] = problem
        say(f"   {time.monotonic() - began:.0f} s{f'; FAILED: {problem}' if problem else ''}")
    return made


def told(made: Run) -> str:
    """The table, and what it does not hold."""
    lines = [tables.table(made.results)]
    if made.left:
        lines.append("\nnot measured this time; earlier figures stay, see eval/RESULTS.md")
        lines += [f"   {name}: {why}" for name, why in made.left.items()]
    aims = [row for one in made.results.values() for row in one.rows if row.met is not None]
    known = sum(row.met is False and bool(row.known) for row in aims)
    unknown = tables.unknown_misses(made.results)
    lines.append(
        f"\naims: {sum(bool(row.met) for row in aims)} met, {known} MISSED as known, {len(unknown)} MISSED anew"
    )
    lines += [f"   MISSED: {one}" for one in unknown]
    lines += [f"   FAILED: {name}: {why.splitlines()[0]}" for name, why in made.failed.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write and print; exit status 1 if an aim is missed anew or a command failed."""
    parser = argparse.ArgumentParser(prog="python -m eval.proof", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder under which the files of data are looked for by name")
    parser.add_argument("--full", action="store_true", help="what takes hours too")
    parser.add_argument("--only", action="append", metavar="NAME", help="these rows only, however long they take")
    given = parser.parse_args(arguments)
    try:
        entries = [measure(name) for name in given.only] if given.only else list(MEASURES)
    except LookupError as problem:
        parser.error(str(problem))
    files = where(given.data, [name for entry in entries for name in entry.data])
    made = run(
        entries, files, full=given.full, named=bool(given.only), keep=FOLDER, say=lambda line: print(line, flush=True)
    )
    try:
        figures.publish()
    except (LookupError, NoBrowser) as problem:
        made.failed["pages"] = str(problem)
    print(f"\n{told(made)}")
    return int(bool(made.failed or tables.unknown_misses(made.results)))


if __name__ == "__main__":
    sys.exit(main())
