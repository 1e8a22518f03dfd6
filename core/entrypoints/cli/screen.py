"""What a command prints: one line at a time, with every character that could move the cursor or deceive written out.

Memory holds what strangers wrote. A terminal obeys escape sequences, and right-to-left marks reorder what is read, so
no text reaches it but through `plain`. JSON output is ASCII only and needs nothing else.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

import typer

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d")  # drawn as nothing
_JOINERS = "\u200c\u200d"
_NEWLINE = "⏎"


def plain(text: str) -> str:
    """A text as one line that a terminal only shows; a line break is drawn, anything else unseen is named."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(text, at) for at in range(len(text)))


def _shown(text: str, at: int) -> str:
    char = text[at]
    if char == "\n":
        return _NEWLINE
    if char == "\t":
        return " "
    if char in _JOINERS and 0 < at < len(text) - 1 and not (text[at - 1] + text[at + 1]).isascii():
        return char  # between letters of a joining script, or parts of one picture
    if char in _BLANK or unicodedata.category(char) in _UNSEEN:
        return f"‹U+{ord(char):04X}›"
    return char


class Screen:
    """Where a command's words go: lines for people, one JSON document for programs."""

    def __init__(self, *, as_json: bool) -> None:
        """Choose whom to speak to."""
        self.as_json = as_json

    def say(self, text: str = "") -> None:
        """One line for people; a program gets none."""
        if not self.as_json:
            typer.echo(plain(text))

    def note(self, text: str) -> None:
        """One line about what is going on, beside the output."""
        typer.echo(plain(text), err=True)

    def data(self, value: Any) -> None:
        """The whole result for a program; people get none."""
        if self.as_json:
            typer.echo(json.dumps(jsonable(value), indent=2, ensure_ascii=True))

    def table(self, rows: Iterable[Iterable[str]], *, indent: str = "  ") -> None:
        """Rows in columns; the last column takes what is left."""
        cells = [[plain(one) for one in row] for row in rows]
        if self.as_json or not cells:
            return
        widths = [max(_width(row[at]) for row in cells) for at in range(len(cells[0]) - 1)]
        for row in cells:
            padded = [one + " " * (width - _width(one)) for one, width in zip(row, widths, strict=False)]
            typer.echo(indent + "  ".join([*padded, row[-1]]).rstrip())

    def progress(self) -> Callable[[str, int, int], None]:
        """Says what is being done when that changes, and how far it is."""
        last = ""

        def tell(what: str, done: int, total: int) -> None:
            nonlocal last
            if what != last or done:
                self.note(f"  {what}: {done:,}{f' of {total:,}' if total else ''}" if done else f"  {what} …")
            last = what

        return tell


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)


def jsonable(value: Any) -> Any:
    """Nouns as JSON data."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(inner) for inner in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else str(value) if isinstance(value, Path) else value


__all__ = ["Screen", "jsonable", "plain"]
