"""What detectors read and what they find. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from core.model import aware, sha256_text, unit
from core.policy import PatternRules

MONDAY, SATURDAY = 0, 5  # as `date.weekday` counts
_PURGED = "sha256:"  # before the digest of a key whose words were purged


class ObservationKind(StrEnum):
    """What sort of episode was read."""

    CALENDAR = "calendar"  # an entry of a calendar
    MESSAGE = "message"  # something that the owner or another person sent
    STATEMENT = "statement"  # what the owner said they prefer or chose


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One thing that an episode shows; made by code (`core.patterns.observe`), never by a model.

    Times keep the zone that they were given in: a weekday or an hour is the wall clock's there. `session` is the
    sitting that it belongs to: a chat's conversation; of a calendar entry or another person's message the ISO week it
    stood in, since a connector brings years at once.
    """

    episode_id: str
    session: str
    at: datetime  # when it happened: a message was sent, an entry was to begin before anybody moved it
    kind: ObservationKind
    trust: float = 1.0  # effective trust of the episode, its own roots included (rules §1.3)
    own: bool = True  # the owner's own doing; False: somebody else's message
    start: datetime | None = None  # calendar: when it begins now
    moved_from: datetime | None = None  # calendar: when it was to begin; None: it was not moved
    cancelled: bool = False
    counterparts: tuple[str, ...] = ()  # with whom, as the source names them
    topic: str = ""  # summary of a calendar entry
    attribute: str = ""  # statement: "prefers", "takes", "orders" …
    value: str = ""
    context: str = ""  # statement: "in the morning", "at work" …
    denies: bool = False  # statement: the owner does not want the value there

    def __post_init__(self) -> None:
        """Refuse naive times and a trust outside [0, 1]."""
        unit(self.trust, "trust")
        for one in (self.at, self.start, self.moved_from):
            if one is not None:
                aware(one)

    @property
    def day(self) -> date:
        """The day it happened on, in its own zone."""
        return self.at.date()

    @property
    def weekday(self) -> int:
        """0 for a Monday, in its own zone."""
        return self.at.weekday()


@dataclass(frozen=True, kw_only=True, slots=True)
class Occasion:
    """What one observation says about one key of a detector."""

    key: str  # what repeats, in the detector's own terms: "monday", "after_break", "in the morning|tea"
    label: str  # the same for people; nothing in it that the evidence lacks
    observation: Observation
    speaks_for: bool


class Detector(Protocol):
    """One sort of pattern. Stateless; the same observations in any order give the same occasions."""

    @property
    def name(self) -> str:
        """A snake_case name that stands in the ledger: it never changes its meaning."""

    def occasions(self, observations: Sequence[Observation], rules: PatternRules, now: datetime) -> Iterator[Occasion]:
        """What each observation says, for or against; in any order.

        Args:
            observations: oldest first, each thing once.
            rules: the policy's numbers.
            now: what lies after it has not happened yet.
        """

    def sentence(self, label: str) -> str:
        """The pattern in one plain sentence addressed to the owner."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hypothesis:
    """What a detector supposes about a key, with everything that speaks for and against it."""

    detector: str
    key: str
    label: str
    sentence: str
    supports: tuple[Observation, ...]  # one an episode, oldest first
    against: tuple[Observation, ...]  # one an episode, oldest first
    proven: bool
    short_of: tuple[str, ...] = ()  # which numbers it misses: "episodes", "sessions", "share"

    @property
    def sessions(self) -> int:
        """Over how many sessions the evidence for it is spread."""
        return len({one.session for one in self.supports})

    @property
    def share(self) -> float:
        """Of all that speaks for or against it, how much speaks for it; 0 if nothing does."""
        total = len(self.supports) + len(self.against)
        return len(self.supports) / total if total else 0.0

    @property
    def trust(self) -> float:
        """The weakest of the episodes that it rests on (rules §1.3); 0 if it rests on none."""
        return min((one.trust for one in self.supports), default=0.0)

    @property
    def episodes(self) -> tuple[str, ...]:
        """Ids of the episodes that speak for it: the roots of what becomes of it."""
        return tuple(one.episode_id for one in self.supports)


def purged_key(key: str) -> str:
    """What stands for a key whose words were purged: the same pattern is known again by it (rules §2.9)."""
    return key if key.startswith(_PURGED) else f"{_PURGED}{sha256_text(key)}"
