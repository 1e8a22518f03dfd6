"""The nouns of the product: frozen, keyword-only values and the enums they use.

Standard library only. An object that exists is valid: constructors refuse naive times, empty scopes and numbers
outside their range. Every time is aware and in UTC; trust, importance and scores are floats in [0, 1].
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

CONSOLE = "console"  # the memory that people chat with
INFERRED = "rules:patterns"  # extractor of what code concluded out of several episodes: set by code alone (rules §5.3)


class SourceKind(StrEnum):
    """The channel class a text came in by (rules §1.1). Set by the server, never by a caller."""

    USER_TURN = "user_turn"
    AGENT_TURN = "agent_turn"
    TOOL_OUTPUT = "tool_output"
    THIRD_PARTY = "third_party"
    EXTERNAL_DOC = "external_doc"
    WEB_CONTENT = "web_content"


class MemoryKind(StrEnum):
    """What sort of memory a fact becomes (rules §2.1)."""

    WORKING = "working"
    EVENT = "event"
    FACT = "fact"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    LESSON = "lesson"
    PINNED = "pinned"


class SpeechAct(StrEnum):
    """What a sentence does. Only assertions, and the owner's own directives, can become memory (rules §1.5, §1.9)."""

    ASSERTION = "assertion"
    DIRECTIVE = "directive"
    RETRACTION = "retraction"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    FICTION = "fiction"
    SOCIAL = "social"


class Verdict(StrEnum):
    """The machine's ruling on one candidate."""

    ADMIT = "admit"
    HOLD = "hold"
    REJECT = "reject"


class CandidateState(StrEnum):
    """Where a candidate stands in the ledger. `held` is the only state that waits for a person."""

    HELD = "held"
    ADMITTED = "admitted"
    PROMOTED = "promoted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"  # an admitted or promoted memory that was forgotten


class MemoryStatus(StrEnum):
    """Status of a row in the store; only `active` rows are recalled."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    DELETED = "deleted"  # tombstone: restorable until purged (rules §2.9)


class EffectKind(StrEnum):
    """A change to the store that follows from a decision; relayed through the outbox, applied once."""

    ACTIVATE = "activate"  # insert the memory, active
    SUPERSEDE = "supersede"  # memory_id is replaced by by_memory_id
    RETRACT = "retract"  # memory_id is closed without a replacement (rules §3.4)
    CONFIRM = "confirm"  # memory_id was stated again at `at`
    UNCONFIRM = "unconfirm"  # a confirmation made at `at` is taken back; `until`: when it had been stated before that
    ATTEST = "attest"  # memory_id was confirmed at `at` by a named person in answer to a question (rules §5.1)
    UNATTEST = "unattest"  # that is taken back; `until`: when it had been stated before that
    REINFORCE = "reinforce"  # memory_id was recalled into an answer (rules §2.4)
    ARCHIVE = "archive"
    TOMBSTONE = "tombstone"
    RESTORE = "restore"  # tombstoned, archived or superseded back to active
    REMOVE = "remove"  # the row leaves the store: its promotion was undone, or it was purged
    LINK = "link"  # an edge from memory_id to by_memory_id (rules §4.1)
    PIN = "pin"  # memory_id belongs to the profile from now on
    UNPIN = "unpin"


class LinkKind(StrEnum):
    """Why two memories are linked (rules §4.1)."""

    CORROBORATES = "corroborates"
    RELATED = "related"
    SAME_SUBJECT = "same_subject"
    SUPERSEDES = "supersedes"
    ADJACENT = "adjacent"  # said in neighbouring turns of one session


class Relation(StrEnum):
    """What a judge says of two statements (rules §3.1b)."""

    CONTRADICTION = "contradiction"
    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"


class Standing(StrEnum):
    """With what right a source says something (rules §1.8)."""

    SELF = "self"  # the owner, or a third party, about themself
    OWN_SCOPE = "own_scope"  # the owner about others or the world: theirs alone
    FIRST_HAND = "first_hand"  # a tool on what it computed or read; a page or document, for what it is worth
    ROOTED = "rooted"  # an agent repeating one assertion of the owner's
    ATTRIBUTED = "attributed"  # kept only as "X wrote that …", never as a fact on the thing


class RulingKind(StrEnum):
    """What a reviewer does with a held candidate."""

    PROMOTE = "promote"
    REJECT = "reject"
    KEEP_OLD = "keep_old"  # a conflict's four answers (console.md §3)
    TAKE_NEW = "take_new"
    BOTH = "both"
    NEITHER = "neither"


class Role(StrEnum):
    """A person's role in their tenant (console.md §2)."""

    MEMBER = "member"
    REVIEWER = "reviewer"
    ADMIN = "admin"


