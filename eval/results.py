"""Figures in one shape for README and the results file: what is claimed, the figure, its interval, and its aim."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One figure; `low` and `high` are its interval or spread, `met` is None where there is no aim."""

    claim: str
    figure: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    aim: str = ""
    met: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One command's figures, and when and on what machine they were measured."""

    name: str
    command: str
    date: str
    machine: str
    rows: tuple[Row, ...]


def measured(name: str, command: str, rows: list[Row]) -> Result:
    """A result of now and of this machine."""
    return Result(
        name=name,
        command=command,
        date=datetime.now(UTC).date().isoformat(),  # noqa: TID251 - the day of the measurement
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        rows=tuple(rows),
    )


def write(result: Result, path: Path) -> None:
    """Write it as JSON."""
    path.write_text(json.dumps(asdict(result), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> Result:
    """Read what `write` wrote."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return Result(**(found | {"rows": tuple(Row(**row) for row in found["rows"])}))
