"""One language as the grammar of the others than English reads it: a table of forms and where a value ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.llm.rules.folding import folded, plain
from core.llm.rules.phrases import PERSON, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

#: Attributes that add: a list in one sentence is several facts.
MANY = frozenset({"likes", "dislikes", "allergy", "language", "hobby", "condition", "medication", "avoids"})


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language. Patterns meet folded text (`folding.plain`), except `telling`."""

    code: str
    telling: re.Pattern[str]
    certain: re.Pattern[str]
    forms: tuple[tuple[str, re.Pattern[str], str], ...]
    stop: re.Pattern[str]
    relations: dict[str, str]
    relation: tuple[re.Pattern[str], ...]  # groups own, rel, name
    relation_says: str
    joiner: re.Pattern[str]
    head: str  # who a clause is about: "my sister (Ana)", with the group rel
    pronoun: str  # "she"
    joint: str  # what joins a clause to the relation just named: "who", "and"
    said_of: tuple[tuple[str, str, str], ...]  # attribute, pattern after the subject with the group v, sentence
    turns: tuple[tuple[str, str], ...]  # first person -> second person
    own: dict[str, str]  # a possessive or article -> "your"
    brood: re.Pattern[str] | None = None  # "two children, Ann (3) and Bo (5)": groups num, rel, list
    brood_item: re.Pattern[str] | None = None  # groups name, v
    brood_says: str = ""
    brood_counts: str = ""
    age_says: str = ""
    hush: re.Pattern[str] | None = None  # a sentence that tells nothing of its writer
    filler: re.Pattern[str] | None = None  # what may precede a part of a list: "a little"
    many: frozenset[str] = MANY


def tongue(table: dict[str, object]) -> Tongue:
    """A tongue from its table; relation words are folded."""
    relations = table["relations"]
    assert isinstance(relations, dict)  # noqa: S101 - a table of this package
    return Tongue(**{**table, "relations": {plain(word): slot for word, slot in relations.items()}})  # type: ignore[arg-type]  # the fields are checked by the tests of each table


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement being read: as written, folded, and where it comes from."""

    text: str
    plain: str
    sentence: Sentence
    scene: Scene
    tongue: Tongue

    def group(self, match: re.Match[str], name: str) -> str:
        """A group of a match in folded text, as it was written; "" if it took no part."""
        if name not in match.re.groupindex or match.start(name) < 0:
            return ""
        return self.text[match.start(name) : match.end(name)]


def value_of(words: str, language: Tongue) -> str:
    """The value up to where its clause ends."""
    cut = language.stop.search(plain(words))
    return tidy(words[: cut.start()] if cut else words)


def parts_of(raw: str, language: Tongue) -> list[str]:
    """The parts of a list; commas join only where an "and" follows."""
    line = re.split(r"[.;!?。；！？()]", raw)[0]
    pieces = re.split(r"[,，]\s*", line)
    last = next((index for index, piece in enumerate(pieces) if len(_halves(piece, language)) > 1), 0)
    listed = pieces[: last + 1]
    if any(len(half.split()) > 4 for piece in listed[1:] for half in _halves(piece, language)):  # noqa: PLR2004 - a clause
        listed = pieces[:1]
    found = []
    for piece in listed:
        for half in _halves(value_of(piece, language), language):
            part = tidy(half)
            if language.filler:
                part = part[len(match.group()) :] if (match := language.filler.match(plain(part))) else part
            found.append(tidy(part))
    return [part for part in found if len(part) > 1]


def _halves(words: str, language: Tongue) -> list[str]:
    found, start = [], 0
    for match in language.joiner.finditer(plain(words)):
        found.append(words[start : match.start()])
        start = match.end()
    return [*found, words[start:]]


def turned(words: str, language: Tongue) -> str:
    """The words as said, first person turned into second; "" if nothing in them is first person."""
    said = words
    for pattern, second in language.turns:
        said = re.sub(pattern, second, said, flags=re.IGNORECASE)
    if said == words:
        return ""
    shown = said.strip(" ,;:")
    return shown[:1].upper() + shown[1:] + ("。" if language.code == "zh" else ".")


def subject_pattern(language_head: str, pronoun: str, joint: str, core: str) -> re.Pattern[str]:
    """Whom a clause is about, then what is said."""
    return folded(rf"(?:{language_head}|(?P<pro>{pronoun})|(?P<joint>{joint})|\b(?P<nm2>{PERSON}) ?){core}")
