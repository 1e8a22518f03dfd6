"""Reads clauses that no form fits by their likeness to prototypes: "we upped sticks to Bergen" is like "I live in X".

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from core.errors import ChronoMemoryError
from core.llm.rules.clausework import EITHER, SOMEBODY, THING, USER, Unread, place_in, remainder
from core.llm.rules.dates import WHEN_RX, resolve, when_attribute
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import enumeration, rx, snake, tidy
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
FAINT, FAINT_NOTHING, FAINT_OTHERS = 0.32, 0.12, 0.08  # the same for what is far from everything else
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
        over_nothing, over_others = self.score - self.nothing, self.score - self.other
        if self.label.family in _HARMFUL:
            return self.score >= STRICT and over_nothing >= OVER_NOTHING and over_others >= OVER_OTHERS
        if self.score >= ENOUGH and over_nothing >= OVER_NOTHING and over_others >= OVER_OTHERS:
            return True
        return self.score >= FAINT and over_nothing >= FAINT_NOTHING and over_others >= FAINT_OTHERS


_lock = threading.Lock()
_vectors: dict[str, list[tuple[Label, list[list[float]]]]] = {}
BATCH = 64  # examples embedded at a time


class NearestReader:
    """Labels clauses by an embedding model; safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        """Bind the model; prototypes are embedded on first use or by `warm`."""
        self._embedder = embedder

    @property
    def usable(self) -> bool:
        """Whether the model is the one the thresholds were set on."""
        return self._embedder.identity.startswith(_MODEL + "@")

    def warm(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Embed the prototypes now, batch by batch, until `stop` says so.

        Raises:
            ChronoMemoryError: the model does not answer.
        """
        if self.usable:
            self._prototypes(stop)

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
        prototypes = self._prototypes(lambda: False)
        vectors = self._embedder.embed([one.said for one in clauses])
        return [_verdict(one, vector, prototypes) for one, vector in zip(clauses, vectors, strict=True)]

    def _prototypes(self, stop: Callable[[], bool]) -> list[tuple[Label, list[list[float]]]]:
        """Every label with its examples' vectors; computed once a process and model, in batches."""
        with _lock:
            known = _vectors.get(self._embedder.identity)
            if known is not None:
                return known
            texts = [text for label in labels() for text in label.examples]
            flat: list[list[float]] = []
            while len(flat) < len(texts) and not stop():
                flat += self._embedder.embed(texts[len(flat) : len(flat) + BATCH])
            if len(flat) < len(texts):
                return []
            rows, at = [], 0
            for label in labels():
                rows.append((label, flat[at : at + len(label.examples)]))
                at += len(label.examples)
            _vectors[self._embedder.identity] = rows
            return rows


def _verdict(one: Unread, vector: list[float], prototypes: list[tuple[Label, list[list[float]]]]) -> Verdict | None:
    fits = {USER: {USER, THING}, SOMEBODY: {SOMEBODY}, THING: {THING, USER}, EITHER: {SOMEBODY, THING, USER}}[one.about]
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


_TASTE_WORDS = 12
_HOUSING = re.compile(
    r"\b(?:(?:[\w-]+[- ])?(?:studio|flat|apartment|house|bungalow|cottage|maisonette|"
    r"farmhouse|narrowboat|houseboat|townhouse|"
    r"terrace|bedsit|loft|penthouse|caravan|duplex|villa|cabin|condo|semi|dorm|halls))\b",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(?:it|that|this|they|there|he|she|the|new place|old one|one|everything|something)$", re.IGNORECASE
)


#: Cosines do not see a "not": what turns a sentence round is looked for by itself.
_PAST = rx(
    r"\b(?:used to|no longer|not any ?more|anymore|any more|outgrew|grew out of|formerly|ex-|"
    r"in the past|back then|almost|nearly (?:got|bought))\b"
)
_DENIES = rx(
    r"\b(?:not|never|no|don't|doesn't|didn't|isn't|aren't|wasn't|won't|can't|couldn't|hardly|neither|nor|without)\b"
)
_FINE = rx(r"(?:'s|\bis|\bare|'re|\bwas) (?:all |totally |perfectly )?(?:fine|ok|okay|alright|all right|good)\b")
_DISLIKING = rx(
    r"\b(?:not keen|not a fan|no fan|not for me|not my|never been (?:one|into|a)|can't "
    r"(?:bear|stand|stomach|abide)|don't (?:like|care for|enjoy)|won't catch|anything but)\b"
)


def _turned_round(one: Unread, label: Label) -> bool:
    """Whether a clause may say the contrary of what it resembles, or tell of the past."""
    said = one.said
    if _PAST.search(said):
        return True
    if label.slot == "dislikes":
        return bool(_FINE.search(said)) or (bool(_DENIES.search(said)) and not _DISLIKING.search(said))
    if label.slot in {"likes", "hobby", "owns", "language"}:
        return bool(_DENIES.search(said))
    if label.family == "health":
        return bool(_FINE.search(said)) or bool(
            re.search(r"\b(?:not|never|no|isn't|aren't|doesn't (?:have|take))\b", said, re.IGNORECASE)
        )
    return label.family in {"kin", "work", "place", "pet", "birth"} and bool(_DENIES.search(said))


#: What a clause must say beside its likeness: whose taste, whose work, years of what.
_NEEDS = {
    "tenure": rx(
        r"\byears? (?:in|on|at|as|with|behind|of|into|for)\b|\b(?:in|at|with|as) .+ since\b|"
        r"\b(?:teaching|working|nursing|driving|doing this)\b"
    ),
    "working_hours": rx(r"\b(?:work\w*|shifts?|i|i'm|hours|off|part-time|full-time|clock)\b"),
    "price": rx(r"\b(?:i|we|my|our|rent|fee|rate|ticket|tickets|subscription)\b"),
}
_SENSES = rx(r"^(?:tastes?|sounds?|feels?|looks?|smells?|seems?)\b")
_ME = rx(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|we|we're|we've|us|our)\b")
_OWN_WORDS = frozenset({"taste", "leisure", "aim", "work", "study", "food", "language", "routine", "answers"})


def _lacks(one: Unread, label: Label) -> bool:
    """Whether a clause lacks the words without which its likeness means nothing."""
    needed = _NEEDS.get(label.slot)
    if (needed and not needed.search(one.said)) or _SENSES.match(one.said):
        return True
    if label.about == USER and one.about != USER and label.family in _OWN_WORDS and not _ME.search(one.said):
        return True
    return one.about == EITHER and label.about != USER and one.clause.entity.subject.endswith("ing")


_VAGUE = rx(r"\b(?:everything|anything|something|nothing|things?|stuff|it|that|this|else)$")


def _value(one: Unread, label: Label) -> str:
    """The value of a clause under a label; "" if the clause does not tell such a fact after all."""
    whose = label.family in _HARMFUL and label.about == USER and one.about != USER
    if whose or _turned_round(one, label) or _lacks(one, label):
        return ""
    if label.about == THING and one.about == USER and label.take != "dated":
        return ""  # a property of a thing that is not named
    value = TAKES[label.take](one)
    if hollow(value) or _VAGUE.search(value) or (label.family == "taste" and len(value.split()) > _TASTE_WORDS):
        return ""
    return value


def _slot(one: Unread, label: Label) -> str:
    """The slot; a thing that is named gives it its own: "our drill is a Makita", "the boat measures 12 metres"."""
    if one.about not in {THING, EITHER}:
        return label.slot
    if label.name == "device":
        return snake(one.clause.noun or one.clause.entity.subject) or label.slot
    if label.name == "description" and one.clause.predicate:
        return snake(one.clause.predicate.split()[0])
    return label.slot


def _drafts(one: Unread, label: Label, scene: Scene) -> list[Draft]:
    value = _value(one, label)
    if not value:
        return []
    if label.take == "dated":
        return _dated(one, label, scene)
    slot = _slot(one, label)
    subject = USER if USER in {label.about, one.about} else one.clause.entity.subject
    if not subject:
        return []
    if slot == "housing" and subject == USER:
        return _dwelling(one, scene)
    values = enumeration(value) if slot in _LISTED else [value]
    found = [_draft(one, subject, slot, part, scene) for part in values if part and not hollow(part)]
    if slot == "home" and subject == USER and (kind := _HOUSING.search(one.said)):
        found.append(_draft(one, subject, "housing", tidy(kind.group()), scene))
    return found


_SIZE = rx(r"\b\d+ ?(?:square (?:metres?|meters?|feet)|sqm|m2|m²|sq ?ft)")
_AREA = rx(r"\b(?:[\w-]+[- ]bed(?:room)?|top[- ]floor|ground[- ]floor|\w+[- ]floor)[\w -]{0,20}")


def _dwelling(one: Unread, scene: Scene) -> list[Draft]:
    """What one lives in, how big it is, and where."""
    kind = _HOUSING.search(one.said) or _AREA.search(one.said)
    if not kind:
        return []
    found = [_draft(one, USER, "housing", tidy(kind.group()), scene)]
    if size := _SIZE.search(one.said):
        found.append(_draft(one, USER, "home_size", size.group(), scene))
    if place := place_in(one.said):
        found.append(_draft(one, USER, "home", place, scene))
    return found


_LISTED = frozenset({"language", "allergy", "medication", "condition"})
_HAPPENS = rx(
    r"\s+(?:meets?|runs?|takes?|starts?|begins?|happens?|comes?|opens?|closes?|is|are|gets?|falls?|goes)\b.*$"
)
_BEFORE_WHEN = re.compile(
    r"^(?:my |our |the |a |an )?(?P<n>[\w'/&-]+(?: (?!on\b|at\b|is\b)[\w'/&-]+){0,3}?)(?:'s|"
    r"\s*:|,| is| are| on| at| every| by)? *$",
    re.IGNORECASE,
)


def _dated(one: Unread, label: Label, scene: Scene) -> list[Draft]:
    """A day or an hour belongs to what happens then."""
    found = WHEN_RX.search(one.said)
    if not found:
        return []
    when = tidy(found.group())
    noun = one.clause.noun or (one.clause.entity.subject if one.about in {THING, EITHER} else "")
    noun = _HAPPENS.sub("", noun)
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


_LABELLED = re.compile(r"(?!my\b|our\b)[a-z' -]{3,30}: ", re.IGNORECASE)
_PRONOUN = rx(r"^(?:he|she|it|they|his|her|its|their|this|that)\b")
_SPEAKS = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|my|our|me|us|im|ive)\b", re.IGNORECASE)


def _statement(one: Unread, slot: str) -> str:
    """The clause as words to the owner; a bare fragment gets the name of its slot."""
    if _LABELLED.match(one.said):
        return sentence(f"Your {one.said[0].lower()}{one.said[1:]}")
    if one.about == USER and not _SPEAKS.search(one.said):
        return sentence(f"Your {slot.replace('_', ' ')}: {one.said}")
    if one.about == USER:
        return sentence(second_person(one.said))
    if _PRONOUN.match(one.said):
        return sentence(one.clause.statement())
    return sentence(second_person(one.said))
