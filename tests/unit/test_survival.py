"""The product-limit estimator against values computed by hand and against plain shares."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.survival import kaplan_meier, last_seen, median, share_at

# Remission times of 21 patients under 6-MP, in weeks (Freireich et al. 1963; Cox and Oakes 1984): the textbook case.
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
LEFT = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
REMISSION = [(one, True, 1) for one in ENDED] + [(one, False, 1) for one in LEFT]


def test_the_textbook_case():
    steps = kaplan_meier(REMISSION)
    assert [(one.at, one.at_risk, one.ended) for one in steps] == [
        (0.0, 21, 0),
        (6, 21, 3),
        (7, 17, 1),
        (10, 15, 1),
        (13, 12, 1),
        (16, 11, 1),
        (22, 7, 1),
        (23, 6, 1),
    ]
    printed = [1, 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448]
    assert [one.share for one in steps] == pytest.approx(printed, abs=0.0006)
    # Greenwood's standard error at 6 weeks is printed as .0764, and of the log-log interval .620 to .952
    assert (steps[1].low, steps[1].high) == pytest.approx((0.620, 0.952), abs=0.001)
    assert median(steps) == 23
    assert last_seen(REMISSION) == 35


def test_by_hand():
    steps = kaplan_meier([(2, True, 1), (3, False, 1), (5, True, 2), (5, False, 1), (9, False, 1)])
    # 6 at risk: 5/6; at 5 four are at risk and two end: 5/6 · 2/4
    assert [(one.at, one.at_risk, one.share) for one in steps[1:]] == [
        (2, 6, pytest.approx(5 / 6)),
        (5, 4, pytest.approx(5 / 12)),
    ]
    assert [share_at(steps, at) for at in (0, 1.9, 2, 4.9, 5, 100)] == pytest.approx(
        [1, 1, 5 / 6, 5 / 6, 5 / 12, 5 / 12]
    )


def test_all_gone_and_none_gone():
    gone = kaplan_meier([(1, True, 4)])
    assert (gone[-1].share, gone[-1].low, gone[-1].high) == (0.0, 0.0, 0.0)
    kept = kaplan_meier([(1, False, 4)])
    assert [(one.at, one.share) for one in kept] == [(0.0, 1.0)]
    assert median(kept) is None
    assert kaplan_meier([]) == ()
    assert share_at((), 3) is None


def test_what_ends_at_once_lowers_the_beginning():
    assert [(one.at, one.share) for one in kaplan_meier([(0, True, 1), (4, False, 3)])] == [(0, 0.75)]


@pytest.mark.parametrize("spell", [(-1, True, 1), (1, False, -1)])
def test_nonsense_is_refused(spell):
    with pytest.raises(ValueError, match="zero or more"):
        kaplan_meier([spell])


spells = st.lists(st.tuples(st.integers(0, 40), st.booleans(), st.integers(1, 5)), min_size=1, max_size=40)


@given(spells)
def test_it_only_falls_and_stays_within_its_interval(given_spells):
    steps = kaplan_meier(given_spells)
    shares = [one.share for one in steps]
    assert shares == sorted(shares, reverse=True)
    assert all(0 <= one.low <= one.share + 1e-12 <= one.high + 2e-12 <= 1 + 3e-12 for one in steps)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 5)), min_size=1, max_size=40), st.integers(0, 41))
def test_without_censoring_it_is_the_plain_share(ended, at):
    steps = kaplan_meier([(days, True, count) for days, count in ended])
    total = sum(count for _, count in ended)
    lasting = sum(count for days, count in ended if days > at)
    found = share_at(steps, at)
    assert found is not None
    assert math.isclose(found, lasting / total, abs_tol=1e-9)


@given(spells, st.randoms())
def test_the_order_and_the_grouping_of_the_rows_do_not_matter(given_spells, shuffler):
    single = [(days, ended, 1) for days, ended, count in given_spells for _ in range(count)]
    shuffler.shuffle(single)
    left, right = kaplan_meier(given_spells), kaplan_meier(single)
    assert [(one.at, one.at_risk, one.ended) for one in left] == [(one.at, one.at_risk, one.ended) for one in right]
    assert [one.share for one in left] == pytest.approx([one.share for one in right])
