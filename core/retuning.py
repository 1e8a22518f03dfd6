"""How long statements of each kind stay true, as observed, against the half-life that the policy gives them. Pure.

From each time that a fact was stated or confirmed one waits for the next word on it. A confirmation says that it was
still true after that time, a replacement that it was not. The median of the product-limit estimate is the half-life
that this suggests; with too few observations nothing is suggested (policy `questions.observed_min`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from core.decay import SECONDS_PER_DAY, kind_eta
from core.model import EffectKind, MemoryKind
from core.policy import DecayRules
from core.ports import Happened
from core.reputation import said_again
from core.survival import kaplan_meier

_TRUE_STILL = frozenset({EffectKind.CONFIRM, EffectKind.ATTEST})
_ENDED = frozenset({EffectKind.SUPERSEDE, EffectKind.RETRACT})
_GONE = frozenset({EffectKind.REMOVE, EffectKind.TOMBSTONE})  # says nothing about whether it was true
HALF = 0.5
KINDS = (MemoryKind.FACT, MemoryKind.PREFERENCE, MemoryKind.PROCEDURE, MemoryKind.LESSON, MemoryKind.EVENT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """What was observed of one kind. Times in days."""

    kind: MemoryKind
    confirmed: int  # intervals that ended with a confirmation
    replaced: int  # intervals that ended with a replacement or a retraction
    median_interval: float | None  # between a statement and the next word on it
    suggested: float | None  # half-life; None: not reached, or too little is known
    policy: float  # half-life in force, with one origin
    enough: bool  # whether there are as many observations as the policy asks for

    @property
    def observed(self) -> int:
        """How many intervals."""
        return self.confirmed + self.replaced


def policy_half_life(kind: MemoryKind, rules: DecayRules) -> float:
    """The half-life in days that the policy gives a kind, with one origin and before access grows it."""
    curve = rules.kinds.get(kind.value, {})
    if "half_life_days" in curve:
        return float(curve["half_life_days"])
    shape = curve.get("shape") or rules.shape
    return float(kind_eta(kind, rules, corroborated=False) * math.log(2) ** (1 / shape))


def intervals(happened: Sequence[Happened]) -> dict[MemoryKind, list[tuple[float, bool]]]:
    """By kind, (days, whether it had ended) from each statement to the next word on it."""
    since: dict[str, tuple[MemoryKind, datetime]] = {}
    found: dict[MemoryKind, list[tuple[float, bool]]] = {}
    agreed = said_again(happened)
    for one in happened:
        if one.kind is EffectKind.ACTIVATE and one.memory_kind is not None and one.stated_at is not None:
            since[one.memory_id] = (one.memory_kind, one.stated_at)
            continue
        known = since.get(one.memory_id)
        if known is None:
            continue
        if one.kind in _GONE:
            del since[one.memory_id]
        elif one.kind in _TRUE_STILL or one.kind in _ENDED:
            kind, start = known
            days = (one.at - start).total_seconds() / SECONDS_PER_DAY
            if days > 0:
                wrong = one.kind in _ENDED and one.memory_id not in agreed
                found.setdefault(kind, []).append((days, wrong))
            if one.kind in _ENDED:
                del since[one.memory_id]
            else:
                since[one.memory_id] = (kind, max(start, one.at))
    return found


def tunings(happened: Sequence[Happened], rules: DecayRules, *, least: int) -> list[Tuning]:
    """What each kind's observed intervals suggest, against the policy in force.

    Args:
        happened: changes of memories, in order.
        rules: the policy's section.
        least: intervals below which nothing is suggested.
    """
    seen = intervals(happened)
    made = []
    for kind in KINDS:
        spells = seen.get(kind, [])
        ended = sum(gone for _, gone in spells)
        steps = kaplan_meier((days, gone, 1) for days, gone in spells)
        reached = next((step.at for step in steps if step.share <= HALF), None)
        enough = len(spells) >= least
        made.append(
            Tuning(
                kind=kind,
                confirmed=len(spells) - ended,
                replaced=ended,
                median_interval=median(days for days, _ in spells) if spells else None,
                suggested=reached if enough else None,
                policy=policy_half_life(kind, rules),
                enough=enough,
            )
        )
    return made


def proposal(one: Tuning, rules: DecayRules) -> Mapping[str, Any]:
    """The change of the policy that a suggestion comes to; empty without one."""
    if one.suggested is None:
        return {}
    curve = dict(rules.kinds.get(one.kind.value, {}))
    return {f"decay.kinds.{one.kind.value}": curve | {"half_life_days": round(one.suggested, 2)}}


__all__ = ["Tuning", "intervals", "policy_half_life", "proposal", "tunings"]
