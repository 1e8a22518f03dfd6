"""Lessons: kept with their reason, before everything else where a question is about them, and nowhere else (rules §2.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.llm.answers import RulesResponder
from core.llm.rules import RulesExtractor
from core.model import Hit, MemoryKind, ScoredMemory
from core.ports import ExtractionContext, ReplyContext
from core.prompt import assemble
from core.recall import Recaller, lessons_first
from tests.factories import NOW, POLICY, SCOPE, FixedClock, episode, memory
from tests.fakes import HashEmbedder

LESSON = memory(
    "Your rule: Never deploy on Friday, because nobody is there to roll back.",
    memory_id="lesson",
    attribute="lesson",
    value="Never deploy on Friday, because nobody is there to roll back",
    kind=MemoryKind.LESSON,
    importance=0.8,
)
FACT = memory("Your team deploys from the main branch.", memory_id="fact", attribute="procedure", value="main branch")


def hit(one=FACT, score=0.5, **rest):
    given = {"relevance": 0.5, "freshness": 1.0, "cosine": 0.5, "lexical": 0.5, "coverage": 0.5, "age_days": 1.0}
    return Hit(memory=one, score=score, composite_trust=1.0, **(given | rest))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Never deploy on Friday, because nobody is there to roll back.", "nobody is there to roll back"),
        ("Don't send invoices by post because they get lost.", "they get lost"),
        ("Never use the shared printer for contracts, because it keeps copies.", "it keeps copies"),
        ("Lesson learned: never prune the plum in winter because it bleeds.", "it bleeds"),
    ],
)
def test_a_do_not_is_a_lesson_with_its_reason(said, reason):
    rules = RulesExtractor(embedder=HashEmbedder())
    found = rules.extract(episode(said), ExtractionContext(now=NOW, recent=(), known=())).proposals
    [one] = [one for one in found if one.kind is MemoryKind.LESSON]
    assert reason in one.statement


def test_a_wish_about_answers_is_no_lesson_whatever_its_reason():
    rules = RulesExtractor(embedder=HashEmbedder())
    said = "Never use bullet points in your answers, because they are hard to read."
    found = rules.extract(episode(said), ExtractionContext(now=NOW, recent=(), known=())).proposals
    assert [one.kind for one in found if one.kind is not MemoryKind.EVENT] == [MemoryKind.PREFERENCE]


def test_lessons_come_first_only_where_the_question_carries_them():
    hits = [hit(FACT, 0.9), hit(LESSON, 0.4)]
    assert [one.memory.memory_id for one in lessons_first(hits, {"fact", "lesson"})] == ["lesson", "fact"]
    assert [one.memory.memory_id for one in lessons_first(hits, {"fact"})] == ["fact", "lesson"]


class Found:
    """A store that finds what it is given."""

    def __init__(self, *found: ScoredMemory) -> None:
        self.found = found

    def search(self, *_args, **_rest):
        return list(self.found)

    def genuine(self, _one):
        return True


def recalled(query: str, *found: ScoredMemory, k: int | None = None) -> list[str]:
    store = Found(*found)
    recaller = Recaller(store=store, embedder=HashEmbedder(), policy=POLICY, clock=FixedClock())  # type: ignore[arg-type]
    return [one.memory.memory_id for one in recaller.recall(query, SCOPE, k=k).hits]


def test_recall_puts_a_relevant_lesson_first_and_keeps_it_among_the_best():
    others = [
        ScoredMemory(memory=memory(f"fact {n}", memory_id=f"f{n}"), cosine=0.8, lexical=1.0, coverage=1.0)
        for n in range(6)
    ]
    lesson = ScoredMemory(memory=LESSON, cosine=0.35, lexical=0.1, coverage=0.5)
    assert recalled("may I deploy", *others, lesson, k=3)[0] == "lesson"


def test_a_lesson_under_the_floor_is_not_recalled_and_outranks_nothing():
    fact = ScoredMemory(memory=FACT, cosine=0.8, lexical=1.0, coverage=1.0)
    lesson = ScoredMemory(memory=LESSON, cosine=0.1, lexical=0.0, coverage=0.0)
    assert recalled("which branch", fact, lesson) == ["fact"]


def test_a_lesson_that_only_a_link_brought_in_stays_behind():
    fact = ScoredMemory(memory=FACT, cosine=0.8, lexical=1.0, coverage=1.0)
    lesson = ScoredMemory(memory=LESSON, cosine=0.2, lexical=0.0, coverage=0.1, parents=(("fact", 0.5),), found=False)
    assert recalled("which branch", fact, lesson)[:1] == ["fact"]


def middle(*hits: Hit) -> str:
    made = assemble(system="s", profile=(), hits=hits, live=(), attached=(), budget_tokens=2000, nonce="n")
    return made.messages[1].content


def test_the_prompt_tells_relevant_lessons_before_other_memories():
    told = middle(hit(LESSON), hit(FACT), hit(memory("Another fact.", memory_id="f2")))
    assert told.index("Lessons that the person wants heeded here:") < told.index("What you remember")
    assert told.index("Never deploy on Friday") < told.index("main branch")
    assert "because nobody is there to roll back" in told
    assert "[1] Your rule" in told


def test_a_lesson_that_recall_did_not_lead_with_leads_nothing():
    told = middle(hit(FACT), hit(LESSON))
    assert "Lessons that" not in told
    assert "Never deploy on Friday" in told


def test_a_tight_budget_keeps_the_lesson():
    made = assemble(
        system="s", profile=(), hits=(hit(LESSON), hit(FACT)), live=(), attached=(), budget_tokens=30, nonce="n"
    )
    assert [one.memory.memory_id for one in made.used] == ["lesson"]


class Nothing:
    def by_slot(self, *_args, **_rest):
        return []

    def about(self, *_args, **_rest):
        return []


def answered(question: str, *hits: Hit):
    context = ReplyContext(now=NOW + timedelta(days=1), scope=SCOPE, hits=hits)
    return RulesResponder().reply(question, context, Nothing())


def test_the_rules_answer_begins_with_a_lesson_on_the_question():
    reply = answered("Which branch do we deploy from on Friday?", hit(LESSON, coverage=0.7), hit(FACT, coverage=0.7))
    assert reply.text == (
        "Keep in mind: Never deploy on Friday, because nobody is there to roll back [2]. "
        "Your team deploys from the main branch [1]."
    )
    assert [one.memory_id for one in reply.cited] == ["fact", "lesson"]


def test_the_rules_answer_says_no_lesson_on_another_question():
    tea = memory("You drink green tea.", memory_id="tea", attribute="likes", value="green tea")
    reply = answered("What tea do I drink?", hit(tea, coverage=1.0), hit(LESSON, coverage=0.0, cosine=0.35))
    assert "deploy" not in reply.text
    assert [one.memory_id for one in reply.cited] == ["tea"]
