"""Puts records that came from elsewhere into a ledger as they were, inside a write transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

from core.audit import stamp
from core.ledger.dialect import Connection
from core.model import Candidate, CandidateState, Decision


class TransferWrites(ABC):
    """Implements what `core.ports.TransferTx` adds, on a connection inside BEGIN IMMEDIATE."""

    @property
    @abstractmethod
    def _db(self) -> Connection:
        """The connection."""

    @abstractmethod
    def add_candidate(self, candidate: Candidate, *, state: CandidateState, at: datetime) -> None:
        """As `core.ports.LedgerTx`."""

    @abstractmethod
    def add_decision(self, decision: Decision) -> None:
        """As `core.ports.LedgerTx`."""

    @abstractmethod
    def add_rewording(self, candidate_id: str, *, original_id: str) -> None:
        """As `core.ports.DeskTx`."""

    def put_candidate(
        self,
        candidate: Candidate,
        *,
        state: CandidateState,
        at: datetime,
        updated_at: datetime,
        decisions: Sequence[Decision],
        original_id: str,
    ) -> None:
        """Store a candidate in its last state with all decisions on it.

        Raises:
            BadInput: the episode is unknown, or the span lies outside its text.
        """
        self.add_candidate(candidate, state=state, at=at)
        for decision in decisions:
            self.add_decision(decision)
        self._db.change("set_updated", candidate_id=candidate.candidate_id, at=stamp(updated_at))
        if original_id:
            self.add_rewording(candidate.candidate_id, original_id=original_id)

    def wait_again(self, episode_id: str) -> None:
        """Put a kept episode before the worker."""
        self._db.change("wait_again", episode_id=episode_id)


__all__ = ["TransferWrites"]
