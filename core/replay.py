"""Recorded evidence ruled on again under another policy: which decisions change side, and what reviewers get. Pure.

No model is called and nothing is read. Evidence that this very policy recorded is taken as it stands. Under another
policy, the trust of an origin is computed again from its roots: each text's own channel with its registered tool, and
every other root by its source kind. What cannot be computed again keeps its recorded value:

* the trust of a recalled memory among the roots, and of an earlier tool's output, whose tool the root does not name;
* texts that were trusted enough then and so were no roots: raising the threshold may miss a taint;
* the trust of the memories that a candidate met, their independent origins, and what a judge said of them;
* whether words are kept as "X wrote that …": it is done where the new trust allows it, and not taken back.

So a replay is a measure for a person who sets a number; the stores are not changed by it and never agree with it
afterwards by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.assess import attributed
from core.gate import decide
from core.model import (
    Candidate,
    Evidence,
    HeldItem,
    Root,
    SourceKind,
    SpeechAct,
    Standing,
    Verdict,
)
from core.policy import Policy

WEEK_SECONDS = 7 * 86_400.0
_MEMORY = "memory:"  # what the root of a recalled memory is called by


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """One candidate that another policy rules on otherwise."""

    candidate_id: str
    text: str
    owner: str
    source_kind: SourceKind
    at: datetime
    before: Verdict
    after: Verdict
    reasons_before: tuple[str, ...]
    reasons_after: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """What a policy would have made of recorded candidates. `changed` is in the order that they were given.

    `groups_before` and `groups_after` are a reviewer's load: groups that wait for one decision each, per week of the
    time that the candidates span (a week at least).
    """

    total: int
    changed: tuple[Replayed, ...]
    held_before: int
    held_after: int
    admitted_before: int
    admitted_after: int
    groups_before: float
    groups_after: float


def replay(items: Sequence[HeldItem], policy: Policy) -> Replay:
    """Rule again on what was recorded.

    Args:
        items: candidates, each with the machine's first decision on it (`LedgerReader.ruled_by_policy`).
        policy: the numbers to rule by.
    """
    ruled = [(item, *_again(item, policy)) for item in items]
    weeks = _weeks(item.decision.at for item in items)
    before = [item for item in items if item.decision.verdict is Verdict.HOLD]
    after = [item for item, verdict, _ in ruled if verdict is Verdict.HOLD]
    return Replay(
        total=len(items),
        changed=tuple(
            Replayed(
                candidate_id=item.candidate.candidate_id,
                text=item.candidate.text,
                owner=item.candidate.scope.owner,
                source_kind=item.candidate.provenance.source_kind,
                at=item.decision.at,
                before=item.decision.verdict,
                after=verdict,
                reasons_before=item.decision.reasons,
                reasons_after=reasons,
            )
            for item, verdict, reasons in ruled
            if verdict is not item.decision.verdict
        ),
        held_before=len(before),
        held_after=len(after),
        admitted_before=sum(item.decision.verdict is Verdict.ADMIT for item in items),
        admitted_after=sum(verdict is Verdict.ADMIT for _, verdict, _ in ruled),
        groups_before=_groups(before) / weeks,
        groups_after=_groups(after) / weeks,
    )


def _again(item: HeldItem, policy: Policy) -> tuple[Verdict, tuple[str, ...]]:
    """The verdict and its reasons under a policy."""
    recorded = item.decision
    candidate, evidence = item.candidate, recorded.evidence
    if recorded.policy_digest != policy.digest:
        candidate, evidence = rederived(candidate, evidence, policy)
    decision = decide(candidate, evidence, policy, at=recorded.at, by=recorded.by, decision_id=recorded.decision_id)
    return decision.verdict, decision.reasons


def rederived(candidate: Candidate, evidence: Evidence, policy: Policy) -> tuple[Candidate, Evidence]:
    """Candidate and evidence as this policy's numbers would have made them, as far as the record tells."""
    roots = tuple(replace(root, trust=_trust(root, candidate, policy)) for root in evidence.roots)
    trust = min(root.trust for root in roots)
    voice = roots[-1].trust if evidence.standing is Standing.ROOTED else trust
    if evidence.standing is Standing.ATTRIBUTED:
        if trust >= policy.trust.threshold and _as_its_word(candidate, evidence):
            candidate = attributed(candidate, importance=policy.authority.attributed_importance)
        trust = min(trust, policy.trust.third_party)
    joins = bool(evidence.asks_owner) or trust < policy.trust.threshold  # only then was a held one looked for
    again = replace(
        evidence,
        roots=roots,
        effective_trust=trust,
        voice_trust=voice,
        repeats=evidence.repeats if joins else "",
    )
    return candidate, again


def _trust(root: Root, candidate: Candidate, policy: Policy) -> float:
    """What a root is worth under a policy; its recorded trust where the record does not tell."""
    own = root.episode_id == candidate.episode_id and root.source_kind is candidate.provenance.source_kind
    if own:
        return policy.channel_trust(candidate.provenance)
    recalled = root.episode_id.startswith(_MEMORY)
    if recalled or root.source_kind is SourceKind.TOOL_OUTPUT or not root.trust:  # 0: a text that nobody can find
        return root.trust
    return policy.trust.base(root.source_kind)


def _as_its_word(candidate: Candidate, evidence: Evidence) -> bool:
    """Whether it would be kept as its speaker's word (rules §1.8)."""
    proposal = candidate.proposal
    return not evidence.impact and proposal.speech_act is SpeechAct.ASSERTION and not proposal.retracts


def _groups(held: Sequence[HeldItem]) -> int:
    """How many decisions these would be: an owner's items of one cluster are one (`core.clusters`)."""
    return len({(item.candidate.scope.owner, _cluster(item)) for item in held})


def _cluster(item: HeldItem) -> str:
    origin = item.candidate.provenance
    return item.decision.evidence.cluster or f"{origin.source_kind.value}:{origin.source_ref}"


def _weeks(times: Iterable[datetime]) -> float:
    """The time that decisions span, in weeks; one at least."""
    at = sorted(times)
    return max(1.0, (at[-1] - at[0]).total_seconds() / WEEK_SECONDS) if at else 1.0
