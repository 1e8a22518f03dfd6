"""What the ledger keeps of imports: runs, what became of each entry, and which version of an item it knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from core.model import Episode, HeldItem, Scope
from core.ports.ledger import LedgerTx


class ImportState(StrEnum):
    """Where an import stands. What is `waiting` or `running` goes on after a restart."""

    WAITING = "waiting"  # handed to the worker
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by its owner
    FAILED = "failed"


class Outcome(StrEnum):
    """What an import made of one entry."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    BROKEN = "broken"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportRun:
    """One import of one source by its owner."""

    run_id: str
    scope: Scope
    format: str
    name: str
    state: ImportState
    started_at: datetime
    updated_at: datetime
    counts: Mapping[str, int] = field(default_factory=dict)  # by Outcome
    total: int = 0  # entries, if a preview counted them
    upload: str = ""  # name of the kept file that the worker reads; "" where the caller reads
    problem: str = ""

    @property
    def done(self) -> int:
        """Entries that were seen to."""
        return sum(self.counts.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportResult:
    """What became of one entry of a run."""

    number: int  # 1, 2, 3 … in the order of the source
    outcome: Outcome
    place: str
    title: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownItem:
    """The version of an item that was imported last."""

    scope: Scope
    connector: str
    namespace: str
    item_id: str
    version: int
    digest: str
    parts: Mapping[str, str]  # sha256 of each section → id of the episode that says it
    outgoing: tuple[str, ...] = ()  # episodes of earlier versions whose facts are still to be looked at
    at: datetime


class ImportReader(Protocol):
    """What the desk reads."""

    def known_items(
        self, scope: Scope, *, connector: str, namespace: str, item_ids: Sequence[str]
    ) -> dict[str, KnownItem]:
        """The last version of each item that was imported before, by id."""

    def outgoing_items(self, *, limit: int) -> list[KnownItem]:
        """Items of any owner with an earlier version to be seen to, all sections of the new one read."""

    def import_run(self, scope: Scope, run_id: str) -> ImportRun | None:
        """One import of this scope."""

    def import_runs(self, scope: Scope, *, limit: int) -> list[ImportRun]:
        """The scope's imports, newest first."""

    def open_imports(self, *, limit: int) -> list[ImportRun]:
        """Imports of every owner that the worker has to go on with, oldest first."""

    def kept_uploads(self) -> set[str]:
        """Names of the files that unfinished imports still need."""

    def import_results(
        self, scope: Scope, run_id: str, *, only: Outcome | None, limit: int, offset: int
    ) -> tuple[list[ImportResult], int]:
        """One page of what became of entries, in their order, and the true total."""

    def episode(self, episode_id: str) -> Episode | None:
        """As `LedgerReader.episode`."""

    def candidates_of(self, episode_id: str) -> list[HeldItem]:
        """As `LedgerReader.candidates_of`."""

    def waiting(self, scope: Scope) -> int:
        """As `LedgerReader.waiting`."""


class ImportTx(LedgerTx, Protocol):
    """A ledger transaction that keeps what imports need."""

    def put_import(self, run: ImportRun) -> None:
        """Insert or update a run."""

    def put_known_item(self, item: KnownItem) -> None:
        """Keep the newest version of an item."""

    def add_import_results(self, run_id: str, results: Sequence[ImportResult]) -> None:
        """Keep results; the same number again is written over."""


class ImportLedger(ImportReader, Protocol):
    """The ledger as the import desk sees it."""

    def transaction(self) -> AbstractContextManager[ImportTx]:
        """Open a write transaction."""


__all__ = [
    "ImportLedger",
    "ImportReader",
    "ImportResult",
    "ImportRun",
    "ImportState",
    "ImportTx",
    "KnownItem",
    "Outcome",
]
