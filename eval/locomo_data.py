"""LoCoMo as it is published: ten long conversations of two people, and questions with the turns that answer them.

The file is read from a path that the user gives and is no part of this project (CC BY-NC 4.0).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
BETWEEN_TURNS = timedelta(seconds=30)  # the data dates sessions only
_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One message of a conversation."""

    turn_id: str  # "D3:12"
    session: str  # "session_3"
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question and the raw evidence strings of the data, which name turns; some name none."""

    question_id: str
    text: str
    answer: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """One conversation in order, with its questions."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def asked_at(self) -> datetime:
        """When its questions are asked: the day after its last message."""
        return max(turn.at for turn in self.turns) + timedelta(days=1)


def read(path: Path) -> list[Conversation]:
    """The conversations of the published file, in its order."""
    return [_conversation(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def words_of(turn: dict[str, Any]) -> str:
    """What a turn says; a shared picture is told by its caption, as the authors' own code does."""
    caption = turn.get("blip_caption", "")
    return turn["text"] + (f"\nPicture: {caption}." if caption else "")


def retrievable(questions: tuple[Question, ...]) -> list[Question]:
    """The questions that retrieval is scored on: categories 1 to 4 with evidence."""
    return [one for one in questions if one.category in (1, 2, 3, 4) and one.evidence]


def _conversation(raw: dict[str, Any]) -> Conversation:
    told = raw["conversation"]
    names = sorted((name for name in told if _SESSION.fullmatch(name)), key=lambda name: int(name.split("_")[1]))
    turns = [
        Turn(
            turn_id=turn["dia_id"],
            session=name,
            speaker=turn["speaker"],
            text=words_of(turn),
            at=_date(told[f"{name}_date_time"]) + nth * BETWEEN_TURNS,
        )
        for name in names
        for nth, turn in enumerate(told[name])
    ]
    questions = [
        Question(
            question_id=f"{raw['sample_id']}/{nth}",
            text=one["question"],
            answer=str(one.get("answer", one.get("adversarial_answer", ""))),
            category=one["category"],
            evidence=tuple(one.get("evidence", ())),
        )
        for nth, one in enumerate(raw["qa"])
    ]
    return Conversation(name=raw["sample_id"], turns=tuple(turns), questions=tuple(questions))


def _date(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
