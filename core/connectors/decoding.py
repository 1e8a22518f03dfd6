"""Bytes of unknown encoding as text, whole or line by line; nothing is dropped in silence."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

from charset_normalizer import from_bytes

SAMPLE_BYTES = 65_536  # looked at to guess an encoding
LINE_BYTES = 16_000_000  # a longer line is no line of a text file
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = frozenset(range(32)) - {9, 10, 12, 13, 27}


def encoding_of(sample: bytes, *, whole: bool) -> str:
    """The encoding of a text that begins with `sample`; `whole`: the sample is all of it.

    A byte-order mark decides; then UTF-8 if it fits; then UTF-16 without a mark, by its zeros; then the guess of
    charset-normalizer; at last Windows-1252, in which most old files of the West are written.
    """
    for mark, name in _BOMS:
        if sample.startswith(mark):
            return name
    if _fits(sample, "utf-8", whole=whole) and b"\x00" not in sample:
        return "utf-8"
    zeros_even, zeros_odd = sample[::2].count(0), sample[1::2].count(0)
    if max(zeros_even, zeros_odd) * 4 > len(sample) > 1:
        return "utf-16-be" if zeros_even > zeros_odd else "utf-16-le"
    guess = from_bytes(sample).best()
    if guess is not None and guess.encoding not in {"ascii", "utf_8"}:
        return guess.encoding
    return "cp1252"


def text_of(data: bytes) -> str:
    """A whole text. What fits no encoding keeps its bytes as replacement characters, which a reader sees.

    Raises:
        ValueError: it is binary data and no text.
    """
    name = encoding_of(data[:SAMPLE_BYTES], whole=len(data) <= SAMPLE_BYTES)
    if not name.startswith("utf") and is_binary(data[:4096]):
        msg = "this is binary data, not text"
        raise ValueError(msg)
    text = _decoded(data, name)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_binary(sample: bytes) -> bool:
    """Whether bytes hold what no text does."""
    return b"\x00" in sample or sum(byte in _CONTROL for byte in sample) * 10 > len(sample)


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """Lines of a text stream, their ends kept, each decoded by itself where the file's encoding does not fit it.

    Raises:
        ValueError: a line is over LINE_BYTES, so this is no text file.
    """
    sample = stream.read(SAMPLE_BYTES)
    name = encoding_of(sample, whole=len(sample) < SAMPLE_BYTES)
    stream.seek(0)
    if name.startswith(("utf-16", "utf-32")):  # a line end is several bytes there
        text = io.TextIOWrapper(stream, encoding=name, errors="replace", newline="")
        try:
            yield from text
        finally:
            text.detach()  # the stream is its opener's to close
        return
    first = True
    while line := stream.readline(LINE_BYTES):
        if len(line) >= LINE_BYTES:
            msg = f"a line is longer than {LINE_BYTES:,} bytes: this is not a text file of lines"
            raise ValueError(msg)
        yield _decoded(line, name).removeprefix("\ufeff") if first else _decoded(line, name)
        first = False


def _fits(sample: bytes, name: str, *, whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(name)().decode(sample, final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except (UnicodeDecodeError, LookupError):
        return data.decode("cp1252" if name.startswith("utf-8") else name, errors="replace")
