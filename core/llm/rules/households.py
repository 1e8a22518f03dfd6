"""People and pets in languages other than English: their names, and what is said of them."""

from __future__ import annotations

import re
from functools import lru_cache

from core.llm.rules.draft import Draft
from core.llm.rules.folding import folded
from core.llm.rules.phrases import PETS, tidy
from core.llm.rules.tongue import Reading, Tongue, parts_of, subject_pattern, value_of

_CHILDREN = frozenset({"child", "son", "daughter"})


#: Where a person is named in a statement: offset, subject of what follows, and how the subject is shown.
Place = tuple[int, str, str]


def relations(reading: Reading) -> tuple[list[Draft], list[Place]]:
    """The relations that a statement names, and the place of each."""
    found: list[Draft] = []
    places: list[Place] = []
    for pattern in reading.tongue.relation:
        for match in pattern.finditer(reading.plain):
            slot = reading.tongue.relations.get(match["rel"].casefold())
            name = tidy(reading.group(match, "name"))
            if not slot or not name or any(one.value.casefold() == name.casefold() for one in found):
                continue
            if "low" in pattern.groupindex and match["low"] and slot not in PETS.values():
                continue  # "mi gato tosta", but not "mi madre siempre"
            _remember(reading, slot, name)
            places.append((match.end("name"), name, name))
            says = reading.tongue.relation_says.format(
                rel=reading.group(match, "rel"), own=_own(reading.group(match, "own"), reading.tongue), v=name
            )
            found.append(_draft(reading, "user", slot, name, says, match))
    brood, brood_places = _brood(reading, frozenset(one.attribute for one in found))
    found.extend(one for one in brood if all(one.value != other.value for other in found))
    places.extend(brood_places)
    if places:
        reading.scene.discourse.relations["last"] = max(places)[1]
    return found, sorted([*places, *_unnamed(reading)])


def _unnamed(reading: Reading) -> list[Place]:
    """Relations spoken of without a name: "my father is 80 and lives in Poland"."""
    found: list[Place] = []
    for match in _head(reading.tongue.head).finditer(reading.plain):
        slot = reading.tongue.relations.get(match["rel"].casefold())
        if slot:
            name = tidy(reading.group(match, "nm"))
            subject = name or reading.scene.discourse.relations.get(slot) or slot
            found.append((match.end("rel"), subject, subject if subject != slot else _called(reading, match)))
    return found


@lru_cache(maxsize=16)
def _head(pattern: str) -> re.Pattern[str]:
    return folded(pattern)


def _brood(reading: Reading, named: frozenset[str]) -> tuple[list[Draft], list[Place]]:
    """Reads "two children, Hugo (7) and Vera (4)", "three cats"."""
    language = reading.tongue
    if not language.brood or not language.brood_item:
        return [], []
    found: list[Draft] = []
    places: list[Place] = []
    for match in language.brood.finditer(reading.plain):
        slot = language.relations.get(match["rel"].casefold())
        if not slot:
            continue
        number, word = reading.group(match, "num"), reading.group(match, "rel")
        phrase = tidy(f"{number}{'' if language.code == 'zh' else ' '}{word}")
        names: list[str] = []
        for item in language.brood_item.finditer(reading.plain, match.end("rel")):
            if item.start() > match.end("rel") and not names:
                break
            name = tidy(reading.text[item.start("name") : item.end("name")])
            names.append(name)
            places.append((item.end("name"), name, name))
            found.append(_draft(reading, "user", slot, name, language.brood_says.format(v=name, rel=word), item))
            if item["v"]:
                age = tidy(reading.text[item.start("v") : item.end("v")])
                found.append(_draft(reading, name, "age", age, language.age_says.format(x=name, v=age), item))
        if not match["count"]:
            continue
        if slot in _CHILDREN:
            slot = "number_of_children"
        elif names or slot in named or slot not in PETS.values():
            continue
        says = language.brood_counts.format(v=phrase)
        found.append(_draft(reading, "user", slot, number if slot == "number_of_children" else phrase, says, match))
    return found, places


def _draft(reading: Reading, subject: str, attribute: str, value: str, says: str, match: re.Match[str]) -> Draft:
    start = reading.sentence.start
    statement = says[:1].upper() + says[1:]
    return Draft(
        subject,
        attribute,
        value,
        statement,
        start + match.start(),
        start + max(match.end(), match.start() + 1),
        language=reading.tongue.code,
    )


def _remember(reading: Reading, slot: str, name: str) -> None:
    reading.scene.discourse.relations[slot] = name


def _own(word: str, language: Tongue) -> str:
    low = word.casefold().strip()
    return language.own.get(low, low)


@lru_cache(maxsize=64)
def _patterns(code: str, head: str, pronoun: str, joint: str, cores: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    del code  # part of the key
    return tuple(subject_pattern(head, pronoun, joint, core) for core in cores)


def said_of(reading: Reading, places: list[Place]) -> tuple[list[Draft], list[tuple[int, int]]]:
    """Reads "il a huit ans", "arbeitet als Tischlerin", and where such values stand: they are not the user's."""
    language = reading.tongue
    patterns = _patterns(
        language.code, language.head, language.pronoun, language.joint, tuple(core for _, core, _ in language.said_of)
    )
    found: list[Draft] = []
    taken: list[tuple[int, int]] = []
    for (attribute, _, says), pattern in zip(language.said_of, patterns, strict=True):
        for match in pattern.finditer(reading.plain):
            subject, shown = _subject(reading, match, places)
            value = value_of(reading.group(match, "v"), language)
            if not subject or not value or "▒" in value:
                continue
            taken.append(match.span("v"))
            values = parts_of(reading.group(match, "v"), language) if attribute in language.many else [value]
            found.extend(_draft(reading, subject, attribute, one, says.format(x=shown, v=one), match) for one in values)
    return found, taken


def _called(reading: Reading, match: re.Match[str]) -> str:
    own = _own(reading.group(match, "own"), reading.tongue) if "own" in match.re.groupindex else ""
    return f"{own}{'' if reading.tongue.code == 'zh' else ' '}{reading.group(match, 'rel')}".strip()


def _subject(reading: Reading, match: re.Match[str], places: list[Place]) -> tuple[str, str]:
    """Whom a match speaks of, as a subject and as shown; empty if it cannot be told."""
    scene = reading.scene
    if rel := match["rel"]:
        slot = reading.tongue.relations.get(rel.casefold(), "")
        if not slot:
            return "", ""
        name = tidy(reading.group(match, "nm"))
        subject = name or scene.discourse.relations.get(slot) or slot
        return subject, subject if subject != slot else _called(reading, match)
    if match["nm2"]:
        name = tidy(reading.group(match, "nm2"))
        known = {
            *scene.discourse.relations.values(),
            *(m.value for m in scene.known if m.subject == "user" and m.attribute in reading.tongue.relations.values()),
        }
        return (name, name) if name in known else ("", "")
    before = [(subject, shown) for at, subject, shown in places if at <= match.start("v")]
    if before:
        return before[-1]
    last = scene.discourse.relations.get("last", "") if match["pro"] else ""
    return last, last
