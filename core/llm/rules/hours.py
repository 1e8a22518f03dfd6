"""The shape of a week: shifts, opening hours, evenings that are taken, runs to school."""

from __future__ import annotations

import re

from core.llm.rules.dates import CLOCK, DAY_LIST, WHEN_RX
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, rx, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.voice import second_person

_TAKEN = rx(
    rf"^(?P<d>{DAY_LIST})(?:'s| is| are| r)? (?P<k>(?:always |usually |mostly )?(?:out|"
    rf"off limits|no good|taken|busy|blocked|full|impossible|"
    r"a no(?:-go)?|free|best|(?:my|our) \w+(?: night| day| evening)?))(?: for me| for us)?(?P<r>,? .*)?$"
)
_CANNOT = rx(rf"^(?:i|we) (?:can't|cant|cannot|never) (?:do|make|manage|meet(?: on)?|work(?: on)?) (?P<d>{DAY_LIST})$")
_OFF = rx(
    rf"^(?:i'm|im|i am|we're|we are) (?:usually |always |never )?(?P<v>(?:off|free|not working|"
    rf"not in|away|in the office|at home|available|working from home|wfh|around) (?:on |"
    rf"every )?{DAY_LIST}.*)$"
)
_EVERY_FIRST = rx(
    rf"^(?P<e>(?:every|each) (?:second |other )?[\w]+(?: (?:morning|afternoon|evening|night))?|"
    rf"(?:on )?{DAY_LIST}),? (?:i|we) (?P<v>(?!am\b|are\b|was\b|will\b|can\b|don't\b|would\b|"
    rf"think\b|need\b|want\b|just\b|had\b|went\b|did\b|got\b)(?:[a-z]+|have|do|go|play|teach|"
    rf"train|run|swim|see|visit|"
    rf"volunteer|cook|take|work|pick|meet|host|attend|clean|practi[sc]e)\b.+)$"
)
_REASON = re.compile(r"^[\w' -]{2,40}$")


