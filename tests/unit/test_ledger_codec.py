"""Every noun survives the way through JSON, whatever it holds."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import BadInput, Misconfigured
from core.ledger.codec import from_json, to_json
from core.model import (
    Decision,
    Effect,
    Episode,
    Evidence,
    GateStep,
    Memory,
    Proposal,
    Provenance,
    Root,
    Run,
    Scope,
    Span,
)

texts = st.text(max_size=20)
times = st.datetimes(
    min_value=datetime(1900, 1, 1),  # noqa: DTZ001 - the strategy adds the zone
    max_value=datetime(2200, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=45)), timezone(-timedelta(hours=11))]),
)
units = st.floats(0, 1)
names = st.text(min_size=1, max_size=10)
scopes = st.builds(Scope, tenant=names, owner=names, agent=names)
spans = st.tuples(st.integers(0, 1000), st.integers(1, 1000)).map(lambda at: Span(start=at[0], end=at[0] + at[1]))
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)

st.register_type_strategy(datetime, times)
st.register_type_strategy(float, units)
st.register_type_strategy(str, texts)
st.register_type_strategy(Scope, scopes)
st.register_type_strategy(Span, spans)


def built(kind: type) -> st.SearchStrategy[Any]:
    return st.from_type(kind)


runs = st.builds(Run, detail=st.dictionaries(texts, plain, max_size=3))
slow = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.parametrize("kind", [Proposal, Provenance, Episode, Evidence, Memory, Effect, Decision])
def test_every_noun_survives(kind):
    @slow
    @given(value=built(kind))
    def survives(value):
        assert from_json(kind, to_json(value)) == value

    survives()


@slow
@given(value=runs)
def test_free_form_detail_survives(value):
    assert from_json(Run, to_json(value)) == value


@slow
@given(value=st.lists(built(GateStep), max_size=3).map(tuple))
def test_tuples_survive(value):
    assert from_json(tuple[GateStep, ...], to_json(value)) == value


def test_the_stored_form():
    root = Root(episode_id="e1", source_kind="web_content", source_ref="ä", trust=1)
    text = to_json((root,))
    assert text == '[{"episode_id":"e1","source_kind":"web_content","source_ref":"ä","trust":1}]'
    (back,) = from_json(tuple[Root, ...], text)
    assert type(back.trust) is float


def test_a_field_that_an_older_version_did_not_write_takes_its_default():
    text = json.loads(to_json(Evidence(effective_trust=0.5, roots=(), gaps=("judge",))))
    del text["declined_before"]
    assert from_json(Evidence, json.dumps(text)) == Evidence(effective_trust=0.5, roots=(), gaps=("judge",))


@pytest.mark.parametrize(
    "text",
    [
        '{"start":0,"end":1,"unknown":2}',
        '{"start":0}',
        '{"start":true,"end":2}',
        '{"start":"0","end":2}',
        '{"start":2,"end":1}',
        "[1, 2]",
        "not json",
    ],
)
def test_what_does_not_fit_is_refused(text):
    with pytest.raises(Misconfigured):
        from_json(Span, text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1: 2}, b"bytes"])
def test_what_json_cannot_carry_is_refused(value):
    with pytest.raises(BadInput):
        to_json({"value": value})


@dataclass(frozen=True)
class Odd:
    either: int | str


@dataclass(frozen=True)
class Pair:
    pair: tuple[str, float]


@dataclass(frozen=True)
class Listing:
    items: list[int]


@pytest.mark.parametrize("kind", [Odd, Listing])
def test_a_type_that_the_codec_was_not_taught_is_refused(kind):
    with pytest.raises(Misconfigured, match="codec"):
        from_json(kind, "{}")


def test_a_tuple_of_one_each_keeps_its_types_and_its_length():
    given = Pair(pair=("a", 0.5))
    assert from_json(Pair, to_json(given)) == given
    for text in ('{"pair":["a"]}', '{"pair":["a",0.5,1]}', '{"pair":[1,0.5]}'):
        with pytest.raises(Misconfigured, match="Pair"):
            from_json(Pair, text)


@pytest.mark.parametrize("trust", ["true", '"1"', "null"])
def test_a_number_is_not_something_like_it(trust):
    text = f'{{"effective_trust":{trust},"roots":[]}}'
    with pytest.raises(Misconfigured, match="Evidence"):
        from_json(Evidence, text)
