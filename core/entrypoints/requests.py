"""What a request is known by: `X-Request-ID`, taken from the caller if it can stand in a log, else made new."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.observing import UNOBSERVED, known_as, well_formed
from core.ports import Observer

log = logging.getLogger("chronomemory.http")

HEADER = b"x-request-id"
_BYTES = 16  # of one made here
FAULT = 500


class Layered(Protocol):
    """What has an observer: the memory layer."""

    @property
    def observer(self) -> Observer:
        """Who is told of requests."""


class RequestIds:
    """Middleware: whatever is logged of a request bears its id, and its answer names it. Goes before everything."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = _first(scope, HEADER)
        identifier = given if well_formed(given) else secrets.token_hex(_BYTES)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() != HEADER]
                message["headers"] = [*kept, (HEADER, identifier.encode("ascii"))]
            await send(message)

        with known_as(identifier):
            await self._app(scope, receive, send_named)


class Watching:
    """Middleware: tells the layer's observer of each request to a program's address, by its route, never its path."""

    def __init__(self, app: ASGIApp, observer_of: Callable[[], Observer], *, all_lines: bool = False) -> None:
        """Wrap `app`.

        Args:
            app: what answers.
            observer_of: gives the observer of the moment.
            all_lines: log a line for every request; False: for those that end in a fault.
        """
        self._app = app
        self._observer_of = observer_of
        self._all_lines = all_lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        carrier = {"traceparent": _first(scope, b"traceparent"), "tracestate": _first(scope, b"tracestate")}
        status = FAULT

        async def send_seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        sent = {name: value for name, value in carrier.items() if value}
        began = perf_counter()
        with self._observer_of().request(scope["method"], sent) as answered:
            try:
                await self._app(scope, receive, send_seen)
            finally:
                route = template_of(scope)
                answered(route, status)
                if self._all_lines or status >= FAULT:
                    took = (perf_counter() - began) * 1000
                    level = logging.WARNING if status >= FAULT else logging.INFO
                    log.log(level, "%s answered %d in %.1f ms", route or "no route", status, took)


def observer_of(layer: Layered | None) -> Observer:
    """A layer's observer; nobody while there is no layer."""
    return layer.observer if layer is not None else UNOBSERVED


def template_of(scope: Scope) -> str:
    """A request's address as its route writes it, `/api/v1/memories/{memory_id}`; "" if there is no such route."""
    path = getattr(scope.get("route"), "path", "")
    return f"{scope.get('root_path', '')}{path}" if isinstance(path, str) and path else ""


def _first(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name), "")


__all__ = ["RequestIds", "Watching", "observer_of", "template_of"]
