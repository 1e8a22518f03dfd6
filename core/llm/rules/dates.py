"""Expressions of time: finding them, and resolving them against the moment of statement.

Nothing here reads a clock; every resolution counts from the `now` that is passed in (UTC).
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta

from core.llm.rules.phrases import tidy

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar enero janvier gennaio janeiro",
            "february feb februar febrero février febbraio fevereiro",
            "march mar märz marzo mars março",
            "april apr abril avril aprile",
            "may mai mayo maggio maio",
            "june jun juni junio juin giugno junho",
            "july jul juli julio juillet luglio julho",
            "august aug agosto août",
            "september sept sep septiembre septembre settembre setembro",
            "october oct oktober octubre octobre ottobre outubro okt",
            "november nov noviembre novembre novembro",
            "december dec dezember diciembre décembre dicembre dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}

_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lunes lundi",
            "tuesday tue tues dienstag martes mardi",
            "wednesday wed mittwoch miércoles mercredi",
            "thursday thu thur thurs donnerstag jueves jeudi",
            "friday fri freitag viernes vendredi",
            "saturday sat samstag sábado samedi",
            "sunday sun sonntag domingo dimanche",
        )
    )
    for name in names.split()
}

_COUNTS = {
    **{
        word: number
        for number, word in enumerate(
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
        )
    },
    "a": 1,
    "an": 1,
    "couple of": 2,
    "a couple of": 2,
    "few": 3,
    "a few": 3,
}

_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"

_DAY = "(?:" + "|".join(sorted(_DAYS, key=len, reverse=True)) + r")s?\b\.?"

_COUNT = "(?:" + "|".join(sorted((re.escape(word) for word in _COUNTS), key=len, reverse=True)) + r"|\d{1,3})"

_UNIT = r"(?:minute|hour|day|week|fortnight|month|year|night|weekend|sprint)s?"

_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"

_HOUR_WORD = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|midday|lunch(?:time)?)"


CLOCK = (
    r"(?:\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:h|uhr)\b)?|\d{1,2}\s?[ap]\.?m\b\.?|"
    f"(?:half|quarter) (?:past |to )?{_HOUR_WORD}|"
    rf"(?:half|quarter) (?:past|to) \d{{1,2}}|{_HOUR_WORD} (?:o'clock|thirty|fifteen)|\d{{1,2}} "
    r"o'clock|\d{1,2} uhr\b|noon\b|midnight\b|midday\b)"
)

_DATE = (
    r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}\.\d{1,2}\.(?!\d)|"
    r"\d{1,2}/\d{1,2}(?![\d/])|"
    r"(?:(?:the )?\d{1,2}(?:st|nd|rd|th)?\s?(?:-|–|to|until|and)\s?)?"
    rf"(?:the )?(?:{_ORDINAL}|\d{{1,2}}\.?)(?: of| de)? {_MONTH}(?:,?(?: de)? \d{{4}})?|{_MONTH} "
    rf"(?:the )?(?:{_ORDINAL}|\d{{1,2}}\b)(?!:)(?:,? \d{{4}})?|"
    rf"{_MONTH} \d{{4}}|the {_ORDINAL}(?! \w*(?:floor|time|edition|place|year))|"
    r"\d{1,2}月\d{1,2}[日号])"
)

_RELATIVE = (
    "(?:the day (?:after|before)(?: (?:tomorrow|that|yesterday))?|today|tomorrow|tonight|yesterday|"
    "this (?:morning|afternoon|evening|week|weekend|month|year|summer|winter|spring|autumn|fall)|"
    f"next (?:week|weekend|month|year|quarter|summer|winter|spring|autumn|fall|{_DAY}|{_MONTH})|"
    f"(?:this|coming|last) {_DAY}|last (?:week|weekend|month|year|night|summer|winter)|"
    f"in (?:about )?{_COUNT} {_UNIT}|{_COUNT} {_UNIT} (?:ago|from (?:now|today))|(?:the |at the "
    ")?(?:end|start|beginning|middle) of (?:the |this |next |last )?(?:Q[1-4]|week|month|year|"
    rf"quarter|day|{_MONTH}|{_DAY}|\d{{4}})|"
    rf"(?:mid|early|late)[- ]{_MONTH}|Q[1-4](?: \d{{4}})?|(?:all of |in )?(?:the )?(?:bank holiday "
    "weekend|christmas|easter|new year))"
)

_EVERY = (
    rf"(?:the (?:{_ORDINAL}|first|last)(?: (?:{_DAY}|day))? of (?:each|every|the) month|"
    rf"(?:every|each) (?:other |second |third )?(?:{_DAY}|weekday|day|week|month|morning|"
    rf"evening|night|weekend|quarter|year|"
    rf"{_COUNT} {_UNIT})(?: (?:morning|afternoon|evening|night))?|(?:on )?(?:weekdays|weekends)|daily|weekly|monthly|"
    rf"{_DAY}(?:\s?[-–]\s?| to | through ){_DAY}|{_DAY}(?:(?:\s*[,/&+]\s*(?:and )?|\s+and\s+|\s+){_DAY})+)"
)

_WEEKDAY = rf"{_DAY}(?: (?:morning|afternoon|evening|night))?"

_PIECE = (
    f"(?:{_EVERY}|{_RELATIVE}|(?:{_WEEKDAY},? )?(?:the )?{_DATE}|{_WEEKDAY}|{CLOCK}|all (?:day|week|"
    rf"month)|{_MONTH}(?= |$|[.,!])|(?:19|20)\d{{2}}\b)"
)

_AT_HOUR = rf"(?:at|@|um) (?:{CLOCK}|\d{{1,2}}\b(?!\s?%)|{_HOUR_WORD})"

_HOURS = r"\d{1,2}(?::\d{2})?\s?[-–]\s?\d{1,2}(?::\d{2})?(?:\s?[ap]m\b|\b(?![./%]))"

_JOIN = r"(?:,? (?:at|on|by|from|until|till|to|the|um)? ?|, | - |–)"


#: One expression of time, with all its parts: "Wednesday 8 May at 9:40", "every other Friday at three".
WHEN = (
    rf"(?:(?:{_PIECE}|{_AT_HOUR})(?:{_JOIN}(?:{_PIECE}|{_AT_HOUR}|{_HOURS}|\d{{1,2}}\b(?=\s*$)|in the "
    r"(?:morning|afternoon|evening)|sharp|\w+ time\b)){0,4}(?: in the (?:morning|afternoon|"
    "evening))?)"
)


WHEN_RX = re.compile(rf"\b{WHEN}|\bthe {_ORDINAL}", re.IGNORECASE)

_CLOCK_RX = re.compile(rf"{CLOCK}|(?:\bat|@) (?:\d{{1,2}}|{_HOUR_WORD})\b", re.IGNORECASE)

_EVERY_RX = re.compile(_EVERY, re.IGNORECASE)

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")

_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})|(\d{1,2})\.(\d{1,2})\.")

_DAY_MONTH = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of| de)? ({_MONTH})(?:,?(?: de)? (\d{{4}}))?", re.IGNORECASE
)

_MONTH_DAY = re.compile(rf"({_MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", re.IGNORECASE)

_ZH = re.compile(r"(\d{1,2})月(\d{1,2})[日号]")

_AHEAD = re.compile(
    f"in (?:about )?({_COUNT}) (day|week|fortnight|month|year)s?|({_COUNT}) (day|week|month|year)s? from", re.IGNORECASE
)

_MONTH_DAY_ONLY = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! of)")
_NAMED_DAY = re.compile(rf"(next |last |this |coming )?\b({_DAY})", re.IGNORECASE)

_CLOCK_PARTS = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b|\b(\d{1,2}):(\d{2})\b", re.IGNORECASE)

_SPAN_DAYS = {
    "day": 1,
    "night": 1,
    "week": 7,
    "fortnight": 14,
    "month": 30,
    "year": 365,
    "weekend": 7,
    "hour": 1,
    "minute": 1,
    "sprint": 14,
}

_UNTIL = re.compile(
    r"\b(?:until|till|til|through|thru|up to|hasta|bis|jusqu'(?:à|au)|fino a) (?:the )?(?:end of "
    f")?(?P<u>{WHEN}|the {_ORDINAL})",
    re.IGNORECASE,
)

_FOR = re.compile(
    rf"\b(?:for|over) (?:the |another )?(?:next |coming )?(?P<n>{_COUNT}(?: more)? )?(?P<k>day|night|"
    r"week|fortnight|month|weekend)s?\b",
    re.IGNORECASE,
)

_DURING = re.compile(
    r"\b(?P<p>this (?:week|weekend|month|morning|afternoon|evening)|today|tonight|right now|esta "
    r"semana|diese woche|cette semaine|hoy|heute|aujourd'hui)\b|(?P<z>这周|本周|今天)",
    re.IGNORECASE,
)

_SOME_DAYS = rf"(?:{_DAY}|weekdays?|weekends?|evenings?|mornings?)"
#: Days of the week as one lists them: "tues and thurs evenings", "Mon, Wed & Fri".
DAY_LIST = (
    rf"(?:{_SOME_DAYS}(?:(?:\s*(?:,|/|&|\+|\band\b|\bor\b|-|–|\bto\b|\bthrough\b)\s*)+{_SOME_DAYS}){{0,5}}"
    r"(?: (?:mornings?|afternoons?|evenings?|nights?|lunchtimes?))?)"
)


def has_clock(text: str) -> bool:
    """Whether a time of day is named."""
    return bool(_CLOCK_RX.search(text))


_WEEKLY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b", re.IGNORECASE)


def recurs(text: str) -> bool:
    """Whether the expression repeats ("every other Friday", "Tuesdays")."""
    return bool(_EVERY_RX.search(text) or _WEEKLY.search(text))


def _safe(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:  # there is no such day
        return None


def _this_or_next_year(month: int, day: int, year: str | None, now: datetime) -> datetime | None:
    if year:
        return _safe(int(year), month, day)
    this = _safe(now.year, month, day)
    if this and this.date() < now.date() - timedelta(days=60):
        return _safe(now.year + 1, month, day) or this
    return this


def resolve(text: str, now: datetime) -> datetime | None:
    """The start of the day, or the instant, that an expression means; None if it cannot be told."""
    day = _day(text, now)
    if day is None:
        return None
    clock = _CLOCK_PARTS.search(text)
    if not clock:
        return day
    hour = int(clock[1] or clock[4])
    minute = int(clock[2] or clock[5] or 0)
    if clock[3]:
        hour = hour % 12 + (12 if clock[3].lower() == "p" else 0)
    return day.replace(hour=hour, minute=minute) if hour < 24 and minute < 60 else day  # noqa: PLR2004


def _day(text: str, now: datetime) -> datetime | None:
    if found := _ISO.search(text):
        return _safe(int(found[1]), int(found[2]), int(found[3]))
    return (
        _named_month(text, now)
        or _numeric_day(text, now)
        or _relative_day(text.casefold(), now.replace(hour=0, minute=0, second=0, microsecond=0))
    )


def _named_month(text: str, now: datetime) -> datetime | None:
    if found := _DAY_MONTH.search(text):
        return _this_or_next_year(_month(found[2]), int(found[1]), found[3], now)
    if found := _MONTH_DAY.search(text):
        return _this_or_next_year(_month(found[1]), int(found[2]), found[3], now)
    if found := _ZH.search(text):
        return _this_or_next_year(int(found[1]), int(found[2]), None, now)
    return None


def _numeric_day(text: str, now: datetime) -> datetime | None:
    if found := _SLASHED.search(text):
        if found[4]:
            return _this_or_next_year(int(found[5]), int(found[4]), None, now)
        year = int(found[3]) + (2000 if len(found[3]) == 2 else 0)  # noqa: PLR2004
        return _safe(year, int(found[2]), int(found[1]))
    return None


def _month(name: str) -> int:
    return _MONTHS[name.casefold().rstrip(".")]


def _relative_day(low: str, today: datetime) -> datetime | None:
    fixed = {
        "day after tomorrow": 2,
        "tomorrow": 1,
        "mañana": 1,
        "morgen": 1,
        "demain": 1,
        "yesterday": -1,
        "today": 0,
        "tonight": 0,
        "next week": 7,
        "明天": 1,
        "后天": 2,
        "今天": 0,
    }
    for word, days in fixed.items():
        if word in low:
            return today + timedelta(days=days)
    if found := _AHEAD.search(low):
        count = _number(found[1] or found[3])
        return today + timedelta(days=count * _SPAN_DAYS[found[2] or found[4]])
    if found := _MONTH_DAY_ONLY.search(low):
        return _next_day_of_month(int(found[1]), today)
    if found := _NAMED_DAY.search(low):
        ahead = (
            _DAYS[found[2].rstrip(".s") if found[2].rstrip(".s") in _DAYS else found[2].rstrip(".")] - today.weekday()
        ) % 7
        if (found[1] or "").strip() == "last":
            return today - timedelta(days=7 - ahead if ahead else 7)
        return today + timedelta(days=ahead or (7 if (found[1] or "").strip() == "next" else 0))
    return None


def _next_day_of_month(day: int, today: datetime) -> datetime | None:
    this = _safe(today.year, today.month, day)
    if this and this >= today:
        return this
    later = today.replace(day=1) + timedelta(days=32)
    return _safe(later.year, later.month, day)


def _number(word: str | None) -> int:
    low = (word or "1").casefold().replace(" more", "").strip()
    return int(low) if low.isdigit() else _COUNTS.get(low, 1)


def _day_end(day: datetime) -> datetime:
    return day.replace(hour=23, minute=59, second=59, microsecond=0)


def expiry(text: str, now: datetime) -> datetime | None:
    """When a temporary fact ends: the last second (UTC) of the day or period named; None if none is."""
    if found := _UNTIL.search(text):
        day = resolve(found["u"], now)
        if day is None:
            return _period_end(found.group().casefold(), now)
        return _day_end(day)
    if found := _DURING.search(text):
        return _period_end((found["p"] or {"今天": "today"}.get(found["z"], "this week")).casefold(), now)
    if found := _FOR.search(text):
        return _day_end(now + timedelta(days=_number(found["n"]) * _SPAN_DAYS[found["k"].lower()]))
    return None


def _period_end(low: str, now: datetime) -> datetime | None:
    if "month" in low:
        return _day_end(now.replace(day=calendar.monthrange(now.year, now.month)[1]))
    if "week" in low or "semana" in low or "woche" in low or "semaine" in low:
        ahead = 7 if "next" in low else 0
        return _day_end(now + timedelta(days=6 - now.weekday() + ahead))
    if any(
        word in low
        for word in ("day", "night", "morning", "afternoon", "evening", "right now", "hoy", "heute", "aujourd")
    ):
        return _day_end(now)
    if "year" in low:
        return _day_end(now.replace(month=12, day=31))
    return None


def when_attribute(text: str) -> str:
    """The slot of an expression of time: `schedule` if it recurs, `time` if it names an hour, else `date`."""
    if has_clock(text):
        return "time"
    return "schedule" if recurs(text) else "date"


def time_value(text: str) -> str:
    """The expression of time at the head of `text`, as it was said, without its preposition."""
    lead = re.match(r"(?:(?:on|at|by|in|for|from|about|around|until|till)\s+)*", text, re.IGNORECASE)
    at = lead.end() if lead else 0
    found = WHEN_RX.match(text, at) or WHEN_RX.search(text)
    return tidy(found.group()) if found else tidy(text)
