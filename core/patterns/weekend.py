"""Weekends that stay free of appointments. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.patterns.nouns import Observation, ObservationKind, Occasion
from core.patterns.weeks import by_week, is_weekend, over
from core.policy import PatternRules


@dataclass(frozen=True, slots=True)
class WeekendAvoidance:
    """An entry moved off a weekend or cancelled on one speaks for it; so does a busy week whose weekend stayed free.

    An entry that took place on a weekend, or was moved onto one, speaks against it. A free weekend alone says nothing:
    without a calendar every weekend is free. It is told by its week's last entry.
    """

    name: str = "weekend_avoidance"

    def occasions(self, observations: Sequence[Observation], rules: PatternRules, now: datetime) -> Iterator[Occasion]:
        """One for each entry that touches a weekend, and one for each busy week without any."""
        entries = [one for one in observations if one.kind is ObservationKind.CALENDAR]
        touched: set[str] = set()
        for week, there in by_week(entries).items():
            for one in there:
                begins = one.start or one.at
                stood, stands = is_weekend(one.day), is_weekend(begins.date()) and not one.cancelled
                if not stood and not stands:
                    continue
                touched.add(week)
                if stands and begins <= now:
                    yield _occasion(one, speaks_for=False)
                elif stood and not stands:
                    yield _occasion(one, speaks_for=True)
        for week, there in by_week(entries).items():
            kept = [one for one in there if not one.cancelled]
            if week not in touched and len(kept) >= rules.busy_week_entries and over(kept[-1].day, now):
                yield _occasion(kept[-1], speaks_for=True)

    def sentence(self, label: str) -> str:  # noqa: ARG002 - the protocol's signature
        """There is one sentence only."""
        return "You keep your weekends free of appointments."


def _occasion(one: Observation, *, speaks_for: bool) -> Occasion:
    return Occasion(key="weekend", label="", observation=one, speaks_for=speaks_for)
