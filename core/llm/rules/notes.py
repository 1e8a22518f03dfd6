"""Lists under a heading such as "notes from today:": an item that the grammar does not read is a decision."""

from __future__ import annotations

from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import rx, tidy
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import addressed
from core.model import SpeechAct

_HEADING = rx(
    r"^(?:\w+ ){0,4}(?:notes?|decisions?|decided|agreed|agreements|outcomes?|minutes|takeaways|"
    r"conclusions|resolutions|summary of (?:the|today's) meeting)\b[^.?!]{0,60}:$"
)


_OPEN = rx(r"^(?:todo|to do|ask|check|call|email|follow up|tbd|question)\b")


_MIN_WORDS = 2


def opens_notes(sentence: Sentence) -> bool:
    """Whether a line announces a list of what was decided."""
    return bool(_HEADING.match(sentence.text))


def read_note(sentence: Sentence) -> list[Draft]:
    """The item as a decision; open tasks and questions are none."""
    text = sentence.text
    if (
        act_of(text, asks=sentence.asks) is not SpeechAct.ASSERTION
        or _OPEN.match(text)
        or len(text.split()) < _MIN_WORDS
    ):
        return []
    return [Draft("user", "decision", tidy(text), addressed(f"Decided: {text}"), sentence.start, sentence.end)]
