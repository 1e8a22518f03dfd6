"""Everything that programs reach, as one application: beside the console's pages, or alone by `chronomemory serve`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from core.entrypoints.addresses import API, MCP, PROXY
from core.entrypoints.http.api import make_api
from core.entrypoints.http.compat import routes_of
from core.entrypoints.http.place import Place
from core.entrypoints.http.problems import plain
from core.entrypoints.http.proxy import make_proxy
from core.entrypoints.mcp.door import Door
from core.entrypoints.metrics import route_of
from core.entrypoints.requests import Watching, observer_of


class Programs:
    """An ASGI application; `running` must be open while it serves."""

    def __init__(self, place: Place, *, hosts: tuple[str, ...] | None = None) -> None:
        """Serve what is at `place`.

        Args:
            place: the layer and the limits.
            hosts: names that it goes by, checked against DNS rebinding; None: somebody before it has checked.
        """
        self._mcp = Door(place, hosts=hosts)
        self.routes: tuple[BaseRoute, ...] = (
            Mount(API, make_api(place)),
            Mount(PROXY, make_proxy(place)),
            Route(MCP, self._mcp),
            *routes_of(place),
            route_of(place),
        )
        served = Starlette(routes=self.routes, exception_handlers={HTTPException: plain})
        self._app = Watching(
            served, lambda: observer_of(place.layer_of()), all_lines=place.settings.chronomemory_log_requests
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open until the server stops."""
        async with self._mcp.running():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        await self._app(scope, receive, send)
