"""Which held items one person decides together. Pure.

A queue that asks about every page one by one is not read. What comes from one place is one decision: a site with all
its pages, the papers of one conversation, a tool with all its results, a correspondent with all their mails, and what
an agent noted down from any of them. What nothing speaks for or against, plain statements of too little trust, is no
decision at all until somebody needs one: it lies in the month's background, to be searched or swept out as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.model import Candidate, Decision, Episode, Evidence, SourceKind, SpeechAct, Verdict

BACKGROUND = "background:"
PATTERNS = "patterns:"  # what code concluded out of several episodes has one maker: an owner's wait as one group
FINDING = 0.5  # severity from which a detector's finding is something to look at
_PLAIN = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT})


def clustered(
    rulings: Sequence[tuple[Candidate, Decision]], episode: Episode, *, telling: float, fold: bool = True
) -> list[tuple[Candidate, Decision]]:
    """The rulings on one episode, each with the key of what it is decided with; a key is unique within an owner.

    A text is never split: one sentence that asks for a decision takes all that is held of it out of the background,
    which is a month's, so that it does not grow for ever.

    Args:
        rulings: all that was decided about the episode.
        episode: where it was said.
        telling: importance from which a statement is a decision of its own.
        fold: whether there is a background yet; while the queue is short every place is a group of its own.
    """
    held = [(one, ruling.evidence) for one, ruling in rulings if ruling.verdict is Verdict.HOLD]
    plain = fold and all(is_background(one, evidence, telling=telling) for one, evidence in held)
    keys = [
        f"{BACKGROUND}{episode.received_at:%Y-%m}" if plain else _place(one, ruling.evidence, episode.conversation_id)
        for one, ruling in rulings
    ]
    return [
        (one, replace(ruling, evidence=replace(ruling.evidence, cluster=key)))
        for (one, ruling), key in zip(rulings, keys, strict=True)
    ]


def _place(candidate: Candidate, evidence: Evidence, conversation_id: str) -> str:
    """Its place of origin; papers, which have no publisher that could be told, count by where they were attached."""
    kind, _, name = evidence.origin.partition(":")
    if kind == "doc":
        return f"papers:{conversation_id}"
    return evidence.origin if name else f"{candidate.provenance.source_kind.value}:{conversation_id}"


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
