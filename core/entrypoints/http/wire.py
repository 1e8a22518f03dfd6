"""What goes over the wire: the bodies that are taken and the values that are given out, agents' and operators' alike.

A body with a field that is not listed is refused: nobody believes that a `trust` or `channel` they sent had an effect.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from core.agents import DEFAULT_CONVERSATION, MOST_K, MOST_REFS, NAME_CHARS, QUESTION_CHARS, REF_CHARS, Told
from core.distil import MAX_CHARS
from core.model import Advice, Confidence, Decision, Hit, Memory, MemoryKind, MemoryStatus, Root, SourceKind

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARS)]
Unit = Annotated[float, Field(ge=0.0, le=1.0)]


class Taken(BaseModel):
    """A body: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


# --- taken ------------------------------------------------------------------------------------------------------


class EpisodeIn(Taken):
    """One text. What it counts as is decided by the key and the address it is sent to."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARS)]
    conversation: Name = DEFAULT_CONVERSATION
    source_ref: Annotated[str, StringConstraints(max_length=REF_CHARS)] = Field(
        default="", description="Address, file name or message id; shown to people, never followed."
    )
    title: Annotated[str, StringConstraints(max_length=NAME_CHARS)] = ""
    tool: Annotated[str, StringConstraints(max_length=NAME_CHARS)] = Field(
        default="", description="Which tool returned it. It is on record and raises no trust: a tool's own key does."
    )
    derived_from: Annotated[list[Name], Field(max_length=MOST_REFS)] = Field(
        default_factory=list,
        description="Inputs of the model call that made it: episode ids, and memory:<id>. They only lower trust.",
    )
    expires_at: AwareDatetime | None = Field(default=None, description="Deadline of everything learned from it.")


class RecallIn(Taken):
    """A question."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARS)]
    k: Annotated[int, Field(ge=1, le=MOST_K)] | None = Field(default=None, description="None: the policy's top_k.")
    conversation: Name = DEFAULT_CONVERSATION
    as_of: AwareDatetime | None = Field(default=None, description="What was current then, instead of now.")
    include_archived: bool = False


class AskIn(Taken):
    """A question that something is to be done about."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARS)]
    k: Annotated[int, Field(ge=1, le=MOST_K)] | None = None
    conversation: Name = DEFAULT_CONVERSATION


class ContextIn(Taken):
    """What the person said last, and the agent's own standing instructions."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARS)]
    system: Annotated[str, StringConstraints(max_length=QUESTION_CHARS)] = ""
    k: Annotated[int, Field(ge=1, le=MOST_K)] | None = None
    budget_tokens: Annotated[int, Field(ge=256, le=200_000)] | None = Field(
        default=None, description="Of all messages together; never above the installation's own."
    )
    conversation: Name = DEFAULT_CONVERSATION


class AncestryIn(Taken):
    """What an action rests on."""

    refs: Annotated[list[Name], Field(min_length=1, max_length=MOST_REFS)] = Field(
        description="Ids of memories and episodes, as recall and episodes gave them."
    )


class ForgetIn(Taken):
    """Why a statement is taken back."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]


# --- given out --------------------------------------------------------------------------------------------------


class RootOut(BaseModel):
    """One hop of an origin. `source_ref` is empty where it is not trusted."""

    episode_id: str
    source_kind: SourceKind
    source_ref: str
    trust: Unit

    @classmethod
    def of(cls, root: Root) -> RootOut:
        """From a root."""
        return cls(
            episode_id=root.episode_id, source_kind=root.source_kind, source_ref=root.source_ref, trust=root.trust
        )


class TermOut(BaseModel):
    """One product of a confidence."""

    name: str
    weight: float
    value: float


class ConfidenceOut(BaseModel):
    """How sure a memory is: the sum of its terms' products."""

    value: Unit
    terms: list[TermOut]

    @classmethod
    def of(cls, found: Confidence) -> ConfidenceOut:
        """From a confidence."""
        terms = [TermOut(name=one.name, weight=one.weight, value=one.value) for one in found.terms]
        return cls(value=found.value, terms=terms)


