"""An OpenAI chat request and answer, as far as memory is concerned. Pure: reads JSON, changes only what it adds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.ports import ChatMessage

_STANDING = frozenset({"system", "developer"})  # roles of an app's own instructions


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One message that is new in a request: what the person said, or what a tool returned."""

    role: str  # "user" or "tool"
    text: str
    tool: str  # its name, as the app's own call names it
    key: str  # digest of the conversation up to and with it: the same request sent again is the same line


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A request: the body as it came, and what of it concerns memory."""

    body: dict[str, Any]
    new: tuple[Line, ...]  # since the assistant spoke last, in order
    question: str  # what the person said last, wherever that is; "" for nothing that can be read
    user: str
    stream: bool

    def to_model(self, remembered: Sequence[ChatMessage], model: str) -> dict[str, Any]:
        """The body for the model: the caller's own, with what is remembered after the leading instructions.

        Args:
            remembered: system messages; none: the messages stay as they came.
            model: for a caller that names none.
        """
        messages: list[Any] = self.body["messages"]
        first = next((nth for nth, one in enumerate(messages) if one.get("role") not in _STANDING), len(messages))
        added = [{"role": one.role, "content": one.content} for one in remembered if one.content.strip()]
        named = {} if self.body.get("model") else {"model": model}
        return {**self.body, **named, "messages": [*messages[:first], *added, *messages[first:]]}


def read_ask(data: bytes) -> Ask:
    """A request's body.

    Raises:
        BadInput: it is no chat request.
    """
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as problem:
        msg = "The body is not JSON."
        raise BadInput(msg) from problem
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not messages or not all(isinstance(one, dict) for one in messages):
        msg = "messages is a list of messages, each with a role and content."
        raise BadInput(msg)
    user = body.get("user") or ""
    if not isinstance(user, str):
        msg = "user is a text."
        raise BadInput(msg)
    return Ask(
        body=body,
        new=_new(messages),
        question=next((text for one in reversed(messages) if one.get("role") == "user" and (text := text_of(one))), ""),
        user=user,
        stream=body.get("stream") is True,
    )


def text_of(message: dict[str, Any]) -> str:
    """A message's words; of content in parts, those of its text parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [one.get("text") for one in parts if isinstance(one, dict) and one.get("type") == "text"]
    return "\n".join(one for one in texts if isinstance(one, str))


def _new(messages: Sequence[dict[str, Any]]) -> tuple[Line, ...]:
    """What was said or returned since the assistant spoke last: what stands before came with an earlier request."""
    spoke = [nth for nth, one in enumerate(messages) if one.get("role") == "assistant"]
    begin = spoke[-1] + 1 if spoke else 0
    tools = _tools(messages[spoke[-1]]) if spoke else {}
    digest = hashlib.sha256()
    lines = []
    for nth, one in enumerate(messages):
        digest.update(json.dumps(one, sort_keys=True).encode("utf-8", "surrogatepass") + b"\n")
        text = text_of(one)
        if nth < begin or one.get("role") not in {"user", "tool"} or not text.strip():
            continue
        tool = str(one.get("name") or tools.get(one.get("tool_call_id"), "")) if one.get("role") == "tool" else ""
        lines.append(Line(role=str(one["role"]), text=text, tool=tool, key=digest.hexdigest()))
    return tuple(lines)


def _tools(message: dict[str, Any]) -> dict[Any, str]:
    """The names of the tools that an assistant's message calls, by the call's id."""
    calls = message.get("tool_calls")
    found = {}
    for one in calls if isinstance(calls, list) else []:
        function = one.get("function") if isinstance(one, dict) else None
        if isinstance(function, dict) and isinstance(one.get("id"), str):
            found[one["id"]] = str(function.get("name") or "")
    return found


def answer_of(data: bytes) -> str | None:
    """The first choice's words of a whole answer; None if it is no chat completion."""
    try:
        return text_of(json.loads(data)["choices"][0]["message"])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None


class Heard:
    """The first choice's words out of a stream of server-sent events, fed as they pass by."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self._rest = b""
        self._pieces: list[str] = []
        self.ended = False  # the model said that it was done

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._pieces)

    def feed(self, data: bytes) -> None:
        """Read on; bytes that end inside a line wait for the rest of it."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line.strip())

    def _line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            return
        told = line.removeprefix(b"data:").strip()
        if told == b"[DONE]":
            self.ended = True
            return
        try:
            choices = json.loads(told)["choices"]
            piece = next((one["delta"].get("content") for one in choices if one.get("index", 0) == 0), None)
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return  # an error event, or another server's own: passed on, not remembered
        if isinstance(piece, str):
            self._pieces.append(piece)
