"""Questions to a person, keys that are one, and how far the auditor has read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.audit import stamp
from core.errors import StaleReview
from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import entry_of_row, item_of, scope_of, scope_values
from core.model import AuditEntry, HeldItem, Scope
from core.ports import KeyUse, Question, QuestionKind, QuestionState


class StoredQuestions(StoredHandle):
    """Implements `core.ports.QuestionReader`."""

    def question(self, question_id: str) -> Question | None:
        """One question."""
        row = self._row("question", question_id=question_id)
        return _question_of(row) if row else None

    def open_question(self, scope: Scope, slot_key: str) -> Question | None:
        """The question that a slot has open, put off or not."""
        row = self._row("open_question", **scope_values(scope), slot_key=slot_key)
        return _question_of(row) if row else None

    def questions(
        self, tenant: str, owner: str, *, states: Sequence[QuestionState], limit: int = 100
    ) -> list[Question]:
        """An owner's questions in these states, last changed first."""
        rows = self._rows("questions", tenant=tenant, owner=owner, states=to_json(tuple(states)), limit=limit)
        return [_question_of(row) for row in rows]

    def answered(self, scope: Scope, slot_key: str, *, limit: int = 20) -> list[Question]:
        """What the owner answered about a slot, last first."""
        named = {"tenant": scope.tenant, "owner": scope.owner, "slot_key": slot_key}
        return [_question_of(row) for row in self._rows("questions_of_slot", **named, limit=limit)]

    def held_of_slot(self, scope: Scope, slot_key: str, *, limit: int = 100) -> list[HeldItem]:
        """Held candidates of a scope's slot, in order of receipt."""
        rows = self._rows("held_of_slot", **scope_values(scope), slot_key=slot_key, limit=limit)
        return [item_of(row) for row in rows]

    def audit_after(self, seq: int, *, limit: int = 200) -> list[AuditEntry]:
        """The chain's next entries of every owner, oldest first."""
        return [entry_of_row(row) for row in self._rows("audit_after", seq=seq, limit=limit)]

    def cursor(self, name: str) -> int:
        """The last audit entry that a reader of the chain has dealt with; 0 at first."""
        row = self._row("cursor", name=name)
        return int(row["seq"]) if row else 0

    def aliases(self, scope: Scope) -> dict[str, str]:
        """Slot key → the key that the owner said it is."""
        rows = self._rows("aliases", tenant=scope.tenant, owner=scope.owner)
        return {row["slot_key"]: row["canonical"] for row in rows}

    def keys(self, tenant: str, owner: str) -> list[KeyUse]:
        """The keys that the owner's live statements use, events left out, by key."""
        return [
            KeyUse(
                slot_key=row["slot_key"], subject=row["subject"], attribute=row["attribute"], count=int(row["total"])
            )
            for row in self._rows("keys_of_owner", tenant=tenant, owner=owner)
        ]


class QuestionWrites(ABC):
    """Implements `core.ports.QuestionTx` on a connection inside BEGIN IMMEDIATE."""

    @property
    @abstractmethod
    def _db(self) -> Connection:
        """The connection."""

    def add_question(self, question: Question) -> bool:
        """Open a question; False if its slot has one open, or its id is known: nothing is written then."""
        values = _values(question)
        given = {name: values[name] for name in ("kind", "options", "updated_at", "until")}
        return bool(
            self._db.change(
                "add_question",
                question_id=question.question_id,
                **scope_values(question.scope),
                slot_key=question.slot_key,
                opened_at=stamp(question.opened_at),
                **given,
            )
        )

    def move_question(self, question: Question, *, seen_version: int) -> int:
        """Change a question by compare-and-swap and return its new version.

        Raises:
            StaleReview: the version is no longer `seen_version`; nothing is written.
        """
        named = {"question_id": question.question_id, "seen_version": seen_version}
        if not self._db.change("move_question", **named, **_values(question)):
            msg = "This question changed after it was shown. Look again before you answer."
            raise StaleReview(msg)
        return seen_version + 1

    def set_cursor(self, name: str, seq: int) -> None:
        """Note how far a reader of the chain is; it never moves backwards."""
        self._db.change("set_cursor", name=name, seq=seq)

    def add_alias(self, scope: Scope, slot_key: str, canonical: str, *, by: str, at: datetime) -> None:
        """Keep that the owner said one key is another."""
        named = {"tenant": scope.tenant, "owner": scope.owner, "slot_key": slot_key}
        self._db.change("add_alias", **named, canonical=canonical, decided_by=by, at=stamp(at))

    def drop_alias(self, scope: Scope, slot_key: str) -> bool:
        """Take it back; False if there was none."""
        return bool(self._db.change("drop_alias", tenant=scope.tenant, owner=scope.owner, slot_key=slot_key))


def _values(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind.value,
        "options": to_json(question.options),
        "state": question.state.value,
        "updated_at": stamp(question.updated_at),
        "until": stamp(question.until) if question.until else "",
        "answer": question.answer,
        "answered_by": question.answered_by,
        "why": question.why,
    }


def _question_of(row: Row) -> Question:
    return Question(
        question_id=row["question_id"],
        scope=scope_of(row),
        kind=QuestionKind(row["kind"]),
        slot_key=row["slot_key"],
        options=from_json(tuple[str, ...], row["options"]),
        opened_at=datetime.fromisoformat(row["opened_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        state=QuestionState(row["state"]),
        until=datetime.fromisoformat(row["until"]) if row["until"] else None,
        answer=row["answer"],
        answered_by=row["answered_by"],
        why=row["why"],
        version=row["version"],
    )
