"""What every face of a ledger shares: its place, its key and its pool of read connections."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import LedgerUnavailable
from core.ledger.dialect import Connection, Place, Row

READERS = 8  # read connections a process; a Streamlit rerun is a new thread, so they are lent, not one a thread


class Pool:
    """Lends read connections; opens one when none is idle, up to a limit."""

    def __init__(self, make: Callable[[], Connection], *, size: int, wait_seconds: float, name: str) -> None:
        """Keep `make`; nothing is opened yet."""
        self._make = make
        self._name = name
        self._wait_seconds = wait_seconds
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._closed = False

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection inside a read transaction: all its queries see the same committed state.

        Raises:
            LedgerUnavailable: every connection stayed lent too long, or the pool was closed.
        """
        if not self._free.acquire(timeout=self._wait_seconds):
            msg = f"ledger {self._name}: too many readers at once, try again"
            raise LedgerUnavailable(msg)
        try:
            connection = self._take()
            try:
                with connection.transaction(writes=False):
                    yield connection
            finally:
                self._give_back(connection)
        finally:
            self._free.release()

    def close(self) -> None:
        """Close what is idle now, and what is lent as it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> Connection:
        with self._lock:
            if self._closed:
                msg = f"ledger {self._name}: it was closed"
                raise LedgerUnavailable(msg)
            if self._idle:
                return self._idle.pop()
        return self._make()

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()


class StoredHandle:
    """A pool of read-only connections to one ledger. Each call reads one committed snapshot; safe from any thread."""

    def __init__(self, place: Place, *, hmac_key: bytes | None, busy_seconds: float, readers: int) -> None:
        """Opens nothing yet."""
        self._place = place
        self._hmac_key = hmac_key
        self._busy_seconds = busy_seconds
        self._pool = Pool(self._open_reader, size=readers, wait_seconds=busy_seconds, name=place.name)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _open_reader(self) -> Connection:
        return self._place.connect(writable=False, busy_seconds=self._busy_seconds)

    def _rows(self, query: str, **values: Any) -> list[Row]:
        with self._pool.snapshot() as connection:
            return connection.rows(query, **values)

    def _row(self, query: str, **values: Any) -> Row | None:
        with self._pool.snapshot() as connection:
            return connection.row(query, **values)
