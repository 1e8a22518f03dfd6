"""Facts of the shape "X is at, on, by, moved to <time>", and the slot that a time belongs to."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause
from core.llm.rules.dates import WHEN, WHEN_RX, time_value, when_attribute
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import COMPOUND, OWN
from core.llm.rules.phrases import bare, rx, snake
from core.llm.rules.scene import Rule, Scene, apply, draft
from core.slots import normalise

_AT = r"(?:on |at |by |in |for |from )?(?:the )?"


AT_TIME = rf"(?P<v>{_AT}(?:about |around )?{WHEN}.*)"


TIME_RULES = [
    Rule(
        "deadline",
        rx(
            "(?:(?:is|are|falls|will be)(?: now)? (?:due|needed)(?: in)?|(?:(?:has|have|needs?) to|must|"
            "should) be (?:in|done|submitted|finished|handed in|delivered|ready|sent|filed|paid)|closes for "
            f"submissions) {AT_TIME}"
        ),
        "any",
        soft=True,
    ),
    Rule(
        "expiry_date",
        rx(f"(?:expires?|runs out|is valid until|are valid until|lapses|will expire|ends up expiring) {AT_TIME}"),
        "any",
        soft=True,
    ),
    Rule("ship_date", rx(rf"(?:ships?|is shipping|will ship|shipping|due to ship) {AT_TIME}"), "any", soft=True),
    Rule(
        "launch_date",
        rx(
            "(?:launch(?:es|ed)?|will launch|goes live|is launching|go live|launching|comes out|is released|"
            f"will be released|releases|is coming out) {AT_TIME}"
        ),
        "any",
        soft=True,
    ),
    Rule(
        "start_date",
        rx(
            "(?:starts?|begins?|kicks off|opens|will start|is starting|started|will begin)(?: (?:there|"
            rf"school|nursery|work|university|college|kindergarten|again|training|uni|\w+))? {AT_TIME}"
        ),
        "any",
        soft=True,
    ),
    Rule(
        "end_date",
        rx(rf"(?:ends?|finish(?:es)?|closes|is over|will end|concludes|wraps up|ended) {AT_TIME}"),
        "any",
        soft=True,
    ),
    Rule("arrival", rx(rf"(?:arrives?|lands?|gets in|is arriving|will arrive) {AT_TIME}"), "any", soft=True),
    Rule("departure", rx(rf"(?:leaves?|departs?|takes off|is leaving|am leaving) {AT_TIME}"), "any", soft=True),
    Rule(
        "when",
        rx(
            "(?:has |have |had |got |was |is |are |were )?(?:been )?(?:moved|pushed|postponed|rescheduled|"
            "shifted|changed|brought forward|delayed|switched|bumped|slipped|pushed back|moved back|moved "
            f"forward|moves)(?: back| forward| up| out)?(?: from .{{1,40}}?)? (?:to|until|till) {AT_TIME}"
        ),
        "any",
        soft=True,
    ),
    Rule(
        "when",
        rx(
            "(?:is|are|was|will be|takes place|take place|happens?|is happening)(?: (?:planned|scheduled|set|"
            "booked|due to (?:happen|start)|going to be|fixed|confirmed|pencilled in))?(?: (?:for|on|at))? "
            f"{AT_TIME}"
        ),
        "any",
        soft=True,
    ),
    Rule("time", rx(rf"(?:meets?|runs?|is open|opens|is held|happens) {AT_TIME}"), "any", soft=True),
]


_NAMED_TIME = re.compile(
    "(?:deadline|due date|launch date|release date|start date|end date|exam date|move date|closing date)$",
    re.IGNORECASE,
)


def canonical(subject: str, attribute: str, scene: Scene) -> tuple[str, str]:
    """The slot under which a thing is already known, so that "the locker code" finds "my locker code"."""
    wanted = {normalise(f"{subject} {attribute.replace('_', ' ')}"), normalise(subject)}
    timed = {
        "date",
        "time",
        "schedule",
        "deadline",
        "appointment",
        "launch_date",
        "ship_date",
        "release_date",
        "start_date",
        "departure",
    }
    for memory in scene.known:
        held_subject, held = normalise(memory.subject), normalise(memory.attribute)
        if memory.subject == "user" and held in wanted:
            return memory.subject, memory.attribute
        if held == normalise(subject) and attribute in {"value", "date", "time", "schedule", "description"}:
            return memory.subject, memory.attribute
        if held_subject == normalise(subject) and (
            memory.attribute == attribute or {memory.attribute, attribute} <= timed
        ):
            return memory.subject, memory.attribute
        if f"{held_subject} {held}" in wanted:
            return memory.subject, memory.attribute
    return subject, attribute


_PART_OF = re.compile(
    "(?P<p>deadline|due date|kick-?off|launch|release|start|end|start date|end date|launch date|"
    "release date|interview|exam) (?:for|of) (?:the |our |my )?(?:project )?(?P<x>.+)$",
    re.IGNORECASE,
)
_BARE_TIME = re.compile(rf"(?:on|at|every|from) {WHEN}[.!]?$|{WHEN}[.!]?$", re.IGNORECASE)
_NO_EVENT = frozenset(
    {"back", "see you", "off", "home", "out", "free", "busy", "later", "you", "me", "us", "it", "see you all", "again"}
)


def _bare_time(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "haircut on Saturday at 11": a noun and a time, no verb."""
    if clause.owned or clause.entity.person or not clause.noun or normalise(clause.noun) in _NO_EVENT:
        return []
    return [draft(clause, "when", clause.predicate, scene)] if _BARE_TIME.match(clause.predicate) else []


def read_timed(clause: Clause, scene: Scene) -> list[Draft]:
    """Facts of time on a thing, under the slot of their kind."""
    if clause.is_self:
        return []
    found = apply(TIME_RULES, clause, scene) or _bare_time(clause, scene)
    out = []
    for one in found:
        if clause.owned == "my" and snake(clause.noun) in {"birthday", "bday"}:
            return []
        value = time_value(clause.predicate[max(0, clause.predicate.find(one.value)) :])
        if not WHEN_RX.search(one.value):
            continue
        attribute = when_attribute(value) if one.attribute == "when" else one.attribute
        subject = bare(clause.entity.subject)
        part = _PART_OF.match(subject)
        if part and attribute in {"date", "time", "deadline"}:
            out.append(replace(one, value=value, attribute=snake(part["p"]), subject=part["x"]))
            continue
        if attribute in {"date", "time", "schedule"} and OWN.get(normalise(clause.noun)) in {
            "birthday",
            "anniversary",
        }:
            subject, attribute = "user", OWN[normalise(clause.noun)]
        elif (
            attribute in {"date", "time", "schedule"}
            and (compound := COMPOUND.match(subject))
            and re.search(r"date|deadline", compound["p"], re.IGNORECASE)
        ):
            subject, attribute = compound["x"], snake(compound["p"])
        if _NAMED_TIME.match(subject):
            thing = scene.discourse.thing
            attribute, subject = snake(subject).replace("due_date", "deadline"), thing.subject if thing else "user"
        out.append(replace(one, value=value, attribute=attribute, subject=subject))
    return out
