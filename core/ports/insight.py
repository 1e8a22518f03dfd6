"""Numbers about memories and their sources: what the charts are drawn of. Counts, ids and times, never words.

Everything here is the owner's, whichever agent wrote it. Each count is made by the database; nothing is sampled but
`Dot`s, whose sample is bounded and says of how many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from core.model import CandidateState, Effect, MemoryKind, MemoryStatus, Scope, SourceKind


@dataclass(frozen=True, kw_only=True, slots=True)
class KindFading:
    """How one memory kind fades (rules §2.3)."""

    kind: MemoryKind
    half_life_days: float | None  # the policy's own for this kind; None: the η below count
    eta_days: float  # with one origin, before access grows it
    eta_days_corroborated: float  # with two or more
    shape: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Fading:
    """The rules of decay as a table: enough to compute freshness where the rows are (rules §2.2, §2.3)."""

    access_gain: float
    access_cap: float
    never: tuple[str, ...]  # attributes that never decay
    kinds: tuple[KindFading, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrustBin:
    """Memories of one status whose effective trust lies in [low, low + 1 / bins); the last bin holds 1.0 as well."""

    status: MemoryStatus | None  # None: held, not a memory
    low: float
    vouched: bool  # a named person promoted them (rules §1.11)
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Spell:
    """How long memories stood: whole days from when they came in until they ended, or until now."""

    source_kind: SourceKind
    days: int
    ended: bool  # False: still active, so that it lasted at least so long (right-censored)
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StrengthCell:
    """Active memories by effective trust and strength, each in [low, low + 1 / bins)."""

    trust: float
    strength: float
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """Memories that were replaced, or put away, on one day (UTC) and still are."""

    day: date
    status: MemoryStatus
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Memories by source kind and status; `weak` of them are active with a strength below the limit asked for."""

    source_kind: SourceKind
    status: MemoryStatus
    count: int
    weak: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreNumbers:
    """All that the store counts, from one scan an owner."""

    trust: tuple[TrustBin, ...] = ()
    spells: tuple[Spell, ...] = ()
    cells: tuple[StrengthCell, ...] = ()
    ended: tuple[Ended, ...] = ()
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """One active memory as a point, with what a person opens it by."""

    memory_id: str
    source_kind: SourceKind
    trust: float  # effective, in [0, 1]
    strength: float  # importance × freshness, in [0, 1]


class StoreInsight(Protocol):
    """Read-only numbers from the store, one owner at a time under row-level security."""

    def numbers(
        self, scopes: Sequence[Scope], *, at: datetime, since: datetime, fading: Fading, weak_below: float, bins: int
    ) -> StoreNumbers:
        """The numbers of these owners together, all of their agents; in one transaction, one owner after another.

        Args:
            scopes: whose; the agent is not looked at.
            at: what "now" is.
            since: the first day of `ended`.
            fading: the rules of decay.
            weak_below: strength below which an active memory counts as weak.
            bins: into how many equal parts [0, 1] is cut.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def dots(self, scope: Scope, *, at: datetime, fading: Fading, limit: int) -> tuple[list[Dot], int]:
        """At most `limit` active memories of a scope, the same random ones each time, by id; and how many there are.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposed:
    """Candidates that came in on one day (UTC), by what became of them.

    `held` of them waited for a person, or still do: those held or promoted now, and those that a person rejected.
    """

    day: date
    source_kind: SourceKind
    state: CandidateState
    count: int
    held: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceCount:
    """What came of one source's candidates. `source_ref` is "" where a whole kind is counted."""

    source_kind: SourceKind
    source_ref: str
    proposed: int
    held: int  # waiting now
    admitted: int
    promoted: int
    contradicted: int  # met a memory that says otherwise, as the gate saw it


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldWaiting:
    """Held facts of all tenants in one state: "waiting", "assigned" (a colleague was asked) or "snoozed"."""

    state: str
    count: int
    oldest: datetime | None  # when the first of them came in; None: there is none


@dataclass(frozen=True, kw_only=True, slots=True)
class Vitals:
    """What an operator watches of a ledger, at one moment, over all tenants: numbers and times alone."""

    inbox: int  # texts that wait for a worker or are in its hands
    inbox_oldest: datetime | None  # when the first of them was received
    leases: int  # of them in a worker's hands
    outbox: int  # effects that the store has not had yet
    outbox_oldest: datetime | None  # when the first of them was decided
    held: tuple[HeldWaiting, ...]
    untold: Mapping[str, int]  # audit entries that a reader of the chain has not dealt with, by action


class LedgerInsight(Protocol):
    """Read-only numbers from the ledger. `owner` None counts everybody of the tenant: `core.insight` authorises."""

    def proposed(self, tenant: str, *, owner: str | None) -> list[Proposed]:
        """Every day's candidates by source kind and state."""

    def promoted(self, tenant: str, *, owner: str | None, since: datetime) -> dict[date, int]:
        """Promotions a day, by people; one that was undone and made again counts each time."""

    def contradicted(self, tenant: str, *, owner: str | None) -> dict[SourceKind, int]:
        """How many candidates of each source kind met a memory that says otherwise, as the gate saw it."""

    def places(self, tenant: str, *, owner: str, limit: int) -> list[SourceCount]:
        """An owner's single pages, documents, tools and people with what came of them, the most candidates first."""

    def held_trust(self, tenant: str, *, owner: str | None, bins: int) -> list[TrustBin]:
        """Waiting candidates by the effective trust that the gate saw."""

    def effects(self, scope: Scope, memory_id: str) -> list[Effect]:
        """Every change that was decided for one memory of the scope, in order."""

    def vitals(self, *, at: datetime, reader: str = "") -> Vitals:
        """What an operator watches, from indexes: its cost grows with what waits, not with what is kept.

        Args:
            at: what "now" is, for leases and what is put off.
            reader: of the audit chain, whose untold entries are counted, 10,000 at most; "" counts none, and so does a
                reader that has not begun.

        Raises:
            LedgerUnavailable: the ledger cannot be read.
        """
