"""Reads clauses that no form fits by their likeness to prototypes: "we upped sticks to Bergen" is like "I live in Bergen".

Each label of prototypes.toml holds clauses by which people tell one kind of fact. A clause gets the label whose three
likest prototypes are nearest on average, if they are near enough, nearer than what tells nothing, and nearer than any
label that means something else. The thresholds hold for the packaged model; any other model turns this off, since its
cosines lie elsewhere. A model that does not answer teaches nothing more (rules §1.4: in doubt, learn less).
"""

from __future__ import annotations

import operator
import re
import threading
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from core.errors import ChronoMemoryError
from core.llm.rules.clausework import SOMEBODY, THING, USER, Unread, remainder
from core.llm.rules.dates import WHEN_RX, resolve, when_attribute
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import enumeration, snake, tidy
from core.llm.rules.scene import Scene, hollow, lifetime
from core.llm.rules.takes import TAKES
from core.llm.rules.voice import second_person, sentence
from core.ports import Embedder
from core.slots import is_multi_valued

ENOUGH = 0.40  # mean cosine from which a label is taken
OVER_NOTHING = 0.06  # by how much it must be nearer than what tells nothing
OVER_OTHERS = 0.03  # by how much it must be nearer than a label of another family
STRICT = 0.50  # the same as ENOUGH for who one is and for health, where a wrong value does harm
CLAUSES = 12  # clauses of one turn that are compared
NEAREST = 3  # prototypes of a label that count
_MODEL = "all-MiniLM-L6-v2"
_NOTHING = "none"
_HARMFUL = frozenset({"name", "birth", "health", "kin"})


@dataclass(frozen=True, slots=True)
class Label:
    """One kind of fact: its slot, the labels it may be taken for, whose fact it is and how its value is found."""

    name: str
    slot: str
    family: str
    about: str
    take: str
    examples: tuple[str, ...]


