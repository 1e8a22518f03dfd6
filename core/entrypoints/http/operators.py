"""The operator face: sessions and keys of people. What they then may do is decided by the desks, at every act."""

from __future__ import annotations

from typing import Annotated

import anyio
from fastapi import APIRouter, Depends, Path, Request, Response

from core.addresses import client_address
from core.agents import NAME_CHARS
from core.entrypoints.http import operatorwire as wire
from core.entrypoints.http.callers import Operator
from core.entrypoints.http.place import layer_of, place_of
from core.entrypoints.http.problems import COMMON, Unauthenticated
from core.errors import NotAuthorised
from core.layer import MemoryLayer
from core.sessions import names_a_key

router = APIRouter(prefix="/v1", tags=["operators: who"], responses=COMMON)

Layer = Annotated[MemoryLayer, Depends(layer_of)]
Id = Annotated[str, Path(min_length=1, max_length=NAME_CHARS)]

PASSWORDS_AT_ONCE = 2  # bcrypt takes a core for a quarter of a second: a flood must not starve the rest


@router.post("/sessions", status_code=201, tags=["Public"], summary="Sign in")
async def sign_in(request: Request, layer: Layer, body: wire.SignInIn) -> wire.SessionOut:
    """Begin a session as the console does, with the same limits; the token goes into `Authorization: Bearer …`."""
    address = client_address(request.scope, place_of(request).settings.own_proxies)
    agent = request.headers.get("user-agent", "")

    def begin() -> wire.SessionOut:
        try:
            _, token = layer.accounts.sign_in(body.username, body.password, address, agent)
        except NotAuthorised as refused:
            raise Unauthenticated(str(refused)) from refused
        actor = layer.accounts.resolve(token)
        if actor is None:  # disabled in this very moment
            raise Unauthenticated
        return wire.SessionOut(token=token, username=actor.username, role=actor.role)

    return await anyio.to_thread.run_sync(begin, limiter=_lane(request))


def _lane(request: Request) -> anyio.CapacityLimiter:
    """How many passwords are compared at once; belongs to the event loop that it was made in."""
    state = request.app.state
    if not hasattr(state, "passwords"):
        state.passwords = anyio.CapacityLimiter(PASSWORDS_AT_ONCE)
    lane: anyio.CapacityLimiter = state.passwords
    return lane


@router.get("/sessions/current", summary="Who is behind this request")
def current(who: Operator) -> wire.CallerOut:
    """The caller, with the role that the database gives them now."""
    return wire.CallerOut.of(who, by_key=names_a_key(who.session_id))


@router.delete("/sessions/current", status_code=204, summary="Sign out")
def sign_out(layer: Layer, who: Operator) -> Response:
    """End this session. A key is not signed out, it is revoked: 403."""
    layer.accounts.sign_out(who)
    return Response(status_code=204)


@router.get("/operator-keys", summary="The caller's own operator keys")
def keys(layer: Layer, who: Operator) -> wire.KeysOut:
    """Keys in use, newest first."""
    return wire.KeysOut(keys=[wire.KeyOut.of(one) for one in layer.operator_keys.list(who)])


@router.post("/operator-keys", status_code=201, summary="Make an operator key")
def make_key(layer: Layer, who: Operator, body: wire.KeyIn) -> wire.MadeKeyOut:
    """A key that acts as the caller, with the role they have at each act. A key makes no further key: 403."""
    key, token = layer.operator_keys.create(who, body.name)
    return wire.MadeKeyOut(token=token, key=wire.KeyOut.of(key))


@router.delete("/operator-keys/{key_id}", status_code=204, summary="Revoke an operator key")
def revoke_key(layer: Layer, who: Operator, key_id: Id) -> Response:
    """End one's own key at once, or as an admin any of the tenant."""
    layer.operator_keys.revoke(who, key_id)
    return Response(status_code=204)
