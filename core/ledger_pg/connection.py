"""One Postgres connection with the ledger's named queries, and what its errors mean to an operator.

Texts are kept with U+0000 written as U+001A "0" and U+001A as U+001A "1", since Postgres' texts cannot hold the first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors, sql
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

    def script(self, text: str) -> None:
        """Run a migration, inside the caller's transaction."""
        with errors_of(self._where):
            self._postgres.execute(text.encode())

    def defer_references(self) -> None:
        """Check foreign keys at the end of this transaction."""
        with errors_of(self._where):
            self._postgres.execute("SET CONSTRAINTS ALL DEFERRED")

    def columns(self, table: str) -> list[str]:
        """A table's columns in order, without generated ones."""
        with errors_of(self._where):
            rows = self._postgres.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
                " AND attgenerated = '' ORDER BY attnum",
                (f"{SCHEMA}.{table}",),
            )
            return [row["attname"] for row in rows]

    def dump(self, table: str, columns: Sequence[str], *, order: str) -> Iterator[Row]:
        """Every row of a table in order, fetched by a cursor of the server's in batches."""
        query = sql.SQL("SELECT {} FROM {} ORDER BY {}").format(
            _names(columns), sql.Identifier(SCHEMA, table), _names(order.split(", "))
        )
        with errors_of(self._where), self._postgres.cursor(f"dump_{time.monotonic_ns()}") as cursor:
            cursor.execute(query)
            yield from cursor

    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> int:
        """Insert rows as they are; returns how many."""
        query = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(SCHEMA, table), _names(columns))
        with errors_of(self._where), self._postgres.cursor() as cursor:
            with cursor.copy(query) as copy:
                for row in rows:
                    copy.write_row([_kept(row[name]) for name in columns])
            return cursor.rowcount

    def numbers(self) -> dict[str, int]:
        """The last serial number of each table with an identity column."""
        return {table: last for table, _, last in self._identities()}

    def number_on(self, table: str, last: int) -> None:
        """Let a table's serial numbers go on after `last` and after its greatest."""
        [column] = [column for name, column, _ in self._identities() if name == table]
        query = sql.SQL(
            "SELECT setval(pg_get_serial_sequence(%s, %s), greatest(%s, 1, max({})), greatest(%s, max({})) IS NOT NULL)"
            " FROM {}"
        ).format(sql.Identifier(column), sql.Identifier(column), sql.Identifier(SCHEMA, table))
        with errors_of(self._where):
            self._postgres.execute(query, (f"{SCHEMA}.{table}", column, last, last or None))

    def compact(self, busy_seconds: float) -> None:
        """Write every table anew without what was deleted from it; readers and writers wait.

        The server keeps the old bytes in its write-ahead log until that is recycled, and in archives, standbys and
        dumps until its operator lets them expire.

        Raises:
            LedgerUnavailable: somebody held a table too long, or the disk has no room: call it again.
        """
        self._ready()
        with errors_of(self._where):
            self._postgres.execute(f"SET lock_timeout = {int(busy_seconds * 1000)}".encode())
            try:
                tables = self._postgres.execute(
                    "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY tablename", (SCHEMA,)
                ).fetchall()
                for row in tables:
                    name = sql.Identifier(SCHEMA, row["tablename"])
                    self._postgres.execute(sql.SQL("VACUUM (FULL) {}").format(name))
            finally:
                if not self._postgres.closed:
                    self._postgres.execute("RESET lock_timeout")

    def holds(self, schema: str, table: str) -> bool:
        """Whether the database has a table of that name."""
        with errors_of(self._where):
            found = self._postgres.execute(
                "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s", (schema, table)
            )
            return found.fetchone() is not None

    def size(self) -> int:
        """Bytes of the whole database."""
        with errors_of(self._where):
            row = self._postgres.execute("SELECT pg_database_size(current_database()) AS bytes").fetchone()
        return int(row["bytes"]) if row else 0

    @property
    def all_mighty(self) -> bool:
        """Whether the role is a superuser."""
        return self._postgres.info.parameter_status("is_superuser") == "on"

    def _identities(self) -> list[tuple[str, str, int]]:
        """Table, identity column and the last number given out; 0 for none."""
        with errors_of(self._where):
            rows = self._postgres.execute(
                "SELECT t.relname, a.attname, coalesce(pg_sequence_last_value("
                "pg_get_serial_sequence(format('%%I.%%I', n.nspname, t.relname), a.attname)::regclass), 0) AS last"
                " FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid"
                " JOIN pg_namespace AS n ON n.oid = t.relnamespace"
                " WHERE n.nspname = %s AND t.relkind IN ('r', 'p') AND a.attidentity <> '' ORDER BY t.relname",
                (SCHEMA,),
            )
            return [(row["relname"], row["attname"], row["last"]) for row in rows]

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
    return {name: _kept(value) for name, value in values.items()}


def _kept(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) else value


def _names(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
