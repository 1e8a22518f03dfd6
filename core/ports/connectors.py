"""Files and folders from outside as streams of items, each worth what its connector's class says and never more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from core.model import aware, sha256_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One format that can be read: `key` names it, `takes` says what to hand over."""

    key: str
    name: str
    takes: str
    suffixes: tuple[str, ...]
    classes: tuple[str, ...]  # names in the policy's [connectors] that its items may be of


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One thing of a source: a note, a mail, an event, a line of a chat, a row.

    `part_class` is a name of the policy's [connectors]: what the item is worth is the server's to say (rules §1.2).
    `texts` are its sections in order; most items have one. `actor` and `title` are what the file claims.
    """

    item_id: str  # stable within the source's namespace
    part_class: str
    texts: tuple[str, ...]
    place: str  # where it stands in the file: "line 120", "message 17", "note Ideas/plan.md"
    title: str = ""
    dated_at: datetime | None = None
    actor: str = ""
    source_ref: str = ""  # what is shown as its source, and what one correspondent or note is told by
    session: str = ""  # the conversation, calendar or vault that it belongs to; "": the whole source
    rootless: bool = False  # made by a model from texts that nobody can look at any more (rules §1.4)

    def __post_init__(self) -> None:
        """Refuse an item without identity or words, and naive times."""
        if not self.item_id or not any(text.strip() for text in self.texts):
            msg = "an item has an id and words"
            raise ValueError(msg)
        if self.dated_at is not None:
            aware(self.dated_at)

    @property
    def text(self) -> str:
        """All of its words."""
        return "\n\n".join(self.texts)

    @property
    def digest(self) -> str:
        """Hex sha256 of what it says: a program that stamps every export with today's date changes nothing."""
        return sha256_text("\x1f".join(self.texts))


@dataclass(frozen=True, kw_only=True, slots=True)
class BrokenItem:
    """What could not be read, and what to do about it; the rest of the source is read all the same."""

    place: str
    reason: str


Entry = Item | BrokenItem


class Source(Protocol):
    """A file or folder that was recognised. Reading it again begins anew."""

    @property
    def format(self) -> Format:
        """What it is."""

    @property
    def name(self) -> str:
        """What it is called; shown."""

    @property
    def namespace(self) -> str:
        """In what its ids are unique: "" where the format's ids are unique everywhere."""

    def entries(self) -> Iterator[Entry]:
        """Its items one by one, broken ones in their places.

        Raises:
            TooLarge: a limit was passed; what was read before stands.
            BadInput: the file as a whole cannot be read on; the message says what to do.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportLimits:
    """How much of one source is read: an outside file must not fill memory or disk."""

    file_bytes: int = 4_000_000_000  # of one file
    whole_bytes: int = 100_000_000  # of what must be read whole: a JSON object, a calendar
    unpacked_bytes: int = 8_000_000_000  # of an archive, all members together
    ratio: int = 200  # unpacked to packed bytes of one member above 1 MB: more is a bomb
    entry_chars: int = 400_000  # of one item's text; longer ones are broken entries
    entries: int = 200_000  # of one source


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """Days before and after now in which a recurring event is written out."""

    now: datetime
    past_days: float
    future_days: float


class Connectors(Protocol):
    """Opens outside files."""

    @property
    def formats(self) -> tuple[Format, ...]:
        """Everything that can be read."""

    def open(self, path: Path, *, format: str | None, name: str, window: Window) -> Source:  # noqa: A002 - its name
        """Recognise a file or folder and make ready to read it; `format` None: by its name and first bytes.

        Raises:
            BadInput: it is not there, not what its name says, or nothing that is known; says what can be read.
            TooLarge: over the limits.
        """


__all__ = [
    "BrokenItem",
    "Connectors",
    "Entry",
    "Format",
    "ImportLimits",
    "Item",
    "Source",
    "Window",
]
