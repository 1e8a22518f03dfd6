"""Text as the grammar reads it: invisible characters dropped, look-alike marks folded, offsets kept.

Every rule works on `Cleaned.text`; `Cleaned.span` maps a range of it back to code points of the original, so a fact
always cites the words as they were received (rules §7.2).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.model import Span

_FOLD = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "＇": "'",
        "`": "`",
        "“": '"',
        "”": '"',
        "„": '"',
        "＂": '"',
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
        "\u3000": " ",
        "\t": " ",
        "\r": " ",
        "\x00": " ",
        "\u2028": "\n",
        "\u2029": "\n",
        "‐": "-",
        "‑": "-",
    }
)


_HIDDEN = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"  # soft hyphens, joiners, direction marks
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"  # variation selectors, byte order mark, tags
)


def upper_class() -> str:
    """Every upper-case letter of the Latin, Greek and Cyrillic blocks, for use inside a character class."""
    return "".join(chr(code) for code in range(0x41, 0x530) if unicodedata.category(chr(code)) == "Lu")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Folded text; `origin[i]` is the code point of the original that became character i (None: they are equal)."""

    text: str
    size: int
    origin: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> Span:
        """The range of the original that became [start, end), which must not be empty."""
        if self.origin is None:
            return Span(start=start, end=end)
        return Span(start=self.origin[start], end=self.origin[end - 1] + 1)


def clean(text: str, limit: int) -> Cleaned:
    """Fold the first `limit` characters of `text`."""
    cut = text[:limit]
    folded = cut.translate(_FOLD)
    if not _HIDDEN.search(folded):
        return Cleaned(folded, len(cut))
    kept = [index for index, char in enumerate(folded) if not _HIDDEN.match(char)]
    return Cleaned("".join(folded[index] for index in kept), len(cut), tuple(kept))
