"""Days that end late: messages in the night. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from core.patterns.nouns import Observation, ObservationKind, Occasion
from core.policy import PatternRules


@dataclass(frozen=True, slots=True)
class LateNight:
    """A day on which the owner wrote late speaks for it, a day on which they wrote but not late speaks against it.

    A day ends when the night does: what is written at two belongs to the day before. Hours are the wall clock's of the
    policy's zone, daylight saving included.
    """

    name: str = "late_night"

    def occasions(
        self,
        observations: Sequence[Observation],
        rules: PatternRules,
        now: datetime,
    ) -> Iterator[Occasion]:
        """One for each day on which the owner wrote: by its first late message, else by its first."""
        days: dict[date, list[Observation]] = {}
        for one in observations:
            if one.kind is ObservationKind.MESSAGE and one.own and one.at <= now:
                # on the wall clock: subtracting from an aware time of one zone moves its hands, not its instant
                days.setdefault((one.at - timedelta(hours=rules.late_until_hour)).date(), []).append(one)
        for there in days.values():
            late = [one for one in there if _is_late(one.at, rules)]
            yield Occasion(key="late_night", label="", observation=(late or there)[0], speaks_for=bool(late))

    def sentence(self, label: str) -> str:  # noqa: ARG002 - the protocol's signature
        """There is one sentence only."""
        return "You are often active late at night."


def _is_late(at: datetime, rules: PatternRules) -> bool:
    return at.hour >= rules.late_from_hour or at.hour < rules.late_until_hour
