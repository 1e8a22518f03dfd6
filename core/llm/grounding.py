"""Whether words that a model gives as a fact really stand in the text it cites (rules §7.2).

A model can be talked into a fact, or make one up. It cannot make this check pass: numbers, names, addresses and links
of the fact must stand in the quotation, and so must at least half of its plain words.
"""

from __future__ import annotations

import re

from core.literals import figures, holds, names
from core.wording import folded, unspaced

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
_STEM = 4  # letters: "gluten-free" against "gluten", "allergisch" against "Allergie"
_LITTLE = 2  # letters: "a", "of", "in" tell nothing


def value_stands_in(value: str, quote: str) -> bool:
    """Whether a fact's value was read from the quotation: all its literals and names, and half of its words."""
    if not holds(quote, figures(value) | names(value, skip_first=False)):
        return False
    words = _WORD.findall(folded(value))
    telling = [word for word in words if len(word) > _LITTLE] or words
    plain = folded(quote)
    return 2 * sum(_shares(word, plain) for word in telling) >= len(telling)


def _shares(word: str, text: str) -> bool:
    if unspaced(word[0]):
        return any(char in text for char in word)
    whole = rf"{re.escape(word)}(?!\w)" if len(word) < _STEM else re.escape(word[:_STEM])
    return re.search(rf"(?<!\w){whole}", text) is not None
