"""Freshness by the formula, computed by hand (rules §2.2–2.3)."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decay import age_days, freshness
from core.model import MemoryKind
from tests.factories import NOW, POLICY, memory

RULES = POLICY.decay


@pytest.mark.parametrize(
    ("kind", "attribute", "origins", "days", "expected"),
    [
        (MemoryKind.EVENT, "event", 1, 7.0, math.exp(-1)),
        (MemoryKind.FACT, "home", 1, 182.6, 0.5),
        (MemoryKind.FACT, "home", 2, 547.9, 0.5),
        (MemoryKind.LESSON, "lesson", 1, 547.9, 0.5),
        (MemoryKind.FACT, "allergy", 1, 10_000, 1.0),
        (MemoryKind.PINNED, "home", 1, 10_000, 1.0),
    ],
)
def test_half_lives(kind, attribute, origins, days, expected):
    held = memory(kind=kind, attribute=attribute, origins=origins)
    assert freshness(held, NOW + timedelta(days=days), RULES) == pytest.approx(expected, abs=0.002)


def test_access_slows_decay_up_to_a_cap():
    at = NOW + timedelta(days=365)
    values = [freshness(memory(attribute="home", access_count=count), at, RULES) for count in (0, 1, 8, 80)]
    assert values[0] < values[1] < values[2] == values[3]


def test_a_clock_behind_gives_age_zero():
    assert age_days(NOW, NOW - timedelta(hours=1)) == 0.0


@given(first=st.floats(0, 5000), more=st.floats(0, 5000), access=st.integers(0, 20))
def test_freshness_only_falls(first, more, access):
    held = memory(attribute="home", access_count=access)
    early = freshness(held, NOW + timedelta(days=first), RULES)
    late = freshness(held, NOW + timedelta(days=first + more), RULES)
    assert 0.0 <= late <= early <= 1.0
