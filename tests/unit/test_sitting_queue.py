"""The scripted queue: its answers can be told from its words, and it holds what it is to try out."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest

from core.model import CandidateState, MemoryStatus
from eval.bench_keys import PRESSES
from eval.review_sitting import Truth, check
from eval.sitting_queue import book, knows, sheets

ITEMS, SOURCES = 437, 60
ACTIVE, DELETED = MemoryStatus.ACTIVE, MemoryStatus.DELETED


def test_every_answer_can_be_told_from_the_words():
    true, made = book(), list(sheets(ITEMS, SOURCES))
    lines = [line for sheet in made for line in sheet.lines]
    assert (len(made), len(lines)) == (SOURCES, ITEMS)
    assert all(knows(line.text, true) == line.right for line in lines)
    assert all(sheet.page.lines == tuple((one.text, one.order) for one in sheet.lines) for sheet in made)


def test_it_holds_copies_traps_orders_and_what_needs_two():
    lines = [line for sheet in sheets(ITEMS, SOURCES) for line in sheet.lines]
    copies = len(lines) - len({line.text for line in lines})
    assert copies > ITEMS * 0.3
    subjects = Counter(line.text.partition(" opens at ")[0] for line in lines if not line.order)
    assert max(subjects.values()) > 3  # the same words with other hours
    assert {line.right for line in lines} == {True, False}
    assert any(line.order for line in lines)
    assert any(line.text.startswith("Refund requests") for line in lines)


@pytest.mark.parametrize(
    ("state", "remembered", "right", "wrong"),
    [
        (CandidateState.PROMOTED, ACTIVE, True, 0),
        (CandidateState.REJECTED, None, False, 0),
        (CandidateState.PROMOTED, ACTIVE, False, 1),
        (CandidateState.REJECTED, None, True, 1),
        (CandidateState.HELD, None, True, 1),
        (CandidateState.PROMOTED, DELETED, True, 1),
        (CandidateState.REJECTED, ACTIVE, False, 1),
    ],
)
def test_the_check_finds_what_was_decided_wrongly_or_left(state, remembered, right, wrong):
    memory = SimpleNamespace(status=remembered) if remembered else None
    layer = SimpleNamespace(
        ledger=SimpleNamespace(candidate=lambda _id: SimpleNamespace(state=state)),
        store=SimpleNamespace(get=lambda _scope, _id: memory),
    )
    truth = Truth(right={"one": right}, scopes={"one": None})
    assert len(check(SimpleNamespace(layer=layer), truth)) == wrong


def test_every_key_of_the_review_page_is_pressed():
    assert {one.name[0] for one in PRESSES} >= set("JKPXEMSUAFH")
