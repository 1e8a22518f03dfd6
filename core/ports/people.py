"""Accounts, sessions and invitations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from core.model import Person, Role


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A signed-in browser. Only the sha256 of the cookie's token is stored."""

    session_id: str
    user_id: str
    created_at: datetime
    last_seen_at: datetime
    address: str
    user_agent: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Throttle:
    """Failed sign-ins under one key (an account or an address)."""

    failures: int
    blocked_until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """A one-time link that makes an account. Only the sha256 of its token is stored."""

    token_hash: str
    tenant: str
    role: Role
    expires_at: datetime
    created_by: str
    username: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


class People(Protocol):
    """Accounts and sessions, kept in the store. Called by `core.accounts` only, which authorises."""

    def add(self, person: Person, password_hash: str) -> None:
        """Insert an account.

        Raises:
            BadInput: the user name is taken (compared case-insensitively).
        """

    def by_username(self, username: str) -> tuple[Person, str] | None:
        """The account (case-insensitive) and its password hash."""

    def by_id(self, user_id: str) -> Person | None:
        """One account."""

    def all(self, tenant: str) -> list[Person]:
        """Every account of a tenant, by user name."""

    def count(self) -> int:
        """Number of accounts in all tenants: 0 means first start."""

    def update(
        self,
        user_id: str,
        *,
        role: Role | None = None,
        disabled: bool | None = None,
        password_hash: str | None = None,
        display_name: str | None = None,
    ) -> None:
        """Change the given columns of one account."""

    def open_session(self, session: Session, token_hash: str) -> None:
        """Insert a session."""

    def session(self, token_hash: str) -> tuple[Session, Person] | None:
        """The session of a token with its person's account, ended sessions left out."""

    def session_by_id(self, session_id: str) -> tuple[Session, Person] | None:
        """The same by the session's id."""

    def sessions(self, user_id: str) -> list[Session]:
        """Open sessions of one person, last used first."""

    def touch_session(self, session_id: str, at: datetime) -> None:
        """Record use."""

    def end_session(self, session_id: str) -> None:
        """End one session."""

    def end_sessions(self, user_id: str, *, but: str | None = None) -> int:
        """End every session of a person, except one if given; returns how many."""

    def throttle(self, key: str) -> Throttle:
        """Failures recorded under a key."""

    def set_throttle(self, key: str, throttle: Throttle) -> None:
        """Replace the record; failures 0 deletes it."""

    def add_invitation(self, invitation: Invitation) -> None:
        """Insert an invitation."""

    def invitations(self, tenant: str, *, now: datetime) -> list[Invitation]:
        """Unused, unexpired invitations of a tenant, the latest to expire first."""

    def remove_invitation(self, token_hash: str) -> None:
        """Delete an invitation; one that is gone already is fine."""

    def take_invitation(self, token_hash: str, *, now: datetime, consume: bool) -> Invitation | None:
        """The unexpired, unused invitation of a token; `consume` uses it up in the same statement."""
