"""The text of a calendar event, a field a line: written by the calendar's connector, read where patterns are found.

    Calendar event: Team meeting
    Start: 2026-03-03T10:00:00+01:00
    End: 2026-03-03T11:00:00+01:00
    Status: confirmed
    Moved from: 2026-03-02T10:00:00+01:00
    With: Ben Okafor, tove@example.org
    Where: Room 4
    Notes: …

Pure. A field stands on one line, so that no value can begin another field.
"""

from __future__ import annotations

from collections.abc import Sequence

EVENT, START, END, STATUS, MOVED_FROM, WITH, WHERE, NOTES = (
    "Calendar event",
    "Start",
    "End",
    "Status",
    "Moved from",
    "With",
    "Where",
    "Notes",
)


def written(fields: Sequence[tuple[str, str]]) -> str:
    """An event's text; fields without a value are left out."""
    rows = ((name, " ".join(value.split())) for name, value in fields)
    return "\n".join(f"{name}: {value}" for name, value in rows if value)


def field_of(text: str, name: str) -> str:
    """The value of one field; "" if the text has none."""
    return next((row[len(name) + 2 :] for row in text.split("\n") if row.startswith(f"{name}: ")), "")


def is_event(text: str) -> bool:
    """Whether a text is a calendar event's."""
    return text.startswith(f"{EVENT}: ") and bool(field_of(text, START))


def moved(earlier: str, now: str) -> str:
    """An event's text with where it stood in an earlier version of it, if it was moved since."""
    before = field_of(earlier, START)
    if not before or before == field_of(now, START) or field_of(now, MOVED_FROM):
        return now
    rows = now.split("\n")
    at = next((nth for nth, row in enumerate(rows) if row.startswith(f"{STATUS}: ")), len(rows) - 1)
    return "\n".join([*rows[: at + 1], f"{MOVED_FROM}: {before}", *rows[at + 1 :]])
