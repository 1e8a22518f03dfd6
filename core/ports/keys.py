"""Keys of agents: what an agent's route is opened with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from core.model import Scope, SourceKind


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKey:
    """One key. Only the sha256 of its token is stored."""

    key_id: str
    prefix: str  # the token's first characters, to tell keys apart
    tenant: str
    owner: str  # whose memory it opens
    agent: str  # under which agent's name
    created_at: datetime
    channel: SourceKind  # what its texts count as at most (rules §1.1, §1.2)
    space: str  # whose memory it is within the owner's: the agent's own, or "console" for the one that they chat with
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentIdentity:
    """Who is behind a key: a scope to submit to and recall from. No person: there is no session and no role in it."""

    key_id: str
    agent: str  # under which name it acts
    scope: Scope  # `scope.agent` is the key's space
    channel: SourceKind


class AgentKeyStore(Protocol):
    """Keys, kept in the store. Called by `core.keys` only, which authorises."""

    def add(self, key: AgentKey, token_hash: str) -> None:
        """Insert a key."""

    def by_token(self, token_hash: str) -> AgentKey | None:
        """The key of a token, revoked ones left out."""

    def by_id(self, key_id: str) -> AgentKey | None:
        """One key, revoked ones included."""

    def of_owner(self, tenant: str, owner: str) -> list[AgentKey]:
        """A person's keys in use, newest first."""

    def of_tenant(self, tenant: str) -> list[AgentKey]:
        """A tenant's keys in use, newest first."""

    def touch(self, key_id: str, at: datetime) -> None:
        """Record use; never backwards."""

    def revoke(self, key_id: str, at: datetime) -> bool:
        """End a key for good; False if it was ended before."""

    def take(self, bucket: str, at: datetime, *, per_minute: int, burst: int) -> timedelta | None:
        """One request out of a bucket that refills evenly, `burst` at most at once; how long to wait if it is empty."""

    def forget_requests(self, before: datetime) -> int:
        """Remove buckets that have been full since `before`; how many."""
