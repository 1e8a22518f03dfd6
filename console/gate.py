"""The gate: pure-ASGI middleware that lets nothing past without a server-side session (console.md §1.3).

It sees HTTP and WebSocket before Streamlit does. Identity headers sent by clients are dropped, and the gate's own
are put in, which Streamlit maps into `st.user` (`server.trustedUserHeaders`). Streamlit resumes a WebSocket session
only for an equal `st.user`, and that holds the session id: a stolen Streamlit id gives another person a fresh one.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote, urlsplit

import anyio
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from console.doors import DOORS, Doors, Lane, page, unavailable_page
from console.forms import bounce_page
from console.headers import app_policy, secured
from console.incoming import cookie, forwarded_https, header, host_allowed, is_page_load, safe_target, same_origin
from console.startup import IDENTITY_HEADERS, Startup
from core.entrypoints.addresses import is_for_programs
from core.errors import Unavailable
from core.model import Actor, Role

STATIC = Path(__file__).with_name("static")
_OPEN_FILES = {
    "/gate.css": ("gate.css", "text/css; charset=utf-8"),
    "/favicon.png": ("favicon.png", "image/png"),
    "/favicon.ico": ("favicon.png", "image/png"),
}
API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_READY_PARTS = ("store", "ledger", "embedding")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Streamlit's page shows a refusal's body when it is JSON: an open tab whose session ended says what to do.
_SIGN_IN = "You are signed out. Reload this page to sign in."
_NO_STORE = "The store is not reachable at the moment. This page tries again by itself."
_OUR_PREFIX = b"x-chronomemory-"
_PROGRAMS_SAY = frozenset({b"x-chronomemory-when-down", b"x-chronomemory-conversation"})  # identify nobody
_WS_POLICY_VIOLATION = 1008


class Gate:
    """Middleware for `st.App`; see the module's docstring.

    An HTTP request passes 1. the Host check, 2. the open addresses, 3. the gate's own pages, 4. the session look-up,
    5. the closed addresses, 6. the exchange of identity headers. A WebSocket passes 1, the Origin check, 4 and 6.
    What programs call passes 1 and asks for a key itself; cookies open nothing there.
    """

    def __init__(self, app: ASGIApp, startup: Startup, programs: ASGIApp | None = None) -> None:
        """Wrap `app`; people and sessions come from `startup`, and `programs` answers what programs call."""
        self._app = app
        self._programs = programs or app
        self._startup = startup
        settings = startup.settings
        self._public_url = settings.chronomemory_public_url
        self._public_host = (urlsplit(self._public_url).hostname or "").lower()
        lane = Lane()
        self._doors_of = {https: Doors(startup, https=https, lane=lane) for https in (False, True)}
        self._files = {
            path: ((STATIC / name).read_bytes(), media_type) for path, (name, media_type) in _OPEN_FILES.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # --- HTTP ---------------------------------------------------------------------------------------------------

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        host, https = header(scope, b"host"), self._is_https(scope)

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                pairs = list(message.get("headers", []))
                known = {name.lower() for name, _ in pairs}
                message["headers"] = secured(
                    pairs,
                    policy=app_policy(host),
                    referrer=b"no-referrer",
                    https=https,
                    no_store=b"cache-control" not in known,
                )
            await send(message)

        if is_for_programs(scope["path"]) and host_allowed(scope, self._public_host):
            said = [pair for pair in scope["headers"] if pair[0].lower() in _PROGRAMS_SAY]
            scope["headers"] = _without_identity(scope) + said
            await self._programs(scope, receive, self._bare(send, https=https))
            return
        response = await self._own_response(scope, receive)
        if response is not None:
            await response(scope, receive, send if _has_policy(response) else send_secured)
            return
        await self._app(scope, receive, send_secured)

    def _bare(self, send: Send, *, https: bool) -> Send:
        """`send` for programs' answers: the security headers, and a page of their own may only show, never call out."""

        async def send_bare(message: Message) -> None:
            if message["type"] == "http.response.start":
                pairs = list(message.get("headers", []))
                known = {name.lower(): value for name, value in pairs}
                message["headers"] = secured(
                    pairs,
                    policy=known.get(b"content-security-policy", API_POLICY.encode()).decode("latin-1"),
                    referrer=b"no-referrer",
                    https=https,
                    no_store=b"cache-control" not in known,
                )
            await send(message)

        return send_bare

    async def _own_response(self, scope: Scope, receive: Receive) -> Response | None:
        """What the gate answers itself; None lets the request (now with the gate's identity headers) through."""
        if not host_allowed(scope, self._public_host):
            return PlainTextResponse("This console does not go by that host name.", status_code=400)
        response = await self._open_address(scope, receive)
        if response is not None:
            return response
        if scope["method"] not in _SAFE_METHODS and not same_origin(scope, self._public_url):
            return PlainTextResponse("This request did not come from a page of this console.", status_code=403)
        return await self._admit(scope)

    async def _admit(self, scope: Scope) -> Response | None:
        """None for a person with a session, whose identity is put in; an answer for everybody else."""
        try:
            actor = await self._actor(scope)
        except Unavailable:
            return await self._unavailable(scope)
        if actor is None:
            return self._stranger(scope)
        if _closed(scope["path"], actor):
            return PlainTextResponse("There is nothing here.", status_code=404)
        scope["headers"] = _with_identity(scope, actor)
        return None

    async def _open_address(self, scope: Scope, receive: Receive) -> Response | None:
        """Addresses that need no session."""
        path = scope["path"]
        if path in self._files:
            content, media_type = self._files[path]
            return Response(content, media_type=media_type, headers={"cache-control": "public, max-age=3600"})
        if path == "/healthz":
            return PlainTextResponse("ok")
        if path == "/readyz":
            return await self._ready()
        if path in DOORS:
            return await self._doors(scope).answer(scope, receive)
        return None

    def _stranger(self, scope: Scope) -> Response:
        """A page load goes to the sign-in page and comes back afterwards; everything else is refused."""
        if not is_page_load(scope):
            return JSONResponse(_SIGN_IN, status_code=401)
        if header(scope, b"sec-fetch-site") == "cross-site":
            # A link from elsewhere: the Strict cookie comes along only when our own page leads there.
            return page(bounce_page(), https=self._is_https(scope))
        query = scope.get("query_string", b"").decode("latin-1")
        target = safe_target(scope["path"] + (f"?{query}" if query else ""))
        where = "/login" if target == "/" else f"/login?next={quote(target, safe='')}"
        return RedirectResponse(where, status_code=303)

    def _is_https(self, scope: Scope) -> bool:
        """Whether the browser speaks HTTPS, by the public address or by the word of an own proxy."""
        settings = self._startup.settings
        return settings.secure_cookies or forwarded_https(scope, settings.own_proxies)

    def _doors(self, scope: Scope) -> Doors:
        return self._doors_of[self._is_https(scope)]

    async def _actor(self, scope: Scope) -> Actor | None:
        token = cookie(scope, self._doors(scope).session_cookie)
        if not token:
            return None
        return await anyio.to_thread.run_sync(self._resolve, token)

    def _resolve(self, token: str) -> Actor | None:
        return self._startup.accounts().resolve(token)

    async def _ready(self) -> Response:
        layer = self._startup.layer()
        if layer is None:
            parts = {"console": self._startup.problem or "starting"}
        else:
            parts = dict(await anyio.to_thread.run_sync(layer.health))
        ready = layer is not None and all(parts.get(name, "ok").startswith("ok") for name in _READY_PARTS)
        return JSONResponse({"ready": ready, "parts": parts}, status_code=200 if ready else 503)

    async def _unavailable(self, scope: Scope) -> Response:
        if not is_page_load(scope):
            return JSONResponse(_NO_STORE, status_code=503, headers={"retry-after": "3"})
        return await unavailable_page(self._startup)

    # --- WebSocket ----------------------------------------------------------------------------------------------

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not host_allowed(scope, self._public_host) or not same_origin(scope, self._public_url):
            await _refuse(scope, receive, send, 403, "This connection did not come from a page of this console.")
            return
        try:
            actor = await self._actor(scope)
        except Unavailable:
            await _refuse(scope, receive, send, 503, _NO_STORE)
            return
        if actor is None:
            await _refuse(scope, receive, send, 401, _SIGN_IN)
            return
        scope["headers"] = _with_identity(scope, actor)
        await self._app(scope, receive, send)


