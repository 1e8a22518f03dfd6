"""JSON out of replies as models really write them."""

from __future__ import annotations

import pytest

from core.errors import ModelReplyUnusable
from core.llm.jsonreply import after_thinking, parse

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


@pytest.mark.parametrize(
    "reply",
    [
        '{"n": 1}',
        '```json\n{"n": 1}\n```',
        '<think>{"n": 7} or rather one</think>\n{"n": 1}',
        'Here you are: {"n": 1} I hope that helps {"n": 2}',
        'In {braces} first, then {"n": 1}',
    ],
)
def test_finds_the_object(reply: str) -> None:
    assert parse(reply, SCHEMA) == {"n": 1}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the reply was empty"),
        ("   ", "the reply was empty"),
        ("<think>still at it, {", "the reply was empty"),
        ("I cannot do that.", "the reply holds no complete JSON object"),
        ('{"n": 1', "the reply holds no complete JSON object"),
        ("[1]", "the reply holds no complete JSON object"),
        ('{"n": "secret"}', r"\$.n breaks the schema's rule 'type'"),
        ('{"n": 1, "m": 1}', r"\$ breaks the schema's rule 'additionalProperties'"),
        ("{" * 100_000, "the reply holds no complete JSON object"),
    ],
)
def test_refuses_the_rest_without_quoting_it(reply: str, why: str) -> None:
    with pytest.raises(ModelReplyUnusable, match=f"^{why}$"):
        parse(reply, SCHEMA)


def test_a_closing_tag_inside_a_value_is_not_thinking() -> None:
    assert parse('{"a": "x</think>y"}', {"type": "object"}) == {"a": "x</think>y"}


@pytest.mark.parametrize(
    ("pieces", "answer"),
    [
        (["Hel", "lo"], "Hello"),
        (["\n", "Hello"], "Hello"),
        (["<th", "ink>a", "b</thi", "nk>\n", "\n", "Hello", " you"], "Hello you"),
        (["<think>never done"], ""),
        (["<", "b>bold</b>"], "<b>bold</b>"),
        (["<th"], "<th"),
        ([], ""),
        (["Hi <think>", "quoted", "</think>"], "Hi <think>quoted</think>"),
    ],
)
def test_streamed_thinking_is_left_out(pieces: list[str], answer: str) -> None:
    assert "".join(after_thinking(iter(pieces))) == answer
