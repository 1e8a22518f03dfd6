"""An export of mem0: a list of memories, by itself or under "results"."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.connectors.chatexports import text_stream
from core.connectors.dating import dated
from core.connectors.decoding import text_of
from core.connectors.jsonstream import BrokenJson, elements
from core.errors import BadInput, TooLarge
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item

FORMAT = Format(
    key="mem0",
    name="mem0 export",
    takes="a JSON list of {id, memory, user_id, created_at, updated_at, metadata}, or {“results”: [...]}",
    suffixes=(".json",),
    classes=("mem0",),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Memories:
    """Implements `core.ports.Source` on another store's memories: each is what that store says, no more."""

    path: Path
    name: str
    limits: ImportLimits
    format: Format = FORMAT
    namespace: str = ""

    def entries(self) -> Iterator[Entry]:
        """Every memory. A list is streamed; an object must be read whole.

        Raises:
            TooLarge: an object is over the limit for that.
            BadInput: it is neither.
        """
        number = 0
        try:
            for number, (line, row) in enumerate(self._rows(), start=1):
                yield self._item(row, f"memory {number}" + (f" (line {line})" if line else ""))
        except BrokenJson as problem:
            yield BrokenItem(
                place=f"line {problem.line}",
                reason=f"{problem.why}; the {number:,} memories before it are read, the rest is not",
            )

    def _rows(self) -> Iterator[tuple[int, Any]]:
        with text_stream(self.path, self.limits) as stream:
            if _first(stream.read(4096)) == "[":
                stream.seek(0)
                yield from elements(stream, most=self.limits.entry_chars * 4)
                return
        if self.path.stat().st_size > self.limits.whole_bytes:
            most = self.limits.whole_bytes / 1e6
            msg = f"the file is read whole and has over {most:,.0f} MB: export a plain list, which is read bit by bit"
            raise TooLarge(msg)
        try:
            whole = json.loads(text_of(self.path.read_bytes()))
        except (ValueError, RecursionError) as problem:
            msg = f"the file is no JSON ({problem}): export it again"
            raise BadInput(msg) from problem
        rows = whole.get("results", whole.get("memories")) if isinstance(whole, Mapping) else None
        if not isinstance(rows, list):
            msg = "the file holds no list of memories under “results”"
            raise BadInput(msg)
        yield from ((0, row) for row in rows)

    def _item(self, row: Any, place: str) -> Entry:
        if not isinstance(row, Mapping):
            return BrokenItem(place=place, reason="it is no memory: an object was expected")
        words = row.get("memory", row.get("text"))
        if not isinstance(words, str) or not words.strip():
            return BrokenItem(place=place, reason="the field memory is empty: every memory needs words")
        if len(words) > self.limits.entry_chars:
            reason = f"the field memory has {len(words):,} characters; the limit is {self.limits.entry_chars:,}"
            return BrokenItem(place=place, reason=reason)
        if not row.get("id"):
            return BrokenItem(place=place, reason="the field id is missing: without it nothing is known again")
        try:
            at = dated(row.get("updated_at") or row.get("created_at"))
        except ValueError as problem:
            return BrokenItem(place=place, reason=f"its date: {problem}")
        whose = str(row.get("user_id") or row.get("agent_id") or "")
        return Item(
            item_id=str(row["id"]),
            part_class="mem0",
            texts=(words,),
            place=place,
            title=f"mem0 memory of {whose}" if whose else "mem0 memory",
            dated_at=at,
            actor=whose,
            source_ref=f"mem0: {self.name}",
        )


def _first(text: str) -> str:
    return text.lstrip("\ufeff \t\r\n")[:1]
