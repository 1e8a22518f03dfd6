"""The elements of a JSON array one by one, so that an export of any size is never in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

_CHUNK = 262_144  # characters read at a time
_NUMBER = 32  # characters after a value within which a cut number shows ("1.5" of "1.5e-14")
_SPACE = " \t\r\n"


class BrokenJson(Exception):
    """The text is no JSON from here on; `line` is where."""

    def __init__(self, line: int, why: str) -> None:
        """Keep the place."""
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


def elements(stream: TextIO, *, most: int) -> Iterator[tuple[int, Any]]:
    """(line, element) of a top-level array.

    Args:
        stream: the text, at its beginning.
        most: characters that one element may have.

    Raises:
        BrokenJson: it is no array, an element is no JSON or over `most`, or the text ends early.
    """
    window = _Window(stream)
    if window.peek() != "[":
        raise BrokenJson(window.line, "a list “[ … ]” was expected here")
    window.skip(1)
    if window.peek() == "]":
        return
    while True:
        if not window.peek():
            raise BrokenJson(window.line, "the file ends in the middle of the list: export it again")
        line = window.line
        yield line, window.element(most)
        following = window.peek()
        if following == "]":
            return
        if following != ",":
            raise BrokenJson(window.line, "a comma or the end of the list was expected here")
        window.skip(1)


class _Window:
    """The part of the text that is being looked at."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._text, self._at, self.line = stream, "", 0, 1
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        while True:
            while self._at < len(self._text):
                char = self._text[self._at]
                if char not in _SPACE and char != "\ufeff":
                    return char
                self.skip(1)
            if not self._more():
                return ""

    def skip(self, count: int) -> None:
        """Leave characters behind."""
        self.line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _more(self, size: int = _CHUNK) -> bool:
        chunk = self._stream.read(size)
        if chunk:
            self._text = self._text[self._at :] + chunk
            self._at = 0
        return bool(chunk)

    def element(self, most: int) -> Any:
        """The JSON value that begins here; the window doubles, so that long ones are not read over and over."""
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except RecursionError as problem:
                raise BrokenJson(self.line, "it is nested too deeply to be an export") from problem
            except json.JSONDecodeError as problem:
                held = len(self._text) - self._at
                if held > most:
                    raise BrokenJson(self.line, f"one entry has more than {most:,} characters, or is no JSON") from None
                before = self.line + self._text.count("\n", self._at, problem.pos)
                if problem.pos < len(self._text) - 64 and not problem.msg.startswith("Unterminated"):
                    raise BrokenJson(before, f"this is no JSON ({problem.msg.lower()})") from None
                if not self._more(max(_CHUNK, held)):
                    raise BrokenJson(before, f"this is no JSON ({problem.msg.lower()})") from None
                continue
            if len(self._text) - end < _NUMBER and self._more():  # a number may go on in what was not read yet
                continue
            self.skip(end - self._at)
            return value
