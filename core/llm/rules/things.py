"""What people say of things: "the X of Y is Z", "X's Y is Z", prices, places, parts, states."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN, WHEN_RX, resolve, time_value, when_attribute
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import BE, OWN, PROPERTY, read_own_noun
from core.llm.rules.phrases import PERSON, PETS, RELATION, RELATIONS, bare, read_value, rx, snake, tidy
from core.llm.rules.roles import PERSON_THING_RULES, read_ownership, settle
from core.llm.rules.scene import Rule, Scene, apply, draft
from core.llm.rules.timing import AT_TIME, read_timed
from core.llm.rules.voice import second_person
from core.slots import normalise

_POSSESSIVE = rx(
    r"^(?:my|our|the|this)?\s*(?P<x>(?:[\w&/+-]+\s+){0,3}?[\w&/+-]+)'s? (?P<p>(?!(?:a|an|the|not|so|"
    "very|too|been|on|at|in|due|called|named|just|now|my|our|"
    r"me)\b)[\w-]+(?:\s+[\w-]+){0,3}?)\s*(?:is|are|was|=|:|'s)\s+(?P<v>.+)$"
)


_OF = rx(
    r"^(?:the|our|my)?\s*(?P<p>[\w-]+(?: [\w-]+){0,2}?) (?:of|for) (?:the |our |my )?(?P<x>(?!you\b|"
    r"me\b|us\b|it\b|now\b)[\w&/+'-]+(?: [\w&/+'-]+){0,4}?)(?: is| are|'s|:| was| =)(?: now| "
    "currently| still)?(?: set at| set to)? (?P<v>.+)$"
)


THING_RULES = [
    Rule("budget", rx(r"(?:has|have|had) a budget of (?P<v>.+)"), "thing"),
    Rule(
        "price",
        rx(
            "(?:costs?|cost us|cost me|is priced at|sells for) (?P<v>(?:about |around |roughly )?(?:[£$€¥]|"
            r"\d).+)"
        ),
        "thing",
    ),
    Rule("oil", rx(r"(?:needs|takes|uses) (?P<v>[\w-]+(?: [\w-]+)?) oil\b"), "thing"),
    Rule(
        "flow_rate",
        rx(
            r"(?:moves|pumps|pushes|delivers|does) (?P<v>\d[\d.,]* ?(?:lit(?:re|er)s?|l|gallons?|m3|ml) (?:an|"
            r"a|per|/) ?\w+)"
        ),
        "thing",
    ),
    Rule(
        "battery_life",
        rx(
            r"(?:only )?(?:holds?|lasts?)(?: only)? (?:abt |about |around |roughly )?(?P<v>\d[\d.,]* "
            "?(?:hours?|hrs?|h|minutes?|mins?|days?))"
        ),
        "thing",
    ),
    Rule("language", rx(r"(?:is|are) (?:written|coded|built|implemented) in (?P<v>.+)"), "thing"),
    Rule("runs_on", rx(r"(?:runs?|is running|are running|is hosted|is deployed) on (?P<v>.+)"), "thing"),
    Rule(
        "purpose",
        rx(
            "(?P<v>(?:replaces?|automates?|handles?|tracks?|measures?|monitors?|manages?|converts?|"
            "generates?|is (?:meant|intended|supposed) (?:to|for)) .+)"
        ),
        "thing",
        soft=True,
    ),
    Rule(
        "owner",
        rx(
            "(?:belongs to|is owned by|are owned by|is led by|is run by|is handled by|is managed by|is "
            "maintained by) (?P<v>.+)"
        ),
        "thing",
    ),
    Rule(
        "place",
        rx(
            "(?:takes place|is happening|is held|are held|will be held|is located|is hosted|will take place) "
            "(?:in|at|on) (?P<v>.+)"
        ),
        "thing",
    ),
    Rule(
        "place",
        rx(
            r"(?:is|are|will be) (?:in|at|on) (?P<v>(?:the )?(?:(?-i:[A-ZÀ-Þ0-9])|(?:\w+ )?(?:floor|building|"
            r"room|street|basement|annex|lobby|wing|hall)\b).*)"
        ),
        "thing",
    ),
    Rule("lead_time", rx(r"(?:has|have) (?:a )?lead times? of (?P<v>.+)"), "thing"),
    Rule(
        "needs",
        rx(
            r"(?:needs?|takes|requires) (?P<v>(?!to (?:be )?(?:go|fix|see)\b|some|more|help|a (?:new|"
            r"break)).*\d.*)"
        ),
        "thing",
    ),
    Rule("uses", rx(r"(?:uses?|is using|are using|is built (?:with|on)) (?P<v>.+)"), "thing", many=True),
    Rule("version", rx(r"(?:is|are) (?:on|at) (?P<v>v(?:ersion)? ?\d[\w.]*)"), "thing"),
]


_PROJECT_NAMED = rx(
    "(?:am |are )?(?:leading|running|working on|heading up|managing|on|part of) (?:the )?project "
    r"(?P<n>(?-i:[A-Z])\w*)"
)


_APPOINTMENT = rx(
    "(?:have|have got|has|got|'ve got|has got)(?: (?:to see|to go to))? (?:an?|the|my|our) "
    r"(?P<x>[\w' -]{2,50}?)(?: (?:appointment|appt))?(?: booked| scheduled| coming up)? "
    r"(?P<v>(?:with .{2,40}? )?(?:on|at|in|this|next|tomorrow|today|tonight|every)\b.*)$"
)


_MOVED_IT = rx(
    "(?:have |had )?(?:moved|pushed|postponed|rescheduled|shifted|changed|brought|switched|delayed|"
    r"bumped) (?:the |our |my )?(?P<x>[\w' -]{2,50}?) (?:back |forward |up )?(?:from .{1,30}? "
    f")?(?:to|until|till) {AT_TIME}"
)


_MEET = rx(
    "(?:am |are )?(?:meeting|seeing|having (?:lunch|dinner|coffee|drinks|breakfast) with|meet|see) "
    r"(?:up with )?(?P<x>.{2,40}?) (?P<v>(?:on|at|tomorrow|next|this|in)\b.*)$"
)


def read_thing(clause: Clause, scene: Scene) -> Iterable[Draft]:
    """All facts of a clause whose subject is a thing, or a fact of the shape "X is Y"."""
    found = read_timed(clause, scene)
    if not found and clause.is_self:
        found = apply(PERSON_THING_RULES, clause, scene)
    if not found and not clause.is_self:
        found = apply(PERSON_THING_RULES, clause, scene) if clause.entity.person else []
        found = found or read_ownership(clause, scene)
    if not found:
        found = _possessive(clause, scene) or _of(clause, scene)
    if not found:
        found = read_own_noun(clause, scene)
    if not found and not clause.entity.person and clause.entity.subject:
        found = (
            _of_last_thing(clause, scene)
            or apply(THING_RULES, clause, scene)
            or _breed(clause, scene)
            or _plain_is(clause, scene)
        )
    if not found and clause.entity.person and not clause.is_self and not clause.entity.relation:
        clause = replace(clause, entity=replace(clause.entity, person=False))
        found = apply(THING_RULES, clause, scene) or (
            _plain_is(clause, scene) if re.match(r"project\b", clause.said, re.IGNORECASE) else []
        )
        found = [replace(one, subject=re.sub(r"^project ", "", one.subject, flags=re.IGNORECASE)) for one in found]
    return [settle(one, scene) for whole in found for one in _place_and_day(whole, scene)]


_PLACE_THEN_DAY = rx(rf"(?P<p>.{{2,80}}?),? (?:on |this |next |at |in )+(?P<v>(?:the )?{WHEN})$")


def _place_and_day(one: Draft, scene: Scene) -> list[Draft]:
    """A place with its day behind it is two facts: "at the Anchor on the 17th"."""
    found = _PLACE_THEN_DAY.match(one.value) if one.attribute == "place" else None
    if not found:
        return [one]
    day = time_value(found["v"])
    when = replace(one, attribute=when_attribute(day), value=day, valid_at=resolve(day, scene.now))
    return [replace(one, value=tidy(found["p"]), valid_at=None), when]


def _possessive(clause: Clause, scene: Scene) -> list[Draft]:
    found = _POSSESSIVE.match(clause.said)
    if not found:
        return []
    owner, noun = tidy(found["x"]), tidy(found["p"])
    value = read_value(found["v"], soft=True)
    attribute = OWN.get(noun.lower(), snake(noun))
    named = re.match(rf"(?P<r>{RELATION}) (?P<n>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)$", owner, re.IGNORECASE)
    word = owner.lower()
    if named:
        subject = named["n"]
    elif word in RELATIONS:
        slot = RELATIONS[word]
        subject = scene.discourse.relations.get(slot) or next(
            (m.value for m in scene.known if m.subject == "user" and m.attribute == slot and " and " not in m.value),
            slot if word not in PETS else word,
        )
    else:
        subject = owner if word != "it" else clause.entity.subject
    if attribute == "name" and word in RELATIONS:
        return [draft(clause, RELATIONS[word], value, scene, subject="user")]
    if attribute in {"birthday", "anniversary"}:
        value = time_value(value) if WHEN_RX.search(value) else value
    if not value or value.lower().startswith(("not ", "so ", "very ")):
        return []
    surface = (
        owner
        if owner[:1].isupper() and not named
        else f"Your {owner}"
        if clause.owned != "the" or named
        else f"The {owner}"
    )
    scene.discourse.see(Entity(subject, surface, person=word in RELATIONS and word not in PETS))
    said = second_person(clause.said)
    return [
        draft(
            clause,
            attribute,
            value,
            scene,
            subject=subject,
            statement=f"Your {said}" if named or (word in RELATIONS and said.lower().startswith(word)) else said,
        )
    ]


def _of(clause: Clause, scene: Scene) -> list[Draft]:
    found = _OF.match(clause.said)
    if not found or re.match(
        "(?:one|some|most|all|many|a lot|lots|kind|sort|out|because|instead|thanks|lot|half|each|best|"
        r"worst|none|plenty|ideas?|tips?|list|suggestions?|recipes?|examples?|reasons?|names?|questions?|options?)\b",
        found["p"],
        re.IGNORECASE,
    ):
        return []
    value = read_value(found["v"], soft=True)
    if re.fullmatch(
        r"(?:head|director|vp|chief|manager|chair|captain|secretary|minister|dean|team lead|president)",
        found["p"],
        re.IGNORECASE,
    ) and re.fullmatch(PERSON, value):
        return [draft(clause, "role", f"{found['p']} of {tidy(found['x'])}", scene, subject=value)]
    return [draft(clause, snake(found["p"]), value, scene, subject=bare(found["x"]))] if value else []


def _breed(clause: Clause, scene: Scene) -> list[Draft]:
    found = apply([rule for rule in PERSON_THING_RULES if rule.attribute in {"breed", "death"}], clause, scene)
    noun = normalise(clause.noun)
    named = re.search(rf",\s*(?P<n>{PERSON})$", clause.said)
    if found and named and noun in PETS:
        found.append(
            draft(clause, PETS[noun], named["n"], scene, subject="user", statement=f"Your {noun} is {named['n']}")
        )
    return found


_STATUS = rx(
    "(?:is|are|has been|have been) (?P<v>(?:at the (?:garage|vet|shop|workshop|mechanic|dentist|"
    "cleaners?)|in the (?:garage|shop|workshop)|broken|cancelled|canceled|delayed|on hold|blocked|"
    "sold out|being repaired|in repair|out of order|lost|stolen|shelved|paused|approved|"
    r"rejected)\b.*)$"
)


_DECIDED_STATE = re.compile(
    r"(?:cancell?ed|postponed|delayed|on hold|sold out|paused|shelved|approved|rejected)\b", re.IGNORECASE
)
_DEICTIC = re.compile(
    "(?:answer|question|problem|point|result|error|idea|issue|output|reason|difference|sum|total|sun|"
    "earth|moon|example|first|last|code|line|solution|limit|average)s?$",
    re.IGNORECASE,
)
_SHORT_VALUE = 4  # words of a value that is a name or a measure; more is prose
_LINE = rx(r"(?P<x>.+?) (?:phone |telephone )?(?:number|phone|line|hotline)$")


def _measured(clause: Clause, subject: str, value: str, scene: Scene) -> list[Draft]:
    """Reads "the office number is 020 7946 0011", "the fee is 30 euros"."""
    phone = _LINE.match(clause.noun)
    if phone and re.fullmatch(r"\+?[\d ()-]{7,}", value):
        return [draft(clause, "phone", value, scene, subject=bare(phone["x"]))]
    if (
        clause.owned not in {"the", "our"}
        or _DEICTIC.match(subject)
        or len(value.split()) > 2 * _SHORT_VALUE
        or not re.search(r"\d|[£$€]", value)
    ):
        return []
    attribute = "value" if re.match(r"[£$€~\d]", value) else "description"
    return [draft(clause, attribute, value, scene, subject=subject)]


def _plain_is(clause: Clause, scene: Scene) -> list[Draft]:
    subject = bare(clause.entity.subject)
    if found := _STATUS.match(clause.predicate):
        if clause.owned in {"my", "our"}:
            return [draft(clause, f"{snake(subject)}_status", read_value(found["v"], soft=True), scene, subject="user")]
        if clause.owned == "the" and not _DECIDED_STATE.match(found["v"]):
            return []
        return [draft(clause, "status", read_value(found["v"], soft=True), scene, subject=subject)]
    be = BE.match(clause.predicate)
    if not be:
        return []
    value = read_value(be["v"], soft=True)
    if not clause.noun:
        named = clause.entity.subject[:1].isupper() and re.match(r"an? ", be["v"], re.IGNORECASE)
        return [draft(clause, "description", bare(value), scene)] if named and value else []
    return _measured(clause, subject, value, scene) or _described(clause, value, scene)


_PART = re.compile(
    "^(?:battery|screen|engine|motor|keyboard|fan|display|camera|brakes?|tyres?|boiler|pump|firmware|"
    "frontend|backend|licen[cs]e|warranty|insurance)$",
    re.IGNORECASE,
)


def _of_last_thing(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "the battery holds 5 hours" of the phone just spoken of; "firmware is in Rust" of the project."""
    thing = scene.discourse.thing
    noun = normalise(clause.noun)
    if not thing or not noun or noun == normalise(thing.subject):
        return []
    be = BE.match(clause.predicate)
    if be and not clause.owned:
        return _described(clause, read_value(be["v"], soft=True), scene)
    if _PART.match(noun) and clause.owned in {"", "the", "its"}:
        return [
            replace(
                one,
                subject=thing.subject,
                attribute=one.attribute if one.attribute.startswith(noun) else snake(f"{noun} {one.attribute}"),
            )
            for one in apply(THING_RULES, clause, scene)
            if noun == "battery"
        ]
    return []


def _described(clause: Clause, value: str, scene: Scene) -> list[Draft]:
    """Reads "firmware is in Rust", "owner is Siobhán" of the thing last spoken of."""
    thing = scene.discourse.thing
    noun = normalise(clause.noun)
    if clause.owned or not thing or not noun or noun == normalise(thing.subject):
        return []
    brief = len(value.split()) <= _SHORT_VALUE and len(noun.split()) < _SHORT_VALUE - 1
    telling = re.fullmatch(PROPERTY, noun, re.IGNORECASE) or re.match(r"in (?-i:[A-Z])|(?-i:[A-Z])|\d|[£$€]", value)
    if not (brief and telling):
        return []
    said = f"{thing.surface}: {noun} is {value}"
    return [draft(clause, snake(noun), re.sub(r"^in ", "", value), scene, subject=thing.subject, statement=said)]
