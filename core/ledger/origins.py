"""Where words were seen before, what supports a fact and what rests on it: what the ledger answers an assessor."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import item_of, scope_values
from core.model import HeldItem, Provenance, Scope
from core.ports import AppliedEffect, Input, Support
from core.sameness import same_value

LAST = 2**62  # beyond every number


class SqliteOrigins(StoredHandle):
    """The part of `core.ports.LedgerReader` that traces origins. All of it is the owner's, whichever agent wrote it."""

    def inputs_before(self, scope: Scope, conversation_id: str, *, before: int) -> list[Input]:
        """What of a conversation came before a serial number (0: all) and is not wholly the user's own words."""
        rows = self._rows("inputs_before", **scope_values(scope), conversation_id=conversation_id, before=before)
        return [_input_of(row) for row in rows]

    def first_seen(self, scope: Scope, marks: Sequence[int], *, before: int = 0) -> dict[int, Input]:
        """For each mark the owner's earliest episode that bears it, before a serial number (0: of all)."""
        if not marks:
            return {}
        wanted = to_json(sorted(set(marks)))
        with self._pool.snapshot() as connection:
            seen = connection.rows("first_seen", **_owner(scope), marks=wanted, before=before)
            numbers = to_json(sorted({row["serial_no"] for row in seen}))
            inputs = {row["serial_no"]: _input_of(row) for row in connection.rows("inputs_by_number", numbers=numbers)}
        return {row["mark"]: inputs[row["serial_no"]] for row in seen}

    def epoch(self, scope: Scope) -> int:
        """Number of the owner's last enqueued effect; 0 if none."""
        row = self._row("epoch", **_owner(scope))
        return int(row["outbox_no"]) if row else 0

    def last_effect(self, scope: Scope) -> str:
        """Id of the owner's last enqueued effect, applied or not; "" if there is none."""
        row = self._row("epoch", **_owner(scope))
        return str(row["effect_id"]) if row else ""

    def applied(self, *, limit: int, before: int = 0) -> list[AppliedEffect]:
        """Effects of every owner that were marked as applied, the last enqueued first, of those before any that waits.

        Args:
            limit: how many at most.
            before: only those with a smaller number; 0: all.
        """
        # They are applied in order, so they lie before the first that waits: a long queue is not read through.
        waits = self._row("first_waiting")
        end = min(before or LAST, waits["outbox_no"] if waits else LAST)
        return [
            AppliedEffect(
                number=row["outbox_no"],
                effect_id=row["effect_id"],
                scope=Scope(tenant=row["tenant"], owner=row["owner"]),
            )
            for row in self._rows("applied", limit=limit, before=end)
        ]

    def waiting(self, scope: Scope) -> int:
        """Number of the owner's effects that are not applied to the store yet."""
        return int(self._rows("waiting", **_owner(scope))[0]["waiting"])

    def support(self, scope: Scope, slot_key: str, value: str) -> list[Support]:
        """Who else says so: held, admitted and promoted candidates with this value.

        As the policy first saw them, in order. One that takes the value back says nothing for it, and one of unknown
        origin (decided by an older version) cannot count as another.
        """
        with self._pool.snapshot() as connection:
            stated = connection.rows("slot_values", **_owner(scope), slot_key=slot_key)
            same = {given for given in {row["value"] for row in stated} if same_value(given, value)}
            agreeing = [row["candidate_id"] for row in stated if row["value"] in same]
            rows = connection.rows("first_evidence", candidate_ids=to_json(agreeing)) if agreeing else []
        return [
            Support(
                origin=row["origin"],
                trust=float(row["trust"]),
                at=min(datetime.fromisoformat(row["observed_at"]), datetime.fromisoformat(row["created_at"])),
                episode_id=row["episode_id"],
            )
            for row in rows
        ]

    def derived(self, scope: Scope, memory_id: str) -> list[HeldItem]:
        """Admitted and promoted candidates whose roots name this memory (rules §1.11)."""
        return [item_of(row) for row in self._rows("derived", **_owner(scope), root=f"memory:{memory_id}")]


def _owner(scope: Scope) -> dict[str, str]:
    return {"tenant": scope.tenant, "owner": scope.owner}


def _input_of(row: Row) -> Input:
    return Input(
        episode_id=row["episode_id"],
        serial_no=row["serial_no"],
        provenance=from_json(Provenance, row["provenance"]),
    )
