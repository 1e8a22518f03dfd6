"""Fill a throw-away installation and serve it on loopback: `make demo`, or `python -m demo`.

    python -m demo [--port N] [--data FOLDER] [--fill-only]

Without --data the folder is a temporary one and is deleted when the demonstration is stopped (Ctrl-C). With it the
folder is kept: `CHRONOMEMORY_DEMO=true CHRONOMEMORY_DATA=FOLDER PORT=8502 python app.py` shows it again.
"""

from __future__ import annotations

import argparse
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from types import FrameType
from typing import NoReturn

from core.bootstrap import SystemClock
from core.errors import ChronoMemoryError
from demo.fill import ALONE, Filled, fill
from demo.story import Step, StoryError

ROOT = Path(__file__).resolve().parents[1]
PORT = 8502  # beside `make run`, which takes 8501
READY_SECONDS = 120.0
ACCOUNTS = ("member", "reviewer", "admin")


class Progress:
    """A line a chapter, with the share that is done."""

    def __init__(self) -> None:
        """Nothing is said yet."""
        self._began = time.monotonic()
        self._tenth = -1

    def __call__(self, number: int, total: int, step: Step) -> None:
        """Say where the story is, ten times in all."""
        tenth = number * 10 // total
        if tenth != self._tenth:
            self._tenth = tenth
            passed = time.monotonic() - self._began
            print(f"  {tenth * 10:>3} %  {step.at:%d %B}  {step.chapter}  ({passed:.0f} s)", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill, serve until stopped, clean up; the exit status is 0 unless something could not be done."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--port", type=int, default=PORT, help=f"of the console, on loopback ({PORT})")
    parser.add_argument("--data", type=Path, help="a new or empty folder that is kept; none: a temporary one")
    parser.add_argument("--fill-only", action="store_true", help="fill the folder of --data and do not serve")
    given = parser.parse_args(arguments)
    if given.fill_only and given.data is None:
        parser.error("--fill-only needs --data: a temporary folder would be gone again")
    if not given.fill_only and not _free(given.port):
        print(f"Port {given.port} is taken. Name another one: --port, or make demo DEMO_PORT=…", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, _stop)
    with ExitStack() as stack:
        folder = given.data or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="chronomemory-demo-", ignore_cleanup_errors=True))
        )
        password = secrets.token_urlsafe(12)
        try:
            print(f"Making demo data in {folder}: some months of a made-up story, through the real write path.")
            filled = fill(folder, password, now=SystemClock().now(), progress=Progress())
            _say(filled)
            if given.fill_only:
                _sign_ins("later, when it is served", password)
                return 0
            return _serve(folder, given.port, password)
        except (ChronoMemoryError, StoryError) as problem:
            print(f"\n{problem}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("\nStopped." + ("" if given.data else " The demo data is deleted."))
            return 0


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _say(filled: Filled) -> None:
    left = filled.left
    print(f"  100 %  {filled.steps} steps in {filled.seconds:.0f} s")
    print("memories: " + ", ".join(f"{count} {name}" for name, count in left.statuses.most_common()))
    print(
        f"held: {left.held} (" + ", ".join(f"{name} {count}" for name, count in left.held_reasons.most_common()) + ")"
    )
    print(
        f"questions to their owners: {left.questions} · vouched for: {left.vouched} · pinned: {left.pinned} · "
        f"recalled: {left.recalled} · audit entries: {left.audit_entries}, chain verified"
    )


def _sign_ins(where: str, password: str) -> None:
    print(f"\nSign in ({where}):")
    for name in ACCOUNTS:
        print(f"  {name:<9} {password}")
    print(flush=True)


def _serve(folder: Path, port: int, password: str) -> int:
    """Run the console in a process of its own until it ends or this one is stopped."""
    alone = {name.upper(): "" for name, value in ALONE.items() if value == ""}
    environment = {
        **alone,
        "CHRONOMEMORY_DEMO": "true",
        "CHRONOMEMORY_DATA": str(folder.resolve()),
        "CHRONOMEMORY_ADDRESS": "127.0.0.1",
        "CHRONOMEMORY_PUBLIC_URL": "",
        "CHRONOMEMORY_POLICY": str(ROOT / "core" / "policies" / "default.toml"),
        "PORT": str(port),
    }
    pairs = [f"{name}={value}" for name, value in environment.items()]
    command = ["env", *pairs, sys.executable, "app.py"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        if not _ready(process, port):
            print(f"The console did not start; is port {port} free? See the lines above.", file=sys.stderr)
            return 1
        _sign_ins(f"http://localhost:{port}, Ctrl-C ends the demonstration", password)
        return process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=60)


def _free(port: int) -> bool:
    """Whether nothing listens there: asked before a minute goes into the filling."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _ready(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + READY_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                if answer.status == HTTPStatus.OK:
                    return True
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.3)
    return False


if __name__ == "__main__":
    sys.exit(main())
