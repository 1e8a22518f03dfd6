"""The owner's later word on what a question asks for: an earlier one with another value comes after the rest. Pure.

"The list has 45 songs" and "I'm at 52 songs on the list now" fill no slot that one could take from the other (rules
§3.1); both stay memories, since each says more than that number. To "How many songs are on my list?" only the later
one is the answer. Two memories tell the same attribute where both hold a value of the kind that is asked for, of the
same unit, near the same words of the question; what is not told that clearly keeps its place. Nothing is hidden, and
only the owner's own words, of no lower trust, put others of them back (rules §3.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.literals import content_words
from core.model import Hit, Memory, SourceKind
from core.pieces import Piece, pieces_of

LOOKED_AT = 40  # hits, best first, among which a later word is looked for
_BEFORE, _AFTER = 16, 10  # words around a value that say what it is the value of
_NOUNS = 3  # words after an amount among which the noun is that it counts
_SHARED = 2  # words of the question near both values
_SHARED_MOMENT = 3  # of a day or hour not told as moved: much else happens on days
_AS_WELL = 0.6  # of the question's words near an earlier value, the share near one that is told as changed
_NEAR = 5  # words before a value among which it is told as an aim
_END = frozenset(".;!?")

#: Who asks how things were, or came to be, asks for more than the last word.
_HISTORY = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|before|previous(?:ly)?|used to|earlier|former(?:ly)?|history|histor\w+|"
    r"chang\w+|over time|progress(?:ed|ion)?|evol\w+|differ\w*|compar\w+|in (?:what )?order|sequence|timeline|"
    r"chronolog\w+|summar\w+|each|every|both|between|since when|passed|elapsed|first time|at first|happened|increase|"
    r"start(?:ed)? out|from \S?\d[\d.,%]*|which .* first)\b|\bhow (?:has|have|did) ",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\bhow many (?P<n>(?:[\w'-]+ ){1,6}?)(?=(?:do|does|did|have|has|had|are|is|were|was|am|will|would|can|could|"
    r"should|must|i|we|you|in|on|to|of|with|at|for|from|there|by|my|our|the|a|an|per)\b)",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?:when (?!was|were|did|had)|what (?:time|date|day)|which (?:day|date|month)|"
    r"what (?:[\w'-]+ ){0,3}?(?:deadline|date|time|day)|deadline|due date)\b",
    re.IGNORECASE,
)
#: What is asked for, and the units that its value may have; none: any.
_VALUES = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(units.split()))
    for pattern, units in (
        (r"\bhow long\b|\b(?:response|load|loading|running|finish|lap) times?\b|\blatency\b", "ms s min h d w mo y"),
        (r"\b(?:percent\w*|accuracy|success rate|error rate|coverage|discount)\b|\bwhat % ", "%"),
        (r"\b(?:budget|price|costs?|salary|rent|fees?|income|wage|pay|paid|spend|savings?)\b", "usd eur gbp jpy"),
        (r"\bhow much\b|\b(?:number|count|total|amount|quota|limit|score|size|target|goal|weight|height)\b", ""),
        (r"\b(?:length|age|capacity|level|speed|rate|share|distance|temperature|mileage|dose|frequency|balance)\b", ""),
    )
)


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_NEWS = _words(
    "now new newly updated changed moved moving rescheduled postponed adjusted increased decreased extended improved "
    "reached grown grew raised lowered reduced dropped risen switched pushed total currently recently latest"
)
_HOW = _words("total more different new current overall exactly separate other")
_WAS = _words("initially originally formerly previously")
_AIMS = _words("achieve aim aiming aims goal goals target targets targeting want hope hoping plan under least")
_NUMBERED = _words(
    "sprint phase part chapter round stage week day step level version room unit module section lesson task milestone "
    "batch team group act scene track floor line number option exam test quiz draft season episode volume"
)
_ORDINALS = _words("second third fourth fifth sixth final")
_OTHERS = _words("next other another last both each")
_RATES = _words("weekly monthly yearly hourly quarterly")


@dataclass(frozen=True, slots=True)
class _Asked:
    words: frozenset[str]  # telling words of the question
    kind: str  # "count", "moment" or "value"
    other: frozenset[str]  # what of the question tells one of several, see `_Value`
    counted: frozenset[str] = frozenset()  # of "how many …"
    units: frozenset[str] = frozenset()  # of a value; none: any
    aim: bool = False  # asks for what is aimed at


@dataclass(frozen=True, slots=True)
class _Value:
    kind: str  # date, time, amount
    text: str
    units: frozenset[str]  # its unit, or stems of the noun it counts
    near: frozenset[str]  # stems of the words around it
    news: bool  # told as a change
    aim: bool  # aimed at, not reached
    other: frozenset[str]  # words and numbers that tell one of several: "second", "sprint 2"


def latest_first(hits: Sequence[Hit], query: str, trust: Callable[[Memory], float]) -> list[Hit]:
    """The hits in their order, those that a later word of the owner among them outdates for this question at the end.

    Args:
        hits: what passed, best first.
        query: the question.
        trust: what a memory counts with (`core.policy.ranking_trust`).
    """
    asked = _asked_for(query)
    if asked is None:
        return list(hits)
    own = [hit.memory for hit in hits[:LOOKED_AT] if hit.memory.source_kind is SourceKind.USER_TURN]
    told = [(memory, values) for memory in own if (values := _fitting(memory.text, asked))]
    outdated = {
        old.episode_id
        for old, earlier in told
        for new, later in told
        if _after(new, old) and trust(new) >= trust(old) and _renews(later, earlier, asked)
    }
    # what else the same turn taught says nothing newer about what is asked
    return sorted(
        hits, key=lambda hit: (1, -hit.memory.serial_no) if hit.memory.episode_id in outdated else (0, 0)
    )  # the later of two that are outdated first


def _after(new: Memory, old: Memory) -> bool:
    return new.episode_id != old.episode_id and (new.stated_at, new.serial_no) > (old.stated_at, old.serial_no)


@lru_cache(maxsize=64)
def _asked_for(query: str) -> _Asked | None:
    if _HISTORY.search(query):
        return None
    words = content_words(query)
    if len(words) < _SHARED:
        return None
    pieces = pieces_of(query)
    other = _one_of_several(pieces, 0, len(pieces), len(pieces))
    aim = not _AIMS.isdisjoint(query.casefold().split())
    if counts := _COUNTS.search(query):
        named = [one for one in counts["n"].casefold().split() if one not in _HOW]
        counted = frozenset().union(*(_counted(one) for one in named))
        return _Asked(words, "count", other, counted, aim=aim) if counted else None
    if _MOMENT.search(query) and not _VALUES[0][0].search(query):
        return _Asked(words, "moment", other)
    units = next((units for pattern, units in _VALUES if pattern.search(query)), None)
    return None if units is None else _Asked(words, "value", other, units=units, aim=aim)


def _counted(noun: str) -> frozenset[str]:
    """A counted noun as a value's unit is written: "hours" are "h"."""
    unit = pieces_of(f"1 {noun}")[0].unit
    return frozenset({unit}) if unit else content_words(noun)


