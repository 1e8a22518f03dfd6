"""Forgetting that nobody asks for: what recall touches is counted or archived, what is gone for long is purged.

Reads leave only notes in memory; the worker carries them out through the write path (rules §2.4, §2.6), so that recall
itself writes nothing. A note that a crash loses costs a count, never a fact.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.decay import strength
from core.enact import Enactor
from core.model import Effect, EffectKind, Hit, Memory, MemoryKind, MemoryStatus, Scope
from core.policy import Policy
from core.ports import Clock, Ids, MemoryFilter, MemoryReader

NOTES = 10_000  # touched memories remembered at most until the worker takes them
PURGE_BATCH = 200  # rows of one scope purged in one go
_GONE = (MemoryStatus.DELETED, MemoryStatus.SUPERSEDED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Touch:
    """One recall's trace: what it found, and which of it an answer cited."""

    scope: Scope
    hits: tuple[Hit, ...]
    cited: tuple[str, ...]
    actor: str
    where: str = ""  # id of the conversation that the answer belongs to


@dataclass(frozen=True, kw_only=True, slots=True)
class Upkeep:
    """Reinforcement, archiving, purging: always effects of an audited entry, never a silent update."""

    store: MemoryReader
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    _notes: deque[Touch] = field(default_factory=lambda: deque(maxlen=NOTES))

    def touched(
        self, scope: Scope, hits: Sequence[Hit], *, cited: Sequence[str] = (), actor: str, where: str = ""
    ) -> None:
        """Note what a recall found; `cited` are the memories that an answer used, each once a session (rules §2.4).

        A recall of which nothing is to be counted or archived leaves no note: the worker has no part in it.
        """
        at = self.clock.now()
        if cited or any(self._faded(hit, at) for hit in hits):
            self._notes.append(Touch(scope=scope, hits=tuple(hits), cited=tuple(cited), actor=actor, where=where))

    def run_once(self) -> bool:
        """Carry out one note; False if there was none.

        Raises:
            LedgerUnavailable, StoreUnavailable: what was not written of the note is kept for the next call.
        """
        try:
            touch = self._notes.popleft()
        except IndexError:
            return False
        rest: Touch | None = touch
        try:
            while rest is not None:
                rest = self._carry_out(rest)
        except Exception:
            if rest is not None:  # what was written of it is not written twice
                self._notes.appendleft(rest)
            raise
        return True

    def _carry_out(self, touch: Touch) -> Touch | None:
        """Write one note; what is left of it, to be written next, is returned: each part is one ledger transaction."""
        at = self.clock.now()
        if touch.cited:
            counted = [self._effect(EffectKind.REINFORCE, touch.scope, one, at) for one in touch.cited]
            self.enactor.commit_effects(touch.actor, counted, action="memory:recalled", about=_place(touch))
            return replace(touch, cited=())
        archived = [
            self._effect(EffectKind.ARCHIVE, touch.scope, hit.memory.memory_id, at, reason="faded when it was recalled")
            for hit in touch.hits
            if self._faded(hit, at) and self._unchanged(hit.memory)
        ]
        about = {"theta": f"{self.policy.decay.archive_below:.2f}", "policy": self.policy.digest}
        self.enactor.commit_effects("policy", archived, action="memory:archived", about=about)
        return None

    def _faded(self, hit: Hit, at: datetime) -> bool:
        """Whether a touched memory is archived: by importance × freshness; relevance is left out on purpose (§2.6)."""
        memory, rules = hit.memory, self.policy.decay
        if memory.status is not MemoryStatus.ACTIVE or memory.pinned or memory.kind is MemoryKind.PINNED:
            return False
        worth = hit.score if rules.archive_on == "score" else strength(memory, at, rules)
        return worth < rules.archive_below

    def _unchanged(self, memory: Memory) -> bool:
        """Whether the row is still as the recall saw it: what was stated again or pinned since has not faded."""
        now = self.store.get(memory.scope, memory.memory_id)
        return now is not None and (now.version, now.status) == (memory.version, memory.status)

    def _effect(self, kind: EffectKind, scope: Scope, memory_id: str, at: datetime, reason: str = "") -> Effect:
        return Effect(
            effect_id=f"{kind.value}:{self.ids.new()}",
            kind=kind,
            scope=scope,
            memory_id=memory_id,
            at=at,
            reason=reason,
        )

    def purge(self, scope: Scope, *, actor: str, grace: timedelta | None = None) -> list[Memory]:
        """Remove tombstoned and superseded rows that ended before the grace window, for good (rules §2.9).

        Args:
            scope: whose memory.
            actor: who asked; "policy" for the regular run.
            grace: instead of the policy's window.

        Returns:
            The memories that were removed, as they were.
        """
        at = self.clock.now()
        window = timedelta(days=self.policy.lifecycle.purge_after_days) if grace is None else grace
        gone: list[Memory] = []
        offset = 0
        total = 1
        while offset < total:  # by pages, not by rows: one that is not genuine leaves a gap on its page
            rows, total = self.store.list(scope, MemoryFilter(statuses=_GONE), limit=PURGE_BATCH, offset=offset)
            gone += [one for one in rows if (one.expired_at or one.stated_at) + window <= at]
            offset += PURGE_BATCH
        effects = [self._effect(EffectKind.REMOVE, scope, one.memory_id, at, reason="purged") for one in gone]
        self.enactor.commit_purge(actor, effects)
        return gone


def _place(touch: Touch) -> dict[str, str]:
    return {"conversation_id": touch.where} if touch.where else {}


__all__ = ["Touch", "Upkeep"]
