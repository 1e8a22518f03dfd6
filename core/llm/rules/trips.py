"""Journeys in note form, yearly holidays, passports and seats, and the month that "back the 11th" means."""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from datetime import datetime

from core.llm.rules.dates import WHEN, WHEN_RX, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, bare, rx, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.voice import sentence

_ROUTE = rx(
    r"^(?:(?:i'm|im|we're|i am|we are|i'll be|we'll be|then|just) ){0,4}(?P<k>flying|fly|driving|"
    r"travelling|traveling|going|sailing|cycling|train|bus|ferry|flight|"
    rf"taking the (?:train|bus|ferry)|heading|off)(?: from)? (?P<f>(?-i:[A-Z]{{3}}\b)|"
    rf"{NAME}) ?(?:to|->|→|–) ?(?P<p>{NAME})(?P<t>.*)$"
)
_CALLS_ON = rx(
    r"^(?:(?:i'm|im|we're|i am|we are|i'll be|we'll be|i|we) ){0,4}(?:visiting|going to (?:visit|"
    r"see|stay with)|off to (?:see|visit)|flying out to|seeing) (?P<w>(?:my|our|his|her|some|"
    r"an?) [\w' -]{2,30}?|(?-i:[A-Z])\w+) "
    rf"in (?P<p>{NAME})(?P<t> .*)?$"
)
_ABOARD = rx(
    r"^(?:(?:i'm|im|we're|i am|we are|i'll be|i|we) ){0,2}(?:taking|take|catching|booked|"
    r"booked on|on) (?:the|a|an) (?:[\w-]+ ){0,2}(?:train|bus|ferry|flight|coach|plane|boat|"
    r"eurostar|sleeper) to "
    rf"(?P<p>{NAME})(?P<t> .*)?$"
)
_TRIP_TO = rx(
    r"^(?:a |my |our |the )?(?:(?!no\b|any\b)[\w-]+ )?(?:trip|holiday|vacation|honeymoon|"
    r"getaway|city break|road trip|conference|work trip) (?:to|in) "
    rf"(?P<p>{NAME})(?: is| will be)?(?: booked| planned)?(?P<t> (?:on |from |for |in )?(?:the )?{WHEN}.*)$"
)
_HOTEL = rx(
    r"^(?:the |our |my )?(?:hotel|hostel|airbnb|accommodation|b&b|campsite|cottage|"
    r"lodging)(?:'s| is| will be|:| =) (?P<v>(?:the )?(?-i:[A-Z]).+)$"
)
_WHEN_GO = rx(rf"\b(?:on|from|this|next|in|for)? ?(?P<d>(?:the )?{WHEN})")
_BACK = rx(
    rf"^(?:(?:i'm|im|we're|i am|we are|i'll be|we'll be|and|then) ){{0,4}}(?:back|returning|return|"
    rf"home|flying (?:back|home))(?: home| in \w+)?(?: on| by|"
    rf" around)? (?P<v>(?:the )?{WHEN})\b.*$"
)
_STAY = rx(
    r"^(?:(?:i'm|im|we're|i am|we are|will be|i'll be|we'll be) ){0,4}(?:staying|crashing|"
    r"sleeping|put up|lodging|camping)(?: over)? (?P<v>(?:w/|with|at|in|near|on) .+)$"
)


def _underway(scene: Scene) -> bool:
    return any(one.attribute in {"travel", "departure"} for one in scene.drafts)