def _fitting(text: str, asked: _Asked) -> tuple[_Value, ...]:
    """The values in a text that are of the kind asked for, near words of the question."""
    if not any(map(str.isdigit, text)):
        return ()
    return tuple(one for one in _values(text) if _fits(one, asked) and len(asked.words & one.near) >= _SHARED)


def _fits(value: _Value, asked: _Asked) -> bool:
    if value.aim and not asked.aim and value.kind == "amount":
        return False
    if asked.kind == "moment":
        return value.kind in ("date", "time")
    if asked.kind == "count":
        stands = bool(asked.counted & value.units) if value.units else True
        return value.kind == "amount" and stands and asked.counted <= value.near | value.units
    return value.kind == "amount" and (not asked.units or bool(asked.units & value.units))


def _renews(later: tuple[_Value, ...], earlier: tuple[_Value, ...], asked: _Asked) -> bool:
    """Whether the later values tell what the earlier ones told, and otherwise.

    None of the earlier ones may stand among the later, but for the day or the hour of a moment that was moved.
    """
    kept = [old for old in earlier if any(_same(new, old) for new in later)]
    if kept and (asked.kind != "moment" or len(kept) == len(earlier)):
        return False
    return all(old in kept or any(_instead(new, old, asked) for new in later) for old in earlier)


