"""A text as a model may see it: NFKC, invisible characters gone, every range mapped back to the original (rules §7.2).

Stripping comes first because instructions can hide in characters that no person sees (zero-width, bidi and tag
characters); mapping back keeps the citation on the words as they were received.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.model import Span
from core.wording import shown, visible

_STRAIGHT = str.maketrans("’‘‚“”„«»–—‐‑", '\'\'\'"""""----')
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True)
class ModelView:
    """`text[i]` came from the original's code points [starts[i], ends[i])."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, original: str) -> ModelView:
        """Normalise one text."""
        shown: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for start, end in _clusters(original):
            piece = unicodedata.normalize("NFKC", "".join(char for char in original[start:end] if visible(char)))
            shown.append(piece)
            starts.extend([start] * len(piece))
            ends.extend([end] * len(piece))
        return cls("".join(shown), tuple(starts), tuple(ends))

    def span(self, start: int, end: int) -> Span:
        """The original's range that became [start, end) of `text`, which must not be empty."""
        return Span(start=self.starts[start], end=self.ends[end - 1])

    def chunks(self, size: int) -> list[tuple[int, int]]:
        """Ranges of `text` of at most `size` characters that cover it, broken at sentence ends where there are any."""
        found = []
        start = 0
        while start < len(self.text):
            end = min(start + size, len(self.text))
            if end < len(self.text):
                breaks = [match.end() for match in _SENTENCE_END.finditer(self.text, start + size // 2, end)]
                end = breaks[-1] if breaks else end
            found.append((start, end))
            start = end
        return found

    def find(self, quote: str, start: int, end: int) -> tuple[int, int] | None:
        """Where `quote` stands within [start, end): exactly, else with spaces, quote marks and dashes folded."""
        exact = self.text.find(quote, start, end) if quote else -1
        if exact >= 0:
            return exact, exact + len(quote)
        haystack, origin = _folded(self.text[start:end])
        needle = _folded(shown(quote))[0].strip()
        at = haystack.find(needle) if needle else -1
        return (start + origin[at], start + origin[at + len(needle) - 1] + 1) if at >= 0 else None


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Ranges that NFKC may compose into one another: a character with the marks (and Hangul parts) that follow it."""
    start = 0
    for index in range(1, len(text)):
        char = text[index]
        if not (unicodedata.combining(char) or "\u1160" <= char <= "\u11ff" or not visible(char)):
            yield start, index
            start = index
    if text:
        yield start, len(text)


def _folded(text: str) -> tuple[str, list[int]]:
    """`text` with runs of white space as one blank and straight marks, and the index each character came from."""
    chars: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(text.translate(_STRAIGHT)):
        if char.isspace():
            if chars and chars[-1] == " ":
                continue
            char = " "  # noqa: PLW2901 - one blank for any white space
        chars.append(char)
        origin.append(index)
    return "".join(chars), origin
