"""The gate, step by step (rules §1.1–1.3, §1.9, §1.11, §1.12, §2.7, §3.1a)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Misconfigured
from core.model import Decision, EffectKind, Finding, MemoryKind, Root, SourceKind, SpeechAct, Verdict
from core.policy import Policy, composite_trust, decide, ranking_trust
from tests.factories import NOW, POLICY, candidate, evidence, incumbent, memory

SEVERITY = {Verdict.ADMIT: 0, Verdict.HOLD: 1, Verdict.REJECT: 2}


def rule(cand=None, found=None) -> Decision:
    return decide(cand or candidate(), found or evidence(), POLICY, at=NOW, by="policy", decision_id="d1")


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (SourceKind.USER_TURN, Verdict.ADMIT),
        (SourceKind.TOOL_OUTPUT, Verdict.ADMIT),
        (SourceKind.THIRD_PARTY, Verdict.ADMIT),
        (SourceKind.EXTERNAL_DOC, Verdict.HOLD),
        (SourceKind.WEB_CONTENT, Verdict.HOLD),
    ],
)
def test_the_threshold_divides_the_source_kinds(kind, verdict):
    decision = rule(candidate(kind), evidence(POLICY.trust.base(kind), kind))
    assert decision.verdict is verdict
    assert bool(decision.effects) is (verdict is Verdict.ADMIT)
    if verdict is Verdict.HOLD:
        assert decision.reasons == ("low_trust",)


def test_a_gap_holds_even_the_owners_words():
    assert rule(found=evidence(gaps=("judge",))).reasons == ("gap",)


@pytest.mark.parametrize("act", [SpeechAct.QUESTION, SpeechAct.HYPOTHETICAL, SpeechAct.FICTION, SpeechAct.SOCIAL])
def test_what_asserts_nothing_is_rejected(act):
    decision = rule(candidate(speech_act=act))
    assert decision.verdict is Verdict.REJECT
    assert decision.reasons == ("not_an_assertion",)


def test_a_directive_is_the_owners_alone():
    own = candidate()
    own = replace(own, proposal=replace(own.proposal, speech_act=SpeechAct.DIRECTIVE, kind=MemoryKind.PREFERENCE))
    assert rule(own).verdict is Verdict.ADMIT
    as_fact = replace(own, proposal=replace(own.proposal, kind=MemoryKind.FACT))
    assert rule(as_fact).reasons == ("directive",)
    third = candidate(SourceKind.THIRD_PARTY)
    third = replace(third, proposal=own.proposal)
    decision = rule(third, evidence(0.55, SourceKind.THIRD_PARTY))
    assert decision.verdict is Verdict.HOLD
    assert decision.reasons == ("directive",)


def test_an_agent_cannot_vouch_for_itself():
    agent = candidate(SourceKind.AGENT_TURN)
    assert rule(agent, evidence(0.7, SourceKind.AGENT_TURN)).reasons == ("no_root",)
    roots = (
        Root(episode_id="e1", source_kind=SourceKind.AGENT_TURN, source_ref="", trust=0.7),
        Root(episode_id="e0", source_kind=SourceKind.USER_TURN, source_ref="", trust=1.0),
    )
    assert rule(agent, evidence(0.7, SourceKind.AGENT_TURN, roots=roots)).verdict is Verdict.ADMIT


def test_trivial_is_not_kept():
    decision = rule(candidate(importance=0.1))
    assert decision.verdict is Verdict.REJECT
    assert decision.reasons == ("trivial",)


def test_another_value_supersedes_with_its_echoes():
    found = evidence(incumbents=(incumbent("30 April", echoes=("ev0",)),))
    decision = rule(candidate(attribute="date", value="12 March"), found)
    assert [(one.kind, one.memory_id) for one in decision.effects] == [
        (EffectKind.ACTIVATE, "k1"),
        (EffectKind.SUPERSEDE, "m0"),
        (EffectKind.SUPERSEDE, "ev0"),
    ]
    assert decision.effects[1].by_memory_id == "k1"


def test_a_newcomer_of_lower_trust_opens_a_conflict():
    found = evidence(0.6, SourceKind.TOOL_OUTPUT, incumbents=(incumbent("12 March", 1.0),))
    decision = rule(candidate(SourceKind.TOOL_OUTPUT, attribute="date", value="30 April"), found)
    assert decision.verdict is Verdict.HOLD
    assert decision.reasons == ("conflict",)
    assert decision.effects == ()


def test_the_same_value_confirms_and_adds_no_copy():
    decision = rule(found=evidence(incumbents=(incumbent("penicillin", same_value=True),)))
    assert [one.kind for one in decision.effects] == [EffectKind.CONFIRM]


def test_a_multi_valued_slot_adds():
    found = evidence(incumbents=(incumbent("French", multi_valued=True),))
    assert [one.kind for one in rule(candidate(), found).effects] == [EffectKind.ACTIVATE]


def test_a_retraction_closes_the_value_it_names():
    olives = incumbent("olives", memory_id="m1", multi_valued=True, same_value=True, echoes=("ev1",))
    figs = incumbent("figs", memory_id="m2", multi_valued=True)
    gone = candidate(attribute="likes", value="olives", retracts=True)
    effects = rule(gone, evidence(incumbents=(olives, figs))).effects
    assert [(one.kind, one.memory_id) for one in effects] == [(EffectKind.RETRACT, "m1"), (EffectKind.RETRACT, "ev1")]
    nothing = rule(gone, evidence(incumbents=(figs,)))
    assert nothing.reasons == ("nothing_to_retract",)


def test_a_retraction_from_outside_is_held():
    decision = rule(
        candidate(SourceKind.THIRD_PARTY, attribute="diet", value="", retracts=True),
        evidence(0.55, SourceKind.THIRD_PARTY, incumbents=(incumbent("vegan"),)),
    )
    assert decision.verdict is Verdict.HOLD
    assert "directive" in decision.reasons


def test_declined_words_do_not_come_back():
    found = evidence(0.3, SourceKind.WEB_CONTENT, declined_before=True)
    decision = rule(candidate(SourceKind.WEB_CONTENT), found)
    assert decision.verdict is Verdict.REJECT
    assert decision.reasons[0] == "declined_before"


@given(
    trust=st.floats(0, 1),
    lower=st.floats(0, 1),
    act=st.sampled_from(SpeechAct),
    kind=st.sampled_from(SourceKind),
    importance=st.floats(0, 1),
    declined=st.booleans(),
)
def test_worse_evidence_never_softens_a_verdict(trust, lower, act, kind, importance, declined):
    cand = candidate(kind, speech_act=act, importance=importance)
    roots = evidence(trust, kind).roots
    base = rule(cand, evidence(trust, kind, roots=roots, declined_before=declined))
    worse = (
        evidence(trust, kind, roots=roots, declined_before=declined, gaps=("judge",)),
        evidence(min(trust, lower), kind, roots=roots, declined_before=declined),
        evidence(trust, kind, roots=roots, declined_before=True),
        evidence(
            trust,
            kind,
            roots=roots,
            declined_before=declined,
            findings=(Finding(detector="forged_tag", severity=1.0, note="x"),),
        ),
    )
    for found in worse:
        assert SEVERITY[rule(cand, found).verdict] >= SEVERITY[base.verdict]


def test_recorded_evidence_replays_to_the_same_decision():
    found = evidence(0.3, SourceKind.WEB_CONTENT)
    assert rule(candidate(SourceKind.WEB_CONTENT), found) == rule(candidate(SourceKind.WEB_CONTENT), found)


def test_the_vouch_level_counts_but_the_origin_stays():
    promoted = memory(effective_trust=0.3, source_kind=SourceKind.WEB_CONTENT, vouched_by="rita")
    assert ranking_trust(promoted, POLICY) == POLICY.trust.vouch_level
    assert promoted.effective_trust == 0.3


@given(origins=st.integers(1, 50), access=st.integers(0, 50), fresh=st.floats(0, 1), trust=st.floats(0, 1))
def test_copies_alone_never_lift_a_memory_far(origins, access, fresh, trust):
    held = memory(origins=origins, access_count=access, effective_trust=trust, source_kind=SourceKind.WEB_CONTENT)
    lifted = composite_trust(held, fresh, POLICY)
    assert 0.0 <= lifted <= 1.0
    assert lifted <= max(trust, POLICY.trust.web_content + POLICY.composite.origins_cap) + 1e-9


def test_the_digest_names_the_content():
    other = replace(POLICY, trust=replace(POLICY.trust, threshold=0.6))
    assert POLICY.digest != other.digest
    assert len(POLICY.digest) == 64


@pytest.mark.parametrize(
    ("text", "told"),
    [("[trust", "not valid TOML"), ("[trust]\nthreshold = 0.5", "does not fit"), ("", "no section")],
)
def test_a_wrong_policy_file_is_refused_by_name(text, told):
    with pytest.raises(Misconfigured, match=told):
        Policy.from_toml(text)
