"""Which of two memories answers a question as things stand now (core/updates.py)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.model import Hit, MemoryKind, SourceKind
from core.updates import latest_first
from tests.factories import NOW, memory


def said(number: int, text: str, **rest) -> Hit:
    given = {
        "kind": MemoryKind.EVENT,
        "source_kind": SourceKind.USER_TURN,
        "effective_trust": 1.0,
        "serial_no": number,
        "episode_id": f"episode-{number}",
        "stated_at": NOW + timedelta(hours=number),
    } | rest
    one = memory(memory_id=f"m{number}", text=f"You said: {text}", **given)
    return Hit(
        memory=one,
        score=1.0 / number,
        relevance=1.0,
        freshness=1.0,
        cosine=0.5,
        lexical=1.0,
        coverage=0.5,
        age_days=0.0,
        composite_trust=one.effective_trust,
        needs_confirmation=False,
        linked_from="",
    )


def order(question: str, *texts: str) -> list[int]:
    """Places, by number, of what was said one after another; recall found the oldest the best."""
    hits = [said(number, text) for number, text in enumerate(texts, start=1)]
    ranked = latest_first(hits, question, lambda one: one.effective_trust)
    assert sorted(hit.memory.memory_id for hit in ranked) == sorted(hit.memory.memory_id for hit in hits)
    return [hit.memory.serial_no for hit in ranked]


OTHER = "I bought a ladder for the attic"

OUTDATED = [
    ("How many jars of honey are in my cellar?", "my cellar holds 14 jars of honey", "I've got 19 jars of honey in the cellar by now"),
    ("How many guests come to my garden party?", "I've invited 30 guests to the garden party",
     "the number of guests for the garden party has increased to 42"),
    ("What is my budget for the kitchen?", "my kitchen budget is $4,800, tiles included", "my kitchen budget is now $5,500"),
    ("What is the weekly mileage of my running plan?", "my running plan has a weekly mileage of 30 km",
     "my running plan was adjusted to a mileage of 36 km per week"),
    ("When is my dinner with Ola?", "I have a dinner with Ola on May 4 at 7 pm in the harbour",
     "I moved my dinner with Ola to May 5 at 8 pm"),
    ("What time is the choir rehearsal with Mr Berg?", "the choir rehearsal with Mr Berg is on June 2 at 3 PM",
     "the choir rehearsal with Mr Berg got rescheduled to June 2 at 4:30 PM"),
    ("What is the load time of my start page?", "the start page had a load time of 900 ms",
     "the load time of my start page has improved to 350 ms"),
    ("How many hours a week do I practise the cello?", "I practise the cello 4 hours a week", "I practise the cello 6 hours a week now"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "old", "new"), OUTDATED, ids=[one[0] for one in OUTDATED])
def test_the_earlier_value_comes_after_everything_else(question: str, old: str, new: str) -> None:
    assert order(question, old, OTHER, new) == [2, 3, 1]


@pytest.mark.parametrize(("question", "old", "new"), OUTDATED, ids=[one[0] for one in OUTDATED])
def test_what_was_said_later_stays_where_it_is(question: str, old: str, new: str) -> None:
    assert order(question, new, OTHER) == [1, 2]
    hits = [said(2, new), said(1, old)]
    assert [hit.memory.serial_no for hit in latest_first(hits, question, lambda one: 1.0)] == [2, 1]


KEPT = [
    # another thing of the kind
    ("What is the deadline of the first sprint?", "the first sprint has its deadline on April 1",
     "the second sprint has its deadline on April 20"),
    ("What is the deadline of sprint 1?", "sprint 1 has its deadline on April 1", "sprint 2 now has its deadline on April 20"),
    ("How many jars of honey are in my cellar?", "my cellar holds 14 jars of honey", "my cellar holds 19 jars of plum jam"),
    # an aim is no state
    ("What is the test coverage of my parser?", "the test coverage of my parser is 71%", "I want to achieve test coverage of 95% in my parser"),
    # another rate
    ("What is my weekly mileage target?", "my target is a mileage of 30 km per week", "my target is a mileage of 1,400 km, yearly"),
    # another unit
    ("What is my budget for the kitchen?", "my kitchen budget is $4,800", "my kitchen budget is now spent on 3 days of work"),
    # the same day and hour, told with its year
    ("When is my dinner with Ola?", "I have a dinner with Ola on May 4, 2026", "I look forward to the dinner with Ola on May 4"),
    # what was so before is told together with what is so now
    ("How many jars of honey are in my cellar?", "my cellar holds 14 jars of honey", "my cellar went from 14 to 19 glasses of water"),
    # too little in common
    ("What is my budget for the kitchen?", "my kitchen budget is $4,800", "my holiday budget is now $900"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "old", "new"), KEPT, ids=[f"{one[0]} {one[2]}"[:70] for one in KEPT])
def test_what_is_not_the_same_attribute_keeps_its_place(question: str, old: str, new: str) -> None:
    assert order(question, old, OTHER, new) == [1, 2, 3]


ABOUT_THE_PAST = [
    "How has my kitchen budget changed?",
    "What was my kitchen budget before the tiles?",
    "What was my original kitchen budget?",
    "By how much did my kitchen budget increase?",
    "Summarise my kitchen budget",
    "Did I tell you about my kitchen?",
]


@pytest.mark.parametrize("question", ABOUT_THE_PAST)
def test_who_asks_how_things_were_gets_them_as_they_were_found(question: str) -> None:
    assert order(question, "my kitchen budget is $4,800", OTHER, "my kitchen budget is now $5,500") == [1, 2, 3]


def test_only_the_owner_s_own_words_of_no_lower_trust_put_others_back() -> None:
    question, old, new = OUTDATED[2]
    page = said(3, new, source_kind=SourceKind.WEB_CONTENT, effective_trust=0.3)
    mail = said(3, new, source_kind=SourceKind.THIRD_PARTY, effective_trust=0.55)
    weak = said(3, new, effective_trust=0.6)
    for later in (page, mail, weak):
        ranked = latest_first([said(1, old), said(2, OTHER), later], question, lambda one: one.effective_trust)
        assert [hit.memory.serial_no for hit in ranked] == [1, 2, 3]


def test_what_else_the_outdated_turn_taught_goes_with_it_and_the_later_of_two_comes_first() -> None:
    question = OUTDATED[0][0]
    hits = [
        said(1, "my cellar holds 14 jars of honey"),
        said(2, "the cellar is cold", episode_id="episode-1"),
        said(3, "my cellar holds 17 jars of honey"),
        said(4, "my cellar holds 19 jars of honey now"),
        said(5, OTHER),
    ]
    ranked = latest_first(hits, question, lambda one: one.effective_trust)
    assert [hit.memory.serial_no for hit in ranked] == [4, 5, 3, 2, 1]
