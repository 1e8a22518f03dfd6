"""The model's server behind the proxy: one request, and its answer in pieces as they come."""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, Self

import httpx2

from core.errors import Misconfigured, ModelUnavailable
from core.llm import client as llm
from core.settings import Settings

_CONNECT_SECONDS = 5.0  # a server that does not accept within this is down, whatever the deadline


class Upstream:
    """One exchange with the model's server. `close` ends it, whatever it is at."""

    def __init__(self, settings: Settings) -> None:
        """Describe the server.

        Raises:
            Misconfigured: no model is configured, or model requests are switched off.
        """
        if not settings.has_model:
            msg = "No model is configured: set OPENAI_BASE_URL or OPENAI_API_KEY (see README)."
            raise Misconfigured(msg)
        base = settings.openai_base_url or llm.DEFAULT_BASE_URL
        if not llm.ALLOW_MODEL_REQUESTS and not llm.is_loopback(base):
            msg = "model requests are switched off (core.llm.client.ALLOW_MODEL_REQUESTS); only loopback is called"
            raise Misconfigured(msg)
        seconds = settings.model_deadline_seconds
        key = settings.openai_api_key.get_secret_value()
        self._base = base
        self._http = httpx2.AsyncClient(
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=httpx2.Timeout(seconds, connect=min(_CONNECT_SECONDS, seconds)),
            verify=_trusted(),
        )
        self._answer: httpx2.Response | None = None

    async def ask(self, body: dict[str, Any]) -> Self:
        """Send a chat request and wait for its answer to begin.

        Raises:
            ModelUnavailable: the server cannot be reached or does not begin to answer.
        """
        return await self._send("POST", "/chat/completions", json.dumps(body).encode())

    async def models(self) -> Self:
        """Ask which models there are.

        Raises:
            ModelUnavailable: the server cannot be reached or does not begin to answer.
        """
        return await self._send("GET", "/models", None)

    async def _send(self, method: str, path: str, content: bytes | None) -> Self:
        headers = {"content-type": "application/json"} if content is not None else {}
        request = self._http.build_request(method, self._base + path, content=content, headers=headers)
        try:
            self._answer = await self._http.send(request, stream=True)
        except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
            msg = f"The model's server did not answer ({type(problem).__name__})."
            raise ModelUnavailable(msg) from problem
        return self

    @property
    def status(self) -> int:
        """Of the answer."""
        return self._begun.status_code

    @property
    def media_type(self) -> str:
        """Of the answer, as its server names it."""
        return self._begun.headers.get("content-type", "application/json")

    async def whole(self) -> bytes:
        """The whole answer.

        Raises:
            ModelUnavailable: it broke off.
        """
        return b"".join([piece async for piece in self.pieces()])

    async def pieces(self) -> AsyncIterator[bytes]:
        """The answer's bytes as they come.

        Raises:
            ModelUnavailable: it broke off.
        """
        try:
            async for piece in self._begun.aiter_bytes():
                yield piece
        except httpx2.HTTPError as problem:
            msg = f"The model's answer broke off ({type(problem).__name__})."
            raise ModelUnavailable(msg) from problem

    async def close(self) -> None:
        """End the exchange."""
        if self._answer is not None:
            await self._answer.aclose()
        await self._http.aclose()

    @property
    def _begun(self) -> httpx2.Response:
        if self._answer is None:
            msg = "nothing was asked yet"
            raise RuntimeError(msg)
        return self._answer


@cache
def _trusted() -> ssl.SSLContext:
    """Reading the certificates takes longer than a short call; they are read once."""
    return httpx2.create_ssl_context()
