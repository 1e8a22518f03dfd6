"""docs/deployment.md, backup and restore: on a second machine everything is as it was, whatever came in between."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from core.bootstrap import build_layer, restore_ledger
from core.layer import MemoryLayer
from core.model import Scope
from core.settings import Settings
from core.store import EmbeddedPostgres
from tests.acceptance.life import WEB, Life, ruling
from tests.acceptance.test_runs_elsewhere import until
from tests.conftest import PASSWORD, MakeConsole

QUESTIONS = ("Where do I live?", "What am I allergic to?", "Is the venue step-free?", "Who is my dentist?")


@pytest.fixture(params=["a file", "a database"])
def ledgers(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Addresses of the ledger here and on the second machine; "" for a file."""
    if request.param == "a file":
        return "", ""
    here = request.getfixturevalue("ledger_url")
    return here, request.getfixturevalue("second_ledger_url")


@pytest.fixture
def second_ledger_url(ledger_url: str) -> Iterator[str]:
    """An empty database of the same role."""
    name = f"{conninfo_to_dict(ledger_url)['dbname']}b"
    admin = make_conninfo(ledger_url, user="postgres", dbname="postgres")
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} OWNER {conninfo_to_dict(ledger_url)['user']}")
    yield make_conninfo(ledger_url, dbname=name)
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_database(postgres_server: EmbeddedPostgres) -> Iterator[str]:
    """Where the dump is restored into."""
    admin, name = postgres_server.start(), f"restored{time.time_ns()}"
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}")
        conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    yield make_conninfo(admin, dbname=name)
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


def program(name: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(EmbeddedPostgres.binary(name)), *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def recalled(layer: MemoryLayer, scope: Scope) -> list[list[tuple[str, str]]]:
    """What each question brings up."""
    return [
        [(hit.memory.memory_id, hit.memory.text) for hit in layer.agent.recall(one, scope).hits] for one in QUESTIONS
    ]


def sealed(url: str) -> list[tuple[Any, ...]]:
    """Every memory with its state and the digest that its row is sealed with, past the product."""
    with psycopg.connect(url, autocommit=True) as conn:
        return conn.execute(
            "SELECT memory_id, status, version, row_mac FROM chronomemory.memory ORDER BY memory_id"
        ).fetchall()


def test_a_second_machine_has_the_same_recall_digests_and_chain(
    make_console: MakeConsole,
    ledgers: tuple[str, str],
    database_url: str,
    empty_database: str,
    tmp_path: Path,
    embedder: Any,
) -> None:
    console = make_console(ledger_url=ledgers[0])
    life, layer, admin = Life(console), console.layer, console.admin
    life.say("I'm allergic to penicillin, and I live in Lisbon.")
    life.say("My dentist is Dr. Moreau.")
    item = life.held(life.say("The venue has step-free access.", channel=WEB))
    dumped = tmp_path / "memory.dump"
    program("pg_dump", "--format=custom", f"--file={dumped}", database_url)
    life.say("I live in Oslo now.")  # between the dump and the snapshot: the ledger knows more than the dump
    layer.review.resolve(admin, ruling(item))
    layer.memories.forget(admin, life.fact("Moreau").memory_id, "moved away")
    console.settle()
    snapshot = tmp_path / "snapshot.sqlite3"
    head = layer.lifecycle.snapshot(admin, snapshot)
    before, rows = recalled(layer, admin.scope), sealed(database_url)
    data = tmp_path / "second machine"
    data.mkdir(mode=0o700)
    shutil.copy2(tmp_path / "data" / "secret", data / "secret")
    layer.close()

    settings = Settings(
        _env_file=None,
        chronomemory_data=data,
        database_url=empty_database,
        ledger_url=SecretStr(ledgers[1]),
        chronomemory_worker=False,
    )
    program("pg_restore", f"--dbname={empty_database}", str(dumped))
    assert restore_ledger(settings, snapshot) == head
    second = build_layer(settings, clock=console.clock, embedder=embedder)
    try:
        second.start()
        until(lambda: second.health()["store"] == "ok")
        second.drain()
        after = recalled(second, admin.scope)
        assert after == before
        assert "Oslo" in after[0][0][1]
        assert not any("Moreau" in text for _, text in after[3])
        assert sealed(empty_database) == rows
        _session, token = second.accounts.sign_in("ada", PASSWORD, "127.0.0.1", "tests")
        ada = second.accounts.resolve(token)
        assert ada is not None
        assert second.audit_desk.verify(ada).ok
        found = second.lifecycle.reconcile(ada, ada.scope)
        assert not any((found.altered, found.missing, found.returned, found.restated))
    finally:
        second.close()
