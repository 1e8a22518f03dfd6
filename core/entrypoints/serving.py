"""The HTTP interface alone, without the console: `chronomemory serve`."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from core.entrypoints.http.place import Place
from core.entrypoints.http.problems import plain
from core.entrypoints.mcp.door import own_names
from core.entrypoints.programs import Programs
from core.entrypoints.requests import RequestIds, Watching, observer_of
from core.layer import MemoryLayer
from core.settings import Settings

log = logging.getLogger("chronomemory.http")

_READY_PARTS = ("store", "ledger", "embedding")


class Served:
    """The layer as it comes up in the background; the server answers meanwhile."""

    def __init__(self, make_layer: Callable[[], MemoryLayer]) -> None:
        """Remember how to make the layer; `begin` makes it."""
        self.problem = ""  # why there will be no layer
        self._make = make_layer
        self._layer: MemoryLayer | None = None
        self._thread: threading.Thread | None = None

    def layer(self) -> MemoryLayer | None:
        """The layer, or None while it is being made."""
        return self._layer

    def begin(self) -> None:
        """Make and start the layer in a thread."""
        self._thread = threading.Thread(target=self._bring_up, name="startup", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Close the layer."""
        if self._thread is not None:
            self._thread.join(timeout=10)
        if self._layer is not None:
            self._layer.close()

    def _bring_up(self) -> None:
        try:
            layer = self._make()
            layer.start()
        except Exception:  # the thread's outermost edge: unsaid, every answer would be "starting" for ever
            log.exception("the memory cannot start")
            self.problem = "The memory cannot start; the log says why."
            return
        self._layer = layer


def make_server(settings: Settings, make_layer: Callable[[], MemoryLayer]) -> Starlette:
    """The application that `chronomemory serve` runs: what programs reach, /healthz, /readyz and /metrics."""
    served = Served(make_layer)
    place = Place(settings=settings, layer_of=served.layer)
    programs = Programs(place, hosts=own_names(settings.chronomemory_address, settings.chronomemory_public_url))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        served.begin()
        async with programs.running():
            yield
        await anyio.to_thread.run_sync(served.end)

    async def alive(_request: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_request: Request) -> Response:
        layer = served.layer()
        parts = dict(await anyio.to_thread.run_sync(layer.health)) if layer else {"memory": "starting"}
        good = layer is not None and all(parts.get(name, "ok").startswith("ok") for name in _READY_PARTS)
        return JSONResponse({"ready": good, "parts": parts}, status_code=200 if good else 503)

    async def home(_request: Request) -> Response:
        return RedirectResponse("/api/docs")

    return Starlette(
        routes=[
            Route("/", home),
            Route("/healthz", alive),
            Route("/readyz", ready),
            *programs.routes,
        ],
        middleware=[
            Middleware(RequestIds),
            Middleware(
                Watching,
                observer_of=lambda: observer_of(served.layer()),
                all_lines=settings.chronomemory_log_requests,
            ),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: plain},
    )
