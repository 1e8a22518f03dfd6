"""What operators send and get over the wire about held items and about their own memories."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from core.entrypoints.http.operatorwire import EntryOut
from core.entrypoints.http.wire import ConfidenceOut, MemoryOut, RootOut, Taken, Unit
from core.lifecycle import Why
from core.model import Advice, CandidateState, Decision, HeldItem, MemoryKind, Ruling, RulingKind, SourceKind, Verdict
from core.review.rewording import LONGEST
from core.review.values import NOTE, Outcome, QueueSummary

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Note = Annotated[str, StringConstraints(max_length=NOTE)]


class SummaryOut(BaseModel):
    """The review queue in numbers."""

    held: int
    oldest: datetime | None
    snoozed: int
    held_today: int
    decided_today: int
    promoted_7d: int
    rejected_7d: int

    @classmethod
    def of(cls, found: QueueSummary) -> SummaryOut:
        """From a summary."""
        return cls(
            held=found.held,
            oldest=found.oldest,
            snoozed=found.snoozed,
            held_today=found.held_today,
            decided_today=found.decided_today,
            promoted_7d=found.promoted_7d,
            rejected_7d=found.rejected_7d,
        )


class FindingOut(BaseModel):
    """What a detector saw."""

    detector: str
    severity: float
    note: str


class StepOut(BaseModel):
    """One check of the gate with its value and limit."""

    name: str
    passed: bool
    value: str
    limit: str
    reason: str


class RulingOut(BaseModel):
    """A decision on an item."""

    by: str = Field(description="policy, or the person's id.")
    at: datetime
    verdict: Verdict
    reasons: list[str]
    note: str
    policy: str = Field(description="Digest of the policy it was made by.")
    steps: list[StepOut]
    effective_trust: Unit
    impact: list[str]
    findings: list[FindingOut]
    roots: list[RootOut]

    @classmethod
    def of(cls, decision: Decision) -> RulingOut:
        """From a decision."""
        evidence = decision.evidence
        return cls(
            by=decision.by,
            at=decision.at,
            verdict=decision.verdict,
            reasons=list(decision.reasons),
            note=decision.note,
            policy=decision.policy_digest,
            steps=[
                StepOut(name=one.name, passed=one.passed, value=one.value, limit=one.limit, reason=one.reason)
                for one in decision.steps
            ],
            effective_trust=evidence.effective_trust,
            impact=list(evidence.impact),
            findings=[
                FindingOut(detector=one.detector, severity=one.severity, note=one.note) for one in evidence.findings
            ],
            roots=[RootOut.of(one) for one in evidence.roots],
        )


class ItemOut(BaseModel):
    """A candidate. A ruling names its `version` and `digest` as they are here: what is promoted is these very words."""

    id: str
    version: int
    digest: str
    state: CandidateState
    text: str
    subject: str
    attribute: str
    value: str
    kind: MemoryKind
    importance: Unit
    owner: str
    source_kind: SourceKind
    source_ref: str
    title: str
    observed_at: datetime
    updated_at: datetime
    excerpt: str = Field(description="The source's words around the statement.")
    decision: RulingOut

    @classmethod
    def of(cls, item: HeldItem) -> ItemOut:
        """From an item."""
        candidate, origin = item.candidate, item.candidate.provenance
        return cls(
            id=candidate.candidate_id,
            version=candidate.version,
            digest=candidate.digest,
            state=item.state,
            text=candidate.text,
            subject=candidate.proposal.subject,
            attribute=candidate.proposal.attribute,
            value=candidate.proposal.value,
            kind=candidate.proposal.kind,
            importance=candidate.proposal.importance,
            owner=candidate.scope.owner,
            source_kind=origin.source_kind,
            source_ref=origin.source_ref,
            title=origin.title,
            observed_at=origin.observed_at,
            updated_at=item.updated_at,
            excerpt=item.excerpt,
            decision=RulingOut.of(item.decision),
        )


class ItemsOut(BaseModel):
    """One page of held items."""

    items: list[ItemOut]
    total: int


class SeenIn(Taken):
    """A ruling on an item as it was shown: if it changed since, nothing is written (409)."""

    seen_version: Annotated[int, Field(ge=0, le=2**31)]
    digest: Digest = Field(description="sha256 of the words that were shown.")
    note: Note = ""
    override: bool = Field(default=False, description="A flagged item is taken in all the same; needs a note.")

    def ruling(self, candidate_id: str, kind: RulingKind) -> Ruling:
        """As the desk takes it."""
        return Ruling(
            candidate_id=candidate_id,
            kind=kind,
            seen_version=self.seen_version,
            digest=self.digest,
            note=self.note,
            override=self.override,
        )


class EditIn(SeenIn):
    """The same with other words."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]


class SettleIn(SeenIn):
    """The answer to a conflict."""

    answer: Literal["keep_old", "take_new", "both", "neither"]


class OutcomeOut(BaseModel):
    """What became of a ruling."""

    id: str
    ok: bool
    message: str
    state: CandidateState | None
    other: str = Field(description="Id of the new item that an edit made.")

    @classmethod
    def of(cls, outcome: Outcome) -> OutcomeOut:
        """From an outcome."""
        return cls(
            id=outcome.candidate_id,
            ok=outcome.ok,
            message=outcome.message,
            state=outcome.state,
            other=outcome.other,
        )


# --- the caller's own memories ----------------------------------------------------------------------------------


class OwnWhyOut(BaseModel):
    """Everything behind one of the caller's own memories."""

    memory: MemoryOut
    freshness: Unit
    composite_trust: Unit
    strength: float
    confidence: ConfidenceOut | None
    advice: Advice
    source_excerpt: str
    decisions: list[RulingOut]
    audit: list[EntryOut]

    @classmethod
    def of(cls, found: Why) -> OwnWhyOut:
        """From the desk's answer."""
        sure = found.counsel.confidence
        return cls(
            memory=MemoryOut.of(found.memory),
            freshness=found.freshness,
            composite_trust=found.composite_trust,
            strength=found.strength,
            confidence=ConfidenceOut.of(sure) if sure else None,
            advice=found.counsel.advice,
            source_excerpt=found.excerpt,
            decisions=[RulingOut.of(one) for one in found.decisions],
            audit=[EntryOut.of(one) for one in found.audit],
        )


class CorrectIn(Taken):
    """What is true instead, in the caller's own words."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class CorrectedOut(BaseModel):
    """The new statement; it goes through the whole gate."""

    episode_id: str
    received_at: datetime
