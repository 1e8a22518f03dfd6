"""The policy's versions: which numbers were in force when, by whose wish."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.model import AuditEntry, HeldItem
from core.ports.ledger import LedgerTx

LOADED, ADOPTED = "loaded", "adopted"


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicyVersion:
    """One policy that came into force. `body` is its canonical JSON, whose sha256 is `digest`."""

    tenant: str
    number: int  # 1, 2, 3 … of the tenant
    kind: str  # LOADED: a policy file was found at start; ADOPTED: an admin changed it in the console
    digest: str
    body: str
    file_digest: str  # of the policy file it stands on
    overlay: Mapping[str, Any]  # setting → value: what was adopted on top of the file, all versions together
    by: str
    at: datetime
    note: str
    audit_seq: int  # the entry that records it


class PolicyTx(LedgerTx, Protocol):
    """A ledger transaction that can also keep a version."""

    def add_policy(self, version: PolicyVersion) -> None:
        """Store a version as the tenant's next.

        Raises:
            StaleReview: another one took this number; nothing is written.
        """


class PolicyLedger(Protocol):
    """What the policy's desk needs of the ledger."""

    def transaction(self) -> AbstractContextManager[PolicyTx]:
        """Open a write transaction."""

    def policy_number(self, tenant: str) -> int:
        """Number of the newest version; 0 if there is none. Cheap: asked before each step of the worker."""

    def policy_versions(self, tenant: str, *, limit: int = 50) -> list[PolicyVersion]:
        """Versions, newest first."""

    def standing_rulings(self, tenant: str, owner: str | None, limit: int) -> list[HeldItem]:
        """Candidates whose latest decision is the gate's and no person's, newest first."""

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
        """Audit entries, newest first, and the true total."""
