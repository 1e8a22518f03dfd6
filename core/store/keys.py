"""Keys of agents in the store. Authorises nothing: `core.keys` does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from core.model import SourceKind
from core.ports import AgentKey
from core.sql import load_queries
from core.store.database import Database
from core.store.rows import storable

_QUERIES = load_queries("core.store", "keys.sql")


class PostgresKeys:
    """`core.ports.AgentKeyStore` on the store's pool: `PostgresKeys(store.database)`."""

    def __init__(self, database: Database) -> None:
        """Share the store's pool and role."""
        self._database = database

    def add(self, key: AgentKey, token_hash: str) -> None:
        """Insert a key."""
        self._run(
            "add_key",
            key_id=key.key_id,
            token_hash=token_hash,
            prefix=storable(key.prefix),
            tenant=storable(key.tenant),
            owner=storable(key.owner),
            agent=storable(key.agent),
            created_at=key.created_at,
            channel=key.channel.value,
            space=storable(key.space),
        )

    def by_token(self, token_hash: str) -> AgentKey | None:
        """The key of a token, revoked ones left out."""
        return self._one("key_by_token", token_hash=storable(token_hash))

    def by_id(self, key_id: str) -> AgentKey | None:
        """One key, revoked ones included."""
        return self._one("key_by_id", key_id=storable(key_id))

    def of_owner(self, tenant: str, owner: str) -> list[AgentKey]:
        """A person's keys in use, newest first."""
        return self._all("keys_of", tenant=storable(tenant), owner=storable(owner))

    def of_tenant(self, tenant: str) -> list[AgentKey]:
        """A tenant's keys in use, newest first."""
        return self._all("keys_of", tenant=storable(tenant), owner=None)

    def touch(self, key_id: str, at: datetime) -> None:
        """Record use; never backwards."""
        self._run("touch_key", key_id=storable(key_id), at=at)

    def revoke(self, key_id: str, at: datetime) -> bool:
        """End a key for good; False if it was ended before."""
        return self._run("revoke_key", key_id=storable(key_id), at=at) == 1

    def take(self, bucket: str, at: datetime, *, per_minute: int, burst: int) -> timedelta | None:
        """One request out of a bucket that refills evenly; how long to wait if it is empty."""
        step = timedelta(minutes=1) / per_minute
        room = step * max(burst - 1, 0)
        name = storable(bucket)
        # Each statement by itself: this stands before every request, and nothing in it needs a transaction around it.
        if self._database.rows(_QUERIES["take_request"], {"bucket": name, "at": at, "step": step, "burst": room}):
            return None
        known = self._database.rows(_QUERIES["request_due"], {"bucket": name})
        return max(known[0]["due"] - room - at, step) if known else step

    def forget_requests(self, before: datetime) -> int:
        """Remove buckets that have been full since `before`."""
        return self._run("forget_requests", before=before)

    def _all(self, name: str, **params: Any) -> list[AgentKey]:
        return [_key(row) for row in self._database.rows(_QUERIES[name], params)]

    def _one(self, name: str, **params: Any) -> AgentKey | None:
        found = self._all(name, **params)
        return found[0] if found else None

    def _run(self, name: str, **params: Any) -> int:
        with self._database.transaction() as conn:
            return conn.execute(_QUERIES[name], params).rowcount


def _key(row: Mapping[str, Any]) -> AgentKey:
    def at(name: str) -> datetime | None:
        found: datetime | None = row[name]
        return found.astimezone(UTC) if found else None

    return AgentKey(
        key_id=row["key_id"],
        prefix=row["prefix"],
        tenant=row["tenant"],
        owner=row["owner"],
        agent=row["agent"],
        created_at=row["created_at"].astimezone(UTC),
        last_used_at=at("last_used_at"),
        revoked_at=at("revoked_at"),
        channel=SourceKind(row["channel"]),
        space=row["space"],
    )
