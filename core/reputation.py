"""How often what a source said held up: a Beta reputation (Jøsang and Ismail 2002), capped by its class. Pure.

A statement held up if another independent origin or a person confirmed it. It failed if a person rejected it, put
another in its place, or it was taken back. What nobody looked at says nothing. A reputation only ever lowers what a
source counts for: it is capped by the base trust of its class (rules §1.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.model import CandidateState, EffectKind, SourceKind
from core.ports import Happened, Stated

CLASSES = {  # by the sort of an origin's key: who passed a site's words on does not lend them its own class
    "site": SourceKind.WEB_CONTENT,
    "doc": SourceKind.EXTERNAL_DOC,
    "tool": SourceKind.TOOL_OUTPUT,
}
_WRONG = frozenset({EffectKind.SUPERSEDE})
_BACK = frozenset({EffectKind.RESTORE, EffectKind.REMOVE})


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What was observed of one origin."""

    origin: str
    source_kind: SourceKind
    tool: str
    said: int
    held_up: int
    failed: int

    @property
    def observed(self) -> int:
        """Statements that something is known about."""
        return self.held_up + self.failed

    def mean(self, prior: float) -> float:
        """Expected share of its statements that hold up, before any cap; `prior` of each kind was seen before."""
        return (self.held_up + prior) / (self.observed + 2 * prior)

    def reputation(self, *, prior: float, base: float) -> float:
        """The same, never above what its class is trusted."""
        return min(base, self.mean(prior))


def said_again(happened: Sequence[Happened]) -> frozenset[str]:
    """The memories that were replaced by a better founded statement of the same value: it took over their support."""
    support = {one.memory_id: frozenset(one.support) for one in happened if one.kind is EffectKind.ACTIVATE}
    nobody: frozenset[str] = frozenset()
    return frozenset(
        one.memory_id
        for one in happened
        if one.kind is EffectKind.SUPERSEDE
        and nobody < support.get(one.memory_id, nobody) < support.get(one.by_memory_id, nobody)
    )


def outcomes(happened: Sequence[Happened]) -> Mapping[str, bool]:
    """By memory whether it held up (True) or failed (False); the last word counts, the undone does not."""
    found: dict[str, bool] = {}
    agreed = said_again(happened)
    for one in happened:
        confirmed = one.kind is EffectKind.CONFIRM and bool(one.origin)
        if confirmed or one.kind is EffectKind.ATTEST or (one.kind in _WRONG and one.memory_id in agreed):
            found[one.memory_id] = True
        elif one.kind is EffectKind.RETRACT or (one.kind in _WRONG and one.by_person):
            found[one.memory_id] = False
        elif one.kind in _BACK:
            found.pop(one.memory_id, None)
    return found


def records(stated: Sequence[Stated], happened: Sequence[Happened]) -> list[Record]:
    """One record an origin, the most observed first."""
    known = outcomes(happened)
    groups: dict[str, list[Stated]] = {}
    for one in stated:
        groups.setdefault(one.origin, []).append(one)
    found = []
    for origin, said in groups.items():
        rejected = [one for one in said if one.state is CandidateState.REJECTED and one.by_person]
        results = [known[one.candidate_id] for one in said if one not in rejected and one.candidate_id in known]
        found.append(
            Record(
                origin=origin,
                source_kind=CLASSES.get(origin.partition(":")[0], said[0].source_kind),
                tool=said[0].tool,
                said=len(said),
                held_up=sum(results),
                failed=len(rejected) + len(results) - sum(results),
            )
        )
    return sorted(found, key=lambda one: (-one.observed, -one.said, one.origin))


__all__ = ["Record", "outcomes", "records", "said_again"]
