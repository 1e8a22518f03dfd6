"""Facts jotted down in pieces: notes, labels, rotas, journeys, gear, second thoughts, changes over weeks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.model import MemoryKind
from tests.unit.rules_harness import Talk, facts

JOTTED = [
    ("mondays and wednesdays are no good for me, choir", {("user", "unavailable", "mondays and wednesdays (choir)")}),
    ("I can't do Fridays", {("user", "unavailable", "Fridays")}),
    ("im off on thursdays and every second saturday", {("user", "availability", "off on thursdays and every second saturday")}),
    ("the café is shut on Mondays", {("café", "closed_on", "Mondays")}),
    ("i work nights Thursday to Sunday, 10pm till 6am", {("user", "working_hours", "nights Thursday to Sunday, 10pm till 6am")}),
    ("every monday i have physio at 8", {("user", "routine", "every monday: physio at 8")}),
    ("my therapy session is every other Tuesday at 4", {("user", "therapy_session", "every other Tuesday at 4")}),
    ("we're going with Postgres, not Mongo. go-live 3 September.", {("user", "decision", "Postgres"), ("user", "go_live", "3 September")}),
    (
        "ok we settled it: retros move to fortnightly, no meetings on wednesdays, and invoices go out on the 5th",
        {("user", "decision", "retros move to fortnightly"), ("user", "decision", "no meetings on wednesdays"), ("user", "decision", "invoices go out on the 5th")},
    ),
    ("decision from the board: entry fee for guests = 12 euros", {("guests", "entry_fee", "12 euros")}),
    ("client signed off on option B", {("user", "decision", "client signed off on option B")}),
    (
        "running Debian 12 on a Latitude, emacs, tmux. please no windows advice",
        {
            ("user", "operating_system", "Debian 12"), ("user", "laptop", "Latitude"), ("user", "editor", "emacs"), ("user", "uses", "tmux"),
            ("user", "response_preference", "no windows advice"),
        },
    ),
    ("i film with a Sony ZV-E10, mostly the 16mm", {("user", "camera", "Sony ZV-E10"), ("user", "lens", "16mm")}),
    ("My sister's phone is a Galaxy S23, mine's a Fairphone 4", {("user", "device", "Fairphone 4")}),
    ("daily driver is a Pixel 8", {("user", "device", "Pixel 8")}),
    (
        "side project is called Pebble, it's a plant watering reminder in Rust, want to launch a beta before Christmas",
        {("user", "project", "Pebble"), ("Pebble", "description", "plant watering reminder in Rust"), ("Pebble", "goal", "launch a beta before Christmas")},
    ),
    (
        "I'm writing my dissertation on urban foxes, supervisor is Prof Ilse Kramer, submission is 12 June",
        {("user", "thesis", "urban foxes"), ("user", "supervisor", "Prof Ilse Kramer"), ("thesis", "deadline", "12 June")},
    ),
    ("We are renovating a 1930s cottage, roof's done already", {("user", "project", "1930s cottage"), ("roof", "status", "roof done already")}),
    ("on-call this week = Devika. backup is Joon", {("Devika", "role", "on-call"), ("Joon", "role", "backup")}),
    ("Wojtek is on-call lead", {("Wojtek", "role", "on-call lead")}),
    ("Need to write to Mr Calloway, he's my landlord, about the boiler", {("user", "landlord", "Mr Calloway")}),
    (
        "flying MAN to Lisbon on 3 june, back the 11th, staying with my cousin Bea",
        {("user", "travel", "flying MAN to Lisbon on 3 june"), ("user", "departure", "3 june"), ("user", "return", "the 11th (11 June)")},
    ),
    ("Every summer we go to the Algarve, same campsite (Os Pinheiros)", {("user", "accommodation", "Os Pinheiros (campsite)")}),
    ("I have a Kenyan passport, expires in October 2027", {("user", "passport", "Kenyan"), ("user", "passport_expiry", "October 2027")}),
    ("I always need an aisle seat", {("user", "seat_preference", "aisle seat")}),
    ("cycling 3 times a week, training for the Ironman", {("user", "exercise", "cycling 3 times a week"), ("user", "training_for", "Ironman")}),
    ("got us a Steam Deck for xmas", {("user", "owns", "Steam Deck")}),
    ("moved out of Leeds, now in Bristol", {("user", "home", "Bristol")}),
    ("we learned that the oven runs 20 degrees hot", {("user", "lesson", "the oven runs 20 degrees hot")}),
    ("the demo is at 3pm, no wait, 3:30pm", {("demo", "time", "3:30pm")}),
    ("I'm allergic to walnuts. no wait, pecans", {("user", "allergy", "pecans")}),
    ("our retro is on Friday at 4, scrap that, Monday at 4", {("retro", "time", "Monday at 4")}),
    ("the budget for the fair is 500 euros, correction, 650 euros", {("fair", "budget", "650 euros")}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), JOTTED, ids=[text[:40] for text, _ in JOTTED])
def test_reads_what_is_jotted_down(text: str, wanted: set[tuple[str, str, str]]) -> None:
    assert wanted <= set(facts(text))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the demo is at 3pm, no wait, 3:30pm", "3pm"),
        ("I'm allergic to walnuts. no wait, pecans", "walnuts"),
        ("our retro is on Friday at 4, scrap that, Monday at 4", "Friday at 4"),
    ],
)
def test_what_is_taken_back_in_the_same_breath_is_not_learned(text: str, wrong: str) -> None:
    assert wrong not in {value for _, _, value in facts(text)}


SILENT = [
    "the capital of Peru is Lima",
    "Explain why Monday = worst day",
    "const maximum retries = 5",
    "hotels in Rome 3-5 May",
    "running it on Windows fails",
    "got a new error: index out of range",
    "The article says that Tim Cook is CEO",
    "look up reviews of the Corrigan kettle for me",
    "behold, I am the Emperor of Crumbs",
    "oh yeah I just LOVE queueing in the rain, my favourite hobby",
    "maybe I'll get a new bike",
    "suppose my thesis is about frogs",
    "ok cool, will try that tonight",
]


@pytest.mark.parametrize("text", SILENT)
def test_learns_nothing_from_what_only_looks_like_a_note(text: str) -> None:
    assert facts(text) == []


WEEKS = [
    (["I'm a waiter at Café Luz", "last day at Café Luz today", "starting at the museum on monday as a guide"], {("user", "employer", "the museum"), ("user", "job", "guide")}),
    (["I work for Nordbank", "handed in my notice at Nordbank", "joined Tern Labs this week"], {("user", "employer", "Tern Labs")}),
    (["my laptop is a Dell XPS", "the Dell finally died", "picked up a refurbished ThinkPad yesterday"], {("user", "laptop", "refurbished ThinkPad")}),
    (["I drive a Fiesta", "sold the Fiesta"], set()),
    (["my car is a Civic 2016", "*2017 oops"], {("user", "car", "Civic 2017")}),
    (["redis is on port 6379", "redis moved: port 6390"], {("redis", "port", "6390")}),
    (["the quota for our tenant is 50 GB", "correction: 80 GB"], {("tenant", "quota", "80 GB")}),
    (["our picnic is at Hollow Ponds on the 9th", "no wait, not Hollow Ponds, it's Clissold Park"], {("picnic", "place", "Clissold Park"), ("picnic", "date", "the 9th")}),
    (["My nephew Idris is allergic to sesame", "I got it wrong, it's soy Idris is allergic to"], {("user", "nephew", "Idris"), ("Idris", "allergy", "soy")}),
    (["cycling 3 times a week", "doctor says no cycling for now. so i'm swimming instead, twice a week"], {("user", "exercise", "swimming, twice a week")}),
    (["I speak Dutch", "oh and some Turkish too"], {("user", "language", "Dutch"), ("user", "language", "Turkish")}),
    (["we keep goats", "we've got bees too"], {("user", "keeps", "goats"), ("user", "keeps", "bees")}),
    (["I like olives", "capers as well"], {("user", "likes", "olives"), ("user", "likes", "capers")}),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "wanted"), WEEKS, ids=[turns[-1][:40] for turns, _ in WEEKS])
def test_later_turns_add_to_earlier_ones_or_replace_them(turns: list[str], wanted: set[tuple[str, str, str]]) -> None:
    talk = Talk()
    for turn in turns:
        talk.say(turn)
    assert talk.holds() == wanted


def test_a_place_for_a_while_expires_and_the_way_home_does_not() -> None:
    talk = Talk()
    told = {
        one.attribute: one for one in talk.say("i'm at my brother's in Bergen until Thursday, back in Oslo after that")
    }
    assert told["current_location"].expires_at == datetime(2026, 3, 5, 23, 59, 59, tzinfo=UTC)
    assert (told["home"].value, told["home"].expires_at) == ("Oslo", None)


def test_back_on_a_bare_day_counts_from_the_month_of_the_journey() -> None:
    told = {one.attribute: one for one in Talk().say("flying to Lima on 28 march, back the 2nd")}
    assert told["return"].valid_at == datetime(2026, 4, 2, tzinfo=UTC)
    assert told["return"].value == "the 2nd (2 April)"


def test_the_second_half_of_a_lesson_belongs_to_its_statement() -> None:
    told = Talk().say("lesson for next time: never book the small hall in June, it gets too hot. ask for the barn")
    lessons = [one for one in told if one.kind is MemoryKind.LESSON]
    assert [one.statement.endswith("it gets too hot; ask for the barn.") for one in lessons] == [True]


def test_a_question_with_a_statement_in_it_is_a_statement() -> None:
    assert ("user", "hobby", "play the lute") in facts("Did I mention that I play the lute as well?")
