"""What operators send and get over the wire: sessions, keys, the audit, the policy, questions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, JsonValue, StringConstraints

from core.agents import NAME_CHARS
from core.amend import Difference, settings_of
from core.entrypoints.http.wire import Name, Taken, Unit
from core.evidence.values import Asked, Option
from core.governance import DryRun, InForce
from core.model import Actor, AuditEntry, Role, SourceKind, Verdict
from core.ports import ChainReport, OperatorKey, QuestionKind, QuestionState

MOST_SETTINGS = 200  # of one change


class SignInIn(Taken):
    """A person's user name and password."""

    username: Annotated[str, StringConstraints(max_length=NAME_CHARS)]
    password: Annotated[str, StringConstraints(max_length=1_000)]


class SessionOut(BaseModel):
    """A session that has begun: send the token as a bearer token from here on. It is shown this once."""

    token: str
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - a kind, no secret
    username: str
    role: Role


class CallerOut(BaseModel):
    """Who is behind the request."""

    username: str
    user_id: str
    role: Role = Field(description="As the database has it at this moment.")
    by_key: bool = Field(description="With an operator key, not a session.")

    @classmethod
    def of(cls, actor: Actor, *, by_key: bool) -> CallerOut:
        """From an actor."""
        return cls(username=actor.username, user_id=actor.user_id, role=actor.role, by_key=by_key)


