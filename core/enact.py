"""The enforcement point: commits decisions to the ledger and relays their effects to the store. The only writer.

Order of effects (architecture.md): (1) one ledger transaction holds state, decision, audit and outbox; (2) one store
transaction applies an effect with its witness, once; (3) one ledger transaction marks it applied. A relay may stop or
run twice anywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from core.acts import Act, Acts, named
from core.errors import NotAuthorised, StoreUnavailable
from core.gate import STATE_OF
from core.lost import Lost, find_lost, put_back
from core.model import (
    Candidate,
    CandidateState,
    Decision,
    Effect,
    EffectKind,
    Episode,
    HeldItem,
    MemoryStatus,
)
from core.ports import Embedder, LedgerTx, MemoryWriter, Pattern, StoreKeeper

MENDS = 3  # fail-overs that one relay takes up; more of them is no fail-over
BATCH = 100  # effects read from the outbox at a time


@dataclass(frozen=True, kw_only=True, slots=True)
class Enactor(Acts):
    """Turns decisions into state. Holds the only MemoryWriter of the process."""

    writer: MemoryWriter
    embedder: Embedder
    _relaying: threading.Lock = field(default_factory=threading.Lock)
    _shown: dict[str, int] = field(default_factory=dict)  # the head that the store was last shown, under "head"

    def receive(self, episode: Episode, *, idempotency_key: str | None, inbox: bool) -> Episode:
        """Make an episode durable; with a known key, return the one stored first.

        Raises:
            NotAuthorised: its owner is being erased, or was.
            LedgerUnavailable: nothing was stored.
        """
        scope = episode.scope
        with self.ledger.transaction() as tx:
            if tx.erasing(scope.tenant, scope.owner):  # in the same transaction: an import may be at work meanwhile
                msg = "This person's memory was erased: nothing is taken in for them any more."
                raise NotAuthorised(msg)
            stored = tx.add_episode(episode, idempotency_key=idempotency_key, inbox=inbox)
            if stored.episode_id == episode.episode_id:
                self._audit_episode(tx, stored)
        return stored

    def _audit_episode(self, tx: LedgerTx, episode: Episode) -> None:
        scope, origin = episode.scope, episode.provenance
        tx.append_audit(
            at=episode.received_at,
            actor=origin.actor,
            action="episode:received",
            tenant=scope.tenant,
            owner=scope.owner,
            about={
                "episode_id": episode.episode_id,
                "conversation_id": episode.conversation_id,
                "source_kind": origin.source_kind.value,
                "digest": tx.keyed_digest(scope.tenant, scope.owner, episode.text),
                "derived_from": list(origin.derived_from),
                **({"tool": origin.tool} if origin.tool else {}),
                **({"pasted": len(origin.pasted)} if origin.pasted else {}),
            },
        )
        if origin.claimed:
            tx.append_audit(
                at=episode.received_at,
                actor=origin.actor,
                action="episode:provenance_claim_rejected",
                tenant=scope.tenant,
                owner=scope.owner,
                about={
                    "episode_id": episode.episode_id,
                    "counts_as": origin.source_kind.value,
                    "claims": [tx.keyed_digest(scope.tenant, scope.owner, one) for one in origin.claimed],
                },
            )

    def commit_episode(
        self, episode: Episode, rulings: Sequence[tuple[Candidate, Decision]], *, worker: str, extractor: str
    ) -> None:
        """Commit everything the write path decided about one episode, in one ledger transaction.

        Raises:
            LeaseLost: another worker took the episode over; nothing was written.
            Outdated: the owner's memories changed since the evidence was read; nothing was written.
        """
        at = self.clock.now()
        with self.ledger.transaction() as tx:
            tx.finish_episode(episode.episode_id, worker=worker)
            if rulings:
                tx.check_epoch(episode.scope, min(decision.evidence.epoch for _, decision in rulings))
            own = {candidate.candidate_id for candidate, _ in rulings}
            for candidate, decision in rulings:
                tx.add_candidate(candidate, state=STATE_OF[decision.verdict], at=at)
                self.record(tx, candidate, decision, actor="policy", attestation="config-hash")
                if "repeat_of_held" in decision.reasons and decision.evidence.repeats not in own:
                    self._repeated(tx, candidate, decision)
            tx.append_audit(
                at=at,
                actor="worker",
                action="episode:distilled",
                tenant=episode.scope.tenant,
                owner=episode.scope.owner,
                about={"episode_id": episode.episode_id, "extractor": extractor, "candidates": len(rulings)},
                attestation="declared",
            )

    def _repeated(self, tx: LedgerTx, candidate: Candidate, decision: Decision) -> None:
        """A held claim was sent again: many such entries of one actor in a short time are an alert."""
        tx.append_audit(
            at=decision.at,
            actor=candidate.provenance.actor,
            action="candidate:repeat_held_claim",
            tenant=candidate.scope.tenant,
            owner=candidate.scope.owner,
            about={"candidate_id": candidate.candidate_id, "held_as": decision.evidence.repeats},
        )

    def give_up(self, episode: Episode, *, worker: str, why: str) -> None:
        """Take an episode that no worker can read out of the inbox; its words are kept, nothing is admitted of it."""
        with self.ledger.transaction() as tx:
            tx.finish_episode(episode.episode_id, worker=worker)
            tx.append_audit(
                at=self.clock.now(),
                actor="worker",
                action="episode:failed",
                tenant=episode.scope.tenant,
                owner=episode.scope.owner,
                about={"episode_id": episode.episode_id, "why": why},
            )

    def expire(self, item: HeldItem, decision: Decision, *, action: str = "expired") -> None:
        """Let a held item go that nobody decided: by the policy, never into memory (console.md §3).

        Raises:
            StaleReview: somebody decided it meanwhile; nothing was written.
        """
        candidate = item.candidate
        with self.ledger.transaction() as tx:
            tx.move_candidate(
                candidate.candidate_id, seen_version=candidate.version, state=CandidateState.REJECTED, at=decision.at
            )
            self.record(tx, candidate, decision, actor="policy", attestation="config-hash", action=action)

    def commit_pattern(
        self,
        pattern: Pattern,
        *,
        actor: str,
        action: str,
        about: Mapping[str, Any] | None = None,
        effects: Sequence[Effect] = (),
        ruling: tuple[Candidate, Decision] | None = None,
        moved: bool = False,
    ) -> None:
        """What becomes of a pattern (rules §5.3), in one ledger transaction with its entry, effects and ruling.

        Args:
            pattern: as it is kept from now on, with the version that was read.
            actor: "patterns", or the person who said no.
            action: of the audit entry: "pattern:proposed", "pattern:retired" …
            about: ids and numbers that the entry names beside.
            effects: what it does to the memory that it became.
            ruling: its candidate with the decision on it.
            moved: the candidate is known and was held: it leaves the queue. False: it is made by this.

        Raises:
            StaleReview: the pattern or its candidate changed meanwhile; nothing was written.
            Outdated: the owner's memories changed since the evidence was read; nothing was written.
        """
        at, scope = self.clock.now(), pattern.scope
        with self.ledger.transaction() as tx:
            if ruling is not None:
                candidate, decision = ruling
                state = STATE_OF[decision.verdict]
                if moved:
                    seen = candidate.version
                    tx.move_candidate(candidate.candidate_id, seen_version=seen, state=state, at=decision.at)
                else:
                    tx.check_epoch(scope, decision.evidence.epoch)
                    tx.add_candidate(candidate, state=state, at=at)
                attestation = "config-hash" if decision.by == "policy" else "declared"
                self.record(tx, candidate, decision, actor=decision.by, attestation=attestation)
            tx.put_pattern(pattern)
            tx.append_audit(
                at=at,
                actor=actor,
                action=action,
                tenant=scope.tenant,
                owner=scope.owner,
                about={
                    "pattern_id": pattern.pattern_id,
                    "detector": pattern.detector,
                    "candidate_id": pattern.candidate_id,
                    "supports": len(pattern.supports),
                    "against": len(pattern.against),
                    "sessions": pattern.sessions,
                    **named(effects),
                    **(about or {}),
                },
                attestation="declared" if actor != "patterns" else "config-hash",
            )
            for effect in effects:
                tx.enqueue(effect)

    def commit_effects(self, actor: str, effects: Sequence[Effect], *, action: str, about: dict[str, Any]) -> None:
        """Commit effects that follow from no candidate: reinforcement, archiving (rules §2.4, §2.6)."""
        if not effects:
            return
        scope = effects[0].scope
        with self.ledger.transaction() as tx:
            tx.append_audit(
                at=effects[0].at,
                actor=actor,
                action=action,
                tenant=scope.tenant,
                owner=scope.owner,
                about=about | named(effects),
            )
            for effect in effects:
                tx.enqueue(effect)

    def commit_purge(self, actor: str, effects: Sequence[Effect]) -> None:
        """Remove rows from the store and their words from the ledger, in one ledger transaction (rules §2.9)."""
        if not effects:
            return
        scope = effects[0].scope
        with self.ledger.transaction() as tx:
            for effect in effects:
                tx.scrub(effect.memory_id)
            tx.append_audit(
                at=effects[0].at,
                actor=actor,
                action="memory:purged",
                tenant=scope.tenant,
                owner=scope.owner,
                about=named(effects),
            )
            for effect in effects:
                tx.enqueue(effect)

    def rebuild(self, clear: Callable[[], None]) -> int:
        """Empty the store with `clear` and apply every effect of the ledger again; returns how many.

        The effects wait again before anything is deleted, so a crash anywhere in between is mended by the next relay.
        """
        with self._relaying:
            with self.ledger.transaction() as tx:
                count = tx.requeue_effects()
            clear()
            with self.ledger.transaction() as tx:  # what another process relayed in between is gone with the rest
                count += tx.requeue_effects()
        self.relay()
        return count

    def erase(self, tenant: str, owner: str, *, by: str, action: str, keeper: StoreKeeper) -> int:
        """Remove an owner from the ledger and then from the store; returns how many memories the store had of them.

        No relay runs meanwhile, so that none brings back what it had read before. What the ledger lost is audited in
        the transaction that took it.

        Raises:
            StoreUnavailable: the ledger's part is done; call again for the store's.
        """
        with self._relaying:
            with self.ledger.transaction() as tx:
                erased = tx.erase(tenant, owner)
                tx.append_audit(
                    at=self.clock.now(), actor=by, action=action, tenant=tenant, owner=owner, about=asdict(erased)
                )
            return keeper.erase(tenant, owner)

    def note(self, *, actor: str, action: str, tenant: str, owner: str, about: dict[str, Any]) -> None:
        """Append one audit entry that changes no memory: sign-ins, reads of held items, model identity."""
        with self.ledger.transaction() as tx:
            tx.append_audit(at=self.clock.now(), actor=actor, action=action, tenant=tenant, owner=owner, about=about)

    def relay(self) -> int:
        """Apply what waits in the outbox, in order; returns how many effects were marked.

        Raises:
            StoreUnavailable: Postgres is down; the rest stays in the outbox.
            ModelUnavailable: the embedding endpoint is down; likewise.
        """
        done = mended = 0
        with self._relaying:  # one walker per process keeps the order; across processes apply() is idempotent
            while items := self.ledger.outbox(limit=BATCH):
                # What a fail-over lost comes first: nothing is applied on top of a gap.
                if mended < MENDS and self.put_back(find_lost(self.ledger, self.writer, thorough=False)):
                    mended += 1
                    continue
                fresh = [item.effect.memory.text for item in items if item.effect.memory is not None]
                vectors = iter(self.embedder.embed(fresh) if fresh else [])
                applied: list[Effect] = []
                try:
                    for item in items:
                        vector = next(vectors) if item.effect.kind is EffectKind.ACTIVATE else None
                        self.writer.apply(item, embedding=vector)
                        applied.append(item.effect)
                finally:
                    done += self._mark(applied)
            self._show_head()
        return done

    def find_lost(self) -> Lost:
        """Which of the last applied effects the store does not have (core.lost).

        Raises:
            StoreUnavailable, LedgerUnavailable: it cannot be compared right now.
        """
        return find_lost(self.ledger, self.writer)

    def put_back(self, lost: Lost) -> int:
        """Let lost effects be relayed again, before everything enqueued after them; returns how many."""
        return put_back(self.ledger, lost, at=self.clock.now())

    def _show_head(self) -> None:
        """Let the store witness what no effect came after: rejections, reads, sign-ins at the chain's end (§8.2)."""
        seq, head = self.ledger.head()
        if seq == self._shown.get("head"):
            return
        try:
            self.writer.witness_head(seq, head)
        except StoreUnavailable:  # nothing waits for it: the next relay shows a later one
            return
        self._shown["head"] = seq

    def _mark(self, applied: Sequence[Effect]) -> int:
        """Step 3 for a batch: one ledger transaction, one audit entry an effect."""
        if not applied:
            return 0
        with self.ledger.transaction() as tx:
            fresh = [effect for effect in applied if tx.mark_applied(effect.effect_id, at=self.clock.now())]
            for effect in fresh:
                self._audit_applied(tx, effect)
        return len(fresh)

    def _audit_applied(self, tx: LedgerTx, effect: Effect) -> None:
        memory = effect.memory
        by = effect.by or (memory and memory.confirmed_by)
        tx.append_audit(
            at=self.clock.now(),
            actor="relay",
            action="effect:applied",
            tenant=effect.scope.tenant,
            owner=effect.scope.owner,
            about={
                "effect_id": effect.effect_id,
                "kind": effect.kind.value,
                "memory_id": effect.memory_id,
                **({"by": by} if by else {}),
                # an old statement that came late is history at once: what reconciles must know
                **({"status": memory.status.value} if memory and memory.status is not MemoryStatus.ACTIVE else {}),
            },
        )


__all__ = ["Act", "Enactor"]
