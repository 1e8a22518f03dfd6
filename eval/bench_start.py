"""How long until somebody can sign in: the real process, from its start to the sign-in page and to readiness."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GIVE_UP = 120.0  # seconds
POLL = 0.02  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class StartResult:
    """Seconds from starting the process."""

    login: float  # until GET /login is 200
    ready: float  # until GET /readyz is 200: store, ledger and embedding model answer


def measure_starts(later: int) -> tuple[StartResult, list[StartResult]]:
    """The first start on an empty data folder, which makes the store, and `later` starts on that folder."""
    with tempfile.TemporaryDirectory(prefix="chronomemory-bench-", ignore_cleanup_errors=True) as folder:
        first = _start(Path(folder))
        return first, [_start(Path(folder)) for _ in range(later)]


def _start(data: Path) -> StartResult:
    port = _free_port()
    command = ["env", f"PORT={port}", f"CHRONOMEMORY_DATA={data}", sys.executable, "app.py"]
    with (data / "console.log").open("ab") as log:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        login = _until(f"http://127.0.0.1:{port}/login", process, began)
        ready = _until(f"http://127.0.0.1:{port}/readyz", process, began)
    finally:
        process.terminate()
        process.wait(timeout=60)
    return StartResult(login=login, ready=ready)


def _until(address: str, process: subprocess.Popen[bytes], began: float) -> float:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.perf_counter() - began < GIVE_UP:
        if process.poll() is not None:
            break
        try:
            with opener.open(address, timeout=5) as answer:
                if answer.status == 200:
                    return time.perf_counter() - began
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(POLL)
    msg = f"{address} did not answer 200 within {GIVE_UP:.0f} s"
    raise RuntimeError(msg)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
