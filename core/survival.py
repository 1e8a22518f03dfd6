"""How long things last when not all of them have ended: the product-limit estimator of Kaplan and Meier (1958). Pure.

A memory that still stands has lasted at least as long as it is old. Leaving it out, or counting it as ended, would both
be wrong; the estimator counts it among those at risk up to its age and no further.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

_Z = 1.959963984540054  # 97.5 % point of the normal distribution: 95 % intervals


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """The curve from one time on, up to the next step."""

    at: float  # in the unit of the durations
    at_risk: int  # still standing and observed just before
    ended: int  # at this time
    share: float  # estimated share that lasts longer than this, in [0, 1]
    low: float  # 95 % interval (log-log, Greenwood's variance)
    high: float


def kaplan_meier(spells: Iterable[tuple[float, bool, int]]) -> tuple[Step, ...]:
    """The survival curve as steps, the first at time 0.

    Args:
        spells: (duration, whether it ended, how many of this sort); the others were observed for so long and no more.
            At a tie those that ended did so before the others left.

    Returns:
        One step a time at which something ended, after the one at 0; empty without spells.

    Raises:
        ValueError: a duration or a number is negative.
    """
    ended: dict[float, int] = {}
    left: dict[float, int] = {}
    for duration, event, count in spells:
        if duration < 0 or count < 0:
            msg = f"a spell lasts zero or more and happens zero or more times, not {duration} and {count}"
            raise ValueError(msg)
        counts = ended if event else left
        counts[duration] = counts.get(duration, 0) + count
    at_risk = sum(ended.values()) + sum(left.values())
    if at_risk == 0:
        return ()
    share, variance = 1.0, 0.0  # of ln share, by Greenwood's formula
    steps = [] if ended.get(0) else [Step(at=0.0, at_risk=at_risk, ended=0, share=1.0, low=1.0, high=1.0)]
    for at in sorted(ended.keys() | left.keys()):
        gone = ended.get(at, 0)
        if gone:
            share *= 1.0 - gone / at_risk
            variance = variance + gone / (at_risk * (at_risk - gone)) if gone < at_risk else math.inf
            low, high = _interval(share, variance)
            steps.append(Step(at=at, at_risk=at_risk, ended=gone, share=share, low=low, high=high))
        at_risk -= gone + left.get(at, 0)
    return tuple(steps)


def last_seen(spells: Iterable[tuple[float, bool, int]]) -> float:
    """The longest duration observed: where the curve stops, since nothing is known beyond it. 0 without spells."""
    return max((duration for duration, _, count in spells if count), default=0.0)


def share_at(steps: Iterable[Step], at: float) -> float | None:
    """The estimated share that lasts longer than `at`; None without a curve."""
    found = None
    for step in steps:
        if step.at > at:
            break
        found = step.share
    return found


def median(steps: Iterable[Step]) -> float | None:
    """The first time at which at most half still stands; None when more do to the end of what is known."""
    return next((step.at for step in steps if step.share <= 0.5), None)  # noqa: PLR2004 - a median is a half


def _interval(share: float, variance: float) -> tuple[float, float]:
    """Log-log limits, which stay in [0, 1]; at a share of 0 nothing is known but that."""
    if share <= 0.0:
        return 0.0, 0.0
    width = _Z * math.sqrt(variance) / math.log(share)
    edges = (share ** math.exp(width), share ** math.exp(-width))
    return min(edges), max(edges)
