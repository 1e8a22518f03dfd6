"""Which held items one person decides together. Pure.

A queue that asks about every page one by one is not read. What comes from one place is one decision: a site with all
its pages, the papers of one conversation, a tool with all its results, a correspondent with all their mails, and what
an agent noted down from any of them. What nothing speaks for or against, plain statements of too little trust, is no
decision at all until somebody needs one: it lies in the month's background, to be searched or swept out as one.
"""

from __future__ import annotations

from core.model import Candidate, Evidence, SourceKind, SpeechAct

BACKGROUND = "background:"
FINDING = 0.5  # severity from which a detector's finding is something to look at
_PLAIN = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT})


def cluster_of(candidate: Candidate, evidence: Evidence, *, conversation_id: str, month: str, telling: float) -> str:
    """The key of what is decided together; unique within an owner.

    Args:
        candidate: what may be held.
        evidence: what is known of it; `origin` names its place of origin.
        conversation_id: where it was attached or said.
        month: when it was received, "2026-03": a background does not grow for ever.
        telling: importance from which a statement is a decision of its own.
    """
    if is_background(candidate, evidence, telling=telling):
        return f"{BACKGROUND}{month}"
    kind, _, name = evidence.origin.partition(":")
    if kind == "doc":
        return f"papers:{conversation_id}"
    if name:
        return evidence.origin
    return f"{candidate.provenance.source_kind.value}:{conversation_id}"


def is_background(candidate: Candidate, evidence: Evidence, *, telling: float) -> bool:
    """Whether nothing about it asks for a decision: no order, stake, weight, contradiction, finding or gap.

    What people say, the owner's own pastes included, is never background.
    """
    return (
        candidate.provenance.source_kind in _PLAIN
        and not evidence.origin.startswith("person:")
        and candidate.proposal.speech_act is SpeechAct.ASSERTION
        and candidate.proposal.importance < telling
        and not candidate.proposal.retracts
        and not (evidence.impact or evidence.asks_owner or evidence.gaps or evidence.forgotten)
        and not any(one.severity >= FINDING for one in evidence.findings)
        and all(one.same_value or one.multi_valued for one in evidence.incumbents)
    )
