"""When a slot's value really changed, and when somebody once said something else (rules §3.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conflict import contest
from core.ports import Support
from core.timeline import Turn, one_voice_each, since, turn_of
from tests.factories import NOW, POLICY, candidate, evidence, incumbent

SUPPORTED = NOW - timedelta(days=10)  # when the incumbent was last stated or confirmed
COPY = "The total weight of the trailer with all its boxes is 480 kg as of today."


def said(origin: str, days: float, episode: str = "") -> Support:
    """A statement some days after the incumbent's last support; below zero: before it."""
    return Support(origin=origin, trust=0.6, at=SUPPORTED + timedelta(days=days), episode_id=episode)


@pytest.mark.parametrize(
    ("voices", "turn", "fresh"),
    [
        pytest.param([said("tool:scale", 1)], Turn.OPEN, 1, id="one stray claim"),
        pytest.param([said("tool:scale", 1), said("person:ben@x.org", 2)], Turn.CHANGE, 2, id="two later origins"),
        pytest.param([said("tool:scale", 1), said("tool:scale", 2)], Turn.OPEN, 1, id="one origin twice"),
        pytest.param([said("tool:scale", -3), said("person:ben@x.org", 2)], Turn.OPEN, 1, id="one spoke before"),
        pytest.param([said("tool:scale", -3), said("person:ben@x.org", -1)], Turn.STRAY, 0, id="both spoke before"),
        pytest.param([said("tool:scale", 0), said("person:ben@x.org", 1)], Turn.OPEN, 1, id="at the very moment"),
        pytest.param([said("site:a.example", 1), said("site:b.example", 2)], Turn.OPEN, 0, id="pages never count"),
        pytest.param([said("", 1), said("tool:scale", 2)], Turn.OPEN, 1, id="nobody named"),
        pytest.param([], Turn.STRAY, 0, id="nobody"),
    ],
)
def test_what_the_evidence_makes_of_a_challenger(voices, turn, fresh):
    assert turn_of(voices, SUPPORTED, needed=2) is turn
    assert len(since(voices, SUPPORTED)) == fresh


def test_flip_flop_starts_the_count_anew_each_time():
    """A says 520, B 480, A again 520, B again 480, C 480: only what came after the last 520 counts."""
    b, again_b, c = said("tool:b", 1), said("tool:b", 3), said("tool:c", 4)
    assert turn_of([b], SUPPORTED, needed=2) is Turn.OPEN
    restated = SUPPORTED + timedelta(days=2)
    assert turn_of([b], restated, needed=2) is Turn.STRAY
    assert turn_of([again_b], restated, needed=2) is Turn.OPEN
    assert turn_of([again_b, c], restated, needed=2) is Turn.CHANGE


def test_copies_of_one_text_are_one_voice_by_its_last_word():
    voices = [said("tool:a", 1, "e1"), said("person:ben@x.org", 2, "e2"), said("tool:c", 3, "e3")]
    kept = one_voice_each(voices, [COPY, COPY + " Yes.", "480 kg"])
    assert kept == [voices[1], voices[2]]
    assert turn_of(kept[:1], SUPPORTED, needed=2) is Turn.OPEN


@given(st.lists(st.tuples(st.sampled_from(["tool:a", "tool:b", "site:a", ""]), st.floats(-5, 5)), max_size=6))
def test_more_support_of_the_incumbent_never_helps_the_challenger(told):
    voices = [said(origin, days) for origin, days in told]
    later = SUPPORTED + timedelta(days=1)
    assert set(since(voices, later)) <= set(since(voices, SUPPORTED))


@pytest.mark.parametrize(
    ("days", "wins"), [((1, 2), True), ((-1, 2), False), ((-2, -1), False)], ids=["both later", "one", "none"]
)
def test_the_policy_sustained_counts_on_the_time_line(days, wins):
    held = incumbent("520 kg", 0.6, stated_at=SUPPORTED)
    mine = candidate(attribute="total_weight", value="480 kg", number=5)
    mine = replace(mine, provenance=replace(mine.provenance, observed_at=SUPPORTED + timedelta(days=max(days[1], 3))))
    known = evidence(
        0.6,
        incumbents=(held,),
        supporters=("tool:a", "tool:b"),
        supported_at=tuple(SUPPORTED + timedelta(days=one) for one in days),
    )
    found = contest(mine, known, rules=replace(POLICY.conflict, policy="sustained"), at=NOW)
    assert found.wins is wins
    assert bool(found.replaced) is wins
