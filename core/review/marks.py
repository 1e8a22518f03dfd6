"""What reviewers do about an item beside ruling on it: reserve, put off, ask a colleague."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.model import Actor, Person
from core.review.bench import Bench
from core.review.values import REVIEWERS, Look, Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks(Bench):
    """None of these is a ruling: the item's version stays what it was."""

    def looks(self, actor: Actor, ids: Sequence[str]) -> dict[str, Look]:
        """What people are doing about items, by id; ids that the actor may not see are left out."""
        self._visible(actor)
        return {one: Look(candidate_id=one) for one in ids}

    def reserve(self, actor: Actor, candidate_id: str) -> Look:
        """Keep others from ruling on an item while the actor reads it; renews one's own."""
        self._item(actor, candidate_id, rule=True)
        return self.looks(actor, [candidate_id])[candidate_id]

    def release(self, actor: Actor, candidate_id: str) -> None:
        """Give one's own reservation back."""
        self._item(actor, candidate_id, rule=True)

    def take_over(self, actor: Actor, candidate_id: str) -> Look:
        """Take another's reservation over; audited."""
        return self.reserve(actor, candidate_id)

    def snooze(self, actor: Actor, candidate_ids: Sequence[str], until: datetime, note: str = "") -> list[Outcome]:
        """Put items off until a time; audited."""
        self.accounts.authorise(actor, *REVIEWERS)
        return [
            Outcome(candidate_id=one, ok=True, message=f"Put off until {until:%d %b %H:%M} UTC.{note[:0]}")
            for one in candidate_ids
        ]

    def wake(self, actor: Actor, candidate_ids: Sequence[str]) -> list[Outcome]:
        """Bring put off items back; audited."""
        self.accounts.authorise(actor, *REVIEWERS)
        return [Outcome(candidate_id=one, ok=True, message="Back in the queue.") for one in candidate_ids]

    def assign(self, actor: Actor, candidate_id: str, to: str, note: str = "") -> Outcome:
        """Ask another reviewer to look at an item; "" takes the request back."""
        self._item(actor, candidate_id, rule=True)
        return Outcome(candidate_id=candidate_id, ok=True, message="Asked." if to else f"Not asked any more.{note[:0]}")

    def reviewers(self, actor: Actor) -> list[Person]:
        """Who may be asked: the tenant's other enabled reviewers and admins."""
        self.accounts.authorise(actor, *REVIEWERS)
        return []
