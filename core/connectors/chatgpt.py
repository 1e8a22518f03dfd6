"""The export of ChatGPT: each conversation is a tree of messages, of which one branch is the current one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.connectors.chatexports import Chats, Line
from core.connectors.dating import dated
from core.ports import BrokenItem, Format, ImportLimits

FORMAT = Format(
    key="chatgpt",
    name="ChatGPT export",
    takes="the .zip that ChatGPT sent, or the conversations.json in it",
    suffixes=(".zip", ".json"),
    classes=("chat_user", "chat_agent"),
)
_ROLES = {"user": "user", "assistant": "agent"}
_WORDS = ("text", "multimodal_text")
_DEPTH = 100_000  # messages of one branch


def chats(path: Path, name: str, limits: ImportLimits) -> Chats:
    """The export as a source."""
    return Chats(path=path, name=name, limits=limits, format=FORMAT, reader=lines)


def lines(chat: Mapping[str, Any]) -> Iterator[Line | BrokenItem]:
    """What was said on the current branch, in order. Branches that were regenerated or edited away are left out.

    Messages of the system and of tools, hidden ones and those addressed to a tool are nobody's words to the other.
    """
    mapping = chat["mapping"]
    for node_id in _branch(mapping, chat.get("current_node")):
        node = mapping.get(node_id)
        message = node.get("message") if isinstance(node, Mapping) else None
        if not isinstance(message, Mapping):
            continue
        role = _ROLES.get(str((message.get("author") or {}).get("role")))
        hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
        content = message.get("content") or {}
        if role is None or hidden or message.get("recipient") not in (None, "all"):
            continue
        if content.get("content_type") not in _WORDS:
            continue
        words = "\n\n".join(one for one in content.get("parts") or () if isinstance(one, str) and one.strip())
        if not words.strip():
            continue
        message_id = str(message.get("id") or node_id)
        try:
            at = dated(message.get("create_time") or chat.get("create_time"))
        except ValueError as problem:
            yield BrokenItem(place=f"message {message_id}", reason=str(problem))
            continue
        yield message_id, role, words, at


def _branch(mapping: Mapping[str, Any], leaf: Any) -> list[str]:
    """From the first message to the current one; without a leaf, the branch of the newest message.

    A tree that runs in a circle ends where it meets itself.
    """
    if not isinstance(leaf, str) or leaf not in mapping:
        parents = {one.get("parent") for one in mapping.values() if isinstance(one, Mapping)}
        ends = [one for one in mapping if one not in parents]
        leaf = max(ends, key=lambda one: _time(mapping[one]), default=None)
    found: dict[str, None] = {}
    while isinstance(leaf, str) and leaf in mapping and leaf not in found and len(found) < _DEPTH:
        found[leaf] = None
        node = mapping[leaf]
        leaf = node.get("parent") if isinstance(node, Mapping) else None
    return list(reversed(found))


def _time(node: Any) -> float:
    message = node.get("message") if isinstance(node, Mapping) else None
    at = message.get("create_time") if isinstance(message, Mapping) else None
    return float(at) if isinstance(at, int | float) else 0.0
