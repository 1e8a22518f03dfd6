"""The gate: the only place where a machine's verdict is made. Pure.

`decide` takes candidate and evidence and gives a decision. It runs every step and records each with its value and
limit, so that a reviewer sees what was computed and a replay of recorded evidence gives the same ruling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.conflict import Contest, contest
from core.corroboration import adds_origin
from core.model import (
    Candidate,
    CandidateState,
    Decision,
    Effect,
    EffectKind,
    Evidence,
    GateStep,
    Incumbent,
    LinkKind,
    Memory,
    MemoryKind,
    MemoryStatus,
    SourceKind,
    SpeechAct,
    Standing,
    Verdict,
)
from core.policy import Policy
from core.slots import slot_key

STATE_OF = {  # where a candidate stands after the machine's ruling
    Verdict.ADMIT: CandidateState.ADMITTED,
    Verdict.HOLD: CandidateState.HELD,
    Verdict.REJECT: CandidateState.REJECTED,
}
OWNER_ONLY_KINDS = frozenset({MemoryKind.PREFERENCE, MemoryKind.PROCEDURE, MemoryKind.LESSON})

# Nothing of value waits in these; the episode keeps the words (rules §2.7). All other failures wait for a person.
REJECTING = frozenset({"trivial", "not_an_assertion", "nothing_to_retract", "declined_before", "repeat_of_held"})


def decide(
    candidate: Candidate, evidence: Evidence, policy: Policy, *, at: datetime, by: str, decision_id: str
) -> Decision:
    """Rule on one candidate, by every step of the gate.

    The steps, in order: gaps hold (§1.12); speech act (§1.5, §1.9); importance (§2.7); effective trust (§1.1, §1.3);
    authority (§1.4, §1.8); impact (§1.7); declined, forgotten or held already; contradiction (§3). Every step is
    computed and recorded; the verdict is the hardest one among them, so a further finding or gap never softens it.

    Returns:
        A decision whose effects carry out an ADMIT; HOLD and REJECT have none.
    """
    rivalry = contest(candidate, evidence, rules=policy.conflict, at=at)
    steps = (
        _gaps(evidence),
        _speech_act(candidate, evidence),
        _importance(candidate, policy),
        _trust(evidence, policy),
        _authority(candidate, evidence, policy),
        _impact(candidate, evidence, policy),
        _known(candidate, evidence),
        _contradiction(candidate, evidence, rivalry),
    )
    failed = [step for step in steps if not step.passed]
    if any(step.reason in REJECTING for step in failed):
        verdict = Verdict.REJECT
    else:
        verdict = Verdict.HOLD if failed else Verdict.ADMIT
    reasons = tuple(sorted((step.reason for step in failed), key=lambda reason: reason not in REJECTING))
    effects: tuple[Effect, ...] = ()
    if verdict is Verdict.ADMIT:
        effects = effects_of(candidate, evidence, at=at, trust=evidence.effective_trust, rivalry=rivalry)
    return Decision(
        decision_id=decision_id,
        candidate_id=candidate.candidate_id,
        verdict=verdict,
        reasons=reasons or ("admitted",),
        steps=steps,
        evidence=evidence,
        effects=effects,
        policy_digest=policy.digest,
        by=by,
        at=at,
    )


def own_words(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether the owner typed this in their own words: not pasted, not quoted, not passed on (rules §1.5)."""
    return candidate.provenance.source_kind is SourceKind.USER_TURN and evidence.effective_trust >= 1.0


def _gaps(evidence: Evidence) -> GateStep:
    return GateStep(
        name="complete evidence",
        passed=not evidence.gaps,
        value=", ".join(evidence.gaps) or "complete",
        limit="no configured part failed",
        reason="" if not evidence.gaps else "gap",
    )


def _speech_act(candidate: Candidate, evidence: Evidence) -> GateStep:
    act, own = candidate.proposal.speech_act, own_words(candidate, evidence)
    if act is SpeechAct.DIRECTIVE:
        voiced = own or evidence.standing is Standing.ROOTED  # a note of what the owner ordered is the owner's order
        reason = "" if voiced and candidate.proposal.kind in OWNER_ONLY_KINDS else "directive"
    elif act is SpeechAct.RETRACTION or candidate.proposal.retracts:
        reason = "" if own else "directive"
    else:
        reason = "" if act is SpeechAct.ASSERTION else "not_an_assertion"
    return GateStep(
        name="speech act",
        passed=not reason,
        value=act.value,
        limit="a statement, or the owner's own standing wish",
        reason=reason,
    )


def _importance(candidate: Candidate, policy: Policy) -> GateStep:
    importance, floor = candidate.proposal.importance, policy.decay.trivial_below
    return GateStep(
        name="importance",
        passed=importance >= floor,
        value=f"{importance:.2f}",
        limit=f"at least {floor:.2f}",
        reason="" if importance >= floor else "trivial",
    )


