"""Reads the text of a calendar episode: one field a line, as importers and the calendar tool write it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

FIRST = "Calendar event:"
_FIELD = re.compile(r"(Calendar event|Start|End|Status|Moved from|With|Where|Notes):[ \t]*(.*)")
_MAX_LINES = 40  # of one entry that are looked at: notes go on for pages
_NAME = re.compile(r"[^\W\d_][\w .,'’@+-]{0,59}")
_MAX_WORDS = 5
_YEARS = range(1970, 2200)  # of an appointment; what lies outside cannot be counted with
_MAILTO = re.compile(r"(?i)^mailto:")
_BRACKETED = re.compile(r"\s*[<(].*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarEntry:
    """One appointment as its text tells it. Times keep the offset that they were written with."""

    summary: str
    start: datetime
    end: datetime | None = None
    cancelled: bool = False
    moved_from: datetime | None = None  # when it was to begin before; None: it was not moved
    counterparts: tuple[str, ...] = ()


def calendar_entries(text: str, zone: tzinfo) -> list[CalendarEntry]:
    """The appointments that a text lists, if it begins with one; [] if it is no calendar's text.

    What does not fit is left out, entry by entry: an entry without a start that can be read, a move to the time that
    it stood at anyway. Only the first line of a field counts, and only its first mention.

    Args:
        text: an episode's text.
        zone: of times written without an offset.
    """
    if not text.lstrip().startswith(FIRST):
        return []
    blocks: list[list[str]] = []
    for line in text.lstrip().splitlines():
        if line.startswith(FIRST):
            blocks.append([])
        if blocks and len(blocks[-1]) < _MAX_LINES:
            blocks[-1].append(line)
    entries = (_entry(lines, zone) for lines in blocks)
    return [one for one in entries if one is not None]


def _entry(lines: list[str], zone: tzinfo) -> CalendarEntry | None:
    given: dict[str, str] = {}
    for line in lines:
        found = _FIELD.fullmatch(line.rstrip())
        if found is not None:
            given.setdefault(found[1], found[2].strip())
        if "Notes" in given:  # the rest is somebody's prose, whatever it looks like
            break
    start = _time(given.get("Start", ""), zone)
    if start is None:
        return None
    moved = _time(given.get("Moved from", ""), zone)
    return CalendarEntry(
        summary=given.get("Calendar event", ""),
        start=start,
        end=_time(given.get("End", ""), zone),
        cancelled=given.get("Status", "").casefold() == "cancelled",
        moved_from=moved if moved != start else None,
        counterparts=names_in(given.get("With", "")),
    )


def _time(text: str, zone: tzinfo) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if found.year not in _YEARS:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)


def names_in(text: str) -> tuple[str, ...]:
    """Names or addresses of a list, each once; what looks like neither is left out.

    A name goes into a sentence that is remembered: only short ones of ordinary letters do, never a sentence.
    """
    found = []
    for part in text.split(","):
        name = " ".join(_BRACKETED.sub("", _MAILTO.sub("", part.strip())).strip("\"' ").split())
        if name and _NAME.fullmatch(name) and len(name.split()) <= _MAX_WORDS:
            found.append(name)
    return tuple(dict.fromkeys(found))
