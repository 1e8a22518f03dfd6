"""The one `event` memory of a user turn: what was said, in the user's own words (rules §2.1)."""

from __future__ import annotations

from dataclasses import replace

from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.llm.rules.masks import BLOT
from core.llm.rules.mixed import told_parts
from core.llm.rules.phrases import rx
from core.llm.rules.sentences import Sentence, sentences
from core.model import MemoryKind, SpeechAct

_TOLD = rx(
    r"^(?:(?:so|ok|well|oh|also|and|btw|today|yesterday|last \w+|this \w+|finally|just)[ ,]+)*"
    r"(?:(?:on|in|at|about|during) [^,:;]{2,40}?[,:]? (?=(?:i|we)\b))?(?:i|we|"
    "(?:my|our) (?:sister|brother|mum|mom|dad|wife|husband|partner|son|daughter|friend|boss|"
    r"colleague|cat|dog|team|company)(?: [A-Z]\w+)?)(?:'ve| have| had)? (?:just |finally |also |"
    "only |really )*"
    r"(?:\w{3,}ed|went|met|saw|bought|got|made|had|did|was|were|found|took|gave|told|left|came|ran|"
    "wrote|read|ate|sold|built|spent|lost|won|began|broke|chose|drove|felt|fell|flew|heard|held|kept|"
    r"knew|led|paid|said|sent|slept|spoke|swam|taught|thought|understood)\b"
)


_EMPTY = rx(
    r"\b(?:asked (?:you|me)|appreciated|you said|you told|you gave|you mentioned|i was wondering|i "
    r"wanted to (?:ask|know)|i just wanted|i meant)\b"
)


_MIN_WORDS = 5


_MAX_CHARS = 1500


_SENTENCES = 100  # of a turn that are looked at


def read_event(
    text: str, masked: str, asserting: list[Sentence], found: list[Draft], *, english: bool = True
) -> list[Draft]:
    """At most one draft: the asserting sentences as they stand, and what the others state beside what they ask.

    Args:
        text: the turn.
        masked: the turn without others' words.
        asserting: its sentences that taught something.
        found: what they taught.
        english: the parts of other sentences are looked at; their forms are those of English.
    """
    said = [one for one in asserting if not all(draft.retracts for draft in found)]
    rest = [one for one in sentences(masked, limit=_SENTENCES) if one not in said]
    said += [part for one in rest for part in _told(one, english=english and one not in asserting)]
    if not said:
        return []
    said.sort(key=lambda one: one.start)
    words = " ".join(text[one.start : one.end].strip() for one in said)[:_MAX_CHARS]
    expires = [draft.expires_at for draft in found]
    return [
        Draft(
            "user",
            "event",
            words,
            f"You said: {words}",
            said[0].start,
            said[-1].end,
            kind=MemoryKind.EVENT,
            importance=0.4,
            expires_at=max((at for at in expires if at), default=None) if expires and all(expires) else None,
            language=found[0].language if found else "en",
        )
    ]


def _told(said: Sentence, *, english: bool) -> list[Sentence]:
    """The sentence if it tells what happened, else the parts of it that its speaker states."""
    if _tells(said):
        return [said]
    parts = told_parts(said) if english else []
    return [
        replace(said, text=said.text[a - said.start : b - said.start], start=a, end=b, asks=False) for a, b in parts
    ]


def _tells(sentence: Sentence) -> bool:
    plain = sentence.text
    return (
        len(plain.split()) >= _MIN_WORDS
        and BLOT not in plain
        and act_of(plain, asks=sentence.asks) is SpeechAct.ASSERTION
        and bool(_TOLD.match(plain))
        and not _EMPTY.search(plain)
    )
