"""Choices in situations that the owner tells of: "In the morning I prefer tea". Pure; English.

Reads little and surely: one choice and one situation a sentence, nothing out of questions or suppositions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.negation import negated
from core.quotations import sentence_ranges
from core.slots import normalise

_MAX_CHARS = 200  # of a sentence: a longer one says more than one thing
_MAX_WORDS = 4  # of a choice
_SUPPOSES = re.compile(r"(?i)\b(?:if|suppose|imagine|what if|maybe|perhaps|would you|could you|he|she|they)\b")
_WHY = re.compile(r"(?i)[,;:]?\s+(?:because|since|so that|although|but|and|as it|as the)\b.*$")
_CONTEXTS: tuple[tuple[str, str], ...] = (
    ("in the morning", r"(?:in the morning|in the mornings|this morning|every morning|(?:for|at) breakfast)"),
    ("in the afternoon", r"(?:in the afternoons?|this afternoon|after lunch)"),
    ("in the evening", r"(?:in the evenings?|this evening|tonight|(?:for|at) dinner)"),
    ("at lunch", r"(?:(?:for|at) lunch|at noon)"),
    ("at night", r"(?:at night|last night|before bed)"),
    ("at work", r"(?:at work|at the office|in the office|on workdays)"),
    ("at home", r"(?:at home)"),
    ("on weekends", r"(?:(?:on|at) (?:the )?weekends?|on (?:saturdays?|sundays?))"),
    ("in meetings", r"(?:(?:in|for|at|during) (?:the |our |my )?(?:team )?meetings?|on calls)"),
    (
        "on trips",
        (
            r"(?:(?:for|on) (?:long |longer |business )?(?:trips?|journeys?)|when(?:ever)? (?:i(?:['’]m| am) )?"
            r"(?:travell?ing|i travel)|on the road|for travel)"
        ),
    ),
    ("on flights", r"(?:(?:on|for) (?:a |the |my )?(?:long )?(?:flights?|planes?))"),
)
_FOUND = tuple((name, re.compile(rf"(?i)\b{pattern}\b")) for name, pattern in _CONTEXTS)
_VERBS: tuple[tuple[str, str], ...] = (
    (
        "prefers",
        (
            r"(?:(?:always |usually |really |much )?(?:prefer|like|love|enjoy|choose|chose|pick|picked|want|wanted)"
            r"|would rather have|['’]d rather have|went for|go for)"
        ),
    ),
    ("takes", r"(?:(?:always |usually )?(?:take|took)|went by|go by)"),
    ("orders", r"(?:(?:always |usually )?(?:order|ordered|have|had|drink|drank|eat|ate))"),
)
_AGAINST = (
    r"(?:(?:do not|don['’]t|didn['’]t|did not|never) (?:like|want|enjoy|take|order|drink|eat|have)"
    r"|dislike|hate|avoid(?:ed)?)"
)
_CHOICES = tuple((name, re.compile(rf"(?i)\bi ?(?:{pattern})\s+(?P<what>.+)$")) for name, pattern in _VERBS)
_DENIED = re.compile(rf"(?i)\bi {_AGAINST}\s+(?P<what>.+)$")
_DETERMINERS = re.compile(r"(?i)^(?:to (?:have|take|drink|eat)\s+)?(?:a|an|the|my|some|another)\s+")
_TAIL = re.compile(r"(?i)\s*\b(?:again|too|as always|as usual|best|more|most|instead|today|yesterday|please)\s*$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One choice in one situation."""

    attribute: str  # the sort of choice: "prefers", "takes", "orders"
    value: str
    context: str
    denies: bool = False


def choices(text: str) -> Iterator[Choice]:
    """The choices that a text of the owner's tells of, in order.

    Args:
        text: the owner's own words; what they pasted is blanked.
    """
    for start, end in sentence_ranges(text):
        sentence = " ".join(text[start:end].split()).rstrip(".!。")
        if not sentence or sentence.endswith(("?", "？")) or len(sentence) > _MAX_CHARS or _SUPPOSES.search(sentence):
            continue
        found = _choice(sentence)
        if found is not None:
            yield found


def _choice(sentence: str) -> Choice | None:
    context, rest = _situation(sentence)
    if not context:
        return None
    denied = _DENIED.search(rest)
    if denied:
        value = _value(denied["what"])
        return Choice(attribute="", value=value, context=context, denies=True) if value else None
    for attribute, pattern in _CHOICES:
        found = pattern.search(rest)
        if found is None:
            continue
        value = _value(found["what"])
        return None if not value or negated(rest) else Choice(attribute=attribute, value=value, context=context)
    return None


def _situation(sentence: str) -> tuple[str, str]:
    """The one situation that a sentence names, and the sentence without it; ("", …) if it names none or several."""
    named = [(name, found) for name, pattern in _FOUND if (found := pattern.search(sentence))]
    if len(named) != 1:
        return "", sentence
    name, found = named[0]
    rest = f"{sentence[: found.start()].rstrip(' ,')} {sentence[found.end() :].lstrip(' ,')}".strip(" ,")
    return name, rest


def _value(what: str) -> str:
    words = _WHY.sub("", what).strip(" ,.;:!")
    for _ in range(2):
        words = _TAIL.sub("", _DETERMINERS.sub("", words)).strip(" ,.;:!")
    value = normalise(words)
    return value if value and len(value.split()) <= _MAX_WORDS else ""
