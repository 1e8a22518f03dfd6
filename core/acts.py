"""A decision as the ledger records it, and what people's acts write: rulings, second yeses, reservations and notes.

The first part of the enforcement point (see `core.enact`). Every act is one ledger transaction: all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from core.errors import Reserved
from core.gate import STATE_OF
from core.model import Actor, Candidate, CandidateState, Decision, Effect, HeldItem, Scope, Verdict
from core.ports import Approved, Clock, Ledger, LedgerTx

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """What a person's ruling makes of one candidate."""

    candidate: Candidate
    decision: Decision
    state: CandidateState
    action: str = ""  # verb of the audit entry; "": the state
    about: Mapping[str, Any] = field(default_factory=dict)  # ids that the entry names beside
    new: bool = False  # the candidate is made by this act: edited words
    beside: Callable[[LedgerTx], object] = field(default=lambda _tx: None)  # written with it


@dataclass(frozen=True, kw_only=True, slots=True)
class Acts:
    """What the review desk writes."""

    ledger: Ledger
    clock: Clock

    def commit_ruling(self, actor: Actor, acts: Sequence[Act], *, regardless: bool = False) -> int:
        """Commit a person's ruling, all its acts or none, by compare-and-swap on the versions they saw.

        Args:
            actor: who rules.
            acts: what becomes of each candidate; what is kept beside rulings (`Act.beside`) goes with it.
            regardless: of who has reserved an item: the owner answers about their own memory at any time.

        Returns:
            The first candidate's new version.

        Raises:
            StaleReview: a candidate changed after it was shown; nothing was written.
            Reserved: somebody else is at one of them; `who` is their id.
            Outdated: the owner's memories changed since the evidence was read; nothing was written.
        """
        with self.ledger.transaction() as tx:
            versions = [self._act(tx, actor, act, regardless=regardless) for act in acts]
        return versions[0]

    def commit_answer(
        self,
        actor: Actor,
        acts: Sequence[Act],
        effects: Sequence[Effect],
        *,
        scope: Scope,
        epoch: int,
        action: str,
        about: Mapping[str, Any],
        beside: Callable[[LedgerTx], object],
    ) -> None:
        """Commit a person's answer to an open question: rulings, effects and the question, all or nothing.

        Args:
            actor: who answers about their own memory.
            acts: what becomes of held candidates.
            effects: what follows from no candidate.
            scope: whose memory.
            epoch: the owner's last effect when the evidence was read.
            action: verb of the answer's own audit entry.
            about: ids that it names.
            beside: what is written with it: the question closes.

        Raises:
            StaleReview, Outdated: as `commit_ruling`; nothing was written.
        """
        with self.ledger.transaction() as tx:
            tx.check_epoch(scope, epoch)
            for act in acts:
                self._act(tx, actor, act, regardless=True, checked=True)
            tx.append_audit(
                at=self.clock.now(),
                actor=actor.user_id,
                action=action,
                tenant=scope.tenant,
                owner=scope.owner,
                about=dict(about) | named(effects),
                attestation="declared",
            )
            for effect in effects:
                tx.enqueue(effect)
            beside(tx)

    def commit_evidence(self, item: HeldItem, decision: Decision, *, why: str) -> None:
        """Admit a held item that evidence decided since, as the policy would have at first (rules §3.3).

        Raises:
            StaleReview, Outdated: somebody decided it, or the owner's memories changed; nothing was written.
        """
        candidate = item.candidate
        with self.ledger.transaction() as tx:
            tx.check_epoch(candidate.scope, decision.evidence.epoch)
            tx.move_candidate(
                candidate.candidate_id, seen_version=candidate.version, state=CandidateState.ADMITTED, at=decision.at
            )
            self.record(tx, candidate, decision, actor="policy", attestation="config-hash", about={"auditor": why})

    def write_question(
        self, scope: Scope, write: Callable[[LedgerTx], bool], *, action: str, about: Mapping[str, Any]
    ) -> bool:
        """Open or change a question with its audit entry; False, and no entry, if nothing was to write."""
        with self.ledger.transaction() as tx:
            if not write(tx):
                return False
            tx.append_audit(
                at=self.clock.now(),
                actor="policy",
                action=action,
                tenant=scope.tenant,
                owner=scope.owner,
                about=about,
                attestation="config-hash",
            )
        return True

    def note_read(self, name: str, seq: int) -> None:
        """A reader of the chain has dealt with everything up to an entry."""
        with self.ledger.transaction() as tx:
            tx.set_cursor(name, seq)

    def _act(self, tx: LedgerTx, actor: Actor, act: Act, *, regardless: bool, checked: bool = False) -> int:
        candidate, decision = act.candidate, act.decision
        held = tx.reservation(candidate.candidate_id, now=decision.at)
        if held is not None and held.user_id != actor.user_id and not regardless:
            msg = "Somebody else is at this item."
            raise Reserved(msg, who=held.user_id, until=held.until)
        if (
            decision.effects and decision.verdict is not Verdict.HOLD and not checked
        ):  # taking back rests on no new evidence
            tx.check_epoch(candidate.scope, decision.evidence.epoch)
        version = candidate.version
        if act.new:
            tx.add_candidate(candidate, state=act.state, at=decision.at)
        else:
            version = tx.move_candidate(
                candidate.candidate_id, seen_version=candidate.version, state=act.state, at=decision.at
            )
        action = act.action or act.state
        self.record(
            tx, candidate, decision, actor=actor.user_id, attestation="declared", action=action, about=act.about
        )
        act.beside(tx)
        return version

    def beside(
        self, actor: Actor, act: Callable[[LedgerTx], T], *, owner: str, action: str = "", about: Mapping[str, Any]
    ) -> T:
        """What a person does about an item beside ruling on it, in one transaction with its entry, if it has one."""
        with self.ledger.transaction() as tx:
            done = act(tx)
            if action:
                tx.append_audit(
                    at=self.clock.now(),
                    actor=actor.user_id,
                    action=action,
                    tenant=actor.tenant,
                    owner=owner,
                    about=about,
                    attestation="declared",
                )
        return done

    def approve(self, actor: Actor, candidate: Candidate, note: str) -> tuple[Approved, ...]:
        """Record a person's yes to the bytes of an item that needs two people; every yes to them, in order.

        Raises:
            StaleReview, Reserved: as `commit_ruling`.
        """
        at = self.clock.now()
        with self.ledger.transaction() as tx:
            held = tx.reservation(candidate.candidate_id, now=at)
            if held is not None and held.user_id != actor.user_id:
                msg = "Somebody else is at this item."
                raise Reserved(msg, who=held.user_id, until=held.until)
            return self.approved(tx, actor, candidate, note)

    def approved(self, tx: LedgerTx, actor: Actor, candidate: Candidate, note: str) -> tuple[Approved, ...]:
        """The same within a transaction; a second click is no second entry."""
        at, scope = self.clock.now(), candidate.scope
        given, fresh = tx.approve(
            candidate.candidate_id,
            version=candidate.version,
            digest=candidate.digest,
            user_id=actor.user_id,
            at=at,
            note=note,
        )
        if fresh:
            tx.append_audit(
                at=at,
                actor=actor.user_id,
                action="candidate:approved",
                tenant=scope.tenant,
                owner=scope.owner,
                about={
                    "candidate_id": candidate.candidate_id,
                    "version": candidate.version,
                    "digest": tx.keyed_digest(scope.tenant, scope.owner, candidate.text),
                },
                attestation="declared",
            )
        return given

    def record(
        self,
        tx: LedgerTx,
        candidate: Candidate,
        decision: Decision,
        *,
        actor: str,
        attestation: str,
        action: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """A decision, its audit entry and its effects, within a transaction."""
        scope = candidate.scope
        tx.add_decision(decision)
        tx.append_audit(
            at=decision.at,
            actor=actor,
            action=f"candidate:{action or STATE_OF[decision.verdict].value}",
            tenant=scope.tenant,
            owner=scope.owner,
            about={
                "candidate_id": candidate.candidate_id,
                "episode_id": candidate.episode_id,
                "decision_id": decision.decision_id,
                "reasons": list(decision.reasons),
                "policy": decision.policy_digest,
                "digest": tx.keyed_digest(scope.tenant, scope.owner, candidate.text),
                **named(decision.effects),
                **(about or {}),
            },
            attestation=attestation,
        )
        for effect in decision.effects:
            tx.enqueue(_with_conversation(effect, self.ledger))


def named(effects: Sequence[Effect]) -> dict[str, list[str]]:
    """What an audit entry says of effects: their kinds, and by plain id the memories they touch."""
    return {
        "effects": [effect.kind.value for effect in effects],
        "memory_ids": [effect.memory_id for effect in effects],
    }


def _with_conversation(effect: Effect, ledger: Ledger) -> Effect:
    """Attach the conversation a memory came from, known to the ledger only."""
    if effect.memory is None or effect.memory.conversation_id:
        return effect
    episode = ledger.episode(effect.memory.episode_id)
    if episode is None:
        return effect
    return replace(effect, memory=replace(effect.memory, conversation_id=episode.conversation_id))


__all__ = ["Act", "Acts", "named"]
