"""The product's words for codes, times and numbers: one vocabulary for every page. Pure; nothing untrusted here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from console import terms
from core.model import CandidateState, Decision, GateStep, MemoryStatus, Role, SourceKind

SOURCES = {
    SourceKind.USER_TURN: "own words",
    SourceKind.AGENT_TURN: "assistant",
    SourceKind.TOOL_OUTPUT: "tool result",
    SourceKind.THIRD_PARTY: "another person",
    SourceKind.EXTERNAL_DOC: "document",
    SourceKind.WEB_CONTENT: "web page",
}
STATUSES = {
    MemoryStatus.ACTIVE: "Active",
    MemoryStatus.SUPERSEDED: "Replaced",
    MemoryStatus.ARCHIVED: "Archived",
    MemoryStatus.DELETED: "Forgotten",
}
STATES = {
    CandidateState.HELD: "Held for review",
    CandidateState.ADMITTED: "Admitted",
    CandidateState.PROMOTED: "Promoted",
    CandidateState.REJECTED: "Rejected",
    CandidateState.WITHDRAWN: "Withdrawn",
}
DEMO = "Demo data."
DEMO_DETAIL = "Everything here is made up, and nothing you do reaches real data."
ROLES = {Role.MEMBER: "Member", Role.REVIEWER: "Reviewer", Role.ADMIN: "Admin"}
REASONS = {
    "low_trust": "Low trust",
    "directive": "Gives an order",
    "conflict": "Contradicts a memory",
    "ask_owner": "Needs the owner's yes",
    "impact": "Could do harm",
    "not_the_owner": "Not the owner's word",
    "no_root": "No trusted root",
    "gap": "Evidence incomplete",
    "forgotten": "Forgotten by the owner",
    "declined_before": "Declined before",
    "repeat_of_held": "Said again",
    "trivial": "Trivial",
    "not_an_assertion": "Not a statement",
    "nothing_to_retract": "Nothing to take back",
    "older": "Stated earlier",
    "kept_old": "The older one stays",
    "less_important": "Less important",
    "admitted": "Passed every check",
    "promoted": "Promoted by a person",
    "rejected": "Rejected by a person",
    "edited": "Kept in other words",
    "merged": "Merged into a memory",
    "expired": "Nobody decided in time",
    "no_longer_said": "Its source no longer says so",
    "still_said": "Remembered already",
}
_STEPS = {
    "complete evidence": "Evidence",
    "speech act": "What the sentence does",
    "importance": "Importance",
    "effective trust": "Trust of its origin",
    "authority": "Who may say this",
    "impact": "What it could do",
    "decided before": "Decided before",
    "contradiction": "Against what is remembered",
}
_WHY = {
    "low_trust": "It comes from a source that is not trusted enough to be remembered unseen.",
    "directive": "It tells the assistant what to do. Orders from a source like this are never remembered as facts.",
    "conflict": "It contradicts what is remembered, and a machine does not settle that.",
    "ask_owner": "The owner said it, but a thing like this is remembered only after a yes.",
    "impact": "It is of the sort that does harm when it is false, and its origin is not trusted enough for that.",
    "not_the_owner": "Only the owner's own words make a wish, a way of working or a lesson.",
    "no_root": "Whoever said it speaks about somebody or something else, and nothing trusted stands behind it.",
    "gap": "A part of the gate was not able to judge it.",
    "forgotten": "The owner forgot this; only their own new statement brings it back.",
    "declined_before": "A person rejected these very words before.",
    "repeat_of_held": "The same source says this again; the first time it was said is held already.",
    "trivial": "It is of too little weight to be kept.",
    "not_an_assertion": "It is a question, a story or a courtesy: it states nothing.",
    "nothing_to_retract": "It takes something back, but nothing like it is remembered.",
    "older": "It was stated before what is remembered now, so it is kept as history.",
}
_ACTIONS = {
    "episode:received": "Text received",
    "episode:distilled": "Text read",
    "candidate:admitted": "Admitted",
    "candidate:held": "Held for review",
    "candidate:rejected": "Rejected",
    "candidate:promoted": "Promoted",
    "candidate:undone": "Ruling undone",
    "candidate:revoked": "Promotion revoked",
    "candidate:put_to_owner": "Put to the owner",
    "candidate:keep_old": "The old one kept",
    "candidate:take_new": "The new one taken",
    "candidate:both": "Both kept",
    "candidate:neither": "Neither kept",
    "candidate:repeat_held_claim": "A held claim said again",
    "candidate:read": "Item looked at",
    "candidate:approved": "First yes of two",
    "candidate:confirmed_alone": "Confirmed again by the only reviewer",
    "candidate:edited": "Kept in other words",
    "candidate:merged": "Merged into a memory",
    "candidate:expired": "Nobody decided in time",
    "candidate:no_longer_said": "Let go: its source no longer says so",
    "candidate:still_said": "Let go: remembered already",
    "memory:no_longer_said": "Ended: its source no longer says so",
    "import:started": "Import started",
    "import:finished": "Import finished",
    "import:stopped": "Import stopped",
    "candidate:refused": "Act refused",
    "candidate:taken_over": "Taken over from another reviewer",
    "candidate:snoozed": "Snoozed",
    "candidate:woken": "Woken",
    "candidate:assigned": "Second reviewer asked",
    "question:opened": "Owner asked",
    "question:changed": "Question brought up to date",
    "question:closed": "Question settled by the evidence",
    "question:answered": "Question answered",
    "question:undone": "Answer taken back",
    "question:put_off": "Question put off",
    "queue:notified": "Told that the queue is old",
    "conversation:deleted": "Chat deleted",
    "conversation:renamed": "Chat renamed",
    "effect:applied": "Memory written",
    "embedding:identified": "Embedding model named",
    "episode:failed": "Text could not be read",
    "episode:provenance_claim_rejected": "Claim about its own source ignored",
    "memory:forgotten": "Memory forgotten",
    "memory:recalled": "Memory used",
    "memory:restored": "Memory restored",
    "memory:archived": "Memory archived",
    "memory:corrected": "Memory corrected",
    "memory:pinned": "Memory pinned",
    "memory:unpinned": "Memory unpinned",
    "memory:purged": "Memories removed for good",
    "store:rebuilt": "Store rebuilt",
    "store:effects_lost": "Store lost writings, written again",
    "candidate:released": "Released by another policy",
    "policy:adopted": "Policy adopted",
    "policy:loaded": "Policy file loaded",
    "policy:dry_run": "Policy tried",
    "policy:held_judged_again": "Held items judged again",
    "person:created": "Account made",
    "person:disabled": "Account disabled",
    "person:enabled": "Account enabled",
    "person:invited": "Person invited",
    "person:invitation_revoked": "Invitation revoked",
    "key:created": "Agent key made",
    "key:revoked": "Agent key revoked",
    "operator_key:created": "Operator key made",
    "operator_key:revoked": "Operator key revoked",
    "person:password_changed": "Password changed",
    "person:sessions_ended": "Sessions ended",
    "person:sign_in_failed": "Sign-in failed",
    "person:signed_in": "Signed in",
    "person:signed_out": "Signed out",
    "person:erasure_started": "Erasure begun",
    "person:erased": "Person erased",
    "person:erasure_repeated": "Erasure carried out again",
}
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0
_STEPS_OF_AGE = (  # up to this many seconds, the unit in seconds, its name
    (_HOUR, _MINUTE, "minute"),
    (_DAY, _HOUR, "hour"),
    (14 * _DAY, _DAY, "day"),
    (60 * _DAY, 7 * _DAY, "week"),
    (730 * _DAY, 30.44 * _DAY, "month"),
    (float("inf"), 365.25 * _DAY, "year"),
)


def plural(count: int, noun: str, many: str = "") -> str:
    """A count with its noun: "1 memory", "3 memories"."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def span_of(seconds: float) -> str:
    """A length of time in words: "3 days"; under a minute "a moment"."""
    if seconds < _MINUTE:
        return "a moment"
    size, name = next((size, name) for limit, size, name in _STEPS_OF_AGE if seconds < limit)
    return plural(max(1, int(seconds / size)), name)


