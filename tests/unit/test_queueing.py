"""The order of the queue, and what is decided by itself."""

from __future__ import annotations

from dataclasses import replace

from core.model import Evidence, Finding, MemoryKind, Proposal, SourceKind, Span
from core.queueing import alone, flags, priority
from tests.contract.ledger_values import candidate, decision, episode

PLAIN = replace(decision("d", "k"), evidence=Evidence(effective_trust=0.3, roots=()))


def item(importance: float, **rest):
    one = candidate("k", episode(kind=SourceKind.WEB_CONTENT))
    return replace(one, proposal=replace(one.proposal, importance=importance)), replace(PLAIN, **rest)


def test_attacks_and_conflicts_come_first_then_what_weighs_most():
    finding = Evidence(effective_trust=0.3, roots=(), findings=(Finding(detector="x_y", severity=0.8, note=""),))
    order = [
        item(1.0, reasons=("conflict",)),
        item(0.2, evidence=finding),
        item(0.1, reasons=("low_trust", "directive")),
        item(1.0),
        item(0.6),
        item(0.0),
    ]
    places = [priority(*one) for one in order]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert min(places) >= 0


def test_what_is_flagged_or_could_harm_is_decided_by_itself():
    assert not alone(PLAIN)
    assert flags(PLAIN) == []
    quiet = Evidence(effective_trust=0.3, roots=(), findings=(Finding(detector="x_y", severity=0.2, note=""),))
    assert not alone(replace(PLAIN, evidence=quiet))
    loud = replace(quiet, findings=(Finding(detector="x_y", severity=0.5, note=""),))
    assert flags(replace(PLAIN, evidence=loud, reasons=("directive",))) == ["directive", "x y"]
    assert alone(replace(PLAIN, evidence=replace(PLAIN.evidence, impact=("payment",))))


def test_importance_in_hundredths_is_kept_apart():
    proposal = Proposal(
        subject="a",
        attribute="b",
        value="c",
        statement="d",
        kind=MemoryKind.FACT,
        importance=0.61,
        span=Span(start=0, end=1),
    )
    one = replace(candidate("k", episode()), proposal=proposal)
    assert priority(one, PLAIN) < priority(replace(one, proposal=replace(proposal, importance=0.6)), PLAIN)
