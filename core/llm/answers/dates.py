"""Dates inside facts, and how far away they are: "in 3 weeks", "2 days ago", in five languages. Pure."""

# ruff: noqa: E501 - a row is one pattern

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from core.llm.answers.asked import DATE_ATTRIBUTES
from core.llm.answers.words import fold
from core.model import Memory

_MONTHS = (
    "jan january enero januar janvier",
    "feb february febrero februar fevrier",
    "mar march marzo marz mars maerz",
    "apr april abril avril",
    "may mayo mai",
    "jun june junio juni juin",
    "jul july julio juli juillet",
    "aug august agosto aout",
    "sep sept september septiembre septembre",
    "oct october octubre oktober octobre okt",
    "nov november noviembre novembre",
    "dec december diciembre dezember decembre dez",
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_DAYS = (
    "monday mon lunes montag lundi 星期一 周一",
    "tuesday tue tues martes dienstag mardi 星期二 周二",
    "wednesday wed miercoles mittwoch mercredi 星期三 周三",
    "thursday thu thur thurs jueves donnerstag jeudi 星期四 周四",
    "friday fri viernes freitag vendredi 星期五 周五",
    "saturday sat sabado samstag samedi 星期六 周六",
    "sunday sun domingo sonntag dimanche 星期日 周日 星期天",
)
_DAY = {name: number for number, names in enumerate(_DAYS) for name in names.split()}
_NAME = r"[^\W\d_]+"
_FORMS = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"),
    re.compile(r"(?:(?P<y>\d{4})年)?(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]"),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s+(?:of |de |du )?(?P<n>{_NAME})\.?,?(?:\s+(?:de )?(?P<y>\d{{4}}))?\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<n>{_NAME})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<y>\d{{4}}))?", re.IGNORECASE
    ),
    re.compile(r"\b(?P<d>\d{1,2})[./](?P<m>\d{1,2})[./](?P<y>\d{4})\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?!\d)"),
)
_EVERY = re.compile(
    r"\b(?:every|each|weekly|daily|monthly|yearly|always|from .+ to|since|cada|jed\w+|seit|desde|depuis|chaque|mondays|tuesdays|wednesdays"
    r"|thursdays|fridays|saturdays|sundays)\b|每",
    re.IGNORECASE,
)
YEARLY = frozenset({"birthday", "anniversary", "wedding_anniversary", "date_of_birth"})
_HOUR = re.compile(r"(?i)^\W*(?:at|um|à|a las?|from)?\s*[\d:.]+\s*(?:am|pm|h|uhr|o'clock)?\.?$")
_WEEKDAY = re.compile(r"[^\W\d_]+", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|did|moved|died|started|went|left|bought|married|joined|passed|had|born|got|met|finished|graduated)\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?:the day after tomorrow|tomorrow|today|tonight|this (?:morning|afternoon|evening)|yesterday)\b", re.IGNORECASE
)
_OFFSET = {"tomorrow": 1, "today": 0, "tonight": 0, "yesterday": -1, "the day after tomorrow": 2}
_AHEAD = {
    "en": ("today", "tomorrow", "yesterday", "in {n} {unit}", "{n} {unit} ago"),
    "es": ("hoy", "mañana", "ayer", "dentro de {n} {unit}", "hace {n} {unit}"),
    "de": ("heute", "morgen", "gestern", "in {n} {unit}", "vor {n} {unit}"),
    "fr": ("aujourd'hui", "demain", "hier", "dans {n} {unit}", "il y a {n} {unit}"),
    "zh": ("今天", "明天", "昨天", "{n}{unit}后", "{n}{unit}前"),
}
_UNITS = {
    "en": (("day", "days"), ("week", "weeks"), ("month", "months"), ("year", "years")),
    "es": (("día", "días"), ("semana", "semanas"), ("mes", "meses"), ("año", "años")),
    "de": (("Tag", "Tagen"), ("Woche", "Wochen"), ("Monat", "Monaten"), ("Jahr", "Jahren")),
    "fr": (("jour", "jours"), ("semaine", "semaines"), ("mois", "mois"), ("an", "ans")),
    "zh": (("天", "天"), ("周", "周"), ("个月", "个月"), ("年", "年")),
}
_FORTNIGHT, _TWO_MONTHS, _TWO_YEARS = 14, 61, 730  # days from which weeks, months, years read better


def away(day: date, today: date, language: str) -> str:
    """How far `day` is from `today`, as one says it."""
    now, next_day, last_day, ahead, behind = _AHEAD.get(language, _AHEAD["en"])
    days = (day - today).days
    if days in (-1, 0, 1):
        return (last_day, now, next_day)[days + 1]
    size = abs(days)
    if size < _FORTNIGHT:
        count, unit = size, 0
    elif size < _TWO_MONTHS:
        count, unit = round(size / 7), 1
    elif size < _TWO_YEARS:
        count, unit = round(size / 30.44), 2
    else:
        count, unit = round(size / 365.25), 3
    name = _UNITS.get(language, _UNITS["en"])[unit][count != 1]
    return (ahead if days > 0 else behind).format(n=count, unit=name)


