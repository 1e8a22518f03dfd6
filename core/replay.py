"""What another policy would have ruled on recorded evidence: no model call, nothing written. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.gate import decide
from core.model import HeldItem, SourceKind, Verdict
from core.policy import Policy


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """One item that another policy would rule otherwise."""

    candidate_id: str
    text: str
    owner: str
    source_kind: SourceKind
    at: datetime  # of the recorded ruling
    before: Verdict
    after: Verdict
    reasons_before: tuple[str, ...]
    reasons_after: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """The recorded rulings against those of another policy; groups are what a reviewer decides in one act."""

    total: int
    changed: tuple[Replayed, ...]
    held_before: int
    held_after: int
    admitted_before: int
    admitted_after: int
    groups_before: int
    groups_after: int


def replay(items: Sequence[HeldItem], policy: Policy) -> Replay:
    """Rule on each item's recorded evidence by `policy`, at the time it was ruled on."""
    after = [
        decide(
            one.candidate,
            one.decision.evidence,
            policy,
            at=one.decision.at,
            by=one.decision.by,
            decision_id=one.decision.decision_id,
        )
        for one in items
    ]
    pairs = list(zip(items, after, strict=True))
    return Replay(
        total=len(items),
        changed=tuple(
            Replayed(
                candidate_id=one.candidate.candidate_id,
                text=one.candidate.text,
                owner=one.candidate.scope.owner,
                source_kind=one.candidate.provenance.source_kind,
                at=one.decision.at,
                before=one.decision.verdict,
                after=ruled.verdict,
                reasons_before=one.decision.reasons,
                reasons_after=ruled.reasons,
            )
            for one, ruled in pairs
            if ruled.verdict is not one.decision.verdict
        ),
        held_before=sum(one.decision.verdict is Verdict.HOLD for one in items),
        held_after=sum(ruled.verdict is Verdict.HOLD for ruled in after),
        admitted_before=sum(one.decision.verdict is Verdict.ADMIT for one in items),
        admitted_after=sum(ruled.verdict is Verdict.ADMIT for ruled in after),
        groups_before=len({_group(one) for one in items if one.decision.verdict is Verdict.HOLD}),
        groups_after=len({_group(one) for one, ruled in pairs if ruled.verdict is Verdict.HOLD}),
    )


def _group(item: HeldItem) -> tuple[str, str]:
    origin = item.candidate.provenance
    cluster = item.decision.evidence.cluster or f"{origin.source_kind.value}:{origin.source_ref}"
    return item.candidate.scope.owner, cluster
