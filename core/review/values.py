"""What the review desk answers with, and which items ask for what. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import NeedsReason
from core.model import Candidate, CandidateState, Decision, HeldItem, Memory, Role, RulingKind
from core.queueing import alone, flags

REVIEWERS = (Role.REVIEWER, Role.ADMIN)
STRIP_DAYS = 7
RACES = 4  # times that a ruling is judged on what changed meanwhile
ANSWERS = frozenset({RulingKind.KEEP_OLD, RulingKind.TAKE_NEW, RulingKind.BOTH, RulingKind.NEITHER})
TAKING = frozenset({RulingKind.TAKE_NEW, RulingKind.BOTH})  # answers that take the held words into memory
QUESTIONS = 50  # questions to the owner shown at a time, of each reason
NOTE = 500  # characters of a note beside rulings
OWNERS = frozenset({"conflict", "ask_owner"})  # reasons that are put to the owner, whatever their role (rules §1.7)


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueSummary:
    """The strip above the queue."""

    held: int
    oldest: datetime | None
    promoted_7d: int
    rejected_7d: int
    held_today: int
    decided_today: int = 0
    alone_today: int = 0  # of `held_today`: flagged or of an impact tier, to be looked at one by one
    snoozed: int = 0  # put off for later; not among `held`
    target: timedelta = timedelta(days=1)  # the age at which an item has waited for too long


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one ruling; `message` says it in a sentence."""

    candidate_id: str
    ok: bool
    message: str
    state: CandidateState | None = None
    decision: Decision | None = None
    other: str = ""  # the new candidate that an edit made


@dataclass(frozen=True, kw_only=True, slots=True)
class Approval:
    """One person's yes to the very bytes of an item that needs two (console.md §3)."""

    by: str  # user name
    user_id: str
    at: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """What people are doing about one item: who is at it, who was asked, who said yes, what else is like it."""

    candidate_id: str
    reserved_by: str = ""  # user name; "" if nobody or oneself
    reserved_until: datetime | None = None
    mine: bool = False  # the reservation is the actor's own
    snoozed_until: datetime | None = None
    assigned_to: str = ""  # user id
    assigned_by: str = ""  # user id
    assigned_note: str = ""
    approvals: tuple[Approval, ...] = ()  # to the item's present bytes
    declined_before: bool = False  # a person rejected these very words before
    expires_at: datetime | None = None  # when the policy lets it go; None: never
    alike_count: int = 1  # held near-duplicates of its owner, itself included


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What a ruling would come to, if nothing changed before it is carried out."""

    candidate_id: str
    text: str
    would: str  # "promote", "reject" or "refuse"
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerTouched:
    """An answer given lately that cites what a promotion would supersede."""

    run_id: str
    question: str  # words only for their owner
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class WouldChange:
    """What a promotion would change."""

    supersedes: tuple[Memory, ...] = ()
    stays_history: bool = False  # it would come in as history behind a later statement
    asks_owner: bool = False  # it would be put to the owner, not promoted
    needs_second: bool = False  # a second person must confirm it
    answers: tuple[AnswerTouched, ...] = ()


def asked_of_owner(item: HeldItem) -> bool:
    """Whether the owner is asked about a held item.

    A conflict is put to them when it is about their own words or a promotion ran into them; what merely arrives from a
    page and disagrees waits for a reviewer, or any page could fill the owner's chat with questions.
    """
    reasons = set(item.decision.reasons)
    contested = "conflict" in reasons and ("low_trust" not in reasons or item.decision.by != "policy")
    return "ask_owner" in reasons or contested


def flags_of(item: HeldItem) -> list[str]:
    """Why a promotion of this item must be confirmed in so many words: its tier, its form, or a detector's finding."""
    return flags(item.decision)


def refuse_in_bulk(item: HeldItem) -> None:
    """Refuse an item that must be looked at by itself.

    Raises:
        NeedsReason: it is flagged or of an impact tier.
    """
    if alone(item.decision):
        told = sorted({*flags_of(item), *item.decision.evidence.impact})
        msg = f"Not together with others: it is flagged ({', '.join(told)}). Open it and decide on it by itself."
        raise NeedsReason(msg)


def outcome_of(candidate: Candidate, state: CandidateState, decision: Decision) -> Outcome:
    """The answer to a ruling that was carried out."""
    done = {
        CandidateState.PROMOTED: "Promoted: it is in memory now.",
        CandidateState.REJECTED: "Rejected: the same words will not come back to the queue.",
        CandidateState.HELD: "Undone: the item is held again.",
    }
    return Outcome(candidate_id=candidate.candidate_id, ok=True, message=done[state], state=state, decision=decision)
