"""What a turn that asks also tells of its speaker: kept in the one event, in the speaker's words (rules §1.5, §2.1)."""

from __future__ import annotations

import pytest

from core.model import MemoryKind
from tests.unit.rules_harness import Talk

TOLD = [
    (
        "I'm collecting shells, and I've filled 3 jars since May, how should I label them?",
        "I'm collecting shells, and I've filled 3 jars since May",
    ),
    ("I'm mapping the caves with 2 friends by June 9, can you help me plan?", "I'm mapping the caves with 2 friends by June 9"),
    ("I've added 12 tunes to my set list - what are some ways to sort them?", "I've added 12 tunes to my set list"),
    ("How do I make use of the fact that I won 2 medals this spring?", "I won 2 medals this spring"),
    (
        "Could you find a way to thank the choir, considering I've sung with them for nine years?",
        "I've sung with them for nine years",
    ),
    (
        "I'm kinda worried that moving the dinner with Ola to Friday is rude, what do you think?",
        "I'm kinda worried that moving the dinner with Ola to Friday is rude",
    ),
    ("Can you remind me that the vet visit is moved to May 4 at 9?", "the vet visit is moved to May 4 at 9"),
    ("I want to make sure it holds. The number of chairs I've borrowed has grown to 31, is that too many?",
     "The number of chairs I've borrowed has grown to 31"),
    ("I've drawn the `attic_plan` twice, and I've kept the 4 old prints, which one should I frame?",
     "I've kept the 4 old prints"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), TOLD, ids=[text[:40] for text, _ in TOLD])
def test_the_statement_is_kept_and_the_question_is_not(text: str, told: str) -> None:
    [event] = [one for one in Talk().say(text) if one.kind is MemoryKind.EVENT]
    assert event.value == told
    assert event.subject == "user"


ASKED = [
    "I want to know if my flight is late, can you look?",
    "I'm not sure if I need a visa, do I?",
    "I might move to Oslo, should I rent or buy?",
    "I'm thinking of buying a boat, any tips?",
    "If I had a boat, I'd sail to Crete, how long would that take?",
    "I'm wondering whether my cat sleeps too much, is it normal?",
    "Could you check my tyres and my brakes so that I can drive home?",
    "Is it fine that my cat sleeps all day, and why?",
    "I need your help with my garden, could you suggest a hedge?",
    'My aunt wrote to us: "I sold my boat and I moved to Crete", what do I answer?',
    "Yeah, that makes sense, thanks! Could you go on?",
    "Pretend you are my captain, I've sailed 40 years with you, where do we go?",
    "How should I label the shells, which I can keep in my shed?",
]


@pytest.mark.parametrize("text", ASKED, ids=[text[:40] for text in ASKED])
def test_a_question_a_doubt_and_another_s_words_tell_nothing(text: str) -> None:
    assert [one.value for one in Talk().say(text) if one.kind is MemoryKind.EVENT] == []


def test_other_tongues_are_left_to_their_own_grammar() -> None:
    said = Talk().say("Im Park war es schön, wie lange kann man dort im Sommer sitzen?")
    assert [one.value for one in said if one.kind is MemoryKind.EVENT] == []


def test_others_words_within_a_turn_are_no_part_of_the_event() -> None:
    text = "I've 14 dishes on the menu so far. Here they are:\n```\ndish = soup\n```\nI've tasted all of them with my aunt."
    [event] = [one for one in Talk().say(text) if one.kind is MemoryKind.EVENT]
    assert event.value == "I've tasted all of them with my aunt."
    assert "```" not in text[event.span.start : event.span.end]


def test_a_sentence_that_taught_a_fact_is_not_told_twice() -> None:
    said = Talk().say("I'm finishing my first draft by May 15 and I have 12 pages, can you help me?")
    [event] = [one for one in said if one.kind is MemoryKind.EVENT]
    assert event.value.count("12 pages") == 1
