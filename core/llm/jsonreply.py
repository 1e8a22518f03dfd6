"""JSON out of a model's reply: thinking, code fences and chatter are tolerated, a wrong shape is not (rules §7.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema

from core.errors import ModelReplyUnusable

# only at the beginning: further on, the tag is a quotation. Unclosed, the reply ended while still thinking.
_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_OPEN, _CLOSE = "<think>", "</think>"
_MAX_OPENINGS = 50  # braces tried as the object's beginning: a reply of nothing but braces must not cost minutes


def parse(reply: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The first JSON object in `reply` that decodes, checked against `schema`.

    Raises:
        ModelReplyUnusable: empty reply, no object, or an object of another shape; the message is made to be told to the
            model and never quotes the reply.
    """
    text = _THINKING.sub("", reply)
    if not text.strip():
        msg = "the reply was empty"
        raise ModelReplyUnusable(msg)
    found = _first_object(text)
    if found is None:
        msg = "the reply holds no complete JSON object"
        raise ModelReplyUnusable(msg)
    try:
        jsonschema.validate(found, dict(schema))
    except jsonschema.ValidationError as error:
        msg = f"{error.json_path} breaks the schema's rule {error.validator!r}"
        raise ModelReplyUnusable(msg) from None  # the original error prints the reply, which may hold private words
    return found


def _first_object(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    for nth, brace in enumerate(re.finditer(r"\{", text)):
        if nth == _MAX_OPENINGS:
            return None
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        return dict(found)
    return None


def after_thinking(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces of a streamed answer without the thinking block that it may begin with, and without leading blanks."""
    head, phase = "", "head"
    for piece in pieces:
        if phase == "answer":
            yield piece
            continue
        head += piece
        if phase == "head" and head.lstrip().startswith(_OPEN):
            phase = "thinking"
        if phase == "thinking" and _CLOSE in head:
            head, phase = head.partition(_CLOSE)[2], "thought"
        start = head.lstrip()
        if start and (phase == "thought" or (phase == "head" and not _OPEN.startswith(start))):
            phase = "answer"
            yield start
    if phase == "head" and head.strip():
        yield head.lstrip()
