"""What a telling left behind, counted through the same desks that the pages read, and held against what it must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.layer import MemoryLayer
from core.model import Actor, MemoryStatus

MANY = 5_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """Counts over all people."""

    statuses: Counter[str]
    held: int
    held_reasons: Counter[str]
    held_sources: Counter[str]
    questions: int
    vouched: int
    pinned: int
    recalled: int
    audit_entries: int
    verified: bool

    def missing(self, expect: Mapping[str, Any]) -> list[str]:
        """What the story promises and is not there, a sentence each."""
        found = [f"nothing is held as {one}" for one in expect["held_reasons"] if not self.held_reasons[one]]
        found += [f"no memory is {one}" for one in expect["statuses"] if not self.statuses[one]]
        for name in ("questions", "vouched", "pinned", "recalled"):
            count = getattr(self, name)
            if count < expect[name]:
                found.append(f"{name}: {count}, at least {expect[name]} are promised")
        if not self.verified:
            found.append("the audit chain does not verify")
        return found


def count(layer: MemoryLayer, people: Mapping[str, Actor]) -> Left:
    """Look through everybody's eyes; `people` are signed in."""
    admin = next(one for one in people.values() if one.role.value == "admin")
    held, total = layer.review.pending(admin, limit=MANY)
    rows = [
        one for who in people.values() for one in layer.memories.list(who, statuses=tuple(MemoryStatus), limit=MANY)[0]
    ]
    return Left(
        statuses=Counter(one.status.value for one in rows),
        held=total,
        held_reasons=Counter(reason for one in held for reason in one.decision.reasons),
        held_sources=Counter(one.candidate.provenance.source_kind.value for one in held),
        questions=sum(len(layer.review.questions(who)) for who in people.values()),
        vouched=sum(bool(one.vouched_by) for one in rows if one.status is MemoryStatus.ACTIVE),
        pinned=sum(one.pinned for one in rows),
        recalled=sum(one.access_count > 0 for one in rows),
        audit_entries=layer.audit_desk.head(admin)[0],
        verified=layer.audit_desk.verify(admin).ok,
    )
