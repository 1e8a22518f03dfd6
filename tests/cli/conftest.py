"""One installation for all tests of a module: made once, then only reached through the command."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner, Result

from core.bootstrap import build_layer
from core.credentials import AccountLimits
from core.entrypoints.cli import app
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import Role, SourceKind
from core.settings import Settings

PASSWORD = "correct horse battery"
HOSTILE = "The hall closes at 18:00.\x1b[2J\x1b[1;1H\u202eesruoc fo\u202c \x07\x9b31m\u2028"
LIFT = "The lift is out of order."


@dataclass
class House:
    """An installation and the environment in which a command finds it."""

    folder: Path
    database_url: str
    env: dict[str, str] = field(default_factory=dict)

    def settings(self) -> Settings:
        return Settings(
            _env_file=None,
            chronomemory_data=self.folder / "data",
            database_url=self.database_url,
            chronomemory_worker=False,
        )

    def run(self, *arguments: str, stdin: str | None = None, **env: str) -> Result:
        return CliRunner().invoke(app, list(arguments), input=stdin, env=self.env | env, catch_exceptions=False)

    def json(self, *arguments: str, status: int = 0, **env: str) -> Any:
        done = self.run(*arguments, "--json", **env)
        assert done.exit_code == status, done.output
        return json.loads(done.stdout)


@pytest.fixture(scope="module", autouse=True)
def _quick(embedder: Any) -> Iterator[None]:
    """The loaded model again, and cheap password hashes: both would be most of the run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.bootstrap.AccountLimits", partial(AccountLimits, bcrypt_rounds=4))
        patch.setattr("core.bootstrap.build_embedder", lambda _settings: embedder)
        yield


@pytest.fixture(scope="module")
def make_house(postgres_server: Any, migrated: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    admin, names = postgres_server.start(), list[str]()

    def make() -> House:
        name = f"cli{time.time_ns()}"
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
            conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        names.append(name)
        house = House(folder=tmp_path_factory.mktemp(name), database_url=make_conninfo(admin, dbname=name))
        house.env = {
            "CHRONOMEMORY_DATA": str(house.folder / "data"),
            "DATABASE_URL": house.database_url,
            "CHRONOMEMORY_PASSWORD": PASSWORD,
            "PORT": "58999",
        }
        layer = build_layer(house.settings(), pause=lambda _seconds: None)
        layer.start()
        try:
            _move_in(layer)
        finally:
            layer.close()
        return house

    yield make
    with psycopg.connect(postgres_server.start(), autocommit=True) as conn:
        for name in names:
            conn.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _move_in(layer: MemoryLayer) -> None:
    """An admin and a member; what the admin said, and a page with an attack on whoever reads it in a terminal."""
    deadline = time.monotonic() + 60
    while layer.health()["store"] != "ok" and time.monotonic() < deadline:
        time.sleep(0.02)
    accounts = layer.accounts
    accounts.create_first_admin(accounts.setup_token() or "", "ada", "Ada", PASSWORD)
    _session, token = accounts.sign_in("ada", PASSWORD, "", "tests")
    ada = accounts.resolve(token)
    assert ada is not None
    accounts.accept_invitation(accounts.invite(ada, Role.MEMBER, "ben"), "ben", "Ben", PASSWORD)
    said = (
        (SourceKind.USER_TURN, "I live in Porto. I'm allergic to penicillin."),
        (SourceKind.WEB_CONTENT, HOSTILE),
        (SourceKind.WEB_CONTENT, LIFT),
    )
    for kind, text in said:
        layer.agent.submit(
            Submission(
                scope=ada.scope,
                conversation_id="c1",
                channel=kind,
                text=text,
                actor=ada.user_id,
                source_ref="https://hall.example/\x1b]0;owned\x07",
            )
        )
    layer.drain()


@pytest.fixture(scope="module")
def house(make_house: Any) -> House:
    """The module's installation."""
    made: House = make_house()
    return made
