"""The responder's pure parts: languages, stems, dates, and what a question is taken to ask."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from core.llm.answers import classes, dates, question, words
from core.llm.answers.courtesy import is_command, is_forgetting
from core.llm.answers.grammar import Want
from core.model import Memory, MemoryKind, Scope, SourceKind

TODAY = date(2026, 2, 19)  # a Thursday


def memory(attribute: str, value: str, text: str, stated: datetime = datetime(2026, 2, 18, 9, tzinfo=UTC)) -> Memory:
    return Memory(
        memory_id="m",
        scope=Scope(tenant="t", owner="o"),
        kind=MemoryKind.FACT,
        subject="launch",
        attribute=attribute,
        slot_key="k",
        value=value,
        text=text,
        importance=0.8,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="r",
        source_title="",
        actor="u",
        episode_id="e",
        conversation_id="c",
        serial_no=1,
        roots=(),
        stated_at=stated,
        created_at=stated,
    )


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("What's Luca's age?", "en"),
        ("where do I live", "en"),
        ("¿Dónde vivo?", "es"),
        ("Que sais-tu de moi ?", "fr"),
        ("Où j'habite ?", "fr"),
        ("Wo wohne ich?", "de"),
        ("我住在哪里?", "zh"),
        ("ok", "en"),
        ("", "en"),
        ("Hallo", "de"),
        ("🙂", "en"),
    ],
)
def test_language_of_a_message(message, language):
    assert words.language_of(message) == language


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("allergies", "allergy"),
        ("colour", "color"),
        ("favourite", "favorite"),
        ("coeliac", "celiac"),
        ("Lucía", "lucia"),
        ("running", "run"),
        ("organised", "organize"),
    ],
)
def test_forms_of_one_word_share_a_stem(left, right):
    assert words.alike(words.stem(left), words.stem(right))


@pytest.mark.parametrize(
    ("left", "right"), [("car", "career"), ("cat", "category"), ("sister", "system"), ("son", "song")]
)
def test_different_words_do_not(left, right):
    assert not words.alike(words.stem(left), words.stem(right))


@pytest.mark.parametrize(
    ("attribute", "value", "day"),
    [
        ("date", "12 March", date(2026, 3, 12)),
        ("date", "March 12th", date(2026, 3, 12)),
        ("date", "2027-02-18", date(2027, 2, 18)),
        ("deadline", "31.10.", date(2026, 10, 31)),
        ("date", "14/09/2026", None),
        ("date", "5 de abril", date(2026, 4, 5)),
        ("deadline", "14. Juni", date(2026, 6, 14)),
        ("date", "le 2 mai", date(2026, 5, 2)),
        ("date", "3月12日", date(2026, 3, 12)),
        ("appointment", "Tuesday at 4", date(2026, 2, 24)),
        ("date", "soon", None),
        ("schedule", "every Friday", None),
        ("date", "31 February", None),
        ("date", "10 January", date(2027, 1, 10)),
        ("birthday", "3 July 1984", date(2026, 7, 3)),
    ],
)
def test_the_day_a_fact_speaks_of(attribute, value, day):
    found = dates.day_of(memory(attribute, value, f"Your launch is on {value}."), TODAY)
    if value == "14/09/2026":
        day = date(2026, 9, 14)
    if value == "31 February":  # no such day in any year: the search ends at the statement itself
        assert found is None or found[0] == date(2026, 2, 18)
        return
    assert (found[0] if found else None) == day


def test_a_past_tense_date_lies_before_its_statement():
    found = dates.day_of(memory("moved", "1 March", "You moved on 1 March."), TODAY)
    assert found == (date(2025, 3, 1), False)


@pytest.mark.parametrize(
    ("day", "language", "words_said"),
    [
        (date(2026, 2, 19), "en", "today"),
        (date(2026, 2, 20), "en", "tomorrow"),
        (date(2026, 2, 18), "en", "yesterday"),
        (date(2026, 2, 21), "en", "in 2 days"),
        (date(2026, 3, 12), "en", "in 3 weeks"),
        (date(2026, 2, 16), "en", "3 days ago"),
        (date(2026, 8, 19), "en", "in 6 months"),
        (date(2030, 2, 19), "en", "in 4 years"),
        (date(2026, 3, 12), "es", "dentro de 3 semanas"),
        (date(2026, 3, 12), "de", "in 3 Wochen"),
        (date(2026, 2, 16), "fr", "il y a 3 jours"),
        (date(2026, 2, 21), "zh", "2天后"),
    ],
)
def test_how_far_away_a_day_is(day, language, words_said):
    assert dates.away(day, TODAY, language) == words_said


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("Your launch is on 12 March", "Your launch is on 12 March, in 3 weeks"),
        ("Your dentist is on 12 March at 9:40", "Your dentist is on 12 March at 9:40, in 3 weeks"),
        ("You fly on 12 March with Wren Air", "You fly on 12 March (in 3 weeks) with Wren Air"),
    ],
)
def test_the_distance_stands_by_its_date(text, placed):
    assert dates.placed(text, "in 3 weeks", "en") == placed


@pytest.mark.parametrize(
    ("message", "wants"),
    [
        ("Where do I work, and what do I do there?", [Want.WHERE, Want.ANY]),
        ("Who owns the museum app and what's its budget?", [Want.WHO, Want.ANY]),
        ("How many milligrams does Kwabena take, and I?", [Want.COUNT, Want.COUNT]),
        ("I'm at the shop, what am I allergic to?", [Want.ANY]),
        ("What time is standup?", [Want.CLOCK]),
        ("How old is my mum?", [Want.AGE]),
        ("Do I have a cat?", [Want.POLAR]),
        ("I like tea.", []),
        ("", []),
    ],
)
def test_questions_of_a_message(message, wants):
    assert [a.want for a in question.questions(message, "en")] == wants


def test_whose_fact_is_asked():
    (ask,) = question.questions("How old is my sister's dog?", "en")
    assert [t.word for t in ask.chain] == ["sister", "dog"]
    assert [t.word for t in ask.terms] == ["old"]


def test_a_pronoun_takes_the_subject_of_the_question_before():
    first, second = question.questions("What does my sister do, and where does she live?", "en")
    assert [t.word for t in second.chain] == ["sister"]
    assert first.chain == second.chain


@pytest.mark.parametrize(
    "sentence",
    [
        "Write me a poem",
        "could you translate this?",
        "Please summarise the page",
        "Escribe un poema",
        "Schreib mir ein Gedicht",
        "帮我写一首诗",
    ],
)
def test_commands(sentence):
    assert is_command(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["What's my name?", "I write for a living", "Name both my rabbits.", "List my allergies", "Tell me my locker code"],
)
def test_not_commands(sentence):
    assert not is_command(sentence)


def test_forgetting():
    assert is_forgetting("Please forget my locker code")
    assert not is_forgetting("I forgot my locker code")


@pytest.mark.parametrize(
    ("restriction", "thing", "bears"),
    [
        ("coeliac", "bread", True),
        ("vegetarian", "burger", True),
        ("shellfish", "prawns", True),
        ("penicillin", "amoxicillin", True),
        ("nuts", "walnuts", True),
        ("Nüsse", "Erdnüsse", True),
        ("vegetarian", "rice", False),
        ("penicillin", "bread", False),
    ],
)
def test_what_a_restriction_bears_on(restriction, thing, bears):
    assert classes.bears_on(frozenset({words.stem(restriction)}), frozenset({words.stem(thing)})) is bears


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("my phone number", True),
        ("and my mother's phone number", True),
        ("My sister's name is Rita.", False),  # it was answered with "I don't know" besides being noted
        ("My neighbours are away.", False),
        ("I live in Porto.", False),
    ],
)
def test_only_a_phrase_without_a_verb_asks_by_itself(text, bare):
    assert question.is_fragment(text) is bare
