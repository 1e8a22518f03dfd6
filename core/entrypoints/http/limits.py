"""The size of a body, checked before anything reads it."""

from __future__ import annotations

from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.entrypoints.http.problems import answer


class BodyLimit:
    """Middleware: a body over the limit is refused with 413, by its announced length or while it arrives."""

    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        """Wrap `app`; `limit` in bytes."""
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not announced.isdigit() or int(announced) > self._limit:
            await self._refuse(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":  # the caller went away before the end
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._limit:
                await self._refuse(scope, receive, send)
                return
        given = False

        async def whole() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, whole, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        detail = f"The request is over the limit of {self._limit:,} bytes. Send it in parts."
        await answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "TooLarge", detail)(scope, receive, send)
