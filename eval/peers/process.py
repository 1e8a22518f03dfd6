"""A peer's child process, from the parent's side: start it, ask it, weigh it, kill it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from eval.processes import family, share

HERE = Path(__file__).parent
GRACE = 30.0  # seconds to close in
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH")


class PeerCannot(Exception):
    """The peer said that it has no way to do this."""


class PeerFailed(Exception):
    """The peer raised, died, or did not answer in time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """How a peer is started: the interpreter of its environment and its script."""

    name: str
    python: Path
    script: Path

    def command(self) -> list[str]:
        """The command line."""
        return [str(self.python), str(self.script)]


class Child:
    """One started peer. A context manager: leaving it ends the process, kindly first."""

    def __init__(self, made: Made, *, log: Path, extra: Mapping[str, str] | None = None) -> None:
        """Start it; standard error goes to `log`. It sees no keys: only what it needs of our environment."""
        self.name = made.name
        self._log = log.open("ab")
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}  # noqa: TID251 - passed on, not read
        offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            made.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=kept | offline | dict(extra or {}),
            start_new_session=True,
        )
        self._waiting = b""

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it, or kill it if it does not close."""
        self.close()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, op: str, *, timeout: float = 600.0, **fields: Any) -> dict[str, Any]:
        """One request and its reply.

        Raises:
            PeerCannot: it has no way to do this.
            PeerFailed: it raised, died, or took longer than `timeout` seconds.
        """
        self.post(op, **fields)
        return self.reply(timeout=timeout)

    def post(self, op: str, **fields: Any) -> None:
        """Send a request without waiting for its reply."""
        if self._process.stdin is None:
            raise PeerFailed(self.name)
        try:
            self._process.stdin.write(json.dumps({"op": op, **fields}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as problem:
            msg = f"{self.name} is gone: {problem}"
            raise PeerFailed(msg) from problem

    def reply(self, *, timeout: float = 600.0) -> dict[str, Any]:
        """The next reply; raises as `ask` does."""
        reply: dict[str, Any] = json.loads(self._line(timeout))
        if "cannot" in reply:
            raise PeerCannot(reply["cannot"])
        if "error" in reply:
            raise PeerFailed(reply["error"])
        return reply

    def _line(self, timeout: float) -> bytes:
        stream = self._process.stdout
        if stream is None:
            raise PeerFailed(self.name)
        while b"\n" not in self._waiting:
            ready, _, _ = select.select([stream], [], [], timeout)
            if not ready:
                msg = f"{self.name} did not answer within {timeout:.0f} s"
                raise PeerFailed(msg)
            part = os.read(stream.fileno(), 1 << 16)
            if not part:
                msg = f"{self.name} ended without an answer"
                raise PeerFailed(msg)
            self._waiting += part
        line, self._waiting = self._waiting.split(b"\n", 1)
        return line

    def resident(self) -> int:
        """Bytes of memory that it and its own child processes hold; shared pages are counted in shares."""
        return sum(share(pid) for pid in family(self.pid))

    def kill(self) -> None:
        """SIGKILL, to it and every process that it started."""
        for pid in family(self.pid):
            _signal(pid, signal.SIGKILL)
        self._process.wait()

    def left(self) -> int:
        """How many more replies a killed child had written before it died."""
        rest, stream = self._waiting, self._process.stdout
        if stream is not None:
            rest += stream.read()
        self._waiting = b""
        return rest.count(b"\n")

    def close(self) -> None:
        """End it: asked to close, then killed."""
        if self._process.poll() is None:
            try:
                self.ask("close", timeout=GRACE)
                self._process.wait(timeout=GRACE)
            except (PeerCannot, PeerFailed, subprocess.TimeoutExpired):
                self.kill()
        self._end()

    def _end(self) -> None:
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:  # what was still buffered has nobody to go to
                    continue
        self._log.close()


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
