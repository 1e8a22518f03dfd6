"""Appointments that are moved again and again: on one weekday, or on the first day after a break. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from core.patterns.nouns import Observation, ObservationKind, Occasion
from core.policy import PatternRules

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
AFTER_BREAK = "after_break"


@dataclass(frozen=True, slots=True)
class RecurringReschedule:
    """Every entry that was moved speaks for it, every one that took place where it stood speaks against it.

    A cancelled entry says neither: nobody knows whether it would have been moved. The day is the one that the entry
    stood on first, by the wall clock of its own zone.
    """

    name: str = "recurring_reschedule"

    def occasions(self, observations: Sequence[Observation], rules: PatternRules, now: datetime) -> Iterator[Occasion]:
        """For the entry's weekday; and once more if it stood on the first day after a break."""
        entries = [one for one in observations if one.kind is ObservationKind.CALENDAR]
        firsts = _first_days(entries, rules)
        for one in entries:
            if one.cancelled or (one.moved_from is None and one.at > now):
                continue
            moved = one.moved_from is not None
            weekday = WEEKDAYS[one.weekday]
            yield Occasion(key=weekday.lower(), label=weekday, observation=one, speaks_for=moved)
            if one.day in firsts:
                yield Occasion(key=AFTER_BREAK, label="", observation=one, speaks_for=moved)

    def sentence(self, label: str) -> str:
        """By the weekday; without one it is the break."""
        if label:
            return f"You often move appointments that fall on a {label}."
        return "You often move appointments that fall on the first day after a break."


def _first_days(entries: Sequence[Observation], rules: PatternRules) -> set[date]:
    """Days with entries after at least `break_days` whole days without any; the first day of all follows nothing."""
    days = sorted({one.day for one in entries})
    return {day for before, day in pairwise(days) if (day - before).days > rules.break_days}
