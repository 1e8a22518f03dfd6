"""One streaming replica: what it may answer, how old what it holds is at most, and when it is left alone.

Two bounds (docs/adr/0019). Of an owner whose recall it is to answer it must have replayed the last effect that the
ledger holds: every transaction asks it, so that a forgotten or replaced fact comes from no replica that has yet to hear
of it. And whatever is no effect may be as old as the bound on staleness: a watch compares its position with the
primary's.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, dict_row

from core.errors import ChronoMemoryError, Misconfigured
from core.model import Scope
from core.sql import load_queries
from core.store.database import APP_ROLE, CONNECT_TIMEOUT, Connection, Database, speaking_plainly
from core.store.reader import PostgresReader
from core.store.rows import scope_params, storable

log = logging.getLogger(__name__)

WAIT = 0.5  # seconds to wait for a connection: the primary answers meanwhile
PATIENCE = 5.0  # seconds that a replica may take for one transaction before its connection is cut
LONGEST_PAUSE = 10.0  # seconds between looks at a replica that is away, and that one which failed is left alone
LONGEST_LOOK = 1.0  # seconds between looks at one that answers
LOOKS = 5  # within the bound on staleness
MARKS = 512  # positions of the primary that are remembered
_QUERIES = load_queries("core.store", "replicas.sql")
# Where the address says nothing else: a machine that vanished is noticed in seconds, not in TCP's quarter of an hour.
_DEFAULTS: dict[str, str | int] = {
    "application_name": "chronomemory-recall",
    "connect_timeout": CONNECT_TIMEOUT,
    "tcp_user_timeout": 5_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}


class Behind(Exception):
    """The replica has not replayed the owner's last effect, or is none any more: the primary is to be asked."""


class Condition(StrEnum):
    """What a replica is good for, as its last look found it."""

    UNSEEN = "not looked at yet"
    FRESH = "in use"
    BEHIND = "behind"
    DOWN = "down"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """How far a server has come."""

    standby: bool  # it replays what another one writes
    lsn: int  # bytes of the log: flushed, or of a standby replayed
    server: tuple[int, int]  # system identifier of the cluster, oid of the database

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Position:
        """A row of the query `position`."""
        return cls(standby=row["standby"], lsn=row["lsn"], server=(row["cluster"], row["database"]))


def position_of(database: Database) -> Position:
    """How far the server behind a pool has come.

    Raises:
        StoreUnavailable: it does not answer.
        Misconfigured: the role may not ask.
    """
    return Position.of(database.rows(_QUERIES["position"], {})[0])


def ask_position(conn: psycopg.Connection[DictRow]) -> Position:
    """The same over one connection.

    Raises:
        psycopg.Error: it does not answer, or the role may not ask.
    """
    row = conn.execute(_QUERIES["position"]).fetchone()
    if row is None:
        msg = "the server gave no position"
        raise psycopg.OperationalError(msg)
    return Position.of(row)


def completed(conninfo: str) -> str:
    """An address with what this module adds where it says nothing itself.

    Raises:
        Misconfigured: libpq cannot read it. The message does not repeat it: it may hold a password.
    """
    with contextlib.suppress(psycopg.ProgrammingError):
        if conninfo.startswith(("postgresql://", "postgres://")):
            return make_conninfo(make_conninfo("", **_DEFAULTS), **conninfo_to_dict(conninfo))
    msg = "is no address that libpq reads: postgresql://user@host:port/database"
    raise Misconfigured(msg)


def place_of(conninfo: str) -> str:
    """Host and port of an address, for a log: no user, no password."""
    given = conninfo_to_dict(conninfo)
    return f"{given.get('host') or given.get('hostaddr') or 'localhost'}:{given.get('port') or 5432}"


class Marks:
    """Where the primary was, and when. A replica that has replayed a mark holds all that was committed by then.

    The time is this process's own, taken before the primary was asked: no other clock counts, and a primary that nobody
    writes to leaves its replicas as fresh as the last mark.
    """

    def __init__(self) -> None:
        """None yet."""
        self._marks: deque[tuple[float, int]] = deque(maxlen=MARKS)

    def note(self, at: float, lsn: int) -> None:
        """Note a position; one that lies before the last is another primary's, and what was noted counts no more."""
        if self._marks and lsn < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((at, lsn))

    def covered(self, lsn: int) -> float | None:
        """The latest time whose mark lies within `lsn`; None: no mark does."""
        found = None
        while self._marks and self._marks[0][1] <= lsn:
            found = self._marks.popleft()
        if found is None:
            return None
        self._marks.appendleft(found)  # the next look may find no later one
        return found[0]


