"""What one server understands beyond the plainest chat request, learnt from its refusals and remembered.

"OpenAI-compatible" covers servers that refuse list content, `response_format`, unknown fields or a temperature. Each
extra is asked for until the server names it in an error; then the request is sent again without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.ports import ChatMessage

# response_format from strongest to none; llama.cpp's Python server takes a schema only beside `json_object`
_FORMATS = ("json_schema", "json_object_schema", "json_object", "text")
# words of an error message → the extra it is about; the first that matches and is still in use is given up
_SIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("thinking", ("enable_thinking", "thinking")),
    ("temperature", ("temperature",)),
    ("new_limit", ("max_tokens", "max_completion_tokens")),
    ("format", ("response_format", "json_schema", "json_object", "grammar", "schema")),
    (
        "parts",
        ("cache_control", "messages.content", '"list"', "'list'", "a string", "valid string", "string_type", "array"),
    ),
)
_TOO_LONG = ("context length", "context window", "context_length", "maximum context", "too long", "too many tokens")


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One request in the product's own terms, before a dialect puts it into fields."""

    messages: tuple[ChatMessage, ...]
    stream: bool = False
    temperature: float | None = None
    thinking_off: bool = False
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """The extras this server is believed to take."""

    thinking: bool = True  # the field `enable_thinking`
    temperature: bool = True
    parts: bool = True  # content as a list of parts, where cache_control lives
    format: str = "json_schema"  # the strongest response_format not refused yet
    new_limit: bool = False  # `max_completion_tokens` in place of `max_tokens`

    def fields(self, model: str, ask: Ask) -> dict[str, Any]:
        """The keyword arguments of `chat.completions.create` for `ask`."""
        fields: dict[str, Any] = {"model": model, "messages": self._messages(ask.messages), "stream": ask.stream}
        if ask.temperature is not None and self.temperature:
            fields["temperature"] = ask.temperature
        if ask.thinking_off and self.thinking:
            fields["extra_body"] = {"enable_thinking": False}
        if ask.max_tokens is not None:
            fields["max_completion_tokens" if self.new_limit else "max_tokens"] = ask.max_tokens
        if ask.schema is not None and self.format == "json_schema":
            shape = {"name": "reply", "strict": True, "schema": dict(ask.schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif ask.schema is not None and self.format == "json_object_schema":
            fields["response_format"] = {"type": "json_object", "schema": dict(ask.schema)}
        elif ask.schema is not None and self.format == "json_object":
            fields["response_format"] = {"type": "json_object"}
        return fields

    def without(self, complaint: str, ask: Ask, *, blind: bool) -> Dialect | None:
        """The next dialect to try after a refusal, or None when nothing that was sent can be left out.

        Args:
            complaint: the server's error text.
            ask: what was asked, since only what was sent can have been refused.
            blind: a complaint that names none of the extras gives up all of them at once.
        """
        words = complaint.casefold()
        if any(sign in words for sign in _TOO_LONG):
            return None
        for extra, signs in _SIGNS:
            if any(sign in words for sign in signs):
                plainer = self._give_up(extra, ask)
                if plainer != self:
                    return plainer
        if not blind:
            return None
        plainest = replace(self, thinking=False, temperature=False, parts=False, format="text")
        return plainest if plainest.fields("", ask) != self.fields("", ask) else None

    def _give_up(self, extra: str, ask: Ask) -> Dialect:
        if extra == "format" and ask.schema is not None and self.format != _FORMATS[-1]:
            return replace(self, format=_FORMATS[_FORMATS.index(self.format) + 1])
        if extra == "thinking" and ask.thinking_off:
            return replace(self, thinking=False)
        if extra == "temperature" and ask.temperature is not None:
            return replace(self, temperature=False)
        if extra == "new_limit" and ask.max_tokens is not None:
            return replace(self, new_limit=True)
        if extra == "parts" and any(message.cache for message in ask.messages):
            return replace(self, parts=False)
        return self

    def _messages(self, messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
        return [{"role": message.role, "content": self._content(message)} for message in messages]

    def _content(self, message: ChatMessage) -> str | list[dict[str, Any]]:
        if not (message.cache and self.parts):
            return message.content
        return [{"type": "text", "text": message.content, "cache_control": {"type": "ephemeral"}}]
