"""What the review desk writes beside rulings, inside a ledger transaction; and where an item stands in the queue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime

from core.alike import alike, alike_mark
from core.audit import stamp
from core.errors import StaleReview
from core.ledger.codec import from_json
from core.ledger.desk import approved_of, reservation_of
from core.ledger.dialect import Connection
from core.ledger.rows import item_of, scope_values
from core.model import CandidateState, HeldItem, Proposal
from core.ports import Approved, Reservation
from core.queueing import alone, priority


class DeskWrites(ABC):
    """Implements `core.ports.DeskTx` on a connection inside BEGIN IMMEDIATE."""

    @property
    @abstractmethod
    def _db(self) -> Connection:
        """The connection."""

    def reserve(self, candidate_id: str, *, user_id: str, until: datetime, now: datetime, force: bool) -> Reservation:
        """Reserve a candidate unless somebody else's reservation runs at `now`, or with `force`; who holds it now."""
        values = {"candidate_id": candidate_id, "user_id": user_id, "until": stamp(until)}
        self._db.change("reserve", **values, now=stamp(now), force=force)
        return reservation_of(self._db.rows("reservation", candidate_id=candidate_id)[0])

    def release(self, candidate_id: str, *, user_id: str) -> bool:
        """Give one's own reservation back; False if there was none."""
        return bool(self._db.change("release_reservation", candidate_id=candidate_id, user_id=user_id))

    def reservation(self, candidate_id: str, *, now: datetime) -> Reservation | None:
        """The reservation that runs at `now`."""
        row = self._db.row("reservation", candidate_id=candidate_id)
        found = reservation_of(row) if row else None
        return found if found is not None and found.until > now else None

    def snooze(self, candidate_id: str, *, user_id: str, until: datetime | None, at: datetime, note: str) -> bool:
        """Put a held candidate off, or with None bring it back; False if it is not held."""
        if not self._db.change("set_snoozed", candidate_id=candidate_id, until=stamp(until) if until else ""):
            return False
        self._note("snooze", candidate_id, user_id if until else "", at, note)
        return True

    def assign(self, candidate_id: str, *, user_id: str, to: str, at: datetime, note: str) -> bool:
        """Ask somebody about a held candidate, or with "" nobody; False if it is not held."""
        if not self._db.change("set_assigned", candidate_id=candidate_id, to=to):
            return False
        self._note("assignment", candidate_id, user_id if to else "", at, note)
        return True

    def _note(self, kind: str, candidate_id: str, user_id: str, at: datetime, note: str) -> None:
        named = {"candidate_id": candidate_id, "kind": kind}
        if user_id:
            self._db.change("put_desk_note", **named, user_id=user_id, at=stamp(at), note=note)
        else:
            self._db.change("drop_desk_note", **named)

    def approve(
        self, candidate_id: str, *, version: int, digest: str, user_id: str, at: datetime, note: str
    ) -> tuple[tuple[Approved, ...], bool]:
        """Record a person's yes to these bytes of a held candidate; every yes to them, in order, and if it is new.

        Raises:
            StaleReview: the candidate is not held in this version; nothing was written.
        """
        row = self._db.row("held_version", candidate_id=candidate_id)
        if row is None or row["version"] != version:
            msg = "The item changed after it was shown; look again before you decide."
            raise StaleReview(msg)
        bytes_of = {"candidate_id": candidate_id, "version": version, "digest": digest}
        fresh = self._db.change("add_approval", **bytes_of, user_id=user_id, at=stamp(at), note=note) > 0
        return tuple(approved_of(one) for one in self._db.rows("approvals", **bytes_of)), fresh

    def add_rewording(self, candidate_id: str, *, original_id: str) -> None:
        """Record that a candidate holds another's words, edited."""
        self._db.change("add_rewording", candidate_id=candidate_id, original_id=original_id)

    def drop_rewording(self, candidate_id: str) -> None:
        """The edit was taken back."""
        self._db.change("drop_rewording", candidate_id=candidate_id)


def place(connection: Connection, candidate_id: str) -> None:
    """Give a candidate its place in the queue, and if it is held the group of near-duplicates that it belongs to."""
    row = connection.row("item", candidate_id=candidate_id)
    if row is not None:
        place_item(connection, item_of(row))


def place_item(connection: Connection, item: HeldItem) -> None:
    """The same for an item that was read already."""
    candidate = item.candidate
    connection.change(
        "set_place",
        candidate_id=candidate.candidate_id,
        priority=priority(candidate, item.decision),
        alone=alone(item.decision),
    )
    known = connection.row("alike_of", candidate_id=candidate.candidate_id)
    if item.state is CandidateState.HELD and known is not None and not known["alike"]:
        _group(connection, item)


def _group(connection: Connection, item: HeldItem) -> None:
    candidate = item.candidate
    marked = alike_mark(candidate.proposal)
    groups = connection.rows("first_alike", **scope_values(candidate.scope), alike_mark=marked)
    like = (one for one in groups if alike(candidate.proposal, from_json(Proposal, one["proposal"])))
    first = next(like, None)
    key = candidate.candidate_id if first is None else first["candidate_id"]
    connection.change("set_alike", candidate_id=candidate.candidate_id, alike=key, alike_mark=marked)


def leave_desk(connection: Connection, candidate_id: str) -> None:
    """A decided item waits for nobody: nothing is reserved, put off or asked any more."""
    connection.change("clear_desk", candidate_id=candidate_id)
    connection.change("clear_reservation", candidate_id=candidate_id)
    connection.change("clear_desk_notes", candidate_id=candidate_id)
