"""What the peers' answers are worth, and how two series of paired times compare."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from eval.peers.material import Asked


def says(text: str, value: str) -> bool:
    """Whether a text names a value, as whole words."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One question's best hits: the current value is among them, and a hit gives a former one as if it held."""

    current: bool
    stale: bool


def judge(asked: Asked, hits: Sequence[str]) -> Judged:
    """A hit is stale if it names a former value and not the current one."""
    current = any(says(hit, asked.current) for hit in hits)
    stale = any(any(says(hit, former) for former in asked.former) and not says(hit, asked.current) for hit in hits)
    return Judged(current=current, stale=stale)


def foreign(hits: Sequence[str], others: Sequence[str]) -> int:
    """How many of a user's hits name what only another user said."""
    return sum(any(says(hit, value) for value in others) for hit in hits)


def missing(acknowledged: Sequence[str], listed: Sequence[str]) -> list[str]:
    """Marks of acknowledged statements that no memory names any more."""
    return [mark for mark in acknowledged if not any(says(text, mark) for text in listed)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """Milliseconds of single calls."""

    n: int
    p50: float
    p95: float
    per_second: float  # calls a second, one after the other

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Self:
        """Summarise two calls or more."""
        return cls(
            n=len(seconds),
            p50=1000 * statistics.median(seconds),
            p95=1000 * statistics.quantiles(seconds, n=20)[-1],
            per_second=len(seconds) / sum(seconds),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Ratio:
    """A peer's times over the product's in the same rounds: the median of the pairs, and the middle half of them."""

    median: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, peer: Sequence[float], product: Sequence[float]) -> Self | None:
        """Paired, round by round; None without four pairs or more."""
        pairs = [left / right for left, right in zip(peer, product, strict=False) if right > 0]
        if len(pairs) < 4:
            return None
        low, median, high = statistics.quantiles(pairs, n=4)
        return cls(median=median, low=low, high=high, n=len(pairs))

    def __str__(self) -> str:
        """The ratio with its spread."""
        return f"×{self.median:.2f} [{self.low:.2f}, {self.high:.2f}]"
