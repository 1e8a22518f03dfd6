"""In-memory People, with the semantics of the port."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.errors import BadInput, StoreUnavailable
from core.model import Person, Role
from core.ports import AgentKey, Invitation, OperatorKey, Session, Throttle


class SetClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime | None = None) -> None:
        self.at = at or datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def forward(self, **parts: float) -> None:
        self.at += timedelta(**parts)


class CountingIds:
    """Identifiers of 36 characters that sort."""

    def __init__(self) -> None:
        self._next = 0

    def new(self) -> str:
        self._next += 1
        return f"00000000-0000-7000-8000-{self._next:012d}"


class AuditLog:
    """Keeps what was recorded; `broken` makes it refuse."""

    def __init__(self) -> None:
        self.entries: list[dict[str, object]] = []
        self.broken: Exception | None = None

    def __call__(self, **entry: object) -> None:
        if self.broken is not None:
            raise self.broken
        self.entries.append(entry)

    @property
    def actions(self) -> list[object]:
        return [entry["action"] for entry in self.entries]


class FakePeople:
    """People in dictionaries. `down` makes every call raise StoreUnavailable."""

    def __init__(self) -> None:
        self.down = False
        self.touches = 0
        self._lock = threading.RLock()
        self._people: dict[str, tuple[Person, str]] = {}
        self._sessions: dict[str, tuple[Session, str]] = {}
        self._throttles: dict[str, Throttle] = {}
        self._invitations: dict[str, tuple[Invitation, bool]] = {}

    def _up(self) -> None:
        if self.down:
            msg = "the store does not answer"
            raise StoreUnavailable(msg)

    def add(self, person: Person, password_hash: str) -> None:
        self._up()
        with self._lock:
            if self.by_username(person.username) is not None:
                msg = "taken"
                raise BadInput(msg)
            self._people[person.user_id] = (person, password_hash)

    def by_username(self, username: str) -> tuple[Person, str] | None:
        self._up()
        return next((one for one in self._people.values() if one[0].username.lower() == username.lower()), None)

    def by_id(self, user_id: str) -> Person | None:
        self._up()
        found = self._people.get(user_id)
        return found[0] if found else None

    def all(self, tenant: str) -> list[Person]:
        self._up()
        return sorted((p for p, _ in self._people.values() if p.tenant == tenant), key=lambda p: p.username)

    def count(self) -> int:
        self._up()
        return len(self._people)

    def update(
        self,
        user_id: str,
        *,
        role: Role | None = None,
        disabled: bool | None = None,
        password_hash: str | None = None,
        display_name: str | None = None,
    ) -> None:
        self._up()
        person, known = self._people[user_id]
        person = replace(
            person,
            role=person.role if role is None else role,
            disabled=person.disabled if disabled is None else disabled,
            display_name=person.display_name if display_name is None else display_name,
        )
        self._people[user_id] = (person, password_hash or known)

    def open_session(self, session: Session, token_hash: str) -> None:
        self._up()
        self._sessions[session.session_id] = (session, token_hash)

    def session(self, token_hash: str) -> tuple[Session, Person] | None:
        self._up()
        found = next((one for one, known in self._sessions.values() if known == token_hash), None)
        return (found, self._people[found.user_id][0]) if found else None

    def session_by_id(self, session_id: str) -> tuple[Session, Person] | None:
        self._up()
        found = self._sessions.get(session_id)
        return (found[0], self._people[found[0].user_id][0]) if found else None

    def sessions(self, user_id: str) -> list[Session]:
        self._up()
        mine = [s for s, _ in self._sessions.values() if s.user_id == user_id]
        return sorted(mine, key=lambda s: s.last_seen_at, reverse=True)

    def touch_session(self, session_id: str, at: datetime) -> None:
        self._up()
        self.touches += 1
        session, known = self._sessions[session_id]
        self._sessions[session_id] = (replace(session, last_seen_at=at), known)

    def end_session(self, session_id: str) -> None:
        self._up()
        self._sessions.pop(session_id, None)

    def end_sessions(self, user_id: str, *, but: str | None = None) -> int:
        self._up()
        ended = [s.session_id for s, _ in self._sessions.values() if s.user_id == user_id and s.session_id != but]
        for session_id in ended:
            del self._sessions[session_id]
        return len(ended)

    def throttle(self, key: str) -> Throttle:
        self._up()
        return self._throttles.get(key, Throttle(failures=0, blocked_until=None))

    def set_throttle(self, key: str, throttle: Throttle) -> None:
        self._up()
        if throttle.failures:
            self._throttles[key] = throttle
        else:
            self._throttles.pop(key, None)

    def add_invitation(self, invitation: Invitation) -> None:
        self._up()
        self._invitations[invitation.token_hash] = (invitation, False)

    def invitations(self, tenant: str, *, now: datetime) -> list[Invitation]:
        self._up()
        waiting = [one for one, used in self._invitations.values() if not used and one.tenant == tenant]
        return sorted((one for one in waiting if one.expires_at > now), key=lambda one: one.expires_at, reverse=True)

    def remove_invitation(self, token_hash: str) -> None:
        self._up()
        self._invitations.pop(token_hash, None)

    def take_invitation(self, token_hash: str, *, now: datetime, consume: bool) -> Invitation | None:
        self._up()
        with self._lock:
            found = self._invitations.get(token_hash)
            if found is None or found[1] or found[0].expires_at <= now:
                return None
            if consume:
                self._invitations[token_hash] = (found[0], True)
            return found[0]


class FakeKeys:
    """Agent keys in a dictionary."""

    def __init__(self) -> None:
        self._keys: dict[str, tuple[AgentKey, str]] = {}
        self._due: dict[str, datetime] = {}

    def add(self, key: AgentKey, token_hash: str) -> None:
        self._keys[key.key_id] = (key, token_hash)

    def by_token(self, token_hash: str) -> AgentKey | None:
        found = (one for one, known in self._keys.values() if known == token_hash and one.revoked_at is None)
        return next(found, None)

    def by_id(self, key_id: str) -> AgentKey | None:
        found = self._keys.get(key_id)
        return found[0] if found else None

    def of_owner(self, tenant: str, owner: str) -> list[AgentKey]:
        return [one for one in self.of_tenant(tenant) if one.owner == owner]

    def of_tenant(self, tenant: str) -> list[AgentKey]:
        used = [one for one, _ in self._keys.values() if one.tenant == tenant and one.revoked_at is None]
        return sorted(used, key=lambda one: (one.created_at, one.key_id), reverse=True)

    def touch(self, key_id: str, at: datetime) -> None:
        one, known = self._keys[key_id]
        self._keys[key_id] = (replace(one, last_used_at=max(at, one.last_used_at or at)), known)

    def revoke(self, key_id: str, at: datetime) -> bool:
        one, known = self._keys[key_id]
        if one.revoked_at is not None:
            return False
        self._keys[key_id] = (replace(one, revoked_at=at), known)
        return True

    def take(self, bucket: str, at: datetime, *, per_minute: int, burst: int) -> timedelta | None:
        step = timedelta(minutes=1) / per_minute
        room = step * max(burst - 1, 0)
        due = self._due.get(bucket, at)
        if due > at + room:
            return max(due - room - at, step)
        self._due[bucket] = max(due, at) + step
        return None

    def forget_requests(self, before: datetime) -> int:
        gone = [bucket for bucket, due in self._due.items() if due < before]
        for bucket in gone:
            del self._due[bucket]
        return len(gone)


class FakeOperatorKeys:
    """Operator keys in a dictionary, beside the people whose they are."""

    def __init__(self, people: FakePeople) -> None:
        self._people = people
        self._keys: dict[str, tuple[OperatorKey, str]] = {}

    def add(self, key: OperatorKey, token_hash: str) -> None:
        self._keys[key.key_id] = (key, token_hash)

    def by_token(self, token_hash: str) -> tuple[OperatorKey, Person] | None:
        found = next((one for one, known in self._keys.values() if known == token_hash), None)
        return self.in_use(found.key_id) if found else None

    def in_use(self, key_id: str) -> tuple[OperatorKey, Person] | None:
        key = self.by_id(key_id)
        person = self._people.by_id(key.user_id) if key and key.revoked_at is None else None
        return (key, person) if key and person else None

    def by_id(self, key_id: str) -> OperatorKey | None:
        found = self._keys.get(key_id)
        return found[0] if found else None

    def of_person(self, user_id: str) -> list[OperatorKey]:
        return [one for one in self._in_use() if one.user_id == user_id]

    def of_tenant(self, tenant: str) -> list[OperatorKey]:
        return [one for one in self._in_use() if one.tenant == tenant]

    def touch(self, key_id: str, at: datetime) -> None:
        one, known = self._keys[key_id]
        self._keys[key_id] = (replace(one, last_used_at=max(at, one.last_used_at or at)), known)

    def revoke(self, key_id: str, at: datetime) -> bool:
        one, known = self._keys[key_id]
        if one.revoked_at is not None:
            return False
        self._keys[key_id] = (replace(one, revoked_at=at), known)
        return True

    def _in_use(self) -> list[OperatorKey]:
        used = [one for one, _ in self._keys.values() if one.revoked_at is None]
        return sorted(used, key=lambda one: (one.created_at, one.key_id), reverse=True)
