"""Numbers of one measurement: how many, their median and their 95th percentile."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """`n` measured values; milliseconds unless the caller says otherwise."""

    n: int
    p50: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Summarise two values or more."""
        return cls(n=len(values), p50=statistics.median(values), p95=statistics.quantiles(values, n=20)[-1])

    def __str__(self) -> str:
        """Median and 95th percentile."""
        return f"p50 {self.p50:7.2f} ms  p95 {self.p95:7.2f} ms  (n={self.n})"
