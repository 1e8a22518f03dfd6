"""A real Postgres for the tests: one embedded server a session, one fresh database a test."""

from __future__ import annotations

import itertools
import math
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from core.model import Effect, EffectKind, Memory, MemoryKind, Root, Scope, SourceKind
from core.ports import OutboxItem
from core.slots import slot_key
from core.store.embedded import EmbeddedPostgres
from core.store.keeper import PostgresKeeper
from core.store.partition import partition
from core.store.people import PostgresPeople
from core.store.postgres import PostgresStore

DIMENSIONS = 8
IDENTITY = "test-model@sha256:00"
MAC_KEY = b"k" * 32
PARTS = 3  # of a store in partitions: enough that the tests' owners do not all lie in one
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANN = Scope(tenant="acme", owner="ann")
BEN = Scope(tenant="acme", owner="ben")


class StandingClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


class HashEmbedder:
    """Deterministic unit vectors from the text alone."""

    def __init__(self, identity: str = IDENTITY, dimensions: int = DIMENSIONS) -> None:
        self.identity = identity
        self.dimensions = dimensions

    def embed(self, texts):
        return [unit_vector(f"{self.identity}{text}", self.dimensions) for text in texts]


def unit_vector(seed: object, dimensions: int = DIMENSIONS) -> list[float]:
    """A random direction that depends on `seed` alone."""
    draw = random.Random(str(seed))  # noqa: S311 - reproducible on purpose
    raw = [draw.gauss(0, 1) for _ in range(dimensions)]
    length = math.sqrt(sum(x * x for x in raw))
    return [x / length for x in raw]


def make_memory(memory_id: str = "m1", text: str = "You are allergic to penicillin.", **changes: object) -> Memory:
    """A valid active memory; `subject` and `attribute` set the slot unless it is given."""
    subject = str(changes.pop("subject", "user"))
    attribute = str(changes.pop("attribute", "allergy"))
    memory = Memory(
        memory_id=memory_id,
        scope=ANN,
        kind=MemoryKind.FACT,
        subject=subject,
        attribute=attribute,
        slot_key=slot_key(subject, attribute),
        value="penicillin",
        text=text,
        importance=0.8,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="turn:1",
        source_title="",
        actor="ann",
        episode_id="e1",
        conversation_id="c1",
        serial_no=1,
        roots=(Root(episode_id="e1", source_kind=SourceKind.USER_TURN, source_ref="turn:1", trust=1.0),),
        stated_at=NOW,
        created_at=NOW,
    )
    return replace(memory, **changes)


class Relay:
    """Hands effects to a store as the outbox does: numbered, each with its own id."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self._numbers = itertools.count(1)

    def item(self, kind: EffectKind, memory_id: str, *, scope: Scope = ANN, at: datetime = NOW, **parts) -> OutboxItem:
        number = next(self._numbers)
        effect = Effect(effect_id=f"f{number}", kind=kind, scope=scope, memory_id=memory_id, at=at, **parts)
        return OutboxItem(effect=effect, ledger_seq=number, ledger_head=f"head{number}")

    def activate(self, memory: Memory, vector: list[float] | None = None) -> OutboxItem:
        item = self.item(EffectKind.ACTIVATE, memory.memory_id, scope=memory.scope, memory=memory)
        embedding = vector if vector is not None else unit_vector(memory.text)
        assert self.store.apply(item, embedding=embedding)
        return item

    def send(self, kind: EffectKind, memory_id: str, *, later: timedelta = timedelta(0), **parts) -> OutboxItem:
        item = self.item(kind, memory_id, at=NOW + later, **parts)
        assert self.store.apply(item, embedding=None)
        return item


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[EmbeddedPostgres]:
    """One embedded server for the run. Not under pytest's folder: that one is closed to the server's account."""
    with tempfile.TemporaryDirectory(prefix="chronomemory-tests-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.fixture(scope="session")
def store_template(postgres_server) -> str:
    """A migrated database that the others are copied from."""
    admin = postgres_server.start()
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute("CREATE DATABASE store_template")
    PostgresStore.open(
        make_conninfo(admin, dbname="store_template"), dimensions=DIMENSIONS, embedding_identity=IDENTITY
    ).close()
    return "store_template"


@pytest.fixture(scope="session")
def parted_template(postgres_server, store_template) -> str:
    """The same in partitions by owner."""
    admin = postgres_server.start()
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute("CREATE DATABASE parted_template TEMPLATE store_template")
        conn.execute("REVOKE TEMPORARY ON DATABASE parted_template FROM PUBLIC")
    partition(make_conninfo(admin, dbname="parted_template"), parts=PARTS)
    return "parted_template"


@pytest.fixture
def store_layout() -> str:
    """How the tests' store is kept, "plain" or "parted"; some folders ask for both."""
    return "plain"


@pytest.fixture(scope="session")
def database_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def make_database(postgres_server, database_numbers) -> Iterator[Callable[..., str]]:
    """Makes databases that go at the test's end; returns their conninfo."""
    admin = postgres_server.start()
    made: list[str] = []

    def make(template: str = "template1") -> str:
        name = f"store_{next(database_numbers)}"
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
            )
            # A copy keeps no database privileges; the migration took this one away in the template.
            conn.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))
        made.append(name)
        return make_conninfo(admin, dbname=name)

    yield make
    with psycopg.connect(postgres_server.start(), autocommit=True) as conn:
        for name in made:
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def store_conninfo(make_database, store_layout, request) -> str:
    """A migrated, empty database."""
    return make_database(request.getfixturevalue(f"{'parted' if store_layout == 'parted' else 'store'}_template"))


@pytest.fixture
def store_clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def postgres_store(store_conninfo, store_clock) -> Iterator[PostgresStore]:
    """A store on a migrated, empty database of its own."""
    store = PostgresStore.open(
        store_conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY, mac_key=MAC_KEY, clock=store_clock
    )
    yield store
    store.close()


@pytest.fixture
def postgres_people(postgres_store) -> PostgresPeople:
    return PostgresPeople(postgres_store.database)


@pytest.fixture
def postgres_keeper(postgres_store, store_conninfo) -> PostgresKeeper:
    return PostgresKeeper(store_conninfo, mac_key=MAC_KEY)


@pytest.fixture
def relay(postgres_store) -> Relay:
    return Relay(postgres_store)
