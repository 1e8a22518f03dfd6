"""Answers to questions asked in other words than the fact was told: likeness counts, but never for what is not there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.llm.answers import RulesResponder
from core.llm.answers.kinds import fits
from core.llm.answers.words import stem
from core.model import Hit, Memory, MemoryKind, Scope, SourceKind, Turn
from core.ports import ReplyContext
from core.slots import normalise, slot_key

SCOPE = Scope(tenant="t", owner="o")
TOLD = datetime(2026, 2, 18, 9, tzinfo=UTC)
NOW = TOLD + timedelta(days=3)


def memory(number: int, subject: str, attribute: str, value: str, text: str) -> Memory:
    return Memory(
        memory_id=f"m{number}",
        scope=SCOPE,
        kind=MemoryKind.EVENT if attribute == "event" else MemoryKind.FACT,
        subject=subject,
        attribute=attribute,
        slot_key=slot_key(subject, attribute),
        value=value,
        text=text,
        importance=0.6,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="r",
        source_title="",
        actor="u",
        episode_id="e1",
        conversation_id="c",
        serial_no=number,
        roots=(),
        stated_at=TOLD,
        created_at=TOLD,
    )


class Lookup:
    def __init__(self, memories: list[Memory]) -> None:
        self.memories = [m for m in memories if m.kind is not MemoryKind.EVENT]

    def by_slot(self, scope, *, subject, attributes, limit=20):
        assert scope == SCOPE
        return [
            m
            for m in self.memories
            if m.attribute in attributes and (subject is None or normalise(m.subject) == normalise(subject))
        ][:limit]

    def about(self, scope, *, subject, limit=20):
        assert scope == SCOPE
        return [m for m in self.memories if normalise(m.subject) == normalise(subject)][:limit]


def ask(question: str, *facts: tuple[str, str, str, str], cosine: float = 0.4, before: tuple[str, ...] = ()) -> str:
    memories = [memory(n, *fact) for n, fact in enumerate(facts)]
    hits = tuple(
        Hit(
            memory=m,
            score=cosine,
            relevance=cosine,
            freshness=1.0,
            cosine=cosine,
            lexical=0.0,
            coverage=0.0,
            age_days=3.0,
            composite_trust=1.0,
        )
        for m in memories
        if cosine > 0
    )
    recent = tuple(Turn(role="user", text=text, at=NOW) for text in before)
    context = ReplyContext(now=NOW, scope=SCOPE, hits=hits, recent=recent)
    return RulesResponder().reply(question, context, Lookup(memories)).text


EMPLOYER = ("user", "employer", "Silverlake Vets", "You work at Silverlake Vets.")
SHIFTS = ("user", "schedule", "two late shifts a week", "You do two late shifts a week, Mondays and Fridays.")
LUTE = ("user", "plays", "lute", "You play the lute.")
DISLIKE = ("user", "dislikes", "okra", "You dislike okra.")
FERRY = ("user", "travel", "ferry to Harlingen on 2 May", "You take the ferry to Harlingen on 2 May.")
PAINT = ("user", "favorite_painter", "Hilma af Klint", "Your favourite painter is Hilma af Klint.")
BOILER = ("user", "contractor", "Ines Dorfman", "Ines Dorfman is fixing the boiler on Tuesday.")
GREENHOUSE = ("user", "project", "glass lean-to", "You are doing up a 1931 glass lean-to with your uncle Piet.")
LESSON = ("user", "lesson", "never prune the plum in winter", "Never prune the plum tree when it is frosty.")


@pytest.mark.parametrize(
    ("question", "fact", "wanted"),
    [
        ("Which clinic employs me?", EMPLOYER, "Silverlake"),
        ("Which clinic am I at?", EMPLOYER, "Silverlake"),
        ("What's my shift pattern?", SHIFTS, "late shifts"),
        ("Which evenings am I busy?", SHIFTS, "Mondays and Fridays"),
        ("What instrument do I play?", LUTE, "lute"),
        ("Is there a vegetable I can't stand?", DISLIKE, "okra"),
        ("Who is repairing the boiler?", BOILER, "Ines Dorfman"),
        ("What building am I restoring?", GREENHOUSE, "lean-to"),
        ("When should I not prune the plum?", LESSON, "frosty"),
    ],
)
def test_a_question_in_other_words_finds_the_statement(question: str, fact: tuple[str, str, str, str], wanted: str):
    answer = ask(question, fact)
    assert wanted in answer
    assert answer.endswith("[1].")


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Which ferry company am I with?", FERRY),
        ("Who is my travel agent?", FERRY),
        ("What's my favourite composer?", PAINT),
        ("What's my passport number?", FERRY),
        ("How old is my uncle?", GREENHOUSE),
        ("Where was I born?", EMPLOYER),
        ("Which restaurant did I book?", EMPLOYER),
        ("How much do I earn?", EMPLOYER),
        ("Which programming language do I use?", ("user", "language", "Frisian", "You speak Frisian.")),
        ("What's my work address?", ("user", "address", "5 Vlietweg", "Your address is 5 Vlietweg.")),
        ("What's my middle name?", ("user", "name", "Tjitske Brouwer", "Your name is Tjitske Brouwer.")),
        (
            "Which knee is my bad one?",
            ("user", "condition", "arthritis in one knee", "You have arthritis in one knee."),
        ),
        ("What breed is my dog?", ("user", "dog", "Wodan", "Your dog is Wodan.")),
        ("Do I own a sailing boat?", GREENHOUSE),
    ],
)
def test_likeness_does_not_stand_in_for_what_was_never_told(question: str, fact: tuple[str, str, str, str]):
    assert "don't know" in ask(question, fact)


def test_a_statement_that_is_far_from_the_question_does_not_answer():
    assert "don't know" in ask("Which clinic employs me?", FERRY, cosine=0.2)
    assert "don't know" in ask("What am I afraid of?", EMPLOYER, cosine=0.3)


def test_a_question_leans_on_the_one_before():
    before = ("What am I doing up?",)
    assert "1931" in ask("What year is it from?", GREENHOUSE, before=before)
    assert "uncle Piet" in ask("And who am I doing it with?", GREENHOUSE, before=before)
    assert "don't know" in ask("How much have I spent on it?", ("user", "project", "barn", "You are doing up a barn."))


def test_which_one_takes_over_the_thing_asked_for():
    mine = ("user", "bike", "blue Batavus", "Your bike is a blue Batavus.")
    hers = ("sister", "bike", "red Koga", "Your sister's bike is a red Koga.")
    answer = ask("and which one does my sister have?", mine, hers, before=("what bike do I have?",))
    assert "Koga" in answer
    assert "Batavus" not in answer


def test_how_to_reach_someone_is_not_answered_with_ones_own_number():
    email = ("user", "email", "tj@brouwer.example", "Your email is tj@brouwer.example.")
    vet = ("user", "vet", "Dr Anema", "Your vet is Dr Anema.")
    phone = ("Dr Anema", "phone", "0515 555 014", "The phone number of Dr Anema is 0515 555 014.")
    answer = ask("Who's my vet and how do I reach her?", email, vet, phone)
    assert "Dr Anema" in answer
    assert "0515" in answer
    assert "brouwer" not in answer


def test_a_count_of_a_list():
    facts = [("user", "language", name, f"You speak {name}.") for name in ("Frisian", "Dutch", "Danish")]
    assert ask("How many languages do I speak?", *facts).startswith("3")


def test_what_was_said_of_others_is_not_ones_own():
    said = ("user", "event", "my cousin went to school in Sneek", "You said: My cousin went to school in Sneek")
    assert "don't know" in ask("Where did I go to school?", said)


def test_kinds():
    assert fits(stem("hospital"), "employer")
    assert fits(stem("author"), "favourite_author")
    assert not fits(stem("book"), "favourite_author")
    assert not fits(stem("hospital"), "hobby")
