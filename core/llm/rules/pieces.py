"""Reading a sentence piece by piece: what people jot down without a full clause, between commas and in brackets.

The grammar of clauses wants a subject and a verb. Notes have neither ("cutover 1 July", "back on the 23rd",
"on-call lead = Wojtek"); here each piece of a sentence is offered to readers that know such shapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.llm.rules.dates import resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import EMOJI, tidy
from core.llm.rules.scene import Scene, lifetime
from core.llm.rules.sentences import Sentence
from core.llm.rules.splitting import strip_filler
from core.llm.rules.voice import second_person, sentence
from core.slots import is_multi_valued, normalise


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence. `rest`: from its start to the end of the sentence; `topic`: what its heading named."""

    text: str
    start: int
    rest: str
    whole: Sentence
    topic: str = ""

    @property
    def end(self) -> int:
        """Where the piece ends in the turn."""
        return self.start + max(len(self.text), 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a piece. `sole`: the clause grammar misreads this shape, so its drafts there go."""

    drafts: tuple[Draft, ...]
    start: int
    end: int
    sole: bool


Reader = Callable[[Piece, Scene], list[Draft]]

_OPENERS = (
    r"(?:i|im|i'm|ive|i've|i'll|we|we're|we've|my|our|the|it's|its|it|he|she|he's|she's|they|mine|mine's|his|her|their|"
    r"that|then|also|no|not|back|now|just)"
)

_CUT = re.compile(
    rf"\s*(?:[;,](?!\d)|—|\s[-–]{{1,2}}\s|\(|\)|(?<=\w):(?=\s)|[{EMOJI}]+|\.{{2,}}|…)\s*|"
    rf"\s+(?:and|but|so|because|cos|cuz|plus|though|since)\s+(?={_OPENERS}\b|[\w-]+(?: [\w-]+){{0,2}} (?:is|are|'s)\s)",
    re.IGNORECASE,
)

_JOINER = re.compile(
    r"^(?:(?:and|but|so|also|plus|or|then|because|cos|yes|yeah|ok|oh|well|welp|btw|fyi|tbh|"
    r"ngl|update|hi|hey)\b[\s,:]*)+",
    re.IGNORECASE,
)

_TOPIC = re.compile(
    r"^(?:for|about|re|regarding) (?:the |our |my )?(?P<a>[\w' -]{2,30})$|^(?P<b>[\w' /-]{2,40})$", re.IGNORECASE
)
_REST = 300  # characters of a piece, and of what follows it, that are read
_PIECES = 24  # pieces of one sentence that are read


def pieces_of(whole: Sentence) -> list[Piece]:
    """The pieces of a sentence, openers dropped."""
    found: list[Piece] = []
    text, at, topic = whole.text, 0, ""
    marks = [*_CUT.finditer(text)]
    for mark in [*marks, None]:
        stop = mark.start() if mark else len(text)
        raw = text[at:stop]
        begin = at + len(raw) - len(raw.lstrip())
        raw = raw.strip(" \t.!")
        joined = _JOINER.match(raw)
        if joined and joined.end() < len(raw):
            begin, raw = begin + joined.end(), raw[joined.end() :]
        plain, skipped = strip_filler(raw)
        if 1 < len(plain) <= _REST:
            found.append(
                Piece(
                    plain, whole.start + begin + skipped, text[begin + skipped : begin + skipped + _REST], whole, topic
                )
            )
        if mark and ":" in mark.group() and not topic and (heading := _TOPIC.match(tidy(raw))):
            topic = tidy(heading["a"] or heading["b"])
        at = mark.end() if mark else len(text)
        if len(found) >= _PIECES:
            break
    return found


def jot(
    piece: Piece,
    attribute: str,
    value: str,
    scene: Scene,
    *,
    subject: str = "user",
    statement: str = "",
    until: int = 0,
    retracts: bool = False,
) -> Draft:
    """A draft of a piece. `statement` defaults to the piece in the second person; `until`: end of the words used."""
    said = piece.whole.text if until else piece.text
    return Draft(
        subject,
        attribute,
        tidy(value),
        sentence(statement or _shown(piece.text)),
        piece.start,
        max(piece.end, until),
        valid_at=resolve(value, scene.now),
        expires_at=None if retracts else lifetime(attribute, said, scene.now),
        retracts=retracts,
    )


_DROPPED = re.compile(r"(?:[a-z]+ing|on|off|out of|without) \w", re.IGNORECASE)


def _shown(text: str) -> str:
    """The words of a piece addressed to the owner; "working from Porto" is what they are doing."""
    said = second_person(text)
    return (
        f"You are {said[0].lower()}{said[1:]}"
        if _DROPPED.match(said) and not re.match(r"\w+(?: \w+)? (?:is|are)\b", said)
        else said
    )


def read_with(readers: tuple[Reader, ...], parts: list[Piece], scene: Scene, *, sole: bool) -> list[Reading]:
    """What the first fitting reader makes of each piece; later pieces see what earlier ones taught."""
    found: list[Reading] = []
    for piece in parts:
        for reader in readers:
            drafts = [one for one in reader(piece, scene) if one.value]
            if drafts:
                found.append(Reading(tuple(drafts), piece.start, max(one.end for one in drafts), sole))
                scene.drafts.extend(drafts)
                break
    return found


def merged(drafts: list[Draft], readings: list[Reading]) -> list[Draft]:
    """The drafts of the clause grammar and of the pieces as one list, without doubles."""
    kept = list(drafts)
    for reading in readings:
        if reading.sole:
            kept = [one for one in kept if not reading.start <= one.start < reading.end]
    said = tuple(kept)
    for reading in readings:
        for one in reading.drafts:
            if reading.sole or not any(_doubles(one, other) for other in said):
                kept.append(replace(one))
    return kept


_TELLING = 4  # characters of a value that is no accident within another


def _doubles(one: Draft, other: Draft) -> bool:
    same_slot = (
        other.attribute == one.attribute
        and other.subject.casefold() == one.subject.casefold()
        and not is_multi_valued(one.attribute)
    )
    named = set(normalise(one.attribute).split()) <= set(
        f"{normalise(other.subject)} {normalise(other.attribute)}".split()
    )
    if named and one.value.casefold() in f"{other.value} {other.statement}".casefold() and other.value in one.value:
        return True
    mine, theirs = one.value.casefold(), other.value.casefold()
    alike = mine in theirs or (len(theirs) >= _TELLING and theirs in mine)
    return other.retracts == one.retracts and (
        same_slot or (alike and other.subject.casefold() == one.subject.casefold())
    )
