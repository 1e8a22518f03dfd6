"""A memory without a gate: newest value of a slot, whoever said it; no trust, no decay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.lastwins import KEPT, Overlay, hits_of, signals, winners
from core.model import CandidateState, Decision, HeldItem, MemoryKind, Scope, SourceKind, Span, Verdict
from tests.factories import NOW, POLICY, SCOPE, candidate, evidence

WEB = SourceKind.WEB_CONTENT
HELD, ADMITTED = CandidateState.HELD, CandidateState.ADMITTED


def item(
    text: str,
    *,
    number: int,
    kind: SourceKind = SourceKind.USER_TURN,
    state: CandidateState = ADMITTED,
    kind_of: MemoryKind = MemoryKind.FACT,
    **rest,
) -> HeldItem:
    given = {"subject": "user", "attribute": "home", "value": text.rsplit(maxsplit=1)[-1].strip(".")}
    one = candidate(kind, number=number, text=text, **(given | rest))
    one = replace(one, proposal=replace(one.proposal, kind=kind_of))
    verdict = Verdict.HOLD if state is HELD else Verdict.ADMIT
    decision = Decision(
        decision_id=f"d{number}",
        candidate_id=one.candidate_id,
        verdict=verdict,
        reasons=("low_trust",),
        steps=(),
        evidence=evidence(0.3 if kind is WEB else 1.0, kind),
        effects=(),
        policy_digest="p",
        by="policy",
        at=NOW,
    )
    return HeldItem(
        candidate=one, state=state, decision=decision, excerpt=text, excerpt_span=Span(start=0, end=1), updated_at=NOW
    )


def texts(items: list[HeldItem]) -> list[str]:
    return [one.memory.text for one in winners(items)]


def test_the_last_word_wins_even_from_a_held_page():
    own = item("You live in Porto.", number=1)
    page = item("You live in Lagos.", number=2, kind=WEB, state=HELD)
    [best] = winners([page, own])
    assert (best.memory.text, best.held) == ("You live in Lagos.", True)
    assert texts([own]) == ["You live in Porto."]


@pytest.mark.parametrize("state", [one for one in CandidateState if one not in KEPT])
def test_what_was_rejected_or_withdrawn_is_not_in_it(state):
    assert texts([item("You live in Porto.", number=1), item("You live in Lagos.", number=2, state=state)]) == [
        "You live in Porto."
    ]


def test_many_valued_slots_keep_every_value_and_the_same_value_once():
    said = [
        item("You like tea.", number=1, attribute="likes", value="tea"),
        item("You like rain.", number=2, attribute="likes", value="rain"),
        item("You like Tea.", number=3, attribute="likes", value="Tea"),
    ]
    assert texts(said) == ["You like Tea.", "You like rain."]


def test_events_stand_side_by_side():
    events = [
        item(f"You said: {n}", number=n, attribute="event", value="same", kind_of=MemoryKind.EVENT) for n in (1, 2)
    ]
    assert texts(events) == ["You said: 2", "You said: 1"]


def test_a_retraction_closes_the_slot_until_something_new_is_said():
    home = item("You live in Porto.", number=1)
    gone = item("You no longer live in Porto.", number=2, retracts=True)
    assert texts([home, gone]) == []
    assert texts([home, gone, item("You live in Braga.", number=3)]) == ["You live in Braga."]


def test_a_retraction_of_one_of_many_values_leaves_the_others():
    tea = item("You like tea.", number=1, attribute="likes", value="tea")
    rain = item("You like rain.", number=2, attribute="likes", value="rain")
    gone = item("You no longer like tea.", number=3, attribute="likes", value="tea", retracts=True)
    assert texts([tea, rain, gone]) == ["You like rain."]


def test_ranking_asks_for_relevance_alone():
    old = item("You live in Porto.", number=1, importance=1.0)
    page = item("Your office is in Porto.", number=2, kind=WEB, state=HELD, attribute="office", importance=0.1)
    found = signals("Where in Porto is my office?", winners([old, page]), _named([old, page], 0.4, 0.9))
    hits = hits_of("Where in Porto is my office?", found, POLICY.recall, NOW + timedelta(days=4000))
    assert hits[0].memory.text == "Your office is in Porto."
    assert all((hit.score, hit.freshness, hit.composite_trust) == (hit.relevance, 1.0, 1.0) for hit in hits)
    assert not any(hit.needs_confirmation for hit in hits)


def _named(items: list[HeldItem], *cosines: float) -> dict[str, float]:
    return {one.candidate.candidate_id: value for one, value in zip(items, cosines, strict=True)}


def test_what_neither_meaning_nor_words_carry_is_not_in_the_answer():
    found = signals("What is my shoe size?", winners([item("You live in Porto.", number=1)]), {})
    assert hits_of("What is my shoe size?", found, POLICY.recall, NOW) == []


def test_the_overlay_looks_up_by_slot_and_subject_in_its_own_scope():
    mine = winners(
        [
            item("You live in Porto.", number=1, importance=0.5),
            item("You work as a nurse.", number=2, attribute="job", importance=0.9),
        ]
    )
    overlay = Overlay(memories=tuple(one.memory for one in mine))
    assert [one.text for one in overlay.by_slot(SCOPE, subject="User", attributes=["Home"])] == ["You live in Porto."]
    assert [one.text for one in overlay.by_slot(SCOPE, subject=None, attributes=["home", "job"], limit=1)] == [
        "You work as a nurse."
    ]
    assert [one.text for one in overlay.about(SCOPE, subject="user")] == ["You work as a nurse.", "You live in Porto."]
    stranger = Scope(tenant="elsewhere", owner="somebody")
    assert overlay.about(stranger, subject="user") == overlay.by_slot(stranger, subject=None, attributes=["home"]) == []
