"""What the core asks of the outside: small Protocols, so that rules never meet a driver.

Synchronous throughout. Adapters live in `core.ledger`, `core.store` and `core.llm`; fakes in `tests/fakes.py` pass the
same contract suite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
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
    Extraction,
    HeldItem,
    Hit,
    Memory,
    MemoryStatus,
    Opinion,
    Person,
    Provenance,
    Role,
    Run,
    Scope,
    ScoredMemory,
    SourceKind,
    Turn,
)


class Clock(Protocol):
    """Time, so that tests can set it."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""


class Ids(Protocol):
    """Identifiers that sort by time of making (UUID version 7)."""

    def new(self) -> str:
        """A fresh identifier: 36 characters."""


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def identity(self) -> str:
        """Name and sha256 of the weights (or endpoint and model): what the chain's first entry records."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order.

        Raises:
            ModelUnavailable: the endpoint did not answer.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractionContext:
    """What an extractor may look at beside the episode: never text below the threshold, never held words."""

    now: datetime  # time of statement; relative dates count from here
    recent: tuple[Turn, ...] = ()  # earlier turns of the same conversation, oldest first
    known: tuple[Memory, ...] = ()  # active facts of the owner that corrections may refer to, most recent first


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two statements of one owner for a judge: a candidate's and a memory's."""

    candidate: str
    memory_id: str
    memory: str


class Judge(Protocol):
    """Says whether statements contradict. An untrusted part: its word can hold, never admit (rules §1.12, §3.1b)."""

    @property
    def judge_id(self) -> str:
        """The model's name; "" for the judge that does not judge, which is honest about it."""

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion a pair, in order; none at all when nobody is configured to judge.

        Raises:
            ModelUnavailable, ModelReplyUnusable: the caller records a gap and opens a conflict card.
        """


class Extractor(Protocol):
    """Reads facts out of one episode. An untrusted parser: it sets no trust and no scope (rules §7.2)."""

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        """The proposals found, each citing its span; failures come back as gaps, not exceptions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatMessage:
    """One message of a prompt. `cache` asks for `cache_control: ephemeral` on it (rules §6.4)."""

    role: str
    content: str
    cache: bool = False


