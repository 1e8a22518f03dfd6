"""Nouns that name a slot: "My X is Y", "X: Y", "the X Y is Z"."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN_RX, time_value
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import (
    PERSON,
    RELATIONS,
    ROLES,
    bare,
    by_word,
    enumeration,
    read_value,
    rx,
    singular,
    snake,
    tidy,
)
from core.llm.rules.scene import Scene, draft
from core.llm.rules.work import is_job_title
from core.slots import normalise

#: Nouns that own a slot of the user's when it is "my X".
OWN = by_word(
    {
        "name": "name, full name, real name",
        "first_name": "first name",
        "nickname": "given name, nickname, preferred name",
        "surname": "last name, surname, family name",
        "birthday": "birthday, bday, b-day, date of birth, dob, birth date, birthdate",
        "email": "email, e-mail, email address, mail",
        "work_email": "work email",
        "phone": "phone number, number, mobile number, cell, cell number, telephone, mobile",
        "address": "address, postal address, home address, mailing address",
        "job": "job, day job, job title, occupation, profession, title",
        "employer": "employer, company",
        "workplace": "workplace",
        "manager": "manager, boss",
        "hometown": "hometown, home town",
        "nationality": "nationality",
        "age": "age",
        "weight": "weight",
        "height": "height",
        "blood_type": "blood type, blood group",
        "diet": "diet",
        "salary": "salary",
        "working_hours": "shift, schedule, working hours, work hours",
        "laptop": "laptop, computer",
        "device": "phone",
        "operating_system": "os, operating system",
        "editor": "editor, text editor, ide",
        "car": "car",
        "goal": "goal",
        "weight_goal": "goal weight, target weight",
        "hobby": "hobby, hobbies, interests",
        "allergy": "allergies, allergy",
        "language": "languages",
        "native_language": "native language, mother tongue, first language",
        "booking_reference": "booking reference, booking ref, hotel booking reference",
        "anniversary": "anniversary, wedding anniversary",
        "pronouns": "pronouns",
        "timezone": "timezone, time zone",
        "medication": "medication",
        "departure": "flight",
        "seat": "seat",
    }
)


_MANY = frozenset({"hobby", "allergy", "language"})


#: Head nouns of a compound that name a property: "sprint length" is the length of the sprint.
PROPERTY = (
    "(?:length|budget|deadline|owner|date|time|size|version|price|cost|duration|venue|location|host|"
    "lead|name|status|target|goal|colou?r|language|theme|format|frequency|capacity|limit|limits|"
    "quota|schedule|sponsor|maintainer|"
    "due date|release date|launch date|start date|end date|headcount|topic|password hint|priority|"
    "scope|address|domain|repo|stack|database|framework|font|region|timezone|day|room|chair|"
    "organi[sz]er|contact|rate|speed|weight|height|population|currency)"
)


COMPOUND = rx(rf"(?P<x>.+?) (?P<p>{PROPERTY})$")


_COLON = rx(
    rf"^(?:my |our |the )?(?P<p>[a-z][\w -]{{1,30}}?)\s*:\s+(?P<v>\S.*)$|^(?P<q>{PROPERTY}) (?:of |is "
    r")?(?P<w>(?:about |around )?[£$€\d]\S*.*)$"
)


BE = re.compile(
    r"^(?:is|are|was|were|will be|has been|have been|'s|=|:)\s+(?:now |currently |still |actually |"
    "just |only |also |going to be |set to |set at )*(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


#: "My new car" is the car of now.
NEWER = re.compile(r"^(?:brand[- ]new|new|current|latest) (?!year|zealand|york)", re.IGNORECASE)


_CALLED = rx(r"^(?:is|are|'s|am)?\s*(?:called|named)\s+(?P<v>.+)$")


_MEASURED = re.compile(r"\d|@|\w\.\w|[£$€]|(?-i:\b[A-Z][a-z])")


def read_own_noun(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "My X is Y", "X: Y", "the X Y is Z"."""
    predicate = clause.predicate
    called = _CALLED.match(predicate)
    noun = normalise(clause.noun)
    if clause.owned == "my":
        noun = NEWER.sub("", noun)
    be = BE.match(predicate)
    if called and clause.noun:
        value = read_value(called["v"])
        relation = RELATIONS.get(noun) or RELATIONS.get(singular(noun))
        return (
            [draft(clause, relation, value, scene, subject="user")]
            if relation
            else [draft(clause, "name", value, scene)]
        )
    if not be or not noun:
        return _colon(clause, scene)
    raw = be["v"]
    value = read_value(raw, soft=True) if not re.match(r"(?:not|too|so|very|really) ", raw, re.IGNORECASE) else ""
    if not value or "▒" in value:
        return []
    return _noun_is(clause, noun, value, scene)


