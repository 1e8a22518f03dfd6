"""Calendars (RFC 5545): each occurrence within a window is an item; moved and cancelled ones say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import recurring_ical_events

from core.connectors.decoding import text_of
from core.errors import BadInput, TooLarge
from core.eventtext import END, EVENT, MOVED_FROM, NOTES, START, STATUS, WHERE, WITH, written
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item, Window

FORMAT = Format(
    key="ics",
    name="iCalendar",
    takes="a calendar file, as calendar programs export it",
    suffixes=(".ics", ".ical", ".ifb", ".icalendar"),
    classes=("ics",),
)
DAILY = 24  # occurrences of one event a day: a rule "every second" would keep a reader busy for hours
OCCURRENCES = 5_000  # of one event within the window
NOTES_CHARS = 4_000
_MOST = 40  # people named
_STATUS = {"CONFIRMED": "confirmed", "CANCELLED": "cancelled", "TENTATIVE": "tentative"}
_A_DAY = {"SECONDLY": 86_400, "MINUTELY": 1_440, "HOURLY": 24}
_UID = re.compile(r"^UID(?:;[^:\n]*)?:(.*)$", re.MULTILINE | re.IGNORECASE)
_FOLD = re.compile(r"\n[ \t]")
_ODD = (ValueError, KeyError, TypeError, IndexError, AttributeError, ArithmeticError)  # what odd calendars raise
_BEGIN, _END = "BEGIN:VEVENT", "END:VEVENT"


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One VEVENT as it stands in the file."""

    line: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """Implements `core.ports.Source` on a calendar file, which is read whole: zones may stand behind their events."""

    path: Path
    name: str
    limits: ImportLimits
    window: Window
    format: Format = FORMAT
    namespace: str = ""  # UIDs are unique everywhere

    def entries(self) -> Iterator[Entry]:
        """Every occurrence, event by event in the order of the file.

        Raises:
            TooLarge: the file is over the limit for what is read whole.
            BadInput: it is no calendar.
        """
        size = self.path.stat().st_size
        if size > self.limits.whole_bytes:
            most = self.limits.whole_bytes / 1e6
            msg = f"the calendar has {size / 1e6:,.0f} MB; the limit is {most:,.0f} MB. Export one year at a time."
            raise TooLarge(msg)
        try:
            text = text_of(self.path.read_bytes())
        except ValueError as problem:
            msg = f"{problem}: choose the .ics file that your calendar exported"
            raise BadInput(msg) from problem
        if "BEGIN:VCALENDAR" not in text.upper() and _BEGIN not in text.upper():
            msg = "this is no calendar: neither BEGIN:VCALENDAR nor BEGIN:VEVENT stands in it"
            raise BadInput(msg)
        blocks, rest = blocks_of(text)
        yield from self._groups(blocks, rest)

    def _groups(self, blocks: list[Block], rest: str) -> Iterator[Entry]:
        """Events by UID, moved occurrences with their series; a broken one takes nobody else along."""
        groups: dict[str, list[Block]] = {}
        for block in blocks:
            groups.setdefault(_uid(block), []).append(block)
        for uid, group in groups.items():
            place = f"line {group[0].line}"
            whole, broken = _readable(rest, group)
            yield from broken
            if whole is None:
                continue
            try:
                yield from self._occurrences(uid, place, whole)
            except _ODD as problem:
                yield BrokenItem(place=place, reason=_unread(problem))

    def _occurrences(self, uid: str, place: str, calendar: Any) -> Iterator[Entry]:
        events = list(calendar.walk("VEVENT"))
        recurring = any(event.get("RRULE") or event.get("RDATE") or event.get("RECURRENCE-ID") for event in events)
        if not recurring:
            yield self._item(uid, events[-1], place, recurring=False)  # a later one with the same UID replaces it
            return
        start = self.window.now - timedelta(days=self.window.past_days)
        end = self.window.now + timedelta(days=self.window.future_days)
        found = recurring_ical_events.of(calendar, skip_bad_series=False).between(start, end)
        if len(found) > OCCURRENCES:
            reason = f"it recurs {len(found):,} times within the window; the limit is {OCCURRENCES:,}"
            yield BrokenItem(place=place, reason=reason)
            return
        for event in sorted(found, key=lambda one: _utc(one["DTSTART"].dt)):
            yield self._item(uid, event, place, recurring=True)

    def _item(self, uid: str, event: Any, place: str, *, recurring: bool) -> Entry:
        start = event["DTSTART"].dt
        planned = event["RECURRENCE-ID"].dt if event.get("RECURRENCE-ID") is not None else None
        text = text_of_event(event)
        if len(text) > self.limits.entry_chars:
            return BrokenItem(place=place, reason=f"the event has {len(text):,} characters: shorten its notes")
        organiser = _person(event.get("ORGANIZER"))
        return Item(
            item_id=f"{uid}/{_utc(planned or start).isoformat()}" if recurring else uid,
            part_class="ics",
            texts=(text,),
            place=place,
            title=self.name,
            dated_at=_written(event),
            actor=organiser or self.name,
            source_ref=f"calendar {self.name}",
        )


def too_often(event: Any) -> bool:
    """Whether a rule gives more than DAILY occurrences a day, computed without writing one out."""
    rules = event.get("RRULE") or []
    for rule in rules if isinstance(rules, list) else [rules]:
        parts = {str(name).upper(): value for name, value in rule.items()}
        times = _A_DAY.get(str((parts.get("FREQ") or [""])[0]).upper(), 1)
        for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
            given = parts.get(name)
            times *= max(1, len(given)) if isinstance(given, list) else 1
        if times > DAILY:
            return True
    return False


