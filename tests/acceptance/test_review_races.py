"""Two reviewers and double clicks: one decision (console.md §4, tests 8 and 9)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import NeedsReason, StaleReview
from core.model import CandidateState, Role, Ruling, RulingKind

PAGE = "The museum opens at ten. The cafe closes at five."


def ruling(item, kind=RulingKind.PROMOTE, **rest) -> Ruling:
    given = {"seen_version": item.candidate.version, "digest": item.candidate.digest, "note": "seen"}
    return Ruling(candidate_id=item.candidate.candidate_id, kind=kind, **(given | rest))


@pytest.fixture
def held(console):
    console.layer.chat.attach_page(console.admin, console.layer.chat.new_id(), address="https://m.example", text=PAGE)
    console.settle()
    return console.layer.review.pending(console.admin)[0]


def test_two_reviewers_at_once_make_one_decision(console, held):
    rita = console.person("rita", Role.REVIEWER)
    item = held[0]

    def rule(who, kind):
        try:
            return console.layer.review.resolve(who, ruling(item, kind))
        except StaleReview as problem:
            return problem

    with ThreadPoolExecutor(max_workers=2) as pool:
        first = pool.submit(rule, console.admin, RulingKind.PROMOTE)
        second = pool.submit(rule, rita, RulingKind.REJECT)
        results = [first.result(), second.result()]
    refused = [one for one in results if isinstance(one, StaleReview)]
    assert len(refused) == 1
    assert "changed after you opened it" in str(refused[0]) or "version" in str(refused[0])
    made = console.layer.ledger.decisions(item.candidate.candidate_id)
    assert [one.by for one in made].count("policy") == 1
    assert len(made) == 2


def test_a_double_click_is_answered_and_done_once(console, held):
    item = held[0]
    with ThreadPoolExecutor(max_workers=4) as pool:
        calls = [pool.submit(console.layer.review.resolve, console.admin, ruling(item)) for _ in range(4)]
        outcomes = []
        for call in calls:
            try:
                outcomes.append(call.result())
            except StaleReview:  # two at the very same moment: the swap lets one through
                continue
    assert outcomes
    assert {one.state for one in outcomes} == {CandidateState.PROMOTED}
    assert len(console.layer.ledger.decisions(item.candidate.candidate_id)) == 2
    assert console.layer.memories.list(console.admin, text="museum")[1] == 1


def test_changed_bytes_or_version_are_refused(console, held):
    item = held[0]
    for wrong in ({"digest": "0" * 64}, {"seen_version": 7}):
        with pytest.raises(StaleReview):
            console.layer.review.resolve(console.admin, ruling(item, **wrong))
    assert console.layer.review.item(console.admin, item.candidate.candidate_id).state is CandidateState.HELD


def test_a_rejection_needs_its_reason_and_is_remembered(console, held):
    item = held[0]
    with pytest.raises(NeedsReason):
        console.layer.review.resolve(console.admin, ruling(item, RulingKind.REJECT, note="  "))
    console.layer.review.resolve(console.admin, ruling(item, RulingKind.REJECT))
    console.layer.chat.attach_page(console.admin, console.layer.chat.new_id(), address="https://n.example", text=PAGE)
    console.settle()
    waiting = [one.candidate.text for one in console.layer.review.pending(console.admin)[0]]
    assert item.candidate.text not in waiting  # the same words do not come back to the queue
    assert len(waiting) == 2