_DEVICES = frozenset({"car", "laptop", "device", "phone", "job", "flight"})
_CONDITION_OF_IT = re.compile(r"(?:in|at|on|being|broken|not|still|too|so|very|gone|stolen)\b", re.IGNORECASE)


def _noun_is(clause: Clause, noun: str, value: str, scene: Scene) -> list[Draft]:
    for reader in (_my_noun_is, _role_is, _property_is):
        found = reader(clause, noun, value, scene)
        if found is not None:
            return found
    return []


def _my_noun_is(clause: Clause, noun: str, value: str, scene: Scene) -> list[Draft] | None:
    """Reads "my X is Y" where X is a slot of the owner's; None if it is not."""
    if clause.owned not in {"my", "our"}:
        return None
    attribute = OWN.get(noun)
    if attribute in {"phone", "device"}:
        attribute = "phone" if re.search(r"\d[\d\s()-]{5,}", value) else "device"
    if attribute in _DEVICES and _CONDITION_OF_IT.match(value):
        return []
    if attribute:
        values = [bare(one) for one in enumeration(value)] if attribute in _MANY else [_own_value(attribute, value)]
        return [draft(clause, attribute, one, scene, subject="user") for one in values]
    if re.search(r"\b(?:favou?rite|preferred|go-to|go to)\b", noun):
        return [draft(clause, snake(noun).replace("go_to", "favorite"), value, scene, subject="user")]
    if noun in RELATIONS and re.match(r"(?-i:[A-Z])", value) and noun != "client":
        return [draft(clause, RELATIONS[noun], value, scene, subject="user")]
    return None


def _own_value(attribute: str, value: str) -> str:
    if attribute in {"birthday", "anniversary"} and WHEN_RX.search(value):
        return time_value(value)
    return bare(value) if attribute in _DEVICES else value


def _role_is(clause: Clause, noun: str, value: str, scene: Scene) -> list[Draft] | None:
    """Reads "our CTO is Bogdan": the role of a person."""
    if (
        clause.owned not in {"our", "the", "my"}
        or not re.fullmatch(PERSON, value)
        or (clause.owned == "my" and noun in ROLES)
    ):
        return None
    if not (is_job_title(noun) or noun in ROLES or re.fullmatch(r"c[a-z]o|vp|pm|hr|qa", noun)):
        return None
    scene.discourse.see(Entity(value, value, person=True))
    return [draft(clause, "role", clause.noun, scene, subject=value)]


def _property_is(clause: Clause, noun: str, value: str, scene: Scene) -> list[Draft] | None:
    """Reads "the sprint length is two weeks", "our sprints are two weeks long", "my locker code is 4471"."""
    compound = COMPOUND.match(noun)
    if compound and clause.owned != "my":
        return [draft(clause, snake(compound["p"]), value, scene, subject=compound["x"])]
    length = re.match(
        r"(?P<v>(?:\d+|one|two|three|four|five|six|a) (?:weeks?|days?|months?|hours?|minutes?|"
        r"years?))\s*(?:long)?$",
        value,
        re.IGNORECASE,
    )
    if length and clause.owned in {"my", "our", "the"} and ("long" in value or clause.owned == "our"):
        return [draft(clause, "length", length["v"], scene, subject=singular(noun))]
    if clause.owned == "my" and noun not in RELATIONS and (_MEASURED.search(value) or compound):
        return [draft(clause, snake(noun), re.sub(r"^an? ", "", value), scene, subject="user")]
    return None


def _colon(clause: Clause, scene: Scene) -> list[Draft]:
    found = _COLON.match(clause.said)
    if not found:
        return []
    noun, value = normalise(found["p"] or found["q"]), read_value(found["v"] or found["w"], soft=True)
    if not value:
        return []
    if attribute := OWN.get(noun):
        if attribute == "address":
            value = tidy(found["v"] or value)
        if attribute in _MANY:
            return [
                draft(clause, attribute, bare(one), scene, subject="user", statement=f"Your {noun}: {tidy(found['v'])}")
                for one in enumeration(found["v"])
            ]
        return [draft(clause, attribute, value, scene, subject="user", statement=f"Your {noun}: {value}")]
    if re.fullmatch(PROPERTY, noun, re.IGNORECASE):
        thing = scene.discourse.thing
        subject = thing.subject if thing else "user"
        surface = thing.surface if thing else "Your"
        return [draft(clause, snake(noun), value, scene, subject=subject, statement=f"{surface}: {noun} {value}")]
    return []
