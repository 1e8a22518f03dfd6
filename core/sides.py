"""Ask side by side: the governed memory and one without a gate answer the same question. Reads only; writes nothing.

Both answers are made by the rules responder, so that the memory is all that differs and no held word meets a prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.accounts import Accounts
from core.advice import with_conflicts
from core.caution import answer_counsel, with_doubt
from core.confidence import Counsel
from core.errors import BadInput, NotFound, TooLarge
from core.intake import turn_of
from core.lastwins import KEPT, Overlay, Statement, hits_of, signals, winners
from core.model import (
    Actor,
    CandidateState,
    Effect,
    EffectKind,
    HeldItem,
    Hit,
    Memory,
    MemoryStatus,
    Role,
    Scope,
    Turn,
)
from core.policy import Policy
from core.ports import Clock, Embedder, HeldFilter, LedgerReader, MemoryReader, Reply, ReplyContext, Responder
from core.recall import Recall, Recaller, SessionLookup
from core.reply import RULES_HITS

NEWEST = 500  # statements of the owner that the ungated side looks through, the last ones
EMBEDDED = 200  # of them at most are embedded for one question; the rest counts by its words
QUESTION_CHARS = 2_000
_MADE = (EffectKind.ACTIVATE, EffectKind.CONFIRM)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cited:
    """What a side's answer stands on. `item` is the ungated side's candidate, with what the gate made of it."""

    number: int
    memory: Memory
    item: HeldItem | None = None

    @property
    def held(self) -> bool:
        """Whether the governed memory does not have it: it waits for a person."""
        return self.item is not None and self.item.state is CandidateState.HELD


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One answer and its sources; [1] is `cited[0]`."""

    text: str
    cited: tuple[Cited, ...]
    known: int  # statements it could choose from
    counsel: Counsel | None = None  # what may be done with it (rules §5.2); a memory without a gate knows of none


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Two answers to one question."""

    question: str
    governed: Side
    plain: Side
    held: int  # held statements that the ungated side took for facts
    sees_held: bool  # False: this person may not see held words, so the ungated side is without them too
    bounded: bool  # only the NEWEST statements were looked through

    @property
    def same(self) -> bool:
        """Whether both say the same."""
        return self.governed.text == self.plain.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Sides:
    """Compares for the signed-in person, over their own memory."""

    accounts: Accounts
    ledger: LedgerReader
    store: MemoryReader
    recaller: Recaller
    embedder: Embedder
    responder: Responder
    policy: Policy
    clock: Clock
    members_see_held: bool

    def compare(self, actor: Actor, question: str, *, conversation_id: str = "", asked_id: str = "") -> Comparison:
        """Both answers to a question. No turn is kept, nothing is counted as used.

        Args:
            actor: who asks, about their own memory.
            question: what is asked.
            conversation_id: where, so that "and when?" is understood; "" for nowhere.
            asked_id: the turn of that conversation which asked it; what came later is left out.

        Raises:
            BadInput, TooLarge: there is no question, or it is too long.
            NotFound: the conversation is somebody else's.
            StoreUnavailable, ModelUnavailable: recall is not possible right now.
        """
        sees_held = self.sees_held(actor)
        question = question.strip()
        if not question:
            msg = "Type the question that both memories should answer."
            raise BadInput(msg)
        if len(question) > QUESTION_CHARS:
            msg = f"The question has {len(question):,} characters; the limit here is {QUESTION_CHARS:,}."
            raise TooLarge(msg)
        scope = actor.scope
        recent = self._recent(scope, conversation_id, asked_id)
        found = self.recaller.recall(question, scope, conversation_id=conversation_id)
        hits = (*found.hits, *(hit for hit, _ in found.below))
        governed, counsel = self._governed(question, scope, hits, recent, conversation_id)
        statements, bounded = self._statements(scope, held=sees_held)
        plain = self._plain(question, scope, statements, found, recent)
        return Comparison(
            question=question,
            governed=Side(
                text=governed.text, cited=_cited(governed.cited, {}), known=found.candidates, counsel=counsel
            ),
            plain=plain,
            held=sum(one.held for one in statements),
            sees_held=sees_held,
            bounded=bounded,
        )

    def sees_held(self, actor: Actor) -> bool:
        """Whether this person may see their own held items: the same rule as the review page's."""
        return self.accounts.authorise(actor).role is not Role.MEMBER or self.members_see_held

    def _recent(self, scope: Scope, conversation_id: str, asked_id: str) -> tuple[Turn, ...]:
        if not conversation_id:
            return ()
        first = self.ledger.conversation_scope(conversation_id)
        if first is not None and first != scope:
            msg = "There is no such conversation."
            raise NotFound(msg)
        episodes = self.ledger.episodes(scope, conversation_id)
        until = next((one.serial_no for one in episodes if one.episode_id == asked_id), None)
        turns = (turn_of(one) for one in episodes if until is None or one.serial_no < until)
        return tuple(one for one in turns if one.role != "attachment")

    def _statements(self, scope: Scope, *, held: bool) -> tuple[list[Statement], bool]:
        """What a last-wins store would hold of the owner's newest statements; what they forgot is not brought back."""
        states = KEPT if held else tuple(one for one in KEPT if one is not CandidateState.HELD)
        where = HeldFilter(tenant=scope.tenant, owner=scope.owner, states=states)
        _, total = self.ledger.held(where, limit=1)
        items, _ = self.ledger.held(where, limit=NEWEST, offset=max(0, total - NEWEST))
        items = [one for one in items if one.candidate.scope == scope]
        made = {effect.memory_id for item in items for effect in item.decision.effects if effect.kind in _MADE}
        there = self.store.statuses(scope, sorted(made))
        kept = [one for one in items if one.state is CandidateState.HELD or _stands(one.decision.effects, there)]
        return winners(kept), total > NEWEST

    def _plain(
        self, question: str, scope: Scope, statements: Sequence[Statement], found: Recall, recent: tuple[Turn, ...]
    ) -> Side:
        asked = signals(question, statements, self._cosines(question, statements, found))
        hits = hits_of(question, asked, self.policy.recall, self.clock.now())
        overlay = Overlay(memories=tuple(one.memory for one in statements))
        reply = self.responder.reply(question, self._context(scope, hits, recent), overlay)
        items = {one.memory.memory_id: one.item for one in statements}
        return Side(text=reply.text, cited=_cited(reply.cited, items), known=len(statements))

    def _cosines(self, question: str, statements: Sequence[Statement], found: Recall) -> Mapping[str, float]:
        """How near each statement is: as recall measured it, the others embedded here, those that share words first."""
        known = {hit.memory.memory_id: hit.cosine for hit in (*found.hits, *(hit for hit, _ in found.below))}
        rest = signals(question, [one for one in statements if one.memory.memory_id not in known], {})
        rest = sorted(rest, key=lambda one: -one.coverage)[:EMBEDDED]
        if not rest:
            return known
        asked, *vectors = self.embedder.embed([question, *(one.memory.text for one in rest)])
        near = (sum(left * right for left, right in zip(asked, vector, strict=True)) for vector in vectors)
        return known | {
            one.memory.memory_id: max(-1.0, min(1.0, cosine)) for one, cosine in zip(rest, near, strict=True)
        }

    def _governed(
        self, question: str, scope: Scope, hits: Sequence[Hit], recent: tuple[Turn, ...], conversation_id: str
    ) -> tuple[Reply, Counsel]:
        """The governed memory's answer, and what may be done with it: it asks where it is not sure (rules §5.2)."""
        context = self._context(scope, hits, recent)
        lookup = SessionLookup(inner=self.store, conversation_id=conversation_id)
        reply = self.responder.reply(question, context, lookup)
        counsel = answer_counsel(reply, self.store, context, self.policy, conversation_id)
        told = with_conflicts(counsel, reply.cited, self.ledger, context.now, self.policy)
        return with_doubt(self.responder, question, context, reply, counsel), told

    def _context(self, scope: Scope, hits: Sequence[Hit], recent: tuple[Turn, ...]) -> ReplyContext:
        return ReplyContext(now=self.clock.now(), scope=scope, hits=tuple(hits[:RULES_HITS]), recent=recent)


def _stands(effects: Sequence[Effect], there: Mapping[str, MemoryStatus]) -> bool:
    """Whether what a decision made was not forgotten or removed since; a retraction makes nothing and stands."""
    made = [one.memory_id for one in effects if one.kind in _MADE]
    return not made or any(there.get(one, MemoryStatus.DELETED) is not MemoryStatus.DELETED for one in made)


def _cited(memories: Sequence[Memory], items: Mapping[str, HeldItem]) -> tuple[Cited, ...]:
    return tuple(
        Cited(number=number, memory=one, item=items.get(one.memory_id)) for number, one in enumerate(memories, start=1)
    )
