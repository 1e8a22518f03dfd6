"""What rules do of a model's part in patterns: they word, check a model's words, and map questions to keys. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.impact import impact_of
from core.literals import content_words, figures, literals, negated
from core.wording import visible

MAX_CHARS = 160  # of one pattern in words
NEW_WORDS = 3  # telling words that a wording may have beside the sentence's own
_SAME = 0.5  # share of the sentence's telling words that a wording keeps
_MATCH = 0.5  # share of a question's telling words from which a key is meant, or of the key's


@dataclass(frozen=True, slots=True)
class RulesWording:
    """Implements `core.ports.PatternWording`: the rules' sentence is the wording."""

    def word(self, sentence: str) -> str:
        """The sentence itself."""
        return sentence


def faithful(words: str, sentence: str) -> bool:
    """Whether a model's words say what the rules' sentence says and nothing beside.

    1. One short line that can be seen. 2. No number, name, address or code that the sentence does not have, which has
    none but the evidence's. 3. Denied exactly when the sentence is. 4. Most of its telling words, and hardly another.
    5. Nothing that could harm somebody if it were false (rules §1.7).
    """
    line = words.strip()
    if not line or len(line) > MAX_CHARS or "\n" in line or not all(map(visible, line.replace(" ", ""))):
        return False
    if not figures(line) <= figures(sentence) or not _names(line) <= _names(sentence):
        return False
    if negated(line) != negated(sentence) or set(impact_of(line)) - set(impact_of(sentence)):
        return False
    own, theirs = content_words(sentence), content_words(line)
    return len(own & theirs) >= _SAME * len(own) and len(theirs - own) <= NEW_WORDS


def _names(text: str) -> frozenset[str]:
    """Literals wherever they stand: the word that begins a sentence may be a name as well."""
    return literals(f"so {text}") - {word.casefold() for word in ("You", "Your", "In", "On", "At", "Most")}


@dataclass(frozen=True, slots=True)
class RulesMapper:
    """Implements `core.ports.KeyMapper` by the telling words that a question and a key share."""

    def keys(self, question: str, known: Sequence[str]) -> list[str]:
        """Those that share enough with the question, the most first."""
        asked = content_words(question)
        shares = {key: _share(asked, content_words(key.replace("_", " ").replace("|", " "))) for key in known}
        found = [key for key in known if shares[key] >= _MATCH]
        return sorted(found, key=lambda key: -shares[key])


def _share(asked: frozenset[str], told: frozenset[str]) -> float:
    smaller = min(len(asked), len(told))
    return len(asked & told) / smaller if smaller else 0.0
