"""Jotted pairs: "photographer is Luz", "on-call lead = Wojtek", "cutover 1 July", "current car: a 2012 estate"."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Entity
from core.llm.rules.dates import WHEN, WHEN_RX, time_value
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import NEWER, OWN, PROPERTY
from core.llm.rules.phrases import (
    KIN,
    NAME,
    PERSON,
    PETS,
    RELATION,
    RELATIONS,
    ROLES,
    bare,
    enumeration,
    rx,
    singular,
    snake,
    tidy,
)
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.splitting import VERBS
from core.llm.rules.tools import device_slot
from core.llm.rules.work import is_job_title
from core.slots import is_multi_valued

_CALLED = r"(?:some |an? |this |that )?(?:bloke|guy|man|woman|lady|lad|chap|girl|person|friend)(?: (?:called|named))? "
_WHO = (
    rf"(?:(?:my|our) (?:(?P<rel>{RELATION}|buddy|pal) )|{_CALLED})?(?P<v>{NAME})"
    r"(?: (?:again|only|for now|this time|obviously|as (?:always|usual|before)))?"
)
_ROLE_FIRST = rx(
    r"^(?:the |our |my |their |her |his |its )?(?P<n>[\w'/-]+(?: (?!is\b|are\b)[\w/&-]+){0,4}?)"
    r"(?: (?:this|next|for the) \w+)?(?: (?:that )?(?:i|we) (?:\w+ ){1,3}?(?=is ))?(?:\s*=\s*|"
    r":\s+| is now | is going to be | is | will be |'s )"
    rf"(?:still |now |going to be )?{_WHO}$"
)
_ROLE_LAST = rx(
    rf"^(?P<v>{PERSON})(?:\s*=\s*|'s | is | will be )(?:now |still |currently )?(?:the |our |"
    rf"my )?(?P<n>[\w/&-]+(?: [\w/&-]+){{0,3}}?)"
    r"(?: (?:now|this \w+|next \w+|for now|for the \w+))?$"
)
_IN_APPOSITION = rx(
    rf"\b(?P<v>{PERSON}),? (?:who(?:'s| is)|she(?:'s| is)|he(?:'s| is)|they(?:'re| are)) (?:my|"
    rf"our) (?P<n>[\w-]+(?: [\w-]+)?)\b"
)
_DUTY = re.compile(
    r"(?:(?:the |our |my )?(?:[\w-]+ ){0,2}?(?:c[a-z]o|contact(?: person)?|vp|svp|pm|po|dj|mc|"
    r"hr|gp|qa|on[- ]?call(?: (?:lead|engineer|person))?|lead|head|"
    r"chair(?:person|man|woman)?|back-?up|captain|owner|sponsor|contact|host|champion|deputy|"
    r"second|best man|bridesmaid|"
    r"maid of honou?r|officiant|celebrant|referee|treasurer|secretary|scribe|facilitator|"
    r"moderator|point person|scrum master|"
    r"product owner|sous chef|florist|caterer|photographer|videographer|conveyancer|"
    r"estate agent|letting agent|babysitter|"
    r"childminder|dog walker|goalkeeper|goalie|skipper|accompanist|understudy|godmother|godfather|guardian|executor))$",
    re.IGNORECASE,
)
_NO_DUTY = re.compile(
    r"(?:favou?rite .*|least .*|author|weather|dinner|supper|answer|summer|winter|water|paper|"
    r"number|power|computer|printer|"
    r"router|server|order|offer|letter|"
    r"chapter|character|corner|border|river|docker|user|order|folder|header|footer|tracker|"
    r"browser|cover|flavou?r|colou?r|error|"
    r"mirror|floor|door|motor|sensor|poster|trailer|author|singer|starter|actor|director|"
    r"composer|center|chair|customer|"
    r"killer|winner|adapter|charger|heater|cooker|freezer|toaster|timer|layer|container|"
    r"cluster|order|parameter|operator)$",
    re.IGNORECASE,
)
_NOT_NAME = rx(
    r"(?:the |a )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|"
    r"february|march|april|may|june|july|august|"
    r"september|october|november|december|english|french|german|spanish|italian|irish|british|"
    r"american|thai|chinese|indian|"
    r"japanese|python|java|rust|linux|ok|okay|great|good|yes|no|none|tbd|tba|nobody|someone|hell|easter|christmas)\b"
)


def _duty(noun: str) -> bool:
    return bool(not _NO_DUTY.search(noun) and (noun.lower() in ROLES or _DUTY.match(noun) or is_job_title(noun)))


_BESIDE = rx(rf"^(?:my|our) (?P<n>(?!wife|husband|son|daughter)[a-z][\w' -]{{2,30}}?), (?P<v>{PERSON})(?=,|$)")
_FIRM = re.compile(
    r" (?:&|and) |\b(?:Ltd|Co|Inc|GmbH|LLC|Caterers|Catering|Services|Solutions|Group|Hall|"
    r"Events|Foods|Kitchen|Bakery|Partners|"
    r"Sons|Studios?|Works|Rentals|Agency|Company|Bros|Flowers|Florists|Photography|Sounds?|"
    r"Transport|Movers|Builders|Cleaners)$"
)


def read_role(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "photographer is Luz Arriaga", "CTO = Oyelaran", "his backup is Hanne", "Wojtek is on-call lead"."""
    labelled = re.match(r"\s*:\s+[^,.;:]{2,60}", piece.rest[len(piece.text) :])
    found = _ROLE_FIRST.match(piece.text + (labelled.group() if labelled else ""))
    if found and _duty(re.split(r" (?:at|in|for|of|from) ", found["n"])[0]) and not _NOT_NAME.match(found["v"]):
        noun, name = tidy(found["n"]), tidy(found["v"])
        whole = piece.text + (labelled.group() if labelled else "")
        said = f"{piece.topic}: {whole}" if piece.topic and piece.topic not in whole else whole if labelled else ""
        if slot := ROLES.get(NEWER.sub("", noun.lower())):
            scene.discourse.see(Entity(name, name, person=True))
            return [jot(piece, slot, name, scene, statement=f"Your {noun} is {name}")]
        if not re.fullmatch(PERSON, name) or (" " in name and _FIRM.search(name)):
            return [jot(piece, snake(noun), name, scene, statement=said)]
        scene.discourse.see(Entity(name, name, person=True))
        found_out = [jot(piece, "role", noun, scene, subject=name, statement=said)]
        if (kin := (found["rel"] or "").lower()) in KIN:
            found_out.append(jot(piece, KIN[kin], name, scene, statement=f"Your {kin} is {name}"))
        return found_out
    return _role_last(piece, scene)


