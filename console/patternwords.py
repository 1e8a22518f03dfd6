"""The words of the patterns section. Pure."""

from __future__ import annotations

from console import words
from core.patterndesk import PatternStanding, PatternView

STANDINGS = {
    PatternStanding.KNOWLEDGE: ("good", "Knowledge"),
    PatternStanding.HELD: ("warn", "Held for review"),
    PatternStanding.HYPOTHESIS: ("info", "Hypothesis"),
    PatternStanding.DISMISSED: ("plain", "Dismissed"),
    PatternStanding.RETIRED: ("plain", "Retired"),
}
DETECTORS = {
    "recurring_reschedule": "Moved appointments",
    "weekend_avoidance": "Free weekends",
    "late_night": "Late nights",
    "repeated_preference": "Repeated choice",
    "recurring_counterpart": "Recurring person",
}
REASONS = ("It is not so", "It was so for a while", "It is private", "Other")
NOT_FOR_YOU = "Something that repeats waits for review; a reviewer reads it first."
NOTHING = (
    "No pattern yet",
    (
        "What repeats across your chats and calendar appears here: appointments that you keep moving, late nights, the "
        "same choice again, the same person every week. It takes three episodes over two sessions."
    ),
)
NONE_LEFT = ("No pattern at present", "What was found is no longer held to be so; it is listed below.")
DISMISSING = (
    "It leaves your memory, or the queue, at once. The same episodes do not bring it back, and what was remembered or "
    "held is not remembered again unless a person says so. Your no is audited, without its words."
)


def of(have: int, needed: int, noun: str) -> str:
    """A count with what is needed while it falls short: "2 of 3 episodes"."""
    return words.plural(have, noun) if have >= needed else f"{have} of {words.plural(needed, noun)}"


def meaning(view: PatternView) -> str:
    """What its standing means, in one sentence."""
    if view.standing is PatternStanding.HYPOTHESIS:
        missing = [
            *([of(view.supports, view.needed_episodes, "episode")] if view.supports < view.needed_episodes else []),
            *([of(view.sessions, view.needed_sessions, "session")] if view.sessions < view.needed_sessions else []),
            *([f"{view.share:.0%} of {view.needed_share:.0%} for it"] if view.share < view.needed_share else []),
        ]
        return f"Not remembered: {', '.join(missing) or 'it waits for the next look'}."
    return {
        PatternStanding.KNOWLEDGE: "Remembered, and used in answers like any other fact.",
        PatternStanding.HELD: "Not remembered: a person decides, since not everything it rests on is trusted enough.",
        PatternStanding.DISMISSED: "You said no. Only new episodes that are a pattern by themselves count again.",
        PatternStanding.RETIRED: "It was remembered once; what speaks for it no longer carries.",
    }[view.standing]
