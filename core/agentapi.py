"""What an agent may do with one memory: put texts in and ask. `core.agents` opens it to a key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.advice import for_an_agent
from core.confidence import Counsel, reason
from core.intake import Intake, Submission
from core.model import Advice, Episode, Hit, Scope
from core.ports import LedgerReader
from core.recall import Recall, Recaller
from core.upkeep import Upkeep


@dataclass(frozen=True, kw_only=True, slots=True)
class Consulted:
    """What an agent may do with what is remembered about its question (rules §5.2), and the memories it stands on."""

    advice: Advice
    reason: str  # one sentence; names the values that compete
    counsel: Counsel
    hits: tuple[Hit, ...]  # best first, each with its confidence in parts


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentApi:
    """What an agent may do: put texts in and ask. No method here promotes, reveals or forgets."""

    intake: Intake
    recaller: Recaller
    upkeep: Upkeep
    ledger: LedgerReader

    def submit(self, submission: Submission) -> Episode:
        """Make a text durable and put it before the worker (see `Intake.submit`)."""
        return self.intake.submit(submission)

    def ask(
        self,
        question: str,
        scope: Scope,
        *,
        k: int | None = None,
        include_archived: bool = False,
        conversation_id: str = "",
        agent: str = "",
    ) -> Consulted:
        """What is remembered about a question and what the agent may do with it: act, answer with sources, or ask.

        Calls no model, and writes what `recall` writes (see `Recaller.recall`, also for what it raises). That a held
        claim says otherwise can only take the permission to act: no word and no id of it are given out (rules §6.5).
        """
        found = self.recall(
            question,
            scope,
            k=k,
            include_archived=include_archived,
            conversation_id=conversation_id,
            agent=agent,
        )
        counsel = for_an_agent(found.counsel, self.ledger, self.recaller.clock.now(), self.recaller.policy)
        return Consulted(advice=counsel.advice, reason=reason(counsel), counsel=counsel, hits=found.hits)

    def recall(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        as_of: datetime | None = None,
        include_archived: bool = False,
        conversation_id: str = "",
        agent: str = "",
    ) -> Recall:
        """Trusted memories for a question (see `Recaller.recall`); what it touched is noted for the worker."""
        found = self.recaller.recall(
            query,
            scope,
            k=k,
            as_of=as_of,
            include_archived=include_archived,
            conversation_id=conversation_id,
            agent=agent,
        )
        if as_of is None:
            self.upkeep.touched(scope, found.hits, actor=scope.agent)
        return found


__all__ = ["AgentApi", "Consulted"]
