"""Where a pattern stands, by what it became: its candidate and its memory have the last word. Pure."""

from __future__ import annotations

from enum import StrEnum

from core.model import CandidateState, EffectKind, HeldItem, Memory, MemoryStatus
from core.ports import Pattern, PatternState


class PatternStanding(StrEnum):
    """What people see."""

    HYPOTHESIS = "hypothesis"
    HELD = "held"
    KNOWLEDGE = "knowledge"
    RETIRED = "retired"
    DISMISSED = "dismissed"


_DECIDED = frozenset({CandidateState.REJECTED, CandidateState.WITHDRAWN})
_CURRENT = frozenset({MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED})


def memory_id_of(item: HeldItem) -> str:
    """The memory that a pattern's candidate became: its own, or the one that it only confirmed."""
    kinds = (EffectKind.ACTIVATE, EffectKind.CONFIRM)
    found = (one.memory_id for one in item.decision.effects if one.kind in kinds)
    return next(found, item.candidate.candidate_id)


def standing(pattern: Pattern, item: HeldItem | None, memory: Memory | None) -> PatternStanding:
    """Where it stands.

    A person has the last word: what they rejected, forgot or replaced is dismissed, and what they restored is knowledge
    again.

    Args:
        pattern: as the ledger keeps it.
        item: its candidate, if it was ever proposed.
        memory: what that became; None if the store has none, or not yet.
    """
    if pattern.state is PatternState.DISMISSED and memory is not None and memory.status in _CURRENT:
        return PatternStanding.KNOWLEDGE
    if pattern.state is not PatternState.PROPOSED or item is None:
        return PatternStanding(PatternState.RETIRED if pattern.state is PatternState.PROPOSED else pattern.state)
    if item.state is CandidateState.HELD:
        return PatternStanding.HELD
    ended = memory is not None and memory.status not in _CURRENT
    return PatternStanding.DISMISSED if item.state in _DECIDED or ended else PatternStanding.KNOWLEDGE
