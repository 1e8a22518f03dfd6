"""A streamed answer on its way through: byte for byte, heard in passing, kept as far as it came."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from core.entrypoints.http.completions import Heard
from core.entrypoints.http.upstream import Upstream
from core.errors import ModelUnavailable


class Relay(Response):
    """Passes a model's events on as they come; when they end, or the caller leaves, what was said is kept."""

    def __init__(self, upstream: Upstream, keep: Callable[[str], bool], *, headers: Mapping[str, str]) -> None:
        """Take over an answer that has begun.

        Args:
            upstream: the answer; this closes it.
            keep: stores what was said; called once, in a thread.
            headers: of the answer.
        """
        super().__init__(None, media_type=upstream.media_type, headers={**headers, "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._upstream = upstream
        self._keep = keep
        self._heard = Heard()

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything."""
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_watch, receive, group.cancel_scope)
                await self._pump(send)
                group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await self._upstream.close()
                await anyio.to_thread.run_sync(self._keep, self._heard.text)

    async def _pump(self, send: Send) -> None:
        async def out(data: bytes, *, more: bool) -> None:
            await send({"type": "http.response.body", "body": data, "more_body": more})

        rest = b""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            try:
                async for piece in self._upstream.pieces():
                    self._heard.feed(piece)
                    # Whole lines only: where the model breaks off within one, the error after it can still be read.
                    whole, newline, rest = (rest + piece).rpartition(b"\n")
                    if newline:
                        await out(whole + newline, more=True)
            except ModelUnavailable as problem:
                rest = b"\n" + _event(problem)
            await out(rest, more=False)
        except OSError:  # the caller left between two pieces
            return


async def _watch(receive: Receive, scope: anyio.CancelScope) -> None:
    """End everything when the caller leaves."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            scope.cancel()
            return


def _event(problem: ModelUnavailable) -> bytes:
    told = {"error": {"message": str(problem), "type": "ModelUnavailable", "param": None, "code": "ModelUnavailable"}}
    return b"data: " + json.dumps(told).encode() + b"\n\n"
