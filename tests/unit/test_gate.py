"""The gate, step by step (rules §1, §2.7, §3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.gate import decide
from core.model import (
    Decision,
    EffectKind,
    Finding,
    LinkKind,
    MemoryKind,
    MemoryStatus,
    SourceKind,
    SpeechAct,
    Standing,
    Verdict,
)
from core.policy import POLICIES
from tests.factories import NOW, POLICY, candidate, evidence, incumbent

SEVERITY = {Verdict.ADMIT: 0, Verdict.HOLD: 1, Verdict.REJECT: 2}


def rule(cand=None, found=None, policy=POLICY) -> Decision:
    return decide(cand or candidate(), found or evidence(), policy, at=NOW, by="policy", decision_id="d1")


def of_kind(kind, memory_kind):
    cand = candidate(kind)
    return replace(cand, proposal=replace(cand.proposal, kind=memory_kind))


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
    assert decision.reasons == ("directive", "not_the_owner")


def test_an_agent_cannot_vouch_for_itself():
    agent, word = candidate(SourceKind.AGENT_TURN), of_kind(SourceKind.AGENT_TURN, MemoryKind.EVENT)
    alone = evidence(0.55, SourceKind.AGENT_TURN, standing=Standing.ATTRIBUTED)
    assert rule(agent, alone).reasons == ("no_root",)
    assert rule(word, alone).verdict is Verdict.ADMIT
    waiting = replace(POLICY, authority=replace(POLICY.authority, agent_opinions="hold"))
    assert rule(word, alone, waiting).reasons == ("no_root",)
    assert rule(agent, evidence(0.7, SourceKind.AGENT_TURN, standing=Standing.ROOTED)).verdict is Verdict.ADMIT


@pytest.mark.parametrize("kind", [SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT, SourceKind.THIRD_PARTY])
def test_only_the_owner_makes_a_wish(kind):
    wish = of_kind(kind, MemoryKind.PREFERENCE)
    found = evidence(0.6, kind, standing=Standing.FIRST_HAND)
    assert rule(wish, found).reasons == ("not_the_owner",)
    assert rule(wish, replace(found, standing=Standing.ROOTED)).verdict is Verdict.ADMIT


def test_what_could_harm_needs_the_owners_voice():
    tier = {"impact": ("payment",)}
    assert rule(found=evidence(**tier)).verdict is Verdict.ADMIT
    said = evidence(0.55, SourceKind.THIRD_PARTY, standing=Standing.SELF, voice_trust=0.55, **tier)
    assert rule(candidate(SourceKind.THIRD_PARTY), said).reasons == ("impact",)
    note = evidence(0.7, SourceKind.AGENT_TURN, standing=Standing.ROOTED, voice_trust=1.0, **tier)
    assert rule(candidate(SourceKind.AGENT_TURN), note).verdict is Verdict.ADMIT
    assert rule(candidate(SourceKind.AGENT_TURN), replace(note, voice_trust=0.7)).reasons == ("impact",)
    assert rule(candidate(SourceKind.TOOL_OUTPUT), replace(note, standing=Standing.FIRST_HAND)).reasons == ("impact",)


def test_some_of_it_is_put_even_to_the_owner():
    asked = rule(found=evidence(asks_owner=("standing recommendation",), impact=("recommendation",)))
    assert asked.verdict is Verdict.HOLD
    assert asked.reasons == ("ask_owner",)


def test_what_the_owner_forgot_comes_back_by_their_own_words_only():
    assert rule(found=evidence(forgotten=True)).verdict is Verdict.ADMIT
    tool = rule(candidate(SourceKind.TOOL_OUTPUT), evidence(0.6, SourceKind.TOOL_OUTPUT, forgotten=True))
    assert tool.reasons == ("forgotten",)


def test_a_repeat_joins_what_is_held():
    again = rule(candidate(SourceKind.WEB_CONTENT), evidence(0.3, SourceKind.WEB_CONTENT, repeats="k0"))
    assert again.verdict is Verdict.REJECT
    assert again.reasons[0] == "repeat_of_held"


def test_an_agents_restatement_changes_nothing():
    found = evidence(
        0.7, SourceKind.AGENT_TURN, standing=Standing.ROOTED, incumbents=(incumbent("penicillin", same_value=True),)
    )
    decision = rule(candidate(SourceKind.AGENT_TURN), found)
    assert (decision.verdict, decision.effects) == (Verdict.ADMIT, ())


def test_only_another_voice_adds_an_origin():
    held = incumbent("penicillin", same_value=True, support=("person:ada",))
    [own] = rule(found=evidence(incumbents=(held,), origin="person:ada")).effects
    assert (own.kind, own.origin) == (EffectKind.CONFIRM, "")
    found = evidence(0.6, SourceKind.TOOL_OUTPUT, incumbents=(held,), origin="tool:register")
    [tool] = rule(candidate(SourceKind.TOOL_OUTPUT), found).effects
    assert (tool.kind, tool.origin) == (EffectKind.CONFIRM, "tool:register")


def test_a_late_old_statement_becomes_history():
    later = incumbent("30 April", stated_at=NOW.replace(hour=12))
    decision = rule(candidate(attribute="date", value="12 March"), evidence(incumbents=(later,)))
    assert decision.verdict is Verdict.ADMIT
    made = decision.effects[0].memory
    assert made is not None
    assert (made.status, made.superseded_by) == (MemoryStatus.SUPERSEDED, "m0")


def test_neighbours_are_linked_and_working_memory_makes_room():
    found = evidence(related=(("m7", LinkKind.RELATED, 0.4),), evicts=("w1",))
    effects = rule(found=found).effects
    assert [(one.kind, one.memory_id, one.by_memory_id) for one in effects] == [
        (EffectKind.ACTIVATE, "k1", None),
        (EffectKind.LINK, "k1", "m7"),
        (EffectKind.ARCHIVE, "w1", None),
    ]
    assert effects[1].weight == 0.4


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
        (EffectKind.LINK, "k1"),
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


def test_an_event_that_goes_with_two_closed_memories_is_closed_once():
    held = tuple(incumbent("walnuts", memory_id=name, same_value=True, echoes=("ev",)) for name in ("a", "b"))
    decision = rule(candidate(value="walnuts", retracts=True), evidence(incumbents=held))
    closed = [one.memory_id for one in decision.effects]
    assert closed == ["a", "ev", "b"]


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


CASES = st.fixed_dictionaries(
    {
        "trust": st.floats(0, 1),
        "kind": st.sampled_from(SourceKind),
        "act": st.sampled_from(SpeechAct),
        "memory_kind": st.sampled_from(MemoryKind),
        "importance": st.floats(0, 1),
        "declined": st.booleans(),
        "standing": st.sampled_from(Standing),
        "voice": st.floats(0, 1),
        "impact": st.sampled_from([(), ("money",), ("access", "policy")]),
        "asked": st.sampled_from([(), ("credentials",)]),
        "rival": st.sampled_from([None, 0.3, 0.8, 1.0]),
        "conflicts": st.sampled_from(POLICIES),
    }
)


@given(case=CASES, lower=st.floats(0, 1))
def test_worse_evidence_never_softens_a_verdict(case, lower):
    trust, rival, voice = case["trust"], case["rival"], case["voice"]
    policy = replace(POLICY, conflict=replace(POLICY.conflict, policy=case["conflicts"]))
    cand = candidate(case["kind"], speech_act=case["act"], importance=case["importance"], attribute="home")
    cand = replace(cand, proposal=replace(cand.proposal, kind=case["memory_kind"]))
    found = evidence(
        trust,
        case["kind"],
        declined_before=case["declined"],
        standing=case["standing"],
        voice_trust=voice,
        impact=case["impact"],
        asks_owner=case["asked"],
        incumbents=() if rival is None else (incumbent("elsewhere", rival, stated_at=NOW.replace(hour=1)),),
    )
    base = rule(cand, found, policy)
    worse = (
        replace(found, gaps=("judge",)),
        replace(found, effective_trust=min(trust, lower)),
        replace(found, effective_trust=min(trust, lower), voice_trust=min(voice, lower)),
        replace(found, declined_before=True),
        replace(found, impact=(*case["impact"], "security")),
        replace(found, asks_owner=(*case["asked"], "payment")),
        replace(found, forgotten=True),
        replace(found, repeats="k0"),
        replace(found, findings=(Finding(detector="forged_tags", severity=1.0, note="x"),)),
        replace(found, not_judged=3),
    )
    for one in worse:
        assert SEVERITY[rule(cand, one, policy).verdict] >= SEVERITY[base.verdict]


def test_recorded_evidence_replays_to_the_same_decision():
    found = evidence(0.3, SourceKind.WEB_CONTENT)
    assert rule(candidate(SourceKind.WEB_CONTENT), found) == rule(candidate(SourceKind.WEB_CONTENT), found)
