"""What repeats across a person's episodes, found by small detectors and proven by counting (rules §5.3). Pure.

`observe` reads episodes into observations; each detector turns them into occasions that speak for or against a key;
`prove` weighs those against the policy's numbers. Adding a detector is told in docs/patterns.md.
"""

from __future__ import annotations

from core.patterns.counterpart import RecurringCounterpart
from core.patterns.late_night import LateNight
from core.patterns.nouns import Detector, Hypothesis, Observation, ObservationKind, Occasion
from core.patterns.observe import observe
from core.patterns.preference import RepeatedPreference
from core.patterns.prove import carries, prove
from core.patterns.reschedule import RecurringReschedule
from core.patterns.weekend import WeekendAvoidance

DETECTORS: tuple[Detector, ...] = (
    RecurringReschedule(),
    WeekendAvoidance(),
    LateNight(),
    RepeatedPreference(),
    RecurringCounterpart(),
)
"""The detectors of rules §5.3, in their order; the worker runs these."""

__all__ = [
    "DETECTORS",
    "Detector",
    "Hypothesis",
    "LateNight",
    "Observation",
    "ObservationKind",
    "Occasion",
    "RecurringCounterpart",
    "RecurringReschedule",
    "RepeatedPreference",
    "WeekendAvoidance",
    "carries",
    "observe",
    "prove",
]
