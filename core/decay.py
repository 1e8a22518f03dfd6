"""Freshness: how much of a memory's strength is left (rules §2.2–2.4). Pure arithmetic, ages in days."""

from __future__ import annotations

import math
from datetime import datetime

from core.model import Memory, MemoryKind
from core.policy import DecayRules
from core.slots import is_durable

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
    if memory.kind is MemoryKind.EVENT or memory.kind is MemoryKind.WORKING:
        base = rules.event_eta_days
    elif memory.kind is MemoryKind.LESSON:
        base = rules.lesson_eta_days
    else:
        base = rules.semantic_eta_days_corroborated if memory.origins > 1 else rules.semantic_eta_days
    return base * grown


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