def _beside(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "my thesis advisor, Prof Okafor, is strict"."""
    found = _BESIDE.match(piece.rest)
    if not found:
        return []
    noun, name = found["n"].lower(), found["v"]
    slot = ROLES.get(noun) or ROLES.get(noun.split()[-1], "")
    until = piece.start + found.end("v")
    said = f"Your {noun} is {name}"
    if slot:
        return [jot(piece, slot, name, scene, statement=said, until=until)]
    return [jot(piece, "role", noun, scene, subject=name, statement=said, until=until)] if _duty(noun) else []


def _role_last(piece: Piece, scene: Scene) -> list[Draft]:
    last = _ROLE_LAST.match(piece.text)
    if (
        last
        and not _NOT_NAME.match(last["v"])
        and (_DUTY.match(last["n"].split(" of ")[0]) and not _NO_DUTY.search(last["n"]))
    ):
        scene.discourse.see(Entity(last["v"], last["v"], person=True))
        return [jot(piece, "role", last["n"], scene, subject=last["v"])]
    return []


def read_apposition(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "a message to Mrs Adeyemi, she's my landlady": wherever it stands in the sentence."""
    if beside := _beside(piece, scene):
        return beside
    found = _IN_APPOSITION.search(piece.rest)
    if not found or found.start() > len(piece.text):
        return []
    name, noun = tidy(found["v"]), found["n"].lower()
    slot = RELATIONS.get(noun)
    until = piece.start + found.end()
    if slot and noun not in PETS:
        return [jot(piece, slot, name, scene, statement=f"Your {noun} is {name}", until=until)]
    return (
        [jot(piece, "role", noun, scene, subject=name, statement=f"{name} is your {noun}", until=until)]
        if _duty(noun)
        else []
    )


_OWN_LABEL = rx(
    r"^(?:my |our )?(?:current |new |main |daily |usual |present |work |"
    r"home )?(?P<n>[a-z][\w-]*(?: [a-z][\w-]*)?)\s*(?:=|:)\s*(?P<v>\S.*)$"
)
_MINE = rx(r"^mine(?:'s| is|s) (?P<v>.+)$")
_THEIRS = rx(r"\b(?:phone|laptop|computer|car|bike|tablet|camera|printer|watch|tv|email|number|dog|cat|birthday|job)\b")
_THING_OF = rx(
    r"^(?:the |our |my )(?P<n>[\w-]+) (?:at|in) (?:our|my|the) (?:house|home|place|flat|"
    r"office|shop|studio|farm|garage|apartment)"
    r"(?:'s| is) (?P<v>(?:an? )?(?-i:[A-ZÀ-Þ]).+)$"
)


def read_label(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "current car: 2012 estate", "mine's an old iPhone", "the printer at our house is a Brother"."""
    if mine := _MINE.match(piece.text):
        before = _THEIRS.findall(piece.whole.text[: piece.start - piece.whole.start])
        noun = before[-1].lower() if before else ""
        slot = device_slot(mine["v"]) or OWN.get(noun, snake(noun))
        return (
            [jot(piece, slot, bare(mine["v"]), scene, statement=f"Your {noun or 'own'} is {mine['v']}")] if slot else []
        )
    if thing := _THING_OF.match(piece.text):
        return [jot(piece, snake(thing["n"]), bare(thing["v"]), scene)]
    if piece.start != piece.whole.start and piece.text not in piece.whole.text[:60]:
        return []
    found = _OWN_LABEL.match(piece.rest)
    noun = found["n"].lower() if found else ""
    slot = OWN.get(noun) or ("car" if noun in {"vehicle", "motor"} else "")
    if (
        not found
        or not slot
        or slot in {"name", "email", "phone", "address", "hobby", "allergy", "language", "departure", "seat"}
    ):
        return []
    value = tidy(re.split(r",(?!\d)|[;(]|\.(?=\s)", found["v"])[0])
    until = piece.start + found.end()
    return [jot(piece, slot, value, scene, statement=f"Your {noun}: {found['v']}", until=until)] if value else []


_EQUALS = rx(
    r"^(?:the |our |my )?(?P<p>[a-z][\w-]*(?: [\w-]+){0,2}?)(?: (?:for|of|on|in) (?:the |our |"
    r"my )?(?P<x>[\w-]+(?: [\w-]+){0,3}?))? = (?P<v>[^=]{1,60})$"
)
_DECIDED = rx(
    r"\b(?:decisions?|decided|agreed|settled(?: it)?|voted|verdict|outcome|new rules?|"
    r"resolved|conclusion|(?:call|verdict|choice) is)\b[^:.?!]{0,40}:\s*(?P<v>.+)$"
)
_NOT_DECISION = rx(r"^(?:(?:i|we|he|she|they|you|please|pls|can|how|what|why|ask|tell|write)\b|\w+$)")


_ORDER = rx(
    r"^(?:explain|why|how|what|if|so|when|fix|make|let|set|show|tell|is|does|print|use|solve|find|calculate|compute)\b"
)


def read_equation(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "retention for raw logs = 14 days"."""
    found = _EQUALS.match(piece.text)
    if not found or _duty(found["p"]) or not re.search(r"\d|[£$€]", found["v"]) or _ORDER.match(found["p"]):
        return []
    subject = tidy(found["x"] or "") or piece.topic or "user"
    return [jot(piece, snake(found["p"]), found["v"], scene, subject=subject)]


_APPROVED = rx(
    r"^(?:the |our |my )?(?P<w>(?!he\b|she\b|they\b|you\b|it\b|i\b|we\b|who\b|court|police|"
    r"government|congress|parliament|senate|everyone|nobody)[\w'-]+(?: [\w'-]+){0,2}?) "
    r"(?:has |have |finally |just |all )*"
    r"(?P<v>(?:approved|signed off(?: on)?|voted (?:for|to|against)|rejected|vetoed|greenlit|"
    r"green-lit|okayed|agreed (?:to|on)|turned down) .+)$"
)
_PLAN_IS = rx(r"^(?:the|our|my|current) plan(?: now| for \w+(?: \w+)?)? is (?:now )?to (?P<v>.+)$")


def read_approval(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "board approved the new budget", "the plan is to move the launch to June"."""
    if plan := _PLAN_IS.match(piece.text):
        return [jot(piece, "plan", plan["v"], scene)]
    found = _APPROVED.match(piece.text)
    return [jot(piece, "decision", f"{found['w']} {found['v']}", scene)] if found else []


def read_decisions(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "team settled it: A, B and C": every item is a decision."""
    found = _DECIDED.search(piece.whole.text)
    if not found or piece.start < piece.whole.start + found.start("v"):
        return []
    if _NOT_DECISION.match(piece.text) or len(piece.text.split()) < 3:  # noqa: PLR2004 (a shorter piece decides nothing)
        return []
    return [jot(piece, "decision", piece.text, scene, statement=f"Decided: {piece.text}")]


_DATED = rx(
    rf"^(?:the |our |my )?(?P<n>[a-z][a-z-]*(?: [a-z][a-z-]*){{0,2}}?)(?: date)?(?:'s| is| are|"
    rf" will be| =|:)? (?:due )?(?:on |by |at |the )*(?P<v>{WHEN})$"
)
_DAY_NAMED = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)?\b.*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|"
    r"feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d|"
    r"\d{4}-\d\d|\d/\d|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_NO_NOUN = rx(
    r"^(?:i|we|it|he|she|they|you|back|see|home|until|till|since|from|before|after|on|in|at|"
    r"by|for|until|and|or|next|this|last|every|"
    r"around|about|mid|early|late|not|maybe|only|also|just|there|here|due|born|arriving|"
    r"leaving|returning|flying|moving|ill|im|is|"
    r"are|was|now|today|tomorrow|that|what|when|where|who|how|why|free|busy|off|away|out|"
    r"dated?|starting|ending|open|closed|between|"
    r"call|meet|book|set|move|make|send|add|remind|schedule|cancel|show|find|change|remember|"
    r"check|works?|does|did|do|got|have|has)\b"
)
_DUE_ONLY = rx(rf"^(?:(?:it's|its|it is|which is|that's|all) )?due (?:on |by |in )?(?P<v>(?:the )?{WHEN})$")
_DUE = re.compile(
    r"^(?:deadline|due|due date|submission|hand-?in|closing|cut-?off|deadline for submission)$", re.IGNORECASE
)
_PROJECT = ("project", "thesis", "dissertation", "paper", "book")


def read_dated(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "cutover 1 July", "submission is 30 April": a bare noun and its day."""
    if (due := _DUE_ONLY.match(piece.text)) and any(one.attribute in _PROJECT for one in scene.drafts):
        return [jot(piece, "deadline", due["v"], scene, statement=f"Your project is due {due['v']}")]
    found = _DATED.match(piece.text)
    if not found or _NO_NOUN.match(found["n"]) or not _DAY_NAMED.search(found["v"]) or not WHEN_RX.search(found["v"]):
        return []
    noun = found["n"].lower()
    if (
        re.search(
            rf"(?<![-\w])(?:in|at|of|to|for|from|with|on|near|and|{VERBS}|[a-z]+(?:pires|arts|nds|aves|"
            rf"oses))(?![-\w])",
            noun,
        )
        or noun in RELATIONS
        or noun in {"birthday", "anniversary", "wedding anniversary"}
        or noun.endswith("birthday")
    ):
        return []
    about = next(
        (one.attribute for one in reversed(scene.drafts) if one.attribute in _PROJECT and one.subject == "user"), ""
    )
    if _DUE.match(noun):
        return [
            jot(
                piece,
                "deadline",
                time_value(found["v"]),
                scene,
                subject=about if about and about != "project" else "user",
            )
        ]
    return [jot(piece, snake(noun), time_value(found["v"]), scene)]


_LISTED = rx(
    r"^(?:my |our |all (?:the |my )?|the )?(?P<n>(?:[a-z-]+ )?[a-z-]{3,}s)(?: (?:that )?(?:i|"
    r"we) (?P<w>[\w' ]{2,30}?))?(?: (?:are|right now|at the moment|so far))*:\s+(?P<v>.+)$"
)
_NOT_LIST = rx(
    r"(?:^|\b)(?:notes?|questions?|details|results?|steps|instructions|options|reasons|things|"
    r"errors?|logs?|items|examples|points|lyrics|"
    r"ingredients|facts|numbers|answers|issues|hours|says|thoughts|ideas|topics|requirements|"
    r"guidelines|rules|decisions|news|thanks|goals|tasks|todos?)$"
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
        return [
            jot(piece, snake(noun), tidy(found["v"]), scene, statement=f"Your {noun}: {tidy(found['v'])}", until=until)
        ]
    return [
        jot(piece, slot, bare(one), scene, statement=f"Your {noun}: {tidy(found['v'])}", until=until) for one in values
    ]


_PROPERTY_IS = rx(
    rf"^(?:the )?(?P<p>{PROPERTY}|dress code|meeting point|gift|entry fee|fee)(?: (?:this|"
    rf"next) \w+)?(?: is now| is| will be| = | =|:)+ (?:going to be |now |"
    rf"at )?(?P<v>[^,;]{{2,60}})$"
)


def read_property(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "venue will be Harrow Hall again" of what the heading, or the turn, speaks of."""
    found = _PROPERTY_IS.match(piece.text)
    if (
        not found
        or not re.search(r"\d|(?-i:[A-Z])", found["v"])
        or re.match(r"(?:not|so|too|very|what|why|how)\b", found["v"], re.IGNORECASE)
    ):
        return []
    thing = scene.discourse.thing
    subject = piece.topic or (thing.subject if thing else "user")
    return [
        jot(piece, snake(found["p"]), re.sub(r" (?:again|as usual|this year)$", "", found["v"]), scene, subject=subject)
    ]


_PORT = rx(
    r"^(?:the |our |my )?(?P<x>[a-z][\w -]{2,30}?)(?: (?:is|runs|listens|lives|sits|moved|"
    r"has moved|is now|got moved))*(?: now)?(?: on| to| at)?:? port (?P<v>\d{2,5})\b"
)


def read_port(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "staging db is on port 5433", "staging moved: port 6432"."""
    found = _PORT.match(piece.text) or _PORT.match(piece.rest)
    if not found:
        return []
    said = bare(found["x"]).lower()
    known = next(
        (
            one.subject
            for one in scene.known
            if one.attribute == "port" and set(said.split()) <= set(one.subject.lower().split())
        ),
        said,
    )
    return [jot(piece, "port", found["v"], scene, subject=known, until=piece.start + found.end())]
