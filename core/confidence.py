"""How sure a memory is, and what an agent may do with it: act, answer with sources, or ask (rules §5). Pure.

A confidence is shown as four products and their sum, each with three digits. It is computed from exactly these digits,
in decimal arithmetic, so that whoever adds up what the screen shows gets the figure that the limits are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from core.decay import age_days, eta_days, freshness, shape_of
from core.model import Advice, Confidence, Memory, MemoryKind, MemoryStatus, SourceKind, Term
from core.policy import WEIGHTS, Policy, composite_trust
from core.sameness import same_value
from core.slots import is_multi_valued

DIGITS = Decimal("0.001")


class Because(StrEnum):
    """Why an agent may do what it may."""

    CONFIRMED = "confirmed"  # act: sure enough, and a named person confirmed it
    TRUSTED = "trusted"  # act: sure enough, and of a trust that needs no confirmation
    UNCONFIRMED = "unconfirmed"  # answer: sure enough to act, but neither trusted nor confirmed enough
    CONTESTED = "contested"  # answer: sure enough to act, but a claim that waits has said otherwise since
    UNCHECKED = "unchecked"  # answer: sure enough to act, but whether such a claim waits cannot be seen now
    LOOSE = "loose"  # answer: sure enough to act, but it may be about something else than was asked
    SURE = "sure"  # answer
    UNSURE = "unsure"  # ask
    COMPETING = "competing"  # ask: two current values are about equally sure
    OPEN_CONFLICT = "open_conflict"  # ask: what waits for review says otherwise and is about as sure
    NOTHING = "nothing"  # ask: no memory answers


@dataclass(frozen=True, kw_only=True, slots=True)
class Rival:
    """A memory with its confidence, as one of two that compete."""

    memory: Memory
    confidence: Confidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Counsel:
    """What an agent may do with the memory that a question found, and why."""

    advice: Advice
    because: Because
    memory: Memory | None = None  # the one that decides it
    confidence: Confidence | None = None  # its
    rivals: tuple[Rival, ...] = ()  # what competes with it, the surest first
    waiting: tuple[str, ...] = ()  # ids of held items that do: their words stay with the review desk


NOTHING = Counsel(advice=Advice.ASK, because=Because.NOTHING)
_CAUTION = (Advice.ACT, Advice.ANSWER, Advice.ASK)


def confidence_of(memory: Memory, at: datetime, policy: Policy) -> Confidence:
    """The four terms of a memory's confidence at `at`, and their sum (rules §5.1).

    Corroboration counts independent origins, its own included, and is whole once a named person confirmed the memory in
    answer to a question. Recency is freshness with access left out: being read makes nothing truer. Verification is the
    composite trust. User-confirmation is whole if a person stated, confirmed or vouched for it.
    """
    rules, unread = policy.confidence, replace(memory, access_count=0)
    origins = max(1, memory.origins)
    by_person = _by_person(memory)
    trust = composite_trust(memory, freshness(memory, at, policy.decay), policy)
    values = {
        "corroboration": 1.0 if memory.confirmed_by else min(1.0, origins / rules.origins_needed),
        "recency": freshness(unread, at, policy.decay),
        "verification": trust,
        "user_confirmation": 1.0 if by_person else 0.0,
    }
    terms = tuple(_term(name, getattr(rules, name), values[name]) for name in WEIGHTS)
    eta = eta_days(unread, policy.decay)
    return Confidence(
        terms=terms,
        value=float(sum(_decimal(one.product) for one in terms)),
        origins=origins,
        origins_needed=rules.origins_needed,
        confirmed_by=memory.confirmed_by,
        age_days=age_days(memory.stated_at, at),
        eta_days=None if math.isinf(eta) else eta,
        shape=shape_of(memory, policy.decay),
        effective_trust=memory.effective_trust,
        composite_trust=trust,
        by_person=by_person,
    )


def _by_person(memory: Memory) -> str:
    if memory.confirmed_by:
        return "confirmed"
    if memory.source_kind is SourceKind.USER_TURN:
        return "stated"
    return "vouched" if memory.vouched_by else ""


def _term(name: str, weight: float, value: float) -> Term:
    shown = _decimal(value).quantize(DIGITS, ROUND_HALF_UP)
    product = (_decimal(weight) * shown).quantize(DIGITS, ROUND_HALF_UP)
    return Term(name=name, weight=weight, value=float(shown), product=float(product))


def _decimal(number: float) -> Decimal:
    """The decimal that the number is written as: 0.1 is a tenth."""
    return Decimal(repr(float(number)))


def advise(memory: Memory, others: Iterable[Memory], at: datetime, policy: Policy) -> Counsel:
    """What an agent may do with a memory, given what else its slot holds (rules §5.2).

    1. Another current value about as sure: ask, whatever the confidence. 2. Sure enough to act, and of enough trust or
    confirmed by a named person: act. 3. Sure enough to answer: answer with sources. 4. Else ask.

    Args:
        memory: what would be told or acted on.
        others: memories of its slot; itself and what does not compete are passed over.
        at: now.
        policy: whose numbers count.
    """
    rules, mine = policy.confidence, confidence_of(memory, at, policy)
    rivals = [
        Rival(memory=one, confidence=confidence_of(one, at, policy)) for one in others if competes(one, memory, at)
    ]
    near = [one for one in rivals if within(one.confidence, mine, rules.competing_within)]
    if near:
        ordered = sorted(near, key=lambda one: (-one.confidence.value, one.memory.memory_id))
        return Counsel(
            advice=Advice.ASK, because=Because.COMPETING, memory=memory, confidence=mine, rivals=tuple(ordered)
        )
    if mine.value >= rules.act_from and memory.confirmed_by:
        found = (Advice.ACT, Because.CONFIRMED)
    elif mine.value >= rules.act_from and memory.effective_trust >= rules.act_trust:
        found = (Advice.ACT, Because.TRUSTED)
    elif mine.value >= rules.act_from:
        found = (Advice.ANSWER, Because.UNCONFIRMED)
    elif mine.value >= rules.answer_from:
        found = (Advice.ANSWER, Because.SURE)
    else:
        found = (Advice.ASK, Because.UNSURE)
    return Counsel(advice=found[0], because=found[1], memory=memory, confidence=mine)


def unsure(memory: Memory, at: datetime, policy: Policy) -> bool:
    """Whether a memory by itself is not sure enough to answer with (rules §5.2)."""
    return confidence_of(memory, at, policy).value < policy.confidence.answer_from


def within(one: Confidence, other: Confidence, distance: float) -> bool:
    """Whether two confidences, as they are shown, are at most `distance` apart."""
    return abs(_decimal(one.value) - _decimal(other.value)) <= _decimal(distance)


def single_valued(memory: Memory) -> bool:
    """Whether its slot holds one value at a time: an event, or one liking among several, competes with nothing."""
    return memory.kind is not MemoryKind.EVENT and not is_multi_valued(memory.attribute)


def competes(other: Memory, memory: Memory, at: datetime) -> bool:
    """Whether two memories are current values of one slot that cannot both be right.

    Of two that a person answered "both are true" about neither competes: one was vouched for while the other
    stood, which no other act leaves behind.
    """
    return (
        other.memory_id != memory.memory_id
        and other.slot_key == memory.slot_key
        and single_valued(other)
        and single_valued(memory)
        and current(other, at)
        and current(memory, at)
        and not same_value(other.value, memory.value)
        and not _both_true(other, memory)
    )


def current(memory: Memory, at: datetime) -> bool:
    """Whether a memory is in use and says something that holds at `at`."""
    begun = memory.valid_at is None or memory.valid_at <= at
    ends = (memory.invalid_at, memory.expires_at)
    return memory.status is MemoryStatus.ACTIVE and begun and all(end is None or end > at for end in ends)


def _both_true(one: Memory, other: Memory) -> bool:
    return any(
        mine.vouched_at is not None and theirs.created_at <= mine.vouched_at
        for mine, theirs in ((one, other), (other, one))
    )


def most_cautious(counsels: Sequence[Counsel]) -> Counsel:
    """What may be done with several memories together: what may be done with the least of them; the first of equals."""
    return max(counsels, key=lambda one: _CAUTION.index(one.advice), default=NOTHING)


def reason(counsel: Counsel) -> str:
    """The reason in one English sentence, for an agent; it names the values that compete, never a held one."""
    sure = f"confidence {counsel.confidence.value:.3f}" if counsel.confidence else ""
    if counsel.because is Because.COMPETING and counsel.memory is not None and counsel.confidence is not None:
        both = [Rival(memory=counsel.memory, confidence=counsel.confidence), *counsel.rivals]
        named = " and ".join(f"“{one.memory.text}” ({_named(one)})" for one in both)
        return f"Current values compete: {named}. Ask which of them is right."
    return {
        Because.CONFIRMED: f"A named person confirmed it ({sure}).",
        Because.TRUSTED: f"It is sure enough to act on ({sure}).",
        Because.UNCONFIRMED: f"It is sure ({sure}), but no named person confirmed it: answer with its sources.",
        Because.CONTESTED: f"It is sure ({sure}), but something that waits for an answer has said otherwise since: do "
        "not act on it yet.",
        Because.UNCHECKED: f"It is sure ({sure}), but whether something waits that says otherwise cannot be seen now: "
        "do not act on it yet.",
        Because.LOOSE: f"It is sure ({sure}), but it may be about something else than was asked: do not act on it.",
        Because.SURE: f"It is sure enough to answer with its sources ({sure}).",
        Because.UNSURE: f"It is not sure enough ({sure}): ask whether it is right.",
        Because.OPEN_CONFLICT: f"What waits for review says otherwise and is about as sure ({sure}): ask first.",
    }.get(counsel.because, "No memory answers this: ask.")


def _named(one: Rival) -> str:
    source = one.memory.source_kind.value.replace("_", " ")
    return f"{source}, {one.memory.stated_at:%Y-%m-%d}, confidence {one.confidence.value:.3f}"


__all__ = [
    "NOTHING",
    "Because",
    "Counsel",
    "Rival",
    "advise",
    "competes",
    "confidence_of",
    "current",
    "most_cautious",
    "reason",
    "single_valued",
    "unsure",
    "within",
]
