"""Confidence by its four terms, and what an agent may do with it (rules §5.1, §5.2)."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.confidence import NOTHING, Because, advise, competes, confidence_of, current, most_cautious, reason, within
from core.errors import Misconfigured
from core.model import Advice, MemoryKind, MemoryStatus, SourceKind
from core.policy import WEIGHTS, Policy
from tests.factories import NOW, POLICY, memory

DAY = timedelta(days=1)
USER, TOOL, THIRD = SourceKind.USER_TURN, SourceKind.TOOL_OUTPUT, SourceKind.THIRD_PARTY
BASE = {kind: POLICY.trust.base(kind) for kind in SourceKind}


def of(channel=USER, *, days=0.0, **rest):
    """A home, stated so many days ago through this channel."""
    given = {"attribute": "home", "value": "Porto", "effective_trust": BASE[channel]} | rest
    return memory("You live in Porto.", source_kind=channel, stated_at=NOW - DAY * days, **given)


def confirmed(one, by="ada"):
    return replace(one, confirmed_by=by, confirmed_at=NOW)


def sure(one):
    return confidence_of(one, NOW, POLICY)


# --- the worked values of rules §5.1 --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "value", "advice"),
    [
        (of(), 0.733, Advice.ANSWER),
        (confirmed(of()), 1.0, Advice.ACT),
        (of(TOOL), 0.553, Advice.ANSWER),
        (of(THIRD, origins=3), 0.830, Advice.ANSWER),  # enough to act, but neither trusted so far nor confirmed
    ],
)
def test_the_worked_values(one, value, advice):
    assert sure(one).value == value
    assert advise(one, (), NOW, POLICY).advice is advice


def test_every_term_names_its_weight_its_value_and_its_product():
    found = sure(of(TOOL, origins=2, days=10))
    assert [(one.name, one.weight, one.value, one.product) for one in found.terms] == [
        ("corroboration", 0.40, 0.667, 0.267),
        ("recency", 0.30, 0.972, 0.292),
        ("verification", 0.20, 0.65, 0.130),
        ("user_confirmation", 0.10, 0.0, 0.0),
    ]
    assert found.value == 0.689
    assert (found.origins, found.origins_needed, found.age_days, found.eta_days) == (2, 3, 10.0, 866.3)


def test_use_makes_nothing_surer_though_it_makes_it_fade_slower():
    read, unread = of(days=100, access_count=8), of(days=100)
    assert sure(read).terms[1] == sure(unread).terms[1]
    assert sure(read).eta_days == 288.8


def test_what_never_fades_is_as_recent_as_on_its_first_day():
    found = sure(memory(attribute="allergy", stated_at=NOW - 4000 * DAY))
    assert (found.eta_days, found.terms[1].value) == (None, 1.0)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (of(), "stated"),
        (of(TOOL), ""),
        (of(THIRD), ""),
        (of(SourceKind.WEB_CONTENT, vouched_by="rita", vouched_at=NOW), "vouched"),
        (confirmed(of(TOOL)), "confirmed"),
    ],
)
def test_a_person_stated_confirmed_or_vouched_for_it(one, why):
    found = sure(one)
    assert found.by_person == why
    assert found.terms[3].value == (1.0 if why else 0.0)


def test_a_memory_is_always_its_own_origin():
    assert sure(of(origins=0)).origins == 1


# --- a person recomputes it -----------------------------------------------------------------------------------------

MEMORIES = st.builds(
    of,
    st.sampled_from(list(SourceKind)),
    days=st.floats(0, 4000),
    origins=st.integers(0, 9),
    access_count=st.integers(0, 12),
    effective_trust=st.floats(0, 1),
    vouched_by=st.sampled_from([None, "rita"]),
    confirmed_by=st.sampled_from([None, "ada"]),
    half_life_days=st.one_of(st.none(), st.floats(0.5, 4000)),
    attribute=st.sampled_from(["home", "allergy", "likes"]),
    kind=st.sampled_from(list(MemoryKind)),
)


@st.composite
def policies(draw):
    """Weights of three decimals whose sum is 1."""
    cuts = sorted(draw(st.lists(st.integers(0, 1000), min_size=3, max_size=3)))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 1000], strict=True)]
    weights = {name: part / 1000 for name, part in zip(WEIGHTS, parts, strict=True)}
    return replace(POLICY, confidence=replace(POLICY.confidence, **weights))


@given(MEMORIES, policies())
def test_what_is_shown_adds_up_by_hand(one, policy):
    """Weight × value, rounded to three digits as at school, and the four added: from the digits on the screen alone."""
    found = confidence_of(one, NOW, policy)
    total = Decimal(0)
    for term in found.terms:
        weight, value = Decimal(f"{term.weight:.3f}"), Decimal(f"{term.value:.3f}")
        product = (weight * value).quantize(Decimal("0.001"), ROUND_HALF_UP)
        assert f"{term.product:.3f}" == f"{product:.3f}"
        total += product
    assert f"{found.value:.3f}" == f"{total:.3f}"
    assert found.value == float(f"{found.value:.3f}")  # what is compared with the limits is what is shown
    assert 0.0 <= found.value <= 1.0


@given(MEMORIES)
def test_each_terms_inputs_give_its_value(one):
    found = sure(one)
    corroboration, recency, verification, person = (term.value for term in found.terms)
    assert corroboration == pytest.approx(
        1.0 if found.confirmed_by else min(1.0, found.origins / found.origins_needed), abs=0.0005001
    )
    fresh = 1.0 if found.eta_days is None else math.exp(-((found.age_days / found.eta_days) ** found.shape))
    assert recency == pytest.approx(fresh, abs=0.0005001)
    assert verification == pytest.approx(found.composite_trust, abs=0.0005001)
    assert person == bool(found.by_person)


@given(MEMORIES, st.floats(0, 400))
def test_time_alone_never_makes_it_surer(one, days):
    later = confidence_of(one, NOW + DAY * days, POLICY)
    assert later.value <= sure(one).value


# --- what it may do (rules §5.2) ------------------------------------------------------------------------------------


def counsel(one, *others):
    found = advise(one, others, NOW, POLICY)
    return found.advice, found.because


def test_it_acts_on_what_is_trusted_or_confirmed_and_on_nothing_else():
    assert counsel(confirmed(of(TOOL))) == (Advice.ACT, Because.CONFIRMED)
    assert counsel(of(origins=2)) == (Advice.ACT, Because.TRUSTED)
    assert counsel(of(TOOL, origins=4)) == (Advice.ANSWER, Because.UNCONFIRMED)
    vouched = of(SourceKind.WEB_CONTENT, origins=3, vouched_by="rita", vouched_at=NOW)
    assert counsel(vouched) == (Advice.ANSWER, Because.UNCONFIRMED)


def test_it_asks_where_it_is_not_sure():
    assert counsel(of(THIRD, days=400)) == (Advice.ASK, Because.UNSURE)
    assert counsel(of(THIRD, days=1)) == (Advice.ANSWER, Because.SURE)


@pytest.mark.parametrize(("limit", "value"), [("act_from", 0.866), ("answer_from", 0.553)])
def test_a_limit_is_reached_at_the_figure_that_is_shown(limit, value):
    one = of(origins=2) if limit == "act_from" else of(TOOL)
    shown = sure(one).value
    policy = replace(POLICY, confidence=replace(POLICY.confidence, **{limit: shown}))
    above = replace(POLICY, confidence=replace(POLICY.confidence, **{limit: round(shown + 0.001, 3)}))
    assert shown == pytest.approx(value, abs=0.002)
    assert advise(one, (), NOW, policy).advice is not advise(one, (), NOW, above).advice


def test_two_current_values_about_as_sure_are_a_question_whatever_their_confidence():
    here = of(memory_id="here", origins=3)
    there = of(memory_id="there", value="Braga", origins=3)
    found = advise(here, [here, there], NOW, POLICY)
    assert (found.advice, found.because) == (Advice.ASK, Because.COMPETING)
    assert [one.memory.memory_id for one in found.rivals] == ["there"]
    assert found.confidence == sure(here)


@pytest.mark.parametrize(
    "other",
    [
        of(TOOL, memory_id="other", value="Braga"),  # .733 against .553: .180 apart
        of(memory_id="other", value="Porto"),
        of(memory_id="other", value="Braga", status=MemoryStatus.SUPERSEDED),
        of(memory_id="other", value="Braga", status=MemoryStatus.ARCHIVED),
        of(memory_id="other", value="Braga", valid_at=NOW + DAY),
        of(memory_id="other", value="Braga", invalid_at=NOW),
        of(memory_id="other", value="Braga", expires_at=NOW),
        of(memory_id="other", value="Braga", kind=MemoryKind.EVENT),
        of(memory_id="other", value="Braga", attribute="work"),
        of(memory_id="other", value="Braga", vouched_by="ada", vouched_at=NOW),  # "both are true", said a person
    ],
)
def test_what_does_not_compete(other):
    assert counsel(of(), other) == (Advice.ANSWER, Because.SURE)


def test_a_distance_that_is_shown_as_the_limit_still_competes():
    apart = round(sure(of()).value - sure(of(TOOL)).value, 3)
    policy = replace(POLICY, confidence=replace(POLICY.confidence, competing_within=apart))
    other = of(TOOL, memory_id="other", value="Braga")
    assert advise(of(), [other], NOW, policy).because is Because.COMPETING
    assert within(sure(of()), sure(other), apart)
    assert not within(sure(of()), sure(other), round(apart - 0.001, 3))


def test_several_values_at_a_time_compete_with_none():
    tea, milk = of(attribute="likes", value="tea"), of(memory_id="m2", attribute="likes", value="milk")
    assert not competes(milk, tea, NOW)


def test_the_surest_rival_is_named_first():
    others = [of(TOOL, memory_id=name, value=name, origins=n) for n, name in enumerate(("a", "b"), start=1)]
    found = advise(of(days=60), others, NOW, POLICY)
    assert [one.memory.memory_id for one in found.rivals] == ["b", "a"]


@given(MEMORIES, MEMORIES)
def test_competing_is_mutual(one, other):
    other = replace(other, memory_id="m2", value="Braga")
    assert competes(one, other, NOW) == competes(other, one, NOW)
    assert not competes(one, one, NOW)
    assert current(one, NOW)


def test_an_answer_is_as_cautious_as_its_least_sure_memory():
    act, answer, ask = (advise(one, (), NOW, POLICY) for one in (confirmed(of()), of(), of(THIRD, days=400)))
    assert most_cautious([act, ask, answer]) is ask
    assert most_cautious([act, answer, answer]) is answer
    assert most_cautious([]) is NOTHING


def test_the_reason_names_what_competes_and_every_because_has_its_own():
    here, there = of(memory_id="here"), replace(of(memory_id="there", value="Braga"), text="You live in Braga.")
    said = reason(advise(here, [there], NOW, POLICY))
    assert said == (
        "Current values compete: “You live in Porto.” (user turn, 2026-03-02, confidence 0.733) and "
        "“You live in Braga.” (user turn, 2026-03-02, confidence 0.733). Ask which of them is right."
    )
    plain = advise(here, (), NOW, POLICY)
    assert len({reason(replace(plain, because=one)) for one in Because}) == len(Because)
    assert "0.733" in reason(plain)


# --- its numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recency": 0.31}, "whose sum is 1"),
        ({"recency": 0.2995, "verification": 0.2005}, "at most 3 decimals"),
        ({"answer_from": 0.9}, "to act needs more"),
        ({"act_trust": 1.5}, "confidence.act_trust"),
        ({"origins_needed": 0}, "confidence.origins_needed"),
    ],
)
def test_numbers_that_no_person_could_recompute_are_refused(change, message):
    with pytest.raises(Misconfigured, match=message):
        replace(POLICY, confidence=replace(POLICY.confidence, **change))


@pytest.mark.parametrize("section", ["confidence", "questions", "patterns"])
def test_a_policy_of_an_older_version_goes_on_with_the_default_numbers(section):
    sections = asdict(POLICY)
    del sections[section]
    assert Policy.from_sections(sections) == POLICY
