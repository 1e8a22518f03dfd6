"""A fact while it is being read, before it is bound to a span of the original text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.llm.rules.text import Cleaned
from core.llm.rules.voice import sentence
from core.model import MemoryKind, Proposal, SpeechAct
from core.slots import default_importance

_KINDS = {
    "likes": MemoryKind.PREFERENCE,
    "dislikes": MemoryKind.PREFERENCE,
    "answer_preference": MemoryKind.PREFERENCE,
    "contact_preference": MemoryKind.PREFERENCE,
    "name_preference": MemoryKind.PREFERENCE,
    "lesson": MemoryKind.LESSON,
    "procedure": MemoryKind.PROCEDURE,
    "event": MemoryKind.EVENT,
}


_MAX_VALUE = 300  # characters; a longer "value" is prose that no slot can hold


_MAX_STATEMENT = 2000  # characters


@dataclass(frozen=True, slots=True)
class Draft:
    """One fact. `start`/`end`: the stating clause in the cleaned text."""

    subject: str
    attribute: str
    value: str
    statement: str
    start: int
    end: int
    kind: MemoryKind | None = None
    act: SpeechAct = SpeechAct.ASSERTION
    importance: float | None = None
    valid_at: datetime | None = None
    expires_at: datetime | None = None
    retracts: bool = False
    language: str = "en"

    def proposal(self, cleaned: Cleaned) -> Proposal:
        """The draft as a proposal that cites the original."""
        return Proposal(
            subject=" ".join(self.subject.split()),
            attribute=self.attribute,
            value=" ".join(self.value.split())[: _MAX_STATEMENT if self.attribute == "event" else _MAX_VALUE],
            statement=self.statement[:_MAX_STATEMENT],
            kind=self.kind or kind_of(self.attribute),
            importance=default_importance(self.attribute) if self.importance is None else self.importance,
            span=cleaned.span(self.start, self.end),
            speech_act=SpeechAct.RETRACTION if self.retracts else self.act,
            valid_at=self.valid_at,
            expires_at=self.expires_at,
            retracts=self.retracts,
            language=self.language,
        )


def kind_of(attribute: str) -> MemoryKind:
    """The memory kind of an attribute; favourites are preferences, all else is fact (rules §2.1)."""
    if attribute.startswith(("favorite_", "least_favorite_")):
        return MemoryKind.PREFERENCE
    return _KINDS.get(attribute, MemoryKind.FACT)


def sound(draft: Draft) -> bool:
    """Whether a draft says anything: an empty subject, value or statement is a misreading."""
    return (
        bool(draft.subject.strip() and draft.attribute and draft.value.strip() and sentence(draft.statement))
        and draft.end > draft.start
    )
