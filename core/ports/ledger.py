"""The ledger: what it reads, one transaction, the source of truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from core.model import (
    AuditEntry,
    Candidate,
    CandidateState,
    Conversation,
    Decision,
    Effect,
    Episode,
    HeldItem,
    Provenance,
    Run,
    Scope,
    SourceKind,
)
from core.ports.observed import ObservedReader
from core.ports.patterns import PatternReader, PatternTx
from core.ports.questions import QuestionReader, QuestionTx
from core.ports.review import DeskReader, DeskTx


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldFilter:
    """What the review list shows; every field is optional and they are AND-ed."""

    tenant: str
    owner: str | None = None
    source_kind: SourceKind | None = None
    source_ref: str | None = None
    cluster: str | None = None
    reason: str | None = None
    text: str | None = None
    states: tuple[CandidateState, ...] = (CandidateState.HELD,)
    alike: str | None = None  # key of near-duplicates (`core.alike`)
    older_than: datetime | None = None  # came in before
    assigned_to: str | None = None  # user id of who was asked
    snoozed: bool = False  # False: what is put off beyond `at` is left out; True: only that
    at: datetime | None = None  # now; None: nothing is left out for being put off
    order: str = "oldest"  # one of `core.queueing.ORDERS`


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldGroup:
    """Held items of one place of origin (`core.clusters`): the review page decides a group in one act.

    Kind, source and title are those of its oldest item, and of all of them where `sources` is 1.
    """

    source_kind: SourceKind
    source_ref: str
    title: str
    owner: str
    count: int
    oldest: datetime
    cluster: str = ""
    sources: int = 1
    alike: str = ""  # key of the near-duplicates that it holds; "" where it was grouped by source
    flagged: int = 0  # how many of them may not be promoted together
    sample: str = ""  # the words of its first item
    first_id: str = ""  # that item's id


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueTally:
    """Counts of the review queue."""

    held: int
    oldest: datetime | None
    held_since: int
    promoted_since: int
    rejected_since: int
    snoozed: int = 0  # put off beyond the time that was given; not among `held`
    alone_since: int = 0  # of `held_since`: flagged or of an impact tier, so never decided together (core.queueing)


@dataclass(frozen=True, kw_only=True, slots=True)
class OutboxItem:
    """An effect waiting to be relayed, with the audit position it was committed at (the store witnesses it)."""

    effect: Effect
    ledger_seq: int
    ledger_head: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AppliedEffect:
    """An effect that the ledger holds as applied, by its place in the order of all."""

    number: int
    effect_id: str
    scope: Scope  # the owner's; agents' spaces are not told apart


@dataclass(frozen=True, kw_only=True, slots=True)
class ChainReport:
    """Result of verifying the audit chain (rules §8.2)."""

    ok: bool
    entries: int
    head_seq: int
    head_hash: str
    broken_seq: int | None = None
    problem: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """An episode as an input of a model call: its envelope, without its words."""

    episode_id: str
    serial_no: int
    provenance: Provenance


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """What an erasure took away, for its certificate (rules §2.9)."""

    episodes: int
    candidates: int
    decisions: int
    conversations: int
    effects: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Support:
    """One statement of a value in a slot, as the policy first saw it."""

    origin: str  # Evidence.origin
    trust: float  # effective
    at: datetime  # when it was stated: the earlier of its own date and its receipt (rules §3.2)
    episode_id: str


class LedgerReader(DeskReader, QuestionReader, ObservedReader, PatternReader, Protocol):
    """Read-only face of the ledger. Every call sees committed data only."""

    def inputs_before(self, scope: Scope, conversation_id: str, *, before: int) -> list[Input]:
        """What of a conversation came before serial number `before` and is not wholly the user's own words.

        That is every episode of another channel, and user turns with pasted parts; in order of receipt. `before` 0
        means all of them.
        """

    def first_seen(self, scope: Scope, marks: Sequence[int], *, before: int = 0) -> dict[int, Input]:
        """For each mark the owner's earliest episode that bears it, before serial number `before` (0: of all).

        A mark is a fingerprint (core.spans) or a literal's (core.literals); marks never seen are left out.
        """

    def epoch(self, scope: Scope) -> int:
        """Number of the owner's last enqueued effect; 0 if none. Grows with every change of the owner's memories."""

    def last_effect(self, scope: Scope) -> str:
        """Id of the owner's last enqueued effect, applied or not, of whichever agent; "" if there is none."""

    def applied(self, *, limit: int, before: int = 0) -> list[AppliedEffect]:
        """Effects of every owner that were marked as applied, the last enqueued first, of those before any that waits.

        Args:
            limit: how many at most.
            before: only those with a smaller number; 0: all.
        """

    def waiting(self, scope: Scope) -> int:
        """Number of the owner's effects that are not applied to the store yet."""

    def support(self, scope: Scope, slot_key: str, value: str) -> list[Support]:
        """Who else says so: the candidates with this value in this slot, in order of receipt.

        Admitted, promoted and held ones of the owner; the value is compared normalised (core.conflict.same_value).
        """

    def derived(self, scope: Scope, memory_id: str) -> list[HeldItem]:
        """Admitted and promoted candidates whose roots name this memory: a revocation takes them along (§1.11)."""

    def episode(self, episode_id: str) -> Episode | None:
        """One episode by id."""

    def episodes(self, scope: Scope, conversation_id: str, *, limit: int = 200) -> list[Episode]:
        """The conversation's episodes (turns and attachments) in order of receipt, the last `limit` of them."""

    def processed(self, episode_id: str) -> bool:
        """Whether an episode has been through the write path (or was never meant to)."""

    def attempts(self, episode_id: str) -> int:
        """How often an episode was leased; 0 if unknown."""

    def conversation_scope(self, conversation_id: str) -> Scope | None:
        """Whose conversation it is, deleted ones included; None if nothing was ever written to it."""

    def unprocessed(self) -> int:
        """Episodes not yet taken through the write path, plus effects not yet applied."""

    def candidate(self, candidate_id: str) -> HeldItem | None:
        """One candidate with its state and latest decision."""

    def candidates_of(self, episode_id: str) -> list[HeldItem]:
        """All candidates of one episode, in order of their span."""

    def items_of_slot(self, scope: Scope, slot_key: str, *, limit: int = 200) -> list[HeldItem]:
        """All candidates of a scope's slot (normalised subject and attribute), in order of receipt."""

    def held(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldItem], int]:
        """One page of items, oldest first, and the true total."""

    def held_groups(
        self, where: HeldFilter, *, by: str = "source", limit: int = 50, offset: int = 0
    ) -> tuple[list[HeldGroup], int]:
        """Items grouped by (owner, cluster), or with `by` "alike" by near-duplicates, in the filter's order.

        The second number is how many groups there are in all.
        """

    def tally(self, tenant: str, *, owner: str | None, since: datetime, at: datetime | None = None) -> QueueTally:
        """Numbers of the review strip: what waits, and what people and the gate did since a time.

        What is put off beyond `at` does not wait.
        """

    def ruled(self, tenant: str, *, owner: str | None, since: datetime, limit: int = 20) -> list[HeldItem]:
        """Candidates whose latest decision is a person's and not older than `since`, newest first."""

    def ruled_by_policy(self, tenant: str, owner: str | None, limit: int) -> list[HeldItem]:
        """Candidates as the machine ruled on them: each with its first decision by the policy, newest first."""

    def declined(self, scope: Scope, digest: str) -> bool:
        """Whether a person rejected these very words (sha256 of the statement) in this scope before."""

    def decisions(self, candidate_id: str) -> list[Decision]:
        """Every decision on one candidate, oldest first."""

    def audit(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        action: str | None = None,
        about: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        """Audit entries, newest first, and the true total. `action` is a prefix, `about` any id an entry names.

        `actor` is who did it; times are from `since` on and before `until`.
        """

    def tenants(self) -> list[str]:
        """Every tenant that the audit names, in order."""

    def head(self) -> tuple[int, str]:
        """(sequence, hash) of the last audit entry; (0, "") when there is none."""

    def verify(self, *, witnessed: tuple[int, str] | None = None) -> ChainReport:
        """Recompute the chain; with a head witnessed elsewhere, also find a cut tail or a rewritten chain."""

    def conversations(self, scope: Scope, *, limit: int = 50) -> list[Conversation]:
        """The scope's conversations, last used first, deleted ones left out."""

    def conversation(self, scope: Scope, conversation_id: str) -> Conversation | None:
        """One conversation of this scope, unless deleted."""

    def run(self, run_id: str) -> Run | None:
        """One answer."""

    def runs(self, scope: Scope, conversation_id: str) -> list[Run]:
        """All answers of a conversation, oldest first."""


class LedgerFile(Protocol):
    """What a ledger can do with the place it is kept in."""

    def compact(self) -> None:
        """Leave no deleted word in the ledger's own files."""

    def snapshot(self, path: Path) -> tuple[int, str]:
        """Write a verified copy into a SQLite file; gives its head."""


class LedgerTx(DeskTx, QuestionTx, PatternTx, Protocol):
    """One ledger transaction: everything written through it is committed together or not at all."""

    def add_episode(self, episode: Episode, *, idempotency_key: str | None, inbox: bool) -> Episode:
        """Store an episode and give it its serial number; `inbox` puts it before the worker.

        The same `idempotency_key` in the same scope returns the episode stored first, and writes nothing.
        """

    def finish_episode(self, episode_id: str, *, worker: str) -> None:
        """Mark the leased episode as taken through the write path.

        Raises:
            LeaseLost: the lease is no longer this worker's.
        """

    def add_candidate(self, candidate: Candidate, *, state: CandidateState, at: datetime) -> None:
        """Store a candidate in its first state."""

    def move_candidate(self, candidate_id: str, *, seen_version: int, state: CandidateState, at: datetime) -> int:
        """Change a candidate's state by compare-and-swap and return its new version.

        Raises:
            StaleReview: the version is no longer `seen_version`; the message says who changed it.
        """

    def add_decision(self, decision: Decision) -> None:
        """Store a decision with its evidence."""

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
        """Append one entry to the chain."""

    def erasing(self, tenant: str, owner: str) -> bool:
        """Whether the erasure of an owner was begun: nothing is taken in for them any more (rules §2.9)."""

    def keyed_digest(self, tenant: str, owner: str, text: str) -> str:
        """HMAC-sha256 of `text` under the owner's key (made on first use; destroyed by erasure, rules §8.1)."""

    def check_epoch(self, scope: Scope, epoch: int) -> None:
        """Compare-and-swap on the owner's memories (rules §3.6).

        Raises:
            Outdated: an effect was enqueued since `epoch` was read; nothing is written, judge again.
        """

    def scrub(self, candidate_id: str) -> None:
        """Take a candidate's words out of the ledger for good (purge); its decisions and digests stay."""

    def erase(self, tenant: str, owner: str) -> Erasure:
        """Delete every word of an owner and their key; the audit stays (rules §2.9)."""

    def requeue_effects(self) -> int:
        """Mark every effect as not applied, to rebuild an emptied store; returns how many."""

    def requeue(self, effect_ids: Sequence[str]) -> int:
        """Mark these as not applied, for a store that lost them; returns how many of them had been."""

    def enqueue(self, effect: Effect) -> None:
        """Put an effect in the outbox, after everything enqueued before it."""

    def mark_applied(self, effect_id: str, *, at: datetime) -> bool:
        """Mark an effect as applied; False if it already was."""

    def put_conversation(self, conversation: Conversation) -> None:
        """Insert or update a conversation's title and time."""

    def delete_conversation(self, scope: Scope, conversation_id: str, *, at: datetime) -> None:
        """Take a conversation out of the list; its episodes stay."""

    def put_run(self, run: Run) -> None:
        """Insert or update an answer."""

    def beat_run(self, run_id: str, *, at: datetime) -> bool:
        """A sign of life of a running answer; False if it runs no more."""

    def stop_run(self, run_id: str, *, at: datetime) -> bool:
        """End a running answer as stopped, whichever process gives it; False if it runs no more."""


class Ledger(LedgerReader, Protocol):
    """The source of truth."""

    def transaction(self) -> AbstractContextManager[LedgerTx]:
        """Open a write transaction (BEGIN IMMEDIATE); commits at the end, rolls back on any exception.

        Raises:
            LedgerUnavailable: the file cannot be written (locked too long, read-only, disk full).
        """

    def claim(self, *, worker: str, now: datetime, lease_seconds: float) -> Episode | None:
        """Lease the oldest unprocessed episode of any owner that has none leased; None if there is nothing to do.

        Episodes of one owner are therefore worked on one at a time and in order of receipt. An expired lease is
        taken over.
        """

    def renew(self, episode_id: str, *, worker: str, now: datetime, lease_seconds: float) -> bool:
        """Prolong a lease while its work goes on; False if it is no longer this worker's."""

    def release(self, episode_id: str, *, worker: str, retry_at: datetime) -> None:
        """Give a lease back unfinished; not claimed again before `retry_at`."""

    def outbox(self, *, limit: int = 100) -> list[OutboxItem]:
        """Effects not yet applied, in order."""

    def close(self) -> None:
        """Close every connection."""