def _closed(path: str, actor: Actor) -> bool:
    """The agent API for everybody (it is off, and stays off if someone turns it on), metrics for all but admins."""
    return "/_stcore/agent" in path or ("/_stcore/metrics" in path and actor.role is not Role.ADMIN)


def _has_policy(response: Response) -> bool:
    return "content-security-policy" in response.headers


def _without_identity(scope: Scope) -> list[tuple[bytes, bytes]]:
    return [pair for pair in scope["headers"] if not pair[0].lower().replace(b"_", b"-").startswith(_OUR_PREFIX)]


def _with_identity(scope: Scope, actor: Actor) -> list[tuple[bytes, bytes]]:
    """The request's headers with the gate's identity in place of whatever the client claimed."""
    kept = _without_identity(scope)
    values = {"user_id": actor.user_id, "username": actor.username, "session_id": actor.session_id}
    return kept + [(name.encode("ascii"), values[key].encode("ascii")) for name, key in IDENTITY_HEADERS.items()]


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: str) -> None:
    """Turn a WebSocket away before it is accepted, with an HTTP status where the server can send one."""
    await receive()  # websocket.connect
    if "websocket.http.response" in scope.get("extensions", {}):
        body = json.dumps(text).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": _WS_POLICY_VIOLATION, "reason": text})
