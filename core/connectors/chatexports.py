"""What the exports of chat services share: where the conversations lie, and one line of a chat as an item."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TextIO, cast

from core.connectors.archives import Archive, Member
from core.connectors.decoding import SAMPLE_BYTES, encoding_of
from core.connectors.jsonstream import BrokenJson, elements
from core.errors import BadInput
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item

CONVERSATIONS = "conversations.json"

Line = tuple[str, str, str, datetime | None]  # id, "user" or "agent", words, time
Reader = Callable[[Mapping[str, Any]], Iterator[Line | BrokenItem]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Chats:
    """Implements `core.ports.Source` on an export's conversations, one JSON element a conversation."""

    path: Path
    name: str
    limits: ImportLimits
    format: Format
    reader: Reader
    namespace: str = ""  # messages have ids that no other export has

    def entries(self) -> Iterator[Entry]:
        """Every line that its owner or the assistant wrote, conversation by conversation.

        Raises:
            BadInput: there are no conversations in it.
        """
        with text_stream(self.path, self.limits) as stream:
            number = 0
            try:
                for number, (line, chat) in enumerate(elements(stream, most=self.limits.whole_bytes), start=1):
                    yield from self._chat(number, line, chat)
            except BrokenJson as problem:
                yield BrokenItem(
                    place=f"line {problem.line}",
                    reason=f"{problem.why}; the {number:,} conversations before it are read, the rest is not",
                )

    def _chat(self, number: int, line: int, chat: Any) -> Iterator[Entry]:
        place = f"conversation {number}"
        if not isinstance(chat, Mapping):
            yield BrokenItem(place=f"{place} (line {line})", reason="it is no conversation: an object was expected")
            return
        title = str(chat.get("title") or chat.get("name") or "")
        session = str(chat.get("conversation_id") or chat.get("id") or chat.get("uuid") or f"number {number}")
        count = 0
        try:
            for one in self.reader(chat):
                count += 1
                if isinstance(one, BrokenItem):
                    yield BrokenItem(place=f"{place}, {one.place}", reason=one.reason)
                    continue
                yield self._line(one, f"{place}, message {count}", session, title)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as problem:
            reason = f"it is not as this service writes it ({type(problem).__name__}): export it again"
            yield BrokenItem(place=f"{place} (line {line})", reason=reason)

    def _line(self, line: Line, place: str, session: str, title: str) -> Entry:
        message_id, role, words, at = line
        if len(words) > self.limits.entry_chars:
            reason = f"it has {len(words):,} characters; the limit is {self.limits.entry_chars:,}"
            return BrokenItem(place=place, reason=reason)
        return Item(
            item_id=f"{session}/{message_id}",
            part_class="chat_user" if role == "user" else "chat_agent",
            texts=(words,),
            place=place,
            title=title,
            dated_at=at,
            actor=f"{self.format.key} {role}",
            source_ref=f"{self.format.name}: {title or session}",
            session=session,
            rootless=role != "user",
        )


@contextmanager
def text_stream(path: Path, limits: ImportLimits) -> Iterator[TextIO]:
    """The conversations' file as text: by itself, or inside the export's archive.

    Raises:
        BadInput: the archive holds none.
    """
    if path.suffix.lower() != ".zip":
        with path.open("rb") as raw:
            yield _text(cast("BinaryIO", raw), path.stat().st_size)
        return
    with Archive(path, limits) as archive:
        found = conversations_in(archive)
        if isinstance(found, str):
            raise BadInput(found)
        with archive.stream(found) as raw:
            yield _text(raw, found.size)


def conversations_in(archive: Archive) -> Member | str:
    """The member that holds the conversations, or why there is none."""
    for one in archive.members():
        if PurePosixPath(one.path if isinstance(one, Member) else one.place).name == CONVERSATIONS:
            return one if isinstance(one, Member) else f"{CONVERSATIONS} in the archive: {one.reason}"
    return f"there is no {CONVERSATIONS} in the archive: choose the .zip that the service sent, unchanged"


def _text(raw: BinaryIO, size: int) -> TextIO:
    buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("Any", raw), SAMPLE_BYTES)
    sample = buffered.peek(SAMPLE_BYTES)[:SAMPLE_BYTES]
    return io.TextIOWrapper(buffered, encoding=encoding_of(sample, whole=size <= len(sample)), errors="replace")


def first_element(path: Path, limits: ImportLimits) -> Any:
    """The first conversation, to tell whose export it is; None where there is none."""
    try:
        with text_stream(path, limits) as stream:
            return next((one for _, one in elements(stream, most=limits.whole_bytes)), None)
    except (BadInput, BrokenJson, json.JSONDecodeError):
        return None
