"""What moves, who is new and what ends lands on the fact that is meant, and on no other (rules §3.1a, §3.4)."""

from __future__ import annotations

import pytest

from core.llm.rules.clausework import names_in, place_in
from tests.unit.rules_harness import Talk, facts

DEADLINE = "The deadline for the bridge survey is 19 June."
CHANGES = [
    ([DEADLINE, "The bridge survey's deadline has been moved to 3 July."], {("bridge survey", "deadline", "3 July")}),
    (
        ["My dentist appointment is on 18 June at 10:30.", "My dentist appointment was moved to 2 July at 16:15."],
        {("user", "dentist_appointment", "2 July at 16:15")},
    ),
    (["My manager is Orla.", "My new manager is Mads."], {("user", "manager", "Mads")}),
    (["My dentist is Dr Aho.", "My new dentist is Dr Bakke."], {("user", "dentist", "Dr Bakke")}),
    (["My car is a Fiat Panda.", "My new car is a Kia Ceed."], {("user", "car", "Kia Ceed")}),
    (["Piet likes chess.", "Piet likes opera.", "Piet no longer likes chess."], {("Piet", "likes", "opera")}),
    (["I work at Tarn.", "I no longer work at Tarn Optics."], set()),
    (["I go swimming every Monday.", "I no longer go swimming on Mondays."], set()),
]


@pytest.mark.parametrize(("turns", "held"), CHANGES, ids=[turns[-1][:40] for turns, _ in CHANGES])
def test_a_change_lands_in_the_slot_of_what_changes(turns: list[str], held: set[tuple[str, str, str]]) -> None:
    talk = Talk()
    for turn in turns:
        talk.say(turn)
    assert talk.holds() == held


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        (DEADLINE, "I'm not subscribed to Bridge Monthly any more."),
        ("I have a subscription to the Herald every Friday.", "I cancelled my subscription to the Courier."),
        ("I met my old teacher at the market in Pilsen.", "I sold the old car."),
    ],
)
def test_what_ends_takes_nothing_else_with_it(told: str, ended: str) -> None:
    talk = Talk()
    talk.say(told)
    before = talk.holds()
    talk.say(ended)
    assert before
    assert talk.holds() >= before


def test_the_speaker_is_no_part_of_a_name_before_it() -> None:
    assert place_in("now that I live in Porto I walk to work") == "Porto"
    assert names_in("we met Ada Holm I think", first=True) == ["Ada Holm"]


def test_a_name_that_ends_like_an_illness_is_none() -> None:
    assert ("Linnea", "condition", "Linnea") not in facts("My daughter Linnea lives in Brno.")
    assert ("Linnea", "home", "Brno") in facts("My daughter Linnea lives in Brno.")
    assert ("user", "condition", "sleep apnea") in facts("I have sleep apnea.")
