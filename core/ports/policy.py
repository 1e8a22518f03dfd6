"""The policy's versions: which numbers were in force when, by whose wish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.model import AuditEntry, HeldItem, Verdict
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


class Rerulings(Protocol):
    """What a replay says; see `core.replay.Replay`."""

    @property
    def total(self) -> int:
        """Items that were ruled on again."""

    @property
    def changed(self) -> Sequence[Reruled]:
        """Those that would change side."""

    @property
    def held_before(self) -> int:
        """Of all, how many the recorded rulings hold."""

    @property
    def held_after(self) -> int:
        """And how many the other policy would."""

    @property
    def admitted_before(self) -> int:
        """Of all, how many the recorded rulings admit."""

    @property
    def admitted_after(self) -> int:
        """And how many the other policy would."""

    @property
    def groups_before(self) -> int:
        """Groups that a reviewer decides, as recorded."""

    @property
    def groups_after(self) -> int:
        """And under the other policy."""


class Reruled(Protocol):
    """One item that would change side; see `core.replay.Replayed`."""

    @property
    def candidate_id(self) -> str:
        """Which."""

    @property
    def text(self) -> str:
        """Its statement."""

    @property
    def owner(self) -> str:
        """Whose memory it concerns."""

    @property
    def source_kind(self) -> Any:
        """Where it came from."""

    @property
    def before(self) -> Verdict:
        """As recorded."""

    @property
    def after(self) -> Verdict:
        """Under the other policy."""


class History(Protocol):
    """Rulings of the gate that no person has changed, newest first: what a dry run rules on again."""

    def __call__(self, tenant: str, owner: str | None, limit: int) -> list[HeldItem]:
        """The newest `limit` of a tenant (and owner)."""
