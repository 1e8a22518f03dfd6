"""Numbers about candidates and their sources for the charts, and the changes of one memory."""

from __future__ import annotations

from datetime import date, datetime
from typing import Self

from core.audit import stamp
from core.ledger.codec import from_json
from core.ledger.dialect import BUSY_SECONDS, Place
from core.ledger.handle import StoredHandle
from core.model import CandidateState, Effect, Scope, SourceKind
from core.ports import HeldWaiting, Proposed, SourceCount, TrustBin, Vitals

READERS = 2  # counts at a time
UNTOLD = 10_000  # audit entries of a reader counted at most
HELD_AS = ("waiting", "assigned", "snoozed")
_WAITED = (CandidateState.HELD, CandidateState.PROMOTED)


class StoredInsight(StoredHandle):
    """`core.ports.LedgerInsight`: read-only handles of its own, so that a long count keeps no review waiting."""

    @classmethod
    def at(cls, place: Place) -> Self:
        """Read the ledger at a place, which must have been opened once by this version; nothing is opened yet."""
        return cls(place, hmac_key=None, busy_seconds=BUSY_SECONDS, readers=READERS)

    def proposed(self, tenant: str, *, owner: str | None) -> list[Proposed]:
        """Every day's candidates by source kind and state, the days in order."""
        with self._pool.snapshot() as connection:
            rows = connection.rows("insight_proposed", tenant=tenant, owner=owner)
            rejected = connection.rows("insight_rejected", tenant=tenant, owner=owner)
        by_people = {(row["day"], row["source_kind"]): row["total"] for row in rejected}
        found = []
        for row in sorted(rows, key=lambda row: (row["day"], row["source_kind"], row["state"])):
            state = CandidateState(row["state"])
            held = row["total"] if state in _WAITED else 0
            if state is CandidateState.REJECTED:
                held = by_people.get((row["day"], row["source_kind"]), 0)
            found.append(
                Proposed(
                    day=date.fromisoformat(row["day"]),
                    source_kind=SourceKind(row["source_kind"]),
                    state=state,
                    count=row["total"],
                    held=held,
                )
            )
        return found

    def promoted(self, tenant: str, *, owner: str | None, since: datetime) -> dict[date, int]:
        """Promotions a day, by people, from `since` on."""
        rows = self._rows("insight_promoted", tenant=tenant, owner=owner, since=stamp(since))
        return {date.fromisoformat(row["day"]): row["total"] for row in rows}

    def contradicted(self, tenant: str, *, owner: str | None) -> dict[SourceKind, int]:
        """How many candidates of each source kind met a memory that says otherwise, as the gate saw it."""
        rows = self._rows("insight_contradicted", tenant=tenant, owner=owner)
        return {SourceKind(row["source_kind"]): row["total"] for row in rows}

    def places(self, tenant: str, *, owner: str, limit: int) -> list[SourceCount]:
        """An owner's single pages, documents, tools and people, the most candidates first."""
        with self._pool.snapshot() as connection:
            rows = connection.rows("insight_places", tenant=tenant, owner=owner, limit=limit)
            met = connection.rows("insight_places_contradicted", tenant=tenant, owner=owner)
        contradicted = {(row["source_kind"], row["source_ref"]): row["total"] for row in met}
        return [
            SourceCount(
                source_kind=SourceKind(row["source_kind"]),
                source_ref=row["source_ref"],
                proposed=row["proposed"],
                held=row["held"],
                admitted=row["admitted"],
                promoted=row["promoted"],
                contradicted=contradicted.get((row["source_kind"], row["source_ref"]), 0),
            )
            for row in rows
        ]

    def held_trust(self, tenant: str, *, owner: str | None, bins: int) -> list[TrustBin]:
        """Waiting candidates by the effective trust that the gate saw, the least first."""
        rows = self._rows("insight_held_trust", tenant=tenant, owner=owner, bins=bins)
        return [
            TrustBin(status=None, low=row["low"] / bins, vouched=False, count=row["total"])
            for row in sorted(rows, key=lambda row: row["low"])
        ]

    def effects(self, scope: Scope, memory_id: str) -> list[Effect]:
        """Every change that was decided for one memory of the scope, in order."""
        rows = self._rows("insight_effects", tenant=scope.tenant, owner=scope.owner, memory_id=memory_id)
        found = (from_json(Effect, row["effect"]) for row in rows)
        return [effect for effect in found if effect.scope == scope]

    def vitals(self, *, at: datetime, reader: str = "") -> Vitals:
        """What an operator watches, from one snapshot."""
        with self._pool.snapshot() as connection:
            [inbox] = connection.rows("vitals_inbox", at=stamp(at))
            [outbox] = connection.rows("vitals_outbox")
            held = {row["held_as"]: row for row in connection.rows("vitals_held", at=stamp(at))}
            untold = connection.rows("vitals_untold", reader=reader, most=UNTOLD) if reader else []
        return Vitals(
            inbox=inbox["waiting"],
            inbox_oldest=_time(inbox["oldest"]),
            leases=inbox["leased"],
            outbox=outbox["waiting"],
            outbox_oldest=_time(outbox["oldest"]),
            held=tuple(
                HeldWaiting(state=state, count=row["total"] if row else 0, oldest=_time(row["oldest"]) if row else None)
                for state in HELD_AS
                for row in (held.get(state),)
            ),
            untold={row["action"]: row["total"] for row in untold},
        )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
