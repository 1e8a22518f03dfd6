"""A ledger that is one SQLite file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Self, cast

from core.errors import LedgerUnavailable
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS, Connection
from core.ledger.handle import READERS
from core.ledger.insight import StoredInsight
from core.ledger.ledger import StoredLedger
from core.ledger.reader import StoredLedgerReader
from core.sql import Migration


class SqliteFile:
    """`core.ledger.dialect.Place`: a file and its write-ahead log."""

    def __init__(self, path: Path | str) -> None:
        """Opens nothing."""
        self.path = Path(path)

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    @property
    def handle(self) -> str:
        """What SQLite is told when a reader opens it."""
        return "a second connection to the file, mode=ro"

    @cached_property
    def queries(self) -> Mapping[str, str]:
        """SQLite's statements: the shared texts are written for it."""
        return named_queries()

    def migrations(self) -> list[Migration]:
        """All steps of the file's schema."""
        return known_migrations()

    def make(self) -> None:
        """Make the folder and an empty file, readable by its owner only.

        Raises:
            LedgerUnavailable: it cannot be made.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                self.path.touch(mode=0o600)
        except OSError as error:
            msg = f"ledger {self.path}: it cannot be made: check that the folder exists and may be written ({error})"
            raise LedgerUnavailable(msg) from error

    def expect(self) -> None:
        """Look for the file.

        Raises:
            LedgerUnavailable: there is none.
        """
        if not self.path.exists():
            msg = f"there is no ledger at {self.path}: start the console or the worker once, they make it"
            raise LedgerUnavailable(msg)

    def connect(self, *, writable: bool, busy_seconds: float) -> Connection:
        """Open the file; a reader's handle is `mode=ro`, so SQLite itself refuses its writes.

        Raises:
            LedgerUnavailable: the file cannot be opened.
            Misconfigured: the file is not a SQLite database, or its ledger was carried over to another place.
        """
        made = SqliteConnection(self.path, self.queries, writable=writable, busy_seconds=busy_seconds)
        if writable:
            try:
                made.refuse_if_fenced()
                made.use_wal(busy_seconds)
            except BaseException:
                made.close()
                raise
        return made

    def compact(self, connection: Connection, *, busy_seconds: float) -> None:
        """Write the file anew without what was deleted from it, and empty its log."""
        cast("SqliteConnection", connection).compact(busy_seconds)

    def copy(self, connection: Connection, path: Path) -> None:
        """Copy the committed state page by page."""
        cast("SqliteConnection", connection).copy_to(path)


class SqliteLedger(StoredLedger):
    """The ledger in a file."""

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the ledger in the file `path`, which is made if it is not there; see `StoredLedger.at`."""
        return cls.at(SqliteFile(path), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)


class SqliteLedgerReader(StoredLedgerReader):
    """The ledger in a file, for reading only."""

    @classmethod
    def open_readonly(
        cls,
        path: Path | str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the existing ledger in the file `path`; see `StoredLedgerReader.at`."""
        return cls.at(SqliteFile(path), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)


class SqliteInsight(StoredInsight):
    """Counts of the ledger in a file."""

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Read the ledger in the file `path`; nothing is opened yet."""
        return cls.at(SqliteFile(path))


__all__ = ["SqliteFile", "SqliteInsight", "SqliteLedger", "SqliteLedgerReader"]
