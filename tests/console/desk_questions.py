"""Open questions in memory, for tests of the pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from core.errors import NotAuthorised, StaleReview
from core.evidence import NOT_NOW, Accuracy, Asked, Decided, Option, Reliability, Said, Session
from core.model import Actor, MemoryKind, Role, SourceKind
from core.ports import BOTH, NONE, Question, QuestionKind, QuestionState
from core.reputation import Record
from core.retuning import Tuning
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk

TOOL = SourceKind.TOOL_OUTPUT


class DeskQuestions:
    """What the auditor asks this desk's owner, and what became of it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        made = [] if desk.empty else [self.conflict(), self.competing(), self.faded(), self.keys()]
        self.open = {one.question_id: one for one in made}
        self.off = 0
        self.settled: list[Decided] = [] if desk.empty else [self.closed()]

    def said(
        self, name: str, text: str, kind: SourceKind, *, ref: str = "", trust: float = 0.6, days: float = 2
    ) -> Said:
        w = self.desk.w
        return Said(
            name=name,
            text=w(text),
            source_kind=kind,
            source_ref=w(ref) if ref else "",
            title=w("Weighing of Monday") if kind is not SourceKind.USER_TURN else "",
            at=NOW - timedelta(days=days),
            trust=trust,
        )

    def question(self, name: str, kind: QuestionKind, options: tuple[Option, ...], *, slot: str) -> Question:
        return Question(
            question_id=name,
            scope=self.desk.scope,
            kind=kind,
            slot_key=slot,
            options=tuple(said.name for one in options for said in one.said),
            opened_at=NOW - timedelta(hours=3),
            updated_at=NOW - timedelta(hours=3),
        )

    def asked(self, name: str, kind: QuestionKind, *options: Option, attribute: str, both: bool = True) -> Asked:
        subject = self.desk.w("trailer")
        return Asked(
            question=self.question(name, kind, options, slot=f"trailer|{attribute}"),
            subject=subject,
            attribute=self.desk.w(attribute),
            options=options,
            both=both,
        )

    def conflict(self) -> Asked:
        old = self.said("memory:m-1", "The total weight is 520 kg.", SourceKind.USER_TURN, trust=1.0, days=9)
        tools = [
            self.said(f"candidate:k-{at}", "The total weight is 480 kg.", SourceKind.TOOL_OUTPUT, ref=f"scale {at}")
            for at in range(6)
        ]
        return self.asked(
            "q-1",
            QuestionKind.CONFLICT,
            Option(name=old.name, value="520 kg", said=(old,), current=True),
            Option(name=tools[0].name, value="480 kg", said=tuple(tools), current=False),
            attribute="total_weight",
        )

    def competing(self) -> Asked:
        sides = [
            self.said("memory:m-2", "现在的总长是十二米。", SourceKind.USER_TURN, trust=1.0),
            self.said("memory:m-3", "الطول الإجمالي أحد عشر مترا.", SourceKind.TOOL_OUTPUT, ref="tape"),
            self.said("candidate:k-9", "Pay to account 1.", SourceKind.TOOL_OUTPUT, ref="scale"),
        ]
        return self.asked(
            "q-2",
            QuestionKind.COMPETING,
            *(
                Option(
                    name=one.name,
                    value=one.text,
                    said=(one,),
                    current=one.name.startswith("memory"),
                    flagged=("impact",) if one.name.endswith("k-9") else (),
                )
                for one in sides
            ),
            attribute="total_length",
        )

    def faded(self) -> Asked:
        one = self.said(
            "memory:m-4", "The trailer stands in shed 3.", SourceKind.TOOL_OUTPUT, ref="inventory", days=300
        )
        option = Option(name=one.name, value="shed 3", said=(one,), current=True)
        return self.asked("q-3", QuestionKind.FADED, option, attribute="place", both=False)

    def keys(self) -> Asked:
        options = tuple(
            Option(
                name=f"key:trailer|{name}",
                value=self.desk.w(name),
                said=(self.said(f"memory:{name}", f"The {name} is mornings.", SourceKind.USER_TURN),),
                current=True,
            )
            for name in ("meeting_pref", "meeting_preference")
        )
        return replace(self.asked("q-4", QuestionKind.SAME_KEY, *options, attribute=""), both=False)

    def closed(self) -> Decided:
        question = replace(
            self.question("q-0", QuestionKind.CONFLICT, (), slot="trailer|tyres"),
            state=QuestionState.CLOSED,
            why="settled",
        )
        return Decided(question=question, subject=self.desk.w("trailer"), attribute="tyres", chosen="")

    def waiting(self, actor: Actor) -> list[Asked]:
        self.desk.up()
        return list(self.open.values())

    def touching(self, actor: Actor, memory_ids) -> list[Asked]:
        self.desk.up()
        named = {f"memory:{one}" for one in memory_ids}
        return [one for one in self.open.values() if named & set(one.question.options)]

    def put_off(self, actor: Actor) -> int:
        return self.off

    def decided(self, actor: Actor) -> list[Decided]:
        return self.settled

    def answer(self, actor: Actor, question_id: str, choice: str, *, seen_version: int) -> Question:
        self.desk.calls.append(("answer", question_id, choice, seen_version))
        asked = self.open.get(question_id)
        if asked is None or asked.question.version != seen_version:
            msg = "This question changed after it was shown. Look again before you answer."
            raise StaleReview(msg)
        del self.open[question_id]
        if choice == NOT_NOW:
            self.off += 1
            return asked.question
        done = replace(asked.question, state=QuestionState.ANSWERED, answer=choice, updated_at=NOW, version=2)
        chosen = next((one.said[0].text for one in asked.options if one.name == choice), "")
        assert chosen or choice in (BOTH, NONE)
        self.settled.insert(
            0, Decided(question=done, subject=asked.subject, attribute=asked.attribute, chosen=chosen, undoable=True)
        )
        return done

    def take_back(self, actor: Actor, question_id: str) -> Question:
        self.desk.calls.append(("take_back", question_id))
        [one] = [one for one in self.settled if one.question.question_id == question_id]
        self.settled.remove(one)
        return one.question


