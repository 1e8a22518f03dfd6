"""What the ledger asks of a database; `core.ledger.file` is a SQLite file, `core.ledger_pg` a Postgres database.

Everything above this names its statements and reads rows by column, so that it does not know which database it is on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from core.errors import Misconfigured
from core.sql import Migration

BUSY_SECONDS = 10.0  # how long a write waits for another process's transaction


class Unreadable(Misconfigured):
    """Stored bytes that the database cannot read; the message is the database's own."""


class Row(Protocol):
    """One row of a result: values by column name."""

    def __getitem__(self, name: str, /) -> Any:
        """A column's value."""

    def keys(self) -> Iterable[str]:
        """The columns' names in order."""


class Connection(Protocol):
    """A connection whose statements are named; not shared by two threads at a time.

    Every method raises LedgerUnavailable, Misconfigured, AuditBroken or BadInput, by whose fault it is.
    """

    def rows(self, query: str, **values: Any) -> list[Row]:
        """Every row of a named query."""

    def row(self, query: str, **values: Any) -> Row | None:
        """The first row of a named query."""

    def change(self, query: str, **values: Any) -> int:
        """Run a named statement and return how many rows it changed."""

    def each(self, query: str, **values: Any) -> Iterator[Row]:
        """The rows of a named query one by one.

        Raises:
            Unreadable: what is stored is damaged from here on.
        """

    def script(self, sql: str) -> None:
        """Run the statements of a migration one by one, inside the caller's transaction."""

    def defer_references(self) -> None:
        """Check references between tables at the end of this transaction, for a copy whose rows refer to each other."""

    def columns(self, table: str) -> list[str]:
        """A table's columns in order, without those that the database computes."""

    def dump(self, table: str, columns: Sequence[str], *, order: str) -> Iterator[Row]:
        """Every row of a table, ordered by the columns named in `order`; inside a transaction only."""

    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> int:
        """Insert rows as they are; returns how many."""

    def numbers(self) -> dict[str, int]:
        """The last serial number that each numbering table gave out; 0 where it gave none."""

    def number_on(self, table: str, last: int) -> None:
        """Let a table's serial numbers go on after `last`."""

    def transaction(self, *, writes: bool) -> AbstractContextManager[None]:
        """One transaction: a reader's sees one committed state, a writer's keeps every other writer out.

        Commits at the end; any exception rolls back, a failing commit too.
        """

    def close(self) -> None:
        """Close the handle."""


class Place(Protocol):
    """Where a ledger is kept. Every method raises LedgerUnavailable or Misconfigured."""

    @property
    def name(self) -> str:
        """How messages name it; no password."""

    @property
    def handle(self) -> str:
        """What a read-only connection to it is, in words."""

    @property
    def queries(self) -> Mapping[str, str]:
        """The ledger's statements by name, as this kind of database says them."""

    def migrations(self) -> list[Migration]:
        """The schema that this version of the program brings for this kind of database."""

    def make(self) -> None:
        """Make what a new ledger needs before it can be connected to."""

    def expect(self) -> None:
        """Raise LedgerUnavailable if no ledger was ever made here."""

    def connect(self, *, writable: bool, busy_seconds: float) -> Connection:
        """A new connection; without `writable` the database itself refuses its writes."""

    def compact(self, connection: Connection, *, busy_seconds: float) -> None:
        """Leave nothing of what was deleted in the tables' own files."""

    def copy(self, connection: Connection, path: Path) -> None:
        """Copy the committed state, which the reading `connection` sees, into a new SQLite file."""
