"""The curve of one memory: how strong it was, is and will be, and when it falls below the limit (rules §2.2–2.6). Pure.

The past is replayed from the effects that were decided for it, so that every recall and confirmation shows where it
happened. The future is the formula with nothing more happening; its meeting with the limit is solved, not searched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.decay import eta_days, freshness, shape_of, strength
from core.model import Effect, EffectKind, Memory, MemoryStatus
from core.policy import DecayRules

_STATED = (EffectKind.CONFIRM, EffectKind.UNCONFIRM, EffectKind.ATTEST, EffectKind.UNATTEST)


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """One change of a memory and the memory as it was from then on."""

    at: datetime
    cause: EffectKind
    memory: Memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One point of a curve. `strength` None breaks the line: the memory was not in use then."""

    at: datetime
    strength: float | None
    freshness: float | None


def fades_at(memory: Memory, rules: DecayRules) -> datetime | None:
    """When importance × freshness falls below the limit if nothing more happens; None: never, or past any calendar.

    importance · exp(−(t/η)^s) = θ gives t = η · ln(importance/θ)^(1/s), in days since it was last stated. A memory
    that is too unimportant from the start is below at once: then it is the time it was stated.
    """
    eta, theta = eta_days(memory, rules), rules.archive_below
    if memory.importance < theta:
        return memory.stated_at
    if math.isinf(eta) or theta <= 0.0:
        return None
    days = eta * math.log(memory.importance / theta) ** (1.0 / shape_of(memory, rules))
    try:
        return memory.stated_at + timedelta(days=days)
    except OverflowError:
        return None


def recalled(memory: Memory, times: int = 1) -> Memory:
    """The memory as if it had been used in so many more answers (rules §2.4): it fades slower, its age stays."""
    return replace(memory, access_count=memory.access_count + times)


def confirmed(memory: Memory, at: datetime) -> Memory:
    """The memory as if it were stated again at `at`: its age counts from then, and it is active (rules §2.2, §2.6)."""
    return replace(memory, stated_at=max(memory.stated_at, at), status=MemoryStatus.ACTIVE, expired_at=None)


def replay(effects: Sequence[Effect]) -> tuple[Moment, ...]:
    """A memory's changes in order, each with the memory after it; empty when its beginning is not known.

    What the store does with each effect, done again (see the store's queries). Links change nothing of it. A removal
    ends what was; a later activation begins anew.
    """
    moments: list[Moment] = []
    for effect in effects:
        before = moments[-1].memory if moments else None
        if effect.kind is EffectKind.REMOVE:
            moments.clear()
        elif effect.kind is EffectKind.ACTIVATE and effect.memory is not None:
            moments.append(Moment(at=effect.at, cause=effect.kind, memory=effect.memory))
        elif before is not None and effect.kind is not EffectKind.LINK:
            moments.append(Moment(at=effect.at, cause=effect.kind, memory=_after(before, effect)))
    return tuple(moments)


def _after(memory: Memory, effect: Effect) -> Memory:  # noqa: PLR0911 - one answer a kind of effect
    kind, at = effect.kind, effect.at
    if kind is EffectKind.REINFORCE:
        return recalled(memory)
    if kind in (EffectKind.PIN, EffectKind.UNPIN):
        return replace(memory, pinned=kind is EffectKind.PIN)
    if kind in _STATED:
        return _stated(memory, effect)
    if kind is EffectKind.RESTORE:
        return replace(memory, status=MemoryStatus.ACTIVE, expired_at=None, superseded_by=None)
    if kind is EffectKind.TOMBSTONE:
        return replace(memory, status=MemoryStatus.DELETED, expired_at=at)
    if kind is EffectKind.ARCHIVE:
        active = memory.status is MemoryStatus.ACTIVE
        return replace(memory, status=MemoryStatus.ARCHIVED, expired_at=at) if active else memory
    if memory.status is MemoryStatus.DELETED:
        return memory
    return replace(memory, status=MemoryStatus.SUPERSEDED, superseded_by=effect.by_memory_id, expired_at=at)


def _stated(memory: Memory, effect: Effect) -> Memory:
    """After a statement or a person's confirmation, or after either was taken back."""
    kind, at = effect.kind, effect.at
    if kind in (EffectKind.CONFIRM, EffectKind.ATTEST):
        stated = replace(memory, stated_at=max(memory.stated_at, at))
        if memory.status is MemoryStatus.ARCHIVED:
            stated = replace(stated, status=MemoryStatus.ACTIVE, expired_at=None)
        if kind is EffectKind.ATTEST:
            return replace(stated, confirmed_by=effect.by, confirmed_at=at)
        if effect.origin and effect.origin not in memory.support:
            stated = replace(stated, support=(*memory.support, effect.origin), origins=len(memory.support) + 1)
        return stated
    if kind is EffectKind.UNCONFIRM:
        gone = effect.origin and effect.origin in memory.support
        support = tuple(one for one in memory.support if one != effect.origin)
        origins = max(1, len(support)) if gone else memory.origins
        before = _before(memory, at, effect)
        return replace(memory, stated_at=before, support=support, origins=origins)
    if memory.confirmed_by is None or effect.by not in ("", memory.confirmed_by):
        return memory
    before = _before(memory, memory.confirmed_at, effect)
    return replace(memory, confirmed_by=None, confirmed_at=None, stated_at=before)


def _before(memory: Memory, at: datetime | None, effect: Effect) -> datetime:
    """When it had been stated before what was said at `at`, unless it was stated again since."""
    return effect.until if effect.until is not None and memory.stated_at == at else memory.stated_at


def past(moments: Sequence[Moment], until: datetime, rules: DecayRules, *, points: int = 200) -> tuple[Point, ...]:
    """The curve as it was from the first moment to `until`, about `points` points and two a change, in order of time.

    Each change is drawn as a step: the last point before it and the first after it have one time. A stretch in which
    the memory was out of use is a break.
    """
    drawn: list[Point] = []
    whole = (until - moments[0].at).total_seconds() if moments else 0.0
    for index, moment in enumerate(moments):
        end = moments[index + 1].at if index + 1 < len(moments) else until
        if end < moment.at:  # a clock that was set back
            continue
        if moment.memory.status is not MemoryStatus.ACTIVE:
            drawn.append(Point(at=moment.at, strength=None, freshness=None))
            continue
        share = (end - moment.at).total_seconds() / whole if whole > 0 else 0.0
        drawn += future(moment.memory, moment.at, end, rules, points=max(2, round(points * share)))
    return tuple(drawn)


def future(
    memory: Memory, start: datetime, end: datetime, rules: DecayRules, *, points: int = 120
) -> tuple[Point, ...]:
    """The curve from `start` to `end` if nothing more happens: `points` (two or more) evenly spaced in time."""
    step = (end - start) / max(1, points - 1)
    times = [start + step * number for number in range(points - 1)] + [end]
    return tuple(
        Point(at=at, strength=strength(memory, at, rules), freshness=freshness(memory, at, rules)) for at in times
    )
