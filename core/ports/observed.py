"""What was observed of sources, and of how long statements stay true: counts, ids and times, never words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model import CandidateState, EffectKind, MemoryKind, SourceKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Stated:
    """One statement and where it stands."""

    candidate_id: str
    origin: str  # key of its independent origin (core.corroboration)
    source_kind: SourceKind
    tool: str
    state: CandidateState
    by_person: bool  # its latest decision is a person's


@dataclass(frozen=True, kw_only=True, slots=True)
class Happened:
    """One change of a memory."""

    memory_id: str
    kind: EffectKind
    at: datetime
    origin: str = ""  # CONFIRM: whose word it was
    by_person: bool = False  # it follows from a person's ruling or answer
    memory_kind: MemoryKind | None = None  # ACTIVATE only, like the next
    stated_at: datetime | None = None
    support: tuple[str, ...] = ()  # keys of its independent origins
    by_memory_id: str = ""  # SUPERSEDE: what replaced it


class ObservedReader(Protocol):
    """The part of the ledger that tells what became of statements."""

    def stated(self, tenant: str, owner: str, *, origin: str | None = None, limit: int = 5000) -> Sequence[Stated]:
        """An owner's statements with a known origin, the last received first; events are left out."""

    def happened(self, tenant: str, owner: str | None, *, limit: int = 20_000) -> Sequence[Happened]:
        """What happened to memories, in order: the last `limit` changes of the owner, or of everybody."""


__all__ = ["Happened", "ObservedReader", "Stated"]