def blocks_of(text: str) -> tuple[list[Block], str]:
    """The file's events with the lines they begin at, and the rest of it: zones and properties."""
    blocks: list[Block] = []
    rest: list[str] = []
    current: list[str] = []
    begun = 0
    for number, line in enumerate(text.split("\n"), start=1):
        mark = line.strip().upper()
        if mark == _BEGIN:
            if current:  # the one before was never closed
                blocks.append(Block(line=begun, text="\n".join(current)))
            current, begun = [line], number
        elif current:
            current.append(line)
            if mark == _END:
                blocks.append(Block(line=begun, text="\n".join(current)))
                current = []
        else:
            rest.append(line)
    if current:
        blocks.append(Block(line=begun, text="\n".join(current)))
    kept = [line for line in rest if line.strip()]
    return blocks, "\n".join(_zones(kept))


def _zones(lines: list[str]) -> Iterator[str]:
    """The definitions of time zones among a calendar's lines."""
    inside = False
    for line in lines:
        mark = line.strip().upper()
        inside = inside or mark == "BEGIN:VTIMEZONE"
        if inside:
            yield line
        if mark == "END:VTIMEZONE":
            inside = False


def _calendar(zones: str, events: list[str]) -> Any:
    head = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//import//EN"
    return icalendar.Calendar.from_ical("\n".join([head, *([zones] if zones else []), *events, "END:VCALENDAR", ""]))


def _readable(zones: str, group: list[Block]) -> tuple[Any, list[BrokenItem]]:
    """The events of one id as a calendar, without those that cannot be read; None if none can."""
    needed = zones if any("TZID" in one.text for one in group) else ""
    try:
        whole = _calendar(needed, [one.text for one in group])
        for event in whole.walk("VEVENT"):
            _probe(event)
        return whole, []  # noqa: TRY300 - beside what raises
    except _ODD as problem:
        if len(group) == 1:
            return None, [BrokenItem(place=f"line {group[0].line}", reason=_unread(problem))]
    broken, kept = [], []
    for one in group:
        found, problems = _readable(zones, [one])
        broken += problems
        kept += [one] if found is not None else []
    return (_calendar(needed, [one.text for one in kept]) if kept else None), broken


def _probe(event: Any) -> None:
    """Look at the times that everything else rests on.

    Raises:
        ValueError: it has no start, or recurs too often to be written out.
        AttributeError: a time is none.
    """
    if event.get("DTSTART") is None:
        msg = "it has no start"
        raise ValueError(msg)
    if too_often(event):
        msg = f"it recurs more than {DAILY} times a day, which no appointment does"
        raise ValueError(msg)
    _utc(event["DTSTART"].dt)
    if event.get("RECURRENCE-ID") is not None:
        _utc(event["RECURRENCE-ID"].dt)


def _uid(block: Block) -> str:
    found = _UID.search(_FOLD.sub("", block.text))
    return found[1].strip() if found and found[1].strip() else f"without id, line {block.line}"


def text_of_event(event: Any) -> str:
    """One occurrence in the form that patterns are looked for in: a field a line."""
    start = event["DTSTART"].dt
    planned = event["RECURRENCE-ID"].dt if event.get("RECURRENCE-ID") is not None else None
    end = _end(event)
    shifted = planned is not None and _utc(planned) != _utc(start)
    return written(
        [
            (EVENT, _line(event.get("SUMMARY")) or "(no title)"),
            (START, _iso(start)),
            (END, _iso(end) if end is not None else ""),
            (STATUS, _STATUS.get(_line(event.get("STATUS")).upper(), "confirmed")),
            (MOVED_FROM, _iso(planned) if shifted and planned is not None else ""),
            (WITH, ", ".join(_people(event))),
            (WHERE, _line(event.get("LOCATION"))),
            (NOTES, _line(event.get("DESCRIPTION"))[:NOTES_CHARS]),
        ]
    )


def _end(event: Any) -> date | None:
    if event.get("DTEND") is not None:
        end: date = event["DTEND"].dt
        return end
    if event.get("DURATION") is not None:
        later: date = event["DTSTART"].dt + event["DURATION"].dt
        return later
    return None


def _people(event: Any) -> list[str]:
    listed = event.get("ATTENDEE") or []
    attendees = listed if isinstance(listed, list) else [listed]
    named = [_person(one) for one in (event.get("ORGANIZER"), *attendees)]
    return list(dict.fromkeys(one for one in named if one))[:_MOST]


def _person(address: Any) -> str:
    """A participant by the name that the calendar gives, else by address."""
    if address is None:
        return ""
    named = _line(getattr(address, "params", {}).get("CN"))
    plain = _line(address)
    return named or (plain[7:] if plain.lower().startswith("mailto:") else plain)


def _line(value: Any) -> str:
    """A property as one line: a field of the text must not be able to begin another."""
    return " ".join(str(value).split()) if value is not None else ""


def _iso(at: date) -> str:
    """A day as a day; a time with its offset; a time without a zone, which is local wherever one is, as UTC."""
    if not isinstance(at, datetime):
        return at.isoformat()
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()


def _utc(at: date) -> datetime:
    if not isinstance(at, datetime):
        return datetime(at.year, at.month, at.day, tzinfo=UTC)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _written(event: Any) -> datetime | None:
    """When the event was last put down: an appointment of next year is today's statement."""
    for name in ("LAST-MODIFIED", "DTSTAMP", "CREATED"):
        value = event.get(name)
        if value is not None and isinstance(getattr(value, "dt", None), date):
            return _utc(value.dt)
    return None


def _unread(problem: Exception) -> str:
    said = " ".join(str(problem).split())[:120] or type(problem).__name__
    return f"the event cannot be read ({said}): mend it in the calendar and export it again"
