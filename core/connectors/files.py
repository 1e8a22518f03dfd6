"""Opens outside files: the format that was named, or the one that the file's name and first bytes show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from core.connectors import chatgpt, claude, ics, mail, markdown, mem0, rows
from core.connectors.archives import Archive, Member
from core.connectors.chatexports import CONVERSATIONS, conversations_in, first_element, text_stream
from core.errors import BadInput, TooLarge, UnsupportedFile
from core.ports import Format, ImportLimits, Source, Window

FORMATS = (
    markdown.FORMAT,
    ics.FORMAT,
    mail.FORMAT,
    chatgpt.FORMAT,
    claude.FORMAT,
    rows.CSV_FORMAT,
    rows.JSONL_FORMAT,
    mem0.FORMAT,
)
_BY_KEY = {one.key: one for one in FORMATS}
_COPY = re.compile(r"(?: \(\d+\)| copy(?: \d+)?)$")
_MAILBOX = re.compile(rb"\AFrom \S.*\d{2}:\d{2}")


@dataclass(frozen=True, kw_only=True, slots=True)
class FileConnectors:
    """Implements `core.ports.Connectors` on this machine's files."""

    limits: ImportLimits = field(default_factory=ImportLimits)
    formats: tuple[Format, ...] = FORMATS

    def open(self, path: Path, *, format: str | None, name: str, window: Window) -> Source:  # noqa: A002 - its name
        """Recognise a file or folder and make ready to read it.

        Raises:
            BadInput: it is not there, not what it was named, or nothing that is known.
            TooLarge: the file is over the limit.
        """
        if not path.exists():
            msg = f"there is no file or folder {path.name}: check its name"
            raise BadInput(msg)
        if path.is_file():
            self._check_size(path)
        key = format or self._recognised(path)
        if key not in _BY_KEY:
            msg = f"there is no format {key!r}: choose one of {', '.join(_BY_KEY)}"
            raise BadInput(msg)
        if path.is_dir() and key not in (markdown.FORMAT.key, mail.FORMAT.key):
            msg = f"{_BY_KEY[key].name} is {_BY_KEY[key].takes}, not a folder"
            raise BadInput(msg)
        called = name.strip() or name_of(path)
        return self._made(key, path, called, window)

    def _made(self, key: str, path: Path, name: str, window: Window) -> Source:
        if key == markdown.FORMAT.key and path.is_file() and path.suffix.lower() not in markdown.FORMAT.suffixes:
            msg = f"Markdown notes are {markdown.FORMAT.takes}"
            raise BadInput(msg)
        limits = self.limits
        makers: dict[str, Callable[[], Source]] = {
            "markdown": lambda: markdown.Vault(path=path, name=name, limits=limits),
            "ics": lambda: ics.Calendar(path=path, name=name, limits=limits, window=window),
            "mail": lambda: mail.Mailbox(path=path, name=name, limits=limits),
            "chatgpt": lambda: chatgpt.chats(path, name, limits),
            "claude": lambda: claude.chats(path, name, limits),
            "csv": lambda: rows.Rows(path=path, name=name, limits=limits, format=rows.CSV_FORMAT),
            "jsonl": lambda: rows.Rows(path=path, name=name, limits=limits, format=rows.JSONL_FORMAT),
            "mem0": lambda: mem0.Memories(path=path, name=name, limits=limits),
        }
        return makers[key]()

    def _check_size(self, path: Path) -> None:
        size = path.stat().st_size
        if size > self.limits.file_bytes:
            most = self.limits.file_bytes / 1e6
            msg = f"{path.name} has {size / 1e6:,.0f} MB; the limit is {most:,.0f} MB. Import a part of it."
            raise TooLarge(msg)
        if not size:
            msg = f"{path.name} is empty: export it again"
            raise BadInput(msg)

    def _recognised(self, path: Path) -> str:
        if path.is_dir():
            return self._of_folder(path)
        suffix = path.suffix.lower()
        for one in FORMATS:
            if suffix in one.suffixes and suffix not in (".zip", ".json"):
                return one.key
        if suffix == ".zip":
            return self._of_archive(path)
        if suffix == ".json":
            return self._of_json(path)
        with path.open("rb") as file:
            start = file.read(4096)
        if _MAILBOX.match(start):
            return mail.FORMAT.key
        if b"BEGIN:VCALENDAR" in start:
            return ics.FORMAT.key
        raise UnsupportedFile(_unknown(path.name))

    def _of_folder(self, path: Path) -> str:
        suffixes = {one.suffix.lower() for one in path.rglob("*") if not one.name.startswith(".")}
        if suffixes & set(markdown.SUFFIXES):
            return markdown.FORMAT.key
        if ".eml" in suffixes:
            return mail.FORMAT.key
        msg = f"there are no notes (.md) and no messages (.eml) in {path.name}"
        raise UnsupportedFile(msg)

    def _of_archive(self, path: Path) -> str:
        with Archive(path, self.limits) as archive:
            if isinstance(conversations_in(archive), Member):
                return self._of_json(path)
            suffixes = {PurePosixPath(one.path).suffix.lower() for one in archive.members() if isinstance(one, Member)}
        if suffixes & set(markdown.SUFFIXES):
            return markdown.FORMAT.key
        msg = f"there is neither {CONVERSATIONS} nor a note (.md) in {path.name}: {_unknown(path.name)}"
        raise UnsupportedFile(msg)

    def _of_json(self, path: Path) -> str:
        try:
            first = first_element(path, self.limits)
        except BadInput:
            first = None
        if isinstance(first, Mapping):
            return _of_object(first, path.name)
        if path.suffix.lower() == ".json" and _is_object(path, self.limits):
            return mem0.FORMAT.key
        raise UnsupportedFile(_unknown(path.name))


def _of_object(first: Mapping[str, Any], name: str) -> str:
    if "mapping" in first:
        return chatgpt.FORMAT.key
    if "chat_messages" in first:
        return claude.FORMAT.key
    if "memory" in first:
        return mem0.FORMAT.key
    raise UnsupportedFile(_unknown(name))


def _is_object(path: Path, limits: ImportLimits) -> bool:
    """Whether a JSON file is an object that names results or memories near its beginning."""
    try:
        with text_stream(path, limits) as stream:
            start = stream.read(4096).lstrip("\ufeff \t\r\n")
    except BadInput:
        return False
    return start.startswith("{") and ('"results"' in start or '"memories"' in start)


def _unknown(name: str) -> str:
    known = "; ".join(f"{one.name} ({', '.join(one.suffixes)})" for one in FORMATS)
    return f"{name} is nothing that can be imported. What can: {known}."


def name_of(path: Path) -> str:
    """What a source is called after its file: without the ending, and without what a download adds to a second copy."""
    stem = path.resolve().name if path.is_dir() else path.stem
    return _COPY.sub("", stem).strip() or "import"


__all__ = ["FORMATS", "FileConnectors", "name_of"]
