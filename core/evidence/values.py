"""What the desk of questions shows: values with who said them and when, and what was decided. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.model import HeldItem, Memory, SourceKind
from core.ports import Question

NOT_NOW = "later"
"""The answer that puts a question off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One statement of a value."""

    name: str  # "memory:<id>" or "candidate:<id>"
    text: str
    source_kind: SourceKind
    source_ref: str
    title: str
    at: datetime  # last stated
    trust: float  # effective
    origins: int = 1  # independent origins behind it


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One value that can be chosen, with everybody who says so."""

    name: str  # what an answer names it by: its first statement, or "key:<slot key>"
    value: str
    said: tuple[Said, ...]
    current: bool  # it is remembered now
    flagged: tuple[str, ...] = ()  # why taking it in needs more than one click (rules §1.7): see Review


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One open question with what there is to choose from."""

    question: Question
    subject: str
    attribute: str
    options: tuple[Option, ...]
    both: bool  # whether all of them may be true together

    @property
    def question_id(self) -> str:
        """The question's id."""
        return self.question.question_id


@dataclass(frozen=True, kw_only=True, slots=True)
class Decided:
    """One question that is settled, by its owner or by the evidence."""

    question: Question
    subject: str
    attribute: str
    chosen: str  # words of what was chosen; "" where nothing was, or where it is gone
    undoable: bool = False  # the answer can be taken back now


def said_of_memory(memory: Memory) -> Said:
    """A memory as a statement."""
    return Said(
        name=f"memory:{memory.memory_id}",
        text=memory.text,
        source_kind=memory.source_kind,
        source_ref=memory.source_ref,
        title=memory.source_title,
        at=memory.stated_at,
        trust=memory.effective_trust,
        origins=memory.origins,
    )


def said_of_item(item: HeldItem) -> Said:
    """A held candidate as a statement."""
    candidate, origin = item.candidate, item.candidate.provenance
    return Said(
        name=f"candidate:{candidate.candidate_id}",
        text=candidate.text,
        source_kind=origin.source_kind,
        source_ref=origin.source_ref,
        title=origin.title,
        at=origin.observed_at,
        trust=item.decision.evidence.effective_trust,
    )


__all__ = ["NOT_NOW", "Asked", "Decided", "Option", "Said", "said_of_item", "said_of_memory"]
