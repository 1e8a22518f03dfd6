"""What a person is shown of an import: before it, while it runs, after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core.model import SourceKind
from core.ports import Format, ImportRun, ImportState, Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassCount:
    """Items of one part of a source, and what the policy makes of them."""

    source_kind: SourceKind
    trust: float  # of the channel; what is rootless counts for less still
    held: bool  # whether its facts wait for a person
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemPreview:
    """One item as it would be taken in."""

    place: str
    title: str
    text: str
    dated_at: datetime | None
    author: str  # as the file claims
    source_kind: SourceKind
    trust: float
    state: Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A broken entry: where it stands and what to do."""

    place: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What an import would do. Nothing was written."""

    source: str
    format: Format
    new: int
    changed: int
    unchanged: int
    broken: int
    by_class: Mapping[str, ClassCount]
    sample: Sequence[ItemPreview]
    problems: Sequence[Problem]

    @property
    def total(self) -> int:
        """Every entry, broken ones included."""
        return self.new + self.changed + self.unchanged + self.broken


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far an import is."""

    run_id: str
    state: ImportState
    total: int  # 0: nobody counted
    counts: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""

    @property
    def new(self) -> int:
        """Items taken in for the first time."""
        return self.counts.get(Outcome.NEW, 0)

    @property
    def changed(self) -> int:
        """Items taken in again because they say something else."""
        return self.counts.get(Outcome.CHANGED, 0)

    @property
    def unchanged(self) -> int:
        """Items that say what they said."""
        return self.counts.get(Outcome.UNCHANGED, 0)

    @property
    def broken(self) -> int:
        """Entries that cannot be read."""
        return self.counts.get(Outcome.BROKEN, 0)

    @property
    def refused(self) -> int:
        """Items that the core did not take."""
        return self.counts.get(Outcome.REFUSED, 0)

    @property
    def done(self) -> int:
        """Entries that were seen to."""
        return sum(self.counts.values())

    @property
    def finished(self) -> bool:
        """Whether every entry was seen to."""
        return self.state is ImportState.DONE


Report = Progress


def progress_of(run: ImportRun) -> Progress:
    """A run's progress."""
    return Progress(run_id=run.run_id, state=run.state, total=run.total, counts=run.counts, problem=run.problem)


@dataclass(frozen=True, kw_only=True, slots=True)
class Upload:
    """A file that was handed over and kept, until its import is done or it is discarded."""

    upload_id: str
    filename: str
    size: int  # bytes
