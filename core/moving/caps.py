"""What a fact that comes from elsewhere may count with here: never more than it did, nor than its channels do. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.gate import STATE_OF, decide
from core.model import Candidate, CandidateState, Decision, Evidence, Provenance, Root, SourceKind, Standing, Verdict
from core.policy import Policy

ELSEWHERE = "vouched_elsewhere"  # a person of another installation admitted it, which counts for nothing here
_MEMORY = "memory:"
_LIVE = frozenset({CandidateState.ADMITTED, CandidateState.PROMOTED, CandidateState.WITHDRAWN})

Channel = Callable[[str], Provenance | None]  # where an episode of the file came from, by its id


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """How a candidate stands here. `effective` is None where nothing of it may be in memory."""

    state: CandidateState
    effective: float | None = None
    roots: tuple[Root, ...] = ()
    added: Decision | None = None  # what the gate says here, where that is not what was said there
    vouched: bool = False


def weigh(
    candidate: Candidate,
    state: CandidateState,
    decisions: Sequence[Decision],
    *,
    policy: Policy,
    channel: Channel,
    at: datetime,
    decision_id: str,
) -> Weighed:
    """Rule again on what was admitted elsewhere, by this policy and with trust that only falls.

    Held stays held and rejected stays rejected. What a person of the other installation admitted is held: they are
    nobody here, and whoever may promote here can do so on the review page. What the owner withdrew stays withdrawn.
    """
    admitted = next((one for one in reversed(decisions) if one.verdict is Verdict.ADMIT), None)
    if state not in _LIVE or admitted is None:
        return Weighed(state=CandidateState.HELD if state in _LIVE else state)
    evidence = capped(candidate, admitted.evidence, policy, channel)
    again = decide(candidate, evidence, policy, at=admitted.at, by="policy", decision_id=decision_id)
    vouched = state is CandidateState.PROMOTED or admitted.by != "policy"
    passes = again.verdict is Verdict.ADMIT and not vouched
    if passes:
        lower = (
            evidence.roots != admitted.evidence.roots or evidence.effective_trust < admitted.evidence.effective_trust
        )
        added = replace(again, effects=(), at=at) if lower else None
        return Weighed(state=state, effective=evidence.effective_trust, roots=evidence.roots, added=added)
    if state is CandidateState.WITHDRAWN:
        return Weighed(state=state, vouched=vouched)
    verdict = Verdict.HOLD if vouched else again.verdict
    reasons = again.reasons if again.verdict is not Verdict.ADMIT else (ELSEWHERE,)
    added = replace(again, verdict=verdict, reasons=reasons, effects=(), at=at)
    return Weighed(state=STATE_OF[verdict], added=added, vouched=vouched)


def capped(candidate: Candidate, evidence: Evidence, policy: Policy, channel: Channel) -> Evidence:
    """The recorded evidence with every trust no higher than this policy gives to its source (rules §1.1, §1.3)."""
    roots = tuple(replace(root, trust=min(root.trust, _worth(root, policy, channel))) for root in evidence.roots)
    ceiling = min([policy.channel_trust(candidate.provenance), *(root.trust for root in roots)])
    if evidence.standing is Standing.ATTRIBUTED:
        ceiling = min(ceiling, policy.trust.third_party)
    trust = min(evidence.effective_trust, ceiling)
    voice = roots[-1].trust if roots and evidence.standing is Standing.ROOTED else trust
    return replace(evidence, roots=roots, effective_trust=trust, voice_trust=min(evidence.voice_trust, voice))


def _worth(root: Root, policy: Policy, channel: Channel) -> float:
    """What a root's text is worth here; a tool's by the class that it is registered as here."""
    if root.source_kind is SourceKind.TOOL_OUTPUT and not root.episode_id.startswith(_MEMORY):
        origin = channel(root.episode_id)
        if origin is not None and origin.source_kind is SourceKind.TOOL_OUTPUT:
            return policy.channel_trust(origin)
    return policy.trust.base(root.source_kind)


__all__ = ["ELSEWHERE", "Weighed", "capped", "weigh"]
