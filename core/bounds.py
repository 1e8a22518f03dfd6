"""Which numbers a policy may hold: every key with its range, refused by name where it does not fit. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from core.errors import Misconfigured

_UNIT = (0.0, 1.0)
_DAYS = (0.01, 36_500.0)  # a quarter of an hour to a century
UNNAMED = (0.0, 1_000_000.0)  # of a number that no line below names

RANGES: Mapping[str, tuple[float, float]] = {
    "trust": _UNIT,
    "tools": _UNIT,
    "authority": _UNIT,
    "composite": _UNIT,
    "composite.stale_access": (0, 1_000),
    "conflict.neighbours": (0, 50),
    "conflict.sustained_origins": (1, 20),
    "lifecycle.purge_after_days": (0.0, 3_650.0),
    "lifecycle.working_per_session": (1, 1_000),
    "connectors.ics_past_days": (0.0, 36_500.0),
    "connectors.ics_future_days": (0.0, 36_500.0),
    "decay.shape": (0.1, 3.0),
    "decay.event_eta_days": _DAYS,
    "decay.semantic_eta_days": _DAYS,
    "decay.semantic_eta_days_corroborated": _DAYS,
    "decay.lesson_eta_days": _DAYS,
    "decay.access_gain": (0.0, 10.0),
    "decay.access_cap": (1.0, 100.0),
    "decay.archive_below": _UNIT,
    "decay.trivial_below": _UNIT,
    "recall": _UNIT,
    "recall.top_k": (1, 100),
    "recall.candidates": (1, 1_000),
    "recall.min_cosine": (-1.0, 1.0),
    "recall.strong_cosine": (-1.0, 1.0),
    "recall.recency_tau_days": _DAYS,
    "recall.reply": (0.0, 5.0),
    "recall.terse_words": (1, 1_000),
    "confidence": _UNIT,
    "confidence.origins_needed": (1, 20),
    "questions": _UNIT,
    "questions.max_open": (0, 1_000),
    "questions.later_days": _DAYS,
    "questions.ask_again_days": _DAYS,
    "questions.decided_days": _DAYS,
    "questions.prior": (0.01, 100.0),
    "questions.observed_min": (2, 10_000),
    "patterns.min_episodes": (1, 1_000),
    "patterns.min_sessions": (1, 1_000),
    "patterns.min_share": _UNIT,
    "patterns.window_days": _DAYS,
    "patterns.list_from": (1, 1_000),
    "patterns.importance": _UNIT,
    "patterns.late_from_hour": (12, 23),
    "patterns.late_until_hour": (0, 11),
    "patterns.break_days": (1, 365),
    "patterns.busy_week_entries": (1, 1_000),
    "review.undo_minutes": (0.0, 1_440.0),
    "review.fold_from": (0, 10_000),
    "review.background_importance": (0.0, 2.0),  # above 1 nothing is a decision of its own
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "recall.ranker": ("product", "weighted"),
    "decay.archive_on": ("strength", "score"),
}


def range_of(key: str) -> tuple[float, float]:
    """Lowest and highest value that the number `section.key` may have."""
    return RANGES.get(key) or RANGES.get(key.partition(".")[0]) or UNNAMED


def check_numbers(section: str, rules: object) -> None:
    """Refuse a number, flag or choice of one section that makes no sense.

    Raises:
        Misconfigured: the message names the key, its value and what it may be.
    """
    if not is_dataclass(rules):
        return
    kinds = get_type_hints(type(rules))
    for one in fields(rules):
        key, value, kind = f"{section}.{one.name}", getattr(rules, one.name), kinds[one.name]
        if kind in (int, float):
            _check_number(key, value, kind)
        elif kind is bool and not isinstance(value, bool):
            msg = f"the policy's {key} is {value!r}; it must be true or false"
            raise Misconfigured(msg)
        elif key in CHOICES and value not in CHOICES[key]:
            msg = f"the policy's {key} is {value!r}; it must be {' or '.join(CHOICES[key])}"
            raise Misconfigured(msg)


def _check_number(key: str, value: Any, kind: type) -> None:
    low, high = range_of(key)
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not fits or not low <= value <= high or (kind is int and value != int(value)):
        sort = "a whole number" if kind is int else "a number"
        msg = f"the policy's {key} is {value!r}; it must be {sort} from {low:g} to {high:g}"
        raise Misconfigured(msg)
