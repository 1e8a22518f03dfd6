"""In which order held items are looked at, and which must be looked at one by one. Pure."""

from __future__ import annotations

from core.clusters import FINDING
from core.model import Candidate, Decision

ORDERS = ("priority", "oldest", "newest")
FLAGGED = frozenset({"directive", "impact", "ask_owner"})  # reasons that a promotion must override in so many words
_FIRST = frozenset({"directive", "conflict", "ask_owner"})  # reasons of what is looked at before all else
_REST = 1000  # above every number of the first class


def flags(decision: Decision) -> list[str]:
    """Why a promotion must be confirmed in so many words: the tier, the form, or a detector's finding."""
    found = {one.detector.replace("_", " ") for one in decision.evidence.findings if one.severity >= FINDING}
    return sorted(FLAGGED.intersection(decision.reasons) | found)


def alone(decision: Decision) -> bool:
    """Whether an item is never promoted together with others: flagged, or of an impact tier."""
    return bool(flags(decision) or decision.evidence.impact)


def priority(candidate: Candidate, decision: Decision) -> int:
    """The place in the order `priority`, smallest first: attacks and conflicts, then by importance; ties by age."""
    first = bool(_FIRST.intersection(decision.reasons)) or any(
        one.severity >= FINDING for one in decision.evidence.findings
    )
    return (0 if first else _REST) + round(100 * (1.0 - candidate.proposal.importance))


__all__ = ["FLAGGED", "ORDERS", "alone", "flags", "priority"]
