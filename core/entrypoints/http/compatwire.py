"""What the small contract takes and gives out over the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from core.agents import MOST_K, NAME_CHARS, QUESTION_CHARS, REF_CHARS
from core.distil import MAX_CHARS
from core.entrypoints.http.wire import Taken, Unit
from core.model import Hit, MemoryKind, MemoryStatus


class AskedIn(Taken):
    """A question."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARS)]
    k: Annotated[int, Field(ge=1, le=MOST_K)] | None = None


class Record(BaseModel):
    """One trusted memory."""

    id: str
    content: str
    type: MemoryKind
    importance: Unit
    superseded: bool

    @classmethod
    def of(cls, hit: Hit) -> Record:
        """From a hit."""
        one = hit.memory
        gone = one.status is MemoryStatus.SUPERSEDED
        return cls(id=one.memory_id, content=one.text, type=one.kind, importance=one.importance, superseded=gone)


class Records(BaseModel):
    """The best first."""

    records: list[Record]


class Stats(BaseModel):
    """How many memories there are."""

    active: int
    superseded: int


class Health(BaseModel):
    """Whether questions are answered."""

    ok: bool
    store: str
    embedding: str


class RememberIn(Taken):
    """An agent's word. What it counts as is decided by the address."""

    content: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARS)]


class IngestIn(RememberIn):
    """A document's text."""

    source: Annotated[str, StringConstraints(max_length=REF_CHARS)] = ""
    title: Annotated[str, StringConstraints(max_length=NAME_CHARS)] = ""


class StoredOut(BaseModel):
    """It is stored; the worker reads and judges it."""

    id: str
    counts_as: str


class ForgetIn(Taken):
    """What is taken back, and why."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARS)]
    reason: Annotated[str, StringConstraints(min_length=1, max_length=1_000)] = "asked for"


class Done(BaseModel):
    """It is done."""

    ok: bool = True


class Waiting(BaseModel):
    """Texts and effects that the worker has still to deal with, in the whole installation."""

    waiting: int


class Rebuilt(BaseModel):
    """The store was made anew."""

    applied: int


class Verified(BaseModel):
    """Whether the audit chain is whole."""

    ok: bool
    entries: int
    broken_seq: int | None
    problem: str


class Snapshot(BaseModel):
    """The audit's last entry: the digest of all before it."""

    seq: int
    digest: str
