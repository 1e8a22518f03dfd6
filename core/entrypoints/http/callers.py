"""Who calls: an agent by its key, a person by a session or a key of theirs.

Resolved anew at each request, and counted against the caller's rate in the database.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from core.entrypoints.http.place import place_of
from core.entrypoints.http.problems import Unauthenticated
from core.keys import MARK as AGENT_MARK
from core.layer import MemoryLayer
from core.model import Actor
from core.operatorkeys import MARK as OPERATOR_MARK
from core.ports import AgentIdentity

_agent_key = HTTPBearer(scheme_name="agent key", description="Made on the Account page: cmk_…", auto_error=False)
_operator = HTTPBearer(
    scheme_name="operator",
    description="An operator key (Account page: cmo_…), or the token of POST /v1/sessions.",
    auto_error=False,
)


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


def operator_of(request: Request, sent: Annotated[HTTPAuthorizationCredentials | None, Depends(_operator)]) -> Actor:
    """The person behind the request's session or operator key, with the role that the database gives them now.

    Raises:
        Unauthenticated: neither, or none in use; an agent's key is neither.
        TooManyRequests: the person's programs asked too often.
        StoreUnavailable: nobody can tell right now; nothing passes.
    """
    place = place_of(request)
    layer = place.layer()
    found = person_of(layer, sent.credentials) if sent is not None else None
    if found is None:
        raise Unauthenticated
    settings = place.settings
    layer.keys.admit(f"person:{found.user_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
    return found


def person_of(layer: MemoryLayer, token: str) -> Actor | None:
    """Who is behind an operator's bearer token: a key if it looks like one, else a session."""
    if token.startswith(OPERATOR_MARK):
        return layer.operator_keys.resolve(token)
    return None if token.startswith(AGENT_MARK) else layer.accounts.resolve(token)


Operator = Annotated[Actor, Depends(operator_of)]
Agent = Annotated[AgentIdentity, Depends(agent_of)]