class Advice(StrEnum):
    """What an agent may do with what it remembers (rules §5.2)."""

    ACT = "act"
    ANSWER = "answer"  # with sources
    ASK = "ask"


class RunState(StrEnum):
    """An answer in progress."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


def aware(at: datetime) -> datetime:
    """Return `at` unchanged if it is timezone-aware.

    Raises:
        ValueError: a naive time was given; the caller must attach a zone.
    """
    if at.tzinfo is None:
        msg = "times must be timezone-aware: pass datetime(..., tzinfo=UTC)"
        raise ValueError(msg)
    return at


def unit(value: float, name: str) -> float:
    """Return `value` if it lies in [0, 1].

    Raises:
        ValueError: it does not.
    """
    if not 0.0 <= value <= 1.0:
        msg = f"{name} must lie in [0, 1], not {value!r}"
        raise ValueError(msg)
    return value


def sha256_text(text: str) -> str:
    """Hex sha256 of the UTF-8 bytes of `text`: the digest a reviewer signs (rules §1.11)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Whose memory it is: (tenant, owner, agent), rules §1.8. Every read and write names one."""

    tenant: str
    owner: str
    agent: str = CONSOLE

    def __post_init__(self) -> None:
        """Refuse an empty part: an empty scope would match nobody or everybody."""
        if not (self.tenant and self.owner and self.agent):
            msg = "a scope needs a tenant, an owner and an agent"
            raise ValueError(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class Actor:
    """Who acts: a signed-in person with the role the database gives them at this moment."""

    user_id: str
    username: str
    tenant: str
    role: Role
    session_id: str
    space: str = CONSOLE  # which of the person's own memories: the one they chat with, or that of an agent of theirs

    @property
    def scope(self) -> Scope:
        """The person's own memory."""
        return Scope(tenant=self.tenant, owner=self.user_id, agent=self.space)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pasted:
    """A part [start, end) of a user's turn that is not their own words (rules §1.5), as it was recorded on receipt."""

    start: int
    end: int
    source_kind: SourceKind  # what it counts as: a document, or the channel of the text it was seen in before
    why: str  # quote_block, quoted_lines, code, html, mail, long_block, seen_before, inline_quote
    matched: str = ""  # id of the episode that holds the same words, if any


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """Where a text came from (W3C PROV). `source_ref` is an address, file name or message id, shown, never followed.

    `derived_from` names the inputs of the model call that made the text: episode ids, and "memory:<id>" for recalled
    memories. It only ever adds roots: what else the server knows of the conversation counts as well (rules §1.4).
    """

    source_kind: SourceKind
    source_ref: str
    actor: str
    observed_at: datetime
    digest: str
    title: str = ""
    derived_from: tuple[str, ...] = ()
    tool: str = ""  # a tool output's tool, as the policy's registry names it (rules §1.6)
    pasted: tuple[Pasted, ...] = ()
    claimed: tuple[str, ...] = ()  # what the sender claimed about its own trust or source: logged, without effect
    expires_at: datetime | None = None  # deadline that its sender gave: for everything learned from it (rules §2.8)

    def __post_init__(self) -> None:
        """Refuse naive times."""
        aware(self.observed_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode:
    """A raw input, kept in the ledger: one turn, one page, one document, one tool result."""

    episode_id: str
    scope: Scope
    conversation_id: str
    provenance: Provenance
    text: str
    received_at: datetime
    serial_no: int = 0  # the ledger's order of receipt; 0 until stored

    def __post_init__(self) -> None:
        """Refuse naive times."""
        aware(self.received_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Half-open range [start, end) of code points in the episode's text that states the fact."""

    start: int
    end: int

    def __post_init__(self) -> None:
        """Refuse an empty or reversed range: a fact must cite what states it (rules §7.2)."""
        if not 0 <= self.start < self.end:
            msg = f"not a span: [{self.start}, {self.end})"
            raise ValueError(msg)

    def of(self, text: str) -> str:
        """The cited words."""
        return text[self.start : self.end]


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """What an extractor reads out of one episode: a fact without trust, scope or identity.

    `statement` is one self-contained sentence addressed to the owner ("You are allergic to penicillin."); for text
    that others wrote it is their sentence, unchanged. `subject` is "user" for the owner, else the name or noun that
    the fact is about ("Tove", "museum app"). `attribute` is a slot name of `core.slots`, or a snake_case noun.
    """

    subject: str
    attribute: str
    value: str
    statement: str
    kind: MemoryKind
    importance: float
    span: Span
    speech_act: SpeechAct = SpeechAct.ASSERTION
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    expires_at: datetime | None = None  # hard deadline: "this week", "until Friday" (rules §2.8)
    retracts: bool = False  # closes the slot (or the given value of it) without a replacement
    language: str = "en"

    def __post_init__(self) -> None:
        """Check the number; naive times are refused."""
        unit(self.importance, "importance")
        for at in (self.valid_at, self.invalid_at, self.expires_at):
            if at is not None:
                aware(at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """All that one extractor found in one episode."""

    proposals: tuple[Proposal, ...]
    extractor: str  # model id, or "rules"
    gaps: tuple[str, ...] = ()  # what was configured and failed (rules §1.12)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A proposal bound to its origin by code: the unit that is admitted, held or rejected."""

    candidate_id: str
    episode_id: str
    scope: Scope
    proposal: Proposal
    provenance: Provenance
    serial_no: int
    extractor: str = "rules"
    version: int = 1

    @property
    def text(self) -> str:
        """The words that would become memory."""
        return self.proposal.statement

    @property
    def digest(self) -> str:
        """Hex sha256 of those words: what a reviewer promotes is these bytes and no others."""
        return sha256_text(self.proposal.statement)


@dataclass(frozen=True, kw_only=True, slots=True)
class Root:
    """One hop of a fact's origin: which text, through which channel, how far it is trusted."""

    episode_id: str
    source_kind: SourceKind
    source_ref: str
    trust: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What a detector saw in the cited span. Findings annotate and sort the queue; they never admit."""

    detector: str
    severity: float
    note: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinion:
    """A judge's word on a candidate and one memory (rules §3.1b)."""

    memory_id: str
    relation: Relation
    judge: str  # model id, or "key rule"
    text: str = ""  # the memory's words, for the reviewer's eyes
    prompt_digest: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Incumbent:
    """A memory that occupies the candidate's slot: active, or archived and revived when stated again."""

    memory_id: str
    value: str
    text: str
    ranking_trust: float  # effective trust, or the vouch level if a person promoted it
    serial_no: int
    version: int
    source_kind: SourceKind
    same_value: bool
    multi_valued: bool
    echoes: tuple[str, ...] = ()  # ids of events that repeat its words and go with it (rules §3.4)
    importance: float = 0.6
    status: MemoryStatus = MemoryStatus.ACTIVE
    stated_at: datetime | None = None
    support: tuple[str, ...] = ()  # keys of its independent origins (rules §4.3)
    via: str = "slot"  # how it was found: "slot", "template" (same words but for numbers) or "judge"


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """All that `decide` may look at; recorded with the decision so that it can be replayed."""

    effective_trust: float
    roots: tuple[Root, ...]
    incumbents: tuple[Incumbent, ...] = ()
    findings: tuple[Finding, ...] = ()
    gaps: tuple[str, ...] = ()
    declined_before: bool = False
    opinions: tuple[Opinion, ...] = ()
    not_judged: int = 0  # near memories that no judge looked at, because none is configured (rules §1.12)
    impact: tuple[str, ...] = ()  # tiers of rules §1.7 that the statement touches
    asks_owner: tuple[str, ...] = ()  # why even the owner's own words are first put to the owner (rules §1.7)
    standing: Standing = Standing.OWN_SCOPE
    voice_trust: float = 1.0  # of who first said it: the owner's for a rooted agent note, else the effective trust
    origin: str = ""  # key of the candidate's independent origin (rules §4.3)
    supporters: tuple[str, ...] = ()  # origin keys of earlier candidates with the same slot and value, its own included
    supported_at: tuple[datetime, ...] = ()  # when each of `supporters` last said so; (): recorded by an older version
    reputation: float = 1.0  # of its source, where the policy lets it weigh in conflicts (core.reputation)
    forgotten: bool = False  # the owner forgot this very fact; only their own new statement brings it back (rules §2.9)
    related: tuple[tuple[str, LinkKind, float], ...] = ()  # (memory id, kind, weight) of edges to make (rules §4.1)
    repeats: str = ""  # id of a held candidate of the same origin that says the same
    evicts: tuple[str, ...] = ()  # working memories of the session that make room (rules §2.1)
    epoch: int = 0  # the owner's last effect when the evidence was read: compare-and-swap (rules §3.6)
    cluster: str = ""  # key of what a reviewer decides together with it (see core.clusters); "": its own source


@dataclass(frozen=True, kw_only=True, slots=True)
class GateStep:
    """One check of the gate with its value and limit, shown to the reviewer as it was computed."""

    name: str
    passed: bool
    value: str
    limit: str
    reason: str = ""  # a reason code when it did not pass: low_trust, directive, conflict, gap:…, trivial …


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """A trusted memory as the store keeps it. Bi-temporal: valid time (`valid_at`, `invalid_at`) and record time."""

    memory_id: str  # the candidate's id: one identity in both stores
    scope: Scope
    kind: MemoryKind
    subject: str
    attribute: str
    slot_key: str  # normalised subject|attribute, see core.slots
    value: str
    text: str
    importance: float
    effective_trust: float
    source_kind: SourceKind
    source_ref: str
    source_title: str
    actor: str
    episode_id: str
    conversation_id: str
    serial_no: int
    roots: tuple[Root, ...]
    stated_at: datetime  # last stated or confirmed by a source: age counts from here (rules §2.2)
    created_at: datetime
    status: MemoryStatus = MemoryStatus.ACTIVE
    vouched_by: str | None = None
    vouched_at: datetime | None = None
    confirmed_by: str | None = None  # user id of who confirmed it in answer to a question (rules §5.1)
    confirmed_at: datetime | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    expired_at: datetime | None = None  # when the row stopped being current in our records
    expires_at: datetime | None = None
    superseded_by: str | None = None
    access_count: int = 0
    origins: int = 1
    language: str = "en"
    version: int = 1
    support: tuple[str, ...] = ()  # keys of its independent origins; `origins` is their number (rules §4.3)
    pinned: bool = False
    half_life_days: float | None = None  # its own, instead of its kind's (rules §2.3)
    shape: float | None = None  # of its own decay curve; 1 is exponential
    impact: tuple[str, ...] = ()  # tiers of rules §1.7: flagged where it is shown

    def __post_init__(self) -> None:
        """Check numbers and times."""
        unit(self.importance, "importance")
        unit(self.effective_trust, "effective_trust")
        aware(self.stated_at)
        aware(self.created_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Effect:
    """One change to the store, named by `effect_id` so that it is applied once however often it is relayed."""

    effect_id: str
    kind: EffectKind
    scope: Scope
    memory_id: str
    at: datetime
    memory: Memory | None = None  # ACTIVATE only
    by_memory_id: str | None = None  # SUPERSEDE: what replaces it; LINK: the edge's other end
    reason: str = ""
    origin: str = ""  # CONFIRM, UNCONFIRM: key of the independent origin that confirms; "" adds or takes none
    link_kind: LinkKind | None = None  # LINK only
    until: datetime | None = None  # RETRACT: from when on it was no longer true, if that was said; see UNCONFIRM
    weight: float = 0.0  # LINK only, in [0, 1]
    by: str = ""  # ATTEST: user id of who confirms; UNATTEST: whose confirmation goes, "" for whoever's stands


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """A ruling on one candidate, by the policy or by a named person."""

    decision_id: str
    candidate_id: str
    verdict: Verdict
    reasons: tuple[str, ...]  # reason codes, the deciding one first
    steps: tuple[GateStep, ...]
    evidence: Evidence
    effects: tuple[Effect, ...]
    policy_digest: str
    by: str  # "policy" or the person's user id
    at: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruling:
    """A person's act on a held candidate: what they saw (version, digest), what they decide, and why."""

    candidate_id: str
    kind: RulingKind
    seen_version: int
    digest: str
    note: str = ""
    override: bool = False  # the reviewer confirms a promotion in spite of a flagged reason


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    """One link of the audit chain (rules §8.1). Holds ids and digests, never words."""

    seq: int
    at: datetime
    actor: str
    attestation: str
    action: str  # "subject:verb", e.g. "candidate:held"
    about: dict[str, Any] = field(default_factory=dict)  # ids, digests, numbers
    tenant: str = ""
    owner: str = ""
    prev_hash: str = ""
    hash: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredMemory:
    """A memory with the raw signals of one search: what the store returns before ranking."""

    memory: Memory
    cosine: float  # in [-1, 1]
    lexical: float  # full-text rank, >= 0, unbounded
    coverage: float = 0.0  # share of the query's content words found in the memory, in [0, 1]
    parents: tuple[tuple[str, float], ...] = ()  # (memory id, weight) of links to the search's top hits (rules §4.2)
    found: bool = True  # False: only reached over a link
    held: tuple[bool, ...] = ()  # which of the query's content words the memory holds; () where that is not known
    length: int = 0  # different words of the memory, function words too
    before: tuple[str, ...] = ()  # ids of memories of the turn before it in the same session


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """One term of a confidence as it is shown: `value` and `product` have three digits, and are what they look like."""

    name: str  # corroboration, recency, verification, user_confirmation
    weight: float
    value: float  # in [0, 1]
    product: float  # weight × value


@dataclass(frozen=True, kw_only=True, slots=True)
class Confidence:
    """How sure a memory is (rules §5.1): the sum of its terms' products, and what each term is made of.

    `eta_days` is None for what never fades. Made by `core.confidence` alone.
    """

    terms: tuple[Term, ...]
    value: float  # in [0, 1], three digits: the sum of the products, exactly
    origins: int  # independent origins, its own included
    origins_needed: int  # so many make the corroboration whole
    confirmed_by: str | None  # user id of who confirmed it in answer to a question
    age_days: float  # since it was last stated or confirmed
    eta_days: float | None  # time constant with access left out (rules §2.2)
    shape: float
    effective_trust: float
    composite_trust: float
    by_person: str  # why user-confirmation is 1: "stated", "confirmed", "vouched"; "" where it is 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A recalled memory with every factor of its score, so that a person can recompute it (rules §2.5, §6.1)."""

    memory: Memory
    score: float
    relevance: float
    freshness: float
    cosine: float
    lexical: float
    coverage: float
    age_days: float
    composite_trust: float
    needs_confirmation: bool = False
    linked_from: str = ""  # the hit whose link lifted this one, if one did (rules §4.2)
    confidence: Confidence | None = None  # of the memory at the time of the question (rules §5.1)

    def at_rank(self, score: float) -> Hit:
        """The same hit with another score."""
        return replace(self, score=score)


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One line of a conversation as it is shown or sent to a model."""

    role: str  # "user", "assistant", "attachment"
    text: str
    at: datetime
    episode_id: str = ""
    title: str = ""
    source_kind: SourceKind = SourceKind.USER_TURN


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A chat as the list shows it."""

    conversation_id: str
    scope: Scope
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """An answer in progress or finished: lives in the ledger, so a closed tab loses nothing."""

    run_id: str
    conversation_id: str
    scope: Scope
    question_id: str  # episode id of the user's turn
    state: RunState
    text: str
    started_at: datetime
    updated_at: datetime
    model: str = ""
    error: str = ""
    answer_id: str = ""  # episode id of the answer once submitted
    detail: dict[str, Any] = field(default_factory=dict)  # hits used, prompt, withheld count: for the person's eyes


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldItem:
    """A candidate in the queue or its history, with its latest decision: what the review page draws."""

    candidate: Candidate
    state: CandidateState
    decision: Decision
    excerpt: str  # text of the episode around the span
    excerpt_span: Span  # the cited words inside the excerpt
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """An account. The password's hash never leaves the store."""

    user_id: str
    username: str
    display_name: str
    tenant: str
    role: Role
    created_at: datetime
    disabled: bool = False
