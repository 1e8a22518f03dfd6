"""Makes valid nouns with one argument for what a test is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import resources
from typing import Any

from core.model import (
    Candidate,
    Episode,
    Evidence,
    Incumbent,
    Memory,
    MemoryKind,
    Proposal,
    Provenance,
    Root,
    Scope,
    SourceKind,
    Span,
    sha256_text,
)
from core.policy import Policy
from core.slots import slot_key

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # a Monday
SCOPE = Scope(tenant="t1", owner="ada")
POLICY = Policy.from_toml(resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8"))


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def forward(self, **delta: float) -> None:
        self.at += timedelta(**delta)


def provenance(kind: SourceKind = SourceKind.USER_TURN, text: str = "text", **rest: Any) -> Provenance:
    return Provenance(
        source_kind=kind,
        source_ref=rest.pop("source_ref", "conversation c1"),
        actor=rest.pop("actor", "ada"),
        observed_at=rest.pop("observed_at", NOW),
        digest=sha256_text(text),
        **rest,
    )


def episode(text: str, kind: SourceKind = SourceKind.USER_TURN, *, number: int = 1, **rest: Any) -> Episode:
    return Episode(
        episode_id=f"e{number}",
        scope=rest.pop("scope", SCOPE),
        conversation_id=rest.pop("conversation_id", "c1"),
        provenance=provenance(kind, text, **rest),
        text=text,
        received_at=NOW,
        serial_no=number,
    )


def proposal(text: str = "You are allergic to penicillin.", **rest: Any) -> Proposal:
    given: dict[str, Any] = {
        "subject": "user",
        "attribute": "allergy",
        "value": "penicillin",
        "statement": text,
        "kind": MemoryKind.FACT,
        "importance": 1.0,
        "span": Span(start=0, end=max(1, len(text))),
    }
    return Proposal(**(given | rest))


def candidate(kind: SourceKind = SourceKind.USER_TURN, *, number: int = 1, **rest: Any) -> Candidate:
    return Candidate(
        candidate_id=f"k{number}",
        episode_id=f"e{number}",
        scope=SCOPE,
        proposal=proposal(**rest),
        provenance=provenance(kind),
        serial_no=number,
    )


def evidence(trust: float = 1.0, kind: SourceKind = SourceKind.USER_TURN, **rest: Any) -> Evidence:
    root = Root(episode_id="e1", source_kind=kind, source_ref="conversation c1", trust=trust)
    return Evidence(effective_trust=trust, roots=rest.pop("roots", (root,)), **rest)


def incumbent(value: str, trust: float = 1.0, **rest: Any) -> Incumbent:
    given: dict[str, Any] = {
        "memory_id": "m0",
        "value": value,
        "text": f"It is {value}.",
        "ranking_trust": trust,
        "serial_no": 0,
        "version": 1,
        "source_kind": SourceKind.USER_TURN,
        "same_value": False,
        "multi_valued": False,
    }
    return Incumbent(**(given | rest))


def memory(text: str = "You are allergic to penicillin.", **rest: Any) -> Memory:
    subject, attribute = rest.pop("subject", "user"), rest.pop("attribute", "allergy")
    given: dict[str, Any] = {
        "memory_id": "m1",
        "scope": SCOPE,
        "kind": MemoryKind.FACT,
        "subject": subject,
        "attribute": attribute,
        "slot_key": slot_key(subject, attribute),
        "value": "penicillin",
        "text": text,
        "importance": 1.0,
        "effective_trust": 1.0,
        "source_kind": SourceKind.USER_TURN,
        "source_ref": "conversation c1",
        "source_title": "",
        "actor": "ada",
        "episode_id": "e1",
        "conversation_id": "c1",
        "serial_no": 1,
        "roots": (),
        "stated_at": NOW,
        "created_at": NOW,
    }
    return replace(Memory(**given), **rest)
