"""How figures grow with the number of memories, and what a thousand requests cost by a table of prices."""

from __future__ import annotations

import math
import random
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PRICES = Path(__file__).with_name("prices.toml")
DRAWS = 400  # of the bootstrap
SEED = 7
_INSIDE = (0.025, 0.975)  # of the draws


@dataclass(frozen=True, kw_only=True, slots=True)
class Exponent:
    """The slope of log(figure) over log(memories): 0 does not grow, 1 grows as the memories do."""

    slope: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """What the machine costs; see prices.toml."""

    currency: str
    core_hour: float
    memory_gb_month: float
    disk_gb_month: float
    requests_a_month: float
    cores_a_request: float

    @classmethod
    def read(cls, path: Path = PRICES) -> Prices:
        """Read a table.

        Raises:
            TypeError: an entry is missing, or one is not known.
        """
        return cls(**tomllib.loads(path.read_text(encoding="utf-8")))

    def of_thousand(self, milliseconds: float) -> float:
        """What a thousand requests of so many milliseconds each cost in processor time."""
        return milliseconds / 3_600.0 * self.cores_a_request * self.core_hour

    def kept(self, memory: int, disk: int) -> float:
        """What bytes of memory and disk cost a thousand requests, shared out over the month's."""
        month = memory / 1e9 * self.memory_gb_month + disk / 1e9 * self.disk_gb_month
        return month / self.requests_a_month * 1_000


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Least squares through the logarithms.

    Raises:
        ValueError: fewer than two sizes, or a figure that is not above 0.
    """
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    if len(set(xs)) < 2:
        msg = "an exponent needs two sizes"
        raise ValueError(msg)
    return statistics.linear_regression(xs, ys).slope


def of_samples(samples: Mapping[int, Sequence[float]]) -> Exponent:
    """The exponent of the medians; its spread is that of medians drawn anew from the same measurements."""
    draw = random.Random(SEED)  # noqa: S311 - a bootstrap, no secret
    drawn = sorted(
        slope([(size, statistics.median(draw.choices(values, k=len(values)))) for size, values in samples.items()])
        for _ in range(DRAWS)
    )
    low, high = (drawn[int(share * (DRAWS - 1))] for share in _INSIDE)
    middle = slope([(size, statistics.median(values)) for size, values in samples.items()])
    return Exponent(slope=middle, low=low, high=high)


def of_figures(figures: Mapping[int, float]) -> Exponent:
    """The exponent of one figure a size; its spread is from the flattest to the steepest step between two sizes."""
    points = sorted(figures.items())
    steps = [slope(points[at : at + 2]) for at in range(len(points) - 1)]
    return Exponent(slope=slope(points), low=min(steps), high=max(steps))
