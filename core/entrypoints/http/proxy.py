"""An OpenAI-compatible address with memory: recall before the model is asked, what was said put in (docs/clients.md).

The app's messages go on untouched; what is remembered is added behind its instructions. What the person and the tools
said is stored before the model is asked, so that it is never lost; the answer after it, with all that it was made from,
and never distilled (ADR 3). Held words reach no prompt: what is added comes from `core.agents`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from core import errors
from core.entrypoints.http.completions import answer_of, read_ask
from core.entrypoints.http.known import KnownKeys
from core.entrypoints.http.limits import BodyLimit
from core.entrypoints.http.place import Place
from core.entrypoints.http.problems import STATUS, Unauthenticated, of_error
from core.entrypoints.http.relay import Relay
from core.entrypoints.http.remembering import Remembering, Turn
from core.entrypoints.http.upstream import Upstream

log = logging.getLogger("chronomemory.http")

WHEN_DOWN = "x-chronomemory-when-down"
CONVERSATION = "x-chronomemory-conversation"
MEMORY = "x-chronomemory-memory"  # of an answer: "ok", "not-stored", "down"
USED = "x-chronomemory-used"  # of an answer: how many memories were put before the model
_OPERATORS = frozenset({401, 403, 407})  # of the model's server: about the operator's key, not the caller's
_EVENTS = "text/event-stream"


def make_proxy(place: Place) -> Starlette:
    """The application for one installation; to be mounted at /v1."""
    proxy = _Proxy(place)
    routes = [
        Route("/chat/completions", proxy.chat, methods=["POST"]),
        Route("/models", proxy.models, methods=["GET"]),
    ]
    app = Starlette(
        routes=routes if place.settings.chronomemory_proxy else [],
        middleware=[Middleware(_limited, limit=place.settings.api_max_body_bytes)],
    )

    async def own(_request: Request, error: Exception) -> Response:
        return _of_own(error) if isinstance(error, errors.ChronoMemoryError) else _fault(error)

    async def stranger(_request: Request, _error: Exception) -> Response:
        detail = "Send an agent's key that is in use as the api_key."
        return _refusal(401, "Unauthenticated", detail, headers={"www-authenticate": "Bearer"})

    async def plain(_request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return _refusal(status, "NotFound", "Served here are /v1/chat/completions (POST) and /v1/models (GET).")

    app.add_exception_handler(errors.ChronoMemoryError, own)
    app.add_exception_handler(Unauthenticated, stranger)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, own)
    return app


def _limited(app: ASGIApp, *, limit: int) -> ASGIApp:
    return BodyLimit(app, limit=limit)


class _Proxy:
    """The two routes."""

    def __init__(self, place: Place) -> None:
        self._settings = place.settings
        self._memory = Remembering(place=place, known=KnownKeys())

    async def chat(self, request: Request) -> Response:
        """One chat request, with memory."""
        ask = read_ask(await request.body())
        upstream = Upstream(self._settings)  # before anything is stored: without a model there is nothing to ask
        try:
            turn = await anyio.to_thread.run_sync(
                partial(
                    self._memory.before,
                    _token(request),
                    ask,
                    conversation=request.headers.get(CONVERSATION, "") or ask.user,
                    may_pass=self._may_pass(request),
                )
            )
            await upstream.ask(ask.to_model(turn.remembered, self._settings.agent_model))
            if ask.stream and upstream.status == HTTPStatus.OK and upstream.media_type.startswith(_EVENTS):
                return Relay(upstream, partial(self._memory.after, turn), headers=_headers(turn))
            data = await upstream.whole()
        except BaseException:
            await _shielded(upstream.close)
            raise
        await _shielded(upstream.close)
        return await self._whole(turn, upstream, data)

    async def _whole(self, turn: Turn, upstream: Upstream, data: bytes) -> Response:
        if upstream.status != HTTPStatus.OK:
            return _of_model(upstream, data, headers=_headers(turn))
        answer = answer_of(data)
        if answer is None:
            msg = "What the model's server answered is no chat completion."
            raise errors.ModelReplyUnusable(msg)
        stored = await anyio.to_thread.run_sync(self._memory.after, turn, answer)
        headers = _headers(turn)
        if turn.state == "ok" and not stored:
            headers[MEMORY] = "not-stored"
        return Response(data, media_type=upstream.media_type, headers=headers)

    async def models(self, request: Request) -> Response:
        """The model server's own list, to who has a key."""
        may_pass = self._may_pass(request)
        await anyio.to_thread.run_sync(partial(self._memory.caller, _token(request), may_pass=may_pass))
        upstream = Upstream(self._settings)
        try:
            await upstream.models()
            data = await upstream.whole()
        finally:
            await _shielded(upstream.close)
        if upstream.status != HTTPStatus.OK:
            return _of_model(upstream, data, headers={})
        return Response(data, media_type=upstream.media_type)

    def _may_pass(self, request: Request) -> bool:
        told = request.headers.get(WHEN_DOWN, self._settings.chronomemory_proxy_when_down)
        return told.strip().lower() == "pass"


async def _shielded(act: Callable[[], Awaitable[None]]) -> None:
    """Done also when the caller has gone."""
    with anyio.CancelScope(shield=True):
        await act()


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated
    return token.strip()


def _headers(turn: Turn) -> dict[str, str]:
    return {MEMORY: turn.state, USED: str(len(turn.used))}


# --- errors, as an OpenAI client reads them and as problem+json at once -------------------------------------------


def _of_own(error: errors.ChronoMemoryError) -> Response:
    problem = of_error(error)
    told = json.loads(bytes(problem.body))
    headers = {name: problem.headers[name] for name in ("retry-after",) if name in problem.headers}
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    if isinstance(error, errors.ModelUnavailable):
        status = HTTPStatus.BAD_GATEWAY  # the memory works, the model does not
    if isinstance(error, errors.Unavailable) and status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers[MEMORY] = "down"
    return _refusal(status, told["type"], told["detail"], retry=told["retry"], headers=headers)


def _fault(error: Exception) -> Response:
    log.error("the proxy met a fault", exc_info=error)
    return _refusal(500, "Fault", "This is our fault; the log says more.")


def _of_model(upstream: Upstream, data: bytes, *, headers: Mapping[str, str]) -> Response:
    """What the model's server refused, as it said it; what is about the operator's own key is not the caller's."""
    status = upstream.status
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    if status in _OPERATORS or status < HTTPStatus.BAD_REQUEST:
        return _refusal(502, "ModelUnavailable", f"The model's server refused this installation ({status}).")
    if isinstance(told, dict) and isinstance(told.get("error"), dict):
        return JSONResponse(told, status_code=status, headers=dict(headers))
    return _refusal(status, "ModelUnavailable", f"The model's server answered with status {status}.", headers=headers)


def _refusal(
    status: int, kind: str, detail: str, *, retry: bool = False, headers: Mapping[str, str] | None = None
) -> Response:
    body = {
        "type": kind,
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "retry": retry,
        "error": {"message": detail, "type": kind, "param": None, "code": kind},
    }
    return JSONResponse(body, status_code=status, headers=dict(headers or {}), media_type="application/problem+json")
