"""Characters that deceive the eye, made visible: invisible, bidirectional and look-alike ones (console.md §1.5). Pure.

A reviewer signs bytes. What cannot be seen, reorders what is seen, or passes for another letter is therefore written
out as its code point, ‹U+202E›, wherever untrusted text is shown.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LINES = str.maketrans("", "", "\n\t")
_JOINERS = "\u200c\u200d"  # legitimate between Arabic or Indic letters and inside emoji sequences
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e")  # drawn as nothing
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_ARABIC = 0x0600  # joining scripts begin here
_MIXABLE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")  # alphabets with letters of the same shape
# Cyrillic and Greek letters that pass for Latin ones (Unicode TR 39, confusables.txt, the single-letter ones)
_TWINS = frozenset("аеорсухіјѕԁһӏԛԝьгпкАВЕКМНОРСТУХІЈЅαοντρυικχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspicion:
    """How many characters of a text deceive the eye, by sort."""

    unseen: int
    alike: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.unseen + self.alike


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "")
    return next((script for script in _MIXABLE if name.startswith(script)), "")


def _joins(text: str, at: int) -> bool:
    """Whether the joiner at `at` does its proper work: between two letters of a joining script, or two emoji parts."""
    if not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    if unicodedata.category(before) in {"So", "Sk", "Mn"} and unicodedata.category(after) == "So":
        return text[at] == "\u200d"
    return all(unicodedata.category(c)[0] in "LM" and ord(c) >= _ARABIC for c in (before, after))


def _is_unseen(text: str, at: int) -> bool:
    char = text[at]
    if char in "\n\t":
        return False
    if char in _JOINERS:
        return not _joins(text, at)
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":  # a variation selector needs a base
        return at == 0 or unicodedata.category(text[at - 1]) not in {"So", "Sm", "Sk", "Po", "Nd", "Lo"}
    return char in _BLANK or unicodedata.category(char) in _UNSEEN


def _alike(text: str) -> set[int]:
    """Positions of letters that pass for another alphabet's.

    In a word of two alphabets all but the Latin letters are meant (of two without Latin: the rarer); in a text that is
    mostly Latin also a whole word that is made of nothing but twins ("аррӏе" in Cyrillic).
    """
    scripts = [_script(char) if char.isalpha() else "" for char in text]
    latin = scripts.count("LATIN")
    mostly_latin = latin > sum(1 for script in scripts if script and script != "LATIN")
    found: set[int] = set()
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and text[end].isalpha():
            end += 1
        word = range(start, end)
        present = {scripts[at] for at in word} - {""}
        if len(present) > 1:
            keep = "LATIN" if "LATIN" in present else max(present, key=lambda s: sum(scripts[at] == s for at in word))
            found.update(at for at in word if scripts[at] and scripts[at] != keep)
        elif present and present != {"LATIN"} and mostly_latin and len(word) > 1:
            found.update(word if all(text[at] in _TWINS for at in word) else ())
        start = max(end, start + 1)
    return found


def marked(text: str) -> dict[int, str]:
    """Positions of deceiving characters with the name of each, for a tooltip."""
    if text.isascii() and text.translate(_LINES).isprintable():
        return {}
    hidden = {at for at in range(len(text)) if _is_unseen(text, at)}
    return {at: unicodedata.name(text[at], "unnamed character").lower() for at in sorted(hidden | _alike(text))}


def escape(char: str) -> str:
    """The visible form of one character: ‹U+202E›."""
    return f"‹U+{ord(char):04X}›"


def visible(text: str) -> str:
    """The text with each deceiving character written out."""
    positions = marked(text)
    return "".join(escape(char) if at in positions else char for at, char in enumerate(text))


def suspicion(text: str) -> Suspicion:
    """Count the deceiving characters."""
    if not (positions := marked(text)):
        return Suspicion(unseen=0, alike=0)
    unseen = sum(1 for at in range(len(text)) if _is_unseen(text, at))
    return Suspicion(unseen=unseen, alike=len(positions) - unseen)
