"""Reputations of sources and half-lives from observed intervals: pure arithmetic over what happened."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.amend import amended
from core.conflict import contest
from core.decay import freshness
from core.model import CandidateState, EffectKind, MemoryKind, SourceKind
from core.ports import Happened, Stated
from core.reputation import records
from core.retuning import policy_half_life, proposal, tunings
from tests.factories import NOW, POLICY, candidate, evidence, incumbent, memory

ATTEST, CONFIRM, RETRACT, SUPERSEDE = (
    EffectKind.ATTEST,
    EffectKind.CONFIRM,
    EffectKind.RETRACT,
    EffectKind.SUPERSEDE,
)


def stated(name: str, origin: str = "tool:scale", state=CandidateState.ADMITTED, *, by_person: bool = False) -> Stated:
    return Stated(
        candidate_id=name,
        origin=origin,
        source_kind=SourceKind.TOOL_OUTPUT,
        tool="scale",
        state=state,
        by_person=by_person,
    )


def happened(name: str, kind: EffectKind, days: float = 0, **rest) -> Happened:
    return Happened(memory_id=name, kind=kind, at=NOW + timedelta(days=days), **rest)


def made(name: str, days: float = 0, kind: MemoryKind = MemoryKind.FACT) -> Happened:
    at = NOW + timedelta(days=days)
    return happened(name, EffectKind.ACTIVATE, days, memory_kind=kind, stated_at=at)


@pytest.mark.parametrize(
    ("history", "held_up", "failed"),
    [
        pytest.param([], 0, 0, id="nobody looked"),
        pytest.param([happened("a", CONFIRM, origin="person:ben")], 1, 0, id="another origin"),
        pytest.param([happened("a", CONFIRM)], 0, 0, id="the same origin again"),
        pytest.param([happened("a", ATTEST)], 1, 0, id="a person's answer"),
        pytest.param([happened("a", SUPERSEDE)], 0, 0, id="the world went on"),
        pytest.param([happened("a", SUPERSEDE, by_person=True)], 0, 1, id="a person put another in its place"),
        pytest.param(
            [
                happened("a", EffectKind.ACTIVATE, support=("tool:scale",)),
                happened("b", EffectKind.ACTIVATE, support=("tool:scale", "person:ada")),
                happened("a", SUPERSEDE, by_memory_id="b"),
            ],
            1,
            0,
            id="a better founded voice said the same",
        ),
        pytest.param([happened("a", RETRACT)], 0, 1, id="taken back"),
        pytest.param([happened("a", ATTEST), happened("a", RETRACT)], 0, 1, id="the last word counts"),
        pytest.param([happened("a", RETRACT), happened("a", EffectKind.RESTORE)], 0, 0, id="undone"),
    ],
)
def test_what_a_statement_says_of_its_source(history, held_up, failed):
    [found] = records([stated("a")], history)
    assert (found.held_up, found.failed, found.said) == (held_up, failed, 1)


def test_a_persons_rejection_is_a_failure_and_the_policys_is_not():
    told = [
        stated("a", state=CandidateState.REJECTED, by_person=True),
        stated("b", state=CandidateState.REJECTED),
        stated("c", "tool:tape"),
    ]
    assert [(one.origin, one.failed, one.said) for one in records(told, [])] == [
        ("tool:scale", 1, 2),
        ("tool:tape", 0, 1),
    ]


def test_who_passes_a_sites_words_on_does_not_lend_them_a_class():
    told = [replace(stated("a", "site:blog.example"), source_kind=SourceKind.AGENT_TURN), stated("b", "person:ben")]
    kinds = {one.origin: one.source_kind for one in records(told, [])}
    assert kinds == {"site:blog.example": SourceKind.WEB_CONTENT, "person:ben": told[1].source_kind}


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0.01, 10), st.floats(0, 1))
def test_a_reputation_is_a_share_and_never_above_its_class(held_up, failed, prior, base):
    told = [stated(str(at)) for at in range(held_up + failed)]
    history = [happened(str(at), ATTEST if at < held_up else RETRACT) for at in range(held_up + failed)]
    for found in records(told, history):
        assert found.reputation(prior=prior, base=base) <= base
        assert 0 < found.mean(prior) < 1
        assert found.mean(prior) == pytest.approx((held_up + prior) / (held_up + failed + 2 * prior))


def test_a_reputation_weighs_only_where_the_evidence_carries_one():
    mine = candidate(SourceKind.TOOL_OUTPUT, attribute="home", value="Oslo", number=5)
    held = incumbent("Bergen", 0.6, stated_at=NOW - timedelta(days=1))
    plain = evidence(0.6, incumbents=(held,))
    assert contest(mine, plain, rules=POLICY.conflict).wins
    weighed = replace(plain, reputation=0.3)
    assert contest(mine, weighed, rules=POLICY.conflict).reason == "conflict"
    assert not POLICY.questions.weigh_sources


def observed(*ends: tuple[float, EffectKind], kind: MemoryKind = MemoryKind.FACT) -> list[Happened]:
    """One memory an end, each stated at day 0."""
    rows = []
    for at, (days, effect) in enumerate(ends):
        rows += [made(f"m{at}", kind=kind), happened(f"m{at}", effect, days)]
    return rows


def one(rows, kind=MemoryKind.FACT, least=4):
    [found] = [one for one in tunings(rows, POLICY.decay, least=least) if one.kind is kind]
    return found


def test_with_little_data_nothing_is_suggested():
    found = one(observed((10, SUPERSEDE), (20, SUPERSEDE), (30, CONFIRM)))
    assert (found.observed, found.enough, found.suggested) == (3, False, None)
    assert found.median_interval == pytest.approx(20)
    assert proposal(found, POLICY.decay) == {}


def test_the_median_time_that_statements_stay_true_is_suggested():
    found = one(observed((10, SUPERSEDE), (20, RETRACT), (30, SUPERSEDE), (40, SUPERSEDE)))
    assert (found.replaced, found.confirmed, found.suggested) == (4, 0, pytest.approx(20))
    change = proposal(found, POLICY.decay)
    assert change == {"decay.kinds.fact": {"half_life_days": 20.0}}
    tuned = amended(POLICY, change).decay
    assert policy_half_life(MemoryKind.FACT, tuned) == pytest.approx(20)
    then = memory(attribute="shed", stated_at=NOW - timedelta(days=20))
    assert freshness(then, NOW, tuned) == pytest.approx(0.5)


def test_confirmations_say_that_it_was_true_at_least_so_long():
    found = one(observed((10, SUPERSEDE), *(((50 + at), CONFIRM) for at in range(4))))
    assert (found.confirmed, found.enough, found.suggested) == (4, True, None)


def test_a_confirmation_starts_the_next_interval_and_what_is_forgotten_says_nothing():
    rows = [made("a"), happened("a", CONFIRM, 10), happened("a", SUPERSEDE, 25), made("b"), happened("b", RETRACT, 0)]
    rows += [made("c"), happened("c", EffectKind.TOMBSTONE, 3), happened("c", RETRACT, 9)]
    found = one(rows, least=2)
    assert (found.confirmed, found.replaced) == (1, 1)
    assert found.median_interval == pytest.approx(12.5)


@pytest.mark.parametrize("kind", [MemoryKind.FACT, MemoryKind.EVENT, MemoryKind.LESSON])
def test_the_half_life_in_force_is_where_freshness_is_a_half(kind):
    days = policy_half_life(kind, POLICY.decay)
    then = memory(kind=kind, attribute="shed", stated_at=NOW - timedelta(days=days))
    assert math.isclose(freshness(then, NOW, POLICY.decay), 0.5, rel_tol=1e-9)
