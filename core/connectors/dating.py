"""Dates as outside files write them, as aware times in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
_DAY_FIRST = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})$")
_MILLISECONDS = 100_000_000_000  # a number of seconds above it would be the year 5138: it counts milliseconds
_EARLIEST = 1900


def dated(value: Any) -> datetime | None:
    """A date, time, number of seconds since 1970 or ISO 8601 text; None for nothing.

    A time without a zone is taken as UTC: the file does not say more.

    Raises:
        ValueError: it is none of these.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, date):
        return _aware(value if isinstance(value, datetime) else datetime(value.year, value.month, value.day))  # noqa: DTZ001
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_seconds(float(value))
    return _of_text(str(value).strip())


def _of_text(text: str) -> datetime:
    if re.fullmatch(r"-?\d{9,13}(?:\.\d+)?", text):
        return _of_seconds(float(text))
    try:
        if parts := _DAY_FIRST.match(text):
            return datetime(int(parts[3]), int(parts[2]), int(parts[1]), tzinfo=UTC)
        return _aware(datetime.fromisoformat(text.replace("/", "-") if text[4:5] == "/" else text))
    except ValueError:
        msg = f"“{text[:40]}” is no date: write it as 2024-05-31 or 2024-05-31T09:30:00+02:00"
        raise ValueError(msg) from None


def dated_name(name: str) -> datetime | None:
    """The day that a file's name holds ("2024-05-31 Meeting.md"), if it holds one."""
    for found in _DAY.finditer(name):
        try:
            day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
        except ValueError:
            continue
        if day.year >= _EARLIEST:
            return day
    return None


def _of_seconds(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds / 1000 if abs(seconds) > _MILLISECONDS else seconds, UTC)
    except (OverflowError, OSError, ValueError):
        msg = f"{seconds:g} is no time: seconds since 1970 were expected"
        raise ValueError(msg) from None


def _aware(at: datetime) -> datetime:
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        msg = f"{at.isoformat()} lies outside the calendar"
        raise ValueError(msg) from None
