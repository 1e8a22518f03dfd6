"""What the ledger asks of a database connection; `core.ledger.connection` keeps it on SQLite.

Everything above this names its statements and reads rows by column, so that it does not know which database it is on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from core.errors import Misconfigured


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

    def transaction(self, *, writes: bool) -> AbstractContextManager[None]:
        """One transaction: a reader's sees one committed state, a writer's keeps every other writer out.

        Commits at the end; any exception rolls back, a failing commit too.
        """

    def close(self) -> None:
        """Close the handle."""
