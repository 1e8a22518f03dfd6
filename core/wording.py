"""The words of a text, folded for comparison, each with its place in the text as received (rules §7.2). Pure.

Whoever copies a text by hand or by machine changes case, quote marks, spacing, invisible characters and look-alike
letters; none of that makes it another text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

# Invisible marks that Unicode does not class as format: fillers, variation selectors, the blank Braille cell.
_INVISIBLE_MARKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef"
_INVISIBLE_MARK = re.compile(f"[{_INVISIBLE_MARKS}]")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_KEPT_CONTROLS = frozenset("\n\t")

# Scripts without spaces between words (Han, kana, Thai, Lao, Myanmar, Khmer): a character counts as a word.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
_FORMAT = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_WORD = re.compile(
    f"(?![\\W_])[{_UNSPACED}]"
    f"|(?:(?![{_UNSPACED}])[^\\W_])(?:(?![{_UNSPACED}])[^\\W_]|[\u0300-\u036f{_FORMAT}{_INVISIBLE_MARKS}]|['’](?=[^\\W_]))*"
)
_ASCII_WORD = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9]|'(?=[A-Za-z0-9]))*"
)  # the same for plain texts, three times as fast
# Case-folded Cyrillic and Greek letters that pass for Latin ones (Unicode TR 39, single letters).
_LOOKS_LIKE = str.maketrans("авеноркмстухіјѕԁһӏԛԝαβεηικνορτυχϲıɑɡ", "abehopkmctyxijsdhlqwabenikvoptyxciag")


class Word(NamedTuple):
    """One word of a text: folded, with its range in the text as received."""

    text: str
    start: int
    end: int


def visible(char: str) -> bool:
    """Whether a person can see a character: no control, format, private-use or otherwise unseen one."""
    if char in _KEPT_CONTROLS:
        return True
    return unicodedata.category(char) not in _UNSEEN_CATEGORIES and not _INVISIBLE_MARK.match(char)


def shown(text: str) -> str:
    """`text` without invisible characters, in NFKC."""
    if text.isascii() and text.isprintable():
        return text
    hidden = dict.fromkeys(ord(char) for char in set(text) if not visible(char))
    return unicodedata.normalize("NFKC", text.translate(hidden) if hidden else text)


def folded(text: str) -> str:
    """`text` as it is compared: NFKC, without invisible characters, case-folded, straight apostrophes."""
    if text.isascii() and text.isprintable():
        return text.lower()
    return unicodedata.normalize("NFKC", shown(text).casefold()).replace("’", "'").replace("‘", "'")


def unspaced(char: str) -> bool:
    """Whether a character belongs to a script that puts no spaces between words."""
    return _UNSPACED_CHAR.match(char) is not None


def words(text: str) -> Iterator[Word]:
    """Every word in order, folded and look-alike letters made Latin; a character of an unspaced script is a word.

    The fold is for telling that two texts are the same, never for display: it makes whole Cyrillic words half Latin.
    """
    known: dict[str, str] = {}
    for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        raw = match.group()
        word = known.get(raw)
        if word is None:
            word = known[raw] = _word(raw)
        if word:
            yield Word(word, match.start(), match.end())


def plain_words(text: str) -> list[str]:
    """The words of `text` as `words` gives them, without their places: for long texts."""
    if text.isascii():
        return [raw.replace("'", "") if "'" in raw else raw for raw in _ASCII_WORD.findall(text.lower())]
    found = _WORD.findall(text)
    known = {raw: _word(raw) for raw in set(found)}
    return [word for raw in found if (word := known[raw])]


def mark(text: str) -> int:
    """A stable number of 63 bits for `text`: what a ledger can index, and from which no words are read back."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1


def _word(raw: str) -> str:
    if raw.isascii():
        return raw.lower().replace("'", "")
    return folded(raw).replace("'", "").translate(_LOOKS_LIKE)