def read_taken(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "tues and thurs evenings are out for me, netball", "I can't do Mondays"."""
    if cannot := _CANNOT.match(piece.text):
        return [jot(piece, "unavailable", cannot["d"], scene)]
    if off := _OFF.match(piece.text):
        return [jot(piece, "availability", off["v"], scene)]
    first = _EVERY_FIRST.match(piece.text)
    if first and re.search(
        r"day|morning|evening|night|week|month|mon|tue|wed|thu|fri|sat|sun", first["e"], re.IGNORECASE
    ):
        value = re.sub(r"^have (?:an? )?", "", first["v"])
        return [jot(piece, "routine", f"{first['e']}: {value}", scene)]
    found = _TAKEN.match(piece.text) or _TAKEN.match(re.split(r"[.;]", piece.rest)[0])
    if not found:
        return []
    why = tidy(found["r"] or "") or tidy(piece.rest[len(piece.text) :].split(".")[0])
    reason = f" ({why})" if why and _REASON.match(why) else ""
    if re.search(r"free|best", found["k"], re.IGNORECASE):
        return [jot(piece, "availability", f"{found['d']} {found['k']}", scene)]
    until = piece.start + len(piece.text) + (len(why) + 2 if reason else 0)
    own = re.match(r"(?:my|our) (.+)", found["k"])
    value = f"{found['d']}: {own[1]}" if own else f"{found['d']}{reason}"
    said = second_person(piece.text) if own else f"{found['d']} are {found['k']} for you{reason}"
    return [jot(piece, "routine" if own else "unavailable", value, scene, statement=said, until=until)]


_SHUT = rx(
    r"^(?:the |my |our )(?P<n>[\w-]+(?: [\w-]+)?)(?:'s| is| are|s are) (?P<k>closed|shut|open) (?:on |every |all day )?"
    rf"(?P<d>{DAY_LIST}|at weekends|on weekends|weekends|weekdays)(?: fyi| btw| though)?$|"
    r"^(?P<n2>[a-z]{3,}(?: [a-z]+)?)(?:'s| is) (?P<k2>closed|shut|open) (?:on |every )?"
    rf"(?P<d2>{DAY_LIST}|at weekends|weekends)(?: fyi| btw| though)?$"
)
_OPENS = rx(
    rf"^(?P<s>we|i|the \w+|\w+) (?P<k>open|opens|close|closes|shut|shuts)(?: up)?(?: at|"
    rf" from)? (?P<v>(?:{CLOCK}|\d{{1,2}}\b)(?!%)[^,.;]*)$"
)


def read_opening(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "the shop's closed Mondays", "we open at 10 the rest of the week"."""
    if found := _SHUT.match(piece.text):
        noun, kind, days = found["n"] or found["n2"], (found["k"] or found["k2"]).lower(), found["d"] or found["d2"]
        if noun.lower() in {"it", "that", "this", "he", "she", "everything", "what", "which"}:
            return []
        return [jot(piece, "open_on" if kind == "open" else "closed_on", days, scene, subject=bare(noun))]
    found = _OPENS.match(piece.text)
    if not found or found["s"].lower() in {"it", "you", "they", "please", "also", "then", "and"}:
        return []
    subject = "user" if found["s"].lower() in {"we", "i"} else bare(found["s"])
    return [jot(piece, "opening_hours", f"{found['k']} at {found['v']}", scene, subject=subject)]


_SHIFT = rx(
    r"^(?:(?:i'm|im|i|we|we're|i am|we are|currently|usually|mostly|am|are) ){0,4}(?:(?:work|"
    r"working|do|doing|on|am on) ){1,4}"
    r"(?:a |an )?(?P<v>(?:(?:\d|one|two|three|four|five|six|"
    r"seven)[- ](?:days? )?on[ ,/-]{1,2}(?:\d|one|two|three|four|five|six|"
    r"seven)[- ](?:days? )?off|"
    r"(?:early |late |night |day |split |rotating |12[- ]hour |twelve[- ]hour |"
    r"weekend )?(?:nights?|days|earlies|lates|shifts?|rotas?|weekends))\b[^;.?!]*)"
)
_TIMES = rx(rf"(?:from )?(?:{CLOCK}|\d{{1,2}}) ?(?:-|–|to|til|till|until) ?(?:{CLOCK}|\d{{1,2}})\b")
_SHIFT_STOP = re.compile(
    r",?\s+(?:so|but|because|and (?:i|my)|which|if|then off)\b.*$|,(?!\s*(?:from )?\d|"
    r"\s*(?:mon|tue|wed|thu|fri|sat|sun)).*$",
    re.IGNORECASE,
)


def read_shift(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "I work four-on four-off, 6pm til 6am", "on nights Sunday to Wednesday"."""
    found = _SHIFT.match(piece.rest)
    if not found or (
        re.match(r"(?:on|do|doing)\b", piece.text, re.IGNORECASE)
        and not re.search(r"\bi\b|shift|night|off", piece.rest[:40], re.IGNORECASE)
    ):
        return []
    value = tidy(_SHIFT_STOP.sub("", found["v"]))
    if re.match(r"(?:days|weekends?)$", value, re.IGNORECASE):
        return []
    return [
        jot(
            piece,
            "working_hours",
            value,
            scene,
            statement=f"You work {value}",
            until=piece.start + found.start("v") + len(value),
        )
    ]


_AT_TIMES = rx(
    rf"^(?:the |my |our )?(?P<n>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?:'s| is| are|:| =)(?: always| usually)? (?:at )?"
    rf"(?P<v>{CLOCK}(?:\s*(?:,|and|&|then|or)\s*(?:at )?{CLOCK})+)$"
)
_AT_TIME = rx(
    rf"^(?:the |my |our )?(?P<n>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?:'s| is| are) (?:always |"
    rf"usually )?(?:at )?(?P<v>{CLOCK})$"
)
_NOT_ROUTINE = rx(r"^(?:it|that|this|he|she|what|time|now|there|today|tomorrow|everything|mine|the time)\b")
_RECURS = rx(
    r"^(?:my|our) (?P<n>[\w'-]+(?: [\w'-]+){0,3}?)(?:'s| is| are|:| =) (?:always |usually |normally )?(?:on |at )?"
    rf"(?P<v>(?:every (?:second|other|third|single)?|each|{DAY_LIST}).*)$"
)


def read_time_of_day(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "pickup is 5:30" in a row of such."""
    found = _AT_TIME.match(piece.text)
    return [] if not found or _NOT_ROUTINE.match(found["n"]) else [jot(piece, snake(found["n"]), found["v"], scene)]


def read_recurring(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "school run is 8:15 and 3:20", "my supervisor meeting is every second Thursday at 14:30"."""
    if times := _AT_TIMES.match(piece.text):
        return [jot(piece, snake(times["n"]), times["v"], scene)]
    found = _RECURS.match(piece.text)
    if not found or not WHEN_RX.search(found["v"]):
        return []
    if not (re.match(r"every|each", found["v"], re.IGNORECASE) or re.match(r"\w+s\b", found["v"])):
        return []
    return [jot(piece, snake(found["n"]), re.sub(r"\s+(?:so|but|because)\b.*$", "", found["v"]), scene)]
