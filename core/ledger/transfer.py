"""Reads everything of one owner, row by row, to be carried elsewhere. Records are plain JSON data, not nouns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ports import OwnerRecords, Plain


class StoredTransfer(StoredHandle):
    """The reading half of `core.ports.TransferLedger`."""

    @contextmanager
    def owner_records(self, tenant: str, owner: str) -> Iterator[OwnerRecords]:
        """The owner's records as of now; the file may go on changing meanwhile."""
        with self._pool.snapshot() as connection:
            yield SqliteOwnerRecords(connection, tenant=tenant, owner=owner)

    def every_entry(self) -> Iterator[Plain]:
        """The whole audit chain as it is stored, oldest first; `about` is the text that its hash covers."""
        with self._pool.snapshot() as connection:
            for row in connection.each("every_entry"):
                yield dict(row)

    def last_at(self) -> datetime | None:
        """When the newest entry of the chain was made; None if there is none."""
        row = self._row("last_entry")
        return datetime.fromisoformat(row["at"]) if row else None


class SqliteOwnerRecords:
    """Implements `core.ports.OwnerRecords` on a connection inside a read transaction."""

    def __init__(self, connection: Connection, *, tenant: str, owner: str) -> None:
        """Made by `StoredTransfer.owner_records`."""
        self._connection = connection
        self._whose = {"tenant": tenant, "owner": owner}

    def numbers(self) -> Sequence[int]:
        """Serial numbers of the raw inputs, in order of receipt."""
        return [row["serial_no"] for row in self._each("transfer_numbers")]

    def conversations(self) -> Iterator[Plain]:
        """Conversations, deleted ones included, the oldest first."""
        for row in self._each("transfer_conversations"):
            yield _columns(row, "conversation_id", "agent", "title", "created_at", "updated_at", "deleted_at")

    def episodes(self) -> Iterator[Plain]:
        """Raw inputs in order of receipt."""
        for row in self._each("transfer_episodes"):
            yield {
                **_columns(row, "episode_id", "agent", "conversation_id", "idempotency_key", "text", "received_at"),
                "provenance": json.loads(row["provenance"]),
                "waiting": row["state"] in ("new", "leased"),
                "serial_no": row["serial_no"],
            }

    def candidates(self) -> Iterator[tuple[Plain, Sequence[Plain]]]:
        """Candidates in order, each with every decision on it, oldest first."""
        names = ("candidate_id", "episode_id", "agent", "state", "version", "serial_no", "extractor", "original_id")
        for row in self._each("transfer_candidates"):
            candidate = {
                **_columns(row, *names, "created_at", "updated_at", "digest"),
                "proposal": json.loads(row["proposal"]),
                "provenance": json.loads(row["provenance"]),
            }
            decisions = self._connection.rows("decisions", candidate_id=row["candidate_id"])
            yield candidate, [_decision(one) for one in decisions]

    def effects(self) -> Iterator[Plain]:
        """Changes to the store in order; what was done to a memory before it left the store for good is left out."""
        removed = {row["memory_id"]: row["outbox_no"] for row in self._each("transfer_removed")}
        for row in self._each("transfer_effects"):
            effect = json.loads(row["effect"])
            ends = [effect["memory_id"]]
            if effect["kind"] == "link":
                ends.append(effect["by_memory_id"])
            if all(row["outbox_no"] > removed.get(one, 0) for one in ends):
                yield effect

    def audit(self) -> Iterator[Plain]:
        """The owner's entries; `about` stays the text that its hash covers."""
        for row in self._each("transfer_audit"):
            yield dict(row)

    def _each(self, query: str) -> Iterator[Row]:
        return self._connection.each(query, **self._whose)


def _columns(row: Row, *names: str) -> Plain:
    return {name: row[name] for name in names}


def _decision(row: Row) -> Plain:
    parts: dict[str, Any] = {name: json.loads(row[name]) for name in ("reasons", "steps", "evidence", "effects")}
    named = _columns(row, "decision_id", "candidate_id", "verdict", "policy_digest", "at", "note")
    return {**named, **parts, "by": row["decided_by"]}


__all__ = ["SqliteOwnerRecords", "StoredTransfer"]
