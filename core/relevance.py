"""How relevant each memory that a search found is to the question: meaning, words, and what was said around it. Pure.

1. Meaning and words, each brought to [0, 1] over what was found, make one sum (rules §6.1). A word that few of the
   memories hold tells more than one that most of them hold, and a match in a few words more than one among many.
2. What is near to a question need not answer it (`aptness`).
3. What was said is understood by what was said around it: an event gains from the turns beside it (rules §4.2), most
   from a question that it answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import compress

from core.literals import content_words, tells_less
from core.model import Memory, MemoryKind, ScoredMemory
from core.policy import RecallRules

OWNER = "user"  # a memory's subject when it is about its owner
# who asks about themself, in the languages that the rules read
ASKERS = frozenset({"i", "i'm", "me", "myself", "ich", "mich", "mir", "je", "moi", "j", "yo", "mí", "eu", "io", "mi"})
_WORDS = re.compile(r"[\w']+")
_ASKS = re.compile(r"[?？]\W*$")
# Of BM25 over what was found: a word counts once however often it stands there, and length weighs little, since a long
# turn says more (measured on turns of long conversations; from 0.1 to 0.5 nothing changes).
_SATURATION, _LENGTH = 1.2, 0.3


def relevances(found: Sequence[ScoredMemory], meaning: float = 0.5) -> list[float]:
    """Min–max normalised sum of the dense and the lexical score, in [0, 1] (rules §6.1).

    Args:
        found: what the search itself found.
        meaning: weight of the dense score; the rest is the words'.
    """
    dense = _min_max([one.cosine for one in found])
    words = _min_max(worded(found))
    return [meaning * left + (1 - meaning) * right for left, right in zip(dense, words, strict=True)]


def worded(found: Sequence[ScoredMemory]) -> list[float]:
    """How well each holds the question's words, rare ones first (BM25); the store's rank where words are not known."""
    asked = len(found[0].held) if found else 0
    if not asked or any(len(one.held) != asked for one in found):
        return [one.lexical for one in found]
    total = len(found)
    rarity = [_rarity(sum(holding), total) for holding in zip(*(one.held for one in found), strict=True)]
    mean = sum(one.length for one in found) / total or 1.0
    return [
        sum(compress(rarity, one.held))
        * (_SATURATION + 1)
        / (1 + _SATURATION * (1 - _LENGTH + _LENGTH * one.length / mean))
        for one in found
    ]


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _min_max(values: Sequence[float]) -> list[float]:
    if not values:
        return []
    low, high = min(values), max(values)
    if high <= low:
        return [1.0 if high > 0 else 0.0] * len(values)
    return [(value - low) / (high - low) for value in values]


@lru_cache(maxsize=64)  # one question is compared with a hundred memories
def _asked(query: str) -> tuple[frozenset[str], bool]:
    """The question's telling words, and whether somebody asks about themself."""
    return content_words(query), not ASKERS.isdisjoint(_WORDS.findall(query.lower()))


def aptness(query: str, memory: Memory, rules: RecallRules, speakers: AbstractSet[str] = frozenset()) -> float:
    """Factor in (0, 1] on relevance: how far what is near to a question can also answer it.

    1. What says no more than the question itself takes for granted answers nothing: "Your sister is Ada" to "Where does
    my sister Ada live?". 2. Who asks about themself does not ask about somebody whom the question does not name: "Ada
    lives in Tartu" to "Where do I live?". 3. Who names one of those who speak asks first about what that one said.

    Args:
        query: what is asked.
        memory: what may answer it.
        rules: the policy's numbers.
        speakers: words of the names that the question calls speakers by, see `named_speakers`.
    """
    asked, of_asker = _asked(query)
    factor = rules.presupposed if tells_less(memory.text, asked) else 1.0
    if memory.subject == OWNER:
        return factor
    elsewhere = bool(speakers) if memory.kind is MemoryKind.EVENT else of_asker
    if elsewhere and (subject := content_words(memory.subject)) and subject.isdisjoint(asked):
        factor *= rules.others
    return factor


def named_speakers(query: str, found: Sequence[ScoredMemory]) -> frozenset[str]:
    """Words of the question that name somebody whose own words are among what was found."""
    asked, _ = _asked(query)
    named = {one.memory.subject for one in found if one.memory.kind is MemoryKind.EVENT} - {OWNER}
    return asked & frozenset().union(*map(content_words, named))


def told_at_length(one: ScoredMemory, rules: RecallRules) -> float:
    """Factor in (0, 1] on an event's relevance: a turn of few words says little by itself."""
    if one.memory.kind is not MemoryKind.EVENT or not one.length:
        return 1.0
    return 1.0 - rules.terse * (1.0 - min(1.0, one.length / rules.terse_words))


def from_beside(found: Sequence[ScoredMemory], relevance: Mapping[str, float], rules: RecallRules) -> dict[str, float]:
    """What each event is lent by the turns beside it in its session, in [0, 1]; the next but one lends less.

    Of the turn before, the most relevant memory lends; it lends more if it asks, since what follows is the answer.

    Args:
        found: what a search returned, linked memories too.
        relevance: each found memory's own.
        rules: the policy's numbers.
    """
    known = {one.memory.memory_id: one.memory for one in found}
    before = {one.memory.memory_id: [name for name in one.before if name in known] for one in found if one.before}
    after: dict[str, list[str]] = {}
    for name, earlier in before.items():
        for other in earlier:
            after.setdefault(other, []).append(name)

    def best(names: Iterable[str]) -> float:
        return max((relevance.get(name, 0.0) for name in names), default=0.0)

    def beyond(side: Mapping[str, Sequence[str]], names: Sequence[str]) -> float:
        return best(other for name in names for other in side.get(name, ()))

    lent: dict[str, float] = {}
    for name in before.keys() | after.keys():
        if known[name].kind is MemoryKind.EVENT:
            earlier, later = before.get(name, []), after.get(name, [])
            asks = any(_ASKS.search(known[other].text) for other in earlier)
            near = (rules.reply if asks else 1.0) * best(earlier) + best(later)
            far = beyond(before, earlier) + beyond(after, later)
            lent[name] = min(1.0, rules.beside * near + rules.beside_next * far)
    return lent
