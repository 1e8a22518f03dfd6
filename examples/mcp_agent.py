"""An agent whose memory is reached over MCP: what one conversation told it, the next one knows.

Start the console (`chronomemory run`), make a key on the Account page, then:

    CHRONOMEMORY_AGENT_KEY=cmk_… python examples/mcp_agent.py [http://localhost:8501/mcp]
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

NOTE = "The user's flight to Oslo leaves on Friday at 9."
QUESTION = "When does the flight to Oslo leave?"


async def call(memory: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """One tool's answer; what the server refuses is raised in its words."""
    answer = await memory.call_tool(tool, arguments)
    if answer.is_error:
        raise RuntimeError(answer.content[0].text)
    return answer.structured_content


async def main(url: str, key: str) -> None:
    """First conversation: remember. Second one: recall, and ask what may be done with it."""
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as memory,
    ):
        stored = await call(memory, "remember", text=NOTE, conversation="monday")
        print(f"stored as {stored['counts_as']}, {stored['episode_id']}")
        hits: list[dict[str, Any]] = []
        for _ in range(60):  # what was stored is read and judged in the background
            hits = (await call(memory, "recall", query=QUESTION, conversation="thursday"))["hits"]
            if hits:
                break
            await asyncio.sleep(1)
        for hit in hits:
            print(f"{hit['memory']['text']} (trust {hit['composite_trust']:.2f})")
        advice = await call(memory, "ask", question=QUESTION)
        print(f"{advice['advice']}: {advice['reason']}")


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8501/mcp"
    asyncio.run(main(address, os.environ["CHRONOMEMORY_AGENT_KEY"]))