def read_journey(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "flying LHR to Osaka on 9 May", "back on the 23rd", "staying w/ my mate in Namba"."""
    if route := _ROUTE.match(piece.text):
        whole = tidy(f"{route['k']} {route['f']} to {route['p']}{route['t']}")
        said = sentence(f"You are {whole}" if route["k"].lower().endswith("ing") else f"You travel: {whole}")
        out = [replace(jot(piece, "travel", whole, scene, statement=said), valid_at=None, expires_at=None)]
        if when := _WHEN_GO.search(route["t"]):
            out.append(jot(piece, "departure", when["d"], scene, statement=said))
        return out
    if trip := _ABOARD.match(piece.text) or _TRIP_TO.match(piece.text):
        out = [replace(jot(piece, "travel", piece.text, scene), valid_at=None, expires_at=None)]
        when = _WHEN_GO.search(trip["t"] or "")
        return [*out, jot(piece, "departure", when["d"], scene)] if when else out
    if call := _CALLS_ON.match(piece.text):
        out = [
            replace(
                jot(piece, "travel", f"visiting {call['w']} in {call['p']}{call['t'] or ''}", scene),
                valid_at=None,
                expires_at=None,
            )
        ]
        when = _WHEN_GO.search(call["t"] or "")
        return [*out, jot(piece, "departure", when["d"], scene)] if when else out
    return _on_the_way(piece, scene)


def _on_the_way(piece: Piece, scene: Scene) -> list[Draft]:
    """What a turn that told of a journey says of lodging and return."""
    if not _underway(scene):
        return []
    if hotel := _HOTEL.match(piece.text):
        return [jot(piece, "accommodation", hotel["v"], scene)]
    if back := _BACK.match(piece.text):
        return [jot(piece, "return", back["v"], scene, statement=f"You are back {back['v']}")]
    if stay := _STAY.match(piece.text):
        return [
            jot(
                piece,
                "accommodation",
                re.sub(r"^w/", "with", stay["v"]),
                scene,
                statement=f"You are staying {re.sub('^w/', 'with', stay['v'])}",
            )
        ]
    return []


_YEARLY = rx(
    rf"^(?:(?P<e>every (?:other |second )?(?:\w+)|each \w+|most \w+s?),? )?(?:i|"
    rf"we) (?P<a>always |usually |normally |generally |still |tend to )?"
    r"(?P<v>(?:go|drive|fly|head|travel|camp|holiday|vacation|spend|stay|ski|sail|summer|"
    r"winter|rent|take the \w+|escape)\b.*?\b(?:to|in|at|on|near|around) "
    rf"(?:the )?(?P<p>{NAME}).*)$"
)
_SEASON = rx(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|summer|winter|spring|autumn|fall|year|christmas|easter|"
    r"half[- ]term|holidays?|vacation|weekend|week of|new year)s?\b"
)
_LODGING = rx(
    r"^(?:at |in )?(?:the )?(?:same|usual|our|a|an|always the same) (?P<n>(?:[\w-]+ )?(?:park|"
    r"hotel|campsite|cabin|cottage|hostel|b&b|flat|apartment|villa|resort|motel|inn|"
    r"lodge|guesthouse|airbnb|hut|house|place|caravan|site))$"
)


def read_yearly(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "every January we drive down to Mazatlán, same RV park (Las Jaibas)", "we always spend July at Tenby"."""
    if (lodging := _LODGING.match(piece.text)) and _underway(scene):
        named = re.match(rf"\s*[(,]\s*(?:the |called )?(?P<v>{NAME})", piece.rest[len(piece.text) :])
        value = f"{named['v']} ({lodging['n']})" if named else piece.text
        until = piece.start + len(piece.text) + (named.end() + 1 if named else 0)
        return [jot(piece, "accommodation", value, scene, statement=f"You stay at {value}", until=until)]
    found = _YEARLY.match(piece.text)
    if not found or not (found["e"] or found["a"]) or not _SEASON.search(piece.text):
        return []
    every = f"{found['e']}: " if found["e"] else ""
    return [jot(piece, "travel", f"{every}{tidy(found['v'])}", scene)]


_PASSPORT = rx(
    r"^(?:(?:i|we|i've|ive|also) ){0,4}(?:hold|have|have got|got|travel on|travel with|carry|"
    r"am on)(?: both)? (?:an? |my )?(?P<v>(?-i:[A-ZÀ-Þ])[\w'-]+(?: (?:and|"
    r"&) (?:an? )?(?-i:[A-Z])\w+)?) "
    r"(?P<n>passports?|visa|citizenship|residence permit|green card|driving licen[cs]e)$"
)
_EXPIRES = rx(
    rf"^(?:(?:and|but|it|which|that) ){{0,4}}(?:expires?|expiring|runs? out|valid until|valid till|"
    rf"is valid until|good until|lapses)(?: on| in| at)? (?P<v>(?:the )?{WHEN}.*)$"
)
_SEAT = rx(
    r"^(?:i|we) (?:always |really |usually |do |much )*(?:need|prefer|want|like|book|take|"
    r"go for|ask for|choose|pick)s? (?:to sit in |to have )?(?:an? |the )?"
    r"(?P<v>(?:window|aisle|front[- ]row|exit[- ]row|bulkhead|middle|front|rear|"
    r"backwards?-facing|forward[- ]facing)(?: seats?)?)(?: (?:always|please|on \w+|or .*|"
    r"every time|if \w+))*$"
)


def read_papers(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "I hold an Australian passport, expires in March next year", "I need a window seat always"."""
    if found := _PASSPORT.match(piece.text):
        return [
            jot(
                piece,
                snake(found["n"].rstrip("s") if found["n"].lower() == "passports" else found["n"]),
                found["v"],
                scene,
            )
        ]
    if found := _EXPIRES.match(piece.text):
        before = piece.whole.text[: piece.start - piece.whole.start].lower()
        noun = next(
            (
                hit
                for hit in reversed(
                    re.findall(
                        r"\b(passport|visa|licen[cs]e|permit|card|contract|lease|ticket|warranty|insurance|"
                        r"membership|subscription|mot|prescription)\b",
                        before,
                    )
                )
            ),
            "",
        )
        return (
            [jot(piece, f"{snake(noun)}_expiry", found["v"], scene, statement=f"Your {noun} expires {found['v']}")]
            if noun
            else []
        )
    if found := _SEAT.match(piece.text):
        value = found["v"] if "seat" in found["v"].lower() else f"{found['v']} seat"
        return [jot(piece, "seat_preference", value, scene)]
    return []


_BARE_DAY = re.compile(r"^(?:on |by )?(?:the )?(\d{1,2})(?:st|nd|rd|th)$", re.IGNORECASE)


def dated_return(drafts: list[Draft], scene: Scene) -> list[Draft]:
    """The drafts with "back the 11th" counted from the journey's month, the words kept (rules §2.7)."""
    start = next((one.valid_at for one in drafts if one.attribute == "departure" and one.valid_at), None)
    month = start or next((at for one in drafts if one.attribute == "travel" and (at := _named(one, scene))), None)
    if month is None:
        return drafts
    return [_in_month(one, month.year, month.month, month.day) if one.attribute == "return" else one for one in drafts]


def _named(one: Draft, scene: Scene) -> datetime | None:
    found = WHEN_RX.search(one.value)
    return resolve(found.group(), scene.now) if found else None


def _in_month(one: Draft, year: int, month: int, day: int) -> Draft:
    found = _BARE_DAY.match(one.value.strip())
    if not found:
        return one
    wanted = int(found[1])
    if wanted < day:
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)  # noqa: PLR2004 (December is followed by January)
    if not 1 <= wanted <= calendar.monthrange(year, month)[1] or one.valid_at is None:
        return one
    at = one.valid_at.replace(year=year, month=month, day=wanted)
    shown = f"{bare(found.group())} ({wanted} {calendar.month_name[month]})"
    return replace(
        one,
        value=f"{one.value} ({wanted} {calendar.month_name[month]})",
        valid_at=at,
        statement=one.statement.rstrip(".").replace(one.value, "the " + shown) + ".",
    )
