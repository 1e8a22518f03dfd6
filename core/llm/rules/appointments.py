"""A calendar's event as one memory: what, when, with whom, where. Its notes are somebody's prose and stay unread."""

from __future__ import annotations

from datetime import datetime

from core.eventtext import END, EVENT, MOVED_FROM, NOTES, START, STATUS, WHERE, WITH, field_of, is_event
from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.model import MemoryKind, Provenance, SpeechAct

IMPORTANCE = 0.5  # an appointment: more than passing context, less than a plan that its owner tells


def read_appointment(text: str, origin: Provenance) -> list[Draft] | None:
    """The one fact of an event's text; None if the text is no event's."""
    if not is_event(text):
        return None
    title = field_of(text, EVENT)
    notes = text.find(f"\n{NOTES}: ")
    act = SpeechAct.DIRECTIVE if act_of(title, asks=False) is SpeechAct.DIRECTIVE else SpeechAct.ASSERTION
    said = told(text)
    return [
        Draft(
            origin.title or origin.source_ref or "calendar",
            "calendar_event",
            said,
            said,
            0,
            notes if notes > 0 else len(text),
            kind=MemoryKind.EVENT,
            act=act,
            importance=IMPORTANCE,
        )
    ]


def told(text: str) -> str:
    """An event in one line: "Dentist, 2026-03-05 10:00 to 10:30 (UTC+01:00), with Dr Ruiz, at Quay 7"."""
    parts = [field_of(text, EVENT), _when(field_of(text, START), field_of(text, END))]
    if field_of(text, MOVED_FROM):
        parts.append(f"moved from {_time(field_of(text, MOVED_FROM))}")
    if field_of(text, STATUS) in ("cancelled", "tentative"):
        parts.append(field_of(text, STATUS))
    parts += [f"{word} {value}" for word, name in (("with", WITH), ("at", WHERE)) if (value := field_of(text, name))]
    return ", ".join(parts)


def _when(start: str, end: str) -> str:
    if "T" not in start:
        return f"{start} to {end}" if end and end != start else start
    until = _time(end) if end else ""
    begun = _time(start)
    if until and until[:10] == begun[:10]:
        until = until[11:]
    offset = _offset(start)
    return f"{begun} to {until}{offset}" if until else f"{begun}{offset}"


def _time(stamp: str) -> str:
    """A time as it stands on the clock there; a day as a day."""
    try:
        return f"{datetime.fromisoformat(stamp):%Y-%m-%d %H:%M}" if "T" in stamp else stamp
    except ValueError:
        return stamp


def _offset(stamp: str) -> str:
    try:
        named = datetime.fromisoformat(stamp).tzname()
    except ValueError:
        return ""
    return f" ({named})" if named else ""
