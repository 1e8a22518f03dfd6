"""What an answer writes: rulings on what was held, ends of what is no longer true, and a person's confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from core.assess import turns_of
from core.conflict import echoes, rivals_of
from core.corroboration import adds_origin
from core.enact import Act
from core.errors import Outdated
from core.evidence.keys import KeyAnswers
from core.evidence.values import Asked, Option
from core.evidence.written import Written
from core.model import (
    Actor,
    AuditEntry,
    CandidateState,
    Effect,
    EffectKind,
    Evidence,
    HeldItem,
    Memory,
    MemoryStatus,
    RulingKind,
    Scope,
    Verdict,
)
from core.ports import BOTH, NONE, LedgerTx, Question, QuestionKind
from core.review.settling import Settling, neither, taken
from core.review.undoing import Undoing

NOTE = "answered an open question"
ENDED = "the owner said otherwise"


@dataclass(frozen=True, kw_only=True, slots=True)
class Answering(KeyAnswers, Settling, Undoing):
    """Builds and commits answers; see `core.evidence.questions`."""

    races: ClassVar[int] = 4  # times that an answer is made anew because the owner's memories changed meanwhile

    def _live(self, question: Question) -> tuple[list[Memory], list[HeldItem]]:
        """What of a question's options still stands: active memories, held items."""
        memories: list[Memory] = []
        items: list[HeldItem] = []
        for option in question.options:
            sort, _, name = option.partition(":")
            if sort == "memory":
                memory = self.store.get(question.scope, name)
                if memory is not None and memory.status is MemoryStatus.ACTIVE:
                    memories.append(memory)
            elif sort == "candidate":
                item = self.ledger.candidate(name)
                if item is not None and item.state is CandidateState.HELD and item.candidate.scope == question.scope:
                    items.append(item)
        return memories, items

    def _rulings(self, actor: Actor, asked: Asked, choice: str, epoch: int) -> Written:
        """What a choice comes to, on evidence as it stands now."""
        if asked.question.kind is QuestionKind.SAME_KEY:
            return self._same_key(actor, asked, choice, epoch)
        at = self.clock.now()
        memories, items = self._live(asked.question)
        chosen = next((one for one in asked.options if one.name == choice), None)
        acts, ended = [], set[str]()
        target = self._target(chosen, memories)
        for item in items:
            evidence = self._evidence(item.candidate)
            epoch = min(epoch, evidence.epoch)
            act = self._ruling(actor, item, evidence, choice, asked, target)
            fresh = [one for one in act.decision.effects if _ends(one) not in ended]
            ended |= {_ends(one) for one in fresh if _ends(one)}
            acts.append(replace(act, decision=replace(act.decision, effects=tuple(fresh))))
        kept = {one.name.partition(":")[2] for one in (chosen.said if chosen else ())}
        effects: list[Effect] = []
        for memory in memories:
            stays = choice == BOTH or memory.memory_id in kept
            if not stays and memory.memory_id not in ended:
                effects += self._ended(asked.question, memory, by=target if chosen is not None else "", at=at)
        confirmed = self._confirmed(asked, choice, target, memories, items)
        stated = {one.memory_id: one.stated_at for one in memories}
        effects += [
            Effect(
                effect_id=f"attest:{asked.question_id}:{asked.question.version}:{memory_id}",
                kind=EffectKind.ATTEST,
                scope=asked.question.scope,
                memory_id=memory_id,
                at=at,
                by=actor.user_id,
            )
            for memory_id in confirmed
        ]
        return Written(
            acts=tuple(acts),
            effects=tuple(effects),
            stated=tuple(stated[one].isoformat() if one in stated else "" for one in confirmed),
            epoch=epoch,
        )

    def _ruling(self, actor: Actor, item: HeldItem, evidence: Evidence, choice: str, asked: Asked, target: str) -> Act:
        """What becomes of one held item."""
        candidate, at = item.candidate, self.clock.now()
        rivals = rivals_of(candidate, evidence, self.policy.conflict)
        name = f"candidate:{candidate.candidate_id}"
        own = next(one for one in asked.options if any(said.name == name for said in one.said))
        if choice == BOTH:
            verdict, kind = Verdict.ADMIT, RulingKind.BOTH
            effects: Sequence[Effect] = taken(candidate, evidence, (), at=at, vouched_by=actor.username)
        elif choice == NONE:
            verdict, kind = Verdict.REJECT, RulingKind.NEITHER
            effects = neither(candidate, rivals, at=at, own=True)
        elif own.name != choice:
            verdict, kind, effects = Verdict.REJECT, RulingKind.KEEP_OLD, ()
        elif target == candidate.candidate_id:
            verdict, kind = Verdict.ADMIT, RulingKind.TAKE_NEW
            effects = taken(candidate, evidence, rivals, at=at, vouched_by=actor.username)
        else:  # it says what was chosen in another's words: one more voice for that memory
            verdict, kind = Verdict.ADMIT, RulingKind.TAKE_NEW
            effects = self._voice(item, evidence, target)
        return self._act(actor, item, verdict, effects, evidence, NOTE, action=kind.value)

    def _voice(self, item: HeldItem, evidence: Evidence, memory_id: str) -> tuple[Effect, ...]:
        candidate = item.candidate
        adds = adds_origin((), evidence.origin, candidate.provenance.source_kind)
        return (
            Effect(
                effect_id=f"{candidate.candidate_id}:{candidate.version}:confirm:{memory_id}",
                kind=EffectKind.CONFIRM,
                scope=candidate.scope,
                memory_id=memory_id,
                at=candidate.provenance.observed_at,
                origin=evidence.origin if adds else "",
            ),
        )

    @staticmethod
    def _target(chosen: Option | None, memories: Sequence[Memory]) -> str:
        """Id of the memory that a chosen value is, or becomes: what is remembered already before what is held."""
        if chosen is None:
            return ""
        named = [one.name.partition(":")[2] for one in chosen.said]
        standing = {one.memory_id for one in memories}
        return next((one for one in named if one in standing), named[0])

    @staticmethod
    def _confirmed(
        asked: Asked, choice: str, target: str, memories: Sequence[Memory], items: Sequence[HeldItem]
    ) -> list[str]:
        """The memories that the person stands behind by the answer."""
        if choice == BOTH:
            return [one.memory_id for one in memories] + [one.candidate.candidate_id for one in items]
        taken_back = {one.candidate.candidate_id for one in items if one.candidate.proposal.retracts}
        return [target] if target and target not in taken_back and asked.options else []

    def _ended(self, question: Question, memory: Memory, *, by: str, at: datetime) -> list[Effect]:
        """What ends a memory that the answer speaks against, with the events that repeat it (rules §3.4)."""
        turns = turns_of(self.ledger, memory)
        events = [one for turn in turns for one in self.store.of_episode(memory.scope, turn)]
        return [
            Effect(
                effect_id=f"answer:{question.question_id}:{question.version}:{one.memory_id}",
                kind=EffectKind.SUPERSEDE if by else EffectKind.RETRACT,
                scope=memory.scope,
                memory_id=one.memory_id,
                at=at,
                by_memory_id=by or None,
                reason="" if by else ENDED,
            )
            for one in {one.memory_id: one for one in (memory, *echoes(memory, events))}.values()
        ]

    def _commit_answer(
        self, actor: Actor, scope: Scope, written: Written, question: Question, *, action: str, about: dict[str, Any]
    ) -> bool:
        """One ledger transaction; False if the owner's memories changed since they were read."""

        def close(tx: LedgerTx) -> None:
            written.beside(tx)
            tx.move_question(question, seen_version=question.version)

        try:
            self.enactor.commit_answer(
                actor,
                written.acts,
                written.effects,
                scope=scope,
                epoch=written.epoch,
                action=action,
                about=about,
                beside=close,
            )
        except Outdated:
            self._relay_soon()
            return False
        return True

    # --- taking back ----------------------------------------------------------------------------------------------

    def _reversed(self, actor: Actor, question: Question, entry: AuditEntry, epoch: int) -> Written:
        """What takes an answer back, by what its audit entry says it did."""
        if question.kind is QuestionKind.SAME_KEY:
            return self._unsame(question, epoch)
        at, acts = self.clock.now(), []
        for name in entry.about.get("ruled", ()):
            item = self.ledger.candidate(str(name))
            if item is None or item.decision.by != actor.user_id or item.state is CandidateState.HELD:
                continue
            effects = self._taken_back(item)
            acts.append(
                self._act(actor, item, Verdict.HOLD, effects, item.decision.evidence, "undone", action="undone")
            )
        stated = iter(entry.about.get("stated", ()))
        effects_done = zip(entry.about.get("effects", ()), entry.about.get("memory_ids", ()), strict=True)
        undone: list[Effect] = []
        for kind, memory_id in effects_done:
            before = next(stated, "") if kind == EffectKind.ATTEST.value else ""
            undo = _UNDO.get(str(kind))
            memory = self.store.get(question.scope, str(memory_id))
            ends = kind in (EffectKind.SUPERSEDE.value, EffectKind.RETRACT.value)
            if undo is None or memory is None or (ends and memory.status is not MemoryStatus.SUPERSEDED):
                continue
            undone.append(
                Effect(
                    effect_id=f"undo:{question.question_id}:{question.version}:{kind}:{memory_id}",
                    kind=undo,
                    scope=question.scope,
                    memory_id=str(memory_id),
                    at=at,
                    reason="answer undone",
                    until=datetime.fromisoformat(before) if before else None,
                    by=actor.user_id if undo is EffectKind.UNATTEST else "",
                )
            )
        return Written(acts=tuple(acts), effects=tuple(undone), epoch=epoch)


_UNDO = {
    EffectKind.ATTEST.value: EffectKind.UNATTEST,
    EffectKind.SUPERSEDE.value: EffectKind.RESTORE,
    EffectKind.RETRACT.value: EffectKind.RESTORE,
}


def _ends(effect: Effect) -> str:
    """Id of the memory that an effect ends; "" if it ends none."""
    return effect.memory_id if effect.kind in (EffectKind.RETRACT, EffectKind.SUPERSEDE) else ""


__all__ = ["Answering"]
