"""stdio: the official client starts the real command as a child process, as Claude Desktop or an editor would."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from typer.testing import CliRunner

from core.entrypoints.cli import app
from core.entrypoints.mcp import words
from core.entrypoints.mcp.relay import Far
from core.entrypoints.mcp.stdio import patiently
from core.entrypoints.serving import Served
from core.errors import StoreUnavailable
from tests.mcp.conftest import Hall, Lent, said, serve
from tests.mcp.tour import tour

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("-m", "core.entrypoints.cli", "mcp")


def environment(hall: Hall, token: str, **more: str) -> dict[str, str]:
    return {
        "PYTHONPATH": str(ROOT),
        "PATH": os.environ["PATH"],
        "CHRONOMEMORY_DATA": str(hall.settings.chronomemory_data),
        "DATABASE_URL": hall.settings.database_url,
        "CHRONOMEMORY_AGENT_KEY": token,
        "OMP_NUM_THREADS": "1",
        **more,
    }


def child(hall: Hall, token: str, *options: str, log: Any, **more: str) -> Client:
    """A client whose server is the command; `log` gets what it writes to stderr."""
    command = StdioServerParameters(
        command=sys.executable, args=[*COMMAND, *options], env=environment(hall, token, **more)
    )
    return Client(stdio_client(command, errlog=log), read_timeout_seconds=120)


def test_a_child_process_opens_the_memory_beside_the_one_that_runs(hall: Hall, tmp_path: Path) -> None:
    """It reads what it was given with a worker of its own, and a key that is revoked ends in mid-session."""
    token = hall.key("desktop")
    [key] = [one for one in hall.layer.keys.list(hall.ada) if one.agent == "desktop"]

    async def go() -> None:
        with (tmp_path / "log").open("w") as log:
            async with child(hall, token, log=log) as client:
                await tour(client, lambda: None, patience=120)
                hall.layer.keys.revoke(hall.ada, key.key_id)
                refused = await client.call_tool("recall", {"query": "Anything?"})
                assert refused.is_error
                assert said(refused) == words.NO_KEY_HERE
                with pytest.raises(MCPError, match="CHRONOMEMORY_AGENT_KEY"):
                    await client.read_resource("memory://profile")

    anyio.run(go)
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_child_process_passes_on_to_a_server_that_runs(hall: Hall, tmp_path: Path) -> None:
    token = hall.key("editor")
    [key] = [one for one in hall.layer.keys.list(hall.ada) if one.agent == "editor"]

    async def go() -> None:
        with (tmp_path / "log").open("w") as log:
            nothing = {"CHRONOMEMORY_DATA": str(tmp_path / "none"), "NO_PROXY": "*"}
            async with child(hall, token, "--url", hall.url, log=log, **nothing) as client:
                await tour(client, hall.settle)
                hall.layer.keys.revoke(hall.ada, key.key_id)
                with pytest.raises(MCPError, match="Send a key that is in use"):
                    await client.call_tool("recall", {"query": "Anything?"})

    anyio.run(go)
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("options", "changed", "status", "told"),
    [
        ((), {"CHRONOMEMORY_AGENT_KEY": ""}, 3, "CHRONOMEMORY_AGENT_KEY"),
        ((), {"CHRONOMEMORY_DATA": "/nowhere/at/all"}, 3, "CHRONOMEMORY_DATA"),
        (("--url", "http://127.0.0.1:9/mcp"), {}, 3, "No server answers"),
        (("--url", "HALL"), {"CHRONOMEMORY_AGENT_KEY": "cmk_unknown"}, 1, "Send a key that is in use"),
    ],
)
def test_what_cannot_work_says_so_on_stderr_and_nothing_on_stdout(
    hall: Hall, options: tuple[str, ...], changed: dict[str, str], status: int, told: str
) -> None:
    given = [hall.url if one == "HALL" else one for one in options]
    env = environment(hall, "cmk_x", NO_PROXY="*") | changed
    done = CliRunner().invoke(app, ["mcp", *given], env=env, catch_exceptions=False)
    assert done.exit_code == status, done.output
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_relay_outlives_a_restart_of_its_server(hall: Hall) -> None:
    headers = {"authorization": f"Bearer {hall.key('patient')}"}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def up() -> Callable[[], None]:
        return serve(hall.settings, lambda: Lent(hall.layer), port=port)[0]

    async def go() -> None:
        async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
            far = Far(f"http://127.0.0.1:{port}/mcp", http)
            stop = await anyio.to_thread.run_sync(up)
            assert len((await far.ask(Client.list_tools)).tools) == 5
            await anyio.to_thread.run_sync(stop)
            with anyio.fail_after(30), pytest.raises(MCPError, match="No server answers at"):
                await far.ask(Client.list_tools)
            stop = await anyio.to_thread.run_sync(up)
            assert len((await far.ask(Client.list_tools)).tools) == 5
            await anyio.to_thread.run_sync(stop)

    anyio.run(go)


def test_a_call_waits_for_a_memory_that_starts_and_not_for_ever(hall: Hall) -> None:
    go_on = threading.Event()
    served = Served(lambda: go_on.wait(30) and hall.layer)  # type: ignore[arg-type, return-value]
    served.begin()
    assert patiently(served, seconds=0.1)() is None
    waited: list[Any] = []
    waiter = threading.Thread(target=lambda: waited.append(patiently(served, seconds=30)()))
    waiter.start()
    time.sleep(0.1)
    assert waited == []
    go_on.set()
    waiter.join(timeout=30)
    assert waited == [hall.layer]


def test_a_memory_that_cannot_start_is_told_at_once() -> None:
    def broken() -> Any:
        raise OSError("no disk")

    served = Served(broken)
    served.begin()
    with pytest.raises(StoreUnavailable, match="the log says why"):
        patiently(served, seconds=30)()
