"""Folders and .zip archives as named files that can be trusted not to leave their place, nor to fill the machine."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, Self, cast

from core.errors import BadInput, TooLarge
from core.ports import BrokenItem, ImportLimits

_SMALL = 1_000_000  # bytes: no bomb worth the name is smaller
_HIDDEN = (".", "__MACOSX")  # .obsidian, .trash, .git, resource forks: not the person's notes
_CHUNK = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """One file of a folder or archive, by its path within it."""

    path: str
    size: int
    modified_at: datetime | None = None


class Tree(Protocol):
    """Files by path; broken entries are those that cannot be opened safely."""

    def members(self) -> Iterator[Member | BrokenItem]:
        """Every file, in order of path."""

    def read(self, member: Member, *, most: int) -> bytes:
        """All bytes of one file.

        Raises:
            TooLarge: it has more than `most`, whatever the archive says of its size.
            BadInput: it cannot be read.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """A folder on this machine. Links that lead out of it are not followed."""

    root: Path

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is kept open."""

    def members(self) -> Iterator[Member | BrokenItem]:
        """Every file, in order of path; hidden files and folders are not a person's notes."""
        root = self.root.resolve()
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            if any(part.startswith(_HIDDEN) for part in PurePosixPath(name).parts):
                continue
            try:
                if not path.resolve().is_relative_to(root):
                    yield BrokenItem(place=name, reason="it is a link that leads out of the folder: copy the file in")
                    continue
                if not path.is_file():
                    if path.is_symlink():
                        yield BrokenItem(place=name, reason="it is a link to nothing: mend or remove it")
                    continue
                info = path.stat()
            except (OSError, RuntimeError) as problem:  # RuntimeError: a link that leads to itself
                yield BrokenItem(place=name, reason=f"it cannot be opened ({type(problem).__name__}): check its rights")
                continue
            modified = datetime.fromtimestamp(info.st_mtime, UTC)
            yield Member(path=name, size=info.st_size, modified_at=modified)

    def read(self, member: Member, *, most: int) -> bytes:
        """All bytes of one file."""
        path = self.root / member.path
        try:
            if not path.resolve().is_relative_to(self.root.resolve()):  # it became a link since it was listed
                msg = "it is a link that leads out of the folder: copy the file in"
                raise BadInput(msg)
            with path.open("rb") as file:
                return _bounded(cast("BinaryIO", file), member.path, most)
        except OSError as problem:
            msg = f"it cannot be read ({type(problem).__name__}): check its rights"
            raise BadInput(msg) from problem


class Archive:
    """A .zip. No member is ever written to disk, so a path can lead nowhere; odd ones are refused all the same."""

    def __init__(self, path: Path, limits: ImportLimits) -> None:
        """Open it for reading.

        Raises:
            BadInput: it is no archive, or damaged.
            TooLarge: all members together unpack to more than the limit.
        """
        self._limits = limits
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as problem:
            msg = f"{path.name} is no .zip archive, or damaged: export it again"
            raise BadInput(msg) from problem
        self._infos = {one.filename.replace("\\", "/"): one for one in self._zip.infolist()}
        total = sum(one.file_size for one in self._infos.values())
        if total > limits.unpacked_bytes:
            self._zip.close()
            most = limits.unpacked_bytes / 1e9
            msg = f"the archive unpacks to {total / 1e9:.1f} GB; the limit is {most:.1f} GB. Import a part of it."
            raise TooLarge(msg)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._zip.close()

    def members(self) -> Iterator[Member | BrokenItem]:
        """Every file, in order of path."""
        for name, one in sorted(self._infos.items()):
            path = PurePosixPath(name)
            if one.is_dir() or any(part.startswith(_HIDDEN) and part != ".." for part in path.parts):
                continue
            reason = self._unsafe(one, path)
            yield (
                BrokenItem(place=name, reason=reason)
                if reason
                else Member(path=name, size=one.file_size, modified_at=_zip_time(one))
            )

    def _unsafe(self, one: zipfile.ZipInfo, path: PurePosixPath) -> str:
        times = one.file_size / max(1, one.compress_size)
        if path.is_absolute() or ".." in path.parts or path.parts[0].endswith(":"):
            return "its path leads out of the archive: such a file is not read"
        if stat.S_ISLNK(one.external_attr >> 16):
            return "it is a link, not a file: pack the file itself"
        if one.flag_bits & 0x1:
            return "it is locked with a password: pack it without one"
        if one.file_size > _SMALL and times > self._limits.ratio:
            return f"it unpacks to {times:,.0f} times its size: such a file is not read"
        return ""

    def read(self, member: Member, *, most: int) -> bytes:
        """All bytes of one member."""
        with self.stream(member) as file:
            return _bounded(file, member.path, most)

    @contextmanager
    def stream(self, member: Member) -> Iterator[BinaryIO]:
        """One member as a stream.

        Raises:
            BadInput: it is not there, or damaged.
        """
        try:
            with self._zip.open(self._infos[member.path]) as file:
                yield cast("BinaryIO", file)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, KeyError, NotImplementedError) as problem:
            msg = f"{member.path} is damaged in the archive ({type(problem).__name__}): pack it again"
            raise BadInput(msg) from problem


def _zip_time(one: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*one.date_time, tzinfo=UTC)
    except ValueError:
        return None


def _bounded(file: BinaryIO, path: str, most: int) -> bytes:
    """What a file holds, never trusting the size that an archive names for it."""
    parts: list[bytes] = []
    size = 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > most:
            msg = f"{path} has more than {most / 1e6:,.1f} MB, the limit for a file that is read whole. Split it."
            raise TooLarge(msg)
        parts.append(chunk)
    return b"".join(parts)
