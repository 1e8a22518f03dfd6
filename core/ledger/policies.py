"""The policy's versions in the ledger, and the rulings that a dry run looks at again."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from core.audit import stamp
from core.errors import StaleReview
from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import item_of
from core.model import HeldItem
from core.ports import PolicyVersion


class StoredPolicies(StoredHandle):
    """The reading half of `core.ports.PolicyLedger`."""

    def policy_number(self, tenant: str) -> int:
        """Number of the newest version; 0 if there is none."""
        return int(self._rows("policy_number", tenant=tenant)[0]["number"])

    def policy_versions(self, tenant: str, *, limit: int = 50) -> list[PolicyVersion]:
        """Versions, newest first."""
        return [version_of(row) for row in self._rows("policy_versions", tenant=tenant, limit=limit)]

    def standing_rulings(self, tenant: str, owner: str | None, limit: int) -> list[HeldItem]:
        """Candidates whose latest decision is the gate's and no person's, newest first."""
        return [item_of(row) for row in self._rows("standing_rulings", tenant=tenant, owner=owner, limit=limit)]


def add_policy(connection: Connection, version: PolicyVersion) -> None:
    """Store a version as its tenant's next, inside the caller's transaction.

    Raises:
        StaleReview: another one took this number; nothing is written.
    """
    last = connection.rows("policy_number", tenant=version.tenant)[0]["number"]
    if version.number != last + 1:
        msg = f"version {last} of the policy came into force meanwhile: look at it and decide again"
        raise StaleReview(msg)
    connection.change("add_policy", **version_values(version))


def version_values(version: PolicyVersion) -> dict[str, Any]:
    """A version as bound values of `add_policy`."""
    return {
        "tenant": version.tenant,
        "number": version.number,
        "kind": version.kind,
        "digest": version.digest,
        "body": version.body,
        "file_digest": version.file_digest,
        "overlay": json.dumps(dict(version.overlay), sort_keys=True),
        "decided_by": version.by,
        "at": stamp(version.at),
        "note": version.note,
        "audit_seq": version.audit_seq,
    }


def version_of(row: Row) -> PolicyVersion:
    """A row of `policy_version`."""
    return PolicyVersion(
        tenant=row["tenant"],
        number=row["number"],
        kind=row["kind"],
        digest=row["digest"],
        body=row["body"],
        file_digest=row["file_digest"],
        overlay=json.loads(row["overlay"]),
        by=row["decided_by"],
        at=datetime.fromisoformat(row["at"]),
        note=row["note"],
        audit_seq=row["audit_seq"],
    )
