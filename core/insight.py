"""What the charts of decay and trust are drawn of: numbers of one's own memories, or a tenant's, and one memory's past.

Read only. A member sees their own numbers; reviewers and admins may ask for everybody's in their tenant, which are
counts and never a word, an id or a source's name of anybody else's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from core.accounts import Accounts
from core.curve import Moment, fades_at, replay
from core.decay import fading
from core.errors import BadInput, NotFound
from core.model import Actor, CandidateState, EffectKind, Memory, MemoryStatus, Role, Scope, SourceKind
from core.policy import Policy
from core.ports import (
    Clock,
    Dot,
    Kept,
    LedgerInsight,
    MemoryReader,
    Proposed,
    SourceCount,
    Spell,
    StoreInsight,
    StrengthCell,
    TrustBin,
)
from core.survival import Step, kaplan_meier, last_seen

BINS = 20  # parts of [0, 1] in which trust and strength are counted
DOTS = 500  # memories drawn one by one; a browser draws more only slowly, and an eye sees no more
PLACES = 25  # single sources listed
LONGEST = 366  # days of the daily counts at most


class Whose(StrEnum):
    """Whose numbers."""

    OWN = "own"
    TENANT = "tenant"


@dataclass(frozen=True, kw_only=True, slots=True)
class Survival:
    """How long memories of one source kind stand."""

    source_kind: SourceKind
    count: int
    ended: int
    steps: tuple[Step, ...]  # times in days
    seen_days: float  # nothing is known beyond: no memory of this kind is older


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """What happened on one day (UTC)."""

    day: date
    proposed: int
    held: int  # of those proposed on this day: they waited for a person, or still do
    promoted: int
    superseded: int  # and still are
    archived: int  # and still are


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What came of one source kind."""

    counts: SourceCount
    remembered: int  # memories that it made, in any status
    replaced: int  # of them, by a later statement


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    """Everything that the page draws of many memories."""

    whose: Whose
    people: int
    at: datetime
    kept: tuple[Kept, ...]
    trust: tuple[TrustBin, ...]  # held ones included
    survival: tuple[Survival, ...]  # the most memories first
    cells: tuple[StrengthCell, ...]
    days: tuple[Day, ...]  # every day of the period, without holes
    sources: tuple[Source, ...]
    places: tuple[SourceCount, ...]  # the actor's own only

    def total(self, *statuses: MemoryStatus) -> int:
        """Memories in these statuses; in any, if none is named."""
        return sum(one.count for one in self.kept if not statuses or one.status in statuses)

    @property
    def held(self) -> int:
        """Candidates that wait for a person."""
        return sum(one.count for one in self.trust if one.status is None)

    @property
    def weak(self) -> int:
        """Active memories whose strength is below the limit: the next question that touches one puts it away."""
        return sum(one.weak for one in self.kept)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scatter:
    """A bounded sample of the actor's active memories."""

    dots: tuple[Dot, ...]
    total: int


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """One memory, what happened to it, and when it falls below the limit if nothing more does."""

    memory: Memory
    at: datetime
    moments: tuple[Moment, ...]  # oldest first; the last one is the memory as it is
    fades_at: datetime | None

    @property
    def recalls(self) -> tuple[Moment, ...]:
        """The answers that used it, as far as they are on record."""
        return tuple(one for one in self.moments if one.cause is EffectKind.REINFORCE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Insight:
    """The desk."""

    accounts: Accounts
    ledger: LedgerInsight
    numbers: StoreInsight
    store: MemoryReader
    policy: Policy
    clock: Clock

    def overview(self, actor: Actor, *, whose: Whose = Whose.OWN, days: int = 90) -> Overview:
        """The numbers of the actor's memories, or of everybody's in the tenant, and of the last `days` days.

        Raises:
            NotAuthorised: the actor is signed out, or a member who asks for the tenant's.
            BadInput: not between 1 and 366 days.
            StoreUnavailable, LedgerUnavailable: a part is down.
        """
        scopes, owner = self._scopes(actor, whose)
        if not 1 <= days <= LONGEST:
            msg = f"Choose between 1 and {LONGEST} days, not {days}."
            raise BadInput(msg)
        at = self.clock.now()
        first = (at - timedelta(days=days - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
        stored = self.numbers.numbers(
            scopes,
            at=at,
            since=first,
            fading=fading(self.policy.decay),
            weak_below=self.policy.decay.archive_below,
            bins=BINS,
        )
        tenant = actor.tenant
        proposed = self.ledger.proposed(tenant, owner=owner)
        promoted = self.ledger.promoted(tenant, owner=owner, since=first)
        ended = {(one.day, one.status): one.count for one in stored.ended}
        return Overview(
            whose=whose,
            people=len(scopes),
            at=at,
            kept=stored.kept,
            trust=(*self.ledger.held_trust(tenant, owner=owner, bins=BINS), *stored.trust),
            survival=survival(stored.spells),
            cells=stored.cells,
            days=daily(first.date(), days, proposed, promoted, ended),
            sources=by_kind(proposed, self.ledger.contradicted(tenant, owner=owner), stored.kept),
            places=tuple(self.ledger.places(tenant, owner=actor.user_id, limit=PLACES)) if owner else (),
        )

    def scatter(self, actor: Actor) -> Scatter:
        """A sample of the actor's own active memories, each with trust and strength: what can be clicked on.

        Raises:
            NotAuthorised: the actor is signed out.
            StoreUnavailable: the store is down.
        """
        self.accounts.authorise(actor)
        dots, total = self.numbers.dots(actor.scope, at=self.clock.now(), fading=fading(self.policy.decay), limit=DOTS)
        return Scatter(dots=tuple(dots), total=total)

    def history(self, actor: Actor, memory_id: str) -> History:
        """One memory of the actor's own and its past.

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: the actor has no memory by that id.
            StoreUnavailable, LedgerUnavailable: a part is down.
        """
        self.accounts.authorise(actor)
        memory = self.store.get(actor.scope, memory_id)
        if memory is None or memory.scope != actor.scope:
            msg = "There is no such memory."
            raise NotFound(msg)
        moments = replay(self.ledger.effects(actor.scope, memory_id))
        if not moments:  # an older installation's rows: what is known is how it is
            moments = (Moment(at=memory.created_at, cause=EffectKind.ACTIVATE, memory=memory),)
        moments = (*moments[:-1], Moment(at=moments[-1].at, cause=moments[-1].cause, memory=memory))
        return History(
            memory=memory, at=self.clock.now(), moments=moments, fades_at=fades_at(memory, self.policy.decay)
        )

    def _scopes(self, actor: Actor, whose: Whose) -> tuple[list[Scope], str | None]:
        """The owners whose rows are counted, and the ledger's filter: None is the whole tenant."""
        if whose is Whose.OWN:
            self.accounts.authorise(actor)
            return [actor.scope], actor.user_id
        person = self.accounts.authorise(actor, Role.REVIEWER, Role.ADMIN)
        return [Scope(tenant=person.tenant, owner=one) for one in self.accounts.names(person.tenant)], None


def survival(spells: Sequence[Spell]) -> tuple[Survival, ...]:
    """One curve a source kind, the kind with the most memories first."""
    curves = []
    for kind in dict.fromkeys(one.source_kind for one in spells):
        of_kind = [(float(one.days), one.ended, one.count) for one in spells if one.source_kind is kind]
        curves.append(
            Survival(
                source_kind=kind,
                count=sum(count for _, _, count in of_kind),
                ended=sum(count for _, ended, count in of_kind if ended),
                steps=kaplan_meier(of_kind),
                seen_days=last_seen(of_kind),
            )
        )
    return tuple(sorted(curves, key=lambda one: (-one.count, one.source_kind)))


def daily(
    first: date,
    days: int,
    proposed: Iterable[Proposed],
    promoted: Mapping[date, int],
    ended: Mapping[tuple[date, MemoryStatus], int],
) -> tuple[Day, ...]:
    """Every day from `first` on, also those on which nothing happened."""
    came: Counter[date] = Counter()
    held: Counter[date] = Counter()
    for one in proposed:
        came[one.day] += one.count
        held[one.day] += one.held
    period = (first + timedelta(days=number) for number in range(days))
    return tuple(
        Day(
            day=day,
            proposed=came[day],
            held=held[day],
            promoted=promoted.get(day, 0),
            superseded=ended.get((day, MemoryStatus.SUPERSEDED), 0),
            archived=ended.get((day, MemoryStatus.ARCHIVED), 0),
        )
        for day in period
    )


def by_kind(
    proposed: Iterable[Proposed], contradicted: Mapping[SourceKind, int], kept: Iterable[Kept]
) -> tuple[Source, ...]:
    """What came of each source kind, the most candidates first."""
    states: Counter[tuple[SourceKind, CandidateState]] = Counter()
    for one in proposed:
        states[one.source_kind, one.state] += one.count
    stored: Counter[tuple[SourceKind, MemoryStatus]] = Counter()
    for row in kept:
        stored[row.source_kind, row.status] += row.count
    found = [
        Source(
            counts=SourceCount(
                source_kind=kind,
                source_ref="",
                proposed=sum(states[kind, state] for state in CandidateState),
                held=states[kind, CandidateState.HELD],
                admitted=states[kind, CandidateState.ADMITTED],
                promoted=states[kind, CandidateState.PROMOTED],
                contradicted=contradicted.get(kind, 0),
            ),
            remembered=sum(stored[kind, status] for status in MemoryStatus),
            replaced=stored[kind, MemoryStatus.SUPERSEDED],
        )
        for kind in SourceKind
    ]
    shown = [one for one in found if one.counts.proposed or one.remembered]
    return tuple(sorted(shown, key=lambda one: (-one.counts.proposed, one.counts.source_kind)))