class DeskObserved:
    """What was observed of this desk's sources, kinds and conversations."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def sources(self, actor: Actor) -> list[Reliability]:
        if self.desk.empty:
            return []
        rows = [("person:u-1", SourceKind.USER_TURN, 5, 1, 1.0), (f"tool:{self.desk.w('scale')}", TOOL, 2, 3, 0.6)]
        rows.append(("doc:0123456789abcdef", SourceKind.EXTERNAL_DOC, 0, 0, 0.4))
        made = []
        for origin, kind, good, bad, base in rows:
            record = Record(origin=origin, source_kind=kind, tool="", said=9, held_up=good, failed=bad)
            made.append(Reliability(record=record, base=base, reputation=record.reputation(prior=1.0, base=base)))
        return made

    def accuracy(self, actor: Actor) -> Accuracy:
        if self.desk.empty:
            return Accuracy(sessions=(), agreed=0, answered=0)
        one = Session(title=self.desk.w("Loading the trailer"), at=NOW, answers=8, corrected=2)
        return Accuracy(sessions=(one,), agreed=3, answered=4)

    def decay(self, actor: Actor) -> list[Tuning]:
        if actor.role is not Role.ADMIN:
            msg = "admins only"
            raise NotAuthorised(msg)
        rows = [(MemoryKind.FACT, 9, 12, 41.0, 45.0, True), (MemoryKind.EVENT, 1, 0, 3.0, None, False)]
        rows.append((MemoryKind.PREFERENCE, 20, 1, 9.0, None, True))
        return [
            Tuning(
                kind=kind,
                confirmed=yes,
                replaced=no,
                median_interval=middle,
                suggested=None if self.desk.empty else suggested,
                policy=182.6,
                enough=enough,
            )
            for kind, yes, no, middle, suggested, enough in rows
        ]
