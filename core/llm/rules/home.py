"""Where people live: homes, hometowns, with whom, since when, and where they are for now."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause
from core.llm.rules.dates import WHEN_RX
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, bare, read_value, rx, tidy
from core.llm.rules.scene import Rule, Scene, apply, draft

HOME_RULES = [
    Rule(
        "birthplace",
        rx(
            r"(?:was |were |am |is )?born (?:and (?:raised|bred) )?in (?P<v>(?!\d{4}|january|february|march|"
            "april|may |june|july|august|september|october|november|december).+)"
        ),
        "person",
    ),
    Rule(
        "birthday",
        rx(
            r"(?:was|were|am|is) born (?:on|in|the) (?P<v>(?:\d|the|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|"
            "nov|dec).+)"
        ),
        "person",
        soft=True,
    ),
    Rule(
        "hometown",
        rx(
            "(?:grew up|was raised|were raised|raised|was brought up|spent my childhood) (?:in|near|on|"
            "outside) (?P<v>.+)"
        ),
        "person",
    ),
    Rule(
        "hometown",
        rx(
            "(?:am|is|are|come|comes|hail|hails) (?:originally )?from (?P<v>(?-i:the [A-Z]|[A-ZÀ-Þ]).+|(?:a|"
            "the) (?:small |little |tiny )?(?:town|village|island|farm|coast|north|south).+)"
        ),
        "person",
    ),
    Rule(
        "home",
        rx(
            "(?:live|lives|living|am living|is living|are living|reside|resides|am residing|stay "
            "permanently) (?:now )?(?:in|at|on|near|outside|just outside|next to|by|above|out in|over in|up "
            "in|down in) (?P<v>.+)"
        ),
        "person",
    ),
    Rule("home", rx(r"(?:have|has) (?:been living|lived) (?:in|at|on|near|outside) (?P<v>.+)"), "person"),
    Rule("home", rx(r"(?:am |is |are )?(?:based|located|settled) (?:in|out of|at|near) (?P<v>.+)"), "person"),
    Rule(
        "home",
        rx(
            "(?:have |has |had |just |'ve )?(?:moved|relocated|emigrated|moving) (?:back |house |away |over |"
            r"up |down |out )?(?:from [\w' -]{2,40}? )?(?:in)?to (?P<v>(?!(?:a new (?:job|company|role|"
            r"team))\b).+)"
        ),
        "person",
    ),
    Rule(
        "home",
        rx(
            r"(?:have |has )?(?:bought|rented) (?:a|our|my) (?:\w+ ){0,2}(?:flat|house|apartment|place|"
            "cottage) (?:in|near) (?P<v>.+)"
        ),
        "person",
    ),
    Rule(
        "housing",
        rx(
            r"(?P<v>(?:rent|rents|am renting|are renting|own|owns) (?:a|an|our|my|the) (?:\w+[ "
            "-]){0,3}(?:flat|house|apartment|place|room|studio|cottage|bungalow|home).*)"
        ),
        "person",
    ),
    Rule(
        "lives_with",
        rx(
            "(?:live|lives|have lived|has lived|am living|living|share a (?:flat|house)|moved in|have moved "
            "in|have just moved in|"
            "am moving in) with (?P<v>.+)"
        ),
        "person",
        soft=True,
    ),
    Rule("lives_with", rx(r"(?:live|lives) (?P<v>alone|on my own|by myself|on (?:her|his) own)"), "person"),
    Rule("housing", rx(r"(?P<v>(?:live|lives) (?:on|aboard) a (?:houseboat|boat|farm|narrowboat).*)"), "person"),
]


PLACE_CUT = re.compile(
    r"\s+(?:with (?:my|our|his|her|their|\d|two|three|a|an)\b|since\b|for (?:the (?:last|past)|about|"
    r"\d|over|almost|nearly|two|three|four|five|six|ten|years)|on (?:the )?\d|last\b|next\b|in "
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|"
    r"from\b|at the (?:end|start|beginning)|this (?:week|month|summer|year|spring|autumn|winter)|and "
    r"work|a (?:year|month|week|few)|\d+ years|because|where|two years|when|tomorrow|now|right|"
    r"together)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


_FLOOR = re.compile(
    r"\b((?:ground|first|second|third|fourth|fifth|sixth|top|\d+(?:st|nd|rd|th))[- ]floor)\b|\bon the "
    r"((?:ground|top|first|second|third|fourth|fifth|\w+th) floor)\b",
    re.IGNORECASE,
)


_SINCE = re.compile(
    r"\b(since [\w ]+?|for (?:the (?:last|past) )?(?:about |over |almost |nearly )?[\w-]+ (?:years?|"
    "months?|weeks?))(?=[,.;!]|$| and| with)",
    re.IGNORECASE,
)


_ON_DATE = re.compile(
    r"\b(?:on|in) (?P<d>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? \w+|(?:january|february|march|"
    r"april|may|june|july|august|september|october|november|december)\b(?: \d{1,2}(?:st|nd|rd|th)?)?|"
    r"\d{4})(?: \d{4})?)",
    re.IGNORECASE,
)


_REGION = re.compile(
    r"(?:,\s+(?:(?:flat|apt|apartment|unit|no\.?|number) )?(?-i:[A-ZÀ-Þ0-9])[\w'/-]*(?: "
    r"(?-i:[A-ZÀ-Þ0-9])[\w'/-]*){0,3}(?=[,.;!)]|$| and| with| since))+",
    re.IGNORECASE,
)


_IN_TOWN = re.compile(rf"\b(?:in|near) (?P<p>{NAME})", re.IGNORECASE)
_TEMPORARY = re.compile(
    r"^(?:am|is|are|'re) (?:currently )?(?:(?:[\w-]*(?:sitting|staying|travelling|traveling|camping|"
    "working|hiking|"
    "skiing)|on holiday|on vacation|on a trip) )?(?P<pre>in|at|over in|"
    "visiting|travelling in|staying in|up in|down in|abroad in|out in) (?P<v>.+)",
    re.IGNORECASE,
)


def read_home(clause: Clause, scene: Scene) -> list[Draft]:
    """Homes, hometowns, housing and company at home."""
    found = apply(HOME_RULES, clause, scene)
    full = clause.predicate
    out: list[Draft] = []
    for one in found:
        if one.attribute == "lives_with":
            out.extend(_shared_home(one, clause, scene))
            continue
        if one.attribute not in {"home", "hometown", "birthplace"}:
            out.append(one)
            if one.attribute == "housing" and (town := _IN_TOWN.search(one.value)):
                out.append(revalued(one, value=town["p"], attribute="home"))
            continue
        place = tidy(PLACE_CUT.sub("", _with_region(one.value, full)))
        if (
            not place
            or WHEN_RX.fullmatch(place)
            or re.match(r"(?:peace|fear|hope|the moment|a world|love|harmony|denial)\b", place, re.IGNORECASE)
        ):
            continue
        temporary = one.expires_at is not None and not re.match(r"(?:have )?moved|relocated", full, re.IGNORECASE)
        out.append(revalued(one, value=place, attribute="current_location" if temporary else one.attribute))
    if any(one.attribute in {"home", "current_location"} for one in out):
        out.extend(_home_details(clause, scene))
    return out


def _with_region(value: str, full: str) -> str:
    """Reads "14 Harbour Lane, Galway" whole: a capitalised piece after the comma belongs to the place."""
    at = full.find(value)
    tail = _REGION.match(full, at + len(value)) if at >= 0 else None
    return value + tail.group() if tail else value


_WITH_PLACE = re.compile(
    rf"^(?P<w>.+?)(?: in (?P<p>(?:a |an |the )?(?:\w+[ -]){{0,3}}?{NAME}.*))?(?:\s+(?:last|this|next|"
    "since|for|yesterday|two|a|in) .*)?$",
    re.DOTALL,
)


def _shared_home(one: Draft, clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "with 2 flatmates in Ghent": with whom, and where; moving in with someone ends the earlier arrangement."""
    found = _WITH_PLACE.match(one.value)
    who = tidy(found["w"]) if found else one.value
    out = [revalued(one, value=bare(who), attribute="lives_with")]
    if found and found["p"]:
        out.append(revalued(one, value=tidy(PLACE_CUT.sub("", found["p"])), attribute="home"))
    if re.match(r"(?:have |am )?(?:just )?(?:moved|moving) in", clause.predicate, re.IGNORECASE) and clause.is_self:
        out += [
            draft(clause, "lives_with", old.value, scene, retracts=True)
            for old in scene.known
            if old.attribute == "lives_with" and old.subject == "user"
        ]
    return out


