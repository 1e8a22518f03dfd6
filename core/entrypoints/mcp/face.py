"""The protocol's side: tools and resources answered out of `core.agents`, every call in a thread of its own.

Nothing of the product runs on the event loop: a recall waits for a model and a database, and a ping does not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol
from urllib.parse import unquote

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from core.agents import NAME_CHARS, AgentDesk
from core.entrypoints.http import wire
from core.entrypoints.http.place import Place
from core.entrypoints.mcp import words
from core.entrypoints.mcp.tools import TOOLS
from core.errors import BadInput, ChronoMemoryError, NotFound
from core.model import SourceKind
from core.ports import AgentIdentity

log = logging.getLogger("chronomemory.mcp")

AT_ONCE = 16  # calls that are worked on together; more wait for their turn
PROFILE = "memory://profile"
MEMORY = "memory://memories/"
JSON = "application/json"

Context = ServerRequestContext[Any, Any]
Work = Callable[[AgentDesk, AgentIdentity], BaseModel]


class Identify(Protocol):
    """Tells whose call it is. Called in a thread, for every call anew."""

    def __call__(self, request: Any) -> AgentIdentity:
        """The agent behind a request; `request` is the transport's, or None.

        Raises:
            ChronoMemoryError: nobody, or nobody can tell.
        """


class Face:
    """The handlers of one server."""

    def __init__(self, place: Place, identify: Identify) -> None:
        """Remember where the memory is and who tells whose call it is."""
        self._place = place
        self._identify = identify
        self._threads = anyio.CapacityLimiter(AT_ONCE)

    def server(self) -> Server[Any]:
        """The server with all that it offers."""
        return Server(
            words.NAME,
            title=words.TITLE,
            version=_version(),
            instructions=words.INSTRUCTIONS,
            get_tool_input_schema=_input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(self, _ctx: Context, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[one.listed() for one in TOOLS.values()])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            msg = f"There is no tool of that name. There are: {', '.join(TOOLS)}."
            raise MCPError(types.INVALID_PARAMS, msg)
        try:
            given = tool.takes.model_validate(params.arguments or {})
        except ValidationError as error:
            return _refused(tool.refusal(error), BadInput.__name__)
        try:
            found = await self._apart(ctx, lambda desk, who: tool.run(desk, who, given))
        except ChronoMemoryError as error:
            return _refused(str(error), type(error).__name__, retry=error.retry)
        except Exception:  # the outermost edge: a trace goes to the log and never to a model
            log.exception("%s met a fault", tool.name)
            return _refused(words.FAULT, "Fault")
        return types.CallToolResult(
            content=[types.TextContent(text=found.model_dump_json())],
            structured_content=found.model_dump(mode="json"),
        )

    async def _list_resources(self, _ctx: Context, _params: object) -> types.ListResourcesResult:
        profile = types.Resource(
            uri=PROFILE, name="profile", title="Profile", description=words.PROFILE, mime_type=JSON
        )
        return types.ListResourcesResult(resources=[profile])

    async def _list_templates(self, _ctx: Context, _params: object) -> types.ListResourceTemplatesResult:
        memory = types.ResourceTemplate(
            uri_template=f"{MEMORY}{{id}}", name="memory", title="Memory", description=words.MEMORY, mime_type=JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[memory])

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            found = await self._apart(ctx, _reading(uri))
        except ChronoMemoryError as error:
            code = types.INVALID_PARAMS if isinstance(error, NotFound | BadInput) else types.INTERNAL_ERROR
            raise MCPError(code, str(error), {"type": type(error).__name__, "retry": error.retry}) from None
        except Exception:  # the outermost edge, as above
            log.exception("a resource met a fault")
            raise MCPError(types.INTERNAL_ERROR, words.FAULT) from None
        text = types.TextResourceContents(uri=uri, mime_type=JSON, text=found.model_dump_json())
        return types.ReadResourceResult(contents=[text])

    async def _apart(self, ctx: Context, work: Work) -> BaseModel:
        """Do it in a thread: find out who calls, then call the desk as the agent that the caller is.

        Raises:
            ChronoMemoryError: what the desk raises.
        """

        def whole() -> BaseModel:
            who = as_client(self._identify(ctx.request))
            return work(self._place.layer().agents, who)

        return await anyio.to_thread.run_sync(whole, limiter=self._threads)


def as_client(who: AgentIdentity) -> AgentIdentity:
    """What comes through a model's tool is an agent's word, even with the key of an app whose own texts are a person's.

    A lower class stays what it is.
    """
    return replace(who, channel=SourceKind.AGENT_TURN) if who.channel is SourceKind.USER_TURN else who


def _reading(uri: str) -> Work:
    """What answers an address."""
    if uri == PROFILE:
        return _profile
    memory_id = unquote(uri.removeprefix(MEMORY)) if uri.startswith(MEMORY) else ""
    if not memory_id or len(memory_id) > NAME_CHARS:
        msg = f"There is nothing at this address. There are: {PROFILE}, {MEMORY}<id>."
        raise NotFound(msg)
    return lambda desk, who: wire.MemoryOut.of(desk.why(who, memory_id).memory)


def _profile(desk: AgentDesk, who: AgentIdentity) -> wire.MemoriesOut:
    rows = desk.profile(who)
    return wire.MemoriesOut(memories=[wire.MemoryOut.of(one) for one in rows], total=len(rows))


def _refused(text: str, kind: str, *, retry: bool = False) -> types.CallToolResult:
    meta = {f"{words.NAME}/problem": {"type": kind, "retry": retry}}
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True, _meta=meta)


def _input_schema(name: str) -> dict[str, Any] | None:
    tool = TOOLS.get(name)
    return tool.takes.model_json_schema() if tool else None


def _version() -> str:
    try:
        return version("governed-chronomemory")
    except PackageNotFoundError:  # run from a folder that was not installed
        return "0"


__all__ = ["Face", "Identify", "as_client"]
