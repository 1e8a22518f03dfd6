"""What programs call, mounted beside the pages and made at the first call: the sign-in page does not wait."""

from __future__ import annotations

import threading
from collections.abc import Callable

import anyio
from starlette.types import ASGIApp, Receive, Scope, Send


class Later:
    """An ASGI application that is made at the first request to it; whoever comes meanwhile waits for the same one."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        """Remember how to make it: an import of two seconds."""
        self._make = make
        self._lock = threading.Lock()
        self._app: ASGIApp | None = None

    def app(self) -> ASGIApp:
        """The application, made now if it was not yet."""
        with self._lock:
            if self._app is None:
                self._app = self._make()
            return self._app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        app = self._app if self._app is not None else await anyio.to_thread.run_sync(self.app)
        await app(scope, receive, send)
