"""A pool on a replica: every transaction asks it first whether it has the owner's last effect (docs/adr/0019)."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow

from core.model import Scope
from core.store.database import APP_ROLE, Connection, Database
from core.store.position import QUERIES
from core.store.rows import scope_params, storable

WAIT = 0.5  # seconds to wait for a connection: the primary answers meanwhile


class Behind(Exception):
    """The replica has not replayed the owner's last effect, or is none any more: the primary is to be asked."""


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
        self._asked_for.answer = conn.execute(QUERIES["holds"], params)

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


__all__ = ["Behind", "ReplicaDatabase", "shut"]
