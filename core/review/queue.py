"""What waits and why: the strip, groups, pages of items, one item in full. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.conflict import rivals_of
from core.model import Actor, HeldItem, Memory, Provenance, SourceKind
from core.ports import HeldFilter, HeldGroup
from core.review.bench import Bench
from core.review.values import OWNERS, QUESTIONS, REVIEWERS, STRIP_DAYS, QueueSummary, asked_of_owner


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue(Bench):
    """Reviewers and admins see their tenant's held items; members their own, if allowed."""

    def summary(self, actor: Actor) -> QueueSummary:
        """Counts for the strip and the navigation's badge."""
        owner = self._visible(actor)
        now = self.clock.now()
        week = self.ledger.tally(actor.tenant, owner=owner, since=now - timedelta(days=STRIP_DAYS), at=now)
        today = self.ledger.tally(actor.tenant, owner=owner, since=now - timedelta(days=1))
        return QueueSummary(
            held=week.held,
            oldest=week.oldest,
            promoted_7d=week.promoted_since,
            rejected_7d=week.rejected_since,
            held_today=today.held_since,
            decided_today=today.promoted_since + today.rejected_since,
            alone_today=today.alone_since,
            snoozed=week.snoozed,
            target=self.target,
        )

    def groups(  # noqa: PLR0913 - a filter has that many parts
        self,
        actor: Actor,
        *,
        by: str = "source",
        source_kind: SourceKind | None = None,
        reason: str | None = None,
        text: str | None = None,
        owner: str | None = None,
        older_than: datetime | None = None,
        assigned_to: str | None = None,
        snoozed: bool = False,
        order: str = "oldest",
        limit: int = 25,
        offset: int = 0,
    ) -> tuple[list[HeldGroup], int]:
        """Held items grouped by what is decided together, first group first, and the number of groups.

        Args:
            actor: who looks.
            by: "source" (`core.clusters`), or "alike": near-duplicates of one owner (`core.alike`).
            source_kind: only this channel's.
            reason: only what is held for this reason code.
            text: only what holds these words.
            owner: only this person's.
            older_than: only what came in before.
            assigned_to: only what this person was asked about.
            snoozed: only what is put off, instead of all else.
            order: one of `core.queueing.ORDERS`.
            limit: groups of a page.
            offset: groups before it.
        """
        where = self._where(
            actor,
            owner=owner,
            source_kind=source_kind,
            reason=reason,
            text=text,
            older_than=older_than,
            assigned_to=assigned_to,
            snoozed=snoozed,
            order=order,
        )
        return self.ledger.held_groups(where, by=by, limit=limit, offset=offset)

    def pending(  # noqa: PLR0913 - a filter has that many parts
        self,
        actor: Actor,
        *,
        source_ref: str | None = None,
        cluster: str | None = None,
        alike: str | None = None,
        source_kind: SourceKind | None = None,
        reason: str | None = None,
        text: str | None = None,
        owner: str | None = None,
        older_than: datetime | None = None,
        assigned_to: str | None = None,
        snoozed: bool = False,
        order: str = "oldest",
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[list[HeldItem], int]:
        """One page of held items in order, and the true total; the filters are those of `groups`."""
        where = self._where(
            actor,
            owner=owner,
            source_ref=source_ref,
            cluster=cluster,
            alike=alike,
            source_kind=source_kind,
            reason=reason,
            text=text,
            older_than=older_than,
            assigned_to=assigned_to,
            snoozed=snoozed,
            order=order,
        )
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

    def recent(self, actor: Actor, *, limit: int = 20) -> list[HeldItem]:
        """The last rulings by people that can still be undone, newest first."""
        since = self.clock.now() - timedelta(minutes=self.policy.review.undo_minutes)
        return self.ledger.ruled(actor.tenant, owner=self._visible(actor), since=since, limit=limit)

    def _where(self, actor: Actor, *, owner: str | None, **filters: Any) -> HeldFilter:
        visible = self._visible(actor)
        return HeldFilter(tenant=actor.tenant, owner=visible or owner, at=self.clock.now(), **filters)
