"""`chronomemory mcp`: the protocol over stdin and stdout, for a client that starts its servers itself.

Either this process opens the memory (beside a console, if one runs: they share ledger and embedded server), or it
passes every call on to a server that runs. stdout carries the protocol and nothing else; the SDK sees to that.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

from core.entrypoints.http.place import Place
from core.entrypoints.mcp import words
from core.entrypoints.mcp.face import Face
from core.entrypoints.mcp.relay import pass_on
from core.entrypoints.serving import Served
from core.errors import LedgerUnavailable, Misconfigured, NotAuthorised, StoreUnavailable
from core.layer import MemoryLayer
from core.ports import AgentIdentity
from core.settings import Settings
from core.wiring_ledger import has_ledger

PATIENCE_SECONDS = 45.0  # a call waits for the memory to come up; clients give up after a minute
LOOK_SECONDS = 0.05
STOPPED = 128  # exit status of a process that a signal ended, added to the signal's number


def serve(settings: Settings, *, url: str = "") -> None:
    """Serve until stdin ends.

    Args:
        settings: holds the key, and where the memory is.
        url: of a running server's /mcp; empty: open the memory in this process.

    Raises:
        Misconfigured: there is no key.
        LedgerUnavailable: there is no memory here.
        StoreUnavailable: the server at `url` does not answer.
        NotAuthorised: the server at `url` refuses the key.
    """
    token = settings.chronomemory_agent_key.get_secret_value().strip()
    if not token:
        msg = "Put an agent's key into CHRONOMEMORY_AGENT_KEY; a person makes one on the Account page."
        raise Misconfigured(msg)
    if url:
        anyio.run(pass_on, url, token, speak)
    else:
        _open_here(settings, token)


def _open_here(settings: Settings, token: str) -> None:
    if not has_ledger(settings):
        msg = (
            f"There is no memory in {settings.chronomemory_data}: name its folder in CHRONOMEMORY_DATA, or name a "
            "running server with --url."
        )
        raise LedgerUnavailable(msg)
    served = Served(_make_layer)
    place = Place(settings=settings, layer_of=patiently(served))
    server = Face(place, KeyHolder(place=place, token=token)).server()

    def stop(number: int, _frame: FrameType | None) -> None:
        served.end()
        os._exit(STOPPED + number)  # the thread that reads stdin cannot be interrupted

    signal.signal(signal.SIGTERM, stop)
    served.begin()
    try:
        anyio.run(speak, server)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a client that does not wait sends it; this is the end already
        served.end()


def _make_layer() -> MemoryLayer:
    from core.bootstrap import get_layer  # noqa: PLC0415 - heavy: the handshake must not wait for it

    return get_layer()


def patiently(served: Served, *, seconds: float = PATIENCE_SECONDS) -> Callable[[], MemoryLayer | None]:
    """Gives the layer as soon as its store answers, or what there is after `seconds`.

    Raises:
        StoreUnavailable: there will be no layer.
    """

    def wait() -> MemoryLayer | None:
        end = time.monotonic() + seconds
        while True:
            if served.problem:
                raise StoreUnavailable(served.problem)
            layer = served.layer()
            starting = layer is None or layer.health()["store"].startswith("starting")
            if not starting or time.monotonic() >= end:
                return layer
            time.sleep(LOOK_SECONDS)

    return wait


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHolder:
    """Tells that every call is the agent's whose key this process was given; looked up anew each time."""

    place: Place
    token: str

    def __call__(self, request: Any) -> AgentIdentity:  # noqa: ARG002 - over stdio there is none
        """The agent behind the key.

        Raises:
            NotAuthorised: the key is not in use.
            TooManyRequests: it asked too often.
            StoreUnavailable: nobody can tell right now.
        """
        keys, settings = self.place.layer().keys, self.place.settings
        found = keys.resolve(self.token)
        if found is None:
            raise NotAuthorised(words.NO_KEY_HERE)
        keys.admit(f"key:{found.key_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
        return found


async def speak(server: Server[Any]) -> None:
    """Serve on stdin and stdout until stdin ends."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


__all__ = ["KeyHolder", "patiently", "serve", "speak"]
