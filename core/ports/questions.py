"""Questions to a person where evidence cannot decide, the keys that are one, and how far the auditor has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from core.model import AuditEntry, HeldItem, Scope, aware

BOTH, NONE = "both", "none"
"""Answers beside an option's own name."""


class QuestionKind(StrEnum):
    """Why a person is asked."""

    CONFLICT = "conflict"  # held statements disagree with what is remembered
    COMPETING = "competing"  # two current values hold one slot
    FADED = "faded"  # in use, but its confidence fell below the line where one has to ask
    SAME_KEY = "same_key"  # two keys that look like one


class QuestionState(StrEnum):
    """Where a question stands."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"  # by the evidence, or because nothing of it stands any more


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked about one slot. Options are names ("memory:<id>", "candidate:<id>", "key:<slot key>"), no words."""

    question_id: str
    scope: Scope
    kind: QuestionKind
    slot_key: str
    options: tuple[str, ...]
    opened_at: datetime
    updated_at: datetime
    state: QuestionState = QuestionState.OPEN
    until: datetime | None = None  # put off until
    answer: str = ""  # an option, BOTH or NONE
    answered_by: str = ""  # user id
    why: str = ""  # code: why it was closed without an answer
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse naive times."""
        aware(self.opened_at)
        aware(self.updated_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyUse:
    """One key that an owner's statements use."""

    slot_key: str
    subject: str
    attribute: str
    count: int


class QuestionReader(Protocol):
    """The part of the ledger that the auditor and the desk of questions read."""

    def question(self, question_id: str) -> Question | None:
        """One question."""

    def open_question(self, scope: Scope, slot_key: str) -> Question | None:
        """The question that a slot has open, put off or not."""

    def questions(
        self, tenant: str, owner: str, *, states: Sequence[QuestionState], limit: int = 100
    ) -> list[Question]:
        """An owner's questions in these states, last changed first."""

    def answered(self, scope: Scope, slot_key: str, *, limit: int = 20) -> list[Question]:
        """What the owner answered about a slot, last first."""

    def held_of_slot(self, scope: Scope, slot_key: str, *, limit: int = 100) -> list[HeldItem]:
        """Held candidates of a scope's slot, in order of receipt."""

    def audit_after(self, seq: int, *, limit: int = 200) -> list[AuditEntry]:
        """The chain's next entries of every owner, oldest first."""

    def cursor(self, name: str) -> int:
        """The last audit entry that a reader of the chain has dealt with; 0 at first."""

    def aliases(self, scope: Scope) -> Mapping[str, str]:
        """Slot key → the key that the owner said it is."""

    def keys(self, tenant: str, owner: str) -> list[KeyUse]:
        """The keys that the owner's live statements use, events left out, by key."""


class QuestionTx(Protocol):
    """What is written about questions in a ledger transaction."""

    def add_question(self, question: Question) -> bool:
        """Open a question; False if its slot has one open, or its id is known: nothing is written then."""

    def move_question(self, question: Question, *, seen_version: int) -> int:
        """Change a question by compare-and-swap and return its new version.

        Raises:
            StaleReview: the version is no longer `seen_version`; nothing is written.
        """

    def set_cursor(self, name: str, seq: int) -> None:
        """Note how far a reader of the chain is; it never moves backwards."""

    def add_alias(self, scope: Scope, slot_key: str, canonical: str, *, by: str, at: datetime) -> None:
        """Keep that the owner said one key is another."""

    def drop_alias(self, scope: Scope, slot_key: str) -> bool:
        """Take it back; False if there was none."""


__all__ = [
    "BOTH",
    "NONE",
    "KeyUse",
    "Question",
    "QuestionKind",
    "QuestionReader",
    "QuestionState",
    "QuestionTx",
]
