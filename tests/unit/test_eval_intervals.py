"""Exact binomial intervals, against values from published tables and their own symmetry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.intervals import interval


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0), (0, 0, 0.0, 1.0)],
)
def test_published_values(count: int, n: int, low: float, high: float) -> None:
    assert interval(count, n) == pytest.approx((low, high), abs=5e-5)


def test_none_of_many_is_the_closed_form() -> None:
    assert interval(0, 687)[1] == pytest.approx(1 - 0.025 ** (1 / 687), abs=1e-9)


def test_thousands_do_not_overflow() -> None:
    low, high = interval(822, 1440)
    assert low < 822 / 1440 < high
    assert high - low == pytest.approx(0.052, abs=0.002)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_other_outcome_has_the_mirrored_interval(of: tuple[int, int]) -> None:
    count, n = of
    low, high = interval(count, n)
    assert interval(n - count, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert low <= count / n <= high
