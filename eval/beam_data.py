"""BEAM's chats of 100,000 tokens: messages of a user and an assistant, and questions with the messages they rest on.

The file is read from a path that the user gives and is no part of this project (CC BY-SA 4.0).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

UPDATE = "knowledge_update"
BETWEEN_MESSAGES = timedelta(minutes=1)
_FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)  # of a chat that names no date at its start


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message; without a date of its own it is of the day of the one before."""

    number: int
    user: bool
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """A question, its ability, and the messages it rests on; of an update also which say the old and which the new."""

    probe_id: str
    ability: str
    text: str
    gold: tuple[int, ...]
    stale: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """One chat with its probes."""

    name: str
    messages: tuple[Message, ...]
    probes: tuple[Probe, ...]


def read(path: Path) -> list[Chat]:
    """The chats of the compacted file, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [_chat(json.loads(line)) for line in lines]


def numbers_in(source: object) -> tuple[int, ...]:
    """Every message number in a list, or in the lists of a mapping, each once."""
    lists = source.values() if isinstance(source, Mapping) else [source]
    return tuple(dict.fromkeys(number for one in lists for number in _flat(one)))


def _flat(source: object) -> Iterator[int]:
    if isinstance(source, int):
        yield source
    elif isinstance(source, list):
        for one in source:
            yield from _flat(one)


def _chat(raw: Mapping[str, Any]) -> Chat:
    return Chat(
        name=f"beam-{raw['id']}",
        messages=tuple(_messages(raw["messages"])),
        probes=tuple(_probe(f"beam-{raw['id']}/{nth}", one) for nth, one in enumerate(raw["questions"])),
    )


def _messages(raw: list[Mapping[str, Any]]) -> Iterator[Message]:
    at = _FIRST_DAY
    for one in raw:
        day = _day(one["date"])
        at = max(at + BETWEEN_MESSAGES, day or at)
        yield Message(number=one["id"], user=one["role"] == "user", text=one["text"], at=at)


def _day(text: str | None) -> datetime | None:
    try:
        return datetime.strptime(text or "", "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _probe(probe_id: str, raw: Mapping[str, Any]) -> Probe:
    source = raw.get("source_chat_ids", ())
    told = source if isinstance(source, Mapping) and raw["ability"] == UPDATE else {}
    stale, fresh = numbers_in(told.get("original_info", [])), numbers_in(told.get("updated_info", []))
    apart = not set(stale) & set(fresh)  # said in one message they cannot be told apart by it
    return Probe(
        probe_id=probe_id,
        ability=raw["ability"],
        text=raw["question"],
        gold=numbers_in(list(source) if isinstance(source, tuple) else source),
        stale=stale if apart else (),
        fresh=fresh if apart else (),
    )
