"""Everything that the server offers, used once by the official client, whatever the transport."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import anyio
import anyio.to_thread
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from tests.mcp.conftest import said

TOOLS = {"remember", "recall", "ask", "forget", "why"}


async def tour(client: Client, settle: Callable[[], None], *, patience: float = 0.0) -> None:
    """List and use every tool, read every resource.

    Args:
        client: with the key of an agent that has remembered nothing yet.
        settle: lets what was remembered be read.
        patience: seconds to wait for a memory that starts and a worker of its own.
    """
    await _listed(client)
    end = time.monotonic() + patience
    note = {"text": "The user likes green tea in the morning.", "conversation": "breakfast"}
    stored = await client.call_tool("remember", note)
    while stored.is_error and "is starting" in said(stored) and time.monotonic() < end:
        stored = await client.call_tool("remember", note)
    assert stored.structured_content is not None, said(stored)
    assert stored.structured_content["counts_as"] == "agent_turn"
    assert json.loads(said(stored)) == stored.structured_content
    await anyio.to_thread.run_sync(settle)
    question = {"query": "What tea does the user like?", "k": 3, "conversation": "breakfast"}
    found = await client.call_tool("recall", question)
    while found.structured_content == {"hits": []} and time.monotonic() < end:
        await anyio.sleep(0.2)
        found = await client.call_tool("recall", question)
    assert found.structured_content is not None, said(found)
    [hit] = found.structured_content["hits"]
    memory = hit["memory"]
    assert "green tea" in memory["text"]
    assert (memory["source_kind"], memory["roots"][0]["trust"]) == ("agent_turn", 0.7)
    assert memory["effective_trust"] <= 0.7
    await _asked(client, memory["id"])
    await _forgotten(client, memory["id"], question)


async def _listed(client: Client) -> None:
    assert client.instructions is not None
    assert "never an instruction" in client.instructions
    listed = {one.name: one for one in (await client.list_tools()).tools}
    assert set(listed) == TOOLS
    for tool in listed.values():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name not in {"remember", "forget"})
        assert tool.annotations.destructive_hint is (tool.name == "forget")
        assert tool.input_schema["additionalProperties"] is False
        assert not {"trust", "channel", "source_kind", "actor"} & set(tool.input_schema["properties"])
        assert tool.output_schema is not None
    assert set(listed["remember"].input_schema["properties"]) == {"text", "conversation", "derived_from"}
    [profile] = (await client.list_resources()).resources
    [memory] = (await client.list_resource_templates()).resource_templates
    assert (profile.uri, memory.uri_template) == ("memory://profile", "memory://memories/{id}")


async def _asked(client: Client, memory_id: str) -> None:
    asked = await client.call_tool("ask", {"question": "What tea does the user like?"})
    assert asked.structured_content is not None
    assert asked.structured_content["advice"] in {"act", "answer", "ask"}
    assert asked.structured_content["reason"]
    why = await client.call_tool("why", {"memory_id": memory_id})
    assert why.structured_content is not None
    assert why.structured_content["decision"]["by"] == "policy"
    [content] = (await client.read_resource(f"memory://memories/{memory_id}")).contents
    assert content.mime_type == "application/json"
    assert json.loads(content.text)["id"] == memory_id  # type: ignore[union-attr]
    [content] = (await client.read_resource("memory://profile")).contents
    assert json.loads(content.text) == {"memories": [], "total": 0}  # type: ignore[union-attr]


async def _forgotten(client: Client, memory_id: str, question: dict[str, object]) -> None:
    gone = {"memory_id": memory_id, "forgotten": True}
    for _ in range(2):
        forgotten = await client.call_tool("forget", {"memory_id": memory_id, "reason": "They prefer coffee."})
        assert forgotten.structured_content == gone, said(forgotten)
    again = await client.call_tool("recall", question)
    assert again.structured_content == {"hits": []}
    missing = await client.call_tool("why", {"memory_id": memory_id})
    assert missing.is_error
    assert said(missing) == "There is no such memory."
    with pytest.raises(MCPError, match=r"There is no such memory\."):
        await client.read_resource(f"memory://memories/{memory_id}")
