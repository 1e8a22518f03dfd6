"""Four eyes: what could harm somebody if it were false needs two different people (rules §1.7, console.md §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from core.errors import NotAuthorised
from core.model import Actor, Candidate, CandidateState, Evidence, HeldItem, Person
from core.ports import Approved
from core.review.bench import Bench
from core.review.values import Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Eyes:
    """Who stands behind a promotion: carry it out, or answer with `waits`."""

    vouched_by: str
    action: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    waits: Outcome | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FourEyes(Bench):
    """The first yes is recorded for these very bytes; the second, of somebody else, promotes them."""

    def _needs_second(self, item: HeldItem, evidence: Evidence) -> bool:
        return self.policy.review.four_eyes and bool(item.decision.evidence.impact or evidence.impact)

    def _eligible(self, item: HeldItem) -> list[Person]:
        """Who may stand behind it: every reviewer but the one who said it, unless there is nobody else."""
        reviewers = self.accounts.reviewers(item.candidate.scope.tenant)
        others = [one for one in reviewers if one.user_id != item.candidate.scope.owner]
        return others or reviewers

    def _eyes(self, actor: Actor, item: HeldItem, evidence: Evidence, note: str) -> Eyes:
        """Whether this promotion may be carried out now, and in whose names.

        Raises:
            NotAuthorised: the actor is the one who said it, and somebody else can look at it.
        """
        if not self._needs_second(item, evidence):
            return Eyes(vouched_by=actor.username)
        eligible = self._may(actor, item)
        given = self.ledger.markings([item.candidate.candidate_id])[item.candidate.candidate_id].approvals
        ready = self._ready(actor, given, eligible)
        if ready is None:
            given = self.enactor.approve(actor, item.candidate, note)
            ready = self._ready(actor, given, eligible)  # who said yes at the same moment is the second pair
        return ready or self._wait(actor, item.candidate, eligible)

    def _may(self, actor: Actor, item: HeldItem) -> Sequence[Person]:
        eligible = self._eligible(item)
        if actor.user_id not in {one.user_id for one in eligible}:
            msg = (
                "This was said in your own chat and could do harm if it were false: another reviewer must decide on it."
            )
            raise NotAuthorised(msg)
        return eligible

    def _ready(self, actor: Actor, given: Sequence[Approved], eligible: Sequence[Person]) -> Eyes | None:
        names = {one.user_id: one.username for one in eligible}
        for one in given:
            if one.user_id != actor.user_id and one.user_id in names:
                return Eyes(
                    vouched_by=f"{names[one.user_id]} and {actor.username}",
                    about={"approved_by": [one.user_id, actor.user_id]},
                )
        alone = set(names) == {actor.user_id}
        wait = timedelta(minutes=self.policy.review.sole_reviewer_minutes)
        if alone and any(one.user_id == actor.user_id and one.at + wait <= self.clock.now() for one in given):
            return Eyes(vouched_by=actor.username, action="confirmed_alone", about={"approved_by": [actor.user_id] * 2})
        return None

    def _wait(self, actor: Actor, candidate: Candidate, eligible: Sequence[Person]) -> Eyes:
        if len(eligible) > 1:
            msg = "Your yes is recorded. A second person must confirm the same words before they become memory."
        else:
            minutes = self.policy.review.sole_reviewer_minutes
            msg = (
                f"Your yes is recorded. You are the only one who may decide on it: confirm it once more in "
                f"{minutes:.0f} minutes."
            )
        waits = Outcome(candidate_id=candidate.candidate_id, ok=True, message=msg, state=CandidateState.HELD)
        return Eyes(vouched_by=actor.username, waits=waits)
