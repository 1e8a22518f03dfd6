"""What the sandbox is given and what it gives back: hops, trials, proofs. Frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.model import Candidate, Decision, Episode, Memory, SourceKind
from core.ports import Rights, Trace
from core.recall import Recall


@dataclass(frozen=True, kw_only=True, slots=True)
class Hop:
    """One text on its way: through which channel, in which conversation, made from which earlier hops."""

    channel: SourceKind
    text: str
    source_ref: str = ""
    title: str = ""
    tool: str = ""
    conversation: int = 0
    inputs: tuple[int, ...] = ()  # positions of earlier hops that a model was given to write it


class Sort(StrEnum):
    """What a preset is there to show."""

    ATTACK = "attack"
    CONTROL = "control"


class Outcome(StrEnum):
    """How the gate fared with a preset; `core.sandbox.presets.outcome_of` says by what rule."""

    CAUGHT = "caught"
    MISSED = "missed"
    RIGHT = "right"
    FALSE_ALARM = "false alarm"


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """A story with a question to ask afterwards, and what must become of it.

    `poison` marks what an attack wants remembered; `keeps` and `waits` mark what a control must see admitted, or at
    worst held. Marks are compared case-folded with the words and values of the claims.
    """

    name: str
    sort: Sort
    title: str
    about: str  # one sentence: what it is
    hops: tuple[Hop, ...]
    question: str
    poison: tuple[str, ...] = ()
    hostile: int = 0  # position of the first hop that the attacker wrote
    keeps: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruled:
    """One claim: as it was read, as it would stand, and the gate's ruling on it."""

    read: Candidate
    candidate: Candidate
    decision: Decision


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """One hop as it was received, and every claim that was read out of it."""

    hop: Hop
    episode: Episode
    ruled: tuple[Ruled, ...]
    extractor: str
    gaps: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """What lay in both stores before and after: nothing was written if it is the same."""

    started: datetime
    ended: datetime
    rights: tuple[Rights, ...]
    before: tuple[Trace, ...]
    after: tuple[Trace, ...]

    @property
    def equal(self) -> bool:
        """Whether both stores are as they were."""
        return self.before == self.after

    def as_dict(self) -> dict[str, Any]:
        """The proof as plain JSON data; holds counts and digests, no words."""
        return {
            "equal": self.equal,
            "started": self.started.isoformat(),
            "ended": self.ended.isoformat(),
            "handles": [asdict(one) for one in self.rights],
            "before": [_plain(one) for one in self.before],
            "after": [_plain(one) for one in self.after],
        }


def _plain(trace: Trace) -> Mapping[str, Any]:
    return {"store": trace.store, "rows": dict(trace.rows), "digest": trace.digest, "digest_covers": trace.covers}


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """What would have become of a story, and that nothing did."""

    passages: tuple[Passage, ...]
    question: str
    governed: Recall  # what the question would find with the gate
    ungated: Recall  # what it would find if everything that was read had been stored, the last value winning
    made: tuple[Memory, ...]  # memories that there would be more
    behind: int  # effects of the person's that the store had not been given yet when it was read
    proof: Proof

    @property
    def ruled(self) -> tuple[Ruled, ...]:
        """Every claim of the story, in order."""
        return tuple(one for passage in self.passages for one in passage.ruled)
