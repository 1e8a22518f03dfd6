"""What changes over weeks: last shifts and first ones, things that died, sport given up, places for a while."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.llm.rules.dates import WHEN, WHEN_RX
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, bare, rx, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.work import is_job_title
from core.model import Memory

_WORK = ("job", "employer", "workplace")
_LEFT = rx(
    r"^(?:(?:today (?:is|was)|it's|its|that's|i|i've|ive|just|finally|officially|had|my|the|worked|did|have) ){0,4}"
    r"(?:(?:last|final) (?:shift|day|week|month)(?: ever)?(?: (?:at|with|for) (?P<a>.+?))?|"
    r"(?:handed|handing|gave|put|giving|put|putting)(?: in)? (?:in )?my (?:resignation|"
    r"notice)(?: in)?(?: (?:at|to|with) (?P<b>.+?))?|"
    r"(?:quit|resigned from|left|leaving|done with|finished at|no longer at|got (?:laid off|"
    r"let go|sacked|fired|made redundant) (?:from|at|by)|was (?:laid off|let go|"
    r"made redundant) (?:from|at|by)) (?P<c>.+?))"
    rf"(?: (?:today|yesterday|tomorrow|this \w+|last \w+|on \w+|{WHEN}|for good|done))*$"
)
_NOT_WORK = rx(
    r"^(?:the (?:house|door|keys|party|group|room|meeting|office early|light)|home|early|late|"
    r"it|him|her|them|a (?:message|note)|my (?:keys|phone|bag|wallet|coat))\b"
)


def _shares(words: str, value: str) -> bool:
    mine = {
        word
        for word in re.findall(r"[\w']{3,}", words.casefold())
        if word not in {"the", "and", "old", "job", "new", "our"}
    }
    held = value.casefold()
    return any(re.search(rf"\b{re.escape(word[: max(4, len(word) - 3)])}", held) for word in mine)


def _close(piece: Piece, scene: Scene, memories: Iterable[Memory]) -> list[Draft]:
    return [jot(piece, one.attribute, one.value, scene, subject=one.subject, retracts=True) for one in memories]


def read_leaving(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "last shift at X today", "handed in my notice at the garden centre": closes employer and job."""
    found = _LEFT.match(piece.text)
    if not found:
        return []
    where = tidy(found["a"] or found["b"] or found["c"] or "")
    held = [one for one in scene.known if one.subject == "user" and one.attribute in _WORK]
    if not held or _NOT_WORK.match(where):
        return []
    named = not where or re.match(
        r"(?:the |my |this )?(?:old )?(?:job|place|company|firm|work)\b", where, re.IGNORECASE
    )
    if not named and not any(_shares(where, f"{one.value} {one.text}") for one in held):
        return []
    return _close(piece, scene, held)


_STARTING = rx(
    r"^(?:(?:i'm|im|i am|i|we|i'll be|will be|just|now|but|and|i've|ive|have) ){0,4}(?:starting|"
    r"start|started|joining|joined|moving to|moved to)(?: (?:an? (?:new )?(?:job|role|"
    r"position|post)|my new (?:job|role)|work|"
    r"new job|off|out))?(?: over)? "
    rf"(?P<p>at|with|for)? ?(?P<e>(?:the |an? )?[\w'&.-]+(?: [\w'&.-]+){{0,4}}?)(?: (?:on |in |"
    rf"from |this |next )*(?P<w>{WHEN}))?(?: as (?:an? |the |"
    rf"their )?(?P<j>[\w -]{{3,40}}?))?(?: (?:on |in |from |this |next )*{WHEN})?$"
)
_CLUB = rx(
    r"\b(?:gym|club|choir|band|party|league|team|class|group|discord|server|reddit|facebook|"
    r"instagram|mastodon|linkedin|slack|zoom|teams|call|union|society|channel|meeting|twitter|"
    r"tinder|netflix|spotify)\b"
)
_NOW_AT = rx(
    rf"^(?:(?:i'm|im|i am|now|currently|and|new job(?: is)?|new role|moved) ){{0,4}}(?:at|with|to|"
    rf"for|working (?:at|for)) (?P<e>(?:the )?{NAME})(?: as (?:an? |"
    rf"the )?(?P<j>[\w -]{{3,40}}?))?(?: (?:now|instead|as of .+|since .+))?$"
)
_NEW_JOB = rx(
    r"\b(?:switched|changed|switching|changing|new|got (?:the|a)|left my|"
    r"quit my) (?:new )?(?:jobs?|role|company|employer|position)\b"
)
_FIRST = rx(
    r"^(?:my |the )?first (?:day|week|shift|month) at (?P<e>.+?)(?: (?:done|today|tomorrow|"
    r"over|went well|survived|in the bag|was \w+|this \w+|on \w+))*$"
)


