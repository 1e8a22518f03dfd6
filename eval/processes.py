"""What running processes hold, as Linux tells it: memory, threads, open files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def family(pid: int) -> Sequence[int]:
    """A process and all processes below it; empty when it is gone."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    below: list[int] = []
    for task in tasks:
        try:
            below += [int(one) for one in (task / "children").read_text(encoding="ascii").split()]
        except OSError:
            continue
    return [pid, *(one for child in below for one in family(child))]


def share(pid: int) -> int:
    """Bytes of memory that are a process's own, and its part of what several share; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def resident(pid: int) -> int:
    """Bytes of a process that lie in memory; 0 when it is gone."""
    return _status(pid).get("VmRSS", 0) * 1024


def threads(pid: int) -> int:
    """How many threads a process has; 0 when it is gone."""
    return _status(pid).get("Threads", 0)


def open_files(pid: int) -> int:
    """How many descriptors a process holds; 0 when it is gone."""
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def _status(pid: int) -> dict[str, int]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name in ("VmRSS", "Threads"):
            found[name] = int(value.split()[0])
    return found
