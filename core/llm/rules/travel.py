"""Journeys: where to, when, back when, seats and references."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause
from core.llm.rules.dates import WHEN, expiry
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, read_value, rx, tidy
from core.llm.rules.scene import Scene, draft

_TRAVEL = rx(
    "(?:am |are |have |will be |'ll be )?(?:just |already )?(?:flying|fly|travelling|traveling|"
    "travel|going|heading|off|leaving|leave|setting off|driving|sailing|booked|taking|planning|"
    r"moving|visiting|staying|spending|going on holiday|going away|taking a trip|booked (?:a )?(?:\w+ "
    r"){0,3}(?:trip|flight|train|ferry|holiday|hotel|cabin|room|tickets?)|planning (?:a )?(?:\w+ "
    r")?(?:trip|holiday))(?: (?:out|over|up|down|back|away|on holiday|on a trip|for work|a \w+|the "
    r"(?:\w+ ){0,2}(?:train|ferry|flight|bus|coach)|flights?|a (?:\w+ ){0,2}(?:train|ferry|flight|"
    r"bus|coach|trip|week|hotel|cabin)|(?:to )?spend(?: \w+){0,4}|to (?:go|fly|travel|visit|"
    f"drive)))? (?P<v>(?:to|in|for|at|around|through) (?P<p>{NAME}).*)$"
)


_AWAY = rx(rf"(?:am|are|will be) (?P<v>in (?P<p>{NAME}).*)$")


_AHEAD = re.compile(
    r"\bnext\b|\bfrom (?:the )?\d|\btomorrow\b|\bin (?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b|\bwill be\b|'ll be\b|\bon \d",
    re.IGNORECASE,
)


_VISIT = rx(f"(?:am |are |will be )?(?:visiting|going to visit|planning to visit|visit) (?P<p>{NAME})(?P<v>.*)$")


_PLAN_DATE = rx(rf"(?:on|from|this|next|in|for) (?P<d>(?:the )?{WHEN})|(?P<e>\b(?:next|this) \w+|tomorrow)")


_BACK = rx(
    r"\b(?:back|returning|return|coming back|flying back|fly back|home|flying home)(?: home)? (?:on |"
    f"by )?(?P<v>(?:the )?{WHEN})"
)


_SEAT = rx(r"\b(?:seat|seats)(?: number| is|:)? (?P<v>\d{1,3}\s?[A-Z]\b)")


_FLIGHT = rx(r"\bflight(?: number| no\.?)?(?: is|:)? (?P<v>(?-i:[A-Z]{1,2}\d?[A-Z]? ?\d{2,4}))\b")
_REFERENCE = rx(
    r"\b(?:booking|reservation|confirmation|order|ticket|reference|flight)(?: (?:ref(?:erence)?|"
    r"number|code|no\.?|id))?(?: is|:|'s| #)? #?(?P<v>(?-i:(?=[A-Z0-9-]*\d|"
    r"[A-Z]{5,})[A-Z0-9][A-Z0-9-]{3,}))\b"
)


def read_bookings(said: str, clause: Clause, scene: Scene) -> list[Draft]:
    """Seats, references and return dates, wherever a sentence mentions them."""
    found = []
    if match := _SEAT.search(said):
        found.append(draft(clause, "seat", match["v"], scene, subject="user", statement=f"Your seat is {match['v']}"))
    if match := _FLIGHT.search(said):
        found.append(
            draft(clause, "flight", match["v"], scene, subject="user", statement=f"Your flight is {match['v']}")
        )
    elif match := _REFERENCE.search(said):
        found.append(
            draft(clause, "booking_reference", match["v"], scene, subject="user", statement=f"Your {match.group()}")
        )
    return found


_RETURNS = rx(
    "(?:am |are |will |will be |get |getting |come |coming |fly |flying |head |heading )+(?:back|"
    rf"home)(?: (?:home|to \w+))? (?:on |by |at )?(?P<v>(?:the )?{WHEN})"
)


def read_travel(clause: Clause, scene: Scene) -> list[Draft]:
    """Journeys with their days."""
    if back := _RETURNS.match(clause.predicate):
        return [draft(clause, "return", tidy(back["v"]), scene)]
    found = (
        _TRAVEL.match(clause.predicate)
        or _VISIT.match(clause.predicate)
        or (_AWAY.match(clause.predicate) if _AHEAD.search(clause.said) else None)
    )
    if found and re.match(r"(?:am |are )?staying", clause.predicate) and expiry(clause.said, scene.now):
        return []
    if not found or re.match(r"(?:work|moved|have moved)", clause.predicate):
        return []
    place = tidy(found["p"])
    if re.fullmatch(
        "(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|"
        "Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)",
        place,
    ):
        return []
    whole = re.sub(r"^(?:am|are|have|will be) (?:just |already )?", "", read_value(clause.predicate, soft=True))
    one = draft(clause, "travel", whole, scene)
    out = [replace(one, valid_at=None, expires_at=None)]
    when = _PLAN_DATE.search(found["v"])
    when = when or re.search(
        r"(?P<d>(?P<e>\b\d{1,2}(?:st|nd|rd|th)? ?(?:-|–|to) ?\d{1,2}(?:st|nd|rd|th)? (?-i:[A-Za-z]{3,9})\b))",
        found["v"],
    )
    if when:
        value = tidy(when["d"] or when["e"])
        out.append(draft(clause, "departure", value, scene))
    if back := _BACK.search(clause.sentence):
        out.append(draft(clause, "return", tidy(back["v"]), scene, statement=f"You are back {tidy(back['v'])}"))
    return out
