"""The one `event` memory of a user turn: what was said, in the user's own words (rules §2.1)."""

from __future__ import annotations

from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.llm.rules.masks import BLOT
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


def read_event(text: str, masked: str, asserting: list[Sentence], found: list[Draft]) -> list[Draft]:
    """At most one draft: the asserting sentences as they stand."""
    said = [one for one in asserting if not all(draft.retracts for draft in found)]
    said += [one for one in sentences(masked, limit=100) if one not in said and _tells(one)]
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


def _tells(sentence: Sentence) -> bool:
    plain = sentence.text
    return (
        len(plain.split()) >= _MIN_WORDS
        and BLOT not in plain
        and act_of(plain, asks=sentence.asks) is SpeechAct.ASSERTION
        and bool(_TOLD.match(plain))
        and not _EMPTY.search(plain)
    )
