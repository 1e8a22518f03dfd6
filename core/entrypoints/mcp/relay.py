"""Passes a client's calls on to a server that runs: `chronomemory mcp --url …`.

Each call is a conversation of its own with that server, which keeps no sessions either: a restart of it costs no more
than the calls that came meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import LATEST_MODERN_VERSION

from core.entrypoints.mcp import words
from core.errors import NotAuthorised, StoreUnavailable

TIMEOUT_SECONDS = 60.0  # of one call

Context = ServerRequestContext[Any, Any]
T = TypeVar("T")


async def pass_on(url: str, token: str, speak: Callable[[Server[Any]], Awaitable[None]]) -> None:
    """Serve by what the server at `url` answers.

    Args:
        url: of its /mcp.
        token: an agent's key.
        speak: serves until its client goes.

    Raises:
        NotAuthorised: it refuses the key.
        StoreUnavailable: it does not answer, or cannot.
    """
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(TIMEOUT_SECONDS)) as http:
        far = Far(url, http)
        try:
            await far.ask(Client.list_tools)
        except MCPError as problem:
            kind = NotAuthorised if problem.code == types.INVALID_REQUEST else StoreUnavailable
            raise kind(problem.message) from None
        await speak(_relay(far))


class Far:
    """A server elsewhere."""

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        """Remember where it is; nothing is sent yet."""
        self._url = url
        self._http = http
        self._known: types.DiscoverResult | None = None  # what it offers, so that it is asked once

    async def ask(self, act: Callable[[Client], Awaitable[T]]) -> T:
        """Connect, ask one thing, disconnect.

        Raises:
            MCPError: what the server refuses, in its words; or nobody answers.
        """
        client = Client(
            streamable_http_client(self._url, http_client=self._http),
            read_timeout_seconds=TIMEOUT_SECONDS,
            mode=LATEST_MODERN_VERSION if self._known else "auto",
            prior_discover=self._known,
            cache=None,
        )
        try:
            async with client:
                self._known = client.session.discover_result
                return await act(client)
        except (MCPError, httpx2.TransportError, ExceptionGroup) as problem:
            cause = _innermost(problem)
            if isinstance(cause, MCPError):
                raise MCPError.from_error_data(cause.error) from None
            if isinstance(cause, httpx2.TransportError):
                msg = f"No server answers at {self._url}: start one with `chronomemory run` or `chronomemory serve`."
                raise MCPError(types.INTERNAL_ERROR, msg) from None
            raise


def _innermost(problem: BaseException) -> BaseException:
    """Task groups wrap what went wrong in them."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def _relay(far: Far) -> Server[Any]:
    """A server that asks another one for everything."""

    async def list_tools(_ctx: Context, _params: object) -> types.ListToolsResult:
        return await far.ask(Client.list_tools)

    async def call_tool(_ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(name=params.name, arguments=params.arguments)
        )
        # not client.call_tool: it lists the tools to check the answer by, which the client before us does
        return await far.ask(lambda client: client.session.send_request(request, types.CallToolResult))

    async def list_resources(_ctx: Context, _params: object) -> types.ListResourcesResult:
        return await far.ask(Client.list_resources)

    async def list_templates(_ctx: Context, _params: object) -> types.ListResourceTemplatesResult:
        return await far.ask(Client.list_resource_templates)

    async def read_resource(_ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await far.ask(lambda client: client.read_resource(str(params.uri)))

    return Server(
        words.NAME,
        title=words.TITLE,
        instructions=words.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


__all__ = ["Far", "pass_on"]