def day_of(memory: Memory, today: date) -> tuple[date, bool] | None:
    """The day a fact speaks of, and whether it comes back every year; None if there is none to be sure of.

    A date without a year is the next one after the statement, or the last one before it if the sentence is in the past
    tense; a birthday is the next one from today.
    """
    text = memory.value if _date_in(memory.value) else memory.text
    stated = memory.stated_at.date()
    if memory.attribute in YEARLY:
        found = _date_in(text)
        return (_next(found[1], found[2], today), True) if found and _valid(found[1], found[2]) else None
    if _EVERY.search(memory.text):
        return None
    found = _date_in(text)
    if found and _valid(found[1], found[2]):
        year, month, day = found
        if year:
            return _safe(year, month, day)
        if _PAST.search(memory.text):
            after = _next(month, day, stated)
            return (after if after == stated else _shift_year(after, -1)), False
        return _next(month, day, stated), False
    return _weekday(text, stated) if memory.attribute in DATE_ATTRIBUTES else None


def _valid(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31  # noqa: PLR2004


def _safe(year: int, month: int, day: int) -> tuple[date, bool] | None:
    try:
        return date(year, month, day), False
    except ValueError:
        return None


def _shift_year(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return day.replace(year=day.year + years, day=28)


def _next(month: int, day: int, start: date) -> date:
    """The first such day on or after `start`."""
    for year in range(start.year, start.year + 9):
        try:
            candidate = date(year, month, day)
        except ValueError:
            continue
        if candidate >= start:
            return candidate
    return start


def _date_in(text: str) -> tuple[int, int, int] | None:
    """(year or 0, month, day) of the first date in `text`."""
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = _MONTH.get(fold(parts["n"])) if parts.get("n") else int(parts.get("m") or 0)
            if month:
                return int(parts.get("y") or 0), month, int(parts["d"])
    return None


def _weekday(text: str, stated: date) -> tuple[date, bool] | None:
    for word in _WEEKDAY.findall(text):
        number = _DAY.get(fold(word))
        if number is not None and len(word) > 3:  # noqa: PLR2004 - "sun", "mar", "mon" are also other words
            ahead = (number - stated.weekday()) % 7 or 7
            return stated + timedelta(days=ahead), False
    return None


def placed(text: str, when: str, language: str) -> str:
    """`text` with the distance right after its date, or at its end if nothing but a time of day follows."""
    if language == "zh":
        return f"{text}({when})"
    for form in _FORMS:
        for match in form.finditer(text):
            name = match.groupdict().get("n")
            if name and fold(name) not in _MONTH:
                continue
            rest = text[match.end() :]
            if not rest or _HOUR.match(rest):
                return f"{text}, {when}"
            return f"{text[: match.end()]} ({when}){rest}"
    return f"{text}, {when}"


def relative(memory: Memory, now: datetime, language: str) -> str:
    """Say "in 3 weeks" for a fact whose date can be told; empty otherwise."""
    today = now.date()
    found = day_of(memory, today)
    return away(found[0], today, language) if found else ""


def years_since(memory: Memory, now: datetime) -> int | None:
    """Full years since the year (and day, if told) in a birthday; None if it names no year."""
    found = _date_in(memory.value) or _date_in(memory.text)
    if found and found[0] and _valid(found[1], found[2]):
        return now.year - found[0] - ((now.month, now.day) < (found[1], found[2]))
    return None


def is_over(memory: Memory, now: datetime) -> bool:
    """Whether the day the fact speaks of has passed."""
    found = day_of(memory, now.date())
    return found is not None and found[0] < now.date()


def settled(text: str, stated: datetime, now: datetime) -> str:
    """The sentence with "tomorrow" and the like turned into dates, once the day of the statement is over."""
    if stated.date() == now.date():
        return text

    def dated(match: re.Match[str]) -> str:
        word = match[0].lower()
        day = stated.date() + timedelta(days=_OFFSET.get(word, 0))
        part = word.removeprefix("this ") if word.startswith("this ") else ("evening" if word == "tonight" else "")
        return f"on {day.day} {_ENGLISH[day.month - 1]}" + (f" in the {part}" if part else "")

    return _SPOKEN.sub(dated, text)


_ENGLISH = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def said_on(at: datetime, now: datetime, language: str) -> str:
    """When something was said, relative to now."""
    return away(at.date(), now.date(), language)
