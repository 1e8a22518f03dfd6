"""Whom the owner meets or hears from in most weeks. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.patterns.nouns import Observation, ObservationKind, Occasion
from core.patterns.weeks import by_week
from core.policy import PatternRules
from core.slots import normalise


@dataclass(frozen=True, slots=True)
class RecurringCounterpart:
    """A week with somebody speaks for them, a week with others only speaks against them; an empty week says nothing.

    The week is the unit: five meetings in one busy week are one. It is told by its first meeting or message.
    """

    name: str = "recurring_counterpart"

    def occasions(
        self,
        observations: Sequence[Observation],
        rules: PatternRules,  # noqa: ARG002 - the protocol's signature
        now: datetime,
    ) -> Iterator[Occasion]:
        """For each person, one for each week in which anybody was met or heard from."""
        met = [
            one
            for one in observations
            if one.kind is not ObservationKind.STATEMENT
            and one.counterparts
            and not one.cancelled
            and (one.start or one.at) <= now
        ]
        named: dict[str, str] = {}
        for name in sorted({name for one in met for name in one.counterparts}):
            named.setdefault(normalise(name), name)
        weeks = by_week(met).values()
        for key, label in named.items():
            for there in weeks:
                here = [one for one in there if any(normalise(name) == key for name in one.counterparts)]
                yield Occasion(key=key, label=label, observation=(here or there)[0], speaks_for=bool(here))

    def sentence(self, label: str) -> str:
        """By the name."""
        return f"You meet or hear from {label} in most weeks."