def age(at: datetime, now: datetime) -> str:
    """How long ago, in words: "just now", "3 days ago"; a time to come reads "in 2 hours"."""
    seconds = (now - at).total_seconds()
    if abs(seconds) < _MINUTE:
        return "just now"
    return f"{span_of(seconds)} ago" if seconds > 0 else f"in {span_of(-seconds)}"


def old(days: float) -> str:
    """An age in words: "new", "3 days old"."""
    seconds = days * _DAY
    return "new" if seconds < _MINUTE else f"{span_of(seconds)} old"


def moment(at: datetime) -> str:
    """A time to the second, with its zone: "2026-03-01 14:05:09 UTC"."""
    return at.strftime("%Y-%m-%d %H:%M:%S %Z")


def source(kind: SourceKind | str) -> str:
    """A source kind in words; unknown ones as they are."""
    try:
        return SOURCES[SourceKind(kind)]
    except ValueError:
        return str(kind).replace("_", " ")


def reason(code: str) -> str:
    """A reason code in words."""
    head, _, rest = code.partition(":")
    known = REASONS.get(code) or REASONS.get(head)
    if known:
        return f"{known}: {terms.gap(rest) if head == 'gap' else rest}" if rest else known
    return code.replace("_", " ").capitalize()


def action(code: str) -> str:
    """An audit action in words."""
    return _ACTIONS.get(code) or code.replace("_", " ").replace(":", ": ").capitalize()


def step(name: str) -> str:
    """The name of a gate step in words."""
    return _STEPS.get(name) or name.capitalize()


def why(decision: Decision) -> str:
    """Why the gate ruled so, in a sentence or two."""
    return " ".join(_WHY[code] for code in decision.reasons if code in _WHY) or reason(decision.reasons[0])


def failing_first(steps: Sequence[GateStep]) -> list[GateStep]:
    """Gate steps as a reviewer reads them: what did not pass first, else in the order they ran."""
    return sorted(steps, key=lambda one: one.passed)
