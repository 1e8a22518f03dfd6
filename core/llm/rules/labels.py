"""Jotted pairs: "photographer is Luz", "on-call lead = Wojtek", "cutover 1 July", "current car: a 2012 estate"."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Entity
from core.llm.rules.dates import WHEN, WHEN_RX, time_value
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import OWN
from core.llm.rules.phrases import KIN, NAME, PERSON, PETS, RELATION, RELATIONS, ROLES, bare, enumeration, rx, singular, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.tools import device_slot
from core.llm.rules.work import is_job_title
from core.slots import is_multi_valued

_CALLED = r"(?:some |an? |this |that )?(?:bloke|guy|man|woman|lady|lad|chap|girl|person|friend)(?: (?:called|named))? "
_WHO = (
    rf"(?:(?:my|our) (?:(?P<rel>{RELATION}|buddy|pal) )|{_CALLED})?(?P<v>{NAME})"
    r"(?: (?:again|only|for now|this time|obviously|as (?:always|usual|before)))?"
)
_ROLE_FIRST = rx(
    r"^(?:the |our |my |their |her |his |its )?(?P<n>[\w'/-]+(?: (?!is\b|are\b)[\w/&-]+){0,3}?)"
    r"(?: (?:this|next|for the) \w+)?(?:\s*=\s*|:\s+| is now | is going to be | is | will be |'s )"
    rf"(?:still |now |going to be )?{_WHO}$"
)
_ROLE_LAST = rx(
    rf"^(?P<v>{PERSON})(?:\s*=\s*|'s | is | will be )(?:now |still |currently )?(?:the |our |my )?(?P<n>[\w/&-]+(?: [\w/&-]+){{0,3}}?)"
    r"(?: (?:now|this \w+|next \w+|for now|for the \w+))?$"
)
_IN_APPOSITION = rx(
    rf"\b(?P<v>{PERSON}),? (?:who(?:'s| is)|she(?:'s| is)|he(?:'s| is)|they(?:'re| are)) (?:my|our) (?P<n>[\w-]+(?: [\w-]+)?)\b"
)
_DUTY = re.compile(
    r"(?:(?:the |our |my )?(?:[\w-]+ ){0,2}?(?:c[a-z]o|vp|svp|pm|po|dj|mc|hr|gp|qa|on[- ]?call(?: (?:lead|engineer|person))?|lead|head|"
    r"chair(?:person|man|woman)?|back-?up|captain|owner|sponsor|contact|host|champion|deputy|second|best man|bridesmaid|"
    r"maid of honou?r|officiant|celebrant|referee|treasurer|secretary|scribe|facilitator|moderator|point person|scrum master|"
    r"product owner|sous chef|florist|caterer|photographer|videographer|conveyancer|estate agent|letting agent|babysitter|"
    r"childminder|dog walker|goalkeeper|goalie|skipper|accompanist|understudy|godmother|godfather|guardian|executor))$",
    re.IGNORECASE,
)
_NO_DUTY = re.compile(
    r"(?:weather|dinner|supper|answer|summer|winter|water|paper|number|power|computer|printer|router|server|order|offer|letter|"
    r"chapter|character|corner|border|river|docker|user|order|folder|header|footer|tracker|browser|cover|flavou?r|colou?r|error|"
    r"mirror|floor|door|motor|sensor|poster|trailer|author|singer|starter|actor|director|composer|center|chair|customer|"
    r"killer|winner|adapter|charger|heater|cooker|freezer|toaster|timer|layer|container|cluster|order|parameter|operator)$",
    re.IGNORECASE,
)
_NOT_NAME = rx(
    r"(?:the |a )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|english|french|german|spanish|italian|irish|british|american|thai|chinese|indian|"
    r"japanese|python|java|rust|linux|ok|okay|great|good|yes|no|none|tbd|tba|nobody|someone|hell|easter|christmas)\b"
)


def _duty(noun: str) -> bool:
    return bool(
        not _NO_DUTY.search(noun) and (noun.lower() in ROLES or _DUTY.match(noun) or is_job_title(noun))
    )


def read_role(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "photographer is Luz Arriaga", "CTO = Oyelaran", "his backup is Hanne", "Wojtek is on-call lead"."""
    found = _ROLE_FIRST.match(piece.text)
    if found and _duty(found["n"]) and not _NOT_NAME.match(found["v"]):
        noun, name = tidy(found["n"]), tidy(found["v"])
        said = f"{piece.topic}: {piece.text}" if piece.topic else ""
        if slot := ROLES.get(noun.lower()):
            scene.discourse.see(Entity(name, name, person=True))
            return [jot(piece, slot, name, scene, statement=f"Your {noun} is {name}")]
        if not re.fullmatch(PERSON, name) or re.search(r"(?:s|ing|Ltd|Co|Inc|GmbH)$", name.split()[-1]) and " " in name:
            return [jot(piece, snake(noun), name, scene, statement=said)]
        scene.discourse.see(Entity(name, name, person=True))
        found_out = [jot(piece, "role", noun, scene, subject=name, statement=said)]
        if (kin := (found["rel"] or "").lower()) in KIN:
            found_out.append(jot(piece, KIN[kin], name, scene, statement=f"Your {kin} is {name}"))
        return found_out
    last = _ROLE_LAST.match(piece.text)
    if last and not _NOT_NAME.match(last["v"]) and (_DUTY.match(last["n"]) and not _NO_DUTY.search(last["n"])):
        scene.discourse.see(Entity(last["v"], last["v"], person=True))
        return [jot(piece, "role", last["n"], scene, subject=last["v"])]
    return []


