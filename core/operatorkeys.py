"""Operator keys: a person's own program acts in their name, with the role the database gives them at this moment.

A key stands where a session stands: it makes an `Actor` whose session names the key, and `Accounts.authorise` reads the
key anew at every act. It opens no sign-in page, changes no password and makes no further key: whoever found one must
not be able to outlive its revocation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from core.accounts import Accounts
from core.credentials import new_token, token_hash
from core.errors import BadInput, NotAuthorised, NotFound
from core.model import Actor, Person, Role
from core.ports import Clock, Ids, OperatorKey, OperatorKeyStore
from core.sessions import Audit, key_session, names_a_key

MARK = "cmo_"  # begins every token, so that one that leaked is recognised
SHOWN = len(MARK) + 6  # characters of a token that are kept to tell keys apart
MOST = 20  # keys of one person in use
LONGEST_NAME = 60
TOUCH_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorKeys:
    """The only door to operator keys. Each act of a person authorises its actor itself."""

    accounts: Accounts
    store: OperatorKeyStore
    clock: Clock
    ids: Ids
    audit: Audit

    def create(self, actor: Actor, name: str) -> tuple[OperatorKey, str]:
        """A key that acts as the actor, with its token: shown now and never again.

        Raises:
            NotAuthorised: the actor is signed out, or came with a key themself.
            BadInput: there is no name, it is too long, or there are too many keys.
        """
        person = self.accounts.authorise(actor)
        if names_a_key(actor.session_id):
            msg = "A key makes no further key. Sign in with your password for this."
            raise NotAuthorised(msg)
        said = " ".join(name.split())
        if not said or len(said) > LONGEST_NAME or not said.isprintable():
            msg = f"Say what the key is for, in 1 to {LONGEST_NAME} characters."
            raise BadInput(msg)
        if len(self.store.of_person(person.user_id)) >= MOST:
            msg = f"There are {MOST} keys already; revoke one that is not used any more."
            raise BadInput(msg)
        token = MARK + new_token()
        key = OperatorKey(
            key_id=self.ids.new(),
            prefix=token[:SHOWN],
            tenant=person.tenant,
            user_id=person.user_id,
            name=said,
            created_at=self.clock.now(),
        )
        self._record(actor, "created", key)
        self.store.add(key, token_hash(token))
        return key, token

    def list(self, actor: Actor) -> Sequence[OperatorKey]:
        """The actor's own keys in use, newest first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        return self.store.of_person(self.accounts.authorise(actor).user_id)

    def of_tenant(self, actor: Actor) -> Sequence[OperatorKey]:
        """Every key in use of the actor's tenant, newest first.

        Raises:
            NotAuthorised: the actor is no admin.
        """
        return self.store.of_tenant(self.accounts.authorise(actor, Role.ADMIN).tenant)

    def revoke(self, actor: Actor, key_id: str) -> None:
        """End a key at once: one's own, or as an admin any of the tenant. One that was ended before stays so.

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: no such key of the actor's, or of the admin's tenant.
        """
        person = self.accounts.authorise(actor)
        key = self.store.by_id(key_id)
        if key is None or not _may_end(person, key):
            msg = "There is no such key."
            raise NotFound(msg)
        if key.revoked_at is None:
            self._record(actor, "revoked", key)
            self.store.revoke(key_id, self.clock.now())

    def resolve(self, token: str) -> Actor | None:
        """Who acts with a token; None if it is unknown or revoked, or its person's account is closed or gone.

        Raises:
            StoreUnavailable: nobody can tell at the moment; let nothing through.
        """
        if not token.startswith(MARK):
            return None
        found = self.store.by_token(token_hash(token))
        if found is None or found[1].disabled or found[0].tenant != found[1].tenant:
            return None
        key, person = found
        now = self.clock.now()
        if key.last_used_at is None or now - key.last_used_at >= TOUCH_EVERY:
            self.store.touch(key.key_id, now)
        return Actor(
            user_id=person.user_id,
            username=person.username,
            tenant=person.tenant,
            role=person.role,
            session_id=key_session(key.key_id),
        )

    def _record(self, actor: Actor, verb: str, key: OperatorKey) -> None:
        """Audit first, then change; the token, what it begins with and the key's name stay out of the chain."""
        self.audit(
            actor=actor.user_id,
            action=f"operator_key:{verb}",
            tenant=key.tenant,
            owner=key.user_id,
            about={"key_id": key.key_id},
        )


def _may_end(person: Person, key: OperatorKey) -> bool:
    ruled = key.tenant == person.tenant and person.role is Role.ADMIN
    return key.user_id == person.user_id or ruled


__all__ = ["MARK", "OperatorKeys"]
