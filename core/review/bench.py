"""What every part of the review desk works with: who may see what, evidence as it stands now, one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from core.accounts import Accounts
from core.assess import Assessor
from core.conflict import Contest, contest
from core.enact import Act, Enactor
from core.errors import (
    ChronoMemoryError,
    NeedsReason,
    NotAuthorised,
    NotFound,
    Outdated,
    Reserved,
    StaleReview,
    StoreUnavailable,
)
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Decision,
    Effect,
    Evidence,
    GateStep,
    HeldItem,
    Role,
    Ruling,
    Verdict,
)
from core.policy import Policy
from core.ports import Clock, Ids, Ledger, MemoryReader
from core.review.values import RACES, REVIEWERS, Outcome, outcome_of

STATES = {
    Verdict.ADMIT: CandidateState.PROMOTED,
    Verdict.REJECT: CandidateState.REJECTED,
    Verdict.HOLD: CandidateState.HELD,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """The parts that the desk is built from."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader
    assessor: Assessor
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    members_see_held: bool
    target: timedelta = timedelta(days=1)  # the age at which a held item has waited for too long

    def _visible(self, actor: Actor) -> str | None:
        """The owner whose items the actor may see; None: everybody's in the tenant."""
        person = self.accounts.authorise(actor)
        if person.role in REVIEWERS:
            return None
        if self.members_see_held:
            return actor.user_id
        msg = "Held items are for reviewers here."
        raise NotAuthorised(msg)

    def _item(self, actor: Actor, candidate_id: str, *, rule: bool = False, owner: bool = False) -> HeldItem:
        visible = (
            actor.user_id if owner and self.accounts.authorise(actor).role is Role.MEMBER else self._visible(actor)
        )
        if rule and visible is not None:
            self.accounts.authorise(actor, *REVIEWERS)  # members may look at their own items, not rule on them
        item = self.ledger.candidate(candidate_id)
        scope = item.candidate.scope if item else None
        if item is None or scope is None or scope.tenant != actor.tenant or visible not in (None, scope.owner):
            msg = "There is no such item."
            raise NotFound(msg)
        return item

    @contextmanager
    def _refusals(self, actor: Actor, candidate_id: str) -> Iterator[None]:
        """An act that its actor may not do is refused and stands in the audit, with who tried it on what."""
        try:
            yield
        except Reserved as problem:
            if problem.who in (names := self.accounts.names(actor.tenant)):  # the ledger knows ids only
                raise self._reserved(names[problem.who], problem.until) from problem
            raise
        except NotAuthorised:
            known = self.ledger.candidate(candidate_id) is not None
            about = {
                "candidate_id": candidate_id if known else "",
                "why": "not_authorised",
                "session": actor.session_id,
            }
            self.enactor.note(
                actor=actor.user_id, action="candidate:refused", tenant=actor.tenant, owner="", about=about
            )
            raise

    def _again_if_outdated(self, act: Callable[[], Outcome]) -> Outcome:
        """Judge again when the owner's memories changed meanwhile (rules §3.6); what somebody else decided is stale."""
        for _ in range(RACES - 1):
            try:
                return act()
            except Outdated:
                continue
        return act()

    def _evidence(self, candidate: Candidate) -> Evidence:
        """Evidence as it stands now; what was decided before must be in the store when it is read (rules §3.6)."""
        if self.ledger.waiting(candidate.scope):
            self.enactor.relay()
        return self.assessor.again(candidate)

    def _rivalry(self, candidate: Candidate, evidence: Evidence) -> Contest:
        """A promotion counts with the vouch level against what it contradicts (rules §1.11)."""
        trust = max(evidence.effective_trust, self.policy.trust.vouch_level)
        return contest(candidate, evidence, rules=self.policy.conflict, trust=trust, at=self.clock.now())

    def _changed(self, item: HeldItem) -> str:
        who = item.decision.by
        person = None if who == "policy" else self.accounts.name_of(who)
        return (
            f"This item changed after you opened it: it is {item.state.value} now, by {person or 'the policy'}, "
            f"{item.decision.at:%H:%M} UTC. Look again before you decide."
        )

    def _open(self, actor: Actor, item: HeldItem, ruling: Ruling, *, regardless: bool = False) -> None:
        """Whether the item is still held, as the bytes that were shown, and nobody else is at it.

        Raises:
            StaleReview: it changed after it was shown.
            Reserved: somebody else is at it.
        """
        candidate = item.candidate
        shown = (candidate.version, candidate.digest) == (ruling.seen_version, ruling.digest)
        if not shown or item.state is not CandidateState.HELD:
            raise StaleReview(self._changed(item))
        if regardless:
            return
        marking = self.ledger.markings([candidate.candidate_id]).get(candidate.candidate_id)
        held = marking.reservation if marking else None
        if held is not None and held.user_id != actor.user_id and held.until > self.clock.now():
            raise self._reserved(self.accounts.name_of(held.user_id) or "somebody else", held.until)

    def _reserved(self, who: str, until: datetime) -> Reserved:
        msg = (
            f"{who} is at this item until {until:%H:%M} UTC; nothing was written. Take it over, or go on with another."
        )
        return Reserved(msg, who=who, until=until)

    def _overridden(self, flagged: Sequence[str], ruling: Ruling) -> None:
        """Whether what is flagged was confirmed in so many words.

        Raises:
            NeedsReason: it was not.
        """
        if flagged and not (ruling.note.strip() and ruling.override):
            msg = f"This item is flagged ({', '.join(flagged)}). Confirm that you override it, and say why."
            raise NeedsReason(msg)

    def _commit(  # noqa: PLR0913 - all that a ruling is recorded with
        self,
        actor: Actor,
        item: HeldItem,
        verdict: Verdict,
        effects: Sequence[Effect],
        evidence: Evidence,
        note: str,
        *,
        action: str = "",
        reasons: tuple[str, ...] = (),
        about: Mapping[str, Any] | None = None,
        regardless: bool = False,
    ) -> Outcome:
        act = self._act(actor, item, verdict, effects, evidence, note, action=action, reasons=reasons, about=about)
        version = self.enactor.commit_ruling(actor, [act], regardless=regardless)
        self._relay_soon()
        return outcome_of(replace(item.candidate, version=version), act.state, act.decision)

    def _act(  # noqa: PLR0913 - all that a ruling is recorded with
        self,
        actor: Actor,
        item: HeldItem,
        verdict: Verdict,
        effects: Sequence[Effect],
        evidence: Evidence,
        note: str,
        *,
        action: str = "",
        reasons: tuple[str, ...] = (),
        about: Mapping[str, Any] | None = None,
    ) -> Act:
        """A ruling on one item as it will be written."""
        state = STATES[verdict]
        if not reasons:
            again = verdict is Verdict.HOLD
            reasons = self._held_reasons(item.candidate.candidate_id) if again else (state.value,)
        decision = Decision(
            decision_id=self.ids.new(),
            candidate_id=item.candidate.candidate_id,
            verdict=verdict,
            reasons=reasons,
            steps=self._steps(item.candidate.candidate_id),
            evidence=replace(evidence, cluster=item.decision.evidence.cluster),  # it stays where it was listed
            effects=tuple(effects),
            policy_digest=self.policy.digest,
            by=actor.user_id,
            at=self.clock.now(),
            note=note,
        )
        return Act(candidate=item.candidate, decision=decision, state=state, action=action, about=about or {})

    def _relay_soon(self) -> None:
        """Apply at once if the store answers; if not, the outbox keeps the effects and the worker relays them."""
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not isinstance(problem, StoreUnavailable) and not problem.retry:
                raise

    def _held_reasons(self, candidate_id: str) -> tuple[str, ...]:
        machine = [one for one in self.ledger.decisions(candidate_id) if one.by == "policy"]
        return machine[-1].reasons if machine else ()

    def _steps(self, candidate_id: str) -> tuple[GateStep, ...]:
        machine = [one for one in self.ledger.decisions(candidate_id) if one.by == "policy"]
        return machine[-1].steps if machine else ()
