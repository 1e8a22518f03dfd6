"""Patterns as the ledger keeps them, and the work that waits on them (rules §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from core.model import Episode, Scope, aware


class PatternState(StrEnum):
    """How far a pattern came. Whether a proposed one is held or knowledge says its candidate."""

    HYPOTHESIS = "hypothesis"  # not enough speaks for it
    PROPOSED = "proposed"  # it went before the gate, as `candidate_id`
    RETIRED = "retired"  # it was proposed once; what speaks for it no longer carries
    DISMISSED = "dismissed"  # a person said no; `seen` is what spoke for it then


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """What one detector supposes of one owner about one key, as of the last look."""

    pattern_id: str
    scope: Scope
    detector: str
    key: str
    sentence: str  # the rules' own; a candidate may be worded otherwise
    state: PatternState
    supports: tuple[str, ...]  # ids of the episodes that speak for it, oldest first
    against: tuple[str, ...]
    sessions: int
    updated_at: datetime
    candidate_id: str = ""
    seen: tuple[str, ...] = ()
    version: int = 0  # 0: not kept yet

    def __post_init__(self) -> None:
        """Refuse naive times."""
        aware(self.updated_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternWork:
    """An owner with episodes that no look has seen."""

    scope: Scope
    through: int  # serial number up to which everything was taken through the write path


class PatternReader(Protocol):
    """What of the ledger patterns are made from."""

    def pattern_work(self, policy_digest: str, *, limit: int) -> list[PatternWork]:
        """Owners with new episodes since the last look, or whose last look was by another policy; oldest work first."""

    def pattern_episodes(self, scope: Scope, *, through: int, limit: int) -> list[Episode]:
        """The last episodes of an owner and agent up to a serial number, in order; what assistants said is left out."""

    def patterns(self, scope: Scope) -> list[Pattern]:
        """An owner's patterns in every state, last changed first."""

    def pattern(self, pattern_id: str) -> Pattern | None:
        """One pattern by id."""


class PatternTx(Protocol):
    """What a ledger transaction writes of patterns."""

    def put_pattern(self, pattern: Pattern) -> None:
        """Insert a pattern of version 0, or change the one of this version; it has the next version then.

        Raises:
            StaleReview: it was changed meanwhile.
        """

    def mark_patterns(self, scope: Scope, *, through: int, policy_digest: str) -> None:
        """Remember up to which episode, and by which policy, an owner was looked at."""


class PatternWording(Protocol):
    """Puts a proven pattern into words. Rules do it where no model is configured."""

    def word(self, sentence: str) -> str:
        """The same in better words, or `sentence` itself; nothing that is not in it is added."""


class KeyMapper(Protocol):
    """Finds which keys of the memory a free question is about."""

    def keys(self, question: str, known: Sequence[str]) -> list[str]:
        """Those of `known` that the question is about, best first; none that is not in `known`."""