class KeyIn(Taken):
    """What an operator key is for."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]


class KeyOut(BaseModel):
    """One operator key, without its token."""

    key_id: str
    name: str
    begins_with: str
    created_at: datetime
    last_used_at: datetime | None

    @classmethod
    def of(cls, key: OperatorKey) -> KeyOut:
        """From a key."""
        return cls(
            key_id=key.key_id,
            name=key.name,
            begins_with=key.prefix,
            created_at=key.created_at,
            last_used_at=key.last_used_at,
        )


class MadeKeyOut(BaseModel):
    """A key that is made. Its token is shown this once."""

    token: str
    key: KeyOut


class KeysOut(BaseModel):
    """Keys in use, newest first."""

    keys: list[KeyOut]


# --- audit ------------------------------------------------------------------------------------------------------


class EntryOut(BaseModel):
    """One link of the audit chain: ids, digests and numbers, never words."""

    seq: int
    at: datetime
    actor: str
    attestation: str
    action: str
    about: dict[str, JsonValue]
    owner: str
    prev_hash: str
    hash: str

    @classmethod
    def of(cls, entry: AuditEntry) -> EntryOut:
        """From an entry."""
        return cls(
            seq=entry.seq,
            at=entry.at,
            actor=entry.actor,
            attestation=entry.attestation,
            action=entry.action,
            about=dict(entry.about),
            owner=entry.owner,
            prev_hash=entry.prev_hash,
            hash=entry.hash,
        )


class EntriesOut(BaseModel):
    """One page of entries, newest first."""

    entries: list[EntryOut]
    total: int


class HeadOut(BaseModel):
    """The last entry: write it down elsewhere, and nobody can shorten the chain unseen."""

    seq: int
    hash: str


class ReportOut(BaseModel):
    """Whether the chain is whole."""

    ok: bool
    entries: int
    head: HeadOut
    broken_seq: int | None
    problem: str
    verified_at: datetime

    @classmethod
    def of(cls, report: ChainReport, at: datetime) -> ReportOut:
        """From a report and its time."""
        return cls(
            ok=report.ok,
            entries=report.entries,
            head=HeadOut(seq=report.head_seq, hash=report.head_hash),
            broken_seq=report.broken_seq,
            problem=report.problem,
            verified_at=at,
        )


# --- policy -----------------------------------------------------------------------------------------------------


class PolicyOut(BaseModel):
    """The policy that decides now."""

    digest: str
    version: int | None = Field(description="Its number; null until the first start has recorded it.")
    file_digest: str
    adopted: dict[str, JsonValue] = Field(description="What was adopted on top of the file.")
    settings: dict[str, JsonValue] = Field(description="Every setting as section.key.")

    @classmethod
    def of(cls, now: InForce) -> PolicyOut:
        """From what is in force."""
        return cls(
            digest=now.digest,
            version=now.version.number if now.version else None,
            file_digest=now.file_digest,
            adopted=dict(now.overlay),
            settings=settings_of(now.policy),
        )


class ChangeIn(Taken):
    """Settings that would differ."""

    change: Annotated[dict[Name, JsonValue], Field(min_length=1, max_length=MOST_SETTINGS)] = Field(
        description="section.key → value; null takes an entry out of a table.",
        examples=[{"trust.threshold": 0.8}],
    )


class DifferenceOut(BaseModel):
    """One setting that two policies do not share."""

    setting: str
    before: JsonValue
    after: JsonValue

    @classmethod
    def of(cls, found: Difference) -> DifferenceOut:
        """From a difference."""
        return cls(setting=found.key, before=found.before, after=found.after)


class ShiftOut(BaseModel):
    """One item that would be ruled otherwise; `text` is empty where the admin may not read it."""

    candidate_id: str
    text: str
    owner: str
    source_kind: str
    before: Verdict
    after: Verdict


class BeforeAfterOut(BaseModel):
    """One number under both policies."""

    before: float
    after: float


class DryRunOut(BaseModel):
    """What a change would have made of the rulings that stand. Nothing was changed by it."""

    digest: str
    compared_with: str
    differences: list[DifferenceOut]
    looked_at: int
    held: BeforeAfterOut
    admitted: BeforeAfterOut
    groups_a_week: BeforeAfterOut = Field(description="What a reviewer decides in one act: their load.")
    shifts: list[ShiftOut]

    @classmethod
    def of(cls, run: DryRun) -> DryRunOut:
        """From a dry run."""
        return cls(
            digest=run.digest,
            compared_with=run.seen_digest,
            differences=[DifferenceOut.of(one) for one in run.differences],
            looked_at=run.looked_at,
            held=BeforeAfterOut(before=run.held[0], after=run.held[1]),
            admitted=BeforeAfterOut(before=run.admitted[0], after=run.admitted[1]),
            groups_a_week=BeforeAfterOut(before=run.groups[0], after=run.groups[1]),
            shifts=[
                ShiftOut(
                    candidate_id=one.candidate_id,
                    text=one.text,
                    owner=one.owner,
                    source_kind=one.source_kind,
                    before=one.before,
                    after=one.after,
                )
                for one in run.shifts
            ],
        )


# --- questions --------------------------------------------------------------------------------------------------


class SaidOut(BaseModel):
    """One statement of a value."""

    text: str
    source_kind: SourceKind
    source_ref: str
    at: datetime
    trust: Unit
    origins: int


class OptionOut(BaseModel):
    """One value that can be chosen, with everybody who says so."""

    choice: str = Field(description="What an answer names it by.")
    value: str
    current: bool
    flagged: list[str]
    said: list[SaidOut]

    @classmethod
    def of(cls, option: Option) -> OptionOut:
        """From an option."""
        return cls(
            choice=option.name,
            value=option.value,
            current=option.current,
            flagged=list(option.flagged),
            said=[
                SaidOut(
                    text=one.text,
                    source_kind=one.source_kind,
                    source_ref=one.source_ref,
                    at=one.at,
                    trust=one.trust,
                    origins=one.origins,
                )
                for one in option.said
            ],
        )


class QuestionOut(BaseModel):
    """One open question to the caller about their own memory."""

    id: str
    kind: QuestionKind
    subject: str
    attribute: str
    version: int
    both: bool = Field(description="Whether all of them may be true together.")
    options: list[OptionOut]

    @classmethod
    def of(cls, asked: Asked) -> QuestionOut:
        """From what is asked."""
        return cls(
            id=asked.question_id,
            kind=asked.question.kind,
            subject=asked.subject,
            attribute=asked.attribute,
            version=asked.question.version,
            both=asked.both,
            options=[OptionOut.of(one) for one in asked.options],
        )


class QuestionsOut(BaseModel):
    """Open questions, the oldest first."""

    questions: list[QuestionOut]


class AnswerIn(Taken):
    """An answer to a question as it was shown."""

    choice: Annotated[str, StringConstraints(min_length=1, max_length=1_000)] = Field(
        description="An option's `choice`, or both, none or later."
    )
    seen_version: Annotated[int, Field(ge=0, le=2**31)]


class AnsweredOut(BaseModel):
    """Where a question stands after an answer."""

    id: str
    state: QuestionState
    answer: str
    version: int
    put_off_until: AwareDatetime | None
