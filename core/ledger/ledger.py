"""The ledger: the source of truth, in one place and so in one transaction.

One write connection a process, behind a lock; other processes are kept out by the transaction itself and waited for.
Reads go through read-only handles of the same place and never wait for a write.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

from core.audit import stamp
from core.errors import LedgerUnavailable
from core.ledger.backfill import backfill
from core.ledger.dialect import BUSY_SECONDS, Connection, Place
from core.ledger.handle import READERS
from core.ledger.keying import chain_key, settle_key
from core.ledger.reader import StoredLedgerReader
from core.ledger.rows import episode_of, outbox_item_of
from core.ledger.schema import migrate
from core.ledger.snapshot import copy_verified
from core.ledger.transaction import StoredLedgerTx
from core.model import Episode
from core.ports import OutboxItem


class StoredLedger(StoredLedgerReader):
    """Implements `core.ports.Ledger`. Safe from any thread; several processes may open the same place."""

    def __init__(self, place: Place, *, hmac_key: bytes | None, busy_seconds: float, readers: int) -> None:
        """Use `at`.

        Raises:
            LedgerUnavailable: it cannot be made or opened.
            Misconfigured: it is not a ledger, or its schema does not fit this version.
        """
        super().__init__(place, hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)
        self._write_lock = threading.Lock()
        self._writing_thread: int | None = None
        self._writer = place.connect(writable=True, busy_seconds=busy_seconds)
        try:
            migrate(self._writer, place.migrations())
            with self._writer.transaction(writes=True):
                settle_key(self._writer, hmac_key)
            self._hmac_key = chain_key(self._writer, hmac_key, place.name)
            backfill(self._writer)
        except BaseException:
            self._writer.close()
            raise

    @classmethod
    def at(
        cls,
        place: Place,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the ledger at a place, making what is missing and bringing its schema up to date.

        Args:
            place: a file, or a database.
            hmac_key: make the audit chain of a new ledger with HMAC under this key, and verify it so for good. One
                that was made without a key stays without one.
            busy_seconds: how long a write waits for another process, or for another thread's transaction.
            readers: how many threads read at once.

        Raises:
            LedgerUnavailable: it cannot be made or opened.
            Misconfigured: it is not a ledger, its schema does not fit this version, or it was made with another key.
        """
        place.make()
        return cls(place, hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)

    @contextmanager
    def transaction(self) -> Iterator[StoredLedgerTx]:
        """One write transaction: commits at the end, rolls back on any exception. Transactions do not nest.

        Raises:
            LedgerUnavailable: it cannot be written (locked too long, read-only, away, disk full).
        """
        with self._writing() as connection:
            tx = StoredLedgerTx(connection, hmac_key=self._hmac_key)
            try:
                yield tx
                tx.seal()
            finally:
                tx.end()

    def claim(self, *, worker: str, now: datetime, lease_seconds: float) -> Episode | None:
        """Lease the oldest unprocessed episode of any owner that has none leased; None if there is nothing to do.

        Only the first unprocessed episode of an owner can be leased, so that a postponed one holds up those after it:
        they are worked on in order of receipt. An expired lease is taken over.
        """
        at = stamp(now)
        if self._row("claimable", now=at) is None:  # an idle worker's poll takes no write lock
            return None
        with self._writing() as connection:
            found = connection.row("claimable", now=at)
            if found is None:
                return None
            episode_id = found["episode_id"]
            until = stamp(now + timedelta(seconds=lease_seconds))
            connection.change("lease", episode_id=episode_id, worker=worker, until=until)
            row = connection.rows("episode", episode_id=episode_id)[0]
        return episode_of(row)

    def renew(self, episode_id: str, *, worker: str, now: datetime, lease_seconds: float) -> bool:
        """Prolong a lease while its work goes on; False if it is no longer this worker's."""
        until = stamp(now + timedelta(seconds=lease_seconds))
        with self._writing() as connection:
            return connection.change("renew", episode_id=episode_id, worker=worker, until=until) == 1

    def release(self, episode_id: str, *, worker: str, retry_at: datetime) -> None:
        """Give a lease back unfinished; not claimed again before `retry_at`. A lease that was lost stays lost."""
        with self._writing() as connection:
            connection.change("release", episode_id=episode_id, worker=worker, retry_at=stamp(retry_at))

    def outbox(self, *, limit: int = 100) -> list[OutboxItem]:
        """Effects not yet applied, in order."""
        return [outbox_item_of(row) for row in self._rows("outbox", limit=limit)]

    def compact(self) -> None:
        """Leave nothing in the ledger's own files of what was deleted: to be called after a purge or an erasure.

        Writes them anew, so it takes as long as copying them. In a file, readers go on and writers wait; in a database
        both wait, and what the server keeps beside its tables (write-ahead log, standbys, dumps) is its operator's.

        Raises:
            LedgerUnavailable: a reader held the old state too long, or the disk has no room for a copy: call it again.
        """
        with self._locked() as connection:
            self._place.compact(connection, busy_seconds=self._busy_seconds)

    def snapshot(self, path: Path | str) -> tuple[int, str]:
        """Copy the ledger as it stands into a new SQLite file while work goes on, and verify the copy.

        Returns:
            Head of the copy's audit chain, to be kept elsewhere.

        Raises:
            BadInput: `path` exists.
            AuditBroken: the chain does not verify; no copy is left.
        """
        with self._pool.snapshot() as connection:
            return copy_verified(lambda part: self._place.copy(connection, part), Path(path), hmac_key=self._hmac_key)

    def close(self) -> None:
        """Close every connection, once a transaction in progress has ended."""
        super().close()
        with self._write_lock:
            self._writer.close()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The write connection inside a transaction that keeps other writers out."""
        with self._locked() as connection, connection.transaction(writes=True):
            yield connection

    @contextmanager
    def _locked(self) -> Iterator[Connection]:
        """The write connection, this thread's alone."""
        me = threading.get_ident()
        if self._writing_thread == me:
            msg = "ledger transactions do not nest: use the one that is open"
            raise RuntimeError(msg)
        if not self._write_lock.acquire(timeout=self._busy_seconds):
            msg = f"ledger {self._place.name}: another thread's transaction held it too long: try again"
            raise LedgerUnavailable(msg)
        self._writing_thread = me
        try:
            yield self._writer
        finally:
            self._writing_thread = None
            self._write_lock.release()
