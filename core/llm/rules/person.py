"""What people say of themselves and of others as persons: identity, home, work, health, taste, languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from core.llm.rules.clauses import Clause
from core.llm.rules.dates import WHEN, WHEN_RX
from core.llm.rules.draft import Draft
from core.llm.rules.health import AGE, HEALTH_RULES
from core.llm.rules.home import read_home, read_where_now, revalued
from core.llm.rules.phrases import NAME, PERSON, PETS
from core.llm.rules.scene import Scene, apply, draft
from core.llm.rules.taste import TASTE_RULES, compares
from core.llm.rules.work import is_job_title, read_job

_DEMONYM = (
    "(?-i:(?:[A-Z][a-z]+-)?(?:[A-Z][a-z]+(?:ian|ish|ese|ean|ican|isian|guayan|nese|ani|aqi|eli|eer)|"
    "German|Greek|Dutch|French|Swiss|Thai|Czech|Scottish|Welsh|Filipin[oa]|Slovak|Turk|Croat|Serb|"
    "Dane|Swede|Finn|Pole|Kiwi|American|Mexican|Moroccan|Icelandic|Greenlandic|Kenyan|Belgian))"
)


_I_AM_NAME = re.compile(rf"^am (?P<n>{PERSON})(?P<rest>.*)$", re.DOTALL)


_TURNS = re.compile(
    f"(?:turns?|turning|am turning|is turning|will be|will turn) {AGE}(?: years old)? (?:on |this |"
    f"next )?(?P<d>{WHEN})",
    re.IGNORECASE,
)


_FEMALE = re.compile(
    r"\b(?:youngest|oldest|eldest|middle|second|third|only|older|younger) (?:child|of [\w]+(?: "
    r"(?:brothers|sisters|siblings|kids|children))?)\b|\ban only child\b|\ba (?:twin|triplet)\b",
    re.IGNORECASE,
)


def read_person(clause: Clause, scene: Scene) -> Iterable[Draft]:
    """All facts that the predicate of a clause about a person gives."""
    if not clause.entity.subject:
        return []
    found: list[Draft] = []
    for reader in readers_of(clause):
        found.extend(reader(clause, scene))
    found = [_dated(one, clause) for one in found]
    found.extend(_turning(clause, scene))
    for table in (HEALTH_RULES, TASTE_RULES):
        if table is TASTE_RULES and compares(clause):
            continue
        if not found or found[-1].attribute == "birthday":
            found.extend(apply(table, clause, scene))
    return found


def readers_of(clause: Clause) -> tuple[Callable[[Clause, Scene], list[Draft]], ...]:
    """What may be told of the clause's subject: pets have homes but no jobs."""
    if clause.entity.relation in PETS.values():
        return (read_where_now, read_home)
    return (_name, _birth_order, read_where_now, read_home, read_job)


def _dated(one: Draft, clause: Clause) -> Draft:
    if one.attribute not in {"birthday", "wedding_date"}:
        return one
    when = WHEN_RX.search(clause.predicate, max(0, clause.predicate.find(one.value)))
    return revalued(one, value=when.group(), attribute=one.attribute) if when else one


def _turning(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "turns 90 on 22 Nov": the birthday too."""
    found = _TURNS.match(clause.predicate)
    return [draft(clause, "birthday", found["d"], scene)] if found else []


def _name(clause: Clause, scene: Scene) -> list[Draft]:
    if not clause.is_self:
        return []
    found = _I_AM_NAME.match(clause.predicate)
    if not found or scene.said("name") or re.match(_DEMONYM + r"\b", found["n"]):
        nation = re.match(
            rf"am (?:half |part )?(?P<v>{_DEMONYM}(?:[- ]{_DEMONYM})?)\s*(?:$|[,.!;]|\b(?:and|but|by|living|"
            r"originally)\b)",
            clause.predicate,
        )
        return [draft(clause, "nationality", nation["v"], scene)] if nation else []
    rest = found["rest"].strip()
    if rest and not re.match(r"[,.;!(]|(?:and|but|from|btw|by the way|here|the|a|your)\b", rest):
        return []
    return [
        draft(clause, "name", found["n"], scene, statement=f"Your name is {found['n']}"),
        *_appositive(rest, clause, scene),
    ]


_APPOSITIVE = re.compile(
    r"(?:\(\d+\))?,?\s*(?:an? )(?P<j>[\w' -]+?)(?=\s+(?:from|at|in|based|for|and|who)\b|[,.;!(]|$)", re.IGNORECASE
)
_FROM = re.compile(rf"\bfrom (?P<p>{NAME})", re.IGNORECASE)


def _appositive(rest: str, clause: Clause, scene: Scene) -> list[Draft]:
    """Reads the second half of "I'm Rashid, a civil engineer from Amman"."""
    found = _APPOSITIVE.match(rest)
    out = []
    if found and is_job_title(found["j"]):
        out.append(draft(clause, "job", found["j"], scene, statement=f"You are a {found['j']}"))
    if place := _FROM.search(rest):
        out.append(draft(clause, "hometown", place["p"], scene, statement=f"You are from {place['p']}"))
    return out


def _birth_order(clause: Clause, scene: Scene) -> list[Draft]:
    if not re.match(r"(?:am|is) ", clause.predicate):
        return []
    found = _FEMALE.search(clause.predicate)
    return [draft(clause, "birth_order", found.group(), scene)] if found else []
