"""Facts that a model made up do not pass for facts it read."""

from __future__ import annotations

import pytest

from core.llm.grounding import value_stands_in


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("penicillin", "I'm allergic to penicillin"),
        ("Penicillin", "i'm allergic to penicillin"),
        ("gluten-free", "I eat gluten free"),
        ("12 May 2031", "the exam is on 12 May 2031."),
        ("tove@example.org", "write to tove@example.org."),
        ("https://example.org/a", "see https://example.org/a!"),
        ("QX7-4RT", "booking QX7-4RT"),
        ("東京", "私は東京に住んでいます"),
        ("42", "I am 42 years old"),
        ("a dog", "we have a dog now"),
        ("Nüsse", "Ich bin allergisch gegen Nüsse"),
    ],
)
def test_read_from_the_quote(value: str, quote: str) -> None:
    assert value_stands_in(value, quote)


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("aspirin", "I'm allergic to penicillin"),
        ("13 May 2031", "the exam is on 12 May 2031."),
        ("4", "I am 42 years old"),
        ("mallory@example.com", "write to tove@example.org"),
        ("https://evil.example/a", "see https://example.org/a"),
        ("tea with Mallory", "I like tea"),
        ("QX7-4RU", "booking QX7-4RT"),
        ("software engineer at sea", "I'm at home"),
        ("a cat", "we have a dog now"),
        ("大阪", "私は東京に住んでいます"),
        ("evil.example", "go to example"),
    ],
)
def test_made_up(value: str, quote: str) -> None:
    assert not value_stands_in(value, quote)
