"""Sign-in and sessions: who is here, and may they do this. Every act of a person is authorised here (console.md §1.2).

Audit first, then change: an entry without its change is a refused or crashed attempt, a change without its entry
cannot happen. Entries hold ids, never a typed user name (people type passwords into that field).
"""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any, Protocol

from core.credentials import (
    AccountLimits,
    after_failure,
    check_password_rule,
    dummy_hash,
    hash_password,
    new_token,
    password_matches,
    token_hash,
)
from core.errors import BadInput, NotAuthorised, NotFound, TooManyAttempts
from core.model import Actor, Person, Role, sha256_text
from core.ports import Clock, Ids, OperatorKeyStore, People, Session, Throttle

DEFAULT_TENANT = "default"  # a new installation has one tenant (console.md §2)
NOBODY = "nobody"  # the audit's actor when nobody is signed in
_BY_KEY = "key:"  # begins the session of an actor who came with an operator key; the key's id follows
_REFUSED = "The user name or the password is not right."


class Audit(Protocol):
    """Appends one entry to the audit chain; raises if it cannot, and then nothing is changed."""

    def __call__(self, *, actor: str, action: str, tenant: str, owner: str, about: dict[str, Any]) -> None:
        """Record who did what to whom."""


class Sessions:
    """Sign-in, sign-out, and the check that every act of a person passes."""

    def __init__(
        self,
        *,
        people: People,
        clock: Clock,
        ids: Ids,
        audit: Audit,
        limits: AccountLimits | None = None,
        operator_keys: OperatorKeyStore | None = None,
    ) -> None:
        """Bind the parts; no query is made. Without `operator_keys`, a key opens nothing."""
        self._people = people
        self._operator_keys = operator_keys
        self._clock = clock
        self._ids = ids
        self._audit = audit
        self._limits = limits or AccountLimits()
        # Checks that must hold together with the write that follows them: first admin, last admin, throttle.
        self._lock = threading.RLock()

    def sign_in(
        self, username: str, password: str, address: str, user_agent: str, *, previous_token: str = ""
    ) -> tuple[Session, str]:
        """Check the password and open a session; returns it with the cookie's token (only its hash is stored).

        1. Count the attempt against account and address before the password is looked at, so that attempts made
           at the same time cannot slip past. 2. Compare, with a dummy hash for unknown users. 3. Forget the
           account's failures, end the browser's previous session (rotation), open the new one.

        Raises:
            NotAuthorised: the user name or the password is wrong, or the account is disabled: one message for all.
            TooManyAttempts: with when to try again.
        """
        name = username.strip().lower()
        self._count_attempt(name, address)
        found = self._people.by_username(name) if name else None
        stored = found[1] if found else dummy_hash(self._limits.bcrypt_rounds)
        matches = password_matches(password, stored)
        if found is None or not matches or found[0].disabled:
            known = {"user_id": found[0].user_id} if found else {}
            tenant = found[0].tenant if found else DEFAULT_TENANT
            self._audit(
                actor=NOBODY,
                action="person:sign_in_failed",
                tenant=tenant,
                owner=known.get("user_id", ""),
                about={**known, "address": address},
            )
            raise NotAuthorised(_REFUSED)
        person = found[0]
        now = self._clock.now()
        session = Session(
            session_id=self._ids.new(),
            user_id=person.user_id,
            created_at=now,
            last_seen_at=now,
            address=address,
            user_agent=user_agent[:300],
        )
        self._record(person.user_id, "signed_in", person, session_id=session.session_id, address=address)
        self._forget_attempt(name, address)
        if previous_token:
            self._end_by_token(previous_token)
        token = new_token()
        self._people.open_session(session, token_hash(token))
        return session, token

    def resolve(self, token: str, *, touch: bool = True) -> Actor | None:
        """The person behind a cookie's token, or None if the session ended, expired, or the account is disabled."""
        return self._actor(self._people.session(token_hash(token)), touch=touch) if token else None

    def refresh(self, session_id: str, user_id: str, *, touch: bool = True) -> Actor | None:
        """The same for a known session: `st.user` is fixed at the handshake, so every run asks again.

        `touch=False` is for automatic refreshes, which must not keep an abandoned session alive.
        """
        found = self._people.session_by_id(session_id)
        return self._actor(found, touch=touch) if found is not None and found[1].user_id == user_id else None

    def authorise(self, actor: Actor, *roles: Role) -> Person:
        """Re-read the actor's session (or operator key) and account; with `roles`, one of them is needed.

        Raises:
            NotAuthorised: the session ended, the key was revoked, the account is disabled, or the role is another one.
        """
        if names_a_key(actor.session_id):
            person = self._behind_key(actor.session_id)
        else:
            person = self._live(self._people.session_by_id(actor.session_id))
        if person is None or person.user_id != actor.user_id or person.tenant != actor.tenant:
            msg = "You are signed out. Sign in again."
            raise NotAuthorised(msg)
        if roles and person.role not in roles:
            msg = f"This needs the role {' or '.join(role.value for role in roles)}; yours is {person.role.value}."
            raise NotAuthorised(msg)
        return person

    def sign_out(self, actor: Actor) -> None:
        """End this session; a session that has ended already is fine.

        Raises:
            NotAuthorised: the actor came with a key, which is no session.
        """
        if names_a_key(actor.session_id):
            msg = "A key is not signed out: revoke it instead."
            raise NotAuthorised(msg)
        if self._people.session_by_id(actor.session_id) is None:
            return
        self._record_actor(actor, "signed_out", session_id=actor.session_id)
        self._people.end_session(actor.session_id)

    def sign_out_everywhere(self, actor: Actor, *, keep_this: bool = False) -> int:
        """End every session of the actor (`keep_this`: all the others); returns how many.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        person = self.authorise(actor)
        self._record_actor(actor, "sessions_ended", user_id=person.user_id)
        return self._people.end_sessions(person.user_id, but=actor.session_id if keep_this else None)

    def end_session(self, actor: Actor, session_id: str) -> None:
        """End one of the actor's own sessions.

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: no such session of the actor's.
        """
        person = self.authorise(actor)
        found = self._people.session_by_id(session_id)
        if found is None or found[1].user_id != person.user_id:
            msg = "There is no such session; it may have ended already."
            raise NotFound(msg)
        self._record_actor(actor, "sessions_ended", user_id=person.user_id, session_id=session_id)
        self._people.end_session(session_id)

    def sessions(self, actor: Actor) -> list[Session]:
        """The actor's own open sessions, last used first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        return self._people.sessions(self.authorise(actor).user_id)

    def change_password(self, actor: Actor, old: str, new: str) -> int:
        """Set a new password and end the other sessions; returns how many ended.

        Raises:
            NotAuthorised: the actor is signed out, or the old password is wrong.
            TooManyAttempts: a stolen session must not guess the password faster than the sign-in page.
            BadInput: the new password breaks the rule.
        """
        person = self.authorise(actor)
        check_password_rule(new, person.username)
        self._count_attempt(person.username, "")
        found = self._people.by_username(person.username)
        if found is None or not password_matches(old, found[1]):
            msg = "The present password is not right."
            raise NotAuthorised(msg)
        if old == new:
            msg = "The new password is the present one."
            raise BadInput(msg)
        self._forget_attempt(person.username, "")
        self._record_actor(actor, "password_changed", user_id=person.user_id)
        self._people.update(person.user_id, password_hash=hash_password(new, rounds=self._limits.bcrypt_rounds))
        return self._people.end_sessions(person.user_id, but=actor.session_id)

    # --- inner parts --------------------------------------------------------------------------------------------

    def _live(self, found: tuple[Session, Person] | None) -> Person | None:
        """The person, unless the session is over (it is ended then) or the account disabled."""
        if found is None:
            return None
        session, person = found
        now = self._clock.now()
        if now - session.last_seen_at >= self._limits.idle or now - session.created_at >= self._limits.absolute:
            self._people.end_session(session.session_id)
            return None
        return None if person.disabled else person

    def _behind_key(self, session_id: str) -> Person | None:
        """The person of an operator key in use, unless the account is disabled."""
        if self._operator_keys is None:
            return None
        found = self._operator_keys.in_use(session_id.removeprefix(_BY_KEY))
        return None if found is None or found[1].disabled else found[1]

    def _actor(self, found: tuple[Session, Person] | None, *, touch: bool) -> Actor | None:
        person = self._live(found)
        if found is None or person is None:
            return None
        session, now = found[0], self._clock.now()
        if touch and now - session.last_seen_at >= self._limits.touch_every:
            self._people.touch_session(session.session_id, now)
        return Actor(
            user_id=person.user_id,
            username=person.username,
            tenant=person.tenant,
            role=person.role,
            session_id=session.session_id,
        )

    def _count_attempt(self, name: str, address: str) -> None:
        """Count one attempt; a success takes it back.

        Raises:
            TooManyAttempts: the account or the address has to wait.
        """
        keys = [(_account_key(name), self._limits.free_account_tries)]
        if address:
            keys.append((f"address:{address}", self._limits.free_address_tries))
        with self._lock:
            now = self._clock.now()
            records = [(key, free, self._people.throttle(key)) for key, free in keys]
            waits = [record.blocked_until for _, _, record in records if record.blocked_until]
            retry_at = max(waits, default=now)
            if retry_at > now:
                msg = f"Too many attempts. Try again in {_spoken(retry_at, now)}."
                raise TooManyAttempts(msg, retry_at=retry_at)
            for key, free, record in records:
                self._people.set_throttle(key, after_failure(record, now=now, free=free, limits=self._limits))

    def _forget_attempt(self, name: str, address: str) -> None:
        """After a success: the account's failures are forgotten, the address gets this one attempt back.

        The address's other failures stay, or whoever has one account could guess at all others for ever.
        """
        self._people.set_throttle(_account_key(name), Throttle(failures=0, blocked_until=None))
        if address:
            with self._lock:
                key = f"address:{address}"
                record = self._people.throttle(key)
                failures = max(0, record.failures - 1)
                self._people.set_throttle(key, Throttle(failures=failures, blocked_until=self._clock.now()))

    def _end_by_token(self, token: str) -> None:
        found = self._people.session(token_hash(token))
        if found is not None:
            self._people.end_session(found[0].session_id)

    def _record(self, by: str, verb: str, person: Person, **about: str) -> None:
        self._audit(actor=by, action=f"person:{verb}", tenant=person.tenant, owner=person.user_id, about=about)

    def _record_actor(self, actor: Actor, verb: str, **about: str) -> None:
        self._audit(
            actor=actor.user_id,
            action=f"person:{verb}",
            tenant=actor.tenant,
            owner=about.get("user_id", actor.user_id),
            about=about,
        )


def key_session(key_id: str) -> str:
    """The session id of an actor who came with an operator key."""
    return f"{_BY_KEY}{key_id}"


def names_a_key(session_id: str) -> bool:
    """Whether an actor came with an operator key, and not from the sign-in page."""
    return session_id.startswith(_BY_KEY)


def _account_key(name: str) -> str:
    """Key of an account's throttle: a digest, because the field may hold anything, a password included."""
    return f"account:{sha256_text(name)}"


def _spoken(until: datetime, now: datetime) -> str:
    seconds = max(1, round((until - now).total_seconds()))
    return f"{seconds} seconds" if seconds < 90 else f"{round(seconds / 60)} minutes"  # noqa: PLR2004