class MemoryOut(BaseModel):
    """One trusted memory."""

    id: str
    text: str
    subject: str
    attribute: str
    value: str
    kind: MemoryKind
    status: MemoryStatus
    importance: Unit
    effective_trust: Unit
    source_kind: SourceKind
    source_ref: str
    episode_id: str
    roots: list[RootOut] = Field(description="The chain that it came by, its own text first.")
    origins: int = Field(description="Independent voices that say so.")
    vouched: bool = Field(description="A person promoted these exact words.")
    confirmed: bool = Field(description="A person confirmed it in answer to a question.")
    pinned: bool
    impact: list[str] = Field(description="What could be harmed if it were false.")
    stated_at: datetime
    created_at: datetime
    valid_at: datetime | None
    invalid_at: datetime | None
    expires_at: datetime | None

    @classmethod
    def of(cls, memory: Memory) -> MemoryOut:
        """From a memory."""
        return cls(
            id=memory.memory_id,
            text=memory.text,
            subject=memory.subject,
            attribute=memory.attribute,
            value=memory.value,
            kind=memory.kind,
            status=memory.status,
            importance=memory.importance,
            effective_trust=memory.effective_trust,
            source_kind=memory.source_kind,
            source_ref=memory.source_ref,
            episode_id=memory.episode_id,
            roots=[RootOut.of(one) for one in memory.roots],
            origins=memory.origins,
            vouched=memory.vouched_by is not None,
            confirmed=memory.confirmed_by is not None,
            pinned=memory.pinned,
            impact=list(memory.impact),
            stated_at=memory.stated_at,
            created_at=memory.created_at,
            valid_at=memory.valid_at,
            invalid_at=memory.invalid_at,
            expires_at=memory.expires_at,
        )


class HitOut(BaseModel):
    """A recalled memory with every factor of its score."""

    memory: MemoryOut
    score: float
    relevance: float
    freshness: float
    cosine: float
    lexical: float
    coverage: float
    age_days: float
    composite_trust: Unit
    needs_confirmation: bool
    linked_from: str = Field(description="Id of the memory whose link lifted this one, if one did.")
    confidence: ConfidenceOut | None

    @classmethod
    def of(cls, hit: Hit) -> HitOut:
        """From a hit."""
        return cls(
            memory=MemoryOut.of(hit.memory),
            score=hit.score,
            relevance=hit.relevance,
            freshness=hit.freshness,
            cosine=hit.cosine,
            lexical=hit.lexical,
            coverage=hit.coverage,
            age_days=hit.age_days,
            composite_trust=hit.composite_trust,
            needs_confirmation=hit.needs_confirmation,
            linked_from=hit.linked_from,
            confidence=ConfidenceOut.of(hit.confidence) if hit.confidence else None,
        )


class EpisodeOut(BaseModel):
    """A text that is stored: it is never lost from here on."""

    episode_id: str
    conversation: str
    counts_as: SourceKind
    received_at: datetime


class ProgressOut(BaseModel):
    """How far a text has come."""

    episode_id: str
    received_at: datetime
    processed: bool
    memories: list[str] = Field(description="Ids of what of it is memory. What was held is not told.")


class RecallOut(BaseModel):
    """Trusted memories, the best first."""

    hits: list[HitOut]


class AskOut(BaseModel):
    """What may be done with what is remembered."""

    advice: Advice
    reason: str
    hits: list[HitOut]


class MessageOut(BaseModel):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str
    cache: bool = Field(description="Whether it may be cached: it changes seldom.")


class ContextOut(BaseModel):
    """System messages to put before the conversation."""

    messages: list[MessageOut]
    memories: list[MemoryOut] = Field(description="In the order of their numbers in the messages, from [1].")
    advice: Advice
    reason: str
    head_tokens: int


class LineOut(BaseModel):
    """Where one input comes from."""

    ref: str
    known: bool
    outside: bool = Field(description="Some of it is a tool's, a page's, a document's or another person's; or unknown.")
    trust: Unit
    roots: list[RootOut]


class AncestryOut(BaseModel):
    """Where the inputs come from; `outside` if any of them does."""

    outside: bool
    trust: Unit = Field(description="Of the weakest.")
    lines: list[LineOut]


class DecisionOut(BaseModel):
    """The ruling that made it memory."""

    by: Literal["policy", "person"]
    at: datetime
    reasons: list[str]
    policy: str = Field(description="Digest of the policy it was made by.")

    @classmethod
    def of(cls, decision: Decision) -> DecisionOut:
        """From a decision: who the person was is not an agent's business."""
        return cls(
            by="policy" if decision.by == "policy" else "person",
            at=decision.at,
            reasons=list(decision.reasons),
            policy=decision.policy_digest,
        )


class WhyOut(BaseModel):
    """Why a memory is believed."""

    memory: MemoryOut
    freshness: Unit
    composite_trust: Unit
    confidence: ConfidenceOut | None
    advice: Advice
    reason: str
    decision: DecisionOut | None

    @classmethod
    def of(cls, found: Told) -> WhyOut:
        """From what an agent is told."""
        sure = found.counsel.confidence
        return cls(
            memory=MemoryOut.of(found.memory),
            freshness=found.freshness,
            composite_trust=found.composite_trust,
            confidence=ConfidenceOut.of(sure) if sure else None,
            advice=found.counsel.advice,
            reason=found.reason,
            decision=DecisionOut.of(found.decision) if found.decision else None,
        )


class MemoriesOut(BaseModel):
    """One page of memories."""

    memories: list[MemoryOut]
    total: int