def _trust(evidence: Evidence, policy: Policy) -> GateStep:
    trust, threshold = evidence.effective_trust, policy.trust.threshold
    return GateStep(
        name="effective trust",
        passed=trust >= threshold,
        value=f"{trust:.2f}",
        limit=f"at least {threshold:.2f}",
        reason="" if trust >= threshold else "low_trust",
    )


def _authority(candidate: Candidate, evidence: Evidence, policy: Policy) -> GateStep:
    """Who may say this: only the owner makes wishes, and an agent cannot vouch for itself (rules §1.4, §1.8)."""
    proposal, standing = candidate.proposal, evidence.standing
    reason = ""
    if standing is Standing.ATTRIBUTED:
        agent = candidate.provenance.source_kind is SourceKind.AGENT_TURN
        waits = agent and policy.authority.agent_opinions == "hold"
        reason = "no_root" if waits or proposal.kind is not MemoryKind.EVENT else ""
    elif proposal.kind in OWNER_ONLY_KINDS and standing is not Standing.ROOTED and not own_words(candidate, evidence):
        reason = "not_the_owner"
    return GateStep(
        name="authority",
        passed=not reason,
        value=_STANDING[standing],
        limit="a speaker on their own affairs, or one assertion of the owner's as root",
        reason=reason,
    )


_STANDING = {
    Standing.SELF: "speaks about themself",
    Standing.OWN_SCOPE: "the owner, in their own memory",
    Standing.FIRST_HAND: "states it first-hand",
    Standing.ROOTED: "repeats one assertion of the owner's",
    Standing.ATTRIBUTED: "speaks about others: kept at most as their word",
}


def _impact(candidate: Candidate, evidence: Evidence, policy: Policy) -> GateStep:
    """What could harm somebody needs the owner's own voice; some of it even then a yes (rules §1.7)."""
    tiers = ", ".join(evidence.impact)
    reason = ""
    if own_words(candidate, evidence):
        reason = "ask_owner" if evidence.asks_owner else ""
    elif evidence.impact:
        spoken = min(evidence.voice_trust, 1.0) >= policy.authority.impact_trust
        reason = "" if spoken and evidence.standing in (Standing.ROOTED, Standing.SELF) else "impact"
    return GateStep(
        name="impact",
        passed=not reason,
        value=", ".join(evidence.asks_owner) if reason == "ask_owner" else tiers or "none",
        limit=(
            "the owner's yes" if reason == "ask_owner" else f"trust {policy.authority.impact_trust:.1f} and authority"
        ),
        reason=reason,
    )


def _known(candidate: Candidate, evidence: Evidence) -> GateStep:
    """What a person turned down or forgot does not come back by another's mouth; a repeat joins what is held."""
    reason, value = "", "no"
    if evidence.declined_before:
        reason, value = "declined_before", "these very words were rejected before"
    elif evidence.repeats:
        reason, value = "repeat_of_held", f"says again what {evidence.repeats} says, which is held"
    elif evidence.forgotten and not own_words(candidate, evidence):
        reason, value = "forgotten", "the owner forgot this"
    return GateStep(
        name="decided before",
        passed=not reason,
        value=value,
        limit="not rejected, forgotten or held already",
        reason=reason,
    )


def _contradiction(candidate: Candidate, evidence: Evidence, rivalry: Contest) -> GateStep:
    if candidate.proposal.retracts:
        return _retraction(candidate, evidence)
    unjudged = f"; {evidence.not_judged} near memories not judged" if evidence.not_judged else ""
    return GateStep(
        name="contradiction",
        passed=rivalry.wins,
        value=rivalry.note,
        limit=f"at least the trust of what it would replace{unjudged}",
        reason="" if rivalry.wins else rivalry.reason,
    )


def _retraction(candidate: Candidate, evidence: Evidence) -> GateStep:
    closing = closed_by(candidate, evidence)
    stronger = [held for held in closing if held.ranking_trust > evidence.effective_trust]
    reason = "nothing_to_retract" if not closing else "conflict" if stronger else ""
    value = f"closes {len(closing)}" if closing else "no memory to close"
    if stronger:
        value = f"trust {evidence.effective_trust:.2f} against {max(h.ranking_trust for h in stronger):.2f}"
    return GateStep(
        name="contradiction",
        passed=not reason,
        value=value,
        limit="a memory to close, of no higher trust",
        reason=reason,
    )


def closed_by(candidate: Candidate, evidence: Evidence) -> list[Incumbent]:
    """What a retraction closes: the value it names, or all of a single-valued slot (rules §3.4)."""
    value = candidate.proposal.value
    named = [held for held in evidence.incumbents if held.same_value or not value]
    return named or [held for held in evidence.incumbents if not held.multi_valued]


def with_echoes(held: Sequence[Incumbent]) -> list[str]:
    """Ids of these memories and of the events that go with them, each once: one event can repeat two of them."""
    return list(dict.fromkeys(memory_id for one in held for memory_id in (one.memory_id, *one.echoes)))


