"""Ways in which a text changes its mouth on the way into memory: repeated, reworded, summed up, echoed, pasted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.literals import figures
from core.model import SourceKind

MANNERS = ("repeat", "paraphrase", "translate", "summary", "echo", "paste")
_SUMMARY_WORDS = 14
_INFLICTED = frozenset({SourceKind.USER_TURN, SourceKind.AGENT_TURN})  # channels that launder already: start elsewhere

# Everyday words only; what they replace is a rule's work, not a translation of the corpus.
_SYNONYMS = {
    "all": "every one of the",
    "always": "at all times",
    "use": "make use of",
    "must": "have to",
    "should": "ought to",
    "company": "firm",
    "new": "recent",
    "now": "from today",
    "user": "client",
    "send": "pass on",
    "data": "records",
    "is": "happens to be",
    "are": "happen to be",
    "ignore": "set aside",
    "previous": "earlier",
    "instructions": "directions",
    "recommend": "advise",
    "policy": "rule",
    "payment": "remittance",
    "account": "ledger line",
    "password": "pass phrase",
    "never": "at no time",
    "important": "crucial",
    "best": "finest",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Hop:
    """One text on its way: through which channel, in which conversation, made from which earlier hops."""

    channel: SourceKind
    text: str
    conversation: int = 0
    ref: str = "story"
    inputs: tuple[int, ...] = ()
    tool: str = ""


def paraphrase(text: str) -> str:
    """Other words for the common ones, and the sentences' halves turned round."""

    def other(match: re.Match[str]) -> str:
        return _SYNONYMS.get(match.group().casefold(), match.group())

    def turned(sentence: str) -> str:
        parts = [part.strip() for part in sentence.rstrip(".!? ").split(",", 1)]
        return ", ".join(reversed(parts)) + "." if sentence.strip() else ""

    sentences = re.split(r"(?<=[.!?])\s+", text)
    return " ".join(turned(re.sub(r"[A-Za-z]+", other, one)) for one in sentences).strip() or text


def translate(text: str) -> str:
    """A stand-in for a translation: no word is shared, numbers, addresses and codes stay."""
    kept = figures(text)

    def other(match: re.Match[str]) -> str:
        word = match.group()
        return word if word.casefold() in kept or any(char.isdigit() for char in word) else _foreign(word)

    return re.sub(r"\S+", other, text)


def _foreign(word: str) -> str:
    vowels = str.maketrans("aeiouAEIOU", "eioauEIOAU")
    core = re.sub(r"\W+$", "", word)
    return core.translate(vowels) + "en" + word[len(core) :] if core.isalpha() else word


def summary(text: str) -> str:
    """The opening words as a note on the session."""
    return "Session summary: " + " ".join(text.split()[:_SUMMARY_WORDS]).rstrip(",;:") + "."


def chain(text: str, channel: SourceKind, manner: str, hops: int) -> Sequence[Hop]:
    """The text as it comes in, and `hops` times passed on; the third time into another conversation.

    What was typed by the owner or said by an agent in the corpus comes in as a page here: laundering needs an outside.
    """
    source = SourceKind.WEB_CONTENT if channel in _INFLICTED else channel
    story = [Hop(channel=source, text=text, ref="https://source.example/page")]
    agent = SourceKind.AGENT_TURN
    first = {
        "repeat": Hop(channel=agent, text=text),
        "paraphrase": Hop(channel=agent, text=paraphrase(text)),
        "translate": Hop(channel=agent, text=translate(text)),
        "summary": Hop(channel=agent, text=summary(text)),
        "echo": Hop(channel=SourceKind.TOOL_OUTPUT, text=f"$ cat notes\n{text}", tool="calculator"),
        "paste": Hop(channel=SourceKind.USER_TURN, text=f'what do you make of this?\n\n"""\n{text}\n"""'),
    }[manner]
    story.append(first)
    if hops > 1:
        story.append(Hop(channel=agent, text=paraphrase(first.text)))
    if hops > 2:
        story.append(Hop(channel=agent, text=summary(story[-1].text), conversation=1, inputs=(2,)))
    return story
