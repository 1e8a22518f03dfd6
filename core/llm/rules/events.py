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


_PASSAGE = BLOT * 40  # of others' words; fewer on one line are a name or a bit of code


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
    for one in sentences(masked, limit=_SENTENCES):
        told = [] if one in said else _told(one, english=english and one not in asserting)
        said += [part for part in told if not any(part.start < had.end and had.start < part.end for had in said)]
    said = _unmixed(sorted(said, key=lambda one: one.start), text, masked)
    if not said:
        return []
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


def _unmixed(said: list[Sentence], text: str, masked: str) -> list[Sentence]:
    """The longest run of what was said without others' words between: with them it would weigh as little as they do."""
    runs: list[list[Sentence]] = []
    for one in said:
        between = slice(runs[-1][-1].end, one.start) if runs else slice(0)
        if runs and (BLOT not in masked[between] or ("\n" not in text[between] and _PASSAGE not in masked[between])):
            runs[-1].append(one)
        else:
            runs.append([one])
    return max(runs, key=lambda run: sum(len(one.text) for one in run), default=[])


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
