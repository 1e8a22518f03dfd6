"""Rows of memories as the server sent them, read once: a row of the same bytes is the same memory.

A search brings some sixty rows, mostly the ones that the last search brought. Building a memory of a row and checking
its seal costs ten times as much as comparing its bytes with those of last time. Nothing is served from here: a row that
was changed, by whomever, comes with other bytes and is read and checked anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.model import Memory, ScoredMemory
from core.store.database import Raw
from core.store.rows import from_row
from core.store.seal import is_genuine

MOST = 2_048  # rows of one generation; two are kept
LONGEST = 4_096  # bytes of the longest column: longer rows are read each time
SECONDS = 300.0  # of one generation: what was erased leaves the process with a search that comes twice as long after


class KnownRow:
    """A row's memory, with what its seal is checked by; the check is made when it is first asked for."""

    __slots__ = ("_genuine", "_key", "ledger_seq", "memory", "row_mac")

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read a row.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: no effect wrote it.
        """
        self.memory: Memory = from_row(row)
        self.ledger_seq: int = row["ledger_seq"]
        self.row_mac: str = row["row_mac"]
        self._key: bytes | None = None  # that the verdict was given with
        self._genuine = False

    def genuine(self, key: bytes) -> bool:
        """Whether the row carries the seal that `key` gives it (rules §8.1)."""
        if self._key != key:
            self._genuine = is_genuine(self.memory, ledger_seq=self.ledger_seq, row_mac=self.row_mac, key=key)
            self._key = key
        return self._genuine


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedMemory(ScoredMemory):
    """A search's row with what its seal is checked by, so that only the rows that are used cost a check."""

    row: KnownRow = field(repr=False)


class KnownRows:
    """The rows that were read lately, by their bytes. Safe from any thread."""

    def __init__(
        self, *, most: int = MOST, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Know none.

        Args:
            most: rows of one generation.
            seconds: its length.
            clock: monotonic seconds.
        """
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._young: dict[bytes | None, tuple[Raw, KnownRow]] = {}
        self._old: dict[bytes | None, tuple[Raw, KnownRow]] = {}
        self._began = clock()

    def of(self, raw: Raw, read: Callable[[Raw], Mapping[str, Any]]) -> KnownRow:
        """The row of these bytes: the one that was read before, or what `read` makes of it.

        Args:
            raw: a memory's columns, its id first.
            read: bytes to values by column.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: as `KnownRow`; nothing is remembered then.
        """
        name = raw[0]
        known = self._young.get(name)
        if known is not None and known[0] == raw:
            return known[1]
        known = self._old.get(name)
        row = known[1] if known is not None and known[0] == raw else KnownRow(read(raw))
        if max(map(_length, raw)) <= LONGEST:
            with self._lock:
                if len(self._young) >= self._most:
                    self._turn()
                self._young[name] = (raw, row)
        return row

    def age(self) -> None:
        """Let go of what nobody asked for in the last two generations; called once a search."""
        if self._clock() - self._began >= self._seconds:
            with self._lock:
                if self._clock() - self._began >= self._seconds:
                    self._turn()

    def _turn(self) -> None:
        self._young, self._old, self._began = {}, self._young, self._clock()


def _length(column: Sequence[int] | None) -> int:
    return 0 if column is None else len(column)
