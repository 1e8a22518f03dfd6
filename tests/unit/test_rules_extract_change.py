"""Corrections, changes and retractions land in the slot of the fact they change (rules §3.1a, §3.4)."""

from __future__ import annotations

import pytest

from tests.unit.rules_harness import Talk

CHANGES = [
    (["I live in Turin", "Actually I moved to Genoa last month"], {("user", "home", "Genoa")}),
    (["My meeting with Priya is on Tuesday at 3 pm", "No sorry, Wednesday", "make it 4 pm"], {("meeting with Priya", "time", "Wednesday at 4 pm")}),
    (["The vet appointment is Tuesday at 4.", "not Tuesday, Thursday. sorry"], {("vet appointment", "time", "Thursday at 4")}),
    (["I work at Norfell", "I no longer work at Norfell. I'm at Quillon now."], {("user", "employer", "Quillon")}),
    (["I smoke a pack a day", "I no longer smoke"], set()),
    (["I'm vegan", "I'm not vegan anymore"], set()),
    (["My budget for the bike is 900 euros", "correction: the budget is 1,200 euros"], {("bike", "budget", "1,200 euros")}),
    (["My dog is called Bruno", "sorry, his name is Brono, not Bruno"], {("user", "dog", "Brono")}),
    (["I live at 3 Elm Road", "forget where I live"], set()),
    (["Please remember that my favourite tea is lapsang.", "Forget what I told you about my favourite tea"], set()),
    (["The offsite is in Porto", "the offsite is not in Porto but in Faro"], {("offsite", "place", "Faro")}),
    (["I like jazz and blues", "I don't like blues anymore"], {("user", "likes", "jazz")}),
    (["We use Jira", "We switched from Jira to Linear"], {("user", "uses", "Linear")}),
    (["I have 3 nieces", "whoops, typo - 2 nieces. Beatriz and Noor"], {("user", "number_of_nieces", "2"), ("user", "niece", "Beatriz and Noor")}),
    (["My locker code is 4471", "Actually, scratch that, they changed the locks: the locker code's 9026 now."], {("user", "locker_code", "9026")}),
    (["Our launch is scheduled for 30 April", "Our launch moved to 12 May"], {("launch", "date", "12 May")}),
    (["The deadline is Friday", "moved to next Monday"], {("user", "deadline", "next Monday")}),
    (["Dmitri is the owner of the search index", "Abena has taken over the search index from him."], {("search index", "owner", "Abena")}),
    (["Our sprint length is two weeks.", "Since Monday our sprints are three weeks long"], {("sprint", "length", "three weeks")}),
    (["Trabajo de fontanero en Bilbao.", "Ya no trabajo de fontanero, ahora soy conductor de autobús."], {("user", "job", "conductor de autobús"), ("user", "workplace", "Bilbao")}),
    (["My name's not Steve, it's Stefan"], {("user", "name", "Stefan")}),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "held"), CHANGES, ids=[turns[-1][:40] for turns, _ in CHANGES])
def test_the_conversation_ends_with_exactly_these_facts(turns: list[str], held: set[tuple[str, str, str]]) -> None:
    talk = Talk()
    for turn in turns:
        talk.say(turn)
    assert talk.holds() == held


def test_moving_in_with_someone_ends_the_earlier_arrangement() -> None:
    talk = Talk()
    talk.say("i live with 2 flatmates in Ghent")
    talk.say("moved in with my girlfriend Anouk last weekend, we're in Bruges now :)")
    assert talk.holds() == {
        ("user", "home", "Bruges"),
        ("user", "partner", "Anouk"),
        ("user", "lives_with", "girlfriend Anouk"),
    }


def test_a_retraction_is_marked_and_keeps_the_users_words() -> None:
    talk = Talk()
    talk.say("I smoke a pack a day")
    retraction = talk.say("I no longer smoke")[0]
    assert (retraction.retracts, retraction.speech_act.value, retraction.statement) == (
        True,
        "retraction",
        "You no longer smoke.",
    )
