"""Which extra is given up for which complaint."""

from __future__ import annotations

import pytest

from core.llm.dialect import Ask, Dialect
from core.ports import ChatMessage

ASK = Ask(
    messages=(ChatMessage(role="system", content="head", cache=True), ChatMessage(role="user", content="hi")),
    temperature=0.0,
    thinking_off=True,
    max_tokens=9,
    schema={"type": "object"},
)


def test_the_full_request() -> None:
    assert Dialect().fields("m", ASK) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "head", "cache_control": {"type": "ephemeral"}}]},
            {"role": "user", "content": "hi"},
        ],
        "stream": False,
        "temperature": 0.0,
        "extra_body": {"enable_thinking": False},
        "max_tokens": 9,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": {"type": "object"}},
        },
    }


def test_the_plainest_request() -> None:
    plain = Dialect(thinking=False, temperature=False, parts=False, format="text", new_limit=True)
    assert plain.fields("m", ASK) == {
        "model": "m",
        "messages": [{"role": "system", "content": "head"}, {"role": "user", "content": "hi"}],
        "stream": False,
        "max_completion_tokens": 9,
    }


@pytest.mark.parametrize(
    ("complaint", "plainer"),
    [
        ("Unrecognized request argument supplied: enable_thinking", Dialect(thinking=False)),
        ("Unsupported value: 'temperature' does not support 0.0", Dialect(temperature=False)),
        ("Unsupported parameter: 'max_tokens', use 'max_completion_tokens'", Dialect(new_limit=True)),
        ("'response_format.type' : must be one of text, json_object", Dialect(format="json_object_schema")),
        ("messages.content: Input should be a valid string", Dialect(parts=False)),
        ('can only concatenate str (not "list") to str', Dialect(parts=False)),
        ("bad request", Dialect(thinking=False, temperature=False, parts=False, format="text")),
        ("This model's maximum context length is 4096 tokens; see max_tokens", None),
    ],
)
def test_complaints(complaint: str, plainer: Dialect | None) -> None:
    assert Dialect().without(complaint, ASK, blind=True) == plainer


def test_the_format_is_weakened_step_by_step() -> None:
    seen, dialect = [], Dialect()
    while dialect is not None and dialect.format != "text":
        seen.append(dialect.fields("m", ASK)["response_format"]["type"])
        dialect = dialect.without("response_format is not supported", ASK, blind=False)
    assert seen == ["json_schema", "json_object", "json_object"]


def test_an_unexplained_server_error_gives_nothing_up() -> None:
    assert Dialect().without("internal error", ASK, blind=False) is None


def test_what_was_not_sent_cannot_be_given_up() -> None:
    bare = Ask(messages=(ChatMessage(role="user", content="hi"),))
    assert (
        Dialect().without("enable_thinking temperature max_tokens response_format cache_control", bare, blind=True)
        is None
    )
