"""One HTTP exchange that another thread can cut at once: what makes Stop and hard deadlines real.

A thread that waits for a slow model is blocked inside `recv`; closing the file from elsewhere does not wake it,
shutting the socket down does. The socket is learnt through the HTTP client's documented `trace` extension. A guard
thread cuts the line when the time given for the next sign of life is over, so a server that sends only keep-alive
comments cannot hold a caller past the deadline (rules §7.3).
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Mapping
from functools import cache
from types import TracebackType
from typing import Any, Self

import httpx2
import openai

_CONNECT_SECONDS = 5.0  # a server that does not accept within this is down, whatever the deadline


class Wire:
    """A one-shot HTTP client with `cut()`; use it as a context manager around one request."""

    def __init__(self, patience: float) -> None:
        """Start the guard.

        Args:
            patience: seconds until the first sign of life; `alive` grants more.
        """
        self.expired = False  # cut by the guard
        self._cut = False
        self._done = False
        self._until = time.monotonic() + patience
        self._sockets: list[socket.socket] = []
        self._lock = threading.Condition()
        self.http = openai.DefaultHttpxClient(
            verify=_trusted(),
            timeout=openai.Timeout(patience, connect=min(_CONNECT_SECONDS, patience)),
            event_hooks={"request": [self._watch]},
        )
        self._guard = threading.Thread(target=self._watchdog, name="model-deadline", daemon=True)

    def __enter__(self) -> Self:
        """Start watching."""
        self._guard.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Close the connection and dismiss the guard."""
        with self._lock:
            self._done = True
            self._lock.notify_all()
        self.http.close()
        self._guard.join()

    def alive(self, patience: float) -> None:
        """The server showed life: allow it `patience` seconds for the next piece."""
        with self._lock:
            self._until = time.monotonic() + patience

    def cut(self) -> None:
        """Break the connection now, from any thread; the blocked reader wakes with a connection error."""
        with self._lock:
            self._cut = True
            for line in self._sockets:
                _shut(line)

    def _watchdog(self) -> None:
        while True:
            with self._lock:
                if self._done:
                    return
                left = self._until - time.monotonic()
                if left > 0:
                    self._lock.wait(left)
                    continue
                self.expired = True
            self.cut()
            return

    def _watch(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._trace}

    def _trace(self, name: str, info: Mapping[str, Any]) -> None:
        if name.rpartition(".")[2] != "complete" or not name.startswith("connection."):
            return
        line = getattr(info.get("return_value"), "get_extra_info", lambda _: None)("socket")
        if line is None:
            return
        with self._lock:
            self._sockets.append(line)
            if self._cut:
                _shut(line)


@cache
def _trusted() -> ssl.SSLContext:
    """The system's certificate authorities; reading them takes longer than a short call, so it is done once."""
    return httpx2.create_ssl_context()


def _shut(line: socket.socket) -> None:
    """Shut one socket down; a socket that is closed already is as good as shut."""
    try:
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
