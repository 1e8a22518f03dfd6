"""What people do with memories that exist: look, ask why, forget, restore; and read the audit. Writes through enact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.accounts import Accounts
from core.conflict import echoes
from core.decay import freshness
from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, NotFound
from core.model import (
    Actor,
    AuditEntry,
    Decision,
    Effect,
    EffectKind,
    Episode,
    HeldItem,
    Memory,
    MemoryStatus,
    Role,
    SourceKind,
    Span,
)
from core.policy import Policy, composite_trust
from core.ports import ChainReport, Clock, Ids, Ledger, MemoryFilter, MemoryReader

EXCERPT = 300  # characters of the source shown either side of the cited words


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why a memory is believed: its numbers, its decisions, the words it came from, its audit entries."""

    memory: Memory
    freshness: float
    composite_trust: float
    strength: float  # importance × freshness: what archiving looks at (rules §2.6)
    decisions: tuple[Decision, ...]
    source: Episode | None
    excerpt: str
    excerpt_span: Span | None
    audit: tuple[AuditEntry, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Memories:
    """The owner's own memories."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids

    def list(
        self,
        actor: Actor,
        *,
        text: str | None = None,
        statuses: tuple[MemoryStatus, ...] = (MemoryStatus.ACTIVE,),
        source_kinds: tuple[SourceKind, ...] = (),
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Sequence[Memory], int]:
        """One page of the actor's memories, last stated first, and the true total."""
        self.accounts.authorise(actor)
        where = MemoryFilter(text=text, statuses=statuses, source_kinds=source_kinds)
        return self.store.list(actor.scope, where, limit=limit, offset=offset)

    def count(self, actor: Actor) -> dict[MemoryStatus, int]:
        """How many memories of each status the actor has."""
        self.accounts.authorise(actor)
        return self.store.count(actor.scope)

    def why(self, actor: Actor, memory_id: str) -> Why:
        """Everything behind one memory.

        Raises:
            NotFound: the actor has no memory by that id.
        """
        memory = self._own(actor, memory_id)
        now = self.clock.now()
        fresh = freshness(memory, now, self.policy.decay)
        item = self.ledger.candidate(memory_id)
        source = self.ledger.episode(memory.episode_id)
        excerpt, span = ("", None)
        if source is not None and item is not None:
            excerpt, span = _around(source.text, item.candidate.proposal.span)
        entries, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, about=memory_id, limit=50)
        return Why(
            memory=memory,
            freshness=fresh,
            composite_trust=composite_trust(memory, fresh, self.policy),
            strength=memory.importance * fresh,
            decisions=tuple(self.ledger.decisions(memory_id)),
            source=source,
            excerpt=excerpt,
            excerpt_span=span,
            audit=tuple(entries),
        )

    def forget(self, actor: Actor, memory_id: str, reason: str) -> None:
        """Take a memory out of recall at once, with the event that repeats it; `restore` undoes it (rules §2.9).

        Raises:
            BadInput: no reason was given, or it is forgotten already.
        """
        memory = self._own(actor, memory_id)
        if not reason.strip():
            msg = "Say why it should be forgotten: the reason is kept with it."
            raise BadInput(msg)
        if memory.status is MemoryStatus.DELETED:
            msg = "This memory is forgotten already."
            raise BadInput(msg)
        events = echoes(memory, self.store.of_episode(memory.scope, memory.episode_id))
        self._change(actor, [memory, *events], EffectKind.TOMBSTONE, "memory:forgotten", reason.strip())

    def restore(self, actor: Actor, memory_id: str) -> None:
        """Bring a forgotten memory back.

        Raises:
            BadInput: it is not forgotten.
        """
        memory = self._own(actor, memory_id)
        if memory.status is not MemoryStatus.DELETED:
            msg = f"This memory is {memory.status.value}; only a forgotten one can be restored."
            raise BadInput(msg)
        siblings = [self.store.get(memory.scope, one.candidate.candidate_id) for one in self._of_turn(memory)]
        gone = [one for one in siblings if one is not None and one.status is MemoryStatus.DELETED]
        events = echoes(memory, [one for one in gone if one.memory_id != memory.memory_id])
        self._change(actor, [memory, *events], EffectKind.RESTORE, "memory:restored", "restored by its owner")

    def _of_turn(self, memory: Memory) -> Sequence[HeldItem]:
        return self.ledger.candidates_of(memory.episode_id)

    def _change(self, actor: Actor, memories: Sequence[Memory], kind: EffectKind, action: str, reason: str) -> None:
        effects = [
            Effect(
                effect_id=f"{kind.value}:{self.ids.new()}",
                kind=kind,
                scope=memory.scope,
                memory_id=memory.memory_id,
                at=self.clock.now(),
                reason=reason,
            )
            for memory in memories
        ]
        self.enactor.commit_effects(actor.user_id, effects, action=action, about={"memory_id": memories[0].memory_id})
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise

    def _own(self, actor: Actor, memory_id: str) -> Memory:
        self.accounts.authorise(actor)
        memory = self.store.get(actor.scope, memory_id)
        if memory is None or memory.scope != actor.scope:
            msg = "There is no such memory."
            raise NotFound(msg)
        return memory


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditDesk:
    """Reading and verifying the audit. Members see what concerns themselves; reviewers and admins their tenant."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader

    def entries(
        self,
        actor: Actor,
        *,
        action: str | None = None,
        about: str | None = None,
        owner: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[Sequence[AuditEntry], int]:
        """One page of entries, newest first, and the true total."""
        person = self.accounts.authorise(actor)
        seen = actor.user_id if person.role is Role.MEMBER else owner
        return self.ledger.audit(actor.tenant, owner=seen, action=action, about=about, limit=limit, offset=offset)

    def verify(self, actor: Actor) -> ChainReport:
        """Recompute the whole chain and compare it with the head that the store witnessed (rules §8.2)."""
        self.accounts.authorise(actor)
        witnessed = self.store.witness()
        return self.ledger.verify(witnessed=witnessed if witnessed[0] else None)

    def head(self, actor: Actor) -> tuple[int, str]:
        """Sequence and hash of the last entry."""
        self.accounts.authorise(actor)
        return self.ledger.head()

    def names(self, actor: Actor) -> dict[str, str]:
        """User names by id, of the actor's tenant."""
        self.accounts.authorise(actor)
        return self.accounts.names(actor.tenant)


def _around(text: str, span: Span) -> tuple[str, Span]:
    start, end = max(0, span.start - EXCERPT), min(len(text), span.end + EXCERPT)
    return text[start:end], Span(start=span.start - start, end=min(span.end, len(text)) - start)
