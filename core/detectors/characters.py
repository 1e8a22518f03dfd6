"""What a text looks like to a person and what it says to a model: hidden and look-alike characters undone. Pure.

The phrase detectors read the plain form, so a word split by zero-width characters or written with another alphabet's
letters is the same word to them.
"""

from __future__ import annotations

import re
import unicodedata

from core.model import Finding

_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u034f\u180e")
_OVERRIDES = frozenset("\u202d\u202e")
_EMBEDS = frozenset("\u202a\u202b\u2066\u2067\u2068")
_OVERLAYS = frozenset({*map(chr, range(0x0334, 0x0339)), "\u20d2", "\u20d3", "\u20e5", "\u20eb"})
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,6}\U000e007f")  # flags of regions
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_REVERSED = re.compile("\u202e([^\u202c\n]{1,2000})")
_FULL_WIDTH = re.compile("[Ａ-Ｚａ-ｚ]{2,}")
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKED = re.compile("[A-Za-z][\u0300-\u036f\u0483-\u0489\u20d0-\u20f0]{4,}")
_SPACED = re.compile(r"(?<!\w)(?:\w[ \t.\-_*]){5,200}\w(?!\w)")
# Cyrillic and Greek letters that pass for Latin ones (Unicode TR 39, the single-letter ones), and what they pass for.
_CYRILLIC = ("аеорсухіјѕԁһӏԛԝьгпкАВЕКМНОРСТУХІЈЅ", "aeopcyxijsdhlqwbrnkABEKMHOPCTYXIJS")
_GREEK = ("αοντρυικχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovtpuikxABEZHIKMNOPTYX")
_TO_LATIN = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_LONGEST, _WINDOW, _OVERLAP = 60_000, 5_000, 400
_BYTES = 256
_MANY = 3
_OUTSPOKEN = 0.5


def _smuggled(text: str) -> list[str]:
    """Words that are written in tag characters or in runs of variation selectors."""
    found = ["".join(chr(ord(char) - 0xE0000) for char in run) for run in _TAGS.findall(_FLAG.sub("", text))]
    for run in _SELECTORS.findall(text):
        codes = (ord(char) - 0xFE00 if char < "\U000e0100" else ord(char) - 0xE0100 + 16 for char in run)
        found.append(bytes(code % _BYTES for code in codes).decode("utf-8", "replace"))
    return [words for words in found if sum(char.isalnum() for char in words) >= _MANY]


def windows(text: str) -> list[str]:
    """A long text in overlapping pieces, so that the time to read it grows with its length only."""
    text = text[:_LONGEST]
    starts = range(0, max(1, len(text) - _OVERLAP), _WINDOW - _OVERLAP)
    return [text[start : start + _WINDOW] for start in starts]


def plain(text: str) -> str:
    """The text without what cannot be seen, compatibility forms and look-alike letters as plain letters."""
    bare = "".join(char for char in text if char not in _ZERO_WIDTH and unicodedata.category(char) != "Cf")
    if bare.isascii():
        return bare
    struck = "".join(char for char in unicodedata.normalize("NFD", bare) if char not in _OVERLAYS)
    return unicodedata.normalize("NFKC", struck).translate(_TO_LATIN)


def views(text: str) -> list[str]:
    """Other texts that a model could read out of this one, where they differ from what `plain` gives."""
    hidden = [plain(words) for words in _smuggled(text)]
    if "\u202e" in text:
        hidden.append(plain(_REVERSED.sub(lambda run: run[1][::-1], text)))
    spaced = _SPACED.sub(lambda run: re.sub(r"[ \t.\-_*]", "", run[0]), text)
    if spaced != text:
        hidden.append(plain(spaced))
    return hidden


def _hidden_severity(text: str, joined: int) -> float:
    if any(char in _OVERRIDES for char in text):
        return 0.8
    right_to_left = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text)
    if any(char in _EMBEDS for char in text) and not right_to_left:
        return _OUTSPOKEN
    return 0.7 if joined >= _MANY else 0.3 if joined else 0.0


def hidden(text: str) -> list[Finding]:
    """Findings on characters that are not seen or that cross out and reorder what is seen."""
    found = []
    if _smuggled(text):
        found.append(
            Finding(
                detector="hidden_characters", severity=0.9, note="words are written in characters that are not drawn"
            )
        )
    # Inside a word of the Latin alphabet nothing that is not drawn has work to do; web pages do break long words.
    joined = sum(
        1
        for at in range(1, len(text) - 1)
        if text[at] in _ZERO_WIDTH
        and text[at] not in "\u00ad\ufeff"
        and all(char.isascii() and not char.isspace() for char in (text[at - 1], text[at + 1]))
    )
    severity = _hidden_severity(text, joined)
    if severity:
        found.append(
            Finding(
                detector="hidden_characters",
                severity=severity,
                note="characters that are not drawn, or that reorder the words",
            )
        )
    letters = sum(char.isalpha() for char in text)
    struck = sum(1 for char in unicodedata.normalize("NFD", text) if char in _OVERLAYS)
    if struck > _MANY:
        crossed = struck * 2 > letters
        found.append(
            Finding(
                detector="hidden_characters",
                severity=0.6 if crossed else 0.3,
                note="words are crossed out by overlaid strokes",
            )
        )
    if _MARKED.search(text):
        found.append(
            Finding(detector="hidden_characters", severity=_OUTSPOKEN, note="letters are buried under piled-up marks")
        )
    return found


def _mixed(word: str) -> bool:
    """Whether look-alike letters stand among Latin ones. One Greek letter is a notation ("TNFα"), not a disguise."""
    greek = sum(char in _GREEK[0] for char in word)
    return bool(_LATIN.search(word)) and (greek > 1 or any(char in _CYRILLIC[0] for char in word))


def alike(text: str) -> list[Finding]:
    """Findings on words that mix alphabets with letters of the same shape, or that are set in wide forms."""
    words = sum(map(_mixed, _WORD.findall(text)))
    if words:
        many = words > 1
        note = f"{words} word{'s' if many else ''} mix letters of two alphabets that look the same"
        return [Finding(detector="look_alikes", severity=0.8 if many else 0.6, note=note)]
    if len(_FULL_WIDTH.findall(text)) >= _MANY and not _EAST_ASIAN.search(text):
        return [
            Finding(detector="look_alikes", severity=_OUTSPOKEN, note="Latin words are written in full-width forms")
        ]
    return []
