"""The ladder of `eval`: its histories are what they promise, its lower rungs know no gold, its judge is fair."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections import Counter
from dataclasses import fields, replace

import pytest

from core.bootstrap import load_policy
from core.llm.rules import RulesExtractor
from eval import ladder_rungs
from eval.ladder import climb, lower_rungs
from eval.ladder_history import Asked, History, Said, small
from eval.ladder_judge import Told, judge
from eval.ladder_large import COUNTS, large
from eval.ladder_rungs import Entry, consolidated, superseded
from tests.fakes import HashEmbedder


def words_of(history: History) -> str:
    return hashlib.sha256(repr(history).encode()).hexdigest()[:16]


def test_the_small_history_is_what_it_promises() -> None:
    history = small()
    assert len(history.said) == 42
    assert Counter(one.kind for one in history.asked) == {"changed": 7, "stable": 5}


def test_the_large_history_is_ten_times_the_small_one() -> None:
    history = large()
    assert (len(history.said), len(history.asked)) == (10 * len(small().said), 10 * len(small().asked))
    assert Counter(one.kind for one in history.asked) == COUNTS
    assert len({one.question for one in history.asked}) == len(history.asked)


def test_the_histories_are_the_same_to_the_letter_on_every_run() -> None:
    """The digests name the histories that the published figures belong to."""
    assert words_of(small()) == "9b6da4220522042a"
    assert words_of(large()) == words_of(large()) == "acc5de31316f6d87"
    assert words_of(large(12)) != words_of(large())


@pytest.mark.parametrize("history", [small(), large()], ids=["small", "large"])
def test_everything_is_said_before_it_is_asked_for_and_in_order(history: History) -> None:
    times = [one.at for one in history.said]
    assert times == sorted(times)
    assert times[-1] < history.at


@pytest.mark.parametrize("history", [small(), large()], ids=["small", "large"])
def test_every_gold_value_was_said_and_belongs_to_one_question(history: History) -> None:
    said = [Told(text=one.text) for one in history.said]
    values = [value for one in history.asked for value in (*one.current, *one.former)]
    assert all(any(told.names([value]) for told in said) for value in values)
    assert len({value.casefold() for value in values}) == len(values)


def test_what_changes_is_said_in_the_order_of_its_values() -> None:
    """The current value of a changed fact is the last of its values that was said."""
    history = large()
    for asked in history.asked:
        if asked.kind == "changed":
            naming = [one.text for one in history.said if Told(text=one.text).names([*asked.current, *asked.former])]
            assert Told(text=naming[-1]).names(asked.current)
            assert len(naming) == len(asked.current) + len(asked.former)


def test_the_rungs_are_given_no_gold() -> None:
    """Neither the types that they take nor the module that they live in know of `Asked`."""
    assert {one.name for one in fields(Said)} == {"at", "conversation", "text"}
    assert not re.search(r"\b[Aa]sked\b|\.(?:current|former)\b", inspect.getsource(ladder_rungs).split('"""', 2)[2])


def test_another_gold_changes_no_ranking() -> None:
    history = replace(small(), said=small().said[:20])
    swapped = replace(history, asked=tuple(replace(one, current=("Elsewhere",), former=()) for one in history.asked))
    policy, extractor = load_policy(None), RulesExtractor()

    def hits(given: History) -> list[tuple[Told, ...]]:
        climbed = climb(given, lower_rungs(given.said, extractor), HashEmbedder(), policy)
        return [one.hits for _, score in climbed for one in score.verdicts]

    assert hits(history) == hits(swapped)


def entry(value: str, day: int, **more: object) -> Entry:
    at = small().said[day].at
    return Entry(text=f"It is {value}.", at=at, importance=0.6, value=value, slot="it|place", **more)  # type: ignore[arg-type]


def test_consolidation_merges_what_was_said_twice_and_keeps_every_value() -> None:
    kept = consolidated([entry("Graz", 0), entry("Riga", 1), entry("graz", 2)])
    assert [(one.value, one.at) for one in kept] == [("Riga", small().said[1].at), ("graz", small().said[2].at)]


def test_supersession_keeps_the_newest_of_a_single_slot_and_all_of_a_multiple_one() -> None:
    assert [one.value for one in superseded([entry("Graz", 0), entry("Riga", 1)])] == ["Riga"]
    assert len(superseded([entry("Graz", 0, multi=True), entry("Riga", 1, multi=True)])) == 2


CHANGED = Asked(question="Where?", kind="changed", current=("Riga",), former=("Graz",))
SEVERAL = Asked(question="Which?", kind="multi", current=("figs", "kites"))
ENDED = Asked(question="Still?", kind="ended", current=(), former=("chess",))


@pytest.mark.parametrize(
    ("asked", "texts", "expected"),
    [
        (CHANGED, ["You live in Riga.", "You like tea."], (True, True, False)),
        (CHANGED, ["You live in Graz.", "You live in Riga."], (False, True, True)),
        (CHANGED, ["You moved from Graz to Riga."], (True, True, False)),
        (CHANGED, ["You no longer live in Graz."], (False, False, False)),
        (CHANGED, ["You know Rigas."], (False, False, False)),
        (CHANGED, [], (False, False, False)),
        (SEVERAL, ["Figs.", "Tea."], (True, False, False)),
        (SEVERAL, ["Tea.", "Kites.", "Figs."], (False, True, False)),
        (ENDED, ["You no longer play chess."], (True, True, False)),
        (ENDED, ["You play chess."], (False, False, True)),
        (ENDED, ["You like tea."], (True, True, False)),
        (ENDED, ["You like tea.", "You no longer play chess."], (False, True, False)),
        (ENDED, [], (True, True, False)),
    ],
)
def test_hits_are_judged_by_the_values_that_they_name(
    asked: Asked, texts: list[str], expected: tuple[bool, bool, bool]
) -> None:
    verdict = judge(asked, [Told(text=text) for text in texts])
    assert (verdict.first, verdict.found, verdict.stale) == expected
