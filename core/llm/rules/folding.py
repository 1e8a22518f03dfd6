"""Accents folded away, letter for letter: what is matched in folded text stands at the same place in the original."""

from __future__ import annotations

import re
import unicodedata


def _base(char: str) -> str:
    plain_letter = unicodedata.normalize("NFD", char)[0]
    return plain_letter if plain_letter.isascii() and plain_letter.isalpha() else char


_TABLE = {code: _base(chr(code)) for code in range(0xC0, 0x180)}


def plain(text: str) -> str:
    """`text` without accents, of the same length: people who type fast leave them out."""
    return text.translate(_TABLE)


def folded(pattern: str) -> re.Pattern[str]:
    """A pattern for folded text, case-insensitive; it may be written with its accents."""
    return re.compile(plain(pattern), re.IGNORECASE)
