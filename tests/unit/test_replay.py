"""Replay: recorded evidence ruled on again under other numbers (core.replay)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.gate import STATE_OF, decide
from core.model import (
    Evidence,
    HeldItem,
    LinkKind,
    MemoryKind,
    Root,
    Scope,
    SourceKind,
    Span,
    SpeechAct,
    Standing,
    Verdict,
)
from core.replay import rederived, replay
from tests.factories import NOW, POLICY, candidate, evidence, incumbent, provenance

WEB, AGENT, TOOL, USER = (
    SourceKind.WEB_CONTENT,
    SourceKind.AGENT_TURN,
    SourceKind.TOOL_OUTPUT,
    SourceKind.USER_TURN,
)


def with_trust(**numbers: float):
    return replace(POLICY, trust=replace(POLICY.trust, **numbers))


def item(cand, found, *, policy=POLICY, at=NOW) -> HeldItem:
    decision = decide(cand, found, policy, at=at, by="policy", decision_id=f"d-{cand.candidate_id}")
    return HeldItem(
        candidate=cand,
        state=STATE_OF[decision.verdict],
        decision=decision,
        excerpt=cand.text,
        excerpt_span=Span(start=0, end=len(cand.text)),
        updated_at=at,
    )


def own_root(kind, number=1):
    return Root(episode_id=f"e{number}", source_kind=kind, source_ref="conversation c1", trust=POLICY.trust.base(kind))


def page(number=1, **rest):
    cand = replace(candidate(WEB, number=number), provenance=provenance(WEB, source_ref=f"https://{number}.example/"))
    return cand, evidence(0.3, WEB, roots=(own_root(WEB, number),), **rest)


def test_a_lower_threshold_lets_pages_in_and_takes_their_groups_off_the_queue():
    items = [item(*page(n)) for n in (1, 2)]
    found = replay(items, with_trust(threshold=0.3))
    assert (found.total, found.held_before, found.held_after) == (2, 2, 0)
    assert (found.admitted_before, found.admitted_after) == (0, 2)
    assert (found.groups_before, found.groups_after) == (2.0, 0.0)
    first = found.changed[0]
    assert (first.candidate_id, first.text, first.owner) == ("k1", "You are allergic to penicillin.", "ada")
    assert (first.source_kind, first.at, first.before, first.after) == (WEB, NOW, Verdict.HOLD, Verdict.ADMIT)
    assert (first.reasons_before, first.reasons_after) == (("low_trust",), ("admitted",))


def test_a_higher_threshold_holds_what_had_passed():
    found = replay([item(candidate(AGENT), evidence(0.7, AGENT))], with_trust(threshold=0.8))
    assert [(one.before, one.after) for one in found.changed] == [(Verdict.ADMIT, Verdict.HOLD)]
    assert (found.held_before, found.held_after) == (0, 1)
    assert found.groups_after == 1.0


def test_nothing_recorded_is_a_replay_of_nothing():
    found = replay([], POLICY)
    assert (found.total, found.changed, found.groups_before, found.groups_after) == (0, (), 0.0, 0.0)


def test_the_load_is_per_week_and_a_cluster_is_one_decision():
    later = NOW + timedelta(days=28)
    items = [
        item(*page(1, cluster="web:a.example")),
        item(*page(2, cluster="web:a.example"), at=later),
        item(*page(3), at=later),
    ]
    assert replay(items, POLICY).groups_before == pytest.approx(2 / 4)
    theirs = replace(items[2], candidate=replace(items[2].candidate, scope=Scope(tenant="t1", owner="ben")))
    assert replay([*items, theirs], POLICY).groups_before == pytest.approx(3 / 4)


def test_a_changed_base_trust_is_worked_out_from_the_roots():
    """A page named by an agent's note, an own tool, another tool, a recalled memory and a lost text."""
    tool = replace(candidate(TOOL), provenance=provenance(TOOL, tool="calculator"))
    roots = (
        Root(episode_id="e1", source_kind=TOOL, source_ref="x", trust=0.6),
        Root(episode_id="e0", source_kind=WEB, source_ref="x", trust=0.3),
        Root(episode_id="e7", source_kind=TOOL, source_ref="x", trust=0.55),
        Root(episode_id="memory:m1", source_kind=USER, source_ref="x", trust=0.8),
        Root(episode_id="gone", source_kind=WEB, source_ref="x", trust=0.0),
    )
    numbers = replace(with_trust(web_content=0.45, user_turn=0.9), tools=replace(POLICY.tools, compute=0.75))
    _, again = rederived(tool, evidence(0.0, roots=roots), numbers)
    assert [one.trust for one in again.roots] == [0.75, 0.45, 0.55, 0.8, 0.0]
    assert (again.effective_trust, again.voice_trust) == (0.0, 0.0)


def test_a_rooted_note_keeps_the_voice_of_its_root():
    roots = (own_root(AGENT), Root(episode_id="e0", source_kind=USER, source_ref="x", trust=1.0))
    found = evidence(0.7, roots=roots, standing=Standing.ROOTED, voice_trust=1.0)
    _, again = rederived(candidate(AGENT), found, with_trust(agent_turn=0.6))
    assert (again.effective_trust, again.voice_trust) == (0.6, 1.0)