def effects_of(
    candidate: Candidate,
    evidence: Evidence,
    *,
    at: datetime,
    trust: float,
    rivalry: Contest,
    vouched_by: str | None = None,
) -> tuple[Effect, ...]:
    """What admitting this candidate does to the store, in order (rules §3.1a, §3.4, §4.1).

    A retraction closes what holds the slot (the given value only, when the slot holds several). The same value stated
    again confirms the memory that has it, and revives it if it was archived; it adds an origin only if it is an
    independent one. Another value is inserted, replaces what it won against, and is linked to its neighbours.
    """
    proposal, scope = candidate.proposal, candidate.scope

    def effect(kind: EffectKind, memory_id: str, suffix: str, **rest: Any) -> Effect:
        name = f"{candidate.candidate_id}:{candidate.version}:{suffix}:{memory_id}"
        return Effect(effect_id=name, kind=kind, scope=scope, memory_id=memory_id, at=at, **rest)

    if proposal.retracts:
        return tuple(
            effect(
                EffectKind.RETRACT,
                memory_id,
                "retract",
                reason="the owner took it back",
                until=proposal.valid_at if proposal.valid_at and proposal.valid_at < at else None,
            )
            for memory_id in with_echoes(closed_by(candidate, evidence))
        )
    same = [held for held in evidence.incumbents if held.same_value]
    better = [held for held in same if evidence.effective_trust > held.ranking_trust]
    if same and not better and vouched_by is None:
        return _confirm(candidate, evidence, same[0], effect)
    made = candidate.candidate_id
    memory = memory_of(candidate, evidence, at=at, trust=trust, vouched_by=vouched_by)
    if better and vouched_by is None:  # a better founded voice says the same: its statement stands, the support stays
        support = tuple(dict.fromkeys([*(key for held in better for key in held.support), *memory.support]))
        memory = replace(memory, support=support, origins=max(1, len(support)))
        rivalry = replace(rivalry, rivals=(*rivalry.rivals, *better))
    if rivalry.older is not None:  # an old statement that came late: history at once (rules §3.2)
        memory = _as_history(memory, rivalry.older)
    return (
        effect(EffectKind.ACTIVATE, made, "activate", memory=memory),
        *(
            effect(EffectKind.SUPERSEDE, memory_id, "supersede", by_memory_id=made)
            for memory_id in with_echoes(rivalry.replaced)
        ),
        *(
            effect(
                EffectKind.LINK,
                made,
                f"link:supersedes:{held.memory_id}",
                by_memory_id=held.memory_id,
                link_kind=LinkKind.SUPERSEDES,
            )
            for held in rivalry.replaced
        ),
        *(
            effect(
                EffectKind.LINK, made, f"link:{kind.value}:{other}", by_memory_id=other, link_kind=kind, weight=weight
            )
            for other, kind, weight in evidence.related
        ),
        *(
            effect(EffectKind.ARCHIVE, memory_id, "evict", reason="made room for later working memory")
            for memory_id in evidence.evicts
        ),
    )


def _confirm(candidate: Candidate, evidence: Evidence, held: Incumbent, effect: Any) -> tuple[Effect, ...]:
    """Said again. Only who states it first-hand makes it younger; only another origin makes it better supported."""
    kind = candidate.provenance.source_kind
    if kind is SourceKind.AGENT_TURN:
        return ()  # recalls and restatements by the agent never count (rules §4.3)
    adds = adds_origin(held.support, evidence.origin, kind)
    confirmed = effect(EffectKind.CONFIRM, held.memory_id, "confirm", origin=evidence.origin if adds else "")
    # An old text that came late makes nothing younger than it is itself (rules §2.2, §3.2).
    return (replace(confirmed, at=min(confirmed.at, candidate.provenance.observed_at)),)


def _as_history(memory: Memory, by: Incumbent) -> Memory:
    return replace(
        memory, status=MemoryStatus.SUPERSEDED, superseded_by=by.memory_id, expired_at=by.stated_at or memory.created_at
    )


def memory_of(
    candidate: Candidate, evidence: Evidence, *, at: datetime, trust: float, vouched_by: str | None
) -> Memory:
    """The memory that this candidate becomes: its own words, its origin, its chain of roots."""
    proposal, provenance = candidate.proposal, candidate.provenance
    return Memory(
        memory_id=candidate.candidate_id,
        scope=candidate.scope,
        kind=proposal.kind,
        subject=proposal.subject,
        attribute=proposal.attribute,
        slot_key=slot_key(proposal.subject, proposal.attribute),
        value=proposal.value,
        text=proposal.statement,
        importance=proposal.importance,
        effective_trust=trust,
        source_kind=provenance.source_kind,
        source_ref=provenance.source_ref,
        source_title=provenance.title,
        actor=provenance.actor,
        episode_id=candidate.episode_id,
        conversation_id="",
        serial_no=candidate.serial_no,
        roots=evidence.roots,
        stated_at=provenance.observed_at,
        created_at=at,
        vouched_by=vouched_by,
        vouched_at=at if vouched_by else None,
        valid_at=proposal.valid_at,
        invalid_at=proposal.invalid_at,
        expires_at=proposal.expires_at,
        language=proposal.language,
        support=(evidence.origin,) if evidence.origin else (),
        impact=evidence.impact,
    )
