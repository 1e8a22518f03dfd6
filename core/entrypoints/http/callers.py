"""Who calls: an agent by its key. Resolved anew at each request, and counted against the key's rate in the database."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from core.entrypoints.http.place import place_of
from core.entrypoints.http.problems import Unauthenticated
from core.ports import AgentIdentity

_agent_key = HTTPBearer(scheme_name="agent key", description="Made on the Account page: cmk_…", auto_error=False)


def agent_of(
    request: Request, sent: Annotated[HTTPAuthorizationCredentials | None, Depends(_agent_key)]
) -> AgentIdentity:
    """The agent behind the request's key.

    Raises:
        Unauthenticated: no key, or none in use.
        TooManyRequests: the key asked too often.
        StoreUnavailable: nobody can tell right now; nothing passes.
    """
    place = place_of(request)
    keys = place.layer().keys
    found = keys.resolve(sent.credentials) if sent is not None else None
    if found is None:
        raise Unauthenticated
    settings = place.settings
    keys.admit(f"key:{found.key_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
    return found


Agent = Annotated[AgentIdentity, Depends(agent_of)]
