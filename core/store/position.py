"""How far a server has come in its log, and how old what a replica holds is at most."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, dict_row

from core.errors import Misconfigured
from core.sql import load_queries
from core.store.database import CONNECT_TIMEOUT, Database, speaking_plainly

MARKS = 512  # positions of the primary that are remembered
QUERIES = load_queries("core.store", "replicas.sql")
# Where the address says nothing else: a machine that vanished is noticed in seconds, not in TCP's quarter of an hour.
_DEFAULTS: dict[str, str | int] = {
    "application_name": "chronomemory-recall",
    "connect_timeout": CONNECT_TIMEOUT,
    "tcp_user_timeout": 5_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}


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
    return Position.of(database.rows(QUERIES["position"], {})[0])


def ask_position(conn: psycopg.Connection[DictRow]) -> Position:
    """The same over one connection.

    Raises:
        psycopg.Error: it does not answer, or the role may not ask.
    """
    row = conn.execute(QUERIES["position"]).fetchone()
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


__all__ = ["QUERIES", "Marks", "Position", "ask_position", "completed", "measured", "place_of", "position_of"]
