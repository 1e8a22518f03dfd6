"""The SQLite ledger: the source of truth, in one file and so in one transaction.

One write connection a process, behind a lock; other processes are kept out by `BEGIN IMMEDIATE` and waited for. Reads
go through read-only handles of the same file and never wait for a write (write-ahead log).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self, cast

from core.audit import stamp
from core.errors import LedgerUnavailable
from core.ledger.backfill import backfill
from core.ledger.connection import BUSY_SECONDS, SqliteConnection, migrate
from core.ledger.dialect import Connection
from core.ledger.handle import READERS
from core.ledger.keying import chain_key, settle_key
from core.ledger.reader import SqliteLedgerReader
from core.ledger.rows import episode_of, outbox_item_of
from core.ledger.snapshot import copy_verified
from core.ledger.transaction import SqliteLedgerTx
from core.model import Episode
from core.ports import OutboxItem


class SqliteLedger(SqliteLedgerReader):
    """Implements `core.ports.Ledger`. Safe from any thread; several processes may open the same file."""

    def __init__(self, path: Path | str, *, hmac_key: bytes | None, busy_seconds: float, readers: int) -> None:
        """Use `open`.

        Raises:
            LedgerUnavailable: the file cannot be made or opened.
            Misconfigured: it is not a ledger, or its schema does not fit this version.
        """
        super().__init__(path, hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)
        self._write_lock = threading.Lock()
        self._writing_thread: int | None = None
        self._writer = self._open_writer()
        try:
            migrate(self._writer, self._migrations())
            with self._writer.transaction(writes=True):
                settle_key(self._writer, hmac_key)
            self._hmac_key = chain_key(self._writer, hmac_key, self._path)
            backfill(self._writer)
        except BaseException:
            self._writer.close()
            raise

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the ledger, making the file (readable by its owner only) and bringing its schema up to date.

        Args:
            path: the ledger's file.
            hmac_key: make the audit chain of a new file with HMAC under this key, and verify it so for good. A file
                that was made without a key stays without one.
            busy_seconds: how long a write waits for another process, or for another thread's transaction.
            readers: how many threads read at once.

        Raises:
            LedgerUnavailable: the file cannot be made or opened.
            Misconfigured: it is not a ledger, its schema does not fit this version, or it was made with another key.
        """
        path = Path(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)
        except OSError as error:
            msg = f"ledger {path}: it cannot be made: check that the folder exists and may be written ({error})"
            raise LedgerUnavailable(msg) from error
        return cls(path, hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)

    @contextmanager
    def transaction(self) -> Iterator[SqliteLedgerTx]:
        """One write transaction: commits at the end, rolls back on any exception. Transactions do not nest.

        Raises:
            LedgerUnavailable: the file cannot be written (locked too long, read-only, disk full).
        """
        with self._writing() as connection:
            tx = SqliteLedgerTx(connection, hmac_key=self._hmac_key)
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
        """Leave no byte in the file or its log of what was deleted: to be called after a purge or an erasure.

        Writes the file anew, so it takes as long as copying it; readers go on, writers wait.

        Raises:
            LedgerUnavailable: a reader held the old state too long, or the disk has no room for a copy: call it again.
        """
        with self._locked() as connection:
            cast("SqliteConnection", connection).compact(self._busy_seconds)

    def snapshot(self, path: Path | str) -> tuple[int, str]:
        """Copy the ledger as it stands into a new file while work goes on, and verify the copy.

        Returns:
            Head of the copy's audit chain, to be kept elsewhere.

        Raises:
            BadInput: `path` exists.
            AuditBroken: the chain does not verify; no copy is left.
        """
        with self._pool.snapshot() as connection:
            return copy_verified(cast("SqliteConnection", connection), Path(path), hmac_key=self._hmac_key)

    def close(self) -> None:
        """Close every connection, once a transaction in progress has ended."""
        super().close()
        with self._write_lock:
            self._writer.close()

    def _open_writer(self) -> Connection:
        writer = SqliteConnection(self._path, self._queries, writable=True, busy_seconds=self._busy_seconds)
        try:
            writer.use_wal(self._busy_seconds)
        except BaseException:
            writer.close()
            raise
        return writer

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The write connection inside BEGIN IMMEDIATE … COMMIT."""
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
            msg = f"ledger {self._path}: another thread's transaction held it too long: try again"
            raise LedgerUnavailable(msg)
        self._writing_thread = me
        try:
            yield self._writer
        finally:
            self._writing_thread = None
            self._write_lock.release()
