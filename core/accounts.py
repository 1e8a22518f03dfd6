"""Accounts: the first admin, invitations, roles, disabling. Sessions are below, in `core.sessions`.

Every mutation re-reads the database and authorises inside (console.md §1.2), audits, and then changes.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import datetime

from core.credentials import (
    check_password_rule,
    clean_display_name,
    clean_username,
    hash_password,
    new_token,
    token_hash,
)
from core.errors import BadInput, NotAuthorised, NotFound
from core.model import Actor, Person, Role, sha256_text
from core.ports import Invitation
from core.sessions import DEFAULT_TENANT, NOBODY, Sessions


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """An invitation that waits to be used, named as the audit names it."""

    invitation_id: str
    role: Role
    username: str  # "" if the invited person chooses
    created_by: str
    expires_at: datetime


def invitation_id(hashed: str) -> str:
    """How the audit and the People page name an invitation: a digest of the digest that is stored."""
    return sha256_text(hashed)[:16]


class Accounts(Sessions):
    """The only door to people and sessions."""

    _setup_hash = ""  # sha256 of the one-time set-up token: in memory only, so a restart makes a new one

    # --- first start --------------------------------------------------------------------------------------------

    def needs_setup(self) -> bool:
        """Whether no account exists yet."""
        return self._people.count() == 0

    def setup_token(self) -> str | None:
        """A fresh one-time token for the first admin, or None once an account exists. Ends the token given before."""
        with self._lock:
            if not self.needs_setup():
                self._setup_hash = ""
                return None
            token = new_token()
            self._setup_hash = token_hash(token)
            return token

    def setup_token_valid(self, token: str) -> bool:
        """Whether `create_first_admin` would take this token now."""
        known = self._setup_hash
        return bool(known) and hmac.compare_digest(known, token_hash(token)) and self.needs_setup()

    def create_first_admin(self, token: str, username: str, display_name: str, password: str) -> Person:
        """Make the first account, an admin, and use the token up.

        Raises:
            NotAuthorised: the token is wrong or used, or an account exists already.
            BadInput: a name or the password breaks its rule; the token stays valid.
        """
        with self._lock:
            if not self.setup_token_valid(token):
                msg = "This set-up link is not valid any more. The log shows the current one if no account exists."
                raise NotAuthorised(msg)
            person = self._add(username, display_name, password, tenant=DEFAULT_TENANT, role=Role.ADMIN, by=NOBODY)
            self._setup_hash = ""
            return person

    def ensure_admin(self, username: str, password: str) -> bool:
        """Make the admin named by the settings if no account exists; returns whether it did. Never resets a password.

        Raises:
            BadInput: a setting breaks its rule.
        """
        with self._lock:
            if not self.needs_setup():
                return False
            self._add(username, "", password, tenant=DEFAULT_TENANT, role=Role.ADMIN, by="settings")
            return True

    # --- people -------------------------------------------------------------------------------------------------

    def names(self, tenant: str) -> dict[str, str]:
        """User names by id: for showing who did something, to a caller that has authorised the look."""
        return {person.user_id: person.username for person in self._people.all(tenant)}

    def name_of(self, user_id: str) -> str | None:
        """One user name; None for ids that are no person's."""
        person = self._people.by_id(user_id)
        return person.username if person else None

    def reviewers(self, tenant: str) -> list[Person]:
        """The tenant's enabled reviewers and admins by user name, to a caller that has authorised the look."""
        return [one for one in self._people.all(tenant) if one.role in (Role.REVIEWER, Role.ADMIN) and not one.disabled]

    def is_open(self, tenant: str, user_id: str) -> bool:
        """Whether such an account exists and is not disabled: an agent key lives no longer than that."""
        person = self._people.by_id(user_id)
        return person is not None and person.tenant == tenant and not person.disabled

    def open_account(self, username: str) -> Person | None:
        """The account of a user name unless it is disabled, to code that the settings point at it."""
        found = self._people.by_username(username.strip().lower())
        return None if found is None or found[0].disabled else found[0]

    def people(self, actor: Actor) -> list[Person]:
        """Every account of the actor's tenant, by user name.

        Raises:
            NotAuthorised: the actor is no admin.
        """
        return self._people.all(self.authorise(actor, Role.ADMIN).tenant)

    def invite(self, actor: Actor, role: Role, username: str = "") -> str:
        """A one-time token that makes an account of this role (and user name, if given).

        Raises:
            NotAuthorised: the actor is no admin.
            BadInput: the user name breaks the rule or is taken.
        """
        person = self.authorise(actor, Role.ADMIN)
        name = clean_username(username) if username.strip() else ""
        self._refuse_taken(name)
        token = new_token()
        hashed = token_hash(token)
        self._record_actor(actor, "invited", role=role.value, invitation=invitation_id(hashed))
        self._people.add_invitation(
            Invitation(
                token_hash=hashed,
                tenant=person.tenant,
                role=role,
                expires_at=self._clock.now() + self._limits.invitation,
                created_by=person.user_id,
                username=name,
            )
        )
        return token

    def invitations(self, actor: Actor) -> list[Pending]:
        """Invitations of the actor's tenant that nobody has used yet and that have not expired, the newest first.

        Raises:
            NotAuthorised: the actor is no admin.
        """
        tenant = self.authorise(actor, Role.ADMIN).tenant
        return [
            Pending(
                invitation_id=invitation_id(one.token_hash),
                role=one.role,
                username=one.username,
                created_by=one.created_by,
                expires_at=one.expires_at,
            )
            for one in self._people.invitations(tenant, now=self._clock.now())
        ]

    def revoke_invitation(self, actor: Actor, pending_id: str) -> None:
        """Make an invitation's link useless.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such invitation waits in the actor's tenant; it may have been used meanwhile.
        """
        tenant = self.authorise(actor, Role.ADMIN).tenant
        waiting = self._people.invitations(tenant, now=self._clock.now())
        found = next((one for one in waiting if invitation_id(one.token_hash) == pending_id), None)
        if found is None:
            msg = "There is no such invitation; it may have been used already."
            raise NotFound(msg)
        self._record_actor(actor, "invitation_revoked", invitation=pending_id)
        self._people.remove_invitation(found.token_hash)

    def invitation(self, token: str) -> Invitation | None:
        """The invitation of a token, left unused: what the invitation page shows."""
        return self._people.take_invitation(token_hash(token), now=self._clock.now(), consume=False) if token else None

    def accept_invitation(self, token: str, username: str, display_name: str, password: str) -> Person:
        """Make the invited account and use the invitation up.

        Raises:
            NotAuthorised: the link is used, expired or unknown, or its maker is no admin any more.
            BadInput: a name or the password breaks its rule, or the name is taken; the link stays valid.
        """
        with self._lock:
            offered = self.invitation(token)
            maker = self._people.by_id(offered.created_by) if offered else None
            if offered is None or maker is None or maker.disabled or maker.role is not Role.ADMIN:
                msg = "This invitation is not valid any more. Ask an admin for a new one."
                raise NotAuthorised(msg)
            name = clean_username(offered.username or username)
            clean_display_name(display_name, name)
            check_password_rule(password, name)
            self._refuse_taken(name)
            if self._people.take_invitation(token_hash(token), now=self._clock.now(), consume=True) is None:
                msg = "This invitation has just been used."
                raise NotAuthorised(msg)
            return self._add(
                name, display_name, password, tenant=offered.tenant, role=offered.role, by=offered.created_by
            )

    def set_role(self, actor: Actor, user_id: str, role: Role) -> None:
        """Give a person another role; it holds from their next act on.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such person in the actor's tenant.
            BadInput: this would leave the tenant without an enabled admin.
        """
        with self._lock:
            person = self._other(actor, user_id)
            if person.role is role:
                return
            self._keep_an_admin(person)
            self._record_actor(
                actor, "role_changed", user_id=person.user_id, before=person.role.value, after=role.value
            )
            self._people.update(person.user_id, role=role)

    def disable(self, actor: Actor, user_id: str) -> None:
        """Close an account and end its sessions.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such person in the actor's tenant.
            BadInput: this would leave the tenant without an enabled admin.
        """
        with self._lock:
            person = self._other(actor, user_id)
            self._keep_an_admin(person)
            self._record_actor(actor, "disabled", user_id=person.user_id)
            self._people.update(person.user_id, disabled=True)
            self._people.end_sessions(person.user_id)

    def enable(self, actor: Actor, user_id: str) -> None:
        """Open a closed account again.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such person in the actor's tenant.
        """
        person = self._other(actor, user_id)
        self._record_actor(actor, "enabled", user_id=person.user_id)
        self._people.update(person.user_id, disabled=False)

    def end_sessions(self, actor: Actor, user_id: str) -> int:
        """End every session of a person (an admin's act); returns how many.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such person in the actor's tenant.
        """
        person = self._other(actor, user_id)
        self._record_actor(actor, "sessions_ended", user_id=person.user_id)
        return self._people.end_sessions(person.user_id)

    def shut_out(self, tenant: str, user_id: str) -> None:
        """Close an account that is being erased, and end its sessions: its owner adds nothing meanwhile.

        The erasure has authorised and audited the act; an account that is gone already is fine.
        """
        person = self._people.by_id(user_id)
        if person is not None and person.tenant == tenant:
            self._people.update(user_id, disabled=True)
            self._people.end_sessions(user_id)

    def refuse_last_admin(self, actor: Actor, user_id: str) -> None:
        """Refuse an act that would leave the tenant without an enabled admin.

        Raises:
            NotFound: no such person in the actor's tenant.
            BadInput: they are the last one.
        """
        person = self._people.by_id(user_id)
        if person is None or person.tenant != actor.tenant:
            msg = "There is no such person."
            raise NotFound(msg)
        self._keep_an_admin(person)

    # --- inner parts --------------------------------------------------------------------------------------------

    def _add(self, username: str, display_name: str, password: str, *, tenant: str, role: Role, by: str) -> Person:
        name = clean_username(username)
        shown = clean_display_name(display_name, name)
        check_password_rule(password, name)
        self._refuse_taken(name)
        person = Person(
            user_id=self._ids.new(),
            username=name,
            display_name=shown,
            tenant=tenant,
            role=role,
            created_at=self._clock.now(),
        )
        self._record(by, "created", person, user_id=person.user_id, role=role.value)
        self._people.add(person, hash_password(password, rounds=self._limits.bcrypt_rounds))
        return person

    def _refuse_taken(self, name: str) -> None:
        if name and self._people.by_username(name) is not None:
            msg = f"The user name {name} is taken. Choose another."
            raise BadInput(msg)

    def _other(self, actor: Actor, user_id: str) -> Person:
        """The person an admin acts on."""
        admin = self.authorise(actor, Role.ADMIN)
        person = self._people.by_id(user_id)
        if person is None or person.tenant != admin.tenant:
            msg = "There is no such person."
            raise NotFound(msg)
        return person

    def _keep_an_admin(self, person: Person) -> None:
        admins = [one for one in self._people.all(person.tenant) if one.role is Role.ADMIN and not one.disabled]
        if [one.user_id for one in admins] == [person.user_id]:
            msg = "This is the last enabled admin. Make another person an admin first."
            raise BadInput(msg)
