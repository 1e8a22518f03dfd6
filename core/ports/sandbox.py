"""What the sandbox asks of its read-only handles beside reading: what they may do, and a digest of what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from core.model import Memory, Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """What one store holds of an owner at one moment: rows by table, what was digested, and the digest."""

    store: str  # "store" or "ledger"
    rows: Mapping[str, int]
    covers: str  # in a sentence: exactly what the digest is made of
    digest: str  # hex sha256


@dataclass(frozen=True, kw_only=True, slots=True)
class Rights:
    """What a handle is, and what it may do, as the database itself answers."""

    store: str
    handle: str  # the database role, or how the file was opened
    may: tuple[str, ...]  # privileges that it has on any table
    read_only: bool  # whether its transactions refuse every write


class Traced(Protocol):
    """A handle that can tell what it is and what lies behind it."""

    def trace(self, scope: Scope) -> Trace:
        """The owner's rows of every table, counted and digested in the database.

        Raises:
            StoreUnavailable, LedgerUnavailable: it cannot be read right now.
        """

    def rights(self) -> Rights:
        """What this handle may do, asked of the database.

        Raises:
            StoreUnavailable, LedgerUnavailable: it cannot be read right now.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Matched:
    """How well words fit a memory, as a search would return it."""

    rank: float = 0.0  # >= 0
    held: tuple[bool, ...] = ()  # which of the query's content words it holds
    length: int = 0  # its different words

    @property
    def coverage(self) -> float:
        """Share of the query's content words that it holds, in [0, 1]."""
        return sum(self.held) / len(self.held) if self.held else 0.0


class Lexicon(Protocol):
    """How well words fit a memory, measured exactly as the store's search does."""

    def match(self, query: str, memory: Memory) -> Matched:
        """The lexical rank and the words held, as a search would return them."""
