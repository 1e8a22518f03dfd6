"""Exact binomial intervals for rates (Clopper and Pearson, 1934), and bootstrap intervals for means."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

CONFIDENCE = 0.95
_STEPS = 60  # halvings: far below what is printed


def _tail(count: int, n: int, p: float) -> float:
    """P(X >= count) of a binomial with n trials of probability p, summed by logarithms: n may be in the thousands."""
    whole, up, down = math.lgamma(n + 1), math.log(p), math.log1p(-p)
    ways = (whole - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * up + (n - k) * down for k in range(count, n + 1))
    return math.fsum(math.exp(one) for one in ways)


def _solve(target: float, count: int, n: int) -> float:
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _tail(count, n, middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def interval(count: int, n: int) -> tuple[float, float]:
    """Lower and upper end of the 95 % interval of count / n, each in [0, 1]; (0, 1) when n is 0."""
    if not n:
        return 0.0, 1.0
    alpha = (1 - CONFIDENCE) / 2
    low = 0.0 if count == 0 else _solve(alpha, count, n)
    high = 1.0 if count == n else _solve(1 - alpha, count + 1, n)
    return low, high


def shown_rate(count: int, n: int) -> str:
    """A rate with its interval: "3/50 6.0 % [1.3, 16.5]"."""
    low, high = interval(count, n)
    return f"{count}/{n} {100 * count / max(1, n):.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def bootstrap(values: Sequence[float], *, draws: int = 1000, seed: int = 7) -> tuple[float, float]:
    """Lower and upper end of the 95 % bootstrap interval of a mean; (0, 0) without values."""
    if not values:
        return 0.0, 0.0
    taken = np.asarray(values, dtype=float)
    picks = np.random.default_rng(seed).integers(0, taken.size, size=(draws, taken.size))
    low, high = np.quantile(taken[picks].mean(axis=1), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
