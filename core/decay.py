"""Freshness: how much of a memory's strength is left (rules §2.2–2.4). Pure arithmetic, ages in days."""

from __future__ import annotations

import math
from datetime import datetime

from core.model import Memory, MemoryKind
from core.policy import DecayRules
from core.ports import Fading, KindFading
from core.slots import SLOTS, is_durable

SECONDS_PER_DAY = 86_400.0


def age_days(stated_at: datetime, at: datetime) -> float:
    """Days since the fact was last stated or confirmed; never negative (clocks of two hosts may differ)."""
    return max(0.0, (at - stated_at).total_seconds() / SECONDS_PER_DAY)


def eta_days(memory: Memory, rules: DecayRules) -> float:
    """Effective time constant in days, `inf` for what never decays (rules §2.3), grown by access (rules §2.2)."""
    if memory.pinned or memory.kind is MemoryKind.PINNED:
        return math.inf
    grown = min(1.0 + rules.access_gain * memory.access_count, rules.access_cap)
    if memory.half_life_days is None and rules.durable and is_durable(memory.attribute):
        return math.inf
    half_life = memory.half_life_days or rules.kinds.get(memory.kind.value, {}).get("half_life_days")
    if half_life is not None:
        return float(half_life / math.log(2) ** (1 / shape_of(memory, rules)) * grown)
    return kind_eta(memory.kind, rules, corroborated=memory.origins > 1) * grown


def kind_eta(kind: MemoryKind, rules: DecayRules, *, corroborated: bool) -> float:
    """η in days of a memory kind that the policy gives no half-life of its own, before access grows it (rules §2.3)."""
    if kind is MemoryKind.EVENT or kind is MemoryKind.WORKING:
        return rules.event_eta_days
    if kind is MemoryKind.LESSON:
        return rules.lesson_eta_days
    return rules.semantic_eta_days_corroborated if corroborated else rules.semantic_eta_days


def shape_of(memory: Memory, rules: DecayRules) -> float:
    """Shape of a memory's curve: its own, its kind's, or the policy's; 1 is exponential (rules §2.3)."""
    return memory.shape or rules.kinds.get(memory.kind.value, {}).get("shape") or rules.shape


def strength(memory: Memory, at: datetime, rules: DecayRules) -> float:
    """Importance × freshness, in [0, 1]: what archiving looks at (rules §2.6)."""
    return memory.importance * freshness(memory, at, rules)


def freshness(memory: Memory, at: datetime, rules: DecayRules) -> float:
    """exp(-(t/η)^shape) in (0, 1]; 1 when just stated or when the memory never decays (rules §2.2)."""
    eta = eta_days(memory, rules)
    if math.isinf(eta):
        return 1.0
    return math.exp(-((age_days(memory.stated_at, at) / eta) ** shape_of(memory, rules)))


def fading(rules: DecayRules) -> Fading:
    """The same rules as a table, for a database that computes the freshness of many rows itself."""
    return Fading(
        access_gain=rules.access_gain,
        access_cap=rules.access_cap,
        never=tuple(sorted(name for name, slot in SLOTS.items() if slot.durable)) if rules.durable else (),
        kinds=tuple(
            KindFading(
                kind=kind,
                half_life_days=rules.kinds.get(kind.value, {}).get("half_life_days"),
                eta_days=kind_eta(kind, rules, corroborated=False),
                eta_days_corroborated=kind_eta(kind, rules, corroborated=True),
                shape=rules.kinds.get(kind.value, {}).get("shape") or rules.shape,
            )
            for kind in MemoryKind
        ),
    )
