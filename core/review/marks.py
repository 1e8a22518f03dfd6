"""What reviewers do about an item beside ruling on it: reserve, put off, ask a colleague."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import BadInput, ChronoMemoryError, NotAuthorised, StaleReview
from core.model import Actor, CandidateState, HeldItem, Person
from core.ports import LedgerTx, Marking
from core.review.bench import Bench
from core.review.values import NOTE, REVIEWERS, Approval, Look, Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks(Bench):
    """None of these is a ruling: the item's version stays what it was."""

    def looks(self, actor: Actor, ids: Sequence[str]) -> dict[str, Look]:
        """What people are doing about items, by id; ids that the actor may not see are left out.

        Raises:
            NotAuthorised: held items are not for the actor.
        """
        visible = self._visible(actor)
        names = self.accounts.names(actor.tenant)
        found = self.ledger.markings(ids)
        return {
            one: self._look(actor, marking, names, notes=visible is None)
            for one, marking in found.items()
            if marking.tenant == actor.tenant and visible in (None, marking.owner)
        }

    def _look(self, actor: Actor, marking: Marking, names: dict[str, str], *, notes: bool) -> Look:
        """As a reviewer sees it; what reviewers write to each other (`notes`) is not for the item's owner."""
        now, days = self.clock.now(), self.policy.review.expire_after_days
        held = marking.reservation if marking.reservation and marking.reservation.until > now else None
        mine = held is not None and held.user_id == actor.user_id
        return Look(
            candidate_id=marking.candidate_id,
            reserved_by="" if held is None or mine else names.get(held.user_id, "somebody else"),
            reserved_until=held.until if held else None,
            mine=mine,
            snoozed_until=marking.snoozed_until if marking.snoozed_until and marking.snoozed_until > now else None,
            assigned_to=marking.assigned_to,
            assigned_by=marking.assigned_by,
            assigned_note=marking.assigned_note if notes else "",
            approvals=tuple(
                Approval(by=names.get(one.user_id, ""), user_id=one.user_id, at=one.at, note=one.note if notes else "")
                for one in marking.approvals
            ),
            declined_before=marking.declined_before,
            expires_at=marking.held_since + timedelta(days=days) if days and marking.held else None,
            alike_count=marking.alike_count,
        )

    def reserve(self, actor: Actor, candidate_id: str) -> Look:
        """Keep others from ruling on an item while the actor reads it; renews one's own.

        A running reservation of somebody else stays theirs: the look says whose it is.

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            StaleReview: it is decided already.
        """
        return self._reserve(actor, candidate_id, force=False)

    def take_over(self, actor: Actor, candidate_id: str) -> Look:
        """Take an item over from whoever reserved it; audited.

        Raises:
            NotAuthorised, NotFound, StaleReview: as `reserve`.
        """
        return self._reserve(actor, candidate_id, force=True)

    def _reserve(self, actor: Actor, candidate_id: str, *, force: bool) -> Look:
        with self._refusals(actor, candidate_id):
            item = self._waiting(actor, candidate_id)
        now = self.clock.now()
        until = now + timedelta(minutes=self.policy.review.reservation_minutes)
        before = self.ledger.markings([candidate_id])[candidate_id].reservation
        theirs = before is not None and before.user_id != actor.user_id and before.until > now
        self.enactor.beside(
            actor,
            lambda tx: tx.reserve(candidate_id, user_id=actor.user_id, until=until, now=now, force=force),
            owner=item.candidate.scope.owner,
            action="candidate:taken_over" if force and theirs else "",
            about={"candidate_id": candidate_id, "from": before.user_id if before else ""},
        )
        return self.looks(actor, [candidate_id])[candidate_id]

    def release(self, actor: Actor, candidate_id: str) -> None:
        """Give one's own reservation back; one that is not there, or not one's own, is left as it is."""
        with self._refusals(actor, candidate_id):
            item = self._item(actor, candidate_id, rule=True)
        self.enactor.beside(
            actor,
            lambda tx: tx.release(candidate_id, user_id=actor.user_id),
            owner=item.candidate.scope.owner,
            about={},
        )

    def snooze(self, actor: Actor, candidate_ids: Sequence[str], until: datetime, note: str = "") -> list[Outcome]:
        """Put items off until a time (UTC); audited. What one item refuses never stops the others.

        Raises:
            NotAuthorised: the actor is no reviewer.
            BadInput: the time is not in the future, or has no zone.
        """
        now = self.clock.now()
        if until.tzinfo is None or until <= now:
            msg = "Choose a time in the future to put it off to."
            raise BadInput(msg)
        said = note.strip()[:NOTE]
        return self._each(
            actor,
            candidate_ids,
            lambda tx, one: tx.snooze(one, user_id=actor.user_id, until=until, at=now, note=said),
            action="candidate:snoozed",
            about={"until": f"{until:%Y-%m-%dT%H:%M}Z"},
            message=f"Put off until {until:%d %B, %H:%M} UTC.",
        )

    def wake(self, actor: Actor, candidate_ids: Sequence[str]) -> list[Outcome]:
        """Bring put off items back; audited.

        Raises:
            NotAuthorised: the actor is no reviewer.
        """
        now = self.clock.now()
        return self._each(
            actor,
            candidate_ids,
            lambda tx, one: tx.snooze(one, user_id=actor.user_id, until=None, at=now, note=""),
            action="candidate:woken",
            about={},
            message="Back in the queue.",
        )

    def assign(self, actor: Actor, candidate_id: str, to: str, note: str = "") -> Outcome:
        """Ask another reviewer to look at an item; "" takes the request back. Audited.

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            BadInput: `to` is nobody who may be asked.
        """
        self.accounts.authorise(actor, *REVIEWERS)
        people = {one.user_id: one.username for one in self.accounts.reviewers(actor.tenant)}
        if to and to not in people:
            msg = "Only a reviewer or an admin can be asked."
            raise BadInput(msg)
        now, said = self.clock.now(), note.strip()[:NOTE]
        [outcome] = self._each(
            actor,
            [candidate_id],
            lambda tx, one: tx.assign(one, user_id=actor.user_id, to=to, at=now, note=said),
            action="candidate:assigned",
            about={"to": to},
            message=f"{people[to]} is asked to look at it." if to else "Nobody is asked any more.",
        )
        return outcome

    def reviewers(self, actor: Actor) -> list[Person]:
        """Who may be asked: the tenant's other enabled reviewers and admins, by user name.

        Raises:
            NotAuthorised: the actor is no reviewer.
        """
        self.accounts.authorise(actor, *REVIEWERS)
        return [one for one in self.accounts.reviewers(actor.tenant) if one.user_id != actor.user_id]

    def _each(
        self,
        actor: Actor,
        ids: Sequence[str],
        act: Callable[[LedgerTx, str], bool],
        *,
        action: str,
        about: dict[str, str],
        message: str,
    ) -> list[Outcome]:
        """One mark on each of some items, each in a transaction with its entry; what is decided meanwhile is not."""
        outcomes = []
        for one in dict.fromkeys(ids):
            try:
                with self._refusals(actor, one):
                    item = self._waiting(actor, one)
                self._mark(actor, item, act, action=action, about=about)
            except NotAuthorised:
                raise
            except ChronoMemoryError as problem:
                outcomes.append(Outcome(candidate_id=one, ok=False, message=str(problem)))
            else:
                outcomes.append(Outcome(candidate_id=one, ok=True, message=message, state=CandidateState.HELD))
        return outcomes

    def _mark(
        self,
        actor: Actor,
        item: HeldItem,
        act: Callable[[LedgerTx, str], bool],
        *,
        action: str,
        about: dict[str, str],
    ) -> None:
        candidate_id = item.candidate.candidate_id

        def marked(tx: LedgerTx) -> None:
            if not act(tx, candidate_id):
                raise StaleReview(self._changed(item))

        self.enactor.beside(
            actor,
            marked,
            owner=item.candidate.scope.owner,
            action=action,
            about={"candidate_id": candidate_id, **about},
        )

    def _waiting(self, actor: Actor, candidate_id: str) -> HeldItem:
        """An item that the actor may rule on and that still waits."""
        item = self._item(actor, candidate_id, rule=True)
        if item.state is not CandidateState.HELD:
            raise StaleReview(self._changed(item))
        return item
