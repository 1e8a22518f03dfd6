"""Two keys that look like one are put to their owner; a yes is kept as an alias, and can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from core.aliases import canonical
from core.enact import Enactor
from core.errors import ModelUnavailable, StaleReview
from core.evidence.values import Asked, Option, Said
from core.evidence.written import Written
from core.model import Actor, MemoryKind, Scope
from core.policy import Policy
from core.ports import (
    NONE,
    Embedder,
    Ids,
    KeyUse,
    Ledger,
    LedgerTx,
    Question,
    QuestionKind,
    QuestionState,
)
from core.review.bench import Bench
from core.samekeys import Pair, pairs, rivals_among, words_of

KEYS = 60  # keys of one subject compared at most
REMEMBERED = 50_000  # keys that were compared in this process and need no second look


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyAsker:
    """The auditor's part that looks at the keys of a subject."""

    ledger: Ledger
    enactor: Enactor
    embedder: Embedder
    policy: Policy
    ids: Ids
    _compared: set[tuple[str, str, str]] = field(default_factory=set)  # (tenant, owner, key): a key is new only once

    def look(self, scope: Scope, slot_key: str, *, at: datetime) -> None:
        """Ask about the nearest two keys of the slot's subject that look like one and were not asked about before."""
        named = (scope.tenant, scope.owner, slot_key)
        if named in self._compared:
            return
        found = self._alike(scope, slot_key.rpartition("|")[0], slot_key)
        waiting = self.ledger.questions(scope.tenant, scope.owner, states=(QuestionState.OPEN,))
        if found is None or (found and len(waiting) >= self.policy.questions.max_open):
            return  # it is looked at again when the slot is touched again
        if len(self._compared) < REMEMBERED:
            self._compared.add(named)
        for pair in found:
            name = f"key:{pair.name}"
            if self.ledger.open_question(scope, name) is None and not self.ledger.answered(scope, name, limit=1):
                asked = Question(
                    question_id=self.ids.new(),
                    scope=scope,
                    kind=QuestionKind.SAME_KEY,
                    slot_key=name,
                    options=(f"key:{pair.first.slot_key}", f"key:{pair.second.slot_key}"),
                    opened_at=at,
                    updated_at=at,
                )
                self._open(asked)
                return

    def _open(self, asked: Question) -> None:
        self.enactor.write_question(
            asked.scope,
            lambda tx: tx.add_question(asked),
            action="question:opened",
            about={"question_id": asked.question_id, "kind": asked.kind.value},
        )

    def _alike(self, scope: Scope, subject: str, touched: str) -> list[Pair] | None:
        """The pairs that a key is part of; None if it cannot be compared yet."""
        uses = [one for one in self.ledger.keys(scope.tenant, scope.owner) if one.slot_key.startswith(f"{subject}|")]
        if all(one.slot_key != touched for one in uses):
            return None
        most_used = sorted(uses, key=lambda one: (one.slot_key != touched, -one.count, one.slot_key))[:KEYS]
        compared = [
            (one, other)
            for one, other in rivals_among(most_used, subject, aliases=self.ledger.aliases(scope))
            if touched in (one.slot_key, other.slot_key)
        ]
        if not compared:
            return []
        attributes = list(dict.fromkeys(use.attribute for pair in compared for use in pair))
        try:
            vectors = self.embedder.embed([words_of(one) for one in attributes])
        except ModelUnavailable:
            return None
        return pairs(compared, dict(zip(attributes, vectors, strict=True)), self.policy.questions)


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyAnswers(Bench):
    """What a question about two keys shows, and what its answer writes."""

    def _asked_of_keys(self, question: Question) -> Asked | None:
        uses = {f"key:{one.slot_key}": one for one in self.ledger.keys(question.scope.tenant, question.scope.owner)}
        if any(one not in uses for one in question.options):
            return None
        options = tuple(self._key_option(question.scope, uses[one]) for one in question.options)
        subject = question.options[0].removeprefix("key:").rpartition("|")[0]
        return Asked(question=question, subject=subject, attribute="", options=options, both=False)

    def _key_option(self, scope: Scope, use: KeyUse) -> Option:
        rows = [one for one in self.store.slot(scope, use.slot_key) if one.kind is not MemoryKind.EVENT]
        said = tuple(
            Said(
                name=f"memory:{one.memory_id}",
                text=one.text,
                source_kind=one.source_kind,
                source_ref=one.source_ref,
                title=one.source_title,
                at=one.stated_at,
                trust=one.effective_trust,
                origins=one.origins,
            )
            for one in rows
        )
        return Option(name=f"key:{use.slot_key}", value=use.attribute, said=said, current=True)

    def _same_key(self, actor: Actor, asked: Asked, choice: str, epoch: int) -> Written:
        """The yes: every other key of the question stands for the chosen one from now on. Nothing gains trust by it."""
        if choice == NONE:
            return Written(epoch=epoch)
        scope, at = asked.question.scope, self.clock.now()
        chosen = choice.removeprefix("key:")
        others = [one.name.removeprefix("key:") for one in asked.options if one.name != choice]
        if any(canonical(self.ledger.aliases(scope), chosen) == one for one in others):
            msg = "These keys are one already, the other way round."
            raise StaleReview(msg)

        def join(tx: LedgerTx) -> None:
            for one in others:
                tx.add_alias(scope, one, chosen, by=actor.user_id, at=at)

        return Written(epoch=epoch, beside=join)

    def _unsame(self, question: Question, epoch: int) -> Written:
        """The keys are apart again: what was stated under the one meanwhile stays where it was put."""
        if question.answer == NONE:
            return Written(epoch=epoch)
        others = [one.removeprefix("key:") for one in question.options if one != question.answer]

        def part(tx: LedgerTx) -> None:
            for one in others:
                tx.drop_alias(question.scope, one)

        return Written(epoch=epoch, beside=part)


__all__ = ["KeyAnswers", "KeyAsker"]
