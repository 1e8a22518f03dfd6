"""Reads the assertive sentences of an English user turn: the order in which the parts of the grammar are asked."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.acts import act_of
from core.llm.rules.bodies import read_bodies
from core.llm.rules.bonds import read_bonds, see_kin
from core.llm.rules.clauses import Clause, Entity, read_clause
from core.llm.rules.corrections import names_for_count, read_spelling, replace_words
from core.llm.rules.directives import read_directive
from core.llm.rules.draft import Draft
from core.llm.rules.fragments import read_fragments
from core.llm.rules.health import HEALTH_RULES
from core.llm.rules.leanings import read_leanings
from core.llm.rules.loose import merged
from core.llm.rules.parts import parts_of
from core.llm.rules.people import read_people
from core.llm.rules.person import read_person
from core.llm.rules.plans import read_plans, spare_time
from core.llm.rules.reach import read_reach
from core.llm.rules.retractions import read_no_longer, read_retraction
from core.llm.rules.roles import read_owned
from core.llm.rules.scene import Scene, apply
from core.llm.rules.selves import read_selves
from core.llm.rules.sentences import Sentence
from core.llm.rules.splitting import split
from core.llm.rules.things import read_thing
from core.llm.rules.travel import read_bookings
from core.model import SpeechAct

_CONTRAST = re.compile(
    r"^(?:(?:actually|sorry|no|hey|btw|update)[,: ]+)*(?P<s>(?:my|our|the) [\w' -]{2,40}?)"
    r"(?:(?:'s| is| are) (?:not|no longer) [^,;]{1,40}(?:,? but|[,;-] ?(?:it's|it is|they're|its))|"
    r" (?:has |have )?(?:just )?changed(?: to|[,:;-] ?(?:it's|it is|its|now)?|\. it's))(?: actually| now)? "
    r"(?P<y>[^,;]{1,60}?)(?: now| instead)?[.!]?$",
    re.IGNORECASE,
)


_COULD_YOU = re.compile(
    r"(?:\W*(?:and|also|btw|hi|hey|ok|so)\b[, ]*)*(?:can|could|would|will) you (?:please |kindly "
    ")?",
    re.IGNORECASE,
)
_SINGLE = frozenset(
    {"name", "home", "job", "employer", "age", "hometown", "nickname", "email", "phone", "diet", "address"}
)


_OPEN_SUBJECT = re.compile(r"(?:my|our|the|his|her|their|(?-i:[A-Z])\w+)\s+\w", re.IGNORECASE)
_MEDICINE = [rule for rule in HEALTH_RULES if rule.attribute == "medication"]
_OWN_WORDS = re.compile(r"\b(?:i|i'm|im|i've|my|we|our)\b|;", re.IGNORECASE)


def read_sentence(sentence: Sentence, scene: Scene, whole: str, *, in_series: bool) -> tuple[list[Draft], bool]:
    """The facts of one sentence, and whether it was a standing directive."""
    retraction = read_retraction(sentence, scene)
    if retraction:
        return retraction, False
    act = act_of(sentence.text, asks=sentence.asks)
    found: list[Draft] = []
    for part in parts_of(sentence, act):
        found += read_sentence(part, scene, whole, in_series=False)[0]
    if act is SpeechAct.QUESTION:
        return _requested(sentence, found, in_series=in_series)
    if act is not SpeechAct.ASSERTION:
        return found, False
    stated, directed = _stated(sentence, scene, whole, in_series=in_series)
    return merged(stated, found, _SINGLE), directed


def _requested(sentence: Sentence, found: list[Draft], *, in_series: bool) -> tuple[list[Draft], bool]:
    """A standing wish put as a question: "could you always answer in French?"."""
    asked = _COULD_YOU.match(sentence.text)
    if not asked:
        return found, False
    words = sentence.text[asked.end() :].rstrip(" ?")
    start = sentence.start + asked.end()
    wished = read_directive(words, start, start + len(words), in_series=in_series) if words else []
    wished = [one for one in wished if one.attribute == "response_preference"]
    return [*found, *wished], bool(wished)


def _stated(sentence: Sentence, scene: Scene, whole: str, *, in_series: bool) -> tuple[list[Draft], bool]:
    """The facts of a statement."""
    corrected = (
        replace_words(sentence, scene) or read_spelling(sentence, scene, whole) or names_for_count(sentence, scene)
    )
    if corrected:
        return corrected, False
    contrast = _CONTRAST.match(sentence.text)
    if contrast:
        clause = read_clause(
            f"{contrast['s']} is {contrast['y']}", sentence.start, sentence.text, scene.discourse, None
        )
        return [replace(one, end=sentence.end) for one in _clause(clause, scene)], False
    found, directed = _assertion(sentence, scene, in_series=in_series)
    if directed and not _OWN_WORDS.search(sentence.text):
        return merged(found, read_selves(sentence, scene), _SINGLE), directed
    for reader in (read_bonds, read_selves, read_bodies, read_leanings, read_reach):
        found = merged(found, reader(sentence, scene), _SINGLE)
    return found, directed


def _assertion(sentence: Sentence, scene: Scene, *, in_series: bool) -> tuple[list[Draft], bool]:
    directive = read_directive(sentence.text, sentence.start, sentence.end, in_series=in_series)
    if directive and directive[0].attribute in {"lesson", "procedure"}:
        return directive, True
    found = list(read_people(sentence, scene))
    see_kin(sentence, scene)
    previous: Entity | None = None
    directed = False
    if directive and not _OWN_WORDS.search(sentence.text):
        return [*found, *directive], True
    for start, end in split(sentence.text, sentence.start):
        said = sentence.text[start - sentence.start : end - sentence.start]
        ordered = read_directive(said, start, end, in_series=in_series or directed) or (
            directive if directive and not directed and len(said) == len(sentence.text) else []
        )
        if ordered:
            found.extend(ordered)
            directed = True
            continue
        clause = read_clause((spare_time(said) and said) or said, start, sentence.text, scene.discourse, previous)
        read = _clause(clause, scene)
        found.extend(one for one in read if not _repeats(one, found))
        scene.drafts.extend(read)
        if not clause.entity.subject and _OPEN_SUBJECT.match(said):
            previous = clause.entity  # its subject was not understood: what follows is not the speaker's
        if clause.entity.subject:
            previous = clause.entity
            if "'s" not in clause.noun and not any(
                one.attribute == "role" and one.subject != clause.entity.subject for one in read
            ):
                scene.discourse.see(clause.entity)
    if directive and not directed:
        found.extend(directive)
        directed = True
    return found, directed


def _repeats(one: Draft, found: list[Draft]) -> bool:
    return any(
        other.subject == one.subject
        and (
            (other.attribute == one.attribute and other.value in one.value)
            or (other.value == one.value and one.attribute in other.attribute)
        )
        for other in found
    )


def _clause(clause: Clause, scene: Scene) -> list[Draft]:
    closed = read_no_longer(clause, scene)
    if closed:
        return closed
    found = read_owned(clause, scene) if not clause.is_self else []
    found = found or read_fragments(clause, scene)
    if not found and clause.is_self:
        found = apply(_MEDICINE, clause, scene) or read_plans(clause, scene)
    if not found and (clause.is_self or clause.entity.person):
        found = list(read_person(clause, scene))
    if not found or (clause.entity.person and not clause.is_self):
        found = found or list(read_thing(clause, scene))
    if not found and not clause.is_self:
        found = read_plans(clause, scene)
    return found + read_bookings(clause.said, clause, scene)
