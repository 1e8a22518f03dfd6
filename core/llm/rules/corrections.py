"""Corrections land in the slot of the fact they correct, so that the key rule replaces it (rules §3.1a)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.llm.rules.dates import WHEN, WHEN_RX, has_clock, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.people import TYPE_OF
from core.llm.rules.phrases import PERSON, RELATIONS, items, rx, singular, tidy, together, words
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import addressed, sentence
from core.model import Memory
from core.slots import is_multi_valued


@dataclass(frozen=True, slots=True)
class Said:
    """A fact of this very turn, as far as a correction needs it."""

    subject: str
    attribute: str
    value: str
    text: str


def _recalled(scene: Scene) -> list[Memory | Said]:
    """What a correction may mend, newest first: the facts of this turn, then the known ones."""
    fresh = [
        Said(one.subject, one.attribute, one.value, one.statement) for one in reversed(scene.drafts) if not one.retracts
    ]
    return [*fresh, *(one for one in scene.known if one.attribute != "event")]


_NOT_X_Y = [
    rx(
        "^(?:no[,.]? |sorry[,.:]? |oops[,.:]? |actually[,.:]? |wait[,.:]? |correction[,.:]? |i "
        r"meant?[,:]? |hmm[,.]? |it(?:'s| is| was) |that(?:'s| is) |they(?:'re| are) |the \w+(?: \w+)? is "
        "|he's |she's |i'm |i am )*not (?:on |at |in |the |a |an |for )?(?P<x>[^,;.!?]{1,50}?)(?:,|;| -| "
        r"–| —|\.) (?:but |it's |its |it is |rather |actually |i meant |on |at |in |sorry |a |an "
        ")*(?P<y>[^,;.!?]{1,60})"
    ),
    rx(
        r"^(?:.{0,30}?\b)?i (?:said|wrote|told you|put|typed)(?: it was| it's)? (?:on |at |in |"
        r"the )?(?P<x>[^,;.!?]{1,40}?),? (?:but |and |when |though )?(?:it's|its|it is|it was|"
        r"i meant|meant|"
        r"it should (?:be|say)|that should be) (?:really |actually )?(?:on |at |in |the )?(?P<y>[^,;.!?]{1,60})"
    ),
    rx(
        r"^(?:.{0,40}?\b)?not (?:on |at |in |the |a |an )?(?P<x>[^,;.!?]{1,50}?),? but (?:rather |on |at |"
        "in |a |an |the )*(?P<y>[^,;.!?]{1,60})"
    ),
    rx(
        "^(?:no[,.]? |sorry[,.:]? |oops[,.:]? |actually[,.:]? |wait[,.:]? |correction[,.:]? |i "
        "meant?[,:]? |typo[,:]? )*(?:it(?:'s| is| was) |that(?:'s| is) |make (?:that|it) |they(?:'re| "
        "are) |he's |she's )?(?:on |at |in |a |an |the )?(?P<y>[^,;.!?]{1,50}?),? (?:not|instead of|"
        "rather than) (?:on |at |in |a |an |the )?(?P<x>[^,;.!?]{1,50})(?=[,;.!?]|$)"
    ),
]


_NAME_IS = re.compile(r"^(?:my|his|her|its|the|our|their) (?:\w+ ){0,3}?(?:is|are|was) (?:on |at |in )?", re.IGNORECASE)


_MOVED = rx(
    "^(?:(?:sorry|actually|update|oh|btw|fyi)[,:]? )*(?:it|that|this|they)?(?:'s| has| have| is| was|"
    " got)? ?(?:just )?(?:been )?(?:moved|pushed|postponed|rescheduled|changed|brought forward|"
    f"delayed|shifted)(?: back| forward)? (?:to|until|till) (?P<v>(?:the )?{WHEN})[.!]?$"
)


_UNIT_WORD = re.compile(
    "(?:am|pm|kg|km|euros?|dollars?|pounds?|hours?|minutes?|days?|weeks?|months?|years?|percent|"
    "miles?|metres?|gb|tb|o'clock|january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)


_TIMED = words(
    "date time schedule deadline appointment launch_date ship_date release_date start_date end_date "
    "departure arrival wedding_date"
)


_MEANT = rx(
    r"^(?:(?:no|nope|sorry|oops|whoops|ah|oh|hmm|wait|hang on|hold on|actually|ugh|argh|"
    r"my bad|my mistake|correction|corrected|typo|edit|\*|"
    r"scratch that|scrap that|strike that|forget that|i misspoke|i mistyped|wrong|"
    r"i was wrong)[,.:;!\s-]*)+(?:i (?:meant?|meant to "
    "(?:say|write|type))[,: ]+|it(?:'s| is| should be| was) |that(?:'s| is| should be) |make (?:that|"
    "it) |should (?:be|say|read) )?(?P<y>.{1,80}?)[.!]?$|^i (?:meant?|meant to (?:say|write|"
    r"type))[,: ]+(?P<z>.{1,80}?)[.!]?$|^\*(?P<w>[^,.!;]{1,40}?)(?:,? (?:sorry|oops|obviously|"
    r"my bad|typo)\b.*)?(?:[,;.!].*)?$"
)


_MAKE_THAT = rx(
    "^(?:no |sorry |actually )?(?:make|let's make) (?:that|it) (?P<y>.{1,60}?)(?: instead| actually| please)?[.!]?$"
)


_COUNTED = rx(r"^(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?P<w>[a-z][\w -]{1,30})$")


_SPELLED = rx(rf"\b(?:it(?:'s| is)|that(?:'s| is)|is|name is) (?:spell?ed|spelt|written) (?P<y>{PERSON}|\w+)")


_ABOUT_NAME = rx(r"\bmy (?P<w>surname|last name|family name|first name|name)\b")


def replace_words(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "not Tuesday, Thursday": the known value that holds X, with Y in its place."""
    body = sentence_read.text.rstrip(".!")
    for pattern in _NOT_X_Y:
        found = pattern.match(body)
        if not found:
            continue
        old, new = (
            tidy(found["x"]),
            tidy(re.sub(r"\s*\b(?:sorry|actually|my bad|please|instead)\b.*$", "", found["y"], flags=re.IGNORECASE)),
        )
        new = _NAME_IS.sub("", new)
        memory = _holding(old, scene)
        if memory is None or not new:
            continue
        value = _swapped(memory.value, old, new)
        return _corrected(memory, value, old, new, sentence_read, scene)
    return _cleft(sentence_read, scene) or _moved(sentence_read, scene) or _meant(sentence_read, scene)


