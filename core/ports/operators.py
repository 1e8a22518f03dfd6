"""Keys of people: what a program of theirs acts in their name with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model import Person


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorKey:
    """One key. Only the sha256 of its token is stored."""

    key_id: str
    prefix: str  # the token's first characters, to tell keys apart
    tenant: str
    user_id: str  # who acts with it
    name: str  # what it is for, in its maker's words
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


class OperatorKeyStore(Protocol):
    """Keys, kept in the store. Called by `core.sessions` and `core.operatorkeys` only, which authorise."""

    def add(self, key: OperatorKey, token_hash: str) -> None:
        """Insert a key."""

    def by_token(self, token_hash: str) -> tuple[OperatorKey, Person] | None:
        """The key of a token with its person's account, revoked ones left out."""

    def in_use(self, key_id: str) -> tuple[OperatorKey, Person] | None:
        """The same by the key's id."""

    def by_id(self, key_id: str) -> OperatorKey | None:
        """One key, revoked ones included."""

    def of_person(self, user_id: str) -> list[OperatorKey]:
        """A person's keys in use, newest first."""

    def of_tenant(self, tenant: str) -> list[OperatorKey]:
        """A tenant's keys in use, newest first."""

    def touch(self, key_id: str, at: datetime) -> None:
        """Record use; never backwards."""

    def revoke(self, key_id: str, at: datetime) -> bool:
        """End a key for good; False if it was ended before."""


__all__ = ["OperatorKey", "OperatorKeyStore"]
