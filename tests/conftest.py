"""What every test gets: no network but loopback, no model calls but to a local server, one embedded Postgres a run."""

from __future__ import annotations

import gc
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.bootstrap import build_embedder, build_layer
from core.credentials import AccountLimits
from core.layer import MemoryLayer
from core.llm import client
from core.model import Actor, Role, Run, RunState
from core.settings import Settings
from core.store import EmbeddedPostgres, PostgresStore
from tests.factories import NOW, FixedClock
from tests.store_fixtures import *  # noqa: F403 - pytest finds fixtures here

PASSWORD = "correct horse battery"
_connect = socket.socket.connect


def _only_loopback(self: socket.socket, address: Any) -> Any:
    host = address[0] if isinstance(address, tuple) else ""
    if self.family in (socket.AF_INET, socket.AF_INET6) and not str(host).startswith(("127.", "::1", "localhost")):
        msg = f"a test tried to reach {host}: the network is off in tests"
        raise AssertionError(msg)
    return _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    socket.socket.connect = _only_loopback  # type: ignore[method-assign]
    client.ALLOW_MODEL_REQUESTS = False  # but to a server on this machine
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]


_loaded = 0  # modules when what they hold was last left out of garbage collection


@pytest.fixture(autouse=True, scope="module")
def _heap_at_rest() -> None:
    """What is loaded stays: without this a tenth of the run walks it again, a page's script at each of its ends."""
    global _loaded  # noqa: PLW0603 - the process's heap is one
    if len(sys.modules) > _loaded + 200:
        _loaded = len(sys.modules)
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def migrated(postgres_server: EmbeddedPostgres, embedder: Any) -> str:
    """Name of a migrated database for the packaged model: copying it is faster than migrating each time."""
    admin, name = postgres_server.start(), "console_template"
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}")
    PostgresStore.open(
        make_conninfo(admin, dbname=name), dimensions=embedder.dimensions, embedding_identity=embedder.identity
    ).close()
    return name


@pytest.fixture
def database_url(postgres_server: EmbeddedPostgres, migrated: str) -> Iterator[str]:
    """A fresh database on the run's server, with nothing in it but the schema."""
    admin = postgres_server.start()
    name = f"t{time.time_ns()}"
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
        conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")  # a copy keeps no database privileges
    yield make_conninfo(admin, dbname=name)
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def ledger_url(postgres_server: EmbeddedPostgres) -> Iterator[str]:
    """A new database that belongs to a role of its own."""
    admin, name = postgres_server.start(), f"ledger{time.time_ns()}"
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"CREATE ROLE {name} LOGIN")
        conn.execute(f"CREATE DATABASE {name} OWNER {name}")
    yield make_conninfo(admin, dbname=name, user=name)
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")
        conn.execute(f"DROP ROLE {name}")


@pytest.fixture(scope="session")
def embedder() -> Any:
    """The packaged model, loaded once."""
    return build_embedder(Settings(_env_file=None))


@dataclass
class Console:
    """A started layer with a signed-in admin, driven as the pages drive it."""

    layer: MemoryLayer
    clock: FixedClock
    admin: Actor

    def person(self, name: str, role: Role) -> Actor:
        token = self.layer.accounts.invite(self.admin, role, name)
        self.layer.accounts.accept_invitation(token, name, name.title(), PASSWORD)
        return self.sign_in(name)

    def sign_in(self, name: str) -> Actor:
        _session, token = self.layer.accounts.sign_in(name, PASSWORD, "127.0.0.1", "tests")
        actor = self.layer.accounts.resolve(token)
        assert actor is not None
        return actor

    def ask(self, text: str, *, actor: Actor | None = None, conversation: str = "") -> Run:
        """Ask in a conversation (a new one by default), wait for the answer, and let the worker finish."""
        who = actor or self.admin
        run = self.layer.chat.ask(who, conversation or self.layer.chat.new_id(), text)
        deadline = time.monotonic() + 60
        while run.state is RunState.RUNNING and time.monotonic() < deadline:
            time.sleep(0.01)
            run = self.layer.chat.run(who, run.run_id)
        self.settle()
        return run

    def settle(self) -> None:
        """Everything submitted so far has gone through the write path, here or with a worker that has it already."""
        deadline = time.monotonic() + 60
        self.layer.drain()
        while self.layer.ledger.unprocessed() and time.monotonic() < deadline:
            time.sleep(0.02)
            self.layer.drain()
        assert self.layer.ledger.unprocessed() == 0


MakeConsole = Callable[..., Console]


@pytest.fixture
def make_console(
    tmp_path: Path, database_url: str, embedder: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[MakeConsole]:
    """Starts a layer on the real stores with given settings; the test drives the worker, nothing runs behind its back.

    CHRONOMEMORY_TEST_LEDGER=postgres keeps the ledger in a database of its own instead of in a file.
    """
    started: list[MemoryLayer] = []
    # Hashing a password takes a quarter of a second on purpose; here it would be most of the run.
    monkeypatch.setattr("core.bootstrap.AccountLimits", partial(AccountLimits, bcrypt_rounds=4))

    elsewhere = (
        request.getfixturevalue("ledger_url") if os.environ.get("CHRONOMEMORY_TEST_LEDGER") == "postgres" else ""
    )

    def make(**given: Any) -> Console:
        standard: dict[str, Any] = {
            "ledger_url": elsewhere,
            "chronomemory_data": tmp_path / "data",
            "database_url": database_url,
            "chronomemory_worker": False,
            "idle_minutes": 60 * 24 * 365,
            "absolute_hours": 24 * 365,
        }
        settings = Settings(_env_file=None, **(standard | given))
        clock = FixedClock(NOW)
        layer = build_layer(settings, clock=clock, embedder=embedder, pause=lambda _seconds: None)
        started.append(layer)
        layer.start()
        deadline = time.monotonic() + 60
        while layer.health()["store"] != "ok" and time.monotonic() < deadline:
            time.sleep(0.02)
        token = layer.accounts.setup_token()
        assert token is not None
        layer.accounts.create_first_admin(token, "ada", "Ada", PASSWORD)
        made = Console(layer=layer, clock=clock, admin=None)  # type: ignore[arg-type]
        made.admin = made.sign_in("ada")
        return made

    yield make
    for layer in started:
        layer.close()


@pytest.fixture
def console(make_console: MakeConsole) -> Console:
    """A layer without a model."""
    return make_console()