def _home_details(clause: Clause, scene: Scene) -> list[Draft]:
    out = []
    who = clause.entity.surface
    verb = "live" if clause.is_self else "lives"
    whole = clause.predicate
    if floor := _FLOOR.search(whole):
        out.append(draft(clause, "floor", floor[1] or floor[2], scene))
    if since := _SINCE.search(whole):
        out.append(draft(clause, "lives_since", since[1], scene, statement=clause.statement()))
    if company := re.search(r" with ((?:my|our|a|\d|two|three|four) ?.+)", whole, re.IGNORECASE):
        value = read_value(company[1], soft=True)
        if value:
            out.append(
                draft(
                    clause,
                    "lives_with",
                    bare(value),
                    scene,
                    statement=f"{who} {verb} with {value}".replace(" my ", " your ").replace(" our ", " your "),
                )
            )
    if re.match(r"(?:have |has )?(?:just )?(?:moved|relocated)", whole, re.IGNORECASE) and (
        day := _ON_DATE.search(whole)
    ):
        out.append(draft(clause, "move_date", day["d"], scene))
    return [one for one in out if one.value]


def revalued(one: Draft, *, value: str, attribute: str) -> Draft:
    """The same draft with another value and slot."""
    return replace(one, value=value, attribute=attribute)


def read_where_now(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "I'm in Oslo this week" is a current location; "we're in Bruges now" a home, once a move was told."""
    found = _TEMPORARY.match(clause.predicate)
    if not found or not clause.entity.person:
        return []
    place = read_value(found["v"])
    place = tidy(
        re.sub(
            r"\s+(?:this (?:week|weekend|month)|until|till|for (?:a|the|\d|two|three|work)|today|tonight|"
            "next).*$",
            "",
            place,
            flags=re.IGNORECASE,
        )
    )
    if not re.match(r"(?-i:the [A-Z]|[A-ZÀ-Þ])", place) or re.match(NAME + r"'s", place):
        return []
    if found["pre"].lower() == "at":
        left = any(one.retracts and one.attribute in {"job", "employer"} for one in scene.drafts)
        return [draft(clause, "employer", place, scene)] if left else []
    one = draft(clause, "current_location", place, scene)
    if one.expires_at is None and (
        scene.said("lives_with") or scene.said("home") or re.search(r"\bnow\b|these days", clause.said, re.IGNORECASE)
    ):
        return [draft(clause, "home", place, scene)]
    return (
        [one]
        if one.expires_at
        or re.search(r"currently|at the moment|right now|conference|holiday|visiting|trip", clause.said, re.IGNORECASE)
        else []
    )
