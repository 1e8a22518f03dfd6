"""LoCoMo's metric of answers, as its authors' evaluation computes it. Pure.

Both texts are lowered, freed of punctuation and of "a", "an", "the" and "and", cut at spaces and stemmed by Porter's
algorithm; the score is the F1 of the two bags of stems. Multi-hop answers (category 1) are lists: each part of the
gold, split at commas, takes the best part of the answer, and the mean counts. Of a category 3 gold only what stands
before a semicolon counts. An adversarial question (category 5) is right when the answer says that nothing is known.
"""

from __future__ import annotations

import re
import string
from collections import Counter

from eval.porter import stem

MULTI_HOP, OPEN_DOMAIN, ADVERSARIAL = 1, 3, 5
_DROPPED = re.compile(r"\b(?:a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DECLINES = ("no information available", "not mentioned")


def normalised(text: str) -> str:
    """The text as it is compared."""
    bare = text.replace(",", "").lower().translate(_PUNCTUATION)
    return " ".join(_DROPPED.sub(" ", bare).split())


def f1(answer: str, gold: str) -> float:
    """F1 of the stems of two texts, in [0, 1]."""
    said = [stem(word) for word in normalised(answer).split()]
    wanted = [stem(word) for word in normalised(gold).split()]
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def f1_of_lists(answer: str, gold: str) -> float:
    """Mean over the gold's parts of the best part of the answer."""
    said = [part.strip() for part in answer.split(",")]
    wanted = [part.strip() for part in gold.split(",")]
    return sum(max(f1(one, part) for one in said) for part in wanted) / len(wanted)


def declines(answer: str) -> bool:
    """Whether the answer says, in the metric's words, that nothing is known."""
    return any(words in answer.lower() for words in _DECLINES)


def score(answer: str, gold: str, category: int) -> float:
    """The score of one answer by its question's category, in [0, 1]."""
    if category == ADVERSARIAL:
        return float(declines(answer))
    if category == MULTI_HOP:
        return f1_of_lists(answer, gold)
    return f1(answer, gold.split(";", maxsplit=1)[0].strip() if category == OPEN_DOMAIN else gold)
