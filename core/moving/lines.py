"""The file: one JSON object a line, each carrying the digest of everything before it, so that an altered line is named.

A header, then conversations, episodes, candidates with their decisions, effects, memories and the audit slice, then a
trailer with the counts, the digest of the records (`content`, the same wherever they are), the digest of every byte
before the trailer, and the signature of the installation.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from core.errors import BadInput
from core.model import sha256_text
from core.ports import Plain, Signer

FORMAT = "chronomemory-owner"
VERSION = 1
RECORDS = ("conversation", "episode", "candidate", "decision", "effect", "memory", "audit")  # in this order
MAX_LINE = 32_000_000  # bytes; the longest line holds one text with what was decided about it
_ORDER = {"conversation": 0, "episode": 1, "candidate": 2, "decision": 2, "effect": 3, "memory": 4, "audit": 5}
_LINK = 16  # hex digits of the running digest that a line carries
_TAIL = re.compile(rb',"chain":"([0-9a-f]{16})"\}\Z')
_HEAD = re.compile(rb'\{"type":"([a-z]+)"[,}]')
_TRAILER = {"type", "counts", "content", "digest", "signature"}
_SEED = f"{FORMAT}-{VERSION}".encode()


class LineWriter:
    """Writes a file line by line."""

    def __init__(self, out: BinaryIO, *, seen: Callable[[str], None] = lambda _kind: None) -> None:
        """`seen` hears of each record as it is written."""
        self._out = out
        self._seen = seen
        self._whole = hashlib.sha256()
        self._running = hashlib.sha256(_SEED)
        self.content = ""
        self.counts: Counter[str] = Counter()

    def header(self, header: Plain) -> None:
        """The first line."""
        self._put(dumped({"type": "header", "format": FORMAT, "version": VERSION, **header}))

    def record(self, kind: str, record: Plain) -> None:
        """One record; kinds come in the order of `RECORDS`."""
        if kind == "audit" and not self.content:
            self.content = self._running.hexdigest()
        body = dumped({"type": kind, **record})
        self._running.update(body)
        self._put(body[:-1] + f',"chain":"{self._running.hexdigest()[:_LINK]}"}}'.encode())
        self.counts[kind] += 1
        self._seen(kind)

    def trailer(self, signer: Signer) -> str:
        """The last line; returns the digest of all before it."""
        self.content = self.content or self._running.hexdigest()
        digest = self._whole.hexdigest()
        counts = {kind: self.counts[kind] for kind in RECORDS}
        sealed = {"counts": counts, "content": self.content, "digest": digest}
        signature = signer.sign(_signed(digest, counts, self.content))
        self._out.write(dumped({"type": "trailer", **sealed, "signature": signature}) + b"\n")
        return digest

    def _put(self, line: bytes) -> None:
        self._out.write(line + b"\n")
        self._whole.update(line + b"\n")


def _signed(digest: str, counts: Mapping[str, int], content: str) -> str:
    """What a signature covers: every byte before the trailer and what the trailer says of them."""
    return sha256_text(dumped({"format": FORMAT, "digest": digest, "counts": counts, "content": content}).decode())


def dumped(record: Plain) -> bytes:
    """A record as it is written: ASCII only, so that no reader splits or shows it otherwise."""
    return json.dumps(record, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def refuse(number: int, why: str) -> BadInput:
    """The error that names a line."""
    return BadInput(f"line {number}: {why}; nothing was taken in. Export the file again, or fetch a whole copy of it.")


class Verified:
    """Reads a file to its end once and refuses it unless it is whole. Hands each record to `look`, if given."""

    def __init__(self, file: BinaryIO, signer: Signer) -> None:
        """Nothing is read yet."""
        self._file = file
        self._signer = signer
        self.header: Plain = {}
        self.counts: Counter[str] = Counter()
        self.content = ""
        self.digest = ""
        self.signed = False

    def records(self) -> Iterator[tuple[int, str, Plain]]:
        """(line number, kind, record) of each record; the trailer is checked when the last one was taken.

        Raises:
            BadInput: the file is altered, cut off or of another format; the message names the line.
        """
        whole, running = hashlib.sha256(), hashlib.sha256(_SEED)
        number, stage = 0, 0
        for number, line in _numbered(self._file):
            if number == 1:
                self.header = _header(line)
                whole.update(line)
                continue
            record = _object(number, line)
            kind = str(record.get("type"))
            if kind == "trailer":
                self._close(number, record, whole, running)
                break
            body = line.rstrip(b"\n")
            tail = _TAIL.search(body)
            if kind not in _ORDER or kind != _kind(line) or tail is None:
                raise refuse(number, "this is no record of this format")
            if kind == "audit" and not self.content:
                self.content = running.hexdigest()
            running.update(body[: tail.start()] + b"}")
            if running.hexdigest()[:_LINK].encode() != tail[1]:
                raise refuse(number, "it was altered, or a line before it is missing")
            if _ORDER[kind] < stage:
                raise refuse(number, f"a {kind} does not belong here")
            stage = _ORDER[kind]
            whole.update(line)
            self.counts[kind] += 1
            del record["type"], record["chain"]
            yield number, kind, record
        if not self.digest:
            raise refuse(number + 1, "the file ends before its last line")
        if self._file.read(1):
            raise refuse(number + 1, "something follows the last line")

    def _close(self, number: int, trailer: Plain, whole: hashlib._Hash, running: hashlib._Hash) -> None:
        self.content = self.content or running.hexdigest()
        counts = {kind: self.counts[kind] for kind in RECORDS}
        if set(trailer) != _TRAILER:  # a signature under an altered name would look like none
            raise refuse(number, "the last line does not say what it has to")
        if trailer.get("counts") != counts:
            raise refuse(number, "the numbers of records do not match: lines are missing")
        if trailer.get("digest") != whole.hexdigest() or trailer.get("content") != self.content:
            raise refuse(number, "the digest does not fit the lines above: the file was altered")
        signature, public = trailer.get("signature", ""), self.header.get("installation", "")
        signed = isinstance(signature, str) and isinstance(public, str) and bool(signature and public)
        if signed and not self._signer.fits(public, _signed(whole.hexdigest(), counts, self.content), signature):
            raise refuse(number, "the signature does not fit the lines above: the file was altered")
        self.digest, self.signed = whole.hexdigest(), signed


def records(file: BinaryIO, *kinds: str) -> Iterator[tuple[int, str, Plain]]:
    """The records of a file that was verified before; with `kinds` only those, and nothing after them is read."""
    last = max((_ORDER[kind] for kind in kinds), default=len(_ORDER))
    for number, line in _numbered(file):
        kind = _kind(line)
        if kind not in _ORDER or (kinds and kind not in kinds):
            if _ORDER.get(kind, 0) > last:
                return
            continue
        record = _object(number, line)
        del record["type"], record["chain"]
        yield number, kind, record


def _kind(line: bytes) -> str:
    """What a line is, without reading it; "" if it does not begin as one."""
    found = _HEAD.match(line)
    return found[1].decode() if found else ""


def _numbered(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise refuse(number, f"it is longer than {MAX_LINE} bytes")
        if not line.endswith(b"\n"):
            raise refuse(number, "the file ends in the middle of this line")
        yield number, line


def _object(number: int, line: bytes) -> Plain:
    try:
        record = json.loads(line)
    except ValueError as problem:
        raise refuse(number, "this is not JSON") from problem
    if not isinstance(record, dict):
        raise refuse(number, "this is no JSON object")
    return record


def _header(line: bytes) -> Plain:
    try:
        header = _object(1, line)
    except BadInput:
        header = {}
    if header.get("type") != "header" or header.get("format") != FORMAT:
        msg = f"line 1: this is no file of the format {FORMAT}: name one that `chronomemory export` wrote"
        raise BadInput(msg)
    if header.get("version") != VERSION:
        msg = f"line 1: this file is of version {header.get('version')!r} and this program reads {VERSION}: update it"
        raise BadInput(msg)
    if not isinstance(header.get("owner"), str) or not header["owner"]:
        raise refuse(1, "it does not say whose memory this is")
    return header


__all__ = ["FORMAT", "MAX_LINE", "RECORDS", "VERSION", "LineWriter", "Verified", "dumped", "records", "refuse"]
