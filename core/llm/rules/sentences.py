"""Cutting text into sentences, with offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ABBREVIATED = "".join(
    rf"(?<!\b{word})"
    for word in ("[A-Z]", "Mr", "Mrs", "Ms", "Dr", "Prof", "St", r"e\.g", r"i\.e", "approx", "vs", "No", "Sr", "Sra")
)


_END = re.compile(
    rf"{_ABBREVIATED}(?<!\d)[.…]+[\"')\]]*(?=\s|$)|\d\.(?=\s+[\"'(]?[A-Z0-9\u00c0-\u00de]|\s*$)|\d{{3}}\.(?=\s)|"
    r"[!?]+[\"')\]]*(?=\s|$|[A-Z])|[。！？；]+|\n+"
)


_BULLET = re.compile(r"\s*(?:[-*•–]\s+|\d{1,2}[.)]\s+|\[[ x]\]\s*)")


_SPACE = re.compile(r"\s*")


_MONTH_AFTER = re.compile(r"\s+(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*\b", re.IGNORECASE)


_LONGEST = 1500  # characters of one sentence that are read: rules look behind and ahead, so cost grows with length


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its words without a bullet, where they stand, and whether it was a list item or a question."""

    text: str
    start: int
    end: int
    asks: bool
    item: bool
    shouts: bool = False


def sentences(text: str, limit: int = 2000) -> list[Sentence]:
    """The first `limit` sentences of `text`."""
    found: list[Sentence] = []
    start = 0
    for end_mark in _END.finditer(text):
        if end_mark.group()[0].isdigit() and _MONTH_AFTER.match(text, end_mark.end()):
            continue  # "14. Juni": an ordinal, not an end
        if end_mark.group()[0].isdigit() and text[start : end_mark.start()].strip() == "":
            continue  # "1. First item": a number, not a sentence
        _add(found, text, start, end_mark.end(), end_mark.group())
        start = end_mark.end()
        if len(found) >= limit:
            return found
    _add(found, text, start, len(text), "")
    return found


def _add(found: list[Sentence], text: str, start: int, end: int, mark: str) -> None:
    at = _SPACE.match(text, start, end).end()  # type: ignore[union-attr]  # the pattern matches the empty string
    bullet = _BULLET.match(text, at, end)
    item = bullet is not None and (at == 0 or text[at - 1] == "\n" or not found)
    if bullet and item:
        at = bullet.end()
    body = text[at : min(end, at + _LONGEST)].rstrip()
    if not body:
        return
    asks = "?" in mark or "？" in mark
    found.append(Sentence(body, at, at + len(body), asks, item, "!" in mark))
