"""What is left of a purged fact: the same nouns with their words taken out (rules §2.9). Pure."""

from __future__ import annotations

from dataclasses import replace

from core.model import Decision, Effect, Evidence, Memory, Proposal
from core.slots import SLOTS, slot_key

PURGED = "[purged]"  # stands where a text must not be empty


def scrubbed_proposal(proposal: Proposal) -> Proposal:
    """The proposal without its words and dates; an attribute of the vocabulary stays, any other is a word too."""
    return replace(
        proposal,
        subject=PURGED,
        attribute=_attribute(proposal.attribute),
        value=PURGED,
        statement=PURGED,
        valid_at=None,
        invalid_at=None,
        expires_at=None,
    )


def scrubbed_memory(memory: Memory) -> Memory:
    """The memory without its words and dates."""
    attribute = _attribute(memory.attribute)
    return replace(
        memory,
        subject=PURGED,
        attribute=attribute,
        slot_key=slot_key(PURGED, attribute),
        value=PURGED,
        text=PURGED,
        valid_at=None,
        invalid_at=None,
        expires_at=None,
    )


def scrubbed_effect(effect: Effect) -> Effect:
    """The effect without the words of what it inserts, or of whoever wrote its reason."""
    memory = scrubbed_memory(effect.memory) if effect.memory else None
    return replace(effect, memory=memory, reason=PURGED if effect.reason else "")


def scrubbed_evidence(evidence: Evidence, memory_id: str | None = None) -> Evidence:
    """The evidence without the words of one memory; with None, without any words: incumbents, opinions and notes."""
    incumbents = tuple(
        replace(one, value=PURGED, text=PURGED) if memory_id in (None, one.memory_id) else one
        for one in evidence.incumbents
    )
    opinions = tuple(
        replace(one, text=PURGED) if memory_id in (None, one.memory_id) else one for one in evidence.opinions
    )
    findings = tuple(replace(one, note=PURGED) for one in evidence.findings) if memory_id is None else evidence.findings
    return replace(evidence, incumbents=incumbents, opinions=opinions, findings=findings)


def scrubbed_decision(decision: Decision) -> Decision:
    """A decision on the purged fact itself: reasons, steps, numbers and ids stay."""
    return replace(
        decision,
        evidence=scrubbed_evidence(decision.evidence),
        effects=tuple(scrubbed_effect(effect) for effect in decision.effects),
        note=PURGED if decision.note else "",
    )


def _attribute(attribute: str) -> str:
    return attribute if attribute in SLOTS else PURGED