def read_apposition(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "a message to Mrs Adeyemi, she's my landlady": wherever it stands in the sentence."""
    found = _IN_APPOSITION.search(piece.rest)
    if not found or found.start() > len(piece.text):
        return []
    name, noun = tidy(found["v"]), found["n"].lower()
    slot = RELATIONS.get(noun)
    until = piece.start + found.end()
    if slot and noun not in PETS:
        return [jot(piece, slot, name, scene, statement=f"Your {noun} is {name}", until=until)]
    return [jot(piece, "role", noun, scene, subject=name, statement=f"{name} is your {noun}", until=until)] if _duty(noun) else []


_OWN_LABEL = rx(
    r"^(?:my |our )?(?:current |new |main |daily |usual |present |work |home )?(?P<n>[a-z][\w-]*(?: [a-z][\w-]*)?)\s*(?:=|:)\s*(?P<v>\S.*)$"
)
_MINE = rx(r"^mine(?:'s| is|s) (?P<v>.+)$")
_THEIRS = rx(r"\b(?:phone|laptop|computer|car|bike|tablet|camera|printer|watch|tv|email|number|dog|cat|birthday|job)\b")
_THING_OF = rx(
    r"^(?:the |our |my )(?P<n>[\w-]+) (?:at|in) (?:our|my|the) (?:house|home|place|flat|office|shop|studio|farm|garage|apartment)"
    r"(?:'s| is) (?P<v>(?:an? )?(?-i:[A-ZÀ-Þ]).+)$"
)


def read_label(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "current car: 2012 estate", "mine's an old iPhone", "the printer at our house is a Brother"."""
    if mine := _MINE.match(piece.text):
        before = _THEIRS.findall(piece.whole.text[: piece.start - piece.whole.start])
        noun = before[-1].lower() if before else ""
        slot = device_slot(mine["v"]) or OWN.get(noun, snake(noun))
        return [jot(piece, slot, bare(mine["v"]), scene, statement=f"Your {noun or 'own'} is {mine['v']}")] if slot else []
    if thing := _THING_OF.match(piece.text):
        return [jot(piece, snake(thing["n"]), bare(thing["v"]), scene)]
    if piece.start != piece.whole.start and piece.text not in piece.whole.text[:60]:
        return []
    found = _OWN_LABEL.match(piece.rest)
    noun = found["n"].lower() if found else ""
    slot = OWN.get(noun) or ("car" if noun in {"vehicle", "motor"} else "")
    if not found or not slot or slot in {"name", "email", "phone", "address", "hobby", "allergy", "language", "departure", "seat"}:
        return []
    value = tidy(re.split(r",(?!\d)|[;(]", found["v"])[0])
    until = piece.start + found.end()
    return [jot(piece, slot, value, scene, statement=f"Your {noun}: {found['v']}", until=until)] if value else []


_EQUALS = rx(
    r"^(?:the |our |my )?(?P<p>[a-z][\w-]*(?: [\w-]+){0,2}?)(?: (?:for|of|on|in) (?:the |our |my )?(?P<x>[\w-]+(?: [\w-]+){0,3}?))? = (?P<v>[^=]{1,60})$"
)
_DECIDED = rx(
    r"\b(?:decisions?|decided|agreed|settled(?: it)?|voted|verdict|outcome|new rules?|resolved|conclusion)\b[^:.?!]{0,40}:\s*(?P<v>.+)$"
)
_NOT_DECISION = rx(r"^(?:(?:i|we|he|she|they|you|please|pls|can|how|what|why|ask|tell|write)\b|\w+$)")


def read_equation(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "retention for raw logs = 14 days"."""
    found = _EQUALS.match(piece.text)
    if not found or _duty(found["p"]):
        return []
    subject = tidy(found["x"] or "") or "user"
    return [jot(piece, snake(found["p"]), found["v"], scene, subject=subject)]


def read_decisions(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "team settled it: A, B and C": every item is a decision."""
    found = _DECIDED.search(piece.whole.text)
    if not found or piece.start < piece.whole.start + found.start("v"):
        return []
    if _NOT_DECISION.match(piece.text) or len(piece.text.split()) < 3:  # noqa: PLR2004 (a shorter piece decides nothing)
        return []
    return [jot(piece, "decision", piece.text, scene, statement=f"Decided: {piece.text}")]


_DATED = rx(
    rf"^(?:the |our |my )?(?P<n>[a-z][a-z-]*(?: [a-z][a-z-]*){{0,2}}?)(?: date)?(?:'s| is| are| will be| =|:)? (?:due )?(?:on |by |at |the )*(?P<v>{WHEN})$"
)
_DAY_NAMED = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)?\b.*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d|"
    r"\d{4}-\d\d|\d/\d|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_NO_NOUN = rx(
    r"^(?:i|we|it|he|she|they|you|back|see|home|until|till|since|from|before|after|on|in|at|by|for|until|and|or|next|this|last|every|"
    r"around|about|mid|early|late|not|maybe|only|also|just|there|here|due|born|arriving|leaving|returning|flying|moving|ill|im|is|"
    r"are|was|now|today|tomorrow|that|what|when|where|who|how|why|free|busy|off|away|out|dated?|starting|ending|open|closed|between|"
    r"call|meet|book|set|move|make|send|add|remind|schedule|cancel|show|find|change|remember|check|works?|does|did|do|got|have|has)\b"
)
_DUE = re.compile(r"^(?:deadline|due|due date|submission|hand-?in|closing|cut-?off|deadline for submission)$", re.IGNORECASE)
_PROJECT = ("project", "thesis", "dissertation", "paper", "book")


