"""Rows of the ledger's tables to nouns and back."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any

from core.audit import Link, stamp
from core.errors import BadInput
from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Row
from core.model import (
    AuditEntry,
    Candidate,
    CandidateState,
    Conversation,
    Decision,
    Effect,
    Episode,
    Evidence,
    GateStep,
    HeldItem,
    Proposal,
    Provenance,
    Run,
    RunState,
    Scope,
    SourceKind,
    Span,
    Verdict,
)
from core.ports import HeldGroup, OutboxItem
from core.slots import slot_key

EXCERPT_LENGTH = 400  # code points of an episode shown around the cited words


def scope_values(scope: Scope) -> dict[str, str]:
    """A scope as three bound values."""
    return {"tenant": scope.tenant, "owner": scope.owner, "agent": scope.agent}


def scope_of(row: Row) -> Scope:
    """The scope columns of any row."""
    return Scope(tenant=row["tenant"], owner=row["owner"], agent=row["agent"])


def folded(text: str) -> str:
    """What free-text search compares: compatibility forms unified, case folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def episode_of(row: Row) -> Episode:
    """A row of `episode`."""
    return Episode(
        episode_id=row["episode_id"],
        scope=scope_of(row),
        conversation_id=row["conversation_id"],
        provenance=from_json(Provenance, row["provenance"]),
        text=row["text"],
        received_at=datetime.fromisoformat(row["received_at"]),
        serial_no=row["serial_no"],
    )


def episode_values(episode: Episode) -> dict[str, Any]:
    """An episode as bound values of `add_episode`."""
    return {
        "episode_id": episode.episode_id,
        **scope_values(episode.scope),
        "conversation_id": episode.conversation_id,
        "provenance": to_json(episode.provenance),
        "text": episode.text,
        "received_at": stamp(episode.received_at),
    }


