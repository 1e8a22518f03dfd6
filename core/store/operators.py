"""Keys of people in the store. Authorises nothing: `core.sessions` and `core.operatorkeys` do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core.model import Person, Role
from core.ports import OperatorKey
from core.sql import load_queries
from core.store.database import Database
from core.store.rows import storable

_QUERIES = load_queries("core.store", "operators.sql")


class PostgresOperatorKeys:
    """`core.ports.OperatorKeyStore` on the store's pool: `PostgresOperatorKeys(store.database)`."""

    def __init__(self, database: Database) -> None:
        """Share the store's pool and role."""
        self._database = database

    def add(self, key: OperatorKey, token_hash: str) -> None:
        """Insert a key."""
        self._run(
            "add_operator_key",
            key_id=key.key_id,
            token_hash=token_hash,
            prefix=storable(key.prefix),
            tenant=storable(key.tenant),
            user_id=storable(key.user_id),
            name=storable(key.name),
            created_at=key.created_at,
        )

    def by_token(self, token_hash: str) -> tuple[OperatorKey, Person] | None:
        """The key of a token with its person's account, revoked ones left out."""
        return self._with_person("operator_by_token", token_hash=storable(token_hash))

    def in_use(self, key_id: str) -> tuple[OperatorKey, Person] | None:
        """The same by the key's id."""
        return self._with_person("operator_in_use", key_id=storable(key_id))

    def by_id(self, key_id: str) -> OperatorKey | None:
        """One key, revoked ones included."""
        found = self._rows("operator_by_id", key_id=storable(key_id))
        return _key(found[0]) if found else None

    def of_person(self, user_id: str) -> list[OperatorKey]:
        """A person's keys in use, newest first."""
        return [_key(row) for row in self._rows("operator_keys_of", tenant=None, user_id=storable(user_id))]

    def of_tenant(self, tenant: str) -> list[OperatorKey]:
        """A tenant's keys in use, newest first."""
        return [_key(row) for row in self._rows("operator_keys_of", tenant=storable(tenant), user_id=None)]

    def touch(self, key_id: str, at: datetime) -> None:
        """Record use; never backwards."""
        self._run("touch_operator_key", key_id=storable(key_id), at=at)

    def revoke(self, key_id: str, at: datetime) -> bool:
        """End a key for good; False if it was ended before."""
        return self._run("revoke_operator_key", key_id=storable(key_id), at=at) == 1

    def _with_person(self, query: str, **params: Any) -> tuple[OperatorKey, Person] | None:
        found = self._rows(query, **params)
        return (_key(found[0]), _person(found[0])) if found else None

    def _rows(self, query: str, **params: Any) -> list[dict[str, Any]]:
        return self._database.rows(_QUERIES[query], params)

    def _run(self, query: str, **params: Any) -> int:
        with self._database.transaction() as conn:
            return conn.execute(_QUERIES[query], params).rowcount


def _key(row: Mapping[str, Any]) -> OperatorKey:
    def at(name: str) -> datetime | None:
        found: datetime | None = row[name]
        return found.astimezone(UTC) if found else None

    return OperatorKey(
        key_id=row["key_id"],
        prefix=row["prefix"],
        tenant=row["tenant"],
        user_id=row["user_id"],
        name=row["name"],
        created_at=row["made_at"].astimezone(UTC),
        last_used_at=at("last_used_at"),
        revoked_at=at("revoked_at"),
    )


def _person(row: Mapping[str, Any]) -> Person:
    return Person(
        user_id=row["user_id"],
        username=row["username"],
        display_name=row["display_name"],
        tenant=row["person_tenant"],
        role=Role(row["role"]),
        created_at=row["created_at"].astimezone(UTC),
        disabled=row["disabled"],
    )
