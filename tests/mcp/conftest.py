"""One installation, served over HTTP on loopback as `chronomemory serve` serves it, and spoken to by MCP clients."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
import uvicorn
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from psycopg.conninfo import make_conninfo

from core.bootstrap import build_layer
from core.credentials import AccountLimits
from core.entrypoints.serving import make_server
from core.layer import MemoryLayer
from core.model import Actor, Role, SourceKind
from core.settings import Settings

PASSWORD = "correct horse battery"


class Lent:
    """A layer that somebody else starts and closes."""

    def __init__(self, layer: MemoryLayer) -> None:
        self._layer = layer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)

    def start(self) -> None:
        """It runs."""

    def close(self) -> None:
        """It goes on."""


@dataclass
class Hall:
    """An installation, its admin, and where it is served."""

    layer: MemoryLayer
    settings: Settings
    ada: Actor
    base: str

    @property
    def url(self) -> str:
        return f"{self.base}/mcp"

    def key(
        self,
        agent: str,
        who: Actor | None = None,
        *,
        channel: SourceKind = SourceKind.AGENT_TURN,
        shared: bool = False,
    ) -> str:
        _, token = self.layer.keys.create(who or self.ada, agent, channel=channel, shared=shared)
        return token

    def member(self, name: str) -> Actor:
        accounts = self.layer.accounts
        accounts.accept_invitation(accounts.invite(self.ada, Role.MEMBER, name), name, name.title(), PASSWORD)
        return signed_in(self.layer, name)

    def settle(self) -> None:
        """Everything that was remembered has been read."""
        self.layer.drain()
        assert self.layer.ledger.unprocessed() == 0

    def post(self, token: str = "", body: Any = None, **headers: str) -> httpx2.Response:
        """One message as a program that is no MCP client would send it."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} if body is None else body
        standard = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
        if token:
            standard["authorization"] = f"Bearer {token}"
        return httpx2.post(self.url, json=message, headers=standard | headers, trust_env=False)


@asynccontextmanager
async def client_of(url: str, token: str, *, mode: str = "auto") -> AsyncIterator[Client]:
    """A client over HTTP. `mode`: "auto" speaks the newest protocol, "legacy" the one with a handshake."""
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def said(result: Any) -> str:
    """The text of a tool's answer."""
    return "".join(one.text for one in result.content)


def signed_in(layer: MemoryLayer, name: str) -> Actor:
    _session, token = layer.accounts.sign_in(name, PASSWORD, "", "tests")
    actor = layer.accounts.resolve(token)
    assert actor is not None
    return actor


@pytest.fixture(scope="package")
def make_hall(
    postgres_server: Any, migrated: str, embedder: Any, tmp_path_factory: Any
) -> Iterator[Callable[..., Hall]]:
    admin = postgres_server.start()
    ends: list[Callable[[], None]] = []

    def make(**given: Any) -> Hall:
        name = f"mcp{time.time_ns()}"
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
            conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        folder: Path = tmp_path_factory.mktemp(name)
        settings = Settings(
            _env_file=None,
            chronomemory_data=folder / "data",
            database_url=make_conninfo(admin, dbname=name),
            chronomemory_worker=False,
            **given,
        )
        layer = build_layer(settings, embedder=embedder, pause=lambda _seconds: None)
        layer.start()
        stop, base = serve(settings, lambda: Lent(layer))
        ends.extend((stop, layer.close, lambda: drop(admin, name)))
        deadline = time.monotonic() + 60
        while layer.health()["store"] != "ok" and time.monotonic() < deadline:
            time.sleep(0.02)
        layer.accounts.create_first_admin(layer.accounts.setup_token() or "", "ada", "Ada", PASSWORD)
        return Hall(layer=layer, settings=settings, ada=signed_in(layer, "ada"), base=base)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.bootstrap.AccountLimits", partial(AccountLimits, bcrypt_rounds=4))
        yield make
    for end in ends:
        end()


@pytest.fixture(scope="package")
def hall(make_hall: Callable[..., Hall]) -> Hall:
    return make_hall()


def serve(settings: Settings, make_layer: Callable[[], Any], *, port: int = 0) -> tuple[Callable[[], None], str]:
    """Serve a layer in a thread, on a free port if none is given; returns what stops it, and its address."""
    app = make_server(settings, make_layer)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, name="served", daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    def stop() -> None:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive()

    return stop, f"http://127.0.0.1:{port}"


def drop(admin: str, name: str) -> None:
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")
