"""A ledger that is a Postgres database: the ledger's code over connections of another kind.

Every write transaction of every process takes one advisory lock first, so that the chain cannot fork.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Self, cast

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from core.errors import LedgerUnavailable, Misconfigured
from core.ledger import StoredLedger, StoredLedgerReader
from core.ledger.connection import named_queries as shared_queries
from core.ledger.copying import copy_to_file
from core.ledger.dialect import BUSY_SECONDS, Connection
from core.ledger.handle import READERS
from core.ledger_pg.connection import PACKAGE, PostgresConnection, named_queries
from core.sql import Migration, load_migrations


class PostgresDatabase:
    """`core.ledger.dialect.Place`: one database of a server, of a role of its own."""

    def __init__(self, url: str) -> None:
        """Opens nothing.

        Raises:
            Misconfigured: it is no conninfo.
        """
        try:
            self._parts = conninfo_to_dict(url)
        except ProgrammingError as error:
            msg = "LEDGER_URL is no Postgres address: write postgresql://role:password@host/database"
            raise Misconfigured(msg) from error
        self._url = url

    @property
    def name(self) -> str:
        """Host and database."""
        return f"{self._parts.get('host') or 'localhost'}/{self._parts.get('dbname') or ''}"

    @property
    def handle(self) -> str:
        """What the server is told when a reader connects."""
        return "a second connection to the database, default_transaction_read_only"

    @cached_property
    def queries(self) -> Mapping[str, str]:
        """The shared texts, and Postgres' own where they differ."""
        return named_queries(shared_queries())

    def migrations(self) -> list[Migration]:
        """All steps of the database's schema."""
        return load_migrations(PACKAGE)

    def make(self) -> None:
        """Refuse a database that holds trusted memory: held words must lie apart from it.

        Raises:
            LedgerUnavailable: the server is away or refuses.
            Misconfigured: the database is the store's.
        """
        with closing(self._connect(writable=False, busy_seconds=BUSY_SECONDS)) as connection:
            if connection.holds("chronomemory", "schema_migration"):
                msg = (
                    f"the database {self.name} holds trusted memory: held facts are kept physically apart from it. "
                    "Make a database of its own for the ledger, with a role of its own, and name that in LEDGER_URL"
                )
                raise Misconfigured(msg)

    def expect(self) -> None:
        """Look whether a ledger was made here.

        Raises:
            LedgerUnavailable: there is none, or the server is away or refuses.
        """
        if not self.exists():
            msg = f"there is no ledger at {self.name}: start the console or the worker once, they make it"
            raise LedgerUnavailable(msg)

    def exists(self) -> bool:
        """Whether a ledger was made here."""
        with closing(self._connect(writable=False, busy_seconds=BUSY_SECONDS)) as connection:
            return connection.holds("ledger", "migration")

    def connect(self, *, writable: bool, busy_seconds: float) -> Connection:
        """A new connection; a reader's transactions are read-only by the server's own word."""
        return self._connect(writable=writable, busy_seconds=busy_seconds)

    def compact(self, connection: Connection, *, busy_seconds: float) -> None:
        """Write the tables anew without what was deleted; see `PostgresConnection.compact`."""
        cast("PostgresConnection", connection).compact(busy_seconds)

    def copy(self, connection: Connection, path: Path) -> None:
        """Copy what the connection's transaction sees row by row."""
        copy_to_file(connection, path)

    def size(self) -> int:
        """Bytes of the whole database."""
        with closing(self._connect(writable=False, busy_seconds=BUSY_SECONDS)) as connection:
            return connection.size()

    def doubts(self) -> list[str]:
        """What an operator should know about the role that the address names."""
        with closing(self._connect(writable=False, busy_seconds=BUSY_SECONDS)) as connection:
            mighty = connection.all_mighty
        return ["its role is a superuser, which reads every database of the server"] if mighty else []

    def _connect(self, *, writable: bool, busy_seconds: float) -> PostgresConnection:
        return PostgresConnection(
            self._url, self.queries, where=self.name, writable=writable, busy_seconds=busy_seconds
        )


class PostgresLedger(StoredLedger):
    """The ledger in a database."""

    @classmethod
    def open(
        cls,
        url: str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the ledger at the address `url`; see `StoredLedger.at`."""
        return cls.at(PostgresDatabase(url), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)


class PostgresLedgerReader(StoredLedgerReader):
    """The ledger in a database, for reading only."""

    @classmethod
    def open_readonly(
        cls,
        url: str,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open the existing ledger at the address `url`; see `StoredLedgerReader.at`."""
        return cls.at(PostgresDatabase(url), hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)
