"""Streamable HTTP at one address: who calls is settled before a word of the body is read.

Without sessions: each request carries its key and is answered by itself. So a key that is revoked ends at once, no
session can be taken over, a restart is not noticed, and an idle client holds nothing.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from core.entrypoints.http.place import Place
from core.entrypoints.http.problems import RETRY_SECONDS, of_error
from core.entrypoints.mcp import words
from core.entrypoints.mcp.face import AT_ONCE, Face
from core.errors import ChronoMemoryError
from core.ports import AgentIdentity

log = logging.getLogger("chronomemory.mcp")

_CALLER = "chronomemory.agent"  # where an identity waits in the request's scope
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class Door:
    """An ASGI application for one address; `running` must be open while it serves."""

    def __init__(self, place: Place, *, hosts: tuple[str, ...] | None = None) -> None:
        """Serve what is at `place`.

        Args:
            place: the layer and the limits.
            hosts: names that it goes by, checked against DNS rebinding; None: somebody before it has checked.
        """
        self._place = place
        self._security = _security(hosts, place.settings.chronomemory_public_url)
        self._threads = anyio.CapacityLimiter(AT_ONCE)
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open until the server stops."""
        manager = StreamableHTTPSessionManager(
            Face(self._place, _identified).server(),
            json_response=True,
            stateless=True,
            security_settings=self._security,
            max_request_body_size=self._place.settings.api_max_body_bytes,
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        settled = await self._settle(Request(scope))
        if isinstance(settled, Response):
            await settled(scope, receive, send)
        elif self._manager is None:
            headers = {"retry-after": str(RETRY_SECONDS)}
            answer = _answer(HTTPStatus.SERVICE_UNAVAILABLE, "The server is stopping.", headers=headers)
            await answer(scope, receive, send)
        else:
            await self._manager.handle_request({**scope, _CALLER: settled}, receive, send)

    async def _settle(self, request: Request) -> AgentIdentity | Response:
        """Who calls, or what they are answered instead."""
        if request.method != "POST":  # there is no session to listen to or to end
            return _answer(HTTPStatus.METHOD_NOT_ALLOWED, "Send a message with POST.", headers={"allow": "POST"})
        if not _from_here(request, self._place.settings.chronomemory_public_url):
            return _answer(HTTPStatus.FORBIDDEN, "This request came from a page of another site.")
        try:
            who = await anyio.to_thread.run_sync(self._admit, _token(request), limiter=self._threads)
        except ChronoMemoryError as error:
            return _of_error(error)
        except Exception:  # the outermost edge: a trace goes to the log
            log.exception("a key met a fault")
            return _answer(HTTPStatus.INTERNAL_SERVER_ERROR, words.FAULT)
        return who or _answer(HTTPStatus.UNAUTHORIZED, words.NO_KEY, headers={"www-authenticate": "Bearer"})

    def _admit(self, token: str) -> AgentIdentity | None:
        """Who is behind a token, counted against the key's rate; None: nobody.

        Raises:
            TooManyRequests: the key asked too often.
            StoreUnavailable: nobody can tell right now; nothing passes.
        """
        keys, settings = self._place.layer().keys, self._place.settings
        found = keys.resolve(token)
        if found is not None:
            keys.admit(f"key:{found.key_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
        return found


def own_names(address: str, public_url: str) -> tuple[str, ...]:
    """The names that a server goes by which is bound to `address`: loopback's, that one, and the public one's."""
    public = urlsplit(public_url).hostname or ""
    bound = f"[{address}]" if ":" in address else address
    return tuple(dict.fromkeys(one for one in (*_LOOPBACK, bound, public) if one))


def _identified(request: Any) -> AgentIdentity:
    return cast("AgentIdentity", request.scope[_CALLER])


def _security(hosts: tuple[str, ...] | None, public_url: str) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(
        allowed_hosts=[*hosts, *(f"{one}:*" for one in hosts)],
        allowed_origins=[*origins, *(f"{one}:*" for one in origins), public_url.rstrip("/")],
    )


def _from_here(request: Request, public_url: str) -> bool:
    """Whether a page of this address sent it, or a program, which names no page."""
    origin = request.headers.get("origin")
    if origin is None:
        return True
    try:
        page = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(page) and page in {request.headers.get("host", ""), urlsplit(public_url).netloc}


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _of_error(error: ChronoMemoryError) -> JSONResponse:
    problem = of_error(error)
    wait = problem.headers.get("retry-after")
    return _answer(HTTPStatus(problem.status_code), str(error), headers={"retry-after": wait} if wait else {})


def _answer(status: HTTPStatus, message: str, *, headers: dict[str, str] | None = None) -> JSONResponse:
    """A refusal in the protocol's words: a client shows its message."""
    code = types.INVALID_REQUEST if status < HTTPStatus.INTERNAL_SERVER_ERROR else types.INTERNAL_ERROR
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return JSONResponse(body, status_code=status, headers=headers)


__all__ = ["Door", "own_names"]
