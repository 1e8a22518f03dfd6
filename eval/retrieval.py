"""Scores of ranked lists against gold ids: recall at k, reciprocal rank, intervals. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.intervals import bootstrap

CUTS = (1, 5, 10, 20)
MRR_CUT = 10
NAMES = ("recall@1", "recall@5", "recall@10", "recall@20", "MRR@10")


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """What one question brought back: ids best first, each once."""

    question_id: str
    group: str  # conversation
    category: str
    gold: tuple[str, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mean:
    """A mean over questions with its 95 % bootstrap interval."""

    name: str
    n: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """The value with its interval."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def distinct(ids: Sequence[str | None], limit: int) -> tuple[str, ...]:
    """The first `limit` different ids in order of their first appearance; None (no gold unit) is left out."""
    return tuple(list(dict.fromkeys(one for one in ids if one is not None))[:limit])


def recall_at(gold: Sequence[str], ids: Sequence[str], k: int) -> float:
    """Share of the gold ids among the first k."""
    wanted = set(gold)
    return len(wanted & set(ids[:k])) / len(wanted)


def reciprocal_rank(gold: Sequence[str], ids: Sequence[str], k: int = MRR_CUT) -> float:
    """One over the place of the first gold id among the first k, 0 without one."""
    return next((1 / place for place, one in enumerate(ids[:k], 1) if one in set(gold)), 0.0)


def scores(one: Ranked) -> tuple[float, ...]:
    """The five figures of one question, as `NAMES` says."""
    return (*(recall_at(one.gold, one.ids, k) for k in CUTS), reciprocal_rank(one.gold, one.ids))


def means(ranked: Sequence[Ranked]) -> list[Mean]:
    """The five figures over questions."""
    columns = list(zip(*(scores(one) for one in ranked), strict=True)) or [() for _ in NAMES]
    found = []
    for name, column in zip(NAMES, columns, strict=True):
        low, high = bootstrap(column)
        value = sum(column) / len(column) if column else 0.0
        found.append(Mean(name=name, n=len(column), value=value, low=low, high=high))
    return found


def digest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Hex sha256 over output rows, the same for the same rows in the same order."""
    lines = "\n".join(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows)
    return hashlib.sha256(lines.encode()).hexdigest()


def rows_of(ranked: Sequence[Ranked]) -> list[dict[str, Any]]:
    """The ranked lists as output rows."""
    return [{"question": one.question_id, "category": one.category, "ids": list(one.ids)} for one in ranked]
