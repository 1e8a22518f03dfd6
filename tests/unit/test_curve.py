"""The curve of one memory: the solved date agrees with the formula, and the past is what the effects made of it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.curve import confirmed, fades_at, future, past, recalled, replay
from core.decay import eta_days, freshness, strength
from core.model import Effect, EffectKind, MemoryKind
from tests.factories import NOW, POLICY, SCOPE, memory

RULES = POLICY.decay
THETA = RULES.archive_below
fading_kinds = st.sampled_from(sorted(set(MemoryKind) - {MemoryKind.PINNED}))


def effect(kind, days=0.0, **rest):
    at = NOW + timedelta(days=days)
    return Effect(effect_id=f"{kind}:{days}", kind=kind, scope=SCOPE, memory_id="m1", at=at, **rest)


@given(
    kind=fading_kinds,
    importance=st.floats(THETA, 1.0),
    access=st.integers(0, 30),
    origins=st.integers(1, 4),
    half_life=st.none() | st.floats(0.1, 2000.0),
    shape=st.none() | st.floats(0.4, 3.0),
)
def test_the_date_solved_for_is_where_the_formula_meets_the_limit(kind, importance, access, origins, half_life, shape):
    held = memory(
        kind=kind,
        attribute="home",
        importance=importance,
        access_count=access,
        origins=origins,
        half_life_days=half_life,
        shape=shape,
    )
    at = fades_at(held, RULES)
    assume(at is not None)  # past the year 9999
    assert strength(held, at, RULES) == pytest.approx(THETA, abs=1e-6)
    assert freshness(held, at, RULES) == pytest.approx(THETA / importance, abs=1e-6)
    later = at + timedelta(days=max(1e-3, (at - held.stated_at).total_seconds() / 86_400 * 1e-3))
    assert strength(held, later, RULES) < THETA + 1e-9


def test_by_hand():
    # .8 · exp(-(t/288.8)^.8) = .15 : t = 288.8 · ln(5.333)^1.25 = 549.9 days
    held = memory(attribute="home", importance=0.8)
    days = (fades_at(held, RULES) - NOW).total_seconds() / 86_400
    assert days == pytest.approx(288.8 * math.log(0.8 / 0.15) ** 1.25)
    assert days == pytest.approx(549.9, abs=0.1)


@pytest.mark.parametrize(
    "held",
    [
        memory(attribute="allergy"),
        memory(attribute="home", pinned=True),
        memory(attribute="home", kind=MemoryKind.PINNED),
        memory(attribute="home", half_life_days=1e9),
    ],
)
def test_what_never_fades_has_no_date(held):
    assert fades_at(held, RULES) is None


def test_what_was_too_weak_from_the_start_is_below_at_once():
    held = memory(attribute="allergy", importance=0.1)  # durable: a faded importance does not come back by itself
    assert fades_at(held, RULES) == held.stated_at


@given(access=st.integers(0, 20), days=st.floats(0, 400))
def test_a_recall_never_hastens_and_a_confirmation_counts_from_its_day(access, days):
    held = memory(attribute="home", importance=0.8, access_count=access)
    at = NOW + timedelta(days=days)
    assert fades_at(recalled(held), RULES) >= fades_at(held, RULES)
    again = confirmed(held, at)
    assert (again.stated_at, freshness(again, at, RULES)) == (at, 1.0)
    assert fades_at(again, RULES) - at == pytest.approx(fades_at(held, RULES) - NOW, abs=timedelta(milliseconds=1))


def test_a_recall_beyond_the_cap_changes_nothing():
    held = memory(attribute="home", importance=0.8, access_count=8)  # 1 + .5 · 8 = 5, the cap
    assert eta_days(recalled(held, 5), RULES) == eta_days(held, RULES)


# --- the past -----------------------------------------------------------------------------------------------------


def test_the_past_is_replayed_change_by_change():
    begun = memory(attribute="home", importance=0.8, support=("person:ada",))
    moments = replay(
        [
            effect(EffectKind.ACTIVATE, memory=begun),
            effect(EffectKind.LINK, 0.0, by_memory_id="m2", weight=0.3),
            effect(EffectKind.REINFORCE, 10),
            effect(EffectKind.CONFIRM, 20, origin="person:ada"),
            effect(EffectKind.CONFIRM, 30, origin="domain:x.example"),
            effect(EffectKind.ARCHIVE, 40),
            effect(EffectKind.CONFIRM, 50),
            effect(EffectKind.PIN, 55),
            effect(EffectKind.UNPIN, 56),
            effect(EffectKind.TOMBSTONE, 60),
            effect(EffectKind.SUPERSEDE, 61, by_memory_id="m9"),
            effect(EffectKind.RESTORE, 62),
            effect(EffectKind.SUPERSEDE, 70, by_memory_id="m9"),
        ]
    )
    seen = [
        (one.memory.access_count, one.memory.origins, (one.memory.stated_at - NOW).days, one.memory.status.value)
        for one in moments
    ]
    assert seen == [
        (0, 1, 0, "active"),
        (1, 1, 0, "active"),
        (1, 1, 20, "active"),
        (1, 2, 30, "active"),
        (1, 2, 30, "archived"),
        (1, 2, 50, "active"),
        (1, 2, 50, "active"),
        (1, 2, 50, "active"),
        (1, 2, 50, "deleted"),
        (1, 2, 50, "deleted"),
        (1, 2, 50, "active"),
        (1, 2, 50, "superseded"),
    ]
    assert [one.memory.pinned for one in moments[6:8]] == [True, False]
    assert moments[-1].memory.superseded_by == "m9"


def test_a_statement_that_is_taken_back_takes_its_origin_and_its_age_with_it():
    begun = memory(attribute="home", support=("person:ada",))
    moments = replay(
        [
            effect(EffectKind.ACTIVATE, memory=begun),
            effect(EffectKind.CONFIRM, 3, origin="domain:x.example"),
            effect(EffectKind.UNCONFIRM, 3, origin="domain:x.example", until=NOW),
            effect(EffectKind.CONFIRM, 4),
            effect(EffectKind.UNCONFIRM, 5, until=NOW),  # stated again since
        ]
    )
    seen = [(one.memory.support, one.memory.origins, (one.memory.stated_at - NOW).days) for one in moments]
    assert seen == [
        (("person:ada",), 1, 0),
        (("person:ada", "domain:x.example"), 2, 3),
        (("person:ada",), 1, 0),
        (("person:ada",), 1, 4),
        (("person:ada",), 1, 4),
    ]
    assert {one.memory.status.value for one in moments} == {"active"}


def test_a_persons_confirmation_renews_the_age_and_goes_again_when_it_is_taken_back():
    begun = memory(attribute="home")
    moments = replay(
        [
            effect(EffectKind.ACTIVATE, memory=begun),
            effect(EffectKind.ARCHIVE, 1),
            effect(EffectKind.ATTEST, 2, by="ada"),
            effect(EffectKind.UNATTEST, 3, by="ben"),
            effect(EffectKind.UNATTEST, 4, by="ada", until=NOW),
            effect(EffectKind.ATTEST, 5, by="ada"),
            effect(EffectKind.CONFIRM, 6),
            effect(EffectKind.UNATTEST, 7, until=NOW),
        ]
    )
    seen = [(one.memory.confirmed_by, (one.memory.stated_at - NOW).days, one.memory.status.value) for one in moments]
    assert seen == [
        (None, 0, "active"),
        (None, 0, "archived"),
        ("ada", 2, "active"),
        ("ada", 2, "active"),
        (None, 0, "active"),
        ("ada", 5, "active"),
        ("ada", 6, "active"),
        (None, 6, "active"),
    ]


def test_a_removal_ends_and_a_new_activation_begins():
    begun = memory(attribute="home")
    again = replace(begun, importance=0.5)
    moments = replay(
        [
            effect(EffectKind.REINFORCE, 0),  # before its beginning is known
            effect(EffectKind.ACTIVATE, 1, memory=begun),
            effect(EffectKind.REMOVE, 2),
            effect(EffectKind.ACTIVATE, 3, memory=again),
        ]
    )
    assert [one.memory.importance for one in moments] == [0.5]
    assert replay([]) == ()


def test_the_past_curve_steps_up_at_a_recall_and_breaks_where_it_was_out_of_use():
    begun = memory(attribute="home", importance=0.8)
    moments = replay(
        [
            effect(EffectKind.ACTIVATE, memory=begun),
            effect(EffectKind.REINFORCE, 100),
            effect(EffectKind.ARCHIVE, 200),
            effect(EffectKind.CONFIRM, 300),
        ]
    )
    drawn = past(moments, NOW + timedelta(days=400), RULES, points=80)
    times = [one.at for one in drawn]
    assert times == sorted(times)
    before, after = (one.strength for one in drawn if one.at == NOW + timedelta(days=100))
    assert after > before
    gap = [one.at for one in drawn if one.strength is None]
    assert gap == [NOW + timedelta(days=200)]
    assert next(one for one in drawn if one.at == NOW + timedelta(days=300)).strength == pytest.approx(0.8)
    assert drawn[-1].strength == pytest.approx(strength(moments[-1].memory, NOW + timedelta(days=400), RULES))


def test_a_clock_that_was_set_back_draws_nothing_backwards():
    moments = replay([effect(EffectKind.ACTIVATE, 5, memory=memory(attribute="home")), effect(EffectKind.REINFORCE, 1)])
    drawn = past(moments, NOW + timedelta(days=9), RULES)
    assert drawn[-1].at == NOW + timedelta(days=9)


@given(points=st.integers(2, 50), days=st.floats(0, 3000))
def test_the_future_ends_where_it_is_asked_to(points, days):
    held = memory(attribute="home", importance=0.8)
    drawn = future(held, NOW, NOW + timedelta(days=days), RULES, points=points)
    assert len(drawn) == points
    assert (drawn[0].at, drawn[-1].at) == (NOW, NOW + timedelta(days=days))
    values = [one.strength for one in drawn]
    assert values == sorted(values, reverse=True)
