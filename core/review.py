"""Human rulings on held candidates, through the same assess and enact as the machine's (rules §1.11).

A reviewer rules on the exact bytes they were shown: version and sha256 come back with the ruling, and anything that
changed meanwhile refuses it. A promotion never overwrites what the owner said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.accounts import Accounts
from core.assess import Assessor
from core.enact import Enactor
from core.errors import (
    BadInput,
    ChronoMemoryError,
    Contradicts,
    NeedsReason,
    NotAuthorised,
    NotFound,
    StaleReview,
    StoreUnavailable,
)
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Decision,
    Effect,
    EffectKind,
    Evidence,
    GateStep,
    HeldItem,
    Memory,
    Role,
    Ruling,
    RulingKind,
    SourceKind,
    Verdict,
)
from core.policy import Policy, effects_of
from core.ports import Clock, HeldFilter, HeldGroup, Ids, Ledger, MemoryReader
from core.slots import slot_key

REVIEWERS = (Role.REVIEWER, Role.ADMIN)
STRIP_DAYS = 7
FLAGGED = frozenset({"directive"})  # reasons that a promotion must override in so many words


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueSummary:
    """The strip above the queue."""

    held: int
    oldest: datetime | None
    promoted_7d: int
    rejected_7d: int
    held_today: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one ruling; `message` says it in a sentence."""

    candidate_id: str
    ok: bool
    message: str
    state: CandidateState | None = None
    decision: Decision | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """The review desk. Reviewers and admins see their tenant's held items; members their own, if allowed."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader
    assessor: Assessor
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    members_see_held: bool

    def summary(self, actor: Actor) -> QueueSummary:
        """Counts for the strip and the navigation's badge."""
        owner = self._visible(actor)
        now = self.clock.now()
        week = self.ledger.tally(actor.tenant, owner=owner, since=now - timedelta(days=STRIP_DAYS))
        today = self.ledger.tally(actor.tenant, owner=owner, since=now - timedelta(days=1))
        return QueueSummary(
            held=week.held,
            oldest=week.oldest,
            promoted_7d=week.promoted_since,
            rejected_7d=week.rejected_since,
            held_today=today.held_since,
        )

    def groups(
        self,
        actor: Actor,
        *,
        source_kind: SourceKind | None = None,
        reason: str | None = None,
        text: str | None = None,
        owner: str | None = None,
        limit: int = 25,
        offset: int = 0,
    ) -> tuple[list[HeldGroup], int]:
        """Held items grouped by their source, oldest group first, and the number of groups."""
        where = self._where(actor, owner=owner, source_kind=source_kind, reason=reason, text=text)
        return self.ledger.held_groups(where, limit=limit, offset=offset)

    def pending(
        self,
        actor: Actor,
        *,
        source_ref: str | None = None,
        source_kind: SourceKind | None = None,
        reason: str | None = None,
        text: str | None = None,
        owner: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[list[HeldItem], int]:
        """One page of held items, oldest first, and the true total."""
        where = self._where(actor, owner=owner, source_kind=source_kind, reason=reason, text=text, ref=source_ref)
        return self.ledger.held(where, limit=limit, offset=offset)

    def item(self, actor: Actor, candidate_id: str) -> HeldItem:
        """One item in full. A reviewer's look at another owner's words is audited (rules §1.8).

        Raises:
            NotFound: nothing by that id that the actor may see.
        """
        item = self._item(actor, candidate_id)
        owner = item.candidate.scope.owner
        if owner != actor.user_id:
            self.enactor.note(
                actor=actor.user_id,
                action="candidate:read",
                tenant=actor.tenant,
                owner=owner,
                about={"candidate_id": candidate_id},
            )
        return item

    def contradicted(self, actor: Actor, candidate_id: str) -> list[Memory]:
        """Live memories in the item's slot with another value: what a promotion would replace, or be refused for."""
        candidate = self._item(actor, candidate_id).candidate
        evidence = self.assessor.gather(candidate)
        ids = {one.memory_id for one in evidence.incumbents if not one.same_value and not one.multi_valued}
        key = slot_key(candidate.proposal.subject, candidate.proposal.attribute)
        return [one for one in self.store.slot(candidate.scope, key) if one.memory_id in ids]

    def resolve(self, actor: Actor, ruling: Ruling) -> Outcome:
        """Carry out one ruling. Repeating it changes nothing and answers the same.

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            NeedsReason: a rejection, or the promotion of a flagged item, without a reason.
            StaleReview: the item changed after it was shown; nothing was written.
            Contradicts: the owner said otherwise; nothing was written.
        """
        item = self._item(actor, ruling.candidate_id, rule=True)
        repeat = self._repeat(actor, item, ruling)
        if repeat is not None:
            return repeat
        candidate = item.candidate
        if candidate.version != ruling.seen_version or candidate.digest != ruling.digest:
            raise StaleReview(self._changed(item))
        if item.state is not CandidateState.HELD:
            raise StaleReview(self._changed(item))
        note = ruling.note.strip()
        if ruling.kind is RulingKind.REJECT:
            if not note:
                msg = "Say why it is rejected: the reason is kept in the audit."
                raise NeedsReason(msg)
            return self._commit(actor, item, Verdict.REJECT, (), item.decision.evidence, note)
        flagged = FLAGGED.intersection(item.decision.reasons)
        if flagged and not (note and ruling.override):
            msg = f"This item is flagged ({', '.join(sorted(flagged))}). Confirm that you override it, and say why."
            raise NeedsReason(msg)
        evidence = self.assessor.gather(candidate)
        self._refuse_contradiction(evidence)
        effects = effects_of(
            candidate, evidence, at=self.clock.now(), trust=evidence.effective_trust, vouched_by=actor.username
        )
        return self._commit(actor, item, Verdict.ADMIT, effects, evidence, note)

    def resolve_many(self, actor: Actor, rulings: Sequence[Ruling]) -> list[Outcome]:
        """Carry out rulings one by one; what one item refuses never stops the others."""
        outcomes = []
        for ruling in rulings:
            try:
                outcomes.append(self.resolve(actor, ruling))
            except NotAuthorised:
                raise
            except ChronoMemoryError as problem:
                outcomes.append(Outcome(candidate_id=ruling.candidate_id, ok=False, message=str(problem)))
        return outcomes

    def undo(self, actor: Actor, candidate_id: str) -> Outcome:
        """Take a ruling back within the policy's minutes: the item is held again, its memory leaves the store.

        Raises:
            NotAuthorised: somebody else ruled, and the actor is no admin.
            BadInput: there is nothing to undo, or it is too late.
        """
        item = self._item(actor, candidate_id, rule=True)
        last, now = item.decision, self.clock.now()
        if item.state not in (CandidateState.PROMOTED, CandidateState.REJECTED) or last.by == "policy":
            msg = "There is no ruling to undo on this item."
            raise BadInput(msg)
        if last.by != actor.user_id and actor.role is not Role.ADMIN:
            msg = "Only the one who ruled, or an admin, can undo it."
            raise NotAuthorised(msg)
        if now - last.at > timedelta(minutes=self.policy.review.undo_minutes):
            msg = (
                f"A ruling can be undone for {self.policy.review.undo_minutes:.0f} minutes; forget the memory instead."
            )
            raise BadInput(msg)
        effects = tuple(self._reverse(item.candidate, last.effects, now))
        return self._commit(actor, item, Verdict.HOLD, effects, last.evidence, "undone", action="undone")

    def recent(self, actor: Actor, *, limit: int = 20) -> list[HeldItem]:
        """The last rulings by people that can still be undone, newest first."""
        since = self.clock.now() - timedelta(minutes=self.policy.review.undo_minutes)
        return self.ledger.ruled(actor.tenant, owner=self._visible(actor), since=since, limit=limit)

    # --- inside -------------------------------------------------------------------------------------------------

    def _visible(self, actor: Actor) -> str | None:
        """The owner whose items the actor may see; None: everybody's in the tenant."""
        person = self.accounts.authorise(actor)
        if person.role in REVIEWERS:
            return None
        if self.members_see_held:
            return actor.user_id
        msg = "Held items are for reviewers here."
        raise NotAuthorised(msg)

    def _where(
        self,
        actor: Actor,
        *,
        owner: str | None,
        source_kind: SourceKind | None,
        reason: str | None,
        text: str | None,
        ref: str | None = None,
    ) -> HeldFilter:
        visible = self._visible(actor)
        return HeldFilter(
            tenant=actor.tenant,
            owner=visible or owner,
            source_kind=source_kind,
            source_ref=ref,
            reason=reason,
            text=text,
        )

    def _item(self, actor: Actor, candidate_id: str, *, rule: bool = False) -> HeldItem:
        visible = self._visible(actor)
        if rule and visible is not None:
            self.accounts.authorise(actor, *REVIEWERS)  # members may look at their own items, not rule on them
        item = self.ledger.candidate(candidate_id)
        scope = item.candidate.scope if item else None
        if item is None or scope is None or scope.tenant != actor.tenant or visible not in (None, scope.owner):
            msg = "There is no such item."
            raise NotFound(msg)
        return item

    def _repeat(self, actor: Actor, item: HeldItem, ruling: Ruling) -> Outcome | None:
        """A double click: the same person, the same verdict, on what they saw, is answered and not done again."""
        reached = CandidateState.PROMOTED if ruling.kind is RulingKind.PROMOTE else CandidateState.REJECTED
        same = item.state is reached and item.decision.by == actor.user_id
        if same and item.candidate.version == ruling.seen_version + 1:
            return _outcome(item.candidate, reached, item.decision)
        return None

    def _changed(self, item: HeldItem) -> str:
        who = item.decision.by
        person = None if who == "policy" else self.accounts.name_of(who)
        return (
            f"This item changed after you opened it: it is {item.state.value} now, by {person or 'the policy'}, "
            f"{item.decision.at:%H:%M} UTC. Look again before you decide."
        )

    def _refuse_contradiction(self, evidence: Evidence) -> None:
        level = self.policy.trust.vouch_level
        rivals = [one for one in evidence.incumbents if not one.same_value and not one.multi_valued]
        stronger = [one for one in rivals if one.ranking_trust > level]
        if stronger:
            msg = (
                f"The owner's own words say otherwise: “{stronger[0].text}” (trust {stronger[0].ranking_trust:.2f}). "
                "A promotion does not overwrite them; only the owner can correct it."
            )
            raise Contradicts(msg)

    def _reverse(self, candidate: Candidate, effects: Sequence[Effect], at: datetime) -> Sequence[Effect]:
        undo = {EffectKind.ACTIVATE: EffectKind.REMOVE, EffectKind.SUPERSEDE: EffectKind.RESTORE}
        return [
            Effect(
                effect_id=f"{candidate.candidate_id}:{candidate.version}:undo:{one.memory_id}",
                kind=undo[one.kind],
                scope=candidate.scope,
                memory_id=one.memory_id,
                at=at,
                reason="ruling undone",
            )
            for one in effects
            if one.kind in undo
        ]

    def _commit(
        self,
        actor: Actor,
        item: HeldItem,
        verdict: Verdict,
        effects: Sequence[Effect],
        evidence: Evidence,
        note: str,
        *,
        action: str = "",
    ) -> Outcome:
        state = {
            Verdict.ADMIT: CandidateState.PROMOTED,
            Verdict.REJECT: CandidateState.REJECTED,
            Verdict.HOLD: CandidateState.HELD,
        }[verdict]
        reasons = item.decision.reasons if verdict is Verdict.HOLD else (state.value,)
        if verdict is Verdict.HOLD:
            reasons = self._held_reasons(item.candidate.candidate_id)
        decision = Decision(
            decision_id=self.ids.new(),
            candidate_id=item.candidate.candidate_id,
            verdict=verdict,
            reasons=reasons,
            steps=self._steps(item.candidate.candidate_id),
            evidence=evidence,
            effects=tuple(effects),
            policy_digest=self.policy.digest,
            by=actor.user_id,
            at=self.clock.now(),
            note=note,
        )
        version = self.enactor.commit_ruling(actor, item.candidate, decision, state=state, action=action)
        self._relay_soon()
        return _outcome(replace(item.candidate, version=version), state, decision)

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


def _outcome(candidate: Candidate, state: CandidateState, decision: Decision) -> Outcome:
    done = {
        CandidateState.PROMOTED: "Promoted: it is in memory now.",
        CandidateState.REJECTED: "Rejected: the same words will not come back to the queue.",
        CandidateState.HELD: "Undone: the item is held again.",
    }
    return Outcome(candidate_id=candidate.candidate_id, ok=True, message=done[state], state=state, decision=decision)


__all__ = ["FLAGGED", "Outcome", "QueueSummary", "Review"]
