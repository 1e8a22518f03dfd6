"""What the ledger tells of sources and of how long statements stay true."""

from __future__ import annotations

from datetime import datetime

from core.ledger.codec import from_json
from core.ledger.handle import StoredHandle
from core.model import CandidateState, EffectKind, MemoryKind, SourceKind
from core.ports import Happened, Stated


class StoredObserved(StoredHandle):
    """Implements `core.ports.ObservedReader`."""

    def stated(self, tenant: str, owner: str, *, origin: str | None = None, limit: int = 5000) -> list[Stated]:
        """An owner's statements with a known origin, the last received first; events are left out."""
        rows = self._rows("observed_statements", tenant=tenant, owner=owner, origin=origin, limit=limit)
        return [
            Stated(
                candidate_id=row["candidate_id"],
                origin=row["origin"],
                source_kind=SourceKind(row["source_kind"]),
                tool=row["tool"] or "",
                state=CandidateState(row["state"]),
                by_person=row["decided_by"] != "policy",
            )
            for row in rows
        ]

    def happened(self, tenant: str, owner: str | None, *, limit: int = 20_000) -> list[Happened]:
        """What happened to memories, in order: the last `limit` changes of the owner, or of everybody."""
        rows = self._rows("observed_effects", tenant=tenant, owner=owner, limit=limit)
        return [
            Happened(
                memory_id=row["memory_id"],
                kind=EffectKind(row["kind"]),
                at=datetime.fromisoformat(row["at"]),
                origin=row["origin"] or "",
                by_person=row["effect_id"].startswith("answer:") or row["decided_by"] not in ("", "policy"),
                memory_kind=MemoryKind(row["memory_kind"]) if row["memory_kind"] else None,
                stated_at=datetime.fromisoformat(row["stated_at"]) if row["stated_at"] else None,
                support=from_json(tuple[str, ...], row["support"]) if row["support"] else (),
                by_memory_id=row["by_memory_id"] or "",
            )
            for row in reversed(rows)
        ]
