"""What the ledger keeps for the review desk beside decisions: who is at what, and who said yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model import HeldItem, Run, Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Reservation:
    """Who is at an item, and until when."""

    user_id: str
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Approved:
    """A person's yes to the very bytes of an item."""

    user_id: str
    at: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Marking:
    """What people are doing about one item; ids of people, times in UTC."""

    candidate_id: str
    tenant: str
    owner: str
    held: bool
    held_since: datetime  # when it came to the state that it is in
    reservation: Reservation | None = None  # running or run out
    snoozed_until: datetime | None = None
    assigned_to: str = ""
    assigned_by: str = ""
    assigned_note: str = ""
    approvals: tuple[Approved, ...] = ()  # to its present version and bytes, in order
    declined_before: bool = False
    alike_count: int = 1  # held near-duplicates of its owner, itself included
    alike: str = ""


class DeskReader(Protocol):
    """The part of the ledger that the review desk reads beside items and decisions."""

    def markings(self, candidate_ids: Sequence[str]) -> Mapping[str, Marking]:
        """What people are doing about candidates, by id; unknown ids are left out."""

    def overdue(self, before: datetime, *, now: datetime, limit: int = 100) -> list[HeldItem]:
        """Held items that have waited since before a time, oldest first; those that somebody is at are left out."""

    def reworded(self, candidate_id: str) -> tuple[str, str] | None:
        """(original, edited) if the candidate is one of the two of an edit that stands."""

    def citing(self, scope: Scope, memory_ids: Sequence[str], *, limit: int = 20) -> list[Run]:
        """The owner's answers that were made with one of these memories, newest first."""


class DeskTx(Protocol):
    """What the review desk writes in a ledger transaction beside rulings."""

    def reserve(self, candidate_id: str, *, user_id: str, until: datetime, now: datetime, force: bool) -> Reservation:
        """Reserve a candidate unless somebody else's reservation runs at `now`, or with `force`; who holds it now."""

    def release(self, candidate_id: str, *, user_id: str) -> bool:
        """Give one's own reservation back; False if there was none."""

    def reservation(self, candidate_id: str, *, now: datetime) -> Reservation | None:
        """The reservation that runs at `now`."""

    def snooze(self, candidate_id: str, *, user_id: str, until: datetime | None, at: datetime, note: str) -> bool:
        """Put a held candidate off, or with None bring it back; False if it is not held."""

    def assign(self, candidate_id: str, *, user_id: str, to: str, at: datetime, note: str) -> bool:
        """Ask somebody about a held candidate, or with "" nobody; False if it is not held."""

    def approve(
        self, candidate_id: str, *, version: int, digest: str, user_id: str, at: datetime, note: str
    ) -> tuple[tuple[Approved, ...], bool]:
        """Record a person's yes to these bytes of a held candidate; every yes to them, in order, and if it is new.

        Raises:
            StaleReview: the candidate is not held in this version; nothing was written.
        """

    def add_rewording(self, candidate_id: str, *, original_id: str) -> None:
        """Record that a candidate holds another's words, edited."""

    def drop_rewording(self, candidate_id: str) -> None:
        """The edit was taken back."""


__all__ = ["Approved", "DeskReader", "DeskTx", "Marking", "Reservation"]
