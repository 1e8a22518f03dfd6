"""Human rulings on held candidates, through the same assess and enact as the machine's (rules §1.11).

A reviewer rules on the exact bytes they were shown: version and sha256 come back with the ruling, and anything that
changed meanwhile refuses it. A promotion never overwrites what the owner said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.accounts import Accounts
from core.assess import Assessor
from core.conflict import Contest, contest, rivals_of
from core.enact import Enactor
from core.errors import (
    BadInput,
    ChronoMemoryError,
    Contradicts,
    NeedsReason,
    NotAuthorised,
    NotFound,
    Outdated,
    StaleReview,
    StoreUnavailable,
)
from core.gate import effects_of, with_echoes
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
    MemoryKind,
    MemoryStatus,
    Provenance,
    Role,
    Ruling,
    RulingKind,
    SourceKind,
    Verdict,
)
from core.policy import Policy
from core.ports import Clock, HeldFilter, HeldGroup, Ids, Ledger, MemoryReader
from core.slots import is_multi_valued

REVIEWERS = (Role.REVIEWER, Role.ADMIN)
STRIP_DAYS = 7
RACES = 4  # times that a ruling is judged on what changed meanwhile
FLAGGED = frozenset({"directive", "impact", "ask_owner"})  # reasons that a promotion must override in so many words
FINDING = 0.5  # severity from which a detector's finding must be overridden in so many words
ANSWERS = frozenset({RulingKind.KEEP_OLD, RulingKind.TAKE_NEW, RulingKind.BOTH, RulingKind.NEITHER})
TAKING = frozenset({RulingKind.TAKE_NEW, RulingKind.BOTH})  # answers that take the held words into memory
QUESTIONS = 50  # questions to the owner shown at a time, of each reason
OWNERS = frozenset({"conflict", "ask_owner"})  # reasons that are put to the owner, whatever their role (rules §1.7)


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
        """Held items grouped by what is decided together (`core.clusters`), oldest first, and the number of groups."""
        where = self._where(actor, owner=owner, source_kind=source_kind, reason=reason, text=text)
        return self.ledger.held_groups(where, limit=limit, offset=offset)

    def pending(  # noqa: PLR0913 - a filter has that many parts
        self,
        actor: Actor,
        *,
        source_ref: str | None = None,
        cluster: str | None = None,
        source_kind: SourceKind | None = None,
        reason: str | None = None,
        text: str | None = None,
        owner: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[list[HeldItem], int]:
        """One page of held items, oldest first, and the true total."""
        where = self._where(actor, owner=owner, source_kind=source_kind, reason=reason, text=text)
        where = replace(where, source_ref=source_ref, cluster=cluster)
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

    def questions(self, actor: Actor) -> list[HeldItem]:
        """The actor's own held items that only they can settle, oldest first; for every role (rules §1.7, §1.11)."""
        reviews = self.accounts.authorise(actor).role in REVIEWERS  # who may rule on pages anyway is asked at once
        found: dict[str, HeldItem] = {}
        for reason in sorted(OWNERS):
            where = HeldFilter(tenant=actor.tenant, owner=actor.user_id, reason=reason)
            items, _ = self.ledger.held(where, limit=QUESTIONS)
            found |= {one.candidate.candidate_id: one for one in items if reviews or asked_of_owner(one)}
        return sorted(found.values(), key=lambda one: one.candidate.serial_no)

    def origins(self, actor: Actor, candidate_id: str) -> dict[str, Provenance]:
        """Where the texts of an item's chain and of its pasted parts came from, by episode id; never their words."""
        item = self._item(actor, candidate_id, owner=True)
        pasted = [one.matched for one in item.candidate.provenance.pasted]
        found = {}
        for episode_id in dict.fromkeys([*(root.episode_id for root in item.decision.evidence.roots), *pasted]):
            episode = self.ledger.episode(episode_id) if episode_id else None
            if episode is not None and episode.scope == item.candidate.scope:
                found[episode_id] = episode.provenance
        return found

    def repeats(self, actor: Actor, candidate_id: str) -> int:
        """How often the same source said the same again while the item was held (rules §4.3)."""
        item = self._item(actor, candidate_id, owner=True)
        _, total = self.ledger.audit(
            actor.tenant,
            owner=item.candidate.scope.owner,
            action="candidate:repeat_held_claim",
            about=candidate_id,
            limit=1,
        )
        return total

    def contradicted(self, actor: Actor, candidate_id: str) -> list[Memory]:
        """Live memories in the item's slot with another value: what a promotion would replace, or be refused for."""
        candidate = self._item(actor, candidate_id, owner=True).candidate
        evidence = self.assessor.again(candidate)
        found = (
            self.store.get(candidate.scope, one.memory_id)
            for one in rivals_of(candidate, evidence, self.policy.conflict)
        )
        return [memory for memory in found if memory is not None]

    def resolve(self, actor: Actor, ruling: Ruling) -> Outcome:
        """Carry out one ruling. Repeating it changes nothing and answers the same.

        Raises:
            NotAuthorised, NotFound: not the actor's to decide.
            NeedsReason: a rejection, or the promotion of a flagged item, without a reason.
            StaleReview: the item changed after it was shown; nothing was written.
            Contradicts: the owner said otherwise; nothing was written.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._resolve(actor, ruling))

    @contextmanager
    def _refusals(self, actor: Actor, candidate_id: str) -> Iterator[None]:
        """An act that its actor may not do is refused and stands in the audit, with who tried it on what."""
        try:
            yield
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

    def _resolve(self, actor: Actor, ruling: Ruling) -> Outcome:
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
        flagged = flags_of(item)
        if flagged and not (note and ruling.override):
            msg = f"This item is flagged ({', '.join(flagged)}). Confirm that you override it, and say why."
            raise NeedsReason(msg)
        evidence = self._evidence(candidate)
        rivalry = self._rivalry(candidate, evidence)
        if not rivalry.wins or self._behind_the_owner(rivalry):
            return self._put_to_owner(actor, item, evidence, rivalry, note)
        effects = effects_of(
            candidate,
            evidence,
            at=self.clock.now(),
            trust=evidence.effective_trust,
            rivalry=rivalry,
            vouched_by=actor.username,
        )
        return self._commit(actor, item, Verdict.ADMIT, effects, evidence, note)

    def settle(self, actor: Actor, ruling: Ruling) -> Outcome:
        """Answer a conflict card or a "remember this?": keep the old, take the new, both are true, or neither.

        The owner answers about their own memory whatever their role; a reviewer only where the owner's own words are
        not at stake. Taking the new supersedes what it contradicts, and keeps the item's origin on record.

        Raises:
            NotAuthorised, NotFound, StaleReview: as `resolve`.
            BadInput: not one of the four answers, or the item is neither a conflict nor a question to the owner.
            NeedsReason: taking in what is flagged, without an override and a reason.
            Contradicts: the owner's own words are at stake and the actor is somebody else.
        """
        with self._refusals(actor, ruling.candidate_id):
            return self._again_if_outdated(lambda: self._settle(actor, ruling))

    def _settle(self, actor: Actor, ruling: Ruling) -> Outcome:
        item = self._item(actor, ruling.candidate_id, owner=True)
        candidate = item.candidate
        if ruling.kind not in ANSWERS or not (OWNERS & set(item.decision.reasons)):
            msg = "This item is not a conflict: promote or reject it."
            raise BadInput(msg)
        if not asked_of_owner(item):
            self.accounts.authorise(actor, *REVIEWERS)  # nobody vouches for a page to their own memory unasked
        if candidate.version != ruling.seen_version or candidate.digest != ruling.digest:
            raise StaleReview(self._changed(item))
        if item.state is not CandidateState.HELD:
            raise StaleReview(self._changed(item))
        evidence = self._evidence(candidate)
        rivals = rivals_of(candidate, evidence, self.policy.conflict)
        own = candidate.scope.owner == actor.user_id
        asked = "ask_owner" in item.decision.reasons
        if not own and (asked or any(held.ranking_trust > self.policy.trust.vouch_level for held in rivals)):
            msg = "The owner's own words are at stake: only the owner can settle this."
            raise Contradicts(msg)
        flagged = [one for one in flags_of(item) if one != "ask_owner"]  # the answer itself overrides that one
        if ruling.kind in TAKING and flagged and not (ruling.note.strip() and ruling.override):
            msg = f"This item is flagged ({', '.join(flagged)}). Confirm that you override it, and say why."
            raise NeedsReason(msg)
        note = ruling.note.strip() or ruling.kind.value.replace("_", " ")
        if ruling.kind is RulingKind.KEEP_OLD:
            return self._commit(actor, item, Verdict.REJECT, (), evidence, note, action=ruling.kind.value)
        at = self.clock.now()
        if ruling.kind is RulingKind.NEITHER:
            closed = [
                Effect(
                    effect_id=f"{candidate.candidate_id}:{candidate.version}:neither:{memory_id}",
                    kind=EffectKind.RETRACT,
                    scope=candidate.scope,
                    memory_id=memory_id,
                    at=at,
                    reason="neither is true, says the owner" if own else "neither is true, says a reviewer",
                )
                for memory_id in with_echoes(rivals)
            ]
            return self._commit(actor, item, Verdict.REJECT, closed, evidence, note, action=ruling.kind.value)
        replaced = rivals if ruling.kind is RulingKind.TAKE_NEW else ()
        effects = effects_of(
            candidate,
            evidence,
            at=at,
            trust=evidence.effective_trust,
            rivalry=Contest(rivals=replaced),
            vouched_by=actor.username,
        )
        return self._commit(actor, item, Verdict.ADMIT, effects, evidence, note, action=ruling.kind.value)

    def revoke(self, actor: Actor, candidate_id: str, reason: str) -> list[Outcome]:
        """Take a promotion back at any time: it is held again, and so is everything derived from it (rules §1.11).

        Raises:
            NotAuthorised: the actor is no reviewer.
            NeedsReason: no reason was given.
            BadInput: nothing was promoted under this id.
        """
        item = self._item(actor, candidate_id, rule=True)
        if not reason.strip():
            msg = "Say why the promotion is revoked: the reason is kept in the audit."
            raise NeedsReason(msg)
        if item.state is not CandidateState.PROMOTED:
            msg = f"Only a promoted item can be revoked; this one is {item.state.value}."
            raise BadInput(msg)
        outcomes: list[Outcome] = []
        for one in [item, *self._along(item)]:
            effects = tuple(self._reverse(one.candidate, one.decision.effects, self.clock.now(), "promotion revoked"))
            why = reason.strip() if one is item else f"derived from {candidate_id}, which was revoked"
            outcomes.append(
                self._commit(actor, one, Verdict.HOLD, effects, one.decision.evidence, why, action="revoked")
            )
        return outcomes

    def along(self, actor: Actor, candidate_id: str) -> list[HeldItem]:
        """What would be held again together with a promotion that is revoked: everything derived from it.

        Raises:
            NotAuthorised: the actor is no reviewer.
        """
        return self._along(self._item(actor, candidate_id, rule=True))

    def _along(self, item: HeldItem) -> list[HeldItem]:
        found: dict[str, HeldItem] = {}
        waiting, first = [item], item.candidate.candidate_id
        while waiting:
            one = waiting.pop(0).candidate
            for derived in self.ledger.derived(one.scope, one.candidate_id):
                if derived.candidate.candidate_id not in {first, *found}:
                    found[derived.candidate.candidate_id] = derived
                    waiting.append(derived)
        return list(found.values())

    def _evidence(self, candidate: Candidate) -> Evidence:
        """Evidence as it stands now; what was decided before must be in the store when it is read (rules §3.6)."""
        if self.ledger.waiting(candidate.scope):
            self.enactor.relay()
        return self.assessor.again(candidate)

    def _rivalry(self, candidate: Candidate, evidence: Evidence) -> Contest:
        """A promotion counts with the vouch level against what it contradicts (rules §1.11)."""
        trust = max(evidence.effective_trust, self.policy.trust.vouch_level)
        return contest(candidate, evidence, rules=self.policy.conflict, trust=trust, at=self.clock.now())

    def _behind_the_owner(self, rivalry: Contest) -> bool:
        """Whether it would become mere history behind the owner's own words: they are asked then, too (rules §1.11)."""
        level = self.policy.trust.vouch_level
        return rivalry.older is not None and any(one.ranking_trust > level for one in rivalry.rivals)

    def _put_to_owner(self, actor: Actor, item: HeldItem, evidence: Evidence, rivalry: Contest, note: str) -> Outcome:
        """A promotion that contradicts what the owner said opens a conflict card to the owner (rules §1.11)."""
        reasons = tuple(dict.fromkeys(("conflict", *item.decision.reasons)))
        if "conflict" not in item.decision.reasons:
            self._commit(
                actor,
                item,
                Verdict.HOLD,
                (),
                evidence,
                note or "promotion asked",
                action="put_to_owner",
                reasons=reasons,
            )
        held = max(rivalry.rivals, key=lambda one: one.ranking_trust)
        msg = (
            f"The owner's own words say otherwise: “{held.text}” (trust {held.ranking_trust:.2f}). A promotion does "
            "not overwrite them; the owner was asked to settle it."
        )
        raise Contradicts(msg)

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
    ) -> HeldFilter:
        visible = self._visible(actor)
        return HeldFilter(
            tenant=actor.tenant,
            owner=visible or owner,
            source_kind=source_kind,
            reason=reason,
            text=text,
        )

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

    def _reverse(
        self, candidate: Candidate, effects: Sequence[Effect], at: datetime, reason: str = "ruling undone"
    ) -> Sequence[Effect]:
        undo = {
            EffectKind.ACTIVATE: EffectKind.REMOVE,
            EffectKind.SUPERSEDE: EffectKind.RESTORE,
            EffectKind.RETRACT: EffectKind.RESTORE,
        }
        if self.ledger.waiting(candidate.scope):  # what stands now decides what can come back
            self.enactor.relay()
        return [
            Effect(
                effect_id=f"{candidate.candidate_id}:{candidate.version}:undo:{one.memory_id}",
                kind=undo[one.kind],
                scope=candidate.scope,
                memory_id=one.memory_id,
                at=at,
                reason=reason,
            )
            for one in effects
            if one.kind is EffectKind.ACTIVATE or (one.kind in undo and self._comes_back(candidate, one))
        ]

    def _comes_back(self, candidate: Candidate, ended: Effect) -> bool:
        """Whether what a ruling ended is current again once it is undone: unless the story went on since (§3.4)."""
        memory = self.store.get(candidate.scope, ended.memory_id)
        if memory is None or memory.status is not MemoryStatus.SUPERSEDED or memory.superseded_by != ended.by_memory_id:
            return False
        if ended.kind is EffectKind.SUPERSEDE:
            by = self.store.get(candidate.scope, candidate.candidate_id)
            if by is None or by.status is not MemoryStatus.ACTIVE:
                return False
        if memory.kind is MemoryKind.EVENT or is_multi_valued(memory.attribute):
            return True
        known = {memory.memory_id, candidate.candidate_id}
        stands = self.store.slot(memory.scope, memory.slot_key)
        return not any(one.memory_id not in known and one.kind is not MemoryKind.EVENT for one in stands)

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
        reasons: tuple[str, ...] = (),
    ) -> Outcome:
        state = {
            Verdict.ADMIT: CandidateState.PROMOTED,
            Verdict.REJECT: CandidateState.REJECTED,
            Verdict.HOLD: CandidateState.HELD,
        }[verdict]
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
    found = {one.detector.replace("_", " ") for one in item.decision.evidence.findings if one.severity >= FINDING}
    return sorted(FLAGGED.intersection(item.decision.reasons) | found)


def _outcome(candidate: Candidate, state: CandidateState, decision: Decision) -> Outcome:
    done = {
        CandidateState.PROMOTED: "Promoted: it is in memory now.",
        CandidateState.REJECTED: "Rejected: the same words will not come back to the queue.",
        CandidateState.HELD: "Undone: the item is held again.",
    }
    return Outcome(candidate_id=candidate.candidate_id, ok=True, message=done[state], state=state, decision=decision)


__all__ = ["ANSWERS", "FLAGGED", "OWNERS", "TAKING", "Outcome", "QueueSummary", "Review", "asked_of_owner", "flags_of"]
