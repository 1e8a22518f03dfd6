"""The export of Claude: each conversation is a list of messages of a human and the assistant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.connectors.chatexports import Chats, Line
from core.connectors.dating import dated
from core.ports import BrokenItem, Format, ImportLimits

FORMAT = Format(
    key="claude",
    name="Claude export",
    takes="the .zip that Claude sent, or the conversations.json in it",
    suffixes=(".zip", ".json"),
    classes=("chat_user", "chat_agent"),
)
_ROLES = {"human": "user", "user": "user", "assistant": "agent"}


def chats(path: Path, name: str, limits: ImportLimits) -> Chats:
    """The export as a source."""
    return Chats(path=path, name=name, limits=limits, format=FORMAT, reader=lines)


def lines(chat: Mapping[str, Any]) -> Iterator[Line | BrokenItem]:
    """What was said, in order; what a tool was sent or gave back is nobody's words."""
    for number, message in enumerate(chat["chat_messages"], start=1):
        place = f"message {number}"
        if not isinstance(message, Mapping):
            yield BrokenItem(place=place, reason="it is no message: an object was expected")
            continue
        role = _ROLES.get(str(message.get("sender")))
        words = _words(message)
        if role is None or not words.strip():
            continue
        try:
            at = dated(message.get("created_at") or chat.get("created_at"))
        except ValueError as problem:
            yield BrokenItem(place=place, reason=str(problem))
            continue
        yield str(message.get("uuid") or number), role, words, at


def _words(message: Mapping[str, Any]) -> str:
    """The text blocks of a message; older exports have one text only."""
    blocks = message.get("content")
    if isinstance(blocks, list):
        said = [str(one.get("text") or "") for one in blocks if isinstance(one, Mapping) and one.get("type") == "text"]
        if any(one.strip() for one in said):
            return "\n\n".join(one for one in said if one.strip())
    return str(message.get("text") or "")
