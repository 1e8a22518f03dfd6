"""What the review desk in memory knows of people at work: reservations, requests, snoozes, first approvals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from core.errors import BadInput, NeedsReason, Reserved
from core.model import Actor, CandidateState, HeldItem, Memory, Person, Role, Ruling, RulingKind
from core.review import AnswerTouched, Approval, Look, Outcome, Preview, WouldChange, flags_of
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskMarks(ABC):
    """Mixed into the review desk."""

    desk: Desk
    items: list[HeldItem]
    ruled: dict[str, HeldItem]

    @abstractmethod
    def item(self, actor: Actor, candidate_id: str) -> HeldItem: ...

    @abstractmethod
    def _rule(self, one: HeldItem, ruling: Ruling, *, by: str) -> Outcome: ...

    def start_marks(self) -> None:
        self.others: dict[str, str] = {}  # item, user name of who else looks at it
        self.mine: set[str] = set()
        self.snoozes: dict[str, datetime] = {}
        self.asked: dict[str, tuple[str, str, str]] = {}  # item, to, by, note
        self.approvals: dict[str, tuple[Approval, ...]] = {}
        self.two: set[str] = set()  # items that two people must confirm
        self.would: dict[str, WouldChange] = {}
        self.judged: list[str] = []
        self.prepared: list[str] = []
        self.alikes: dict[str, int] = {}
        self.declined: set[str] = set()
        self.colleagues = [self.person("u-2", "grace"), self.person("u-3", "ben")]
        self.targets: list[Memory] = []

    def person(self, user_id: str, name: str) -> Person:
        return Person(
            user_id=user_id,
            username=self.desk.w(name),
            display_name=self.desk.w(name.capitalize()),
            tenant="main",
            role=Role.REVIEWER,
            created_at=NOW,
        )

    def more(self, count: int, text: str = "The ferry leaves at nine.") -> Self:
        """Near-duplicates of one claim, each of a page of its own."""
        refs = [f"https://ferry{at}.example/" for at in range(1, count + 1)]
        self.items += [
            self.desk.item(f"s-{at}", text, ref=ref, title=f"Ferries {at}") for at, ref in enumerate(refs, start=1)
        ]
        self.alikes |= {f"s-{at}": count for at in range(1, count + 1)}
        return self

    # --- looks ---------------------------------------------------------------------------------------------------

    def looks(self, actor: Actor, ids: Sequence[str]) -> dict[str, Look]:
        self.desk.calls.append(("looks", len(ids)))
        return {one: self._look(one) for one in ids}

    def _look(self, cid: str) -> Look:
        to, by, note = self.asked.get(cid, ("", "", ""))
        other = self.others.get(cid, "")
        return Look(
            candidate_id=cid,
            reserved_by=self.desk.w(other) if other else "",
            reserved_until=NOW + timedelta(minutes=5) if other else None,
            mine=cid in self.mine,
            snoozed_until=self.snoozes.get(cid),
            assigned_to=to,
            assigned_by=by,
            assigned_note=note,
            approvals=self.approvals.get(cid, ()),
            declined_before=cid in self.declined,
            expires_at=NOW + timedelta(days=80),
            alike_count=self.alikes.get(cid, 1),
        )

    def reserve(self, actor: Actor, candidate_id: str) -> Look:
        self.desk.calls.append(("reserve", candidate_id))
        if candidate_id not in self.others:
            self.mine.add(candidate_id)
        return self._look(candidate_id)

    def release(self, actor: Actor, candidate_id: str) -> None:
        self.desk.calls.append(("release", candidate_id))
        self.mine.discard(candidate_id)

    def take_over(self, actor: Actor, candidate_id: str) -> Look:
        self.desk.calls.append(("take_over", candidate_id))
        self.others.pop(candidate_id)
        self.mine.add(candidate_id)
        return self._look(candidate_id)

    def check_free(self, candidate_id: str) -> None:
        who = self.others.get(candidate_id)
        if who:
            until = NOW + timedelta(minutes=5)
            msg = f"{self.desk.w(who)} is looking at this until {until:%H:%M} UTC: take it over, or go on."
            raise Reserved(msg, who=self.desk.w(who), until=until)

    # --- later ---------------------------------------------------------------------------------------------------

    def snooze(self, actor: Actor, candidate_ids: Sequence[str], until: datetime, note: str = "") -> list[Outcome]:
        self.desk.calls.append(("snooze", tuple(candidate_ids), until))
        self.snoozes |= dict.fromkeys(candidate_ids, until)
        return [Outcome(candidate_id=one, ok=True, message="Snoozed.") for one in candidate_ids]

    def wake(self, actor: Actor, candidate_ids: Sequence[str]) -> list[Outcome]:
        self.desk.calls.append(("wake", tuple(candidate_ids)))
        for one in candidate_ids:
            self.snoozes.pop(one)
        return [Outcome(candidate_id=one, ok=True, message="Back in the queue.") for one in candidate_ids]

    def assign(self, actor: Actor, candidate_id: str, to: str, note: str = "") -> Outcome:
        self.desk.calls.append(("assign", candidate_id, to, note))
        if to:
            self.asked[candidate_id] = (to, actor.user_id, self.desk.w(note) if note else "")
        else:
            self.asked.pop(candidate_id)
        return Outcome(candidate_id=candidate_id, ok=True, message="Asked." if to else "Not asked any more.")

    def reviewers(self, actor: Actor) -> list[Person]:
        return [one for one in self.colleagues if one.user_id != actor.user_id]

    # --- ahead ---------------------------------------------------------------------------------------------------

    def prepare(self, actor: Actor, candidate_id: str) -> None:
        self.prepared.append(candidate_id)

    def would_change(self, actor: Actor, candidate_id: str) -> WouldChange:
        self.judged.append(candidate_id)
        found = self.would.get(candidate_id, WouldChange(needs_second=candidate_id in self.two))
        if candidate_id == "h-1" and candidate_id not in self.would:
            cited = AnswerTouched(run_id="r-1", question=self.desk.w("What do I eat?"), at=NOW - timedelta(days=1))
            found = replace(found, supersedes=(self.desk.memory("m-3", "You are vegetarian."),), answers=(cited,))
        return found

    def preview(self, actor: Actor, rulings: Sequence[Ruling]) -> list[Preview]:
        self.desk.calls.append(("preview", tuple(rulings)))
        found = []
        for one in rulings:
            item = self.item(actor, one.candidate_id)
            why = ", ".join(flags_of(item)) if one.kind is RulingKind.PROMOTE else ""
            if item.state is not CandidateState.HELD:
                why = "It is decided already."
            found.append(
                Preview(
                    candidate_id=one.candidate_id,
                    text=item.candidate.text,
                    would="refuse" if why else one.kind.value,
                    why=f"Flagged: {why}" if why else "",
                )
            )
        return found

    def approve(self, actor: Actor, item: HeldItem, ruling: Ruling) -> Outcome | None:
        """The first yes of two; None when this one completes it."""
        cid = item.candidate.candidate_id
        given = self.approvals.get(cid, ())
        if cid not in self.two or any(one.user_id != actor.user_id for one in given):
            return None
        self.approvals[cid] = (Approval(by=actor.username, user_id=actor.user_id, at=NOW, note=ruling.note),)
        said = "Approved: a second person must confirm the same words."
        return Outcome(candidate_id=cid, ok=True, state=CandidateState.HELD, message=said)

    # --- other words ---------------------------------------------------------------------------------------------

    def edit(self, actor: Actor, ruling: Ruling, text: str) -> Outcome:
        self.desk.calls.append(("edit", ruling, text))
        one = self.item(actor, ruling.candidate_id)
        if flags_of(one) and not (ruling.override and ruling.note.strip()):
            msg = f"This item is flagged ({', '.join(flags_of(one))}). Confirm that you override it, and say why."
            raise NeedsReason(msg)
        done = self._rule(one, replace(ruling, kind=RulingKind.REJECT), by=actor.user_id)
        return replace(done, state=CandidateState.PROMOTED, message="The edited words are in memory.", other="n-1")

    def merge_targets(self, actor: Actor, candidate_id: str) -> list[Memory]:
        self.desk.calls.append(("merge_targets", candidate_id))
        return self.targets

    def merge(self, actor: Actor, ruling: Ruling, memory_id: str) -> Outcome:
        self.desk.calls.append(("merge", ruling, memory_id))
        if memory_id not in [one.memory_id for one in self.targets]:
            msg = "There is no such memory to merge into."
            raise BadInput(msg)
        return self._rule(self.item(actor, ruling.candidate_id), ruling, by=actor.user_id)


__all__: list[Any] = ["DeskMarks"]
