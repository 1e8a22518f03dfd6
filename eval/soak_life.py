"""One life of the serving process: started, watched by its age, and killed as the kernel kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from core.store import EmbeddedPostgres
from eval.console_process import ROOT, free_port, until_ready
from eval.processes import family, open_files, resident, share, threads

GONE_SECONDS = 30.0  # within which a killed process must be gone
PROGRAM = (sys.executable, "-m", "core.entrypoints.cli", "serve", "--address", "127.0.0.1")
CONSOLE = (sys.executable, "app.py")  # the same routes, and the pages


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """What the serving process held at an age."""

    age: float  # seconds since it was ready
    resident: int  # bytes
    threads: int
    files: int  # open descriptors
    server: int  # bytes of the embedded Postgres, shared memory counted once
    kept: int  # files in the folder of temporary files


@dataclass(kw_only=True)
class Life:
    """One serving process on a data folder; its port stays that of the soak, so that clients find it again."""

    data: Path
    port: int
    console: bool = False
    ready: float = 0.0  # seconds from its start until it was ready
    samples: list[Sample] = field(default_factory=list)
    killed: str = ""  # what was killed at its end
    _process: subprocess.Popen[bytes] | None = None
    _since: float = 0.0

    @property
    def temporary(self) -> Path:
        """Where its temporary files go."""
        return self.data.parent / "temporary"

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Its process id.

        Raises:
            RuntimeError: it was not started.
        """
        if self._process is None:
            msg = "start it first"
            raise RuntimeError(msg)
        return self._process.pid

    @property
    def age(self) -> float:
        """Seconds since it was ready."""
        return time.monotonic() - self._since

    def start(self) -> None:
        """Start it and wait until store, ledger and embedding answer.

        Raises:
            RuntimeError: it does not come up.
        """
        self.temporary.mkdir(exist_ok=True)
        self.temporary.chmod(0o1777)  # the embedded server's account uses it too
        given = {
            "CHRONOMEMORY_DATA": str(self.data),
            "PORT": str(self.port),
            "DATABASE_URL": "",
            "OPENAI_BASE_URL": "",
            "TMPDIR": str(self.temporary),
        }
        log = self.data / "soak.log"
        began = time.monotonic()
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                ["env", *(f"{name}={value}" for name, value in given.items()), *(CONSOLE if self.console else PROGRAM)],
                cwd=ROOT,
                stdout=out,
                stderr=out,
            )
        until_ready(f"{self.url}/readyz", self._process, log)
        self._since = time.monotonic()
        self.ready = self._since - began

    def look(self) -> Sample:
        """What it holds now; kept."""
        server = self.server_pid()
        self.samples.append(
            Sample(
                age=self.age,
                resident=resident(self.pid),
                threads=threads(self.pid),
                files=open_files(self.pid),
                server=sum(share(one) for one in family(server)) if server else 0,
                kept=sum(1 for one in self.temporary.rglob("*") if one.is_file()),
            )
        )
        return self.samples[-1]

    def server_pid(self) -> int | None:
        """The embedded Postgres of the folder, if it runs."""
        return EmbeddedPostgres(self.data / "postgres").pid()

    def kill(self) -> None:
        """SIGKILL to the serving process."""
        os.kill(self.pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait(timeout=GONE_SECONDS)
        self.killed = f"{self.killed} and server" if self.killed else "server"

    def kill_postgres(self, when: str = "") -> None:
        """SIGKILL to the embedded Postgres, whose other processes then end by themselves; `when` is for the record.

        Raises:
            TimeoutError: it is still there.
        """
        pid = self.server_pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + GONE_SECONDS
        while EmbeddedPostgres(self.data / "postgres").pid() == pid:
            if time.monotonic() > deadline:
                msg = f"the killed Postgres {pid} is still there"
                raise TimeoutError(msg)
            time.sleep(0.02)
        self.killed = f"postgres {when}".strip()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def end(self) -> None:
        """Kill it if it still runs: nothing of a soak outlives it."""
        if self._process is not None and self.alive:
            self._process.kill()
            self._process.wait(timeout=GONE_SECONDS)

    def stop(self) -> int:
        """Ask it to end, as an operator does; its exit status."""
        if self._process is None or self._process.poll() is not None:
            return 0
        self._process.terminate()
        return self._process.wait(timeout=90)


def new_port() -> int:
    """A port for all lives of one soak."""
    return free_port()
