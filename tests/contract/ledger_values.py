"""Values that the ledger's tests store: small, valid, and different where it matters."""

from datetime import UTC, datetime, timedelta

from core.model import (
    Candidate,
    Decision,
    Effect,
    EffectKind,
    Episode,
    Evidence,
    Finding,
    GateStep,
    Incumbent,
    Memory,
    MemoryKind,
    Proposal,
    Provenance,
    Root,
    Scope,
    SourceKind,
    Span,
    Verdict,
    sha256_text,
)

NOON = datetime(2026, 3, 14, 12, 0, 0, 250, tzinfo=UTC)
MARA = Scope(tenant="acme", owner="mara")
IVO = Scope(tenant="acme", owner="ivo")
STRANGER = Scope(tenant="globex", owner="mara")


def after(seconds: float) -> datetime:
    """Noon and so many seconds."""
    return NOON + timedelta(seconds=seconds)


def episode(
    episode_id: str = "e1",
    *,
    scope: Scope = MARA,
    text: str = "I am allergic to penicillin.",
    conversation_id: str = "c1",
    kind: SourceKind = SourceKind.USER_TURN,
    ref: str = "console",
    title: str = "",
) -> Episode:
    """One raw input."""
    provenance = Provenance(
        source_kind=kind, source_ref=ref, actor=scope.owner, observed_at=NOON, digest=sha256_text(text), title=title
    )
    return Episode(
        episode_id=episode_id,
        scope=scope,
        conversation_id=conversation_id,
        provenance=provenance,
        text=text,
        received_at=NOON,
    )


def candidate(
    candidate_id: str,
    of: Episode,
    *,
    statement: str = "You are allergic to penicillin.",
    span: Span | None = None,
    subject: str = "user",
) -> Candidate:
    """One fact read out of an episode."""
    proposal = Proposal(
        subject=subject,
        attribute="allergy",
        value="penicillin",
        statement=statement,
        kind=MemoryKind.FACT,
        importance=1.0,
        span=span or Span(start=0, end=len(of.text)),
    )
    return Candidate(
        candidate_id=candidate_id,
        episode_id=of.episode_id,
        scope=of.scope,
        proposal=proposal,
        provenance=of.provenance,
        serial_no=of.serial_no,
    )


def decision(
    decision_id: str,
    candidate_id: str,
    *,
    verdict: Verdict = Verdict.HOLD,
    reasons: tuple[str, ...] = ("low_trust",),
    by: str = "policy",
    at: datetime = NOON,
    effects: tuple[Effect, ...] = (),
) -> Decision:
    """One ruling with evidence of every kind."""
    evidence = Evidence(
        effective_trust=0.3,
        roots=(Root(episode_id="e1", source_kind=SourceKind.WEB_CONTENT, source_ref="https://a.example", trust=0.3),),
        incumbents=(
            Incumbent(
                memory_id="m0",
                value="aspirin",
                text="You are allergic to aspirin.",
                ranking_trust=1.0,
                serial_no=1,
                version=2,
                source_kind=SourceKind.USER_TURN,
                same_value=False,
                multi_valued=True,
            ),
        ),
        findings=(Finding(detector="imperative", severity=0.8, note="orders the assistant"),),
        gaps=("judge",),
    )
    return Decision(
        decision_id=decision_id,
        candidate_id=candidate_id,
        verdict=verdict,
        reasons=reasons,
        steps=(GateStep(name="trust", passed=False, value="0.30", limit="0.50", reason="low_trust"),),
        evidence=evidence,
        effects=effects,
        policy_digest="p" * 64,
        by=by,
        at=at,
        note="",
    )


def activate(effect_id: str, memory_id: str = "m1", *, scope: Scope = MARA, text: str = "You like tea.") -> Effect:
    """An effect that carries a memory with every optional field set."""
    memory = Memory(
        memory_id=memory_id,
        scope=scope,
        kind=MemoryKind.PREFERENCE,
        subject="user",
        attribute="likes",
        slot_key="user|likes",
        value="tea",
        text=text,
        importance=0.6,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="console",
        source_title="",
        actor=scope.owner,
        episode_id="e1",
        conversation_id="c1",
        serial_no=3,
        roots=(Root(episode_id="e1", source_kind=SourceKind.USER_TURN, source_ref="console", trust=1.0),),
        stated_at=NOON,
        created_at=after(1),
        vouched_by="rita",
        vouched_at=after(2),
        valid_at=after(-86400),
        invalid_at=after(86400),
        expires_at=after(9),
    )
    return Effect(
        effect_id=effect_id, kind=EffectKind.ACTIVATE, scope=scope, memory_id=memory_id, at=NOON, memory=memory
    )
