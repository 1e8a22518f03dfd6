"""What of the ledger evidence is gathered from: a part of `LedgerReader`, so that an overlay can stand in for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.model import AuditEntry, Episode, HeldItem, Scope
from core.ports.ledger import HeldFilter, HeldGroup, Input, Support
from core.ports.observed import Happened, Stated


class EvidenceLedger(Protocol):
    """The questions that origin, assessment and extraction ask; each is documented at `LedgerReader`."""

    def episode(self, episode_id: str) -> Episode | None:
        """As `LedgerReader.episode`."""

    def episodes(self, scope: Scope, conversation_id: str, *, limit: int = 200) -> list[Episode]:
        """As `LedgerReader.episodes`."""

    def inputs_before(self, scope: Scope, conversation_id: str, *, before: int) -> list[Input]:
        """As `LedgerReader.inputs_before`."""

    def first_seen(self, scope: Scope, marks: Sequence[int], *, before: int = 0) -> dict[int, Input]:
        """As `LedgerReader.first_seen`."""

    def epoch(self, scope: Scope) -> int:
        """As `LedgerReader.epoch`."""

    def support(self, scope: Scope, slot_key: str, value: str) -> list[Support]:
        """As `LedgerReader.support`."""

    def aliases(self, scope: Scope) -> Mapping[str, str]:
        """As `QuestionReader.aliases`."""

    def stated(self, tenant: str, owner: str, *, origin: str | None = None, limit: int = 5000) -> Sequence[Stated]:
        """As `ObservedReader.stated`."""

    def happened(self, tenant: str, owner: str | None, *, limit: int = 20_000) -> Sequence[Happened]:
        """As `ObservedReader.happened`."""

    def candidates_of(self, episode_id: str) -> list[HeldItem]:
        """As `LedgerReader.candidates_of`."""

    def held(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldItem], int]:
        """As `LedgerReader.held`."""

    def held_groups(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldGroup], int]:
        """As `LedgerReader.held_groups`."""

    def declined(self, scope: Scope, digest: str) -> bool:
        """As `LedgerReader.declined`."""

    def audit(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        action: str | None = None,
        about: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        """As `LedgerReader.audit`."""