def read_starting(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "starting at the library on Monday as an assistant", "first week at Halden done"."""
    now_at = _NOW_AT.match(piece.text)
    if now_at and (
        re.match(r"new (?:job|role)", piece.text, re.IGNORECASE)
        or now_at["j"]
        or _NEW_JOB.search(piece.whole.text)
        or any(one.retracts and one.attribute in _WORK for one in scene.drafts)
    ):
        out = [jot(piece, "employer", now_at["e"], scene, statement=f"You work at {now_at['e']}")]
        return (
            [*out, jot(piece, "job", now_at["j"], scene, statement=f"You are a {now_at['j']}")] if now_at["j"] else out
        )
    first = _FIRST.match(piece.text)
    found = first or _STARTING.match(piece.text)
    if not found:
        return []
    value = tidy(found["e"])
    left = any(one.retracts and one.attribute in _WORK for one in scene.drafts)
    as_job = found.groupdict().get("j")
    if (
        not first
        and not (found["p"] and (left or as_job or found["w"] or re.match(NAME, bare(value))))
        and not (
            found["p"] is None
            and re.search(r"join", piece.text, re.IGNORECASE)
            and re.match(NAME, bare(value))
            and not _CLUB.search(value)
        )
    ):
        return []
    if WHEN_RX.fullmatch(value) or re.match(
        r"(?:\d|school\b|nursery\b|uni(?:versity)?\b|college\b|home\b|noon\b|midnight\b|"
        r"the (?:beginning|start|end|top|bottom)\b|once\b|least\b)",
        value,
        re.IGNORECASE,
    ):
        return []
    if first and (
        same := next((one for one in scene.known if one.attribute == "employer" and _shares(value, one.value)), None)
    ):
        value = same.value
    out = [jot(piece, "employer", value, scene, statement=f"You work at {value}")]
    if as_job:
        out.append(jot(piece, "job", bare(as_job), scene, statement=f"You are a {bare(as_job)} at {value}"))
    elif (
        not first
        and not left
        and (old := [one for one in scene.known if one.subject == "user" and one.attribute == "job"])
    ):
        out += [] if any(is_job_title(one.value) for one in old) else _close(piece, scene, old)
    return out


_BROKE = rx(
    r"^(?:the|my|our|that|poor) (?:old |poor |trusty |dear )?(?P<x>[\w-]+(?: [\w-]+){0,3}?) "
    r"(?:has |have |just |finally |is |got |was |had |'s )*"
    r"(?:died|drowned|broke(?: down)?(?: for good)?|broken beyond repair|packed (?:it )?in|"
    r"conked out|gave up(?: the ghost)?|given up the ghost|dead|stolen|sold|gone|written off|"
    r"totalled|totaled|bricked|"
    r"scrapped|kaput|bit the dust|fell apart)\b(?P<t>.*)$"
)
_SOLD = rx(
    r"^(?:(?:i|we|i've|we've|ive|just|finally|have) ){0,4}(?:sold|scrapped|binned|gave away|"
    r"got rid of|returned|traded in|lost) (?:the|my|our) (?:old )?(?P<x>[\w-]+(?: "
    r"[\w-]+){0,3})$"
)
_DEVICE = frozenset({"car", "vehicle", "device", "laptop", "camera", "owns", "uses", "tool", "phone_model"})
_NOUN_OF = {
    "phone": "device",
    "mobile": "device",
    "car": "car",
    "computer": "laptop",
    "laptop": "laptop",
    "camera": "camera",
}


def read_broken(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "the Corolla finally died", "sold the bike": closes what is known of the thing owned."""
    found = _BROKE.match(piece.text) or _SOLD.match(piece.text)
    if not found:
        return []
    thing = found["x"]
    slot = _NOUN_OF.get(thing.lower().split()[-1], "")
    held = [
        one
        for one in scene.known
        if one.subject == "user"
        and (one.attribute in _DEVICE or one.attribute == snake(thing))
        and (one.attribute in {slot, snake(thing)} or _shares(thing, one.value))
    ]
    return _close(piece, scene, held)


_SPORT = (
    r"(?:running|run|swimming|swim|cycling|cycle|climbing|climb|bouldering|lifting|lift|"
    r"rowing|row|boxing|jogging|jog|walking|hiking|skiing|surfing|dancing|"
    r"training|skating|paddling|kayaking|judo|karate|yoga|pilates|tennis|squash|padel|"
    r"football|rugby|netball|basketball|badminton|gym|crossfit|spinning|triathlon|weights|"
    r"aqua\w*)"
)
_OFTEN = (
    r"(?:\d+ ?x|once|twice|thrice|(?:one|two|three|four|five|six|seven|\d+) (?:times|days|"
    r"mornings|evenings|nights)|every|daily|most|each)\b"
    r"(?: ?(?:a|per|each|in the|other)? ?(?:day|week|month|weekend|morning|evening|night|\w+day)s?)?"
)
_REGULAR = rx(
    rf"^(?:(?:i'm|im|i am|i've been|ive been|been|also|i|we|currently|"
    rf"now) ){{0,4}}(?P<v>{_SPORT}\b[^,;]{{0,40}}?\b{_OFTEN}.*)$"
)
_TRAINS = rx(
    r"^(?:(?:i'm|im|i am|i've been|ive been|been|we're|currently|also|now) ){0,4}(?P<k>training|"
    r"preparing|practising|practicing|signed up|entered|saving(?: up)?|studying|"
    r"revising) for (?P<v>(?:the |a |an |my |our )?.{3,60})$"
)
_INSTEAD = rx(
    rf"^(?:so |now |and )*(?:(?:i'm|im|i am|i|we're|we|doing|am|going|have been|"
    rf"i've been) ){{0,4}}(?P<v>{_SPORT}(?: (?:at|in|on|with) [\w ]{{2,20}}?)?)(?: it is|"
    rf" instead| now| for now)+(?P<t>.*)$|^(?:(?:so|now|"
    rf"i|i've|ive|we|have|just|am) ){{0,4}}(?:switched|switching|moved over|gone over|changed|"
    rf"taken up|took up|taking up|moved on)(?: (?:to|"
    rf"from \w+ to))? (?P<v2>{_SPORT})\b(?P<t2>.*)$"
)
_GAVE_UP = rx(
    r"^(?:(?:i|i've|ive|have|had to|so|and|physio says|doctor says|doc says|gp says|was told|"
    r"finally|officially|we|we've) ){0,4}(?:(?:pulled|dropped|bowed|backed|opted) out of|"
    r"withdrew from|withdrawn from|gave up(?: on)?|given up(?: on)?|cancelled|canceled|"
    r"stopped|quit|no more|no|done with|scrapped|binned|ditched|deferred) "
    r"(?:the |my |our |any )?(?P<x>[\w'-]+(?: [\w'-]+){0,4}?)(?: (?:for now|any ?more|"
    r"officially|for good|altogether|this year|entirely|allowed|until .*|till .*))*$"
)
_RUNS = rx(r"(?:running|runs?|racing|cycling|swimming|training|sports?|exercise)\b")
_RACE = rx(r"\b(?:marathon|half|triathlon|race|\d+ ?km?|ultra\w*|iron ?man|park ?run|tri)\b")
_ACTIVE = frozenset(
    {
        "exercise",
        "training_for",
        "hobby",
        "routine",
        "goal",
        "likes",
        "activity",
        "subscription",
        "travel",
        "plan",
        "studies",
        "uses",
    }
)


def read_activity(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "running 4x a week", "so I'm swimming instead", "pulled out of the marathon"."""
    if other := _INSTEAD.match(piece.text):
        value = tidy(f"{other['v'] or other['v2']}{other['t'] or other['t2'] or ''}")
        value = re.sub(r"\b(?:instead|it is|now)\b ?", "", value).strip()
        more = re.match(rf",\s*({_OFTEN}[^,.;]*)", piece.rest[len(piece.text) :], re.IGNORECASE)
        shown = f"{value}, {more[1]}" if more else value
        return [
            jot(
                piece,
                "exercise",
                shown,
                scene,
                statement=f"Your exercise is {shown}",
                until=piece.end + (more.end() if more else 0),
            )
        ]
    if regular := _REGULAR.match(piece.text):
        return [jot(piece, "exercise", regular["v"], scene, statement=f"Your exercise: {regular['v']}")]
    if trains := _TRAINS.match(piece.text):
        slot = (
            "training_for"
            if trains["k"].lower() in {"training", "preparing", "practising", "practicing", "signed up", "entered"}
            else "goal"
        )
        return [
            jot(piece, slot, bare(trains["v"]), scene, statement=f"You are {trains['k'].lower()} for {trains['v']}")
        ]
    gone = _GAVE_UP.match(piece.text)
    if not gone:
        return []
    held = [
        one
        for one in scene.known
        if one.subject == "user"
        and one.attribute in _ACTIVE
        and (
            _shares(gone["x"], one.value)
            or (one.attribute == "training_for" and _RUNS.match(gone["x"]) and _RACE.search(one.value))
        )
    ]
    return _close(piece, scene, held)


_FOR_NOW = rx(
    r"^(?:(?:i'm|im|i am|we're|we are|i'll be|we'll be|currently|also|am) ){1,4}(?:(?:staying|"
    r"living|based|working|over|up|down|out|back|still|crashing) ){0,4}(?P<v>(?:at|in|"
    r"with) (?!(?:the )?(?:moment|work|meeting)\b)[^,;]{2,60}?)"
    r" (?P<t>(?:until|till|til|through|thru|for the (?:next|rest)|for (?:a|another|two|three|"
    r"four|\d+)|this (?:week|weekend|month)|tonight)\b.*)$"
)
_BACK_HOME = rx(
    rf"^(?:then |and |so )*(?:i'm |im |we're )?(?:back|home)(?: home)? (?:in|"
    rf"to) (?P<v>{NAME})(?: (?:after(?: that)?|then|afterwards|on|from|by|next)\b.*)?$"
)


_MOVED_OUT = rx(r"\b(?:moved|moving) (?:out(?: of)?|away|from)\b|\brelocated from\b|\bleft (?-i:[A-Z])\w+")
_NOW_IN = rx(
    rf"^(?:(?:i'm|we're|im|now|living|based|am) ){{0,4}}(?:in|to) (?P<v>{NAME})(?: (?:now|these days|since .+))?$"
)


def read_whereabouts(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "I'm at my mum's in Ludlow till Sunday, back in Bath after that"."""
    if found := _FOR_NOW.match(piece.text):
        return [jot(piece, "current_location", re.sub(r"^(?:at|in) ", "", found["v"]), scene)]
    moved = _NOW_IN.match(piece.text)
    if moved and _MOVED_OUT.search(piece.whole.text[: piece.start - piece.whole.start]):
        return [jot(piece, "home", moved["v"], scene, statement=f"Your home is in {moved['v']}")]
    back = _BACK_HOME.match(piece.text)
    if back and any(one.attribute == "current_location" for one in scene.drafts):
        known = next((one for one in scene.known if one.attribute == "home" and one.subject == "user"), None)
        return (
            []
            if known and back["v"].lower() in known.value.lower()
            else [jot(piece, "home", back["v"], scene, statement=f"Your home is in {back['v']}")]
        )
    return []


_STATE = rx(
    r"^(?:(?:i'm|im|i am|we're|we are|currently|also|am) ){0,4}(?P<v>(?:on|off|without|out of|"
    r"working from|staying|living|house-sitting|cat-sitting|dog-sitting|renting|"
    r"working out of) (?!it\b|that\b|this\b|(?:the )?(?:subject|phone|way)\b)[^,;]{2,50}?) "
    r"(?P<t>(?:until|till|til|through|for the (?:next|rest)|for (?:a|another|two|three|four|"
    r"\d+) (?:more )?(?:days?|weeks?|months?)|this (?:week|month)|from \d)\b.*)$"
)


def read_state(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "on crutches for the next 3 weeks", "out of office from 3 to 7 April": true for a while."""
    found = _STATE.match(piece.text)
    if not found:
        return []
    place = re.match(
        r"(?:staying|living|house-sitting|cat-sitting|dog-sitting|renting|working from|working out of) (?P<p>.+)",
        found["v"],
        re.IGNORECASE,
    )
    if place:
        return [jot(piece, "current_location", re.sub(r"^(?:at|in) ", "", place["p"]), scene)]
    off = re.match(r"(?:out of|off) (?:the )?(?:office|work)", found["v"], re.IGNORECASE)
    return [jot(piece, "availability" if off else "status", f"{found['v']} {found['t']}" if off else found["v"], scene)]


_VALID = rx(
    r"^(?:the |my |our |this )?(?P<n>(?:[\w-]+ )?(?:code|voucher|coupon|ticket|pass|offer|"
    r"discount|sale|deal|trial|membership|permit))(?: (?P<v>(?-i:[A-Z0-9-]{4,})))?(?:'s|"
    r" is)? (?:only )?(?:good|valid|on|live|active|works|runs|ends|lasts) "
    r"(?:for|through|until|till|til|thru)\b.*$"
)


def read_valid(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "promo code SPROUT15 is good through the end of this week"."""
    found = _VALID.match(piece.text)
    return [jot(piece, snake(found["n"]), found["v"] or piece.text, scene)] if found else []
