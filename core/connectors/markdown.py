"""A vault of Markdown notes, as a folder or a .zip: one item a note, long notes in sections by their headings."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

import frontmatter
import yaml

from core.connectors.archives import Archive, Folder, Member
from core.connectors.dating import dated, dated_name
from core.connectors.decoding import text_of
from core.errors import BadInput
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
FORMAT = Format(
    key="markdown",
    name="Markdown notes",
    takes="a folder of notes, a .zip of one, or a single note",
    suffixes=(*SUFFIXES, ".zip"),
    classes=("markdown",),
)
SECTION_CHARS = 6_000  # a longer note is taken in sections, so that a changed one is read anew and the rest is not
_DATES = ("updated", "modified", "last_modified", "lastmod", "date modified", "date", "created", "date created")
_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
_EMBED = re.compile(r"!\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]*))?\]\]")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.DOTALL)
_BLOCK_ID = re.compile(r"(?<=\s)\^[A-Za-z0-9-]+$", re.MULTILINE)
_TITLE = re.compile(r"\A\s*# +(.+?) *#*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Vault:
    """Implements `core.ports.Source` on a folder, an archive or one note."""

    path: Path
    name: str
    limits: ImportLimits
    format: Format = FORMAT

    @property
    def namespace(self) -> str:
        """A note's path says nothing about whose vault it is in."""
        return self.name

    def entries(self) -> Iterator[Entry]:
        """Every note, in order of path; what is no note (pictures, canvases) is no entry."""
        if self.path.is_file() and self.path.suffix.lower() in SUFFIXES:
            folder = Folder(root=self.path.parent)
            info = self.path.stat()
            yield self._entry(folder, Member(path=self.path.name, size=info.st_size), self.path.name)
            return
        with Folder(root=self.path) if self.path.is_dir() else Archive(self.path, self.limits) as tree:
            members = list(tree.members())
            top = _only_folder(members) if isinstance(tree, Archive) else ""
            for one in members:
                if isinstance(one, BrokenItem):
                    yield BrokenItem(place=f"note {one.place}", reason=one.reason)
                elif PurePosixPath(one.path).suffix.lower() in SUFFIXES:
                    yield self._entry(tree, one, one.path.removeprefix(top))

    def _entry(self, tree: Folder | Archive, member: Member, path: str) -> Entry:
        place = f"note {path}"
        try:
            text = text_of(tree.read(member, most=self.limits.entry_chars * 4))
            about, body = split(text)
            at = date_of(about, path)
        except (BadInput, ValueError) as problem:
            return BrokenItem(place=place, reason=str(problem))
        words = readable(body)
        if not words.strip():
            return BrokenItem(place=place, reason="the note is empty: write something in it, or leave it out")
        if len(words) > self.limits.entry_chars:
            reason = f"the note has {len(words):,} characters; the limit is {self.limits.entry_chars:,}. Split it."
            return BrokenItem(place=place, reason=reason)
        return Item(
            item_id=path,
            part_class="markdown",
            texts=tuple(sections(words)),
            place=place,
            title=title_of(about, body, path),
            dated_at=at,
            actor=str(about.get("author") or ""),
            source_ref=f"{self.name}/{path}" if path != self.name else path,
        )


def split(text: str) -> tuple[Mapping[str, Any], str]:
    """A note's front matter and its body.

    Raises:
        ValueError: the front matter is no YAML mapping; the message says where.
    """
    try:
        about, body = frontmatter.parse(text)
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 2 if problem.problem_mark else 1
        msg = f"its front matter is no YAML at line {line} ({problem.problem}): mend it or take it out"
        raise ValueError(msg) from problem
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as problem:
        msg = "its front matter cannot be read: mend it or take it out"
        raise ValueError(msg) from problem
    return (about if isinstance(about, Mapping) else {}), str(body)


def date_of(about: Mapping[str, Any], path: str) -> datetime | None:
    """When a note was last written: by its front matter, else by the day in its name.

    Raises:
        ValueError: a date in the front matter is none.
    """
    fields = {str(key).lower(): value for key, value in about.items()}
    for name in _DATES:
        if fields.get(name):
            try:
                return dated(fields[name])
            except ValueError as problem:
                msg = f"its front matter's {name}: {problem}"
                raise ValueError(msg) from problem
    return dated_name(PurePosixPath(path).name) or dated_name(path)


def title_of(about: Mapping[str, Any], body: str, path: str) -> str:
    """A note's title: its front matter's, its first heading, its file name."""
    named = about.get("title")
    if isinstance(named, str) and named.strip():
        return named.strip()
    heading = _TITLE.search(body)
    return readable(heading[1]).strip() if heading else PurePosixPath(path).stem


def readable(body: str) -> str:
    """A note as a person reads it: links by the words they show, comments and block marks left out."""
    text = _COMMENT.sub("", body)
    text = _EMBED.sub(lambda found: f"({(found[2] or found[1]).strip()})", text)
    text = _LINK.sub(lambda found: (found[2] or found[1].replace("#", ", ")).strip(), text)
    return _BLOCK_ID.sub("", text).strip()


def sections(text: str) -> Iterator[str]:
    """A note whole, or a long one cut before its headings, never inside a code block."""
    if len(text) <= SECTION_CHARS:
        yield text
        return
    fences = [one.start() for one in _FENCE.finditer(text)]
    headings = [one.start() for one in _HEADING.finditer(text)]
    cuts = [at for at in headings if bisect.bisect(fences, at) % 2 == 0]
    edges = [0, *(at for at in cuts if at), len(text)]
    for start, end in itertools.pairwise(edges):
        if part := text[start:end].strip():
            yield part


def _only_folder(members: list[Member | BrokenItem]) -> str:
    """The folder that all of an archive lies in, which packing adds and which is no part of a note's place."""
    tops = {one.path.partition("/")[0] if "/" in one.path else "" for one in members if isinstance(one, Member)}
    return f"{next(iter(tops))}/" if len(tops) == 1 and "" not in tops else ""
