"""What the review desk reads of the ledger beside items and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.audit import stamp
from core.ledger.codec import to_json
from core.ledger.dialect import Row
from core.ledger.origins import SqliteOrigins
from core.ledger.rows import item_of, run_of, scope_values
from core.model import HeldItem, Run, Scope
from core.ports import Approved, Marking, Reservation


class StoredDesk(SqliteOrigins):
    """Implements `core.ports.DeskReader`."""

    def markings(self, candidate_ids: Sequence[str]) -> dict[str, Marking]:
        """What people are doing about candidates, by id, read from one snapshot; unknown ids are left out."""
        wanted = to_json(list(dict.fromkeys(candidate_ids)))
        with self._pool.snapshot() as connection:
            rows = connection.rows("markings", candidate_ids=wanted)
            yes = connection.rows("approvals_of", candidate_ids=wanted)
        given: dict[str, list[Approved]] = {}
        for row in yes:
            given.setdefault(row["candidate_id"], []).append(approved_of(row))
        return {row["candidate_id"]: _marking_of(row, tuple(given.get(row["candidate_id"], ()))) for row in rows}

    def overdue(self, before: datetime, *, now: datetime, limit: int = 100) -> list[HeldItem]:
        """Held items that have waited since before a time, oldest first; those that somebody is at are left out."""
        rows = self._rows("overdue", before=stamp(before), now=stamp(now), limit=limit)
        return [item_of(row) for row in rows]

    def reworded(self, candidate_id: str) -> tuple[str, str] | None:
        """(original, edited) if the candidate is one of the two of an edit that stands."""
        row = self._row("rewording_of", candidate_id=candidate_id)
        return (row["original_id"], row["candidate_id"]) if row else None

    def citing(self, scope: Scope, memory_ids: Sequence[str], *, limit: int = 20) -> list[Run]:
        """The owner's answers that were made with one of these memories, newest first."""
        if not memory_ids:
            return []
        rows = self._rows("runs_citing", **scope_values(scope), memory_ids=to_json(list(memory_ids)), limit=limit)
        return [run_of(row) for row in rows]


def approved_of(row: Row) -> Approved:
    """A row of `approval`."""
    return Approved(user_id=row["user_id"], at=datetime.fromisoformat(row["at"]), note=row["note"])


def reservation_of(row: Row) -> Reservation:
    """A row of `reservation`."""
    return Reservation(user_id=row["user_id"], until=datetime.fromisoformat(row["until"]))


def _marking_of(row: Row, approvals: tuple[Approved, ...]) -> Marking:
    held = row["reserved_by"]
    until = row["reserved_until"]
    return Marking(
        candidate_id=row["candidate_id"],
        tenant=row["tenant"],
        owner=row["owner"],
        held=row["state"] == "held",
        held_since=datetime.fromisoformat(row["updated_at"]),
        reservation=Reservation(user_id=held, until=datetime.fromisoformat(until)) if held else None,
        snoozed_until=datetime.fromisoformat(row["snoozed_until"]) if row["snoozed_until"] else None,
        assigned_to=row["assigned_to"],
        assigned_by=(row["assigned_by"] or "") if row["assigned_to"] else "",
        assigned_note=(row["assigned_note"] or "") if row["assigned_to"] else "",
        approvals=approvals,
        declined_before=bool(row["declined_before"]),
        alike_count=max(1, row["alike_count"]),
        alike=row["alike"],
    )
