"""The made-up enterprise history and the counts over it: what they promise, without a product behind them."""

from __future__ import annotations

import itertools

import pytest

from core.model import Advice
from eval import harness
from eval.enterprise_history import COLLEAGUES, MATTERS, SESSIONS, STRAYS, Channel, history
from eval.harness import Decision

SEEDS = range(harness.SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_gives_the_same_history_and_others_another(seed):
    assert history(seed) == history(seed)
    assert history(seed) != history(seed + 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_matters_change_once_and_the_others_never(seed):
    told = history(seed)
    turns = [[before != after for before, after in itertools.pairwise(row)].count(True) for row in told.truth]
    assert sorted(turns) == [0] * (len(MATTERS) - 2) + [1, 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_stray_claims_are_false_and_never_repeated(seed):
    told = history(seed)
    strays = [one for one in told.claims if one.stray]
    assert len(strays) == STRAYS
    for one in strays:
        assert one.value not in told.truth[one.matter]
        assert [(other.matter, other.value) for other in told.claims].count((one.matter, one.value)) == 1
    rest = [one for one in told.claims if not one.stray and not one.late]
    assert all(one.value == told.true(one.matter, one.session) for one in rest)


@pytest.mark.parametrize("seed", SEEDS)
def test_claims_come_in_order_and_early_evidence_is_sparse(seed):
    told = history(seed)
    assert [one.at for one in told.claims] == sorted(one.at for one in told.claims)
    early = {one.matter for one in told.claims if one.session <= 2}
    assert len(early) < len(MATTERS) / 2
    assert {one.speaker for one in told.claims if one.channel is Channel.MAIL} <= set(COLLEAGUES)
    assert {one.session for one in told.claims} == set(range(1, SESSIONS + 1))


def test_every_way_of_saying_it_names_the_matter_and_its_value():
    for at, what in enumerate(MATTERS):
        for value in what.values:
            for way in what.said:
                assert harness.value_in(at, way.format(value=value)) == value
    assert harness.value_in(0, "The weekly review is on Monday, not on Friday.") == ""
    assert harness.value_in(0, "The deploy window is on Monday.") == ""


def test_the_baselines_choose_by_order_and_by_number():
    said = ["red", "green", "green", "amber"]
    assert harness.last(said) == "amber"
    assert harness.majority(said) == "green"
    assert harness.majority(["red", "green"]) == "green"


def decisions(*told: tuple[str, str, Advice]) -> list[Decision]:
    return [
        Decision(session=at, matter=0, advice=advice, believed=believed, true=true)
        for at, (believed, true, advice) in enumerate(told, start=1)
    ]


def test_a_move_to_what_is_not_true_is_a_whipsaw_and_the_way_back_is_none():
    act = Advice.ACT
    assert harness.whipsaws(decisions(("a", "a", act), ("b", "a", act), ("a", "a", act))) == 1
    assert harness.whipsaws(decisions(("a", "a", act), ("b", "b", act), ("b", "b", act))) == 0
    assert harness.whipsaws(decisions(("", "a", Advice.ASK), ("b", "a", act), ("b", "a", act))) == 0


def test_precision_counts_acts_only():
    mixed = decisions(("a", "a", Advice.ACT), ("b", "a", Advice.ANSWER), ("b", "a", Advice.ACT))
    assert harness.precision(mixed) == (1, 2)


def test_the_policy_of_the_run_knows_both_systems_of_record():
    text = harness.policy_text("sustained")
    assert 'policy = "sustained"' in text
    assert all(f'{tool} = "records"' in text for tool in ("task_tracker", "team_roster"))
