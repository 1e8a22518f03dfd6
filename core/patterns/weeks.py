"""Weeks of the calendar as detectors count them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from core.patterns.nouns import MONDAY, SATURDAY, Observation

DAYS = 7


def week_of(day: date) -> str:
    """The ISO week of a day, such as "2026-W09": a Sunday belongs to the week before the Monday after it."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def is_weekend(day: date) -> bool:
    """Whether it is a Saturday or a Sunday."""
    return day.weekday() >= SATURDAY


def over(day: date, now: datetime) -> bool:
    """Whether the week of a day is over in every zone at `now`."""
    monday = day - timedelta(days=day.weekday() - MONDAY)
    return now.date() > monday + timedelta(days=DAYS)  # a day later than in UTC: the west is half a day behind


def by_week(observations: Iterable[Observation]) -> dict[str, list[Observation]]:
    """Observations by the ISO week of their day, in the order given."""
    found: dict[str, list[Observation]] = {}
    for one in observations:
        found.setdefault(week_of(one.day), []).append(one)
    return found
