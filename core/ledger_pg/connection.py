"""One Postgres connection with the ledger's named queries, and what its errors mean to an operator.

Texts are kept with U+0000 written as U+001A "0" and U+001A as U+001A "1", since Postgres' texts cannot hold the first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors
from psycopg.adapt import Loader
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

from core.errors import AuditBroken, BadInput, ChronoMemoryError, LedgerUnavailable, Misconfigured
from core.ledger.dialect import Row
from core.sql import load_queries

PACKAGE = "core.ledger_pg"
SCHEMA = "ledger"
_LOCK = 0x6C6564676572  # "ledger": the one lock that every write transaction of a database takes
_TOKEN = re.compile(r"'[^']*'|::|:(?P<name>[a-z_][a-z0-9_]*)|%")
_RETRY_SECONDS = 0.05
_CONNECT_SECONDS = 10
_UNKNOWN_TO_POSTGRES = str.maketrans({"\x00": "\x1a0", "\x1a": "\x1a1"})
_ESCAPED = re.compile("\x1a([01])")


def translated(sql: str) -> str:
    """`:name` as psycopg's `%(name)s`, and a percent sign doubled; quoted texts and `::casts` stay what they are."""

    def one(found: re.Match[str]) -> str:
        if found["name"]:
            return f"%({found['name']})s"
        return found[0].replace("%", "%%")

    return _TOKEN.sub(one, sql)


def named_queries(shared: Mapping[str, str]) -> dict[str, str]:
    """Every statement of the ledger by name in psycopg's form: the shared texts, and Postgres' own where they differ.

    Raises:
        Misconfigured: a statement of Postgres' own stands for none of the shared ones.
    """
    own = load_queries(PACKAGE)
    if strangers := sorted(own.keys() - shared.keys()):
        msg = f"{PACKAGE}/queries.sql: {', '.join(strangers)} stand for no statement of the ledger"
        raise Misconfigured(msg)
    return {name: translated(sql) for name, sql in (dict(shared) | own).items()}


def escaped(text: str) -> str:
    """A text as Postgres can keep it."""
    return text.translate(_UNKNOWN_TO_POSTGRES)


def unescaped(text: str) -> str:
    """The text that `escaped` was given."""
    return _ESCAPED.sub(lambda found: "\x00" if found[1] == "0" else "\x1a", text) if "\x1a" in text else text


class _Text(Loader):
    def load(self, data: Any) -> str:
        return unescaped(bytes(data).decode())


class _Number(Loader):
    """Sums of bigint come as numeric; in the ledger they are whole."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


@contextmanager
def errors_of(where: str) -> Iterator[None]:
    """Turn psycopg's errors into the ledger's, by whose fault they are.

    Raises:
        LedgerUnavailable: the server is away, refuses, is read-only, full, or the lock was held too long.
        Misconfigured: the database does not fit this version's statements.
        AuditBroken: a write that would not extend the audit chain was refused.
        BadInput: text that is not Unicode, or a value that the schema refuses.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        msg = f"the text holds half a surrogate pair at position {error.start}, which no ledger can keep: clean it"
        raise BadInput(msg) from error
    except psycopg.Error as error:
        raise _meant(where, error) from error


def _meant(where: str, error: psycopg.Error) -> ChronoMemoryError:
    text = error.diag.message_primary or str(error)
    if isinstance(error, errors.RaiseException):
        return AuditBroken(text)
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return LedgerUnavailable(f"ledger {where}: it cannot be written: is this a standby? ({text})")
    if isinstance(error, errors.LockNotAvailable):
        return LedgerUnavailable(f"ledger {where}: another process held it too long: try again ({text})")
    if isinstance(error, psycopg.IntegrityError | psycopg.DataError):
        return BadInput(f"the ledger refuses this record: {text}")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return LedgerUnavailable(f"ledger {where}: the server is away, full or refuses: check it ({text})")
    return Misconfigured(f"ledger {where} does not fit this version's statements ({text}): check what wrote it")