_CLEFT = rx(
    r"(?:^|[,:;] |\bthat )(?:it's|its|it is|it was) (?:actually |really )?(?:the |a |"
    r"an )?(?P<y>[\w' -]{2,40}?) (?:that |which )?(?:the |my )?(?P<s>(?-i:[A-ZÀ-Þ])[\w'-]+|i|"
    r"we|he|she|they)"
    r"(?:'s|'m|'re)? (?P<p>(?:is |am |are )?[a-z]+(?: (?:to|for|in|at|on|with|"
    r"from))?)(?:,? (?:and )?not (?:the |a |an )?(?P<x>[\w' -]{2,40}))?[.!]?$"
)


def _cleft(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "it's pistachios Ingrid is allergic to", "it's the viola she plays, not the cello"."""
    found = _CLEFT.search(sentence_read.text)
    if not found:
        return []
    who = found["s"].casefold()
    stems = {word[:5] for word in re.findall(r"[a-z]{4,}", found["p"].casefold())}
    for memory in _recalled(scene):
        if not (
            who in {memory.subject.casefold(), "he", "she", "they"} or (who in {"i", "we"} and memory.subject == "user")
        ):
            continue
        text = f"{memory.attribute} {memory.text}".casefold()
        old = tidy(found["x"] or "")
        if (old and old.casefold() in memory.value.casefold()) or (
            not old and stems and any(stem in text for stem in stems)
        ):
            new = tidy(found["y"])
            value = _swapped(memory.value, old, new) if old else new
            return _corrected(memory, value, old or memory.value, new, sentence_read, scene)
    return []


def _swapped(text: str, old: str, new: str) -> str:
    """`text` with the first whole-word `old` replaced by `new`, taken literally."""
    found = re.search(rf"(?<!\w)(?:the (?={re.escape(old)}))?{re.escape(old)}(?!\w)", text, re.IGNORECASE)
    if found and not re.match(r"the\b", new, re.IGNORECASE):
        found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", text, re.IGNORECASE)
    return text[: found.start()] + new + text[found.end() :] if found else text


def _moved(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "moved to next Monday": the newest fact with a time."""
    found = _MOVED.match(sentence_read.text)
    memory = next((one for one in _recalled(scene) if one.attribute in _TIMED), None) if found else None
    if not found or memory is None:
        return []
    value = tidy(found["v"])
    return _corrected(memory, value, memory.value, value, sentence_read, scene)


def _holding(words: str, scene: Scene) -> Memory | Said | None:
    shape = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
    return next((memory for memory in _recalled(scene) if shape.search(memory.value)), None)


_AFTERTHOUGHT = re.compile(
    r",? (?:sorry|oops|my bad|my mistake|obviously)\b.*$|[,;] (?!\d|(?:jan|feb|mar|apr|may|"
    r"jun|jul|aug|sep|oct|nov|dec)).*$",
    re.IGNORECASE,
)


def _meant(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "typo - 2 nieces", "I meant Thursday": the newest fact of the same sort gets the new value."""
    found = _MEANT.match(sentence_read.text) or _MAKE_THAT.match(sentence_read.text)
    if not found:
        return []
    new = tidy(_AFTERTHOUGHT.split(next(group for group in found.groups() if group), maxsplit=1)[0])
    if not new:
        return []
    counted = _COUNTED.match(new)
    if counted and not _UNIT_WORD.match(counted["w"]):
        wanted = f"number_of_{counted['w'].strip().replace(' ', '_')}"
        for memory in _recalled(scene):
            if (
                memory.attribute in {wanted, f"number_of_{singular(counted['w'])}"}
                or singular(counted["w"]) in memory.attribute
            ):
                return _corrected(memory, counted["n"], memory.value, new, sentence_read, scene)
        return [Draft("user", wanted, counted["n"], f"You have {new}.", sentence_read.start, sentence_read.end)]
    return _in_place(new, sentence_read, scene)


def _in_place(new: str, sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """The newest fact of the same sort with the new value; failing that, the fact told just before in this turn."""
    if len(new.split()) > 5:  # noqa: PLR2004 (a longer repair is a sentence of its own: the grammar reads it)
        return []
    alike = next((one for one in _recalled(scene) if _same_sort(one.value, new)), None)
    last = next((one for one in reversed(scene.drafts) if not one.retracts), None)
    if (
        alike is None
        and last
        and _PLAIN.match(new)
        and _PLAIN.match(last.value)
        and last.attribute not in {"lesson", "procedure"}
    ):
        alike = Said(last.subject, last.attribute, last.value, last.statement)
        return _corrected(alike, new, alike.value, new, sentence_read, scene)
    return _corrected(alike, _swap_same_sort(alike.value, new), alike.value, new, sentence_read, scene) if alike else []


#: A word or three that name a thing: what a second thought may put in the place of another.
_PLAIN = re.compile(
    r"(?!(?:i|it|that|this|you|we|never|no|not|yes|ok|okay|thanks|please|sorry|nothing|"
    r"nevermind|forget|wait)\b)[\w'-]+(?: [\w'-]+){0,2}$",
    re.IGNORECASE,
)


_SORTS = [
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE),
    re.compile(
        r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b", re.IGNORECASE
    ),
    re.compile(r"\b\d{1,2}(?::\d{2})? ?(?:am|pm)\b|\b\d{1,2}:\d{2}\b", re.IGNORECASE),
    re.compile(r"(?:[£$€] ?)?\d[\d,.]*(?: ?[a-z%€]{1,12}(?:/[a-z]+| per [a-z]+)?)?\b", re.IGNORECASE),
    re.compile(r"^[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)*$"),
]


def _same_sort(old: str, new: str) -> bool:
    if WHEN_RX.fullmatch(new) and WHEN_RX.fullmatch(old):
        return True
    return any(sort.search(old) and sort.fullmatch(new) for sort in _SORTS)


_ANY_DAY = datetime(2001, 1, 1, tzinfo=UTC)  # only whether a day is named matters


def _swap_same_sort(old: str, new: str) -> str:
    if WHEN_RX.fullmatch(new) and WHEN_RX.fullmatch(old) and has_clock(new) and resolve(new, _ANY_DAY):
        return new
    for sort in _SORTS:
        if sort.fullmatch(new) and sort.search(old):
            return sort.sub(lambda _m: new, old, count=1)
    return new


def _corrected(
    memory: Memory | Said, value: str, old: str, new: str, sentence_read: Sentence, scene: Scene
) -> list[Draft]:
    """The corrected fact; in a slot of many values the wrong one is closed, since nothing else would replace it."""
    text = _swapped(memory.text, old, value if old == memory.value else new)
    if text == memory.text:
        text = addressed(sentence_read.text)
    base = Draft(memory.subject, memory.attribute, value, sentence(text), sentence_read.start, sentence_read.end)
    corrected = replace(base, valid_at=resolve(value, scene.now))
    if not is_multi_valued(memory.attribute):
        return [corrected]
    said = addressed(sentence_read.text)
    return [replace(base, value=memory.value, statement=said, retracts=True), corrected]


def read_spelling(sentence_read: Sentence, scene: Scene, whole: str) -> list[Draft]:
    """Reads "it's spelled Kowalczyk with a z": the name that the turn speaks of."""
    found = _SPELLED.search(sentence_read.text)
    if not found:
        return []
    about = _ABOUT_NAME.search(whole)
    word = about["w"].lower() if about else "name"
    attribute = {
        "last name": "surname",
        "family name": "surname",
        "surname": "surname",
        "first name": "first_name",
    }.get(word, "name")
    known = [
        memory
        for memory in scene.known
        if memory.attribute in {"surname", "name", "first_name"} and memory.subject == "user"
    ]
    if attribute == "name" and not about and not known:
        return []
    return [
        Draft(
            "user",
            attribute,
            tidy(found["y"]),
            f"Your {word} is spelled {tidy(found['y'])}.",
            sentence_read.start,
            sentence_read.end,
        )
    ]


def names_for_count(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "2 nieces. Beatriz and Noor": a bare list of names right after a count names those counted."""
    if not re.fullmatch(rf"{PERSON}(?:(?:, | and |, and | & ){PERSON}){{0,6}}[.!]?", sentence_read.text):
        return []
    counted = next((one for one in reversed(scene.drafts) if one.attribute.startswith("number_of_")), None)
    attribute = (
        counted.attribute
        if counted
        else next((m.attribute for m in scene.known[:3] if m.attribute.startswith("number_of_")), "")
    )
    if not attribute:
        return []
    noun = attribute.removeprefix("number_of_")

    slot = TYPE_OF.get(noun) or RELATIONS.get(singular(noun), singular(noun))
    names = items(sentence_read.text)
    return [
        Draft(
            "user",
            slot,
            together(names),
            f"Your {noun.replace('_', ' ')} are {together(names)}.",
            sentence_read.start,
            sentence_read.end,
        )
    ]
