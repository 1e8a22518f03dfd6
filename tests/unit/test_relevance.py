"""What the turns around it and the rarity of words do to a memory's relevance (rules §4.2, §6.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import MemoryKind, ScoredMemory, SourceKind
from core.recall import rank
from core.relevance import aptness, from_beside, named_speakers, relevances, told_at_length, worded
from core.store.forms import forms
from core.store.words import spread
from tests.factories import NOW, POLICY, memory

RULES = POLICY.recall


def turn(name: str, text: str = "It went well.", *, speaker: str = "Ann", **rest) -> ScoredMemory:
    made = memory(
        memory_id=name,
        kind=MemoryKind.EVENT,
        subject=speaker,
        attribute="statement",
        text=f"{speaker} wrote: “{text}”",
        value=text,
        source_kind=SourceKind.THIRD_PARTY,
        effective_trust=0.55,
        stated_at=NOW,
    )
    given_ = {"cosine": 0.5, "lexical": 0.0, "length": 20} | rest
    return ScoredMemory(memory=made, **given_)


def test_a_rare_word_tells_more_than_one_that_most_hold():
    found = [
        turn("rare", held=(True, False)),
        turn("common", held=(False, True)),
        turn("other", held=(False, True)),
        turn("third", held=(False, True)),
    ]
    rare, common, *_ = worded(found)
    assert rare > common > 0


def test_a_match_in_few_words_tells_more_than_one_among_many():
    short, long = worded([turn("s", held=(True,), length=5), turn("l", held=(True,), length=80)])
    assert short > long


def test_without_known_words_the_rank_of_the_store_stands():
    assert worded([turn("a", lexical=2.0), turn("b", lexical=1.0)]) == [2.0, 1.0]
    assert worded([turn("a", lexical=2.0, held=(True,)), turn("b", lexical=1.0)]) == [2.0, 1.0]
    assert worded([]) == []


@given(
    st.lists(
        st.tuples(st.floats(-1, 1), st.lists(st.booleans(), min_size=3, max_size=3), st.integers(1, 90)), max_size=12
    )
)
def test_relevance_stays_in_range_whatever_was_found(rows):
    found = [turn(f"m{n}", cosine=c, held=tuple(h), length=length) for n, (c, h, length) in enumerate(rows)]
    assert all(0.0 <= one <= 1.0 for one in relevances(found))
    assert all(0.0 <= hit.relevance <= 1.0 for hit in rank(found, POLICY, NOW, "Where is the kite?"))


def test_a_turn_gains_from_those_beside_it_and_from_a_question_most():
    asks = turn("q", "Where did you fly the kite?", speaker="Ben")
    tells = turn("q", "I like the kite.", speaker="Ben")
    answer = turn("a", before=("q",))
    later = turn("b", before=("a",))
    relevance = {"q": 0.8, "a": 0.1, "b": 0.0}
    asked = from_beside([asks, answer, later], relevance, RULES)
    told = from_beside([tells, answer, later], relevance, RULES)
    assert asked["a"] == pytest.approx(RULES.beside * RULES.reply * 0.8)
    assert told["a"] == pytest.approx(RULES.beside * 0.8)
    assert told["q"] == pytest.approx(RULES.beside * 0.1)
    assert told["b"] == pytest.approx(RULES.beside * 0.1 + RULES.beside_next * 0.8)


def test_a_fact_gains_nothing_from_the_turn_before():
    fact = ScoredMemory(memory=memory(memory_id="f", kind=MemoryKind.FACT), cosine=0.1, lexical=0.0, before=("q",))
    assert "f" not in from_beside([turn("q"), fact], {"q": 1.0, "f": 0.1}, RULES)


def test_a_turn_that_is_not_among_what_was_found_lends_nothing():
    assert from_beside([turn("a", before=("gone",))], {"a": 0.5}, RULES) == {"a": 0.0}


def test_an_answer_beside_its_question_comes_before_another_turn_as_near():
    asks = turn("q", "Where did you fly the kite?", speaker="Ben", cosine=0.7)
    answer = turn("a", "On the beach.", cosine=0.4, before=("q",))
    other = turn("o", "In the yard.", cosine=0.4)
    order = [hit.memory.memory_id for hit in rank([other, answer, asks], POLICY, NOW, "Where was the kite flown?")]
    assert order.index("a") < order.index("o")


def test_whoever_is_named_is_heard_first():
    found = [turn("a", speaker="Ann"), turn("b", speaker="Ben")]
    speakers = named_speakers("What did Ann buy?", found)
    assert aptness("What did Ann buy?", found[0].memory, RULES, speakers) == 1.0
    assert aptness("What did Ann buy?", found[1].memory, RULES, speakers) == RULES.others
    assert not named_speakers("What did Cy buy?", found)
    assert aptness("What did Cy buy?", found[1].memory, RULES, frozenset()) == 1.0


def test_a_turn_of_few_words_says_little_and_a_fact_is_no_turn():
    assert told_at_length(turn("a", length=RULES.terse_words), RULES) == 1.0
    assert told_at_length(turn("a", length=RULES.terse_words // 2), RULES) == pytest.approx(1 - RULES.terse / 2)
    assert told_at_length(ScoredMemory(memory=memory(), cosine=0.1, lexical=0.0, length=2), RULES) == 1.0


def test_age_takes_no_more_than_the_floor_leaves():
    old = replace(turn("a"), memory=replace(turn("a").memory, stated_at=NOW.replace(year=NOW.year - 2)))
    [hit] = rank([old], POLICY, NOW)
    assert hit.freshness < 0.01
    assert hit.score == pytest.approx(old.memory.importance * hit.relevance * RULES.age_floor)


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("paint", {"painted", "painting"}),
        ("hiking", {"hike", "hiked"}),
        ("stopped", {"stop", "stopping"}),
        ("studied", {"study", "studying"}),
        ("went", {"go", "gone", "going"}),
        ("child", {"children"}),
    ],
)
def test_a_question_is_spread_over_the_other_forms_of_its_words(word, others):
    assert others <= set(forms(word))
    assert forms(word)[0] == word


@pytest.mark.parametrize("word", ["青霉", "b12", "is", "straße", "1999"])
def test_what_is_no_english_word_has_no_other_form(word):
    assert forms(word) == (word,)
    assert spread([word]) == [[word]]
