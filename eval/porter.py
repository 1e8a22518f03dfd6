"""Porter's stemmer (1980) with the departures that NLTK makes by default, as LoCoMo's metric uses it. Pure.

NLTK's departures: words of one or two letters stay; "ies" of a four-letter word becomes "ie" and "ied" likewise; -alli,
-fulli and -logi are mapped; a y is turned into i after a consonant that is not the word's first letter; and a list of
irregular words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

_VOWELS = "aeiou"
_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_STEP2 = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
]
_STEP3 = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
]
_STEP4 = [
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of one word, in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_step1a, _step1b, _step1c, _step2, _step3, _step4, _step5a, _step5b):
        word = step(word)
    return word


def _consonant(word: str, at: int) -> bool:
    if word[at] in _VOWELS:
        return False
    return at == 0 or not _consonant(word, at - 1) if word[at] == "y" else True


def _measure(stem_: str) -> int:
    """How many times a vowel is followed by a consonant."""
    shape = [_consonant(stem_, at) for at in range(len(stem_))]
    return sum(not left and right for left, right in pairwise(shape))


def _has_vowel(stem_: str) -> bool:
    return any(not _consonant(stem_, at) for at in range(len(stem_)))


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonant(word, len(word) - 1)


def _ends_cvc(word: str) -> bool:
    if len(word) == 2:
        return not _consonant(word, 0) and _consonant(word, 1)
    return (
        len(word) > 2
        and _consonant(word, len(word) - 3)
        and not _consonant(word, len(word) - 2)
        and _consonant(word, len(word) - 1)
        and word[-1] not in "wxy"
    )


def _replaced(word: str, rules: Sequence[tuple[str, str]], fits: Callable[[str], bool]) -> str:
    """The first suffix that matches decides, whether its stem fits or not."""
    for suffix, other in rules:
        if word.endswith(suffix):
            base = word[: len(word) - len(suffix)]
            return base + other if fits(base) else word
    return word


def _step1a(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replaced(word, [("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")], lambda _: True)


def _step1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    base = next(
        (word[: -len(end)] for end in ("ed", "ing") if word.endswith(end) and _has_vowel(word[: -len(end)])), ""
    )
    if not base:
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _doubled(base):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_cvc(base) else base


def _step1c(word: str) -> str:
    base = word[:-1]
    fits = word.endswith("y") and len(base) > 1 and _consonant(base, len(base) - 1)
    return base + "i" if fits else word


def _step2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step2(word[:-4] + "al")
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP2, lambda base: _measure(base) > 0)


def _step3(word: str) -> str:
    return _replaced(word, _STEP3, lambda base: _measure(base) > 0)


def _step4(word: str) -> str:
    for suffix in _STEP4:
        if word.endswith(suffix):
            base = word[: len(word) - len(suffix)]
            fits = _measure(base) > 1 and (suffix != "ion" or base[-1:] in ("s", "t"))
            return base if fits else word
    return word


def _step5a(word: str) -> str:
    if not word.endswith("e"):
        return word
    base = word[:-1]
    return base if _measure(base) > 1 or (_measure(base) == 1 and not _ends_cvc(base)) else word


def _step5b(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
