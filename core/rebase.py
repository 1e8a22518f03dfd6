"""Recorded evidence as another policy's base trusts would have it, so that a replay answers for a change of them. Pure.

What a text is worth by its channel is written into the evidence when it is judged (rules §1.3): ruling again on the
recorded numbers would show no effect of another base trust.
"""

from __future__ import annotations

from dataclasses import replace

from core.model import Evidence, HeldItem, Root, SourceKind, Standing
from core.origin import MEMORY_REF
from core.policy import Policy


def rebased(item: HeldItem, policy: Policy) -> HeldItem:
    """The item with each root worth what its channel is worth under `policy`, and the trust that follows (§1.3, §1.8).

    A recalled memory and a text that could not be found keep their recorded trust. So does another text's tool: its
    name is not in the chain of roots.
    """
    evidence = item.decision.evidence
    roots = tuple(_rebased(root, item, policy) for root in evidence.roots)
    if roots == evidence.roots and evidence.standing is not Standing.ATTRIBUTED:
        return item
    changed = _weighed(evidence, roots, policy)
    return replace(item, decision=replace(item.decision, evidence=changed))


def _rebased(root: Root, item: HeldItem, policy: Policy) -> Root:
    if root.episode_id.startswith(MEMORY_REF) or not root.source_ref:
        return root
    if root.source_kind is not SourceKind.TOOL_OUTPUT:
        return replace(root, trust=policy.trust.base(root.source_kind))
    if root.episode_id != item.candidate.episode_id:
        return root
    return replace(root, trust=policy.channel_trust(item.candidate.provenance))


def _weighed(evidence: Evidence, roots: tuple[Root, ...], policy: Policy) -> Evidence:
    if not roots:
        return evidence
    weakest = min(root.trust for root in roots)
    attributed = evidence.standing is Standing.ATTRIBUTED
    rooted = evidence.standing is Standing.ROOTED
    return replace(
        evidence,
        roots=roots,
        effective_trust=min(weakest, policy.trust.third_party) if attributed else weakest,
        voice_trust=policy.trust.base(SourceKind.USER_TURN) if rooted else weakest,
    )
