"""Effects that the ledger holds as applied and the store does not have: what a fail-over to a late standby lost.

A standby that was promoted before it had received the last transactions is the store of a moment ago. What it lacks are
the last effects that reached it: every relay asks for the very last one before it applies another, so that nothing is
applied on top of a gap. Lost effects wait in the outbox again and are applied in their order; each is applied once, so
putting back one that was not lost changes nothing.

Where later effects of an owner did get past a gap, applying the lost ones after them would give another memory than the
ledger decided: such an owner is named, and nothing is put back for them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from core.model import Scope
from core.ports import AppliedEffect, Ledger, LedgerReader, MemoryWriter

PAGE = 200  # effects compared at a time: more than one relay applies between two looks
LOST = "store:effects_lost"  # action of the audit entry

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lost:
    """What is not in the store."""

    last: tuple[AppliedEffect, ...] = ()  # nothing of their owner was applied after them, in their order
    covered: tuple[AppliedEffect, ...] = ()  # later effects of their owner are there

    @property
    def covered_owners(self) -> tuple[Scope, ...]:
        """Whose memory only a rebuild makes right."""
        return tuple(dict.fromkeys(one.scope for one in self.covered))


def find_lost(ledger: LedgerReader, store: MemoryWriter, *, thorough: bool = True) -> Lost:
    """Compare the last effects that the ledger holds as applied with what the store says it applied.

    Args:
        ledger: the source of truth.
        store: the projection.
        thorough: look at a page even if the very last one is there.

    Raises:
        StoreUnavailable, LedgerUnavailable: it cannot be compared right now.
    """
    newest = ledger.applied(limit=1)
    if not newest or not (thorough or _lacking(store, newest)):
        return Lost()
    lost: list[AppliedEffect] = []
    there: dict[Scope, int] = {}  # number of the last one of an owner that the store has
    page = ledger.applied(limit=PAGE)
    while page:
        gone = _lacking(store, page)
        lost += [one for one in page if one.effect_id in gone]
        for one in page:
            if one.effect_id not in gone:
                there[one.scope] = max(one.number, there.get(one.scope, 0))
        if not gone or len(page) < PAGE:
            break
        page = ledger.applied(limit=PAGE, before=page[-1].number)
    lost.reverse()
    gaps = {one.scope for one in lost if one.number < there.get(one.scope, 0)}
    return Lost(
        last=tuple(one for one in lost if one.scope not in gaps),
        covered=tuple(one for one in lost if one.scope in gaps),
    )


def put_back(ledger: Ledger, lost: Lost, *, at: datetime) -> int:
    """Let the lost effects wait in the outbox again, with an audit entry; returns how many.

    Those that another process put back, or erased with their owner, meanwhile are not counted.
    """
    if not lost.last:
        return 0
    with ledger.transaction() as tx:
        count = tx.requeue([one.effect_id for one in lost.last])
        if count:
            about = {
                "effects": count,
                "owners": len({one.scope for one in lost.last}),
                "effect_id": lost.last[0].effect_id,
            }
            tx.append_audit(at=at, actor="relay", action=LOST, tenant="", owner="", about=about)
    if count:
        log.warning("the store had lost %d effects that were applied before; they are applied again", count)
    return count


def _lacking(store: MemoryWriter, effects: Sequence[AppliedEffect]) -> set[str]:
    """Ids of those that the store does not have: one look-up an owner."""
    found: set[str] = set()

    def owner(one: AppliedEffect) -> tuple[str, str]:
        return one.scope.tenant, one.scope.owner

    for _owner, theirs in groupby(sorted(effects, key=owner), key=owner):
        each = list(theirs)
        found |= store.lacking(each[0].scope, [one.effect_id for one in each])
    return found


__all__ = ["LOST", "Lost", "find_lost", "put_back"]
