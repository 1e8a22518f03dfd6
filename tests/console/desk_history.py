"""The list of chats, both sides of a question and a memory's history in memory, for tests of the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, NotFound
from core.history import Found, Use, Version
from core.model import Actor, Conversation, Memory, MemoryStatus, Role
from core.sides import Cited, Comparison, Side
from tests.console.desk_base import NOW
from tests.console.desk_confidence import counsel

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskChats:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def page(self, actor: Actor, *, text: str = "", limit: int = 30) -> tuple[list[Conversation], int]:
        every = self.desk.chat.conversations(actor)
        found = [one for one in every if text.casefold() in one.title.casefold()]
        return found[:limit], len(found)

    def rename(self, actor: Actor, conversation_id: str, title: str) -> None:
        if not title.strip():
            msg = "Give the chat a name."
            raise BadInput(msg)
        self.desk.calls.append(("rename", conversation_id, title))
        self.desk.chat.names[conversation_id] = title


class DeskSides:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.hidden = False

    def sees_held(self, actor: Actor) -> bool:
        return actor.role is not Role.MEMBER or not self.hidden

    def compare(self, actor: Actor, question: str, *, conversation_id: str = "", asked_id: str = "") -> Comparison:
        self.desk.calls.append(("compare", question, conversation_id, asked_id))
        if not question.strip():
            msg = "Type the question that both memories should answer."
            raise BadInput(msg)
        w = self.desk.w
        own = self.desk.memories.rows["m-2"]
        sees = self.sees_held(actor)
        item = self.desk.item("h-9", w("You live in Lagos."))
        page = replace(
            own, memory_id="h-9", text=item.candidate.text, source_kind=item.candidate.provenance.source_kind
        )
        governed = Side(
            text=w("You live in Porto [1]."), cited=(Cited(number=1, memory=own),), known=4, counsel=counsel(own)
        )
        plain = Side(text=w("You live in Lagos [1]."), cited=(Cited(number=1, memory=page, item=item),), known=7)
        return Comparison(
            question=question,
            governed=governed,
            plain=plain if sees else governed,
            held=3 if sees else 0,
            sees_held=sees,
            bounded=False,
        )


class DeskHistory:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def _row(self, memory_id: str) -> Memory:
        if memory_id not in self.desk.memories.rows:
            msg = "There is no such memory."
            raise NotFound(msg)
        row: Memory = self.desk.memories.rows[memory_id]
        return row

    def versions(self, actor: Actor, memory_id: str) -> tuple[Version, ...]:
        self._row(memory_id)
        rows = self.desk.memories.rows
        if memory_id not in ("m-2", "m-4") or not {"m-2", "m-4"} <= rows.keys():
            return (Version(memory=rows[memory_id]),)
        return (Version(memory=rows["m-4"], by="m-2"), Version(memory=rows["m-2"]))

    def uses(self, actor: Actor, memory_id: str) -> tuple[list[Use], int]:
        self._row(memory_id)
        return ([Use(at=NOW, conversation_id="c-1"), Use(at=NOW, conversation_id="gone")], 2)

    def by_meaning(self, actor: Actor, text: str, where: Any, *, then: Any = None) -> tuple[list[Found], bool]:
        self.desk.calls.append(("by_meaning", text, where))
        rows = [one for one in self.desk.memories.rows.values() if one.status in where.statuses]
        return [Found(memory=one, cosine=0.5) for one in rows if MemoryStatus.DELETED is not one.status], False
