"""What an episode is found again by: numbers of its word runs and of its literals (rules §1.4, §1.5)."""

from __future__ import annotations

from core import literals
from core.ledger.codec import to_json
from core.ledger.dialect import Connection
from core.model import Scope
from core.spans import fingerprints


def marks_of(text: str) -> list[int]:
    """Every mark of a text once, ascending: in the order of the index they are written to."""
    return sorted({*fingerprints(text), *literals.marks(text)})


def add_marks(connection: Connection, scope: Scope, serial_no: int, text: str) -> None:
    """Write the marks of a stored episode, inside the caller's transaction."""
    marks = marks_of(text)
    if marks:
        connection.change("add_mark_owner", tenant=scope.tenant, owner=scope.owner)
        connection.change(
            "add_marks", tenant=scope.tenant, owner=scope.owner, serial_no=serial_no, marks=to_json(marks)
        )
    connection.change("set_marked", serial_no=serial_no)
