"""A policy as settings: named, changed, compared, refused by name; and parts with another policy in them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.amend import amended, body_of, differences, policy_of, settings_of
from core.bounds import range_of
from core.errors import BadInput, Misconfigured
from core.gate import decide
from core.model import CandidateState, HeldItem, Root, SourceKind, Span, Standing, Verdict
from core.policy import Policy
from core.renewal import renewed
from core.replay import rederived, replay
from tests.factories import NOW, POLICY, candidate, evidence


def test_the_body_is_what_the_digest_names():
    assert hashlib.sha256(body_of(POLICY).encode()).hexdigest() == POLICY.digest
    assert policy_of(body_of(POLICY)) == POLICY


@given(st.floats(0, 1), st.integers(1, 100))
def test_a_change_changes_what_it_names_and_nothing_else(threshold, top_k):
    policy = amended(POLICY, {"trust.threshold": threshold, "recall.top_k": top_k})
    changed = differences(settings_of(POLICY), settings_of(policy))
    assert {one.key for one in changed} <= {"trust.threshold", "recall.top_k"}
    assert (policy.trust.threshold, policy.recall.top_k) == (threshold, top_k)
    assert amended(POLICY, {one.key: one.after for one in changed}).digest == policy.digest


def test_whole_numbers_are_taken_for_what_the_setting_is():
    assert amended(POLICY, {"lifecycle.purge_after_days": 30}).digest == POLICY.digest
    assert amended(POLICY, {"recall.top_k": 5.0}).digest == POLICY.digest


def test_an_entry_goes_into_a_table_and_out_of_it():
    policy = amended(POLICY, {"tools.registry.tide_table": "records", "decay.kinds.event": {"half_life_days": 3.0}})
    assert policy.tools.class_of("tide_table") == "records"
    assert policy.decay.kinds["event"] == {"half_life_days": 3.0}
    back = amended(policy, {"tools.registry.tide_table": None, "decay.kinds.event": None})
    assert back.digest == POLICY.digest
    assert POLICY.tools.class_of("tide_table") == "", "the policy that was changed stays as it is"


@pytest.mark.parametrize(
    "key", ["trust", "trust.gone", "gone.threshold", "tools.registry", "trust.threshold.x", "", "tools.registry. pump"]
)
def test_a_setting_that_does_not_exist_is_refused(key):
    with pytest.raises(BadInput):
        amended(POLICY, {key: "compute"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("trust.web_content", float("nan")),
        ("trust.web_content", True),
        ("trust.web_content", -0.1),
        ("review.fold_from", 1.5),
        ("decay.event_eta_days", 0.0),
        ("conflict.template_rule", "yes"),
        ("recall.ranker", "luck"),
    ],
)
def test_a_value_that_makes_no_sense_is_named_with_what_it_may_be(key, value):
    with pytest.raises(BadInput, match=key.replace(".", r"\.")):
        amended(POLICY, {key: value})


def test_a_file_is_refused_by_the_same_check():
    with pytest.raises(Misconfigured, match=r"trust\.threshold is 7"):
        replace(POLICY, trust=replace(POLICY.trust, threshold=7))


def test_every_number_of_the_file_stands_in_its_range():
    for key, value in settings_of(POLICY).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = range_of(key)
            assert low <= value <= high


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    policy: Policy | None = None
    other: object = None
    lock: object = None


Part.__module__ = "core.testing"


def test_parts_are_made_anew_only_where_a_policy_is_in_them():
    bare, lock = Part(lock=object()), object()
    inner = Part(policy=POLICY, lock=lock)
    outer = Part(other=Part(other=inner), lock=inner)
    changed = amended(POLICY, {"trust.threshold": 0.4})
    made = {}
    fresh = renewed(outer, changed, made)
    assert fresh.lock.policy is changed
    assert fresh.other.other is fresh.lock, "shared parts stay shared"
    assert fresh.lock.lock is lock
    assert renewed(bare, changed, made) is bare
    assert renewed(7, changed, made) == 7
    assert inner.policy is POLICY


def item(trust: float = 0.3, *, roots=None, **rest):
    kind = SourceKind.WEB_CONTENT
    root = Root(episode_id="e1", source_kind=kind, source_ref="https://a.example", trust=trust)
    found = evidence(trust, kind, roots=roots or (root,), **{"standing": Standing.FIRST_HAND} | rest)
    made = candidate(kind, text="The pier is green.", subject="pier", attribute="colour", value="green", importance=0.5)
    ruled = decide(made, found, POLICY, at=NOW, by="policy", decision_id="d1")
    span = Span(start=0, end=4)
    return HeldItem(
        candidate=made, state=CandidateState.HELD, decision=ruled, excerpt="The pier", excerpt_span=span, updated_at=NOW
    )


class TestReplayUnderAnotherTrust:
    """A changed base trust has to reach the recorded roots, or a dry run would show no effect of it."""

    def ruled_again(self, one, policy):
        return rederived(one.candidate, one.decision.evidence, policy)[1]

    def test_a_root_is_worth_what_its_channel_is_worth_now(self):
        found = self.ruled_again(item(), amended(POLICY, {"trust.web_content": 0.8}))
        assert (found.effective_trust, found.voice_trust, found.roots[0].trust) == (0.8, 0.8, 0.8)

    def test_the_weakest_root_decides_and_a_recalled_memory_keeps_its_own(self):
        roots = (
            Root(episode_id="e1", source_kind=SourceKind.AGENT_TURN, source_ref="c1", trust=0.7),
            Root(episode_id="memory:m1", source_kind=SourceKind.WEB_CONTENT, source_ref="https://a", trust=0.3),
            Root(episode_id="gone", source_kind=SourceKind.WEB_CONTENT, source_ref="", trust=0.0),
        )
        found = self.ruled_again(
            item(roots=roots), amended(POLICY, {"trust.web_content": 0.8, "trust.agent_turn": 0.6})
        )
        assert [root.trust for root in found.roots] == [0.6, 0.3, 0.0]
        assert found.effective_trust == 0.0

    def test_anothers_word_counts_as_a_third_partys_at_most(self):
        policy = amended(POLICY, {"trust.web_content": 0.8, "trust.third_party": 0.65})
        assert self.ruled_again(item(standing=Standing.ATTRIBUTED), policy).effective_trust == 0.65


def test_a_replay_counts_what_changes_side():
    policy = amended(POLICY, {"trust.threshold": 0.2})
    found = replay([item()], policy)
    assert (found.total, found.held_before, found.held_after) == (1, 1, 0)
    assert (found.admitted_before, found.admitted_after, found.groups_before, found.groups_after) == (0, 1, 1, 0)
    [one] = found.changed
    assert (one.before, one.after, one.reasons_before) == (Verdict.HOLD, Verdict.ADMIT, ("low_trust",))
    assert not replay([item()], POLICY).changed