@cache
def labels() -> tuple[Label, ...]:
    """The labels of prototypes.toml."""
    text = resources.files("core.llm.rules").joinpath("prototypes.toml").read_text(encoding="utf-8")
    return tuple(
        Label(name, row.get("slot", name), row["family"], row["about"], row["take"], tuple(row["examples"]))
        for name, row in tomllib.loads(text).items()
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label nearest to a clause, its score, and how near nothing and the next family are."""

    label: Label
    score: float
    nothing: float
    other: float

    @property
    def sure(self) -> bool:
        """Whether the label is taken."""
        enough = STRICT if self.label.family in _HARMFUL else ENOUGH
        return (
            self.score >= enough
            and self.score - self.nothing >= OVER_NOTHING
            and self.score - self.other >= OVER_OTHERS
        )


class NearestReader:
    """Labels clauses by an embedding model; safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        """Bind the model; prototypes are embedded on first use or by `warm`."""
        self._embedder = embedder
        self._lock = threading.Lock()
        self._vectors: list[tuple[Label, list[list[float]]]] | None = None

    @property
    def usable(self) -> bool:
        """Whether the model is the one the thresholds were set on."""
        return self._embedder.identity.startswith(_MODEL + "@")

    def warm(self) -> None:
        """Embed the prototypes now.

        Raises:
            ChronoMemoryError: the model does not answer.
        """
        if self.usable:
            self._prototypes()

    def read(self, clauses: Sequence[Unread], scene: Scene) -> list[Draft]:
        """What the clauses teach; nothing if the model does not answer."""
        chosen = list(clauses)[:CLAUSES]
        if not chosen:
            return []
        try:
            if not self.usable:
                return []
            verdicts = self.verdicts(chosen)
        except ChronoMemoryError:
            return []
        found: list[Draft] = []
        for one, verdict in zip(chosen, verdicts, strict=True):
            if verdict is not None and verdict.sure:
                found += [draft for draft in _drafts(one, verdict.label, scene) if not _taken(draft, found, scene)]
        return found

    def verdicts(self, clauses: Sequence[Unread]) -> list[Verdict | None]:
        """The nearest label of each clause among those that fit whom it is about.

        Raises:
            ChronoMemoryError: the model does not answer.
        """
        prototypes = self._prototypes()
        vectors = self._embedder.embed([one.asked() for one in clauses])
        return [_verdict(one, vector, prototypes) for one, vector in zip(clauses, vectors, strict=True)]

    def _prototypes(self) -> list[tuple[Label, list[list[float]]]]:
        with self._lock:
            if self._vectors is None:
                flat = self._embedder.embed([text for label in labels() for text in label.examples])
                rows, at = [], 0
                for label in labels():
                    rows.append((label, flat[at : at + len(label.examples)]))
                    at += len(label.examples)
                self._vectors = rows
            return self._vectors


def _verdict(one: Unread, vector: list[float], prototypes: list[tuple[Label, list[list[float]]]]) -> Verdict | None:
    fits = {USER: {USER, THING}, SOMEBODY: {SOMEBODY}, THING: {THING, USER}}[one.about]
    scored = []
    nothing = 0.0
    for label, rows in prototypes:
        likest = sorted((sum(map(operator.mul, vector, row)) for row in rows), reverse=True)[:NEAREST]
        score = sum(likest) / len(likest)
        if label.family == _NOTHING:
            nothing = score
        elif label.about in fits:
            scored.append((score, label))
    if not scored:
        return None
    score, best = max(scored, key=operator.itemgetter(0))
    other = max((value for value, label in scored if label.family != best.family), default=0.0)
    return Verdict(best, score, nothing, other)


def _taken(draft: Draft, found: Sequence[Draft], scene: Scene) -> bool:
    """Whether the slot was filled by better knowledge in this turn, or the same was read already."""
    for other in (*scene.drafts, *found):
        if other.subject != draft.subject:
            continue
        if other.attribute == draft.attribute and not is_multi_valued(draft.attribute):
            return True
        if other.value.casefold() == draft.value.casefold():
            return True
    return False


_HOUSING = re.compile(
    r"\b(?:(?:[\w-]+[- ])?(?:studio|flat|apartment|house|bungalow|cottage|maisonette|farmhouse|narrowboat|houseboat|townhouse|"
    r"terrace|bedsit|loft|penthouse|caravan|duplex|villa|cabin|condo|semi|dorm|halls))\b",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(r"^(?:it|that|this|they|there|he|she|the|new place|old one|one|everything|something)$", re.IGNORECASE)


def _drafts(one: Unread, label: Label, scene: Scene) -> list[Draft]:
    value = TAKES[label.take](one)
    if not value or hollow(value):
        return []
    if label.take == "dated":
        return _dated(one, label, scene)
    entity = one.clause.entity
    subject = USER if label.about == USER or one.about == USER else entity.subject
    slot = label.slot
    if label.about == THING and one.about == USER:
        return []  # a property of a thing that is not named
    if label.family == "gear" and label.slot == "device" and one.about == THING:
        slot = snake(one.clause.noun or entity.subject) or slot
    if label.name == "description" and one.about == THING:
        slot = snake(one.clause.predicate.split()[0]) if one.clause.predicate else slot
    values = enumeration(value) if is_multi_valued(slot) and slot in _LISTED else [value]
    found = [_draft(one, subject, slot, part, scene) for part in values if part and not hollow(part)]
    if label.family == "place" and subject == USER and slot == "home" and (kind := _HOUSING.search(one.said)):
        found.append(_draft(one, subject, "housing", tidy(kind.group()), scene))
    return found


_LISTED = frozenset({"language", "allergy", "medication", "condition"})
_BEFORE_WHEN = re.compile(r"^(?:my |our |the |a |an )?(?P<n>[\w'/&-]+(?: (?!on\b|at\b|is\b)[\w'/&-]+){0,3}?)(?:'s|\s*:|,| is| are| on| at| every| by)? *$", re.IGNORECASE)


def _dated(one: Unread, label: Label, scene: Scene) -> list[Draft]:
    """A day or an hour belongs to what happens then."""
    found = WHEN_RX.search(one.said)
    if not found:
        return []
    when = tidy(found.group())
    noun = one.clause.noun or (one.clause.entity.subject if one.about == THING else "")
    if not noun and (head := _BEFORE_WHEN.match(one.said[: found.start()])):
        noun = head["n"]
    if label.slot == "deadline":
        return [_draft(one, noun if noun and not _NO_SUBJECT.match(noun) else USER, "deadline", when, scene)]
    if not noun or _NO_SUBJECT.match(noun):
        return [_draft(one, USER, "plan", remainder(one.said), scene)] if one.about == USER else []
    return [_draft(one, noun, when_attribute(when), when, scene)]


def _draft(one: Unread, subject: str, slot: str, value: str, scene: Scene) -> Draft:
    clause = one.clause
    return Draft(
        subject,
        slot,
        tidy(value),
        _statement(one, slot),
        clause.start,
        clause.end,
        valid_at=resolve(value, scene.now),
        expires_at=lifetime(slot, clause.said, scene.now),
    )


_SPEAKS = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|my|our|me|us|im|ive)\b", re.IGNORECASE)


def _statement(one: Unread, slot: str) -> str:
    """The clause as words to the owner; a bare fragment gets the name of its slot."""
    if one.about == USER and not _SPEAKS.search(one.said):
        return sentence(f"Your {slot.replace('_', ' ')}: {one.said}")
    if one.about == USER:
        return sentence(second_person(one.said))
    return sentence(one.clause.statement())