class ReplicaDatabase(Database):
    """A pool on a replica. Every transaction reads, and asks first whether the owner's last effect is there."""

    def __init__(self, conninfo: str, *, pool_size: int = 8) -> None:
        """Nothing is connected before the first transaction.

        Args:
            conninfo: as `completed` gives it; a pooler may stand in between.
            pool_size: most connections at a time.
        """
        super().__init__(
            conninfo, role=APP_ROLE, prepare=lambda _way: None, read_only=True, pool_size=pool_size, wait=WAIT
        )
        self._lent = True  # all that a transaction relies on is set within it
        self._asked_for = threading.local()
        self._out_lock = threading.Lock()
        self._out: dict[int, tuple[psycopg.Connection[Any], float]] = {}

    @contextmanager
    def holding(self, effect_id: str) -> Iterator[None]:
        """In this block, this thread's transactions fail unless the replica has that effect of theirs."""
        self._asked_for.effect_id = effect_id
        try:
            yield
        finally:
            self._asked_for.effect_id = ""

    @contextmanager
    def transaction(self, scope: Scope | None = None) -> Iterator[Connection]:
        """As the primary's.

        Raises:
            StoreUnavailable: the replica does not answer.
            Behind: it must not.
        """
        with self._lent_out(), super().transaction(scope) as conn:
            self._check()
            yield conn

    @contextmanager
    def _asked(
        self, query: str, params: Mapping[str, Any], scope: Scope | None, first: str | None
    ) -> Iterator[psycopg.Cursor[DictRow]]:
        with self._lent_out(), super()._asked(query, params, scope, first) as cursor:
            self._check()
            yield cursor

    def _begin(self, conn: Connection, scope: Scope | None) -> None:
        with self._out_lock:
            self._out[threading.get_ident()] = (conn, time.monotonic())
        super()._begin(conn, scope)
        effect_id = getattr(self._asked_for, "effect_id", "")
        if not effect_id or scope is None:
            msg = "nothing is read from a replica without an owner and their last effect"
            raise Behind(msg)
        # Not read before the pipeline ends: the answer comes with that of the statements behind it.
        params = scope_params(scope) | {"effect_id": storable(effect_id)}
        self._asked_for.answer = conn.execute(_QUERIES["holds"], params)

    def _check(self) -> None:
        row = self._asked_for.answer.fetchone()
        if row is None or not row["holds"]:
            raise Behind

    # --- a server that neither answers nor closes ---------------------------------------------------------------

    def cut(self, longer_than: float) -> int:
        """Close under its user's hands every connection that is in use for longer (seconds); returns how many.

        That user meets an operational error, as if the server had gone, and turns to the primary.
        """
        now, cut = time.monotonic(), 0
        with self._out_lock:
            for conn, since in self._out.values():
                if now - since > longer_than:
                    cut += shut(conn)
        return cut

    @contextmanager
    def _lent_out(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._out_lock:
                self._out.pop(threading.get_ident(), None)


def shut(conn: psycopg.Connection[Any]) -> bool:
    """End a connection's traffic from another thread than the one that waits on it; whether there was any to end."""
    with contextlib.suppress(psycopg.Error, OSError):
        with socket.socket(fileno=os.dup(conn.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)
        return True
    return False


class Replica:
    """A replica with its pool, its watch and what the watch found."""

    def __init__(
        self,
        number: int,
        conninfo: str,
        *,
        reader: Callable[[Database], PostgresReader],
        primary: Callable[[], Position],
        staleness: float,
    ) -> None:
        """Nothing is connected yet.

        Args:
            number: from 1: by which health speaks of it.
            conninfo: as `completed` gives it.
            reader: makes the reader over the pool.
            primary: how far the primary has come; may raise StoreUnavailable.
            staleness: seconds that what it holds may be old.
        """
        self.number, self.place = number, place_of(conninfo)
        self.condition, self.why = Condition.UNSEEN, ""
        self.age: float | None = None  # seconds, at most, at the last look; None: not known
        self.busy, self.turn = 0, 0  # reads under way, reads in all
        self.database = ReplicaDatabase(conninfo)
        self.reader = reader(self.database)
        self._conninfo, self._primary, self._staleness = conninfo, primary, staleness
        self._marks = Marks()
        self._fresh_until = 0.0  # by the monotonic clock
        self._left_until = 0.0  # after a failure
        self._failures = 0
        self._pause = 0.0
        self._probe: psycopg.Connection[DictRow] | None = None
        self._asking_since: float | None = None
        self._closing, self._look_now = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name=f"replica-{number}", daemon=True)

    # --- what is read -------------------------------------------------------------------------------------------

    @property
    def usable(self) -> bool:
        """Whether it may be asked at this moment."""
        now = time.monotonic()
        return now < self._fresh_until and now >= self._left_until

    def failed(self, problem: Exception) -> None:
        """A read failed: it is left alone for a while, twice as long each time, and looked at."""
        self._failures += 1
        self._left_until = time.monotonic() + min(LONGEST_PAUSE, 0.25 * 2 ** min(self._failures, 10))
        log.info("replica %d did not answer a recall, the primary does: %s", self.number, first_line(problem))
        self._look_now.set()

    def answered(self) -> None:
        """A read went well."""
        self._failures = 0

    # --- the watch ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and close every connection."""
        self._closing.set()
        self._look_now.set()
        self._cut_probe(0.0)
        if self._thread.is_alive():
            self._thread.join(timeout=CONNECT_TIMEOUT + 1)
        self.database.close()

    def guard(self) -> None:
        """Cut what hangs: a stopped server neither answers nor closes."""
        self.database.cut(PATIENCE)
        self._cut_probe(PATIENCE)
        self.reader.age()

    def look(self) -> None:
        """Compare its position with the primary's."""
        at = time.monotonic()
        try:
            primary = self._primary()
        except (ChronoMemoryError, psycopg.Error) as problem:
            # Nothing can be said of it: what was said runs out by itself.
            if time.monotonic() >= self._fresh_until:
                self._found(Condition.UNSEEN, f"the primary does not say how far it is: {first_line(problem)}")
            return
        self._marks.note(at, primary.lsn)
        try:
            here = self._ask()
        except psycopg.Error as problem:
            self._found(Condition.DOWN, first_line(problem))
            return
        if not here.standby:
            self._found(Condition.REFUSED, "it replays nothing: it was promoted, or it is the primary")
        elif here.server != primary.server:
            self._found(Condition.REFUSED, "it is no replica of the store's server and database")
        else:
            self._compare(here)

    def _compare(self, here: Position) -> None:
        since = self._marks.covered(here.lsn)
        self.age = None if since is None else time.monotonic() - since
        if since is not None and self.age is not None and self.age < self._staleness:
            self._fresh_until = since + self._staleness
            self._found(Condition.FRESH, "")
        else:
            known = "by more than is known" if self.age is None else f"by up to {self.age:.1f} s"
            self._found(Condition.BEHIND, f"{known}; {self._staleness:g} s are allowed")

    def _found(self, condition: Condition, why: str) -> None:
        if condition is not Condition.FRESH:
            self._fresh_until = 0.0
        if condition is not self.condition:
            level = logging.INFO if condition is Condition.FRESH else logging.WARNING
            log.log(level, "replica %d (%s) is %s%s", self.number, self.place, condition, f": {why}" if why else "")
        self.condition, self.why = condition, why

    def _ask(self) -> Position:
        self._asking_since = time.monotonic()
        try:
            if self._probe is None or self._probe.closed:
                self._probe = psycopg.connect(
                    self._conninfo, autocommit=True, row_factory=dict_row, prepare_threshold=None
                )
            return ask_position(self._probe)
        except psycopg.Error:
            if self._probe is not None:
                self._probe.close()
                self._probe = None
            raise
        finally:
            self._asking_since = None

    def _cut_probe(self, longer_than: float) -> None:
        probe, since = self._probe, self._asking_since
        if probe is not None and since is not None and time.monotonic() - since > longer_than:
            shut(probe)

    def _watch(self) -> None:
        often = min(LONGEST_LOOK, self._staleness / LOOKS)
        while not self._closing.is_set():
            try:
                self.look()
            except Exception:  # the thread's outermost edge: a fault in it must not leave what was found for ever
                log.exception("replica %d could not be looked at", self.number)
                self._found(Condition.DOWN, "it could not be looked at")
            away = self.condition in (Condition.DOWN, Condition.REFUSED)
            self._pause = min(LONGEST_PAUSE, max(often, 2 * self._pause)) if away else often
            self._look_now.wait(self._pause)
            self._look_now.clear()
        if self._probe is not None:
            self._probe.close()


def first_line(problem: Exception) -> str:
    """What a driver says, on one line."""
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


def measured(conninfo: str, primary: str, *, patience: float) -> tuple[Position, Position, float | None]:
    """Where primary and replica are, and how long the replica took to reach the primary's position.

    Args:
        conninfo: the replica's address.
        primary: the primary's.
        patience: seconds it is waited for.

    Returns:
        The primary's position, the replica's last one, and seconds; None: it did not reach it.

    Raises:
        StoreUnavailable, Misconfigured: one of them does not answer, or its role may not ask.
    """
    with speaking_plainly():
        with psycopg.connect(primary, row_factory=dict_row, connect_timeout=CONNECT_TIMEOUT) as conn:
            there = ask_position(conn)
        began = time.monotonic()
        with psycopg.connect(
            completed(conninfo), autocommit=True, row_factory=dict_row, prepare_threshold=None
        ) as conn:
            while True:
                here = ask_position(conn)
                took = time.monotonic() - began
                if not here.standby or here.server != there.server or here.lsn >= there.lsn:
                    return there, here, took
                if took >= patience:
                    return there, here, None
                time.sleep(0.05)


__all__ = ["Behind", "Condition", "Marks", "Position", "Replica", "completed", "measured", "place_of", "position_of"]
