"""Whether words that a model gives as a fact really stand in the text it cites (rules §7.2).

A model can be talked into a fact, or make one up. It cannot make this check pass: numbers, names, addresses and links
of the fact must stand in the quotation, and so must at least half of its plain words.
"""

from __future__ import annotations

import re
import unicodedata

_LINK = re.compile(
    r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.\w[\w.-]*|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,:/\-]\d+)*(?![^\W_])")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
_STEM = 4  # letters: "gluten-free" against "gluten", "allergisch" against "Allergie"
_LITTLE = 2  # letters: "a", "of", "in" tell nothing
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


def literals(text: str) -> set[str]:
    """Numbers, e-mail addresses, links and codes in `text`: what must never be made up. Case-folded."""
    found = {match.group().rstrip(".,;:!?)").casefold() for match in _LINK.finditer(text)}
    rest = _LINK.sub(" ", text)
    found.update(match.group() for match in _NUMBER.finditer(rest))
    found.update(word.casefold() for word in re.findall(r"\w+", rest) if _is_code(word))
    return found


def names(text: str, *, skip_first: bool) -> set[str]:
    """Capitalised words of `text`, case-folded; `skip_first` leaves out the word that begins a sentence."""
    words = list(_WORD.finditer(text))
    kept = words[1:] if skip_first else words
    return {match.group().casefold() for match in kept if match.group()[0].isupper()}


def holds(text: str, wanted: set[str]) -> bool:
    """Whether every literal or name of `wanted` stands in `text` as a whole token."""
    folded = text.casefold()
    return all(_token(literal).search(folded) for literal in wanted)


def value_stands_in(value: str, quote: str) -> bool:
    """Whether a fact's value was read from the quotation: all its literals and names, and half of its words."""
    if not holds(quote, literals(value) | names(value, skip_first=False)):
        return False
    words = [word.casefold() for word in _WORD.findall(value)]
    telling = [word for word in words if len(word) > _LITTLE] or words
    folded = quote.casefold()
    return 2 * sum(_shares(word, folded) for word in telling) >= len(telling)


def _shares(word: str, folded: str) -> bool:
    if any(part in unicodedata.name(word[0], "") for part in _UNSPACED):
        return any(char in folded for char in word)
    whole = rf"{re.escape(word)}(?!\w)" if len(word) < _STEM else re.escape(word[:_STEM])
    return re.search(rf"(?<!\w){whole}", folded) is not None


def _token(literal: str) -> re.Pattern[str]:
    unspaced = any(part in unicodedata.name(literal[0], "") for part in _UNSPACED)
    return re.compile(re.escape(literal) if unspaced else rf"(?<![^\W_]){re.escape(literal)}(?![^\W_])")


def _is_code(word: str) -> bool:
    """Letters and digits mixed: a booking reference, an account number, a version."""
    return any(char.isdigit() for char in word) and any(char.isalpha() for char in word)