class ChatModel(Protocol):
    """A language model behind an OpenAI-compatible endpoint."""

    @property
    def model_id(self) -> str:
        """The model's name, as recorded in the audit."""

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """Pieces of the answer as they arrive.

        Raises:
            ModelUnavailable: no answer within the deadline, retries included.
        """

    def complete_json(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One reply that satisfies the JSON schema; temperature 0, thinking off.

        Raises:
            ModelUnavailable: no answer within the deadline.
            ModelReplyUnusable: the reply is not JSON of that schema.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplyContext:
    """What the no-model responder makes its answer from."""

    now: datetime
    scope: Scope
    hits: tuple[Hit, ...]  # recalled for the message, best first, possibly more than top_k
    learned: tuple[tuple[Candidate, Decision], ...] = ()  # what the gate would decide about this very message
    recent: tuple[Turn, ...] = ()  # earlier turns of this conversation, oldest first
    attached: tuple[Turn, ...] = ()  # attachments of this conversation: data, with their trust
    withheld: int = 0  # held facts that match the question: counted, never quoted


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """A finished answer and the memories it cites: [1] is cited[0]."""

    text: str
    cited: tuple[Memory, ...] = ()


class FactLookup(Protocol):
    """Active facts by slot, for a responder that knows which attribute a question asks for."""

    def by_slot(self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20) -> list[Memory]:
        """Active, unexpired memories with one of `attributes` (and that subject, if given), newest statement first."""

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> list[Memory]:
        """Active, unexpired memories whose subject is `subject` (case-insensitive), most important first."""


class Responder(Protocol):
    """Answers without a model: natural sentences made from recalled facts, with citations."""

    def reply(self, message: str, context: ReplyContext, lookup: FactLookup) -> Reply:
        """The answer to one user message. Pure but for `lookup`."""


# --- ledger -----------------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueTally:
    """Counts of the review queue."""

    held: int
    oldest: datetime | None
    held_since: int
    promoted_since: int
    rejected_since: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OutboxItem:
    """An effect waiting to be relayed, with the audit position it was committed at (the store witnesses it)."""

    effect: Effect
    ledger_seq: int
    ledger_head: str


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


class LedgerReader(Protocol):
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

    def waiting(self, scope: Scope) -> int:
        """Number of the owner's effects that are not applied to the store yet."""

    def support(self, scope: Scope, slot_key: str, value: str) -> list[tuple[str, float]]:
        """Who else says so: (Evidence.origin, effective trust) of candidates with this value in this slot, in order.

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

    def held(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldItem], int]:
        """One page of items, oldest first, and the true total."""

    def held_groups(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldGroup], int]:
        """Items grouped by (owner, source), oldest group first, and the number of groups."""

    def tally(self, tenant: str, *, owner: str | None, since: datetime) -> QueueTally:
        """Numbers of the review strip: what waits, and what people and the gate did since a time."""

    def ruled(self, tenant: str, *, owner: str | None, since: datetime, limit: int = 20) -> list[HeldItem]:
        """Candidates whose latest decision is a person's and not older than `since`, newest first."""

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
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        """Audit entries, newest first, and the true total. `action` is a prefix, `about` any id an entry names."""

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
    """What a ledger that is a file can do beside."""

    def compact(self) -> None:
        """Leave no deleted word in the file's bytes."""

    def snapshot(self, path: Path) -> tuple[int, str]:
        """Write a verified copy; gives its head."""


class LedgerTx(Protocol):
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


# --- store ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryFilter:
    """What the Memories page lists; fields are AND-ed."""

    text: str | None = None
    statuses: tuple[MemoryStatus, ...] = (MemoryStatus.ACTIVE,)
    kinds: tuple[str, ...] = ()
    source_kinds: tuple[SourceKind, ...] = ()


class MemoryReader(FactLookup, Protocol):
    """Read-only face of the store. Every call is confined to the scope by SQL and by row-level security."""

    def search(
        self,
        scope: Scope,
        *,
        vector: Sequence[float],
        query: str,
        at: datetime,
        limit: int,
        include_archived: bool = False,
    ) -> list[ScoredMemory]:
        """The nearest active, unexpired memories by meaning and the best by words, each with both raw signals.

        `limit` bounds each of the two lists; their union is returned, unranked, with the live memories that one link
        leads to from the best of them (rules §4.2), all in one statement.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def nearest(self, scope: Scope, *, vector: Sequence[float], at: datetime, limit: int) -> list[ScoredMemory]:
        """The `limit` nearest live memories by meaning alone, best first: what a statement may meet (rules §3.1b).

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """

    def slot(
        self, scope: Scope, slot_key: str, *, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)
    ) -> list[Memory]:
        """Memories in one slot, in the given statuses."""

    def as_of(
        self, scope: Scope, *, vector: Sequence[float], query: str, then: datetime, limit: int
    ) -> list[ScoredMemory]:
        """`search` over what was current at `then`: by record time and by valid time, tombstones left out (§3.4)."""

    def genuine(self, one: ScoredMemory) -> bool:
        """Whether the row carries the seal of this installation; a row put in past the ledger does not (§8.1)."""

    def of_conversation(self, scope: Scope, conversation_id: str, *, limit: int = 50) -> list[Memory]:
        """Active memories of one conversation, newest first."""

    def get(self, scope: Scope, memory_id: str) -> Memory | None:
        """One memory in any status."""

    def recent(self, scope: Scope, *, limit: int = 50) -> list[Memory]:
        """Active facts (no events), last stated first."""

    def of_episode(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Active memories that one episode made, its event included."""

    def pinned(self, scope: Scope, *, limit: int = 50) -> list[Memory]:
        """The profile: pinned memories, then the most important durable facts."""

    def count(self, scope: Scope) -> dict[MemoryStatus, int]:
        """Number of memories by status."""

    def witness(self) -> tuple[int, str]:
        """The highest (ledger_seq, ledger_head) that an effect or a relay brought; (0, "") before the first effect."""

    def ping(self) -> None:
        """Raise StoreUnavailable unless Postgres answers."""

    def list(self, scope: Scope, where: MemoryFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[Memory], int]:
        """One page of memories, last stated first, and the true total."""


class MemoryWriter(Protocol):
    """The relay's face of the store: only `core.enact` holds one."""

    def apply(self, item: OutboxItem, *, embedding: Sequence[float] | None) -> bool:
        """Apply one effect in one transaction, with its witness; False if it had been applied before.

        Raises:
            StoreUnavailable: Postgres is not reachable; nothing was applied.
        """

    def witness_head(self, ledger_seq: int, ledger_head: str) -> None:
        """Move the witnessed head forwards; a store that no effect ever reached goes on witnessing nothing.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """


class StoreKeeper(Protocol):
    """Maintenance that no relayed effect can express; only `core.lifecycle` is given one."""

    def erase(self, tenant: str, owner: str) -> int:
        """Delete every row of an owner, their account and sessions included; returns the number of memories."""

    def clear(self) -> None:
        """Delete all memories, links and applied effects of every owner, to rebuild them from the ledger."""

    def reconcile(self, scope: Scope) -> list[str]:
        """Ids of the scope's rows without a genuine seal (rules §8.1)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A signed-in browser. Only the sha256 of the cookie's token is stored."""

    session_id: str
    user_id: str
    created_at: datetime
    last_seen_at: datetime
    address: str
    user_agent: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Throttle:
    """Failed sign-ins under one key (an account or an address)."""

    failures: int
    blocked_until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """A one-time link that makes an account. Only the sha256 of its token is stored."""

    token_hash: str
    tenant: str
    role: Role
    expires_at: datetime
    created_by: str
    username: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


class People(Protocol):
    """Accounts and sessions, kept in the store. Called by `core.accounts` only, which authorises."""

    def add(self, person: Person, password_hash: str) -> None:
        """Insert an account.

        Raises:
            BadInput: the user name is taken (compared case-insensitively).
        """

    def by_username(self, username: str) -> tuple[Person, str] | None:
        """The account (case-insensitive) and its password hash."""

    def by_id(self, user_id: str) -> Person | None:
        """One account."""

    def all(self, tenant: str) -> list[Person]:
        """Every account of a tenant, by user name."""

    def count(self) -> int:
        """Number of accounts in all tenants: 0 means first start."""

    def update(
        self,
        user_id: str,
        *,
        role: Role | None = None,
        disabled: bool | None = None,
        password_hash: str | None = None,
        display_name: str | None = None,
    ) -> None:
        """Change the given columns of one account."""

    def open_session(self, session: Session, token_hash: str) -> None:
        """Insert a session."""

    def session(self, token_hash: str) -> Session | None:
        """The session of a token, ended ones left out."""

    def session_by_id(self, session_id: str) -> Session | None:
        """One session by its id, ended ones left out."""

    def sessions(self, user_id: str) -> list[Session]:
        """Open sessions of one person, last used first."""

    def touch_session(self, session_id: str, at: datetime) -> None:
        """Record use."""

    def end_session(self, session_id: str) -> None:
        """End one session."""

    def end_sessions(self, user_id: str, *, but: str | None = None) -> int:
        """End every session of a person, except one if given; returns how many."""

    def throttle(self, key: str) -> Throttle:
        """Failures recorded under a key."""

    def set_throttle(self, key: str, throttle: Throttle) -> None:
        """Replace the record; failures 0 deletes it."""

    def add_invitation(self, invitation: Invitation) -> None:
        """Insert an invitation."""

    def take_invitation(self, token_hash: str, *, now: datetime, consume: bool) -> Invitation | None:
        """The unexpired, unused invitation of a token; `consume` uses it up in the same statement."""