def excerpt_of(text: str, span: Span) -> tuple[str, Span]:
    """Up to `EXCERPT_LENGTH` code points of `text` around `span`, and where the cited words stand in them.

    A longer span is cut at its end.

    Raises:
        BadInput: the span lies outside the text; a fact must cite what states it (rules §7.2).
    """
    if span.end > len(text):
        msg = f"the span [{span.start}, {span.end}) lies outside the episode's {len(text)} characters"
        raise BadInput(msg)
    cited = min(span.end - span.start, EXCERPT_LENGTH)
    before = min(span.start, (EXCERPT_LENGTH - cited) // 2)
    end = min(len(text), span.start - before + EXCERPT_LENGTH)
    start = max(0, end - EXCERPT_LENGTH)
    return text[start:end], Span(start=span.start - start, end=span.start - start + cited)


def candidate_values(candidate: Candidate, episode_text: str) -> dict[str, Any]:
    """A candidate as bound values of `add_candidate`.

    Raises:
        BadInput: its span lies outside the episode's text.
    """
    proposal, provenance = candidate.proposal, candidate.provenance
    excerpt, marked = excerpt_of(episode_text, proposal.span)
    return {
        "candidate_id": candidate.candidate_id,
        "episode_id": candidate.episode_id,
        **scope_values(candidate.scope),
        "version": candidate.version,
        "digest": candidate.digest,
        **proposal_values(proposal),
        "source_kind": provenance.source_kind.value,
        "source_ref": provenance.source_ref,
        "title": provenance.title,
        "span_start": proposal.span.start,
        "excerpt": excerpt,
        "marked_from": marked.start,
        "marked_to": marked.end,
        "serial_no": candidate.serial_no,
        "extractor": candidate.extractor,
        "provenance": to_json(provenance),
    }


def proposal_values(proposal: Proposal) -> dict[str, str]:
    """A proposal as the columns that hold it."""
    return {
        "subject": proposal.subject,
        "attribute": proposal.attribute,
        "slot_key": slot_key(proposal.subject, proposal.attribute),
        "proposal": to_json(proposal),
    }


def searched_text(candidate: Candidate) -> str:
    """What free text finds a candidate by."""
    proposal, provenance = candidate.proposal, candidate.provenance
    parts = (proposal.statement, proposal.subject, proposal.value, provenance.title, provenance.source_ref)
    return folded("\n".join(parts))


def decision_of(row: Row) -> Decision:
    """A row of `decision` or `item`."""
    return Decision(
        decision_id=row["decision_id"],
        candidate_id=row["candidate_id"],
        verdict=Verdict(row["verdict"]),
        reasons=from_json(tuple[str, ...], row["reasons"]),
        steps=from_json(tuple[GateStep, ...], row["steps"]),
        evidence=from_json(Evidence, row["evidence"]),
        effects=from_json(tuple[Effect, ...], row["effects"]),
        policy_digest=row["policy_digest"],
        by=row["decided_by"],
        at=datetime.fromisoformat(row["at"]),
        note=row["note"],
    )


def decision_values(decision: Decision) -> dict[str, Any]:
    """A decision as bound values of `add_decision`."""
    return {
        "decision_id": decision.decision_id,
        "candidate_id": decision.candidate_id,
        "verdict": decision.verdict.value,
        "policy_digest": decision.policy_digest,
        "decided_by": decision.by,
        "at": stamp(decision.at),
        "note": decision.note,
        "reasons": to_json(decision.reasons),
        "steps": to_json(decision.steps),
        "evidence": to_json(decision.evidence),
        "effects": to_json(decision.effects),
    }


def item_of(row: Row) -> HeldItem:
    """A row of `item`."""
    candidate = Candidate(
        candidate_id=row["candidate_id"],
        episode_id=row["episode_id"],
        scope=scope_of(row),
        proposal=from_json(Proposal, row["proposal"]),
        provenance=from_json(Provenance, row["provenance"]),
        serial_no=row["serial_no"],
        extractor=row["extractor"],
        version=row["version"],
    )
    return HeldItem(
        candidate=candidate,
        state=CandidateState(row["state"]),
        decision=decision_of(row),
        excerpt=row["excerpt"],
        excerpt_span=Span(start=row["marked_from"], end=row["marked_to"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )


def group_of(row: Row, *, by: str) -> HeldGroup:
    """A row of `held_groups`."""
    return HeldGroup(
        source_kind=SourceKind(row["source_kind"]),
        source_ref=row["source_ref"],
        title=row["title"],
        owner=row["owner"],
        count=row["members"],
        cluster=row["cluster"],
        sources=row["sources"],
        oldest=datetime.fromisoformat(row["oldest"]),
        alike=row["alike"] if by == "alike" else "",
        flagged=row["flagged"],
        sample=row["statement"],
        first_id=row["candidate_id"],
    )


def outbox_item_of(row: Row) -> OutboxItem:
    """A row of `outbox`."""
    effect = from_json(Effect, row["effect"])
    return OutboxItem(effect=effect, ledger_seq=row["ledger_seq"], ledger_head=row["ledger_head"])


def link_values(link: Link) -> dict[str, Any]:
    """A link as bound values of `add_audit`."""
    return {name: getattr(link, name) for name in Link.__dataclass_fields__}


def link_of(row: Row) -> Link:
    """A row of `chain`: bytes that are not UTF-8 any more become lone surrogates, which no sound hash covers."""
    texts = {name: row[name].decode("utf-8", "surrogateescape") for name in row.keys() if name != "seq"}  # noqa: SIM118
    return Link(seq=row["seq"], **texts)


def entry_of_row(row: Row) -> AuditEntry:
    """A row of `audit`."""
    return AuditEntry(
        seq=row["seq"],
        at=datetime.fromisoformat(row["at"]),
        actor=row["actor"],
        attestation=row["attestation"],
        action=row["action"],
        about=from_json(dict[str, Any], row["about"]),
        tenant=row["tenant"],
        owner=row["owner"],
        prev_hash=row["prev_hash"],
        hash=row["hash"],
    )


def conversation_of(row: Row) -> Conversation:
    """A row of `conversation`."""
    return Conversation(
        conversation_id=row["conversation_id"],
        scope=scope_of(row),
        title=row["title"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )


def run_of(row: Row) -> Run:
    """A row of `run`."""
    return Run(
        run_id=row["run_id"],
        conversation_id=row["conversation_id"],
        scope=scope_of(row),
        question_id=row["question_id"],
        state=RunState(row["state"]),
        text=row["text"],
        started_at=datetime.fromisoformat(row["started_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        model=row["model"],
        error=row["error"],
        answer_id=row["answer_id"],
        detail=from_json(dict[str, Any], row["detail"]),
    )


def run_values(run: Run) -> dict[str, Any]:
    """An answer as bound values of `put_run`."""
    return {
        "run_id": run.run_id,
        "conversation_id": run.conversation_id,
        **scope_values(run.scope),
        "question_id": run.question_id,
        "state": run.state.value,
        "text": run.text,
        "started_at": stamp(run.started_at),
        "updated_at": stamp(run.updated_at),
        "model": run.model,
        "error": run.error,
        "answer_id": run.answer_id,
        "detail": to_json(run.detail),
    }
