"""Near-duplicates: one look decides them all, so nothing that differs in what it says may be among them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alike import alike, alike_mark, signature
from core.model import MemoryKind, Proposal, Span, SpeechAct

BASE = "The north hall of the swimming club in Porto closes at 18:30 on Sundays from March 12 onwards."
WORDS = (
    "hall",
    "pool",
    "closes",
    "opens",
    "Porto",
    "Lisbon",
    "Ann",
    "not",
    "never",
    "before",
    "after",
    "18:30",
    "7 kg",
)


def claim(statement: str, **rest) -> Proposal:
    given_values = {
        "subject": "north hall",
        "attribute": "closing_time",
        "value": "18:30",
        "statement": statement,
        "kind": MemoryKind.FACT,
        "importance": 0.6,
        "span": Span(start=0, end=9),
    }
    return Proposal(**(given_values | rest))


def like(one: str, other: str) -> bool:
    return alike(claim(one), claim(other))


@pytest.mark.parametrize(
    "other",
    [
        BASE,
        BASE.rstrip("."),
        BASE.replace("The north", "A north", 1),
        BASE.replace("of the swimming", "of swimming"),
        BASE.replace(" in ", "  in\u00a0"),
        BASE.replace("March 12", "12 March"),
        f"“{BASE}”",
    ],
)
def test_another_spelling_of_the_same_claim_is_alike(other):
    assert like(other, BASE)
    assert alike_mark(claim(other)) == alike_mark(claim(BASE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("18:30", "18:31"),
        ("March 12", "March 13"),
        ("Porto", "Lisbon"),
        ("closes", "opens"),
        ("closes", "does not close"),
        ("closes", "never closes"),
        ("closes", "closed"),
        ("from March", "until March"),
        ("Sundays", "Mondays"),
        ("north", "south"),
        ("onwards.", "onwards?"),
        ("at 18:30", "at about 18:30"),
        ("at 18:30", "only at 18:30"),
        ("Porto", "porto"),
        ("club", "cl\u200bub"),
    ],
)
def test_another_figure_name_denial_or_word_is_another_claim(old, new):
    changed = BASE.replace(old, new)
    assert changed != BASE
    assert not like(changed, BASE)


def test_who_does_what_to_whom_is_told_apart():
    long = "On the last day of every month the treasurer reads out that {} owes {} the rent for the boat house."
    assert not like(long.format("Tom", "Ann"), long.format("Ann", "Tom"))


@pytest.mark.parametrize(
    "rest",
    [
        {"subject": "south hall"},
        {"attribute": "opening_time"},
        {"kind": MemoryKind.EVENT},
        {"retracts": True},
        {"speech_act": SpeechAct.DIRECTIVE},
        {"valid_at": datetime(2026, 3, 12, tzinfo=UTC)},
        {"expires_at": datetime(2026, 3, 12, tzinfo=UTC)},
    ],
)
def test_the_same_words_about_another_thing_or_time_are_another_claim(rest):
    assert not alike(claim(BASE, **rest), claim(BASE))


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), st.data())
def test_one_word_changed_is_never_alike(words, data):
    at = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(st.sampled_from([one for one in WORDS if one != words[at]]))
    changed = [*words[:at], other, *words[at + 1 :]]
    assert not like(" ".join(words), " ".join(changed))


@given(st.text(min_size=1, max_size=80))
def test_every_text_is_like_itself_and_the_relation_has_no_sides(text):
    assert like(text, text)
    assert like(text, BASE) == like(BASE, text)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_two_numbers_are_two_claims(one, other):
    said = "The account of the choir holds {} euros at the end of the season, says the yearly report."
    assert like(said.format(one), said.format(other)) == (one == other)


def test_a_mark_is_a_number_and_holds_no_words():
    made = claim(BASE)
    assert 0 <= alike_mark(made) < 2**63
    assert alike_mark(made) == alike_mark(replace(made, importance=0.1, span=Span(start=3, end=4)))
    assert signature(made) != signature(replace(made, statement=BASE.replace("18:30", "18:31")))
