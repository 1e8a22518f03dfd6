"""What waits in the ledger takes from the counsel on a memory (docs/adr/0013)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.advice import for_an_agent, leading, with_conflicts
from core.confidence import Because, advise
from core.errors import LedgerUnavailable
from core.gate import decide
from core.model import Advice, CandidateState, HeldItem, MemoryKind, SourceKind, Span, Standing
from tests.factories import NOW, POLICY, candidate, evidence, incumbent, memory, provenance

TOOL, WEB = SourceKind.TOOL_OUTPUT, SourceKind.WEB_CONTENT
HOUR = timedelta(hours=1)
HOME = memory("You live in Porto.", attribute="home", value="Porto", origins=3, stated_at=NOW - 24 * HOUR)


class Waiting:
    """A ledger in which these items wait in every slot."""

    def __init__(self, *items: HeldItem, down: bool = False) -> None:
        self.items, self.down = list(items), down

    def items_of_slot(self, _scope, _slot_key, *, limit=200):
        if self.down:
            msg = "down"
            raise LedgerUnavailable(msg)
        return self.items[:limit]


def claim(value="Braga", *, channel=TOOL, trust=0.6, at=NOW - HOUR, state=CandidateState.HELD, **rest) -> HeldItem:
    said = candidate(channel, text=f"You live in {value}.", attribute="home", value=value)
    said = replace(said, provenance=provenance(channel, observed_at=at))
    found = evidence(
        trust, channel, incumbents=(incumbent("Porto", stated_at=HOME.stated_at),), standing=Standing.FIRST_HAND, **rest
    )
    decision = decide(said, found, POLICY, at=NOW, by="policy", decision_id="d1")
    text = said.text
    return HeldItem(
        candidate=said,
        state=state,
        decision=decision,
        excerpt=text,
        excerpt_span=Span(start=0, end=len(text)),
        updated_at=NOW,
    )


def told(*items: HeldItem, mine=HOME):
    found = with_conflicts(advise(mine, (), NOW, POLICY), [mine], Waiting(*items), NOW, POLICY)
    return found.advice, found.because


def test_the_memory_alone_may_be_acted_on():
    assert told() == (Advice.ACT, Because.TRUSTED)


def test_a_newer_claim_held_for_the_contradiction_alone_takes_the_permission_to_act():
    one = claim()
    assert one.decision.reasons == ("conflict",)
    assert told(one) == (Advice.ANSWER, Because.CONTESTED)


@pytest.mark.parametrize(
    "one",
    [
        claim(at=HOME.stated_at - HOUR),  # the memory was stated again since
        claim("Porto"),  # it says the same
        claim(state=CandidateState.REJECTED),  # somebody decided
        claim(channel=WEB, trust=0.3),  # a page is held for its trust: it may not stop an agent
    ],
)
def test_what_does_not_contest_takes_nothing(one):
    assert told(one) == (Advice.ACT, Because.TRUSTED)


def test_a_claim_about_as_sure_is_a_question_for_the_person():
    many = claim(trust=1.0, supporters=("person:a", "person:b", "person:c"), origin="person:a")
    many = replace(many, decision=replace(many.decision, reasons=("conflict",)))
    assert told(many) == (Advice.ASK, Because.OPEN_CONFLICT)


def test_an_agent_loses_the_permission_to_act_and_learns_no_id():
    act = advise(HOME, (), NOW, POLICY)
    found = for_an_agent(act, Waiting(claim()), NOW, POLICY)
    assert (found.advice, found.because, found.waiting) == (Advice.ANSWER, Because.CONTESTED, ())
    many = claim(trust=1.0, supporters=("person:a", "person:b", "person:c"), origin="person:a")
    many = replace(many, decision=replace(many.decision, reasons=("conflict",)))
    found = for_an_agent(act, Waiting(many), NOW, POLICY)
    assert (found.advice, found.because, found.waiting) == (Advice.ANSWER, Because.CONTESTED, ())
    assert for_an_agent(act, Waiting(), NOW, POLICY) == act


def test_what_was_no_act_is_the_same_for_an_agent_whatever_waits():
    once = replace(HOME, origins=1)
    answer = advise(once, (), NOW, POLICY)
    assert answer.advice is Advice.ANSWER
    assert for_an_agent(answer, Waiting(claim(), down=True), NOW, POLICY) == answer


def test_a_ledger_that_cannot_be_read_lets_nobody_act():
    found = for_an_agent(advise(HOME, (), NOW, POLICY), Waiting(down=True), NOW, POLICY)
    assert (found.advice, found.because) == (Advice.ANSWER, Because.UNCHECKED)


def test_a_fact_leads_before_a_lesson_and_a_lesson_before_what_was_said():
    lesson = memory("Never deploy on Friday.", memory_id="l", kind=MemoryKind.LESSON)
    event = memory("You said: I live in Porto.", memory_id="e", kind=MemoryKind.EVENT)
    assert leading([lesson, event, HOME]) == HOME
    assert leading([event, lesson]) == lesson
    assert leading([event]) == event
    assert leading([]) is None
