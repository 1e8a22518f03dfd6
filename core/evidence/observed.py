"""What was observed: of sources, of how long things stay true, of answers that had to be corrected. Read only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.accounts import Accounts
from core.model import Actor, Role, Run, RunState
from core.policy import Policy
from core.ports import BOTH, Clock, Ledger, QuestionKind, QuestionState
from core.reputation import Record, records
from core.retuning import Tuning, tunings

SESSIONS = 12  # conversations listed, the last used first
SOURCES = 40
CORRECTIONS = 500  # corrections looked at, the last
CORRECTING = ("memory:corrected", "memory:forgotten")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reliability:
    """One source as the table shows it."""

    record: Record
    base: float  # trust of its class
    reputation: float  # capped by it


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """How well the answers of one conversation held."""

    title: str
    at: datetime
    answers: int  # that were built on memories
    corrected: int  # of them: a memory behind it was corrected or forgotten after it


@dataclass(frozen=True, kw_only=True, slots=True)
class Accuracy:
    """Of an owner's answers and of the questions put to them."""

    sessions: tuple[Session, ...]
    agreed: int  # questions whose answer kept what memory held
    answered: int  # questions on a value that the owner answered


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """The desk of what was observed; everybody sees their own, an admin how long things stay true for all."""

    accounts: Accounts
    ledger: Ledger
    policy: Policy
    clock: Clock

    def sources(self, actor: Actor) -> list[Reliability]:
        """The sources of the actor's own memories, the most observed first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        stated = self.ledger.stated(actor.tenant, actor.user_id)
        found = records(stated, self.ledger.happened(actor.tenant, actor.user_id))
        prior = self.policy.questions.prior
        rows = []
        for one in found[:SOURCES]:
            base = self.policy.preview_trust(one.source_kind, one.tool)
            rows.append(Reliability(record=one, base=base, reputation=one.reputation(prior=prior, base=base)))
        return rows

    def decay(self, actor: Actor) -> list[Tuning]:
        """How long each kind of statement stays true in the actor's tenant, against the policy.

        Raises:
            NotAuthorised: the actor is no admin.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        happened = self.ledger.happened(actor.tenant, None)
        return tunings(happened, self.policy.decay, least=self.policy.questions.observed_min)

    def accuracy(self, actor: Actor) -> Accuracy:
        """How the actor's answers held over their conversations, by what they corrected or forgot afterwards.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        wrong = self._corrected(actor)
        sessions = []
        for one in self.ledger.conversations(actor.scope, limit=SESSIONS):
            runs = self.ledger.runs(actor.scope, one.conversation_id)
            used = [(run, ids) for run in runs if run.state is RunState.DONE and (ids := _used(run))]
            corrected = sum(any(wrong.get(name, run.started_at) > run.started_at for name in ids) for run, ids in used)
            if used:
                sessions.append(Session(title=one.title, at=one.updated_at, answers=len(used), corrected=corrected))
        answered = [
            one
            for one in self.ledger.questions(actor.tenant, actor.user_id, states=(QuestionState.ANSWERED,))
            if one.kind is not QuestionKind.SAME_KEY
        ]
        agreed = [one for one in answered if one.answer.startswith("memory:") or one.answer == BOTH]
        return Accuracy(sessions=tuple(sessions), agreed=len(agreed), answered=len(answered))

    def _corrected(self, actor: Actor) -> dict[str, datetime]:
        """When each memory was last corrected or forgotten by its owner."""
        found: dict[str, datetime] = {}
        for action in CORRECTING:
            entries, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, action=action, limit=CORRECTIONS)
            for entry in entries:
                for name in entry.about.get("memory_ids", ()):
                    found[str(name)] = max(entry.at, found.get(str(name), entry.at))
        return found


def _used(run: Run) -> Sequence[str]:
    rows = run.detail.get("used", [])
    return [str(one["memory_id"]) for one in rows if one.get("memory_id") and one.get("cited", True)]


__all__ = ["Accuracy", "Observed", "Reliability", "Session"]