def test_what_is_trusted_now_and_says_it_of_others_becomes_a_word_of_its_speaker():
    roots = (own_root(AGENT), Root(episode_id="e0", source_kind=WEB, source_ref="x", trust=0.3))
    found = evidence(0.3, roots=roots, standing=Standing.ATTRIBUTED, voice_trust=0.3)
    lower = with_trust(threshold=0.3)
    cand, again = rederived(candidate(AGENT), found, lower)
    assert cand.proposal.kind is MemoryKind.EVENT
    assert cand.text == "The assistant wrote: “You are allergic to penicillin.”"
    assert again.effective_trust == 0.3
    assert replay([item(candidate(AGENT), found)], lower).admitted_after == 1
    for kept in (
        replace(found, impact=("money",)),
        replace(found, roots=(own_root(AGENT),), effective_trust=0.55, voice_trust=0.7),
    ):
        cand, again = rederived(candidate(AGENT), kept, POLICY)
        assert (cand.proposal.kind is MemoryKind.EVENT) is not bool(kept.impact)
        assert again.effective_trust <= POLICY.trust.third_party


@pytest.mark.parametrize("change", [{"speech_act": SpeechAct.DIRECTIVE}, {"retracts": True}])
def test_orders_and_retractions_are_nobodys_word(change):
    cand = candidate(AGENT)
    cand = replace(cand, proposal=replace(cand.proposal, **change))
    found = evidence(0.7, roots=(own_root(AGENT),), standing=Standing.ATTRIBUTED)
    assert rederived(cand, found, POLICY)[0] == cand


def test_a_repeat_of_what_would_not_be_held_is_no_repeat():
    cand, found = page(2, repeats="k1")
    recorded = item(cand, found)
    assert recorded.decision.reasons == ("repeat_of_held", "low_trust")
    again = replay([recorded], with_trust(threshold=0.2))
    assert [one.after for one in again.changed] == [Verdict.ADMIT]
    asked = replace(found, asks_owner=("payment",))
    assert rederived(cand, asked, with_trust(threshold=0.2))[1].repeats == "k1"
    assert rederived(cand, found, with_trust(threshold=0.4))[1].repeats == "k1"


KINDS = st.sampled_from([kind for kind in SourceKind if kind is not TOOL])


@st.composite
def recorded(draw):
    """Evidence as this policy would have gathered it, on any candidate."""
    kind = draw(KINDS)
    cand = candidate(kind)
    proposal = replace(
        cand.proposal,
        kind=draw(st.sampled_from(list(MemoryKind))),
        importance=draw(st.sampled_from([0.05, 0.4, 1.0])),
        speech_act=draw(st.sampled_from(list(SpeechAct))),
        retracts=draw(st.booleans()),
    )
    cand = replace(cand, proposal=proposal)
    others = draw(st.lists(KINDS, max_size=3)) if kind is AGENT else []
    roots = (own_root(kind), *(own_root(one, number) for number, one in enumerate(others, start=2)))
    standing = draw(st.sampled_from([one for one in Standing if one is not Standing.ROOTED or kind is AGENT]))
    if standing is Standing.ROOTED:
        roots = (own_root(AGENT), own_root(USER, 9))
    trust = min(root.trust for root in roots)
    voice = roots[-1].trust if standing is Standing.ROOTED else trust
    if standing is Standing.ATTRIBUTED:
        if trust >= POLICY.trust.threshold:  # assess has made an event of it, unless it must not
            cand = rederived(cand, Evidence(effective_trust=trust, roots=roots, standing=standing), POLICY)[0]
        trust = min(trust, POLICY.trust.third_party)
    rivals = draw(st.lists(st.sampled_from([0.3, 0.55, 1.0]), max_size=2))
    found = Evidence(
        effective_trust=trust,
        voice_trust=voice,
        roots=roots,
        standing=standing,
        incumbents=tuple(
            incumbent("ibuprofen", level, memory_id=f"m{n}", same_value=draw(st.booleans()))
            for n, level in enumerate(rivals)
        ),
        gaps=draw(st.sampled_from([(), ("judge",)])),
        declined_before=draw(st.booleans()),
        forgotten=draw(st.booleans()),
        repeats=draw(st.sampled_from(["", "k9"])) if trust < POLICY.trust.threshold else "",
        related=(("m5", LinkKind.RELATED, 0.3),),
    )
    return item(cand, found)


@settings(deadline=None)  # other work on the machine is no fault of the replay
@given(st.lists(recorded(), max_size=4))
def test_the_recorded_policy_gives_every_recorded_decision_again(items):
    assert replay(items, POLICY).changed == ()


@settings(deadline=None)  # other work on the machine is no fault of the replay
@given(recorded())
def test_a_policy_that_differs_in_other_numbers_changes_no_verdict(one):
    """The digest is another, so trust is worked out from the roots again: it comes out as it was recorded."""
    other = replace(POLICY, review=replace(POLICY.review, undo_minutes=6.0))
    assert other.digest != one.decision.policy_digest
    found = replay([one], other)
    assert found.changed == ()
    assert (found.held_before, found.admitted_before) == (found.held_after, found.admitted_after)
