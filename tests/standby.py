"""A streaming replica of a test's server, made with the bundled pg_basebackup; it can be paused, killed, stopped dead."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from core.store import EmbeddedPostgres
from core.store.processes import group_of, run

PATIENCE = 60.0


def until(what: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait until something holds, or fail."""
    deadline = time.monotonic() + patience
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def as_uri(conninfo: str) -> str:
    """An address in the form that DATABASE_READ_URLS takes."""
    given = conninfo_to_dict(conninfo)
    login = f"{given['user']}:{given['password']}" if given.get("password") else str(given["user"])
    return f"postgresql://{login}@/{given['dbname']}?host={quote(str(given['host']), safe='')}"


class Standby:
    """One replica in a folder of its own, reached through a socket there."""

    def __init__(self, primary: EmbeddedPostgres, folder: Path) -> None:
        """Copy the primary and start."""
        self.cluster, self.sockets, self.log = folder / "cluster", folder / "s", folder / "log"
        self._user = primary._owner()
        folder.mkdir(mode=0o755)
        for one in (self.cluster, self.sockets):
            one.mkdir(mode=0o700)
        self.log.touch(mode=0o600)
        if self._user is not None:
            for one in (self.cluster, self.sockets, self.log):
                os.chown(one, self._user, group_of(self._user))
        source = primary.start()
        self._run("pg_basebackup", "-d", source, "-D", str(self.cluster), "-R", "-X", "stream", "-c", "fast", "-N")
        for left in self.cluster.glob(".s.PGSQL*"):
            left.unlink()
        self._base = source
        self.start()

    def start(self) -> None:
        (self.cluster / "postmaster.pid").unlink(missing_ok=True)
        options = f"-c listen_addresses= -c unix_socket_directories={self.sockets} -c max_connections=60"
        options += (
            " -c wal_retrieve_retry_interval=200ms -c hot_standby_feedback=on -c fsync=off -c shared_buffers=64MB"
        )
        self._run("pg_ctl", "-D", str(self.cluster), "-s", "-w", "-l", str(self.log), "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        if self.pid():
            self.signal(signal.SIGCONT)
            self._run("pg_ctl", "-D", str(self.cluster), "-s", "-w", "-m", mode, "stop")

    def kill(self) -> None:
        """As the kernel does when memory runs out."""
        pid = self.pid()
        assert pid
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists())
        until(lambda: not self._processes())

    def signal(self, number: int) -> None:
        """To every process of it."""
        for pid in self._processes():
            with suppress(ProcessLookupError):  # it ended meanwhile
                os.kill(pid, number)

    def promote(self) -> None:
        self._run("pg_ctl", "-D", str(self.cluster), "-s", "-w", "promote")

    def pid(self) -> int | None:
        try:
            return int((self.cluster / "postmaster.pid").read_text().splitlines()[0])
        except (OSError, IndexError, ValueError):
            return None

    def to(self, conninfo: str, **more: str) -> str:
        """The same database here."""
        return make_conninfo(conninfo, host=str(self.sockets), **more)

    def execute(self, conninfo: str, statement: str) -> tuple:
        with psycopg.connect(self.to(conninfo), autocommit=True) as conn:
            return conn.execute(statement.encode()).fetchone() or ()

    def pause(self) -> None:
        """Receive, and replay nothing of it."""
        self.execute(self._base, "SELECT pg_wal_replay_pause()")
        until(lambda: self.execute(self._base, "SELECT pg_get_wal_replay_pause_state()") == ("paused",))

    def resume(self) -> None:
        self.execute(self._base, "SELECT pg_wal_replay_resume()")

    def searches(self) -> int:
        """Hybrid searches that the server's own log tells of (databases with log_statement = 'all')."""
        return searches_in(self.log)

    def _processes(self) -> list[int]:
        """Whose working directory the cluster is: postmaster, backends, replay."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and (entry / "cwd").samefile(self.cluster):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def _run(self, program: str, *arguments: str) -> None:
        done = run([str(EmbeddedPostgres.binary(program)), *arguments], self._user, cwd=self.cluster)
        tail = self.log.read_text(errors="replace")[-2000:]
        assert done.returncode == 0, f"{program}: {done.stderr}\n{tail}"


def searches_in(log: Path) -> int:
    """Hybrid searches that a server's log tells of."""
    return log.read_text(errors="replace").count("FROM match_words(")


def room_for(folder: Path) -> Path:
    """A temporary folder that the server's account may pass through."""
    folder.chmod(0o711)
    return folder