def read_dated(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "cutover 1 July", "submission is 30 April": a bare noun and its day."""
    found = _DATED.match(piece.text)
    if not found or _NO_NOUN.match(found["n"]) or not _DAY_NAMED.search(found["v"]) or not WHEN_RX.search(found["v"]):
        return []
    noun = found["n"].lower()
    if noun in RELATIONS or noun in {"birthday", "anniversary", "wedding anniversary"} or noun.endswith("birthday"):
        return []
    about = next((one.attribute for one in reversed(scene.drafts) if one.attribute in _PROJECT and one.subject == "user"), "")
    if _DUE.match(noun):
        return [jot(piece, "deadline", time_value(found["v"]), scene, subject=about if about and about != "project" else "user")]
    return [jot(piece, snake(noun), time_value(found["v"]), scene)]


_LISTED = rx(
    r"^(?:my |our |all (?:the |my )?|the )?(?P<n>(?:[a-z-]+ )?[a-z-]{3,}s)(?: (?:that )?(?:i|we) (?P<w>[\w' ]{2,30}?))?(?: (?:are|right now|at the moment|so far))*:\s+(?P<v>.+)$"
)
_NOT_LIST = rx(
    r"(?:^|\b)(?:notes?|questions?|details|results?|steps|instructions|options|reasons|things|errors?|logs?|items|examples|points|lyrics|"
    r"ingredients|facts|numbers|answers|issues|hours|says|thoughts|ideas|topics|requirements|guidelines|rules|decisions|news|thanks|goals|tasks|todos?)$"
)


def read_listing(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "subscriptions I pay for: A, the B and a C from D"."""
    found = _LISTED.match(piece.whole.text) if piece.start - piece.whole.start <= len("also my ") else None
    if not found or _NOT_LIST.search(found["n"]):
        return []
    noun = found["n"].lower().split()[-1]
    if not found["w"] and not re.match(r"(?:my|our)\b", piece.whole.text, re.IGNORECASE):
        return []
    slot = OWN.get(noun) or snake(singular(noun))
    values = enumeration(found["v"])
    until = piece.whole.end
    if not is_multi_valued(slot):
        return [jot(piece, snake(noun), tidy(found["v"]), scene, statement=f"Your {noun}: {tidy(found['v'])}", until=until)]
    return [jot(piece, slot, bare(one), scene, statement=f"Your {noun}: {tidy(found['v'])}", until=until) for one in values]


_PORT = rx(
    r"^(?:the |our |my )?(?P<x>[a-z][\w -]{2,30}?)(?: (?:is|runs|listens|lives|sits|moved|has moved|is now|got moved))*(?: now)?(?: on| to| at)?:? port (?P<v>\d{2,5})\b"
)


def read_port(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "staging db is on port 5433", "staging moved: port 6432"."""
    found = _PORT.match(piece.text) or _PORT.match(piece.rest)
    if not found:
        return []
    said = bare(found["x"]).lower()
    known = next((one.subject for one in scene.known if one.attribute == "port" and set(said.split()) <= set(one.subject.lower().split())), said)
    return [jot(piece, "port", found["v"], scene, subject=known, until=piece.start + found.end())]
