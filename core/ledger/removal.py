"""Takes words out of the ledger: one fact's (purge) or everything of an owner (erasure), rules §2.9.

SQLite zeroes what these statements delete (`secure_delete`), but only `StoredLedger.compact` leaves no byte of it.
"""

from __future__ import annotations

from dataclasses import replace

from core.errors import NotFound
from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Connection
from core.ledger.patterns import scrub_pattern
from core.ledger.redaction import redact
from core.ledger.rows import decision_of, item_of, proposal_values
from core.ledger.scrub import PURGED, scrubbed_decision, scrubbed_effect, scrubbed_evidence, scrubbed_proposal
from core.model import Candidate, Decision, Effect, EffectKind
from core.ports import Erasure

_ERASE = (  # in an order that leaves no row pointing at one that is gone
    "erase_kept_items",
    "erase_patterns",
    "erase_pattern_marks",
    "erase_marks",
    "erase_mark_owner",
    "erase_roots",
    "erase_quotes",
    "unlink_decisions",
    "erase_decisions",
    "erase_candidates",
    "erase_episodes",
    "erase_runs",
    "erase_conversations",
    "erase_effects",
    "erase_owner_key",
    "erase_policy_notes",
    "erase_questions",
    "erase_aliases",
    "erase_imported_items",
    "erase_import_results",
    "erase_imports",
)


def scrub(connection: Connection, candidate_id: str) -> None:
    """Replace a candidate's words in its own rows, in those of who only said it again, and where others repeat them.

    Raises:
        NotFound: there is no such candidate.
    """
    row = connection.row("item", candidate_id=candidate_id)
    if row is None:
        msg = f"there is no candidate {candidate_id}"
        raise NotFound(msg)
    effects = [from_json(Effect, found["effect"]) for found in connection.rows("effects_on", memory_id=candidate_id)]
    again = [one.effect_id.partition(":")[0] for one in effects if one.kind is EffectKind.CONFIRM]
    reworded = connection.row("rewording_of", candidate_id=candidate_id)
    if reworded is not None:  # the edited words and those they were made from are one fact
        again += [one for one in (reworded["original_id"], reworded["candidate_id"]) if one != candidate_id]
    rows = [row, *(connection.row("item", candidate_id=one) for one in dict.fromkeys(again))]
    said = [item_of(one).candidate for one in rows if one is not None]
    for one in said:
        _scrub_rows(connection, one)
        scrub_pattern(connection, one.candidate_id)
    connection.change("scrub_aliases")
    connection.change("scrub_key_questions")
    for effect in map(scrubbed_effect, effects):
        connection.change("scrub_effect", effect_id=effect.effect_id, effect=to_json(effect))
    worded = [one for one in said if one.text != PURGED]
    if worded:
        redact(connection, worded, candidate_id)


def _scrub_rows(connection: Connection, candidate: Candidate) -> None:
    candidate_id = candidate.candidate_id
    proposal = scrubbed_proposal(candidate.proposal)
    connection.change("scrub_candidate", candidate_id=candidate_id, excerpt=PURGED, **proposal_values(proposal))
    connection.change("scrub_candidate_search", candidate_id=candidate_id)
    connection.change("scrub_alike", candidate_id=candidate_id)
    connection.change("scrub_questions", candidate_id=candidate_id)
    connection.change("scrub_approvals", candidate_id=candidate_id)
    connection.change("clear_desk_notes", candidate_id=candidate_id)
    for found in connection.rows("decisions", candidate_id=candidate_id):
        _rewrite(connection, scrubbed_decision(decision_of(found)))
    for found in connection.rows("decisions_quoting", memory_id=candidate_id):
        other = decision_of(found)
        _rewrite(connection, replace(other, evidence=scrubbed_evidence(other.evidence, candidate_id)))


def erase(connection: Connection, tenant: str, owner: str) -> Erasure:
    """Delete every row of an owner that holds words, and their key; the audit is not touched."""
    gone = {statement: connection.change(statement, tenant=tenant, owner=owner) for statement in _ERASE}
    return Erasure(
        episodes=gone["erase_episodes"],
        candidates=gone["erase_candidates"],
        decisions=gone["erase_decisions"],
        conversations=gone["erase_conversations"],
        effects=gone["erase_effects"],
    )


def _rewrite(connection: Connection, decision: Decision) -> None:
    connection.change(
        "scrub_decision",
        decision_id=decision.decision_id,
        evidence=to_json(decision.evidence),
        effects=to_json(decision.effects),
        note=decision.note,
    )
