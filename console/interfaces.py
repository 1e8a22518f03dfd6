"""What programs call, made when the first one does: the sign-in page does not wait for an import of two seconds."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import anyio
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

log = logging.getLogger("chronomemory.console")


class Application(Protocol):
    """An ASGI application that must be running while it serves."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Open as long as it serves."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""


class Later:
    """An application that is made at the first call to it. `running` must be open while the server serves."""

    def __init__(self, make: Callable[[], Application]) -> None:
        """Remember how to make it; called once, in a thread."""
        self._make = make
        self._wanted: anyio.Event | None = None
        self._ready = anyio.Event()
        self._made: Application | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open until the server stops."""
        self._wanted, self._ready = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._serve, self._wanted)
            try:
                yield
            finally:
                tasks.cancel_scope.cancel()
                self._wanted, self._made = None, None

    async def _serve(self, wanted: anyio.Event) -> None:
        await wanted.wait()
        try:
            made = await anyio.to_thread.run_sync(self._make)
        except Exception:  # the pages go on without; unsaid, every program would wait for ever
            log.exception("what programs call could not be made")
            self._ready.set()
            return
        async with made.running():
            self._made = made
            self._ready.set()
            await anyio.sleep_forever()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; whoever comes while it is being made waits."""
        if self._made is None:
            if self._wanted is not None:
                self._wanted.set()
            await self._ready.wait()
        made = self._made
        if made is None:
            answer = PlainTextResponse("What programs call does not run here; the log says why.", status_code=503)
            await answer(scope, receive, send)
            return
        await made(scope, receive, send)
