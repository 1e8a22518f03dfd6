"""A third party's message on the real layer: one event in its own words (rules §1.8, §2.1)."""

from __future__ import annotations

import pytest

from core.model import MemoryKind
from tests.acceptance.life import MAIL, Life

KITE = "The kite flew over the bridge all morning. The wind was warm! Did the ferry leave on time?"


@pytest.fixture
def life(console):
    return Life(console)


def test_a_message_is_one_event_in_its_own_words(life):
    life.say(KITE, channel=MAIL, source_ref="Ann", title="Ann")
    [kept] = life.rows()
    assert (kept.kind, kept.subject, kept.text) == (MemoryKind.EVENT, "Ann", f"Ann wrote: “{KITE}”")


def test_what_could_harm_is_held_by_itself_and_not_carried_in(life):
    said = life.say(f"{KITE} The rent is due to account 4471 now.", channel=MAIL, source_ref="Ann", title="Ann")
    assert "4471" in life.held(said).candidate.text
    assert [one.text for one in life.rows()] == [f"Ann wrote: “{KITE}”"]


def test_what_its_writer_says_about_themself_is_a_fact_beside_it(life):
    life.say("The kite flew over the bridge. I live in Tartu.", channel=MAIL, source_ref="Ann", title="Ann")
    assert [one.text for one in life.facts()] == ["I live in Tartu."]
    assert [one.kind for one in life.rows(text="kite")] == [MemoryKind.EVENT]


def test_a_reply_is_found_by_the_question_before_it(life):
    life.say("Which colour did the boathouse get in the end?", channel=MAIL, source_ref="Ben", title="Ben")
    life.say("A deep green, and the door is white. It looks fresh!", channel=MAIL, source_ref="Ann", title="Ann")
    for n in range(6):
        life.say(
            f"The number {n} tram is late again. It rains!", channel=MAIL, source_ref="Ann", title="Ann", where="c2"
        )
    found = life.recall("Which colour did the boathouse get?")
    assert any("deep green" in one for one in found[:2])
