"""Accounts, sessions, throttling and invitations in the store. Authorises nothing: `core.accounts` does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from psycopg.types.json import Jsonb

from core.errors import BadInput
from core.model import Person, Role
from core.ports import Invitation, Session, Throttle
from core.sql import load_queries
from core.store.database import Database
from core.store.rows import storable

_QUERIES = load_queries("core.store", "people.sql")


class PostgresPeople:
    """`core.ports.People` on the store's pool: `PostgresPeople(store.database)`."""

    def __init__(self, database: Database) -> None:
        """Share the store's pool and role."""
        self._database = database

    def add(self, person: Person, password_hash: str) -> None:
        """Insert an account.

        Raises:
            BadInput: the user name is taken (compared case-insensitively).
        """
        row = self._one(
            "add_person",
            user_id=person.user_id,
            username=storable(person.username),
            username_key=_key(person.username),
            display_name=storable(person.display_name),
            tenant=storable(person.tenant),
            role=person.role.value,
            created_at=person.created_at,
            disabled=person.disabled,
            password_hash=password_hash,
        )
        if row is None:
            msg = "that user name is taken: choose another"
            raise BadInput(msg)

    def by_username(self, username: str) -> tuple[Person, str] | None:
        """The account (case-insensitive) and its password hash."""
        row = self._one("person_by_username", username_key=_key(username))
        return None if row is None else (_person(row), str(row["password_hash"]))

    def by_id(self, user_id: str) -> Person | None:
        """One account."""
        row = self._one("person_by_id", user_id=storable(user_id))
        return None if row is None else _person(row)

    def all(self, tenant: str) -> list[Person]:
        """Every account of a tenant, by user name."""
        return [_person(row) for row in self._rows("people_of", tenant=storable(tenant))]

    def count(self) -> int:
        """Number of accounts in all tenants: 0 means first start."""
        return int(self._rows("count_people")[0]["total"])

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
        self._run(
            "update_person",
            user_id=storable(user_id),
            role=None if role is None else role.value,
            disabled=disabled,
            password_hash=password_hash,
            display_name=None if display_name is None else storable(display_name),
        )

    def open_session(self, session: Session, token_hash: str) -> None:
        """Insert a session."""
        self._run(
            "open_session",
            session_id=session.session_id,
            token_hash=token_hash,
            user_id=session.user_id,
            created_at=session.created_at,
            last_seen_at=session.last_seen_at,
            address=storable(session.address),
            user_agent=storable(session.user_agent),
        )

    def session(self, token_hash: str) -> tuple[Session, Person] | None:
        """The session of a token with its person's account, ended sessions left out."""
        row = self._one("session_by_token", token_hash=storable(token_hash))
        return None if row is None else (_session(row), _person(row))

    def session_by_id(self, session_id: str) -> tuple[Session, Person] | None:
        """The same by the session's id."""
        row = self._one("session_by_id", session_id=storable(session_id))
        return None if row is None else (_session(row), _person(row))

    def sessions(self, user_id: str) -> list[Session]:
        """Open sessions of one person, last used first."""
        return [_session(row) for row in self._rows("sessions_of", user_id=storable(user_id))]

    def touch_session(self, session_id: str, at: datetime) -> None:
        """Record use."""
        self._run("touch_session", session_id=storable(session_id), at=at)

    def end_session(self, session_id: str) -> None:
        """End one session."""
        self._run("end_session", session_id=storable(session_id))

    def end_sessions(self, user_id: str, *, but: str | None = None) -> int:
        """End every session of a person, except one if given; returns how many."""
        return self._run("end_sessions", user_id=storable(user_id), but=but)

    def throttle(self, key: str) -> Throttle:
        """Failures recorded under a key."""
        row = self._one("throttle", key=storable(key))
        if row is None:
            return Throttle(failures=0, blocked_until=None)
        until: datetime | None = row["blocked_until"]
        return Throttle(failures=int(row["failures"]), blocked_until=until.astimezone(UTC) if until else None)

    def set_throttle(self, key: str, throttle: Throttle) -> None:
        """Replace the record; failures 0 deletes it."""
        if throttle.failures <= 0:
            self._run("clear_throttle", key=storable(key))
            return
        self._run("set_throttle", key=storable(key), failures=throttle.failures, blocked_until=throttle.blocked_until)

    def add_invitation(self, invitation: Invitation) -> None:
        """Insert an invitation."""
        self._run(
            "add_invitation",
            token_hash=invitation.token_hash,
            tenant=storable(invitation.tenant),
            role=invitation.role.value,
            expires_at=invitation.expires_at,
            created_by=invitation.created_by,
            username=storable(invitation.username),
            extra=Jsonb(dict(invitation.extra)),
        )

    def take_invitation(self, token_hash: str, *, now: datetime, consume: bool) -> Invitation | None:
        """The unexpired, unused invitation of a token; `consume` uses it up in the same statement."""
        name = "use_invitation" if consume else "see_invitation"
        row = self._one(name, token_hash=storable(token_hash), now=now)
        return None if row is None else _invitation(row)

    def invitations(self, tenant: str, *, now: datetime) -> list[Invitation]:
        """Unused, unexpired invitations of a tenant, the latest to expire first."""
        return [_invitation(row) for row in self._rows("invitations_of", tenant=storable(tenant), now=now)]

    def remove_invitation(self, token_hash: str) -> None:
        """Delete an invitation; one that is gone already is fine."""
        self._run("remove_invitation", token_hash=storable(token_hash))

    def _rows(self, name: str, **params: Any) -> list[dict[str, Any]]:
        return self._database.rows(_QUERIES[name], params)

    def _one(self, name: str, **params: Any) -> dict[str, Any] | None:
        rows = self._rows(name, **params)
        return rows[0] if rows else None

    def _run(self, name: str, **params: Any) -> int:
        with self._database.transaction() as conn:
            return conn.execute(_QUERIES[name], params).rowcount


def _key(username: str) -> str:
    return storable(username).casefold()


def _person(row: Mapping[str, Any]) -> Person:
    return Person(
        user_id=row["user_id"],
        username=row["username"],
        display_name=row["display_name"],
        tenant=row["tenant"],
        role=Role(row["role"]),
        created_at=row["created_at"].astimezone(UTC),
        disabled=row["disabled"],
    )


def _invitation(row: Mapping[str, Any]) -> Invitation:
    return Invitation(
        token_hash=row["token_hash"],
        tenant=row["tenant"],
        role=Role(row["role"]),
        expires_at=row["expires_at"].astimezone(UTC),
        created_by=row["created_by"],
        username=row["username"],
        extra=row["extra"],
    )


def _session(row: Mapping[str, Any]) -> Session:
    return Session(
        session_id=row["session_id"],
        user_id=row["user_id"],
        created_at=row["opened_at"].astimezone(UTC),
        last_seen_at=row["last_seen_at"].astimezone(UTC),
        address=row["address"],
        user_agent=row["user_agent"],
    )
