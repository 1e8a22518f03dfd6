"""Agent keys: made by a person for one agent of theirs, shown once, ended at any time.

A key opens `core.agents` in one scope and nothing else: no other desk takes an `AgentIdentity`, and every one asks for
a person's session, which a key is none of. So no key promotes or reveals, and none forgets what another said (§1.11).
What its texts count as is decided when it is made, by its owner, and never by what is sent with it (rules §1.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.accounts import Accounts
from core.credentials import new_token, token_hash
from core.errors import BadInput, NotFound, TooManyRequests
from core.model import CONSOLE, Actor, Role, Scope, SourceKind
from core.ports import AgentIdentity, AgentKey, AgentKeyStore, Clock, Ids
from core.sessions import Audit

MARK = "cmk_"  # begins every token, so that one that leaked is recognised
SHOWN = len(MARK) + 6  # characters of a token that are kept to tell keys apart
MOST = 20  # keys of one person in use
LOOK_EVERY = timedelta(hours=1)  # for buckets that nobody needs any more
KEPT = timedelta(hours=1)  # how long a full bucket stays: its row then says no more than its absence
TOUCH_EVERY = timedelta(minutes=1)
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKeys:
    """The only door to agent keys. Each act of a person authorises its actor itself."""

    accounts: Accounts
    store: AgentKeyStore
    clock: Clock
    ids: Ids
    audit: Audit

    def create(
        self,
        actor: Actor,
        name: str,
        *,
        channel: SourceKind = SourceKind.AGENT_TURN,
        shared: bool = False,
    ) -> tuple[AgentKey, str]:
        """A key to the actor's own memory under an agent's name, with its token: shown now and never again.

        Args:
            actor: whose memory it opens.
            name: the agent's; of a tool's key, the name under which the policy registers the tool (rules §1.6).
            channel: what its texts count as: an agent's own words, or those of the person who uses the app, a tool's, …
            shared: it opens the memory that the console chats with, instead of one of its own.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput: the name breaks the rule, or there are too many keys.
        """
        person = self.accounts.authorise(actor)
        agent = name.strip().lower()
        if not _NAME.fullmatch(agent):
            msg = "An agent's name has 1 to 40 characters: a to z, 0 to 9, dot, hyphen or underscore."
            raise BadInput(msg)
        if agent == CONSOLE:
            msg = "An agent is not called console: give it a name of its own, and let it share the console's memory."
            raise BadInput(msg)
        if len(self.store.of_owner(person.tenant, person.user_id)) >= MOST:
            msg = f"There are {MOST} keys already; revoke one that is not used any more."
            raise BadInput(msg)
        token = MARK + new_token()
        key = AgentKey(
            key_id=self.ids.new(),
            prefix=token[:SHOWN],
            tenant=person.tenant,
            owner=person.user_id,
            agent=agent,
            created_at=self.clock.now(),
            channel=channel,
            space=CONSOLE if shared else agent,
        )
        self._record(actor, "created", key)
        self.store.add(key, token_hash(token))
        return key, token

    def list(self, actor: Actor) -> Sequence[AgentKey]:
        """The actor's own keys in use, newest first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        person = self.accounts.authorise(actor)
        return self.store.of_owner(person.tenant, person.user_id)

    def of_tenant(self, actor: Actor) -> Sequence[AgentKey]:
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
        mine = key is not None and key.tenant == person.tenant and key.owner == person.user_id
        ruled = key is not None and key.tenant == person.tenant and person.role is Role.ADMIN
        if key is None or not (mine or ruled):
            msg = "There is no such key."
            raise NotFound(msg)
        if key.revoked_at is None:
            self._record(actor, "revoked", key)
            self.store.revoke(key_id, self.clock.now())

    def resolve(self, token: str) -> AgentIdentity | None:
        """Who is behind a token; None if it is unknown or revoked, or its owner's account is closed or gone.

        Raises:
            StoreUnavailable: nobody can tell at the moment; let nothing through.
        """
        if not token.startswith(MARK):
            return None
        key = self.store.by_token(token_hash(token))
        if key is None or not self.accounts.is_open(key.tenant, key.owner):
            return None
        now = self.clock.now()
        if key.last_used_at is None or now - key.last_used_at >= TOUCH_EVERY:
            self.store.touch(key.key_id, now)
        return AgentIdentity(
            key_id=key.key_id,
            agent=key.agent,
            scope=Scope(tenant=key.tenant, owner=key.owner, agent=key.space),
            channel=key.channel,
        )

    def admit(self, bucket: str, *, per_minute: int, burst: int) -> None:
        """Count one request of a key or address.

        Raises:
            TooManyRequests: there were too many in the last minute; it says when to come back.
            StoreUnavailable: nobody can tell at the moment.
        """
        now = self.clock.now()
        wait = self.store.take(bucket, now, per_minute=per_minute, burst=burst)
        if wait is not None:
            msg = f"Too many requests: {per_minute} a minute are answered. Try again in {wait.total_seconds():.1f} s."
            raise TooManyRequests(msg, retry_at=now + wait)

    def _record(self, actor: Actor, verb: str, key: AgentKey) -> None:
        """Audit first, then change; the token and what it begins with stay out of the chain."""
        self.audit(
            actor=actor.user_id,
            action=f"key:{verb}",
            tenant=key.tenant,
            owner=key.owner,
            about={"key_id": key.key_id, "agent": key.agent, "channel": key.channel.value, "space": key.space},
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestCounts:
    """A chore: buckets of keys and addresses that have been full for long are removed, so that strangers leave nothing.

    Without it every address that ever asked would keep a row.
    """

    store: AgentKeyStore
    clock: Clock
    _looked: dict[str, datetime] = field(default_factory=dict)  # under "at"

    def run_once(self) -> bool:
        """Remove them, once in LOOK_EVERY; False if there was nothing to do.

        Raises:
            StoreUnavailable: the next look removes them.
        """
        now = self.clock.now()
        last = self._looked.get("at")
        if last is not None and now - last < LOOK_EVERY:
            return False
        self._looked["at"] = now
        return self.store.forget_requests(now - KEPT) > 0


__all__ = ["AgentKeys", "RequestCounts"]