def _same(one: _Value, other: _Value) -> bool:
    if one.kind == other.kind == "date":
        return one.text == other.text or (
            one.text.split("-")[1:] == other.text.split("-")[1:] and _yearless(one, other)
        )
    return one.kind == other.kind and one.text == other.text


def _yearless(one: _Value, other: _Value) -> bool:
    return one.text.startswith("-") or other.text.startswith("-")


def _instead(new: _Value, old: _Value, asked: _Asked) -> bool:
    if new.kind != old.kind or (new.kind == "amount" and asked.kind == "value" and not new.units & old.units):
        return False
    if (new.other ^ old.other) - asked.other - asked.words:
        return False
    before, after = asked.words & old.near, asked.words & new.near
    shared = len(before & after)
    if new.news and shared >= _SHARED and (asked.kind == "count" or shared >= _AS_WELL * len(before)):
        return True
    return before <= after and len(before) >= (_SHARED_MOMENT if asked.kind == "moment" else _SHARED)


@lru_cache(maxsize=4096)  # a memory is looked at for many questions
def _values(text: str) -> tuple[_Value, ...]:
    pieces = pieces_of(text)
    found = []
    for at, piece in enumerate(pieces):
        if piece.kind in ("amount", "date", "time") and not _past(pieces, at):
            start, end = _clause(pieces, at)
            around = [one.text for one in pieces[start:end] if one.kind == "word"]
            several = _one_of_several(pieces, start, end, at)
            found.append(
                _Value(
                    piece.kind,
                    piece.text,
                    _units(piece, pieces[at + 1 : end]),
                    content_words(" ".join(around)) | content_words(" ".join(_RATES & {f"{one}ly" for one in several})),
                    not _NEWS.isdisjoint(around),
                    not _AIMS.isdisjoint(one.text for one in pieces[max(start, at - _NEAR) : at]),
                    several,
                )
            )
    return tuple(found)


def _past(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a value is what something was, or by how much it changed: "from 3 to 5", "initially 3", "by 20%"."""
    before = [one.text for one in pieces[max(0, at - 2) : at]]
    was = "from" in before[-1:] and any(one.text in ("to", "until", "till") for one in pieces[at + 1 : at + 3])
    return was or not _WAS.isdisjoint(before) or (pieces[at].kind == "amount" and "by" in before[-1:])


def _one_of_several(pieces: Sequence[Piece], start: int, end: int, at: int) -> frozenset[str]:
    """What tells the thing of a value from others of its kind: an ordinal, a noun with its number, or a rate.

    "The second sprint", "sprint 2" and "per week" are each of one of several.
    """
    found: set[str] = set()
    for index in range(start, end):
        one, before = pieces[index], pieces[index - 1].text if index > start else ""
        if one.text in _ORDINALS or one.kind == "ordinal" or (index < at and one.text in _OTHERS):
            found |= content_words(one.text) or {one.text}
        elif index != at and one.bare and before in _NUMBERED:
            found.add(f"{before} {one.text}")
        elif one.text in _RATES or (before in ("per", "a", "every") and f"{one.text}ly" in _RATES):
            found.add(one.text.removesuffix("ly"))
    return frozenset(found)


def _clause(pieces: Sequence[Piece], at: int) -> tuple[int, int]:
    """Where the words around a value begin and end, within its sentence."""
    start, end, words = at, at + 1, 0
    while start > 0 and words < _BEFORE and pieces[start - 1].text not in _END:
        start -= 1
        words += pieces[start].kind != "mark"
    words = 0
    while end < len(pieces) and words < _AFTER and pieces[end].text not in _END:
        words += pieces[end].kind != "mark"
        end += 1
    return start, end


def _units(piece: Piece, following: Sequence[Piece]) -> frozenset[str]:
    if piece.unit:
        return frozenset({piece.unit})
    nouns = []
    for one in following[:_NOUNS]:
        if one.kind != "word":
            break
        nouns.append(one.text)
    return content_words(" ".join(nouns))
