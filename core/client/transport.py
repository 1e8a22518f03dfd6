"""One request to the memory: the address, the key, the patience. Retries what may work later, within bounds."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2

from core.client.errors import BadRequest, ClientError, Garbled, KeyRefused, MemoryDown, of_problem

FIRST_WAIT = 0.2  # seconds before the first retry where the server names none; doubles
LONGEST_WAIT = 8.0  # seconds before any one retry; a server that asks for more is not waited for
_ERRORS_FROM = 400
_NO_CONTENT = 204
_GOOD = frozenset({200, 201, 202})
_MOST_BYTES = 64_000_000  # of one answer


class Transport:
    """Sends requests. Safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float,
        retries: int,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Describe the way; nothing is sent yet.

        Args:
            base_url: where the memory is served, without /api.
            key: of the agent.
            timeout: seconds for one answer.
            retries: how often a request is sent again when that may help.
            transport: another way than the network, for a server in this process.
            pause: waits between tries.

        Raises:
            BadRequest: the address is none.
            KeyRefused: the key cannot be sent.
        """
        self._retries = retries
        self._timeout = timeout
        self._pause = pause
        parts = urlsplit(base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            msg = f"This is no address of a memory: {base_url!r}. It looks like http://127.0.0.1:8501."
            raise BadRequest(msg)
        if not (key.isascii() and key.isprintable()):
            msg = "This is no key: it holds characters that no header can."
            raise KeyRefused(msg)
        self._http = httpx2.Client(
            base_url=base_url.rstrip("/") + "/api/v1",
            headers={"authorization": f"Bearer {key}", "accept": "application/json"},
            timeout=httpx2.Timeout(timeout),
            transport=transport,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        retries: int | None = None,
    ) -> Any:
        """The answer's JSON; None where it has no content.

        Every request of this client may be sent twice: reading changes nothing, and what is put in carries a key that
        stores it once.

        Raises:
            ClientError: what the memory refused, or that it is down.
        """
        left = self._retries if retries is None else retries
        wait = FIRST_WAIT
        while True:
            try:
                return self._once(method, path, body, params, headers)
            except ClientError as problem:
                asked = wait if problem.retry_after is None else problem.retry_after
                if left <= 0 or not problem.retry or asked > LONGEST_WAIT:
                    raise
                left -= 1
                self._pause(asked * random.uniform(1.0, 1.25))  # noqa: S311 - spreads callers, guards nothing
                wait = min(wait * 2, LONGEST_WAIT)

    def _once(
        self,
        method: str,
        path: str,
        body: Any,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
    ) -> Any:
        try:
            status, sent, data = self._read(method, path, body, params, headers)
        except (httpx2.TimeoutException, httpx2.NetworkError, httpx2.ProtocolError) as problem:
            msg = f"The memory is not reachable ({type(problem).__name__})."
            raise MemoryDown(msg, retry=True) from problem
        except httpx2.HTTPError as problem:
            msg = f"What answers there cannot be read ({type(problem).__name__})."
            raise Garbled(msg) from problem
        if status >= _ERRORS_FROM:
            raise of_problem(status, _json(data, {}), retry_after=_retry_after(sent))
        if status == _NO_CONTENT:
            return None
        found = _json(data, Garbled)
        if found is Garbled or status not in _GOOD:
            msg = "What answers there is not the memory: is the address right?"
            raise Garbled(msg, status=status)
        return found

    def _read(
        self,
        method: str,
        path: str,
        body: Any,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
    ) -> tuple[int, httpx2.Headers, bytes]:
        """The whole answer, within the time and size that one may have."""
        until = time.monotonic() + self._timeout
        data = bytearray()
        with self._http.stream(method, path, json=body, params=params, headers=headers) as answer:
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > _MOST_BYTES:
                    msg = "What answers there sends without end: is the address right?"
                    raise Garbled(msg, status=answer.status_code)
                if time.monotonic() > until:
                    msg = f"The memory did not answer within {self._timeout:g} s."
                    raise MemoryDown(msg, retry=True)
            return answer.status_code, answer.headers, bytes(data)


def _json(data: bytes, otherwise: Any) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return otherwise


def _retry_after(headers: httpx2.Headers) -> float | None:
    told = headers.get("retry-after", "")
    return float(told) if told.isascii() and told.isdecimal() else None
