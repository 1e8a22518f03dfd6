"""One SQLite connection with named queries, and what its errors mean to an operator."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from core.errors import AuditBroken, BadInput, ChronoMemoryError, LedgerUnavailable, Misconfigured
from core.ledger.dialect import Row, Unreadable
from core.sql import Migration, load_migrations, load_queries

PACKAGE = "core.ledger"
_RETRY_SECONDS = 0.02  # pause between attempts to switch a new file to WAL

_FENCE = "this ledger was carried over to "

_WHAT_TO_DO = {
    "SQLITE_BUSY": "another process held it too long: try again; if it lasts, look for a stuck process",
    "SQLITE_LOCKED": "another connection held it too long: try again",
    "SQLITE_READONLY": "it cannot be written: check the file's and folder's permissions",
    "SQLITE_FULL": "the disk is full: free space, nothing was lost",
    "SQLITE_CANTOPEN": "it cannot be opened: check that the folder exists and may be written",
    "SQLITE_IOERR": "the disk reports an error: check it and restore a backup if need be",
    "SQLITE_PERM": "access was denied: check the file's permissions",
}


@contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into this package's, by whose fault they are.

    Raises:
        LedgerUnavailable: locked, read-only, full or not to be opened; the message says what to do.
        Misconfigured: not a ledger, damaged, or of another schema.
        AuditBroken: a write that would not extend the audit chain was refused.
        BadInput: text that is not Unicode, or a value that the schema refuses.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        msg = f"the text holds half a surrogate pair at position {error.start}, which no file can keep: clean it first"
        raise BadInput(msg) from error
    except sqlite3.Error as error:
        raise _translated(path, error) from error


def _translated(path: Path, error: sqlite3.Error) -> ChronoMemoryError:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_CONSTRAINT_TRIGGER":
        fenced = str(error).startswith(_FENCE)
        return LedgerUnavailable(f"ledger {path}: {error}") if fenced else AuditBroken(str(error))
    if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError):
        return BadInput(f"the ledger refuses this record: {error}")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return LedgerUnavailable(f"ledger {path}: it was closed")
    for prefix, advice in _WHAT_TO_DO.items():
        if name.startswith(prefix):
            return LedgerUnavailable(f"ledger {path}: {advice} ({error})")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return Misconfigured(f"{path} is no ledger, or damaged ({error}): restore a backup, or name another file")
    return Misconfigured(f"ledger {path} does not fit this version's statements ({error}): check what wrote it")


class SqliteConnection:
    """A SQLite connection whose statements are named; not shared by two threads at a time."""

    def __init__(self, path: Path, queries: Mapping[str, str], *, writable: bool, busy_seconds: float) -> None:
        """Open the file; a reader's handle is `mode=ro`, so SQLite itself refuses its writes.

        Raises:
            LedgerUnavailable: the file cannot be opened.
            Misconfigured: the file is not a SQLite database.
        """
        self._path = path
        self._queries = queries
        uri = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro'}"
        with errors_of(path):
            self._sqlite = sqlite3.connect(
                uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
            )
        self._sqlite.row_factory = sqlite3.Row
        try:
            with errors_of(path):
                for pragma in ("foreign_keys = ON", "synchronous = FULL", "secure_delete = ON"):
                    self._sqlite.execute(f"PRAGMA {pragma}")
                if not writable:
                    self._sqlite.execute("PRAGMA query_only = ON")
                self._sqlite.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except ChronoMemoryError:
            self._sqlite.close()
            raise

    def rows(self, query: str, **values: Any) -> list[Row]:
        """Every row of a named query."""
        with errors_of(self._path):
            return self._sqlite.execute(self._queries[query], values).fetchall()

    def row(self, query: str, **values: Any) -> Row | None:
        """The first row of a named query."""
        with errors_of(self._path):
            found: Row | None = self._sqlite.execute(self._queries[query], values).fetchone()
            return found

    def change(self, query: str, **values: Any) -> int:
        """Run a named statement and return how many rows it changed."""
        with errors_of(self._path):
            return self._sqlite.execute(self._queries[query], values).rowcount

    def each(self, query: str, **values: Any) -> Iterator[Row]:
        """The rows of a named query one by one.

        Raises:
            Unreadable: pages of the file are damaged from here on.
        """
        with errors_of(self._path):
            try:
                yield from self._sqlite.execute(self._queries[query], values)
            except sqlite3.OperationalError:  # the file's surroundings, not its content
                raise
            except sqlite3.DatabaseError as error:
                raise Unreadable(str(error)) from error

    def script(self, sql: str) -> None:
        """Run the statements of a migration one by one, inside the caller's transaction."""
        with errors_of(self._path):
            for statement in statements(sql):
                self._sqlite.execute(statement)

    def defer_references(self) -> None:
        """Check foreign keys at the end of this transaction."""
        with errors_of(self._path):
            self._sqlite.execute("PRAGMA defer_foreign_keys = ON")

    def columns(self, table: str) -> list[str]:
        """A table's columns in order, without generated ones."""
        with errors_of(self._path):
            return [row["name"] for row in self._sqlite.execute("SELECT name FROM pragma_table_info(?)", (table,))]

    def dump(self, table: str, columns: Sequence[str], *, order: str) -> Iterator[Row]:
        """Every row of a table in order."""
        with errors_of(self._path):
            yield from self._sqlite.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")  # noqa: S608 - names of the schema

    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> int:
        """Insert rows as they are; returns how many."""
        places = ", ".join("?" for _ in columns)
        with errors_of(self._path):
            return self._sqlite.executemany(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})",  # noqa: S608 - names of the schema
                ([row[name] for name in columns] for row in rows),
            ).rowcount

    def numbers(self) -> dict[str, int]:
        """The last serial number of each AUTOINCREMENT table."""
        with errors_of(self._path):
            rows = self._sqlite.execute(
                "SELECT made.name, coalesce(last.seq, 0) AS last FROM sqlite_master AS made"
                " LEFT JOIN sqlite_sequence AS last ON last.name = made.name"
                " WHERE made.type = 'table' AND made.sql LIKE '%AUTOINCREMENT%'"
            )
            return {row["name"]: row["last"] for row in rows}

    def number_on(self, table: str, last: int) -> None:
        """Let a table's serial numbers go on after `last`, so that none is given out twice."""
        with errors_of(self._path):
            changed = self._sqlite.execute(
                "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, table)
            ).rowcount
            if not changed:
                self._sqlite.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))

    def fence(self, where: str) -> None:
        """Refuse every further audit entry, and so every acknowledged write, also of processes that have it open."""
        said = (_FENCE + where + ": set LEDGER_URL, or restore a snapshot into a new file").replace("'", "''")
        with errors_of(self._path):
            self._sqlite.execute(
                f"CREATE TRIGGER audit_fenced BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, '{said}'); END"
            )

    def refuse_if_fenced(self) -> None:
        """Refuse a ledger that was carried over before anything is written to it.

        Raises:
            Misconfigured: with the place that it was carried over to.
        """
        if said := self.fenced():
            msg = f"ledger {self._path}: {said}"
            raise Misconfigured(msg)

    def fenced(self) -> str:
        """What every write is refused with since this ledger was carried over; "" if it was not."""
        with errors_of(self._path):
            row = self._sqlite.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'audit_fenced'"
            ).fetchone()
        return "" if row is None else str(row[0]).split("ABORT, '", 1)[1].rsplit("'", 1)[0].replace("''", "'")

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[None]:
        """BEGIN … COMMIT; any exception rolls back, a failing COMMIT too."""
        with errors_of(self._path):
            self._sqlite.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
        try:
            yield
            with errors_of(self._path):
                self._sqlite.execute("COMMIT")
        except BaseException:
            if self._sqlite.in_transaction:
                self._sqlite.execute("ROLLBACK")
            raise

    def use_wal(self, busy_seconds: float) -> None:
        """Switch the file to write-ahead logging.

        Two processes that make the file at once collide here, and SQLite's busy timeout does not cover the switch.

        Raises:
            LedgerUnavailable: the switch did not succeed in time, or the file system cannot do it.
        """
        deadline = time.monotonic() + busy_seconds
        while True:
            try:
                with errors_of(self._path):
                    mode = self._sqlite.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            except LedgerUnavailable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_SECONDS)
                continue
            if mode != "wal":
                msg = f"ledger {self._path}: its file system cannot do write-ahead logging: put it on a local disk"
                raise LedgerUnavailable(msg)
            return

    def compact(self, busy_seconds: float) -> None:
        """Write the file anew without what was deleted from it, and empty the write-ahead log.

        Zeroing what is deleted is not enough: free space may hold what was deleted before that was switched on.

        Raises:
            LedgerUnavailable: a reader held the old state too long, or there is no room for the copy.
        """
        deadline = time.monotonic() + busy_seconds
        with errors_of(self._path):
            self._sqlite.execute("VACUUM")
            while self._sqlite.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                if time.monotonic() > deadline:
                    msg = f"ledger {self._path}: a reader keeps its old state alive: close it and compact again"
                    raise LedgerUnavailable(msg)
                time.sleep(_RETRY_SECONDS)

    def copy_to(self, path: Path) -> None:
        """Copy the committed state into a new file, whole and without a log beside it; writers are not kept waiting."""
        with errors_of(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
            self._sqlite.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")

    def damage(self) -> str:
        """What SQLite finds wrong with the file's structure; "" if nothing."""
        with errors_of(self._path):
            found = str(self._sqlite.execute("PRAGMA quick_check(1)").fetchone()[0])
        return "" if found == "ok" else found

    def close(self) -> None:
        """Close the handle."""
        self._sqlite.close()


def statements(sql: str) -> list[str]:
    """The single statements of a script; a trigger's body stays whole.

    Raises:
        Misconfigured: the last statement is not closed by a semicolon.
    """
    found: list[str] = []
    pieces: list[str] = []
    for line in sql.splitlines():
        if not pieces and (not line.strip() or line.startswith("--")):
            continue
        pieces.append(line)
        text = "\n".join(pieces)
        if sqlite3.complete_statement(text):
            found.append(text)
            pieces = []
    if pieces:
        msg = f"a statement is not closed by a semicolon: {pieces[0]!r}"
        raise Misconfigured(msg)
    return found


def named_queries() -> dict[str, str]:
    """The adapter's statements by name."""
    found: dict[str, str] = {}
    for filename in (
        "queries.sql",
        "upkeep.sql",
        "review.sql",
        "trace.sql",
        "insight.sql",
        "policies.sql",
        "questions.sql",
        "observed.sql",
        "patterns.sql",
        "transfer.sql",
        "imports.sql",
        "items.sql",
    ):
        found |= load_queries(PACKAGE, filename)
    return found


def known_migrations() -> list[Migration]:
    """The migrations that this version of the program brings."""
    return load_migrations(PACKAGE)