class PostgresConnection:
    """`core.ledger.dialect.Connection` on Postgres. One that broke is made anew before its next transaction."""

    def __init__(
        self, url: str, queries: Mapping[str, str], *, where: str, writable: bool, busy_seconds: float
    ) -> None:
        """Connect.

        Raises:
            LedgerUnavailable: the server is away or refuses the role.
        """
        self._url = url
        self._queries = queries
        self._where = where
        self._writable = writable
        self._busy_ms = int(busy_seconds * 1000)
        self._closed = False
        self._postgres = self._connect()

    def rows(self, query: str, **values: Any) -> list[Row]:
        """Every row of a named query."""
        with errors_of(self._where):
            return list(self._run(query, values).fetchall())

    def row(self, query: str, **values: Any) -> Row | None:
        """The first row of a named query."""
        with errors_of(self._where):
            return self._run(query, values).fetchone()

    def change(self, query: str, **values: Any) -> int:
        """Run a named statement and return how many rows it changed."""
        with errors_of(self._where):
            return self._run(query, values).rowcount

    def each(self, query: str, **values: Any) -> Iterator[Row]:
        """The rows of a named query, fetched by a cursor of the server's in batches; inside a transaction only."""
        with errors_of(self._where):
            text = psycopg.ClientCursor(self._postgres).mogrify(self._queries[query].encode(), _bound(values))
            with self._postgres.cursor(f"each_{time.monotonic_ns()}") as cursor:
                cursor.execute(text.replace("%", "%%").encode(), {})
                yield from cursor

    def script(self, sql: str) -> None:
        """Run a migration, inside the caller's transaction."""
        with errors_of(self._where):
            self._postgres.execute(sql.encode())

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        """One transaction; a writer's holds the ledger's lock, so that what it reads as the head is the head.

        READ COMMITTED: each statement sees what was committed before it, so also what was while the lock was waited
        for. Should a head be stale all the same, the trigger and the primary key refuse the fork.
        """
        self._ready()
        with errors_of(self._where):
            if writes:
                self._postgres.execute(b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            else:
                self._postgres.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            if writes:
                with errors_of(self._where):
                    self._postgres.execute(f"SET LOCAL lock_timeout = {self._busy_ms}".encode())
                    self._postgres.execute(f"SELECT pg_advisory_xact_lock({_LOCK})".encode())
            yield
            self._commit()
        except BaseException:
            with suppress(psycopg.Error):
                if self._postgres.info.transaction_status != TransactionStatus.IDLE:
                    self._postgres.execute(b"ROLLBACK")
            raise

    def _commit(self) -> None:
        """Postgres answers the COMMIT of a transaction in which a statement failed with a silent rollback."""
        if self._postgres.info.transaction_status == TransactionStatus.INERROR:
            msg = f"ledger {self._where}: a statement had failed: nothing of this transaction was written"
            raise LedgerUnavailable(msg)
        with errors_of(self._where):
            self._postgres.execute(b"COMMIT")

    def close(self) -> None:
        """Close the handle."""
        self._closed = True
        self._postgres.close()

    def _run(self, query: str, values: Mapping[str, Any]) -> psycopg.ClientCursor[dict[str, Any]]:
        cursor = psycopg.ClientCursor(self._postgres, row_factory=dict_row)
        cursor.execute(self._queries[query].encode(), _bound(values))
        return cursor

    def _ready(self) -> None:
        if self._closed:
            msg = f"ledger {self._where}: it was closed"
            raise LedgerUnavailable(msg)
        if self._postgres.closed:
            self._postgres = self._connect()

    def _connect(self) -> psycopg.Connection[dict[str, Any]]:
        with errors_of(self._where):
            made = psycopg.connect(self._url, autocommit=True, row_factory=dict_row, connect_timeout=_CONNECT_SECONDS)
            made.adapters.register_loader("text", _Text)
            made.adapters.register_loader("numeric", _Number)
            set_json_loads(lambda raw: unescaped(raw.decode() if isinstance(raw, bytes) else raw), made)
            made.execute(
                f"SET search_path = {SCHEMA}, pg_catalog; SET synchronous_commit = on; SET client_encoding = 'UTF8';"
                f"SET default_transaction_read_only = {'off' if self._writable else 'on'}".encode()
            )
            return made


def _bound(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: escaped(value) if isinstance(value, str) else value for name, value in values.items()}
