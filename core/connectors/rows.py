"""CSV and JSON Lines: a row is an item; `text` is needed, `date`, `title`, `author` and `id` are taken if given."""

from __future__ import annotations

import csv
import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from core.connectors.dating import dated
from core.connectors.decoding import lines_of
from core.errors import BadInput
from core.model import sha256_text
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item

CSV_FORMAT = Format(
    key="csv",
    name="CSV table",
    takes="a table with a column named text; date, title, author and id if there are any",
    suffixes=(".csv", ".tsv"),
    classes=("rows",),
)
JSONL_FORMAT = Format(
    key="jsonl",
    name="JSON Lines",
    takes="one JSON object a line with text; date, title, author and id if there are any",
    suffixes=(".jsonl", ".ndjson"),
    classes=("rows",),
)
_TEXT = ("text", "content", "memory", "body", "note")
_DATE = ("date", "created_at", "timestamp", "time", "dated_at")
_NAMES = {"title": ("title", "subject", "name"), "author": ("author", "from", "user"), "id": ("id", "uuid", "key")}
_SAMPLE_CHARS = 8_192
_MANY_COLUMNS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """Implements `core.ports.Source` on a table of lines. A row without an id is told by what it says."""

    path: Path
    name: str
    limits: ImportLimits
    format: Format
    _seen: Counter[str] = field(default_factory=Counter)

    @property
    def namespace(self) -> str:
        """Ids of rows are the table's own."""
        return self.name

    def entries(self) -> Iterator[Entry]:
        """Every row, by its line in the file."""
        self._seen.clear()
        with self.path.open("rb") as raw:
            lines = lines_of(cast("BinaryIO", raw))
            yield from self._table(lines) if self.format is CSV_FORMAT else self._objects(lines)

    def _table(self, lines: Iterator[str]) -> Iterator[Entry]:
        first = next(lines, "")
        if not first.strip():
            msg = "the table is empty: its first line must name the columns, one of them “text”"
            raise BadInput(msg)
        dialect = _dialect(first, self.path)
        names = [one.strip().lower() for one in next(csv.reader([first], dialect=dialect))]
        text_at = _column(names, _TEXT)
        if text_at is None or len(names) > _MANY_COLUMNS:
            msg = f"the table has no column named text: its first line names {', '.join(names[:12]) or 'none'}"
            raise BadInput(msg)
        fed = _Fed(lines)
        reader = csv.reader(fed, dialect=dialect, strict=True)
        while True:
            line = fed.begin()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as problem:
                reason = f"the row cannot be read ({problem}): check its quotes"
                fed.again()  # an open quote swallows what follows: only the line that it stands in is broken
                reader = csv.reader(fed, dialect=dialect, strict=True)
                yield BrokenItem(place=f"line {line}", reason=reason)
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(names):
                reason = f"it has {len(cells)} cells, but there are {len(names)} columns: put quotes around commas"
                yield BrokenItem(place=f"line {line}", reason=reason)
                continue
            yield self._item(dict(zip(names, cells, strict=False)), f"line {line}")

    def _objects(self, lines: Iterator[str]) -> Iterator[Entry]:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            place = f"line {number}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as problem:
                where = f" at column {problem.colno}" if isinstance(problem, json.JSONDecodeError) else ""
                yield BrokenItem(place=place, reason=f"the line is no JSON{where}: write one object a line")
                continue
            if not isinstance(row, dict):
                yield BrokenItem(place=place, reason="the line holds no object: write {“text”: …}")
                continue
            yield self._item({str(key).lower(): value for key, value in row.items()}, place)

    def _item(self, row: Mapping[str, Any], place: str) -> Entry:
        text = _value(row, _TEXT)
        if not isinstance(text, str) or not text.strip():
            return BrokenItem(place=place, reason="the column text is empty: every row needs words")
        if len(text) > self.limits.entry_chars:
            reason = (
                f"the column text has {len(text):,} characters; the limit is {self.limits.entry_chars:,}. Split it."
            )
            return BrokenItem(place=place, reason=reason)
        column = next((one for one in _DATE if row.get(one) not in (None, "")), "date")
        try:
            at = dated(row.get(column))
        except ValueError as problem:
            return BrokenItem(place=place, reason=f"the column {column}: {problem}")
        named = {name: str(_value(row, columns) or "").strip() for name, columns in _NAMES.items()}
        return Item(
            item_id=f"id {named['id']}" if named["id"] else self._by_words(text, at.isoformat() if at else ""),
            part_class="rows",
            texts=(text,),
            place=place,
            title=named["title"],
            dated_at=at,
            actor=named["author"],
            source_ref=self.name,
        )

    def _by_words(self, text: str, at: str) -> str:
        """What a row without an id is known by: its words, and which of several equal rows it is."""
        digest = sha256_text(f"{at}\x1f{text}")
        self._seen[digest] += 1
        return f"words {digest[:32]} {self._seen[digest]}"


class _Fed:
    """Lines as a reader takes them, several for a quoted cell; those of a broken row but its first can be fed again."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._number = lines, 1
        self._taken: list[str] = []
        self._back: deque[str] = deque()

    def __iter__(self) -> _Fed:
        return self

    def __next__(self) -> str:
        line = self._back.popleft() if self._back else next(self._lines).replace("\x00", "\ufffd")
        self._taken.append(line)
        self._number += 1
        return line

    def begin(self) -> int:
        """A new row begins: its line."""
        self._taken.clear()
        return self._number + 1

    def again(self) -> None:
        """Give back every line of the row but the first."""
        self._back.extendleft(reversed(self._taken[1:]))
        self._number -= len(self._taken) - 1


def _dialect(first: str, path: Path) -> type[csv.Dialect]:
    mark = "\t" if path.suffix.lower() == ".tsv" else max(",;\t|", key=first.count)

    class Found(csv.excel):
        delimiter = mark if mark in first else ","

    return Found


def _column(names: list[str], wanted: tuple[str, ...]) -> int | None:
    return next((names.index(one) for one in wanted if one in names), None)


def _value(row: Mapping[str, Any], wanted: tuple[str, ...]) -> Any:
    return next((row[one] for one in wanted if row.get(one) not in (None, "")), None)
