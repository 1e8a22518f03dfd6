"""What can be written in one ledger transaction."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.audit import GENESIS, entry_of, make_link, stamp
from core.errors import BadInput, LeaseLost, NotFound, Outdated, StaleReview
from core.ledger import imports, items
from core.ledger.codec import to_json
from core.ledger.deskwrites import DeskWrites, leave_desk, place
from core.ledger.dialect import Connection
from core.ledger.marks import add_marks
from core.ledger.patterns import mark_patterns, put_pattern
from core.ledger.policies import add_policy
from core.ledger.questions import QuestionWrites
from core.ledger.removal import erase, scrub
from core.ledger.rows import (
    candidate_values,
    decision_values,
    episode_of,
    episode_values,
    link_values,
    run_values,
    scope_values,
    searched_text,
)
from core.ledger.transferwrites import TransferWrites
from core.model import AuditEntry, Candidate, CandidateState, Conversation, Decision, Effect, Episode, Run, Scope
from core.ports import Erasure, ImportResult, ImportRun, ItemPlace, KnownItem, Pattern, PolicyVersion

_KEY_BYTES = 32  # an owner's HMAC-sha256 key: as long as the digest


class StoredLedgerTx(DeskWrites, QuestionWrites, TransferWrites):
    """Implements `core.ports.LedgerTx` on a connection inside BEGIN IMMEDIATE."""

    def __init__(self, connection: Connection, *, hmac_key: bytes | None) -> None:
        """Made by `StoredLedger.transaction`, which seals and ends it."""
        self._connection: Connection | None = connection
        self._hmac_key = hmac_key
        self._candidate_ids: list[str] = []
        self._effect_ids: list[str] = []

    def add_episode(self, episode: Episode, *, idempotency_key: str | None, inbox: bool) -> Episode:
        """Store an episode and give it its serial number; `inbox` puts it before the worker.

        The same `idempotency_key` in the same scope returns the episode stored first, and writes nothing.
        """
        if idempotency_key is not None:
            scope = scope_values(episode.scope)
            earlier = self._db.row("episode_by_key", **scope, idempotency_key=idempotency_key)
            if earlier is not None:
                return episode_of(earlier)
        values = episode_values(episode)
        state = "new" if inbox else "kept"
        row = self._db.rows("add_episode", **values, idempotency_key=idempotency_key, state=state)[0]
        add_marks(self._db, episode.scope, row["serial_no"], episode.text)
        return replace(episode, serial_no=row["serial_no"])

    def finish_episode(self, episode_id: str, *, worker: str) -> None:
        """Mark the leased episode as taken through the write path.

        Raises:
            LeaseLost: the lease is no longer this worker's.
        """
        if not self._db.change("finish_episode", episode_id=episode_id, worker=worker):
            msg = f"the lease on episode {episode_id} is no longer {worker}'s: drop the work, another does it"
            raise LeaseLost(msg)

    def add_candidate(self, candidate: Candidate, *, state: CandidateState, at: datetime) -> None:
        """Store a candidate in its first state; its decision must follow in the same transaction.

        Raises:
            BadInput: the episode is unknown, or the span lies outside its text.
        """
        episode = self._db.row("episode", episode_id=candidate.episode_id)
        if episode is None:
            msg = f"candidate {candidate.candidate_id} cites episode {candidate.episode_id}, which is not stored"
            raise BadInput(msg)
        values = candidate_values(candidate, episode["text"])
        queue_no = self._db.rows("add_candidate", **values, state=state.value, at=stamp(at))[0]["queue_no"]
        self._db.change("add_candidate_search", queue_no=queue_no, searched=searched_text(candidate))
        self._candidate_ids.append(candidate.candidate_id)

    def move_candidate(self, candidate_id: str, *, seen_version: int, state: CandidateState, at: datetime) -> int:
        """Change a candidate's state by compare-and-swap and return its new version.

        Raises:
            StaleReview: the version is no longer `seen_version`; the message says who changed it.
            NotFound: there is no such candidate.
        """
        moved = self._db.rows(
            "move_candidate", candidate_id=candidate_id, seen_version=seen_version, state=state.value, at=stamp(at)
        )
        if moved:
            if state is not CandidateState.HELD:
                leave_desk(self._db, candidate_id)
            return int(moved[0]["version"])
        found = self._db.row("candidate_changed_by", candidate_id=candidate_id)
        if found is None:
            msg = f"there is no candidate {candidate_id}"
            raise NotFound(msg)
        msg = (
            f"changed by {found['decided_by']} at {found['updated_at']}: now {found['state']}, version "
            f"{found['version']}, not {seen_version}; look again"
        )
        raise StaleReview(msg)

    def add_decision(self, decision: Decision) -> None:
        """Store a decision with its evidence; it becomes its candidate's latest."""
        values = decision_values(decision)
        decision_no = self._db.rows("add_decision", **values)[0]["decision_no"]
        self._db.change("add_decision_reasons", decision_no=decision_no, reasons=values["reasons"])
        self._db.change("set_latest_decision", decision_no=decision_no, candidate_id=decision.candidate_id)
        evidence = decision.evidence
        self._db.change("set_cluster", candidate_id=decision.candidate_id, cluster=evidence.cluster)
        place(self._db, decision.candidate_id)
        roots = to_json([root.episode_id for root in evidence.roots])
        self._db.change("add_candidate_roots", candidate_id=decision.candidate_id, roots=roots)
        quoted = to_json([one.memory_id for one in evidence.incumbents] + [one.memory_id for one in evidence.opinions])
        self._db.change("add_decision_quotes", decision_no=decision_no, memory_ids=quoted)

    def append_audit(
        self,
        *,
        at: datetime,
        actor: str,
        action: str,
        tenant: str,
        owner: str,
        about: Mapping[str, Any],
        attestation: str = "none",
    ) -> AuditEntry:
        """Append one entry to the chain.

        Raises:
            BadInput: the action, attestation or `about` is malformed, or `about` holds content.
        """
        link = make_link(
            self._head(),
            at=at,
            actor=actor,
            action=action,
            tenant=tenant,
            owner=owner,
            about=about,
            attestation=attestation,
            key=self._hmac_key,
        )
        self._db.change("add_audit", **link_values(link))
        return entry_of(link)

    def erasing(self, tenant: str, owner: str) -> bool:
        """Whether the erasure of an owner was begun: nothing is taken in for them any more (rules §2.9)."""
        return self._db.row("erasing", tenant=tenant, owner=owner) is not None

    def keyed_digest(self, tenant: str, owner: str, text: str) -> str:
        """HMAC-sha256 of `text` under the owner's key (made on first use; destroyed by erasure, rules §8.1)."""
        row = self._db.row("owner_key", tenant=tenant, owner=owner)
        if row is None:
            key = secrets.token_bytes(_KEY_BYTES)
            self._db.change("add_owner_key", tenant=tenant, owner=owner, key=key)
        else:
            key = row["key"]
        return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def check_epoch(self, scope: Scope, epoch: int) -> None:
        """Compare-and-swap on the owner's memories (rules §3.6); what this transaction enqueued itself does not count.

        Raises:
            Outdated: an effect was enqueued since `epoch` was read; nothing is written, judge again.
        """
        row = self._db.row("epoch", tenant=scope.tenant, owner=scope.owner)
        now = row["outbox_no"] if row else 0
        if now != epoch:
            msg = f"the owner's memories changed while they were judged (effect {now}, not {epoch}): judge again"
            raise Outdated(msg)

    def scrub(self, candidate_id: str) -> None:
        """Take a candidate's words out of its own row, decisions and effects, and out of what others recorded of it.

        Ids, digests, reasons and numbers stay. In the texts that stated it and the answers that repeated it the words
        are blanked. The bytes are gone from the file after `StoredLedger.compact`.

        Raises:
            NotFound: there is no such candidate.
        """
        scrub(self._db, candidate_id)

    def erase(self, tenant: str, owner: str) -> Erasure:
        """Delete every row of an owner that holds words, and their key; the audit stays (rules §2.9).

        The bytes are gone from the file after `StoredLedger.compact`.
        """
        return erase(self._db, tenant, owner)

    def requeue_effects(self) -> int:
        """Mark every effect as not applied, to rebuild an emptied store; returns how many had been."""
        return self._db.change("requeue_effects")

    def requeue(self, effect_ids: Sequence[str]) -> int:
        """Mark these as not applied, for a store that lost them; returns how many of them had been."""
        return self._db.change("requeue", effect_ids=to_json(list(effect_ids)))

    def enqueue(self, effect: Effect) -> None:
        """Put an effect in the outbox, after everything enqueued before it."""
        self._db.change("enqueue", effect_id=effect.effect_id, effect=to_json(effect))
        self._effect_ids.append(effect.effect_id)

    def mark_applied(self, effect_id: str, *, at: datetime) -> bool:
        """Mark an effect as applied; False if it already was.

        Raises:
            NotFound: the ledger never enqueued it.
        """
        if self._db.change("mark_applied", effect_id=effect_id, at=stamp(at)):
            return True
        if self._db.row("effect_known", effect_id=effect_id) is None:
            msg = f"there is no effect {effect_id} in the outbox"
            raise NotFound(msg)
        return False

    def put_conversation(self, conversation: Conversation) -> None:
        """Insert or update a conversation's title and time; a deleted one stays out of the list.

        Raises:
            NotFound: the id belongs to another scope's conversation.
        """
        written = self._db.change(
            "put_conversation",
            conversation_id=conversation.conversation_id,
            **scope_values(conversation.scope),
            title=conversation.title,
            created_at=stamp(conversation.created_at),
            updated_at=stamp(conversation.updated_at),
        )
        if not written:
            msg = f"there is no conversation {conversation.conversation_id}"
            raise NotFound(msg)

    def delete_conversation(self, scope: Scope, conversation_id: str, *, at: datetime) -> None:
        """Take a conversation out of the list; its episodes stay. One that is not there is left so."""
        self._db.change("delete_conversation", **scope_values(scope), conversation_id=conversation_id, at=stamp(at))

    def add_policy(self, version: PolicyVersion) -> None:
        """Store a version of the policy as its tenant's next.

        Raises:
            StaleReview: another one took this number; nothing is written.
        """
        add_policy(self._db, version)

    def put_pattern(self, pattern: Pattern) -> None:
        """Insert a pattern of version 0, or change the one of this version.

        Raises:
            StaleReview: it was changed meanwhile.
        """
        put_pattern(self._db, pattern)

    def mark_patterns(self, scope: Scope, *, through: int, policy_digest: str) -> None:
        """Remember how far a look at an owner went."""
        mark_patterns(self._db, scope, through=through, policy_digest=policy_digest)

    def put_import(self, run: ImportRun) -> None:
        """Insert or update an import's run.

        Raises:
            NotFound: the id belongs to another scope's run.
        """
        imports.put_import(self._db, run)

    def put_known_item(self, item: KnownItem) -> None:
        """Keep the newest version of an imported item."""
        imports.put_known_item(self._db, item)

    def add_import_results(self, run_id: str, results: Sequence[ImportResult]) -> None:
        """Keep what became of entries; the same number again is written over."""
        imports.add_import_results(self._db, run_id, results)

    def put_item(self, place: ItemPlace, *, episode_id: str, digest: str, worth: float, at: datetime) -> None:
        """Keep the newest value of an agent's key."""
        items.put_item(self._db, place, episode_id=episode_id, digest=digest, worth=worth, at=at)

    def drop_item(self, place: ItemPlace) -> bool:
        """Keep an agent's key no more; False if there was none."""
        return items.drop_item(self._db, place)

    def put_run(self, run: Run) -> None:
        """Insert or update an answer.

        Raises:
            NotFound: the id belongs to another scope's or conversation's answer.
        """
        if not self._db.change("put_run", **run_values(run)):
            msg = f"there is no answer {run.run_id}"
            raise NotFound(msg)

    def beat_run(self, run_id: str, *, at: datetime) -> bool:
        """A sign of life of a running answer; False if it runs no more."""
        return bool(self._db.change("beat_run", run_id=run_id, at=stamp(at)))

    def stop_run(self, run_id: str, *, at: datetime) -> bool:
        """End a running answer as stopped, whichever process gives it; False if it runs no more."""
        return bool(self._db.change("stop_run", run_id=run_id, at=stamp(at)))

    def seal(self) -> None:
        """Last act before the commit: no candidate stays undecided, and effects learn their audit position.

        Raises:
            BadInput: a candidate was added without a decision.
        """
        if self._candidate_ids:
            undecided = self._db.row("undecided", candidate_ids=to_json(self._candidate_ids))
            if undecided is not None:
                msg = f"candidate {undecided['candidate_id']} was added without a decision: nothing was written"
                raise BadInput(msg)
        if self._effect_ids:
            seq, head = self._head()
            self._db.change("stamp_outbox", seq=seq, head=head, effect_ids=to_json(self._effect_ids))

    def end(self) -> None:
        """Make the object useless: a statement after the commit would stand outside every transaction."""
        self._connection = None

    @property
    def _db(self) -> Connection:
        if self._connection is None:
            msg = "this ledger transaction has ended"
            raise RuntimeError(msg)
        return self._connection

    def _head(self) -> tuple[int, str]:
        row = self._db.row("head")
        return (row["seq"], row["hash"]) if row else (0, GENESIS)
