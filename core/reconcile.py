"""What the store holds against what the chain says was applied to it (rules §8.1). Reads only.

The seal on a row tells a changed row from a genuine one; it cannot tell that a row is gone, came back, or stands in
another status than the last effect left it in. The chain can: every applied effect is an entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.model import AuditEntry, EffectKind, Memory, MemoryStatus, Scope
from core.ports import LedgerReader, MemoryFilter, MemoryReader

PAGE = 500
_ACTIVE, _SUPERSEDED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED
_ARCHIVED, _DELETED = MemoryStatus.ARCHIVED, MemoryStatus.DELETED


class Seals(Protocol):
    """Who can tell which rows carry this installation's seal."""

    def reconcile(self, scope: Scope) -> list[str]:
        """Ids of the scope's rows without a genuine seal."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Differences:
    """Ids of memories, by what is wrong with them."""

    altered: tuple[str, ...] = ()  # the row carries no genuine seal: changed, moved or made past the write path
    missing: tuple[str, ...] = ()  # applied and never removed, but not there
    returned: tuple[str, ...] = ()  # removed, or never applied, but there
    restated: tuple[str, ...] = ()  # in another status, or confirmed by another person, than the last effect left it

    @property
    def clean(self) -> bool:
        """Whether store and chain agree."""
        return not (self.altered or self.missing or self.returned or self.restated)


@dataclass(frozen=True, kw_only=True, slots=True)
class _State:
    """What of a memory an effect changes and no seal on an earlier copy of its row could tell."""

    status: MemoryStatus
    confirmed_by: str | None = None


def reconcile(ledger: LedgerReader, store: MemoryReader, seals: Seals, scope: Scope) -> Differences:
    """Compare a scope's rows with the effects that the chain says were applied; verify the chain first.

    Call it when nothing waits in the outbox, or what is being relayed at this moment shows as a difference.

    Raises:
        StoreUnavailable: Postgres is not reachable.
    """
    altered = seals.reconcile(scope)
    rows = {one.memory_id: _State(status=one.status, confirmed_by=one.confirmed_by) for one in _rows(store, scope)}
    expected = _expected(ledger, scope)
    absent = (one for one in expected if one not in rows and one not in altered)
    return Differences(
        altered=tuple(altered),
        missing=tuple(one for one in absent if _of(ledger, scope, one)),
        returned=tuple(one for one in rows if one not in expected),
        restated=tuple(one for one, state in rows.items() if expected.get(one, state) != state),
    )


def _rows(store: MemoryReader, scope: Scope) -> list[Memory]:
    """Every genuine row. A row without a seal leaves a gap on its page, so pages are counted, not rows."""
    rows: list[Memory] = []
    offset, total = 0, 1
    while offset < total:
        page, total = store.list(scope, MemoryFilter(statuses=tuple(MemoryStatus)), limit=PAGE, offset=offset)
        rows += page
        offset += PAGE
    return rows


def _expected(ledger: LedgerReader, scope: Scope) -> dict[str, _State]:
    """How the applied effects leave each memory of the owner; what was removed is not in it."""
    entries: list[AuditEntry] = []
    total = 1
    while len(entries) < total:
        page, total = ledger.audit(
            scope.tenant, owner=scope.owner, action="effect:applied", limit=PAGE, offset=len(entries)
        )
        if not page:
            break
        entries += page
    standing: dict[str, _State] = {}
    for entry in reversed(entries):
        made = _State(status=MemoryStatus(entry.about.get("status", _ACTIVE)), confirmed_by=entry.about.get("by"))
        _apply(standing, EffectKind(entry.about["kind"]), str(entry.about["memory_id"]), made)
    return standing


def _apply(standing: dict[str, _State], kind: EffectKind, memory_id: str, made: _State) -> None:
    """One effect as the store applies it; `made` is what an ACTIVATE inserts, or names whose confirmation it is."""
    now = standing.get(memory_id)
    if kind is EffectKind.ACTIVATE:
        standing[memory_id] = made
    elif now is None:
        return
    elif kind is EffectKind.REMOVE:
        del standing[memory_id]
    else:
        standing[memory_id] = _State(
            status=_status(now.status, kind), confirmed_by=_confirmed(now.confirmed_by, kind, made.confirmed_by)
        )


def _status(now: MemoryStatus, kind: EffectKind) -> MemoryStatus:
    if kind is EffectKind.TOMBSTONE:
        return _DELETED
    if kind is EffectKind.RESTORE or (kind in (EffectKind.CONFIRM, EffectKind.ATTEST) and now is _ARCHIVED):
        return _ACTIVE
    if kind in (EffectKind.SUPERSEDE, EffectKind.RETRACT) and now is not _DELETED:
        return _SUPERSEDED
    if kind is EffectKind.ARCHIVE and now is _ACTIVE:
        return _ARCHIVED
    return now


def _confirmed(now: str | None, kind: EffectKind, by: str | None) -> str | None:
    if kind is EffectKind.ATTEST:
        return by
    return None if kind is EffectKind.UNATTEST and by in (None, now) else now


def _of(ledger: LedgerReader, scope: Scope, memory_id: str) -> bool:
    """Whether a memory is this scope's: not another agent's of the same owner, and not erased with its owner."""
    item = ledger.candidate(memory_id)
    return item is not None and item.candidate.scope == scope
