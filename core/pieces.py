"""A text as words and literals, each in one spelling: what comparison of values and statements works on. Pure.

"March 12" is "12 March", "3.3k" is "3,300", "9 pm" is "21:00"; what is ambiguous stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar enero janvier",
            "february feb februar febrero février",
            "march mar märz marzo mars",
            "april apr abril avril",
            "may mai mayo",
            "june jun juni junio juin",
            "july jul juli julio juillet",
            "august aug agosto août",
            "september sep sept septiembre septembre",
            "october oct oktober octubre octobre",
            "november nov noviembre novembre",
            "december dec dezember diciembre décembre",
        ),
        start=1,
    )
    for name in names.split()
}
_UNITS = {
    spelling: unit
    for unit, spellings in {
        "%": "percent prozent",
        "usd": "dollar dollars",
        "eur": "euro euros",
        "gbp": "pound pounds quid",
        "km": "kilometer kilometers kilometre kilometres",
        "m": "meter meters metre metres",
        "cm": "centimeter centimeters centimetre centimetres",
        "mi": "mile miles",
        "kg": "kilo kilos kilogram kilograms kgs",
        "g": "gram grams",
        "mg": "milligram milligrams",
        "l": "liter liters litre litres",
        "ml": "milliliter milliliters millilitre millilitres",
        "ms": "millisecond milliseconds",
        "s": "second seconds sec secs",
        "min": "minute minutes mins",
        "h": "hour hours hr hrs",
        "d": "day days",
        "w": "week weeks",
        "mo": "month months",
        "y": "year years yr yrs",
        "kb": "kilobyte kilobytes",
        "mb": "megabyte megabytes",
        "gb": "gigabyte gigabytes",
        "tb": "terabyte terabytes",
    }.items()
    for spelling in (unit, *spellings.split())
}
_SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}
_THOUSAND = {"k": 3, "mio": 6, "million": 6, "bn": 9, "billion": 9}

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
# letters, and the marks that other scripts write vowels and tones with, which \w leaves out; no punctuation, no emoji
_LETTER = (
    r"(?:[a-zA-Z]|[^\d\s\x00-\u00bf\u060c\u061b\u061f\u06d4\u0964\u0965\u2000-\u2bff\u3000-\u3020\ufe10-\ufe6f\uff01-\uff20"
    r"\U0001f000-\U0001faff])"
)
_PIECE = re.compile(
    rf"""
    (?P<link>https?://\S+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<iso>(?<!\d)(?P<iy>\d{{4}})-(?P<im>\d\d)-(?P<id>\d\d)(?!\d))
  | (?P<dotted>(?<![\d.])(?P<dd>\d{{1,2}})(?P<sep>[./])(?P<dm>\d{{1,2}})(?P=sep)(?P<dy>\d{{4}})(?!\d))
  | (?P<day>(?<![\d.,:])(?P<wd>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?P<wm>{_MONTH})\b\.?
      (?:,?\s(?:de\s)?(?P<wy>\d{{4}})(?!\d))?)
  | (?P<month>\b(?P<mm>{_MONTH})\b\.?\s(?:the\s)?
      (?:(?P<md>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.:]\d|\d|\w)(?:,?\s(?P<my>\d{{4}})(?!\d))?|(?P<only>\d{{4}})(?!\d)))
  | (?P<clock>(?<![\d.,:])(?P<ch>[01]?\d|2[0-4])(?:[:h](?P<cm>[0-5]\d)(?::\d\d)?\s?(?P<ca>[ap]\.?m\b\.?)?
      |\s?(?P<cb>[ap]\.?m\b\.?)|\s(?P<cu>uhr|o'clock)\b)(?![\d:]))
  | (?P<version>(?<![\w.])\d+(?:\.\d+){{2,}}(?!\w))
  | (?P<ordinal>(?<![\w.,])\d+(?:st|nd|rd|th)\b)
  | (?P<amount>(?<![a-z\d.,])(?P<sign>[$€£¥])?\s?(?P<minus>(?<![\w)])-)?
      (?P<num>\d{{1,3}}(?:[,'\u00a0\u202f\s]\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?)
      (?:\s?(?P<thousand>k|mio|bn|(?<=\s)million|(?<=\s)billion)(?![a-z\d]))?
      (?:\s?(?P<unit>{_UNIT}|€|\$|£)(?![a-z\d]))?(?![a-z\d]))
  | (?P<code>[a-z]+\d[a-z\d]*|\d+[a-z][a-z\d]*)
  | (?P<word>{_LETTER}+(?:'{_LETTER}+)*(?:\+\+|[+\#]|-(?=$|[\s.,;:)]))?)
  | (?P<digits>\d+)
  | (?P<mark>[:=]|[.,;!?()\u2014/])
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One word, literal or mark."""

    kind: str  # word, code, amount, date, time, version, ordinal, link, mark
    text: str  # in one spelling
    unit: str = ""
    capital: bool = False
    bare: bool = False  # an amount without unit, sign or thousands: it may be a name ("room 12")


def pieces_of(text: str) -> list[Piece]:
    """The words, literals and marks of `text`, in order."""
    return list(_pieces(text))


@lru_cache(maxsize=4096)  # one statement is compared with many, and many with it
def _pieces(text: str) -> tuple[Piece, ...]:
    plain = unicodedata.normalize("NFKC", text).translate(str.maketrans("’‘−–", "''--")).replace("_", " ")
    return tuple(_piece(match) for match in _PIECE.finditer(" ".join(plain.split())))


def _piece(match: re.Match[str]) -> Piece:
    kind, groups = match.lastgroup or "mark", match.groupdict()  # the outermost group: the one that closed last
    whole = match.group()
    if kind == "word":
        return Piece("word", whole.casefold(), capital=whole[0].isupper())
    if kind == "link":
        return Piece("link", whole.rstrip(".,;:!?)").casefold())
    if kind in ("iso", "dotted", "day", "month"):
        return Piece("date", _date(kind, groups))
    if kind == "clock":
        return Piece("time", _clock(groups))
    if kind == "amount":
        return _amount(groups)
    return Piece("code" if kind == "digits" else kind, whole.casefold().strip())


def _date(kind: str, found: dict[str, str | None]) -> str:
    """As year-month-day with blanks for what is not said; day and month of "03/04/2026" stay undecided."""
    if kind == "iso":
        return f"{found['iy']}-{int(found['im'] or 0)}-{int(found['id'] or 0)}"
    if kind == "dotted":
        day, month = int(found["dd"] or 0), int(found["dm"] or 0)
        if found["sep"] == "/" and day <= 12 and month <= 12 and day != month:  # noqa: PLR2004 - months of a year
            return f"{day}/{month}/{found['dy']}"
        if month > 12:  # noqa: PLR2004 - month first
            day, month = month, day
        return f"{found['dy']}-{month}-{day}"
    if kind == "day":
        return f"{found['wy'] or ''}-{_MONTHS[(found['wm'] or '').casefold()]}-{int(found['wd'] or 0)}"
    year, day_text = found["my"] or found["only"] or "", found["md"]
    return f"{year}-{_MONTHS[(found['mm'] or '').casefold()]}-{int(day_text) if day_text else ''}"


def _clock(found: dict[str, str | None]) -> str:
    hour, half = int(found["ch"] or 0), (found["ca"] or found["cb"] or "")[:1].casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour}:{found['cm'] or '00'}"


def _amount(found: dict[str, str | None]) -> Piece:
    """An amount in one spelling. Zeros at its end mean nothing beside a unit; in a version or at the front they do."""
    raw = found["num"] or ""
    digits = re.sub(r"(?<=\d)[,'\s](?=\d{3}(?!\d))", "", raw) if re.match(r"\d{1,3}[,'\s]\d{3}", raw) else raw
    digits = digits.replace(",", ".")
    written = (found["unit"] or "").casefold()
    unit = _SIGNS.get(found["sign"] or "", "") or _SIGNS.get(written, "") or _UNITS.get(written, "")
    thousand = _THOUSAND.get((found["thousand"] or "").casefold(), 0)
    if unit or thousand:
        digits = f"{(Decimal(digits) * 10**thousand).normalize():f}"
    bare = not (unit or thousand or found["minus"] or digits != raw)
    return Piece("amount", f"{'-' if found['minus'] else ''}{digits}", unit=unit, bare=bare)
