"""The ledger in a Postgres database: the SQLite ledger's code over connections of another kind.

Every write transaction of every process takes one advisory lock first, so that the chain cannot fork.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn, Self

from psycopg.conninfo import conninfo_to_dict

from core.errors import LedgerUnavailable, Misconfigured
from core.ledger.connection import BUSY_SECONDS
from core.ledger.connection import named_queries as shared_queries
from core.ledger.handle import READERS, Pool, SqliteHandle
from core.ledger.insight import SqliteInsight
from core.ledger.ledger import SqliteLedger
from core.ledger.reader import SqliteLedgerReader
from core.ledger_pg.connection import PACKAGE, PostgresConnection, named_queries
from core.sql import Migration, load_migrations


def where_of(url: str) -> Path:
    """How messages name a ledger: host and database, never a password.

    Raises:
        Misconfigured: it is no conninfo.
    """
    try:
        parts = conninfo_to_dict(url)
    except Exception as error:
        msg = "LEDGER_URL is no Postgres address: write postgresql://role:password@host/database"
        raise Misconfigured(msg) from error
    return Path(str(parts.get("host") or "localhost")) / str(parts.get("dbname") or "")


class PostgresHandle(SqliteHandle):
    """A pool of read-only connections to one database."""

    def __init__(self, url: str, *, hmac_key: bytes | None, busy_seconds: float, readers: int) -> None:
        """Opens nothing yet."""
        self._url = url
        self._path = where_of(url)
        self._hmac_key = hmac_key
        self._queries = named_queries(shared_queries())
        self._busy_seconds = busy_seconds
        self._pool = Pool(self._open_reader, size=readers, wait_seconds=busy_seconds, path=self._path)

    def _open_reader(self) -> PostgresConnection:
        return self._open(writable=False)

    def _open(self, *, writable: bool) -> PostgresConnection:
        return PostgresConnection(
            self._url, self._queries, where=str(self._path), writable=writable, busy_seconds=self._busy_seconds
        )

    def _migrations(self) -> list[Migration]:
        return load_migrations(PACKAGE)


class PostgresLedgerReader(SqliteLedgerReader, PostgresHandle):
    """Implements `core.ports.LedgerReader` on Postgres."""

    @classmethod
    def open_readonly(
        cls,
        path: Path | str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open an existing ledger for reading only; `path` is its address.

        Raises:
            LedgerUnavailable: the server is away or refuses.
            Misconfigured: it is not a ledger, of another schema than this version's, or made with another key.
        """
        reader = cls(str(path), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)
        try:
            reader._check_schema()
        except BaseException:
            reader.close()
            raise
        return reader


class PostgresLedger(SqliteLedger, PostgresHandle):
    """Implements `core.ports.Ledger` on Postgres. Safe from any thread; several processes may use one database."""

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the ledger at the address `path` and bring its schema up to date; see `SqliteLedger.open`.

        Raises:
            LedgerUnavailable: the server is away or refuses.
            Misconfigured: the database's schema does not fit this version, or it was made with another key.
        """
        return cls(str(path), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)

    def compact(self) -> NoReturn:
        """Postgres cannot promise that no byte of what was deleted is left on its disk.

        Raises:
            LedgerUnavailable: always; the message says what an operator does instead.
        """
        msg = (
            f"ledger {self._path}: the rows are deleted, their bytes are the server's: run VACUUM FULL in this "
            "database, and let write-ahead log and dumps from before expire"
        )
        raise LedgerUnavailable(msg)

    def snapshot(self, path: Path | str) -> NoReturn:
        """A copy is made with the server's own program.

        Raises:
            LedgerUnavailable: always; the message says what to run.
        """
        msg = f"ledger {self._path}: copy it with pg_dump --format=custom instead of into the file {path}"
        raise LedgerUnavailable(msg)

    def _open_writer(self) -> PostgresConnection:
        return self._open(writable=True)


class PostgresInsight(SqliteInsight, PostgresHandle):
    """`core.ports.LedgerInsight` on Postgres."""

    @classmethod
    def open(cls, path: Path | str, *, busy_seconds: float = BUSY_SECONDS, readers: int = 2) -> Self:
        """Read the ledger at the address `path`; nothing is opened yet."""
        return cls(str(path), hmac_key=None, busy_seconds=busy_seconds, readers=readers)
