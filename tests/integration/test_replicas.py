"""Recall on a real streaming replica: what it may answer, what it must not, and what becomes of recall when it is away."""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from core.bootstrap import build_layer
from core.credentials import AccountLimits
from core.entrypoints.doctor import FAIL, OK, WARN, Doctor
from core.errors import Misconfigured
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import Actor, RunState, Scope, SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres, PostgresStore
from core.store import replica as replica_module
from core.store.position import completed
from core.store.replicapool import Behind, ReplicaDatabase
from tests.fakes import HashEmbedder
from tests.standby import Standby, as_uri, room_for, searches_in, until

BOUND = 0.6  # seconds that a replica may be behind
ADA, BEN = Scope(tenant="t1", owner="ada"), Scope(tenant="t1", owner="ben")
PASSWORD = "correct horse battery"
ASKED = "What am I allergic to?"


@dataclass
class Pair:
    """A primary with its replica, and the databases that the tests get on them."""

    primary: EmbeddedPostgres
    replica: Standby
    folder: Path
    template: str
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def database(self) -> str:
        """A new, migrated database on both, whose statements both servers log."""
        admin, name = self.primary.start(), f"replicated{next(self.numbers)}"
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {self.template}")
            conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
            conn.execute(f"ALTER DATABASE {name} SET log_statement = 'all'")
        self.catch_up()
        return make_conninfo(admin, dbname=name)

    def catch_up(self) -> None:
        """Wait until the replica has replayed what the primary has written."""
        admin = self.primary.start()
        with psycopg.connect(admin, autocommit=True) as conn:
            [lsn] = conn.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone()
        until(lambda: self.replica.execute(admin, f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'") == (True,))


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="chronomemory-pair-", ignore_cleanup_errors=True) as name:
        folder = room_for(Path(name))
        primary = EmbeddedPostgres(folder / "p")
        admin = primary.start()
        model = HashEmbedder()
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute("CREATE DATABASE first")
        PostgresStore.open(
            make_conninfo(admin, dbname="first"), dimensions=model.dimensions, embedding_identity=model.identity
        ).close()
        replica = Standby(primary, folder / "r")
        yield Pair(primary=primary, replica=replica, folder=folder, template="first")
        replica.stop()
        primary.stop()


@pytest.fixture
def database(pair: Pair) -> Iterator[str]:
    if not pair.replica.pid():
        pair.replica.start()
    pair.replica.resume()
    made = pair.database()
    yield made
    if pair.replica.pid():
        pair.replica.signal(signal.SIGCONT)
        pair.replica.resume()
    with psycopg.connect(pair.primary.start(), autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {conninfo_to_dict(made)['dbname']} WITH (FORCE)")


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.bootstrap.AccountLimits", partial(AccountLimits, bcrypt_rounds=4))


@contextmanager
def layer_on(data: Path, conninfo: str, *replicas: str, **given: object) -> Iterator[MemoryLayer]:
    settings = Settings(
        _env_file=None,
        chronomemory_data=data,
        database_url=conninfo,
        database_read_urls=" ".join(replicas),
        chronomemory_worker=False,
        **({"database_read_staleness_seconds": BOUND} | given),
    )
    layer = build_layer(settings, embedder=HashEmbedder(), pause=lambda _seconds: None)
    layer.start()
    try:
        until(lambda: layer.health()["store"] == "ok")
        yield layer
    finally:
        layer.close()


@pytest.fixture
def layer(pair: Pair, database: str, tmp_path: Path) -> Iterator[MemoryLayer]:
    with layer_on(tmp_path, database, as_uri(pair.replica.to(database))) as made:
        until(lambda: in_use(made) == 1)
        yield made


def in_use(layer: MemoryLayer) -> int:
    """Replicas in use, as health says."""
    state = layer.health()["replicas"]
    return int(state.split()[1]) if state.startswith("ok: ") else 0


def tell(layer: MemoryLayer, text: str, scope: Scope = ADA) -> None:
    layer.agent.submit(
        Submission(scope=scope, conversation_id="c1", channel=SourceKind.USER_TURN, text=text, actor=scope.owner)
    )
    layer.drain()
    assert layer.ledger.waiting(scope) == 0


def ask(layer: MemoryLayer, question: str = ASKED, scope: Scope = ADA) -> str:
    """Everything that is found, as one text."""
    return " ".join(one.memory.text for one in layer.agent.recall(question, scope).hits)


@dataclass
class Counted:
    """Searches that each server ran, as its own log tells."""

    pair: Pair
    before: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.before = self._now()

    def _now(self) -> tuple[int, int]:
        return searches_in(self.pair.primary.log), self.pair.replica.searches()

    @property
    def since(self) -> tuple[int, int]:
        """(on the primary, on the replica)."""
        now = self._now()
        return now[0] - self.before[0], now[1] - self.before[1]


def on_replica(pair: Pair, layer: MemoryLayer, question: str = ASKED, scope: Scope = ADA) -> bool:
    """Ask, and say whether the replica alone was asked."""
    counted = Counted(pair)
    ask(layer, question, scope)
    primary, replica = counted.since
    assert primary + replica >= 1
    return primary == 0


def rows(pair: Pair, database: str) -> int:
    """Memories that the replica can see, past row-level security."""
    return pair.replica.execute(database, "SELECT count(*) FROM chronomemory.memory WHERE status = 'active'")[0]


# --- where recall reads --------------------------------------------------------------------------------------------


def test_recall_is_answered_by_the_replica_alone_and_everything_else_by_the_primary(pair, layer):
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    counted = Counted(pair)
    for _ in range(5):
        assert "penicillin" in ask(layer)
    assert counted.since == (0, 5)
    assert layer.health()["replicas"].startswith("ok: 1 of 1 in use, at most 0.")


def test_nothing_changes_where_no_replica_is_named(pair, database, tmp_path):
    with layer_on(tmp_path, database) as layer:
        tell(layer, "I'm allergic to penicillin.")
        counted = Counted(pair)
        assert "penicillin" in ask(layer)
        assert counted.since == (1, 0)
        assert "replicas" not in layer.health()
        assert layer.agent.recaller.store._holder is not None  # the store's stand-in itself, nothing in between


def test_the_whole_chat_works_on_it(pair, layer):
    actor = signed_in(layer)
    conversation = layer.chat.new_id()
    for text in ("I'm allergic to penicillin.", ASKED):
        run = layer.chat.ask(actor, conversation, text)
        until(lambda run=run: layer.chat.run(actor, run.run_id).state is not RunState.RUNNING)
        layer.drain()
        pair.catch_up()
    assert "penicillin" in layer.chat.run(actor, run.run_id).text
    assert on_replica(pair, layer, scope=actor.scope)


# --- what was written last -----------------------------------------------------------------------------------------


def test_what_was_just_written_is_recalled_while_the_replica_stands_still(pair, layer, database):
    tell(layer, "I'm allergic to penicillin.")
    tell(layer, "I live in Lisbon.", BEN)
    pair.catch_up()
    pair.replica.pause()
    tell(layer, "I'm allergic to peanuts.")
    counted = Counted(pair)
    assert "peanuts" in ask(layer)
    assert counted.since[0] == 1  # the primary answered, whether or not the replica was asked first
    pair.replica.resume()
    pair.catch_up()
    until(lambda: in_use(layer) == 1)
    assert on_replica(pair, layer)
    assert "peanuts" in ask(layer)


def test_whoever_wrote_nothing_stays_on_it_within_the_bound(pair, database, tmp_path):
    replica = as_uri(pair.replica.to(database))
    with layer_on(tmp_path, database, replica, database_read_staleness_seconds=30.0) as layer:
        until(lambda: in_use(layer) == 1)
        tell(layer, "I'm allergic to penicillin.")
        tell(layer, "I live in Lisbon.", BEN)
        pair.catch_up()
        pair.replica.pause()
        tell(layer, "I'm allergic to peanuts.")
        assert on_replica(pair, layer, "Where do I live?", BEN)
        assert not on_replica(pair, layer)
        assert in_use(layer) == 1


def test_what_another_process_wrote_counts_as_much(pair, database, tmp_path):
    replica = as_uri(pair.replica.to(database))
    bound = {"database_read_staleness_seconds": 30.0}
    with layer_on(tmp_path, database, replica, **bound) as here, layer_on(tmp_path, database, **bound) as elsewhere:
        until(lambda: in_use(here) == 1)
        tell(elsewhere, "I'm allergic to penicillin.")
        pair.catch_up()
        assert on_replica(pair, here)
        pair.replica.pause()
        tell(elsewhere, "I'm allergic to peanuts.")
        assert "peanuts" in ask(here)


def test_a_forgotten_fact_comes_from_no_replica_that_still_has_it(pair, database, tmp_path):
    replica = as_uri(pair.replica.to(database))
    with layer_on(tmp_path, database, replica, database_read_staleness_seconds=30.0) as layer:
        until(lambda: in_use(layer) == 1)
        actor = signed_in(layer)
        tell(layer, "I'm allergic to penicillin.", actor.scope)
        pair.catch_up()
        assert on_replica(pair, layer, scope=actor.scope)
        pair.replica.pause()
        assert layer.memories.forget_all(actor, "It was wrong.") > 0
        assert rows(pair, database) > 0  # the replica has it still
        assert "penicillin" not in ask(layer, scope=actor.scope)
        assert in_use(layer) == 1


def test_an_erased_person_is_recalled_from_nowhere(pair, database, tmp_path):
    replica = as_uri(pair.replica.to(database))
    with layer_on(tmp_path, database, replica, database_read_staleness_seconds=30.0) as layer:
        until(lambda: in_use(layer) == 1)
        ada = signed_in(layer)
        layer.accounts.accept_invitation(
            layer.accounts.invite(ada, ada_role(layer, ada), "bea"), "bea", "Bea", PASSWORD
        )
        tell(layer, "I'm allergic to penicillin.", ada.scope)
        pair.catch_up()
        pair.replica.pause()
        layer.lifecycle.erase(ada, ada.user_id)
        assert rows(pair, database) > 0
        assert ask(layer, scope=ada.scope) == ""
        pair.replica.resume()
        pair.catch_up()
        assert rows(pair, database) == 0


def signed_in(layer: MemoryLayer) -> Actor:
    layer.accounts.create_first_admin(layer.accounts.setup_token(), "ada", "Ada", PASSWORD)
    _session, token = layer.accounts.sign_in("ada", PASSWORD, "127.0.0.1", "tests")
    actor = layer.accounts.resolve(token)
    assert actor is not None
    return actor


def ada_role(layer: MemoryLayer, ada: Actor):
    """Of an admin beside, so that the first one may go."""
    return layer.accounts.authorise(ada).role


def test_a_rebuild_is_followed_by_the_replica(pair, layer):
    actor = signed_in(layer)
    tell(layer, "I'm allergic to penicillin.", actor.scope)
    pair.catch_up()
    assert on_replica(pair, layer, scope=actor.scope)
    assert layer.lifecycle.rebuild(actor) > 0
    assert "penicillin" in ask(layer, scope=actor.scope)
    pair.catch_up()
    assert on_replica(pair, layer, scope=actor.scope)
    assert "penicillin" in ask(layer, scope=actor.scope)


# --- the bound on staleness ----------------------------------------------------------------------------------------


def test_a_replica_beyond_the_bound_is_left_alone_and_taken_up_again(pair, layer, caplog):
    tell(layer, "I live in Lisbon.", BEN)
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    assert on_replica(pair, layer)
    with caplog.at_level(logging.INFO, logger="core.store.replica"):
        pair.replica.pause()
        tell(layer, "I live in Porto.", BEN)  # of somebody else: of Ada the replica has everything
        until(lambda: layer.health()["replicas"] == "down: the primary answers every recall (replica 1 behind)")
        counted = Counted(pair)
        assert "penicillin" in ask(layer)
        time.sleep(BOUND)
        assert counted.since == (1, 0)
        pair.replica.resume()
        until(lambda: in_use(layer) == 1)
        assert on_replica(pair, layer)
    told = [one.getMessage() for one in caplog.records if one.name == "core.store.replica"]
    assert [one.partition(") is ")[2].partition(":")[0] for one in told] == ["behind", "in use"]  # once a change


def test_a_primary_that_nobody_writes_to_leaves_its_replica_fresh(pair, layer):
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    deadline = time.monotonic() + 3 * BOUND
    while time.monotonic() < deadline:
        assert in_use(layer) == 1
        time.sleep(BOUND / 10)
    assert on_replica(pair, layer)


def test_without_the_primary_nothing_is_read_beyond_the_bound(pair, layer, monkeypatch):
    """What the replica has cannot be compared with anything then."""
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    [replica] = layer.agent.recaller.store.replicas
    monkeypatch.setattr(replica, "_primary", nobody)
    until(lambda: in_use(layer) == 0)
    assert not on_replica(pair, layer)


def nobody():
    raise Misconfigured("The primary is away.")


# --- a replica that goes -------------------------------------------------------------------------------------------


@contextmanager
def load(layer: MemoryLayer, callers: int = 2) -> Iterator[list[float]]:
    """Recalls from several threads; each must find what it asks for. Gives the seconds that each took."""
    stop, took = threading.Event(), []

    def one() -> None:
        while not stop.is_set():
            began = time.monotonic()
            assert "penicillin" in ask(layer)
            took.append(time.monotonic() - began)

    with ThreadPoolExecutor(callers) as pool:
        asked = [pool.submit(one) for _ in range(callers)]
        try:
            yield took
        finally:
            stop.set()
        for done in asked:
            done.result()


def test_a_replica_killed_under_load_fails_no_recall(pair, layer, monkeypatch):
    monkeypatch.setattr(replica_module, "LONGEST_PAUSE", 1.0)
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    assert on_replica(pair, layer)
    with load(layer) as took:
        until(lambda: len(took) > 20)
        pair.replica.kill()
        seen = len(took)
        until(lambda: len(took) > seen + 20)
        until(lambda: layer.health()["replicas"] == "down: the primary answers every recall (replica 1 down)")
        pair.replica.start()
        until(lambda: in_use(layer) == 1)
        seen = len(took)
        until(lambda: len(took) > seen + 20)
    pair.catch_up()
    until(lambda: on_replica(pair, layer))


def test_a_replica_that_neither_answers_nor_closes_fails_no_recall(pair, layer, monkeypatch):
    monkeypatch.setattr(replica_module, "PATIENCE", 1.0)
    tell(layer, "I'm allergic to penicillin.")
    pair.catch_up()
    assert on_replica(pair, layer)
    with load(layer) as took:
        until(lambda: len(took) > 20)
        pair.replica.signal(signal.SIGSTOP)
        seen = len(took)
        until(lambda: len(took) > seen + 20, patience=15.0)
        assert in_use(layer) == 0
        pair.replica.signal(signal.SIGCONT)
        until(lambda: in_use(layer) == 1)
    assert 0.5 < max(took) < 6.0  # one waited for it, none for long


def test_of_two_replicas_both_are_asked_and_one_is_enough(pair, database, tmp_path):
    with ExitStack() as stack:
        second = Standby(pair.primary, pair.folder / "second")
        stack.callback(second.stop)
        addresses = [as_uri(pair.replica.to(database)), as_uri(second.to(database))]
        layer = stack.enter_context(layer_on(tmp_path, database, *addresses))
        until(lambda: in_use(layer) == 2)
        tell(layer, "I'm allergic to penicillin.")
        pair.catch_up()
        until(lambda: second.execute(database, "SELECT count(*) FROM chronomemory.memory")[0] == 2)
        counted, before = Counted(pair), second.searches()
        for _ in range(10):
            ask(layer)
        assert counted.since == (0, 5)
        assert second.searches() - before == 5
        second.stop()
        until(lambda: layer.health()["replicas"].startswith("ok: 1 of 2 in use"))
        assert layer.health()["replicas"].endswith("; replica 2 down")
        assert on_replica(pair, layer)


# --- what is no replica of this store ------------------------------------------------------------------------------


def test_a_promoted_replica_and_the_primary_itself_are_refused(pair, database, tmp_path):
    with ExitStack() as stack:
        other = Standby(pair.primary, pair.folder / "promoted")
        stack.callback(other.stop)
        layer = stack.enter_context(layer_on(tmp_path, database, as_uri(other.to(database)), as_uri(database)))
        until(lambda: in_use(layer) == 1)
        first, second = layer.agent.recaller.store.replicas
        until(lambda: second.condition == "refused")
        assert "promoted, or it is the primary" in second.why
        tell(layer, "I'm allergic to penicillin.")
        other.promote()
        until(lambda: first.condition == "refused")
        assert layer.health()["replicas"].startswith("down: the primary answers every recall (replica 1 refused")
        counted = Counted(pair)
        assert "penicillin" in ask(layer)
        assert counted.since == (1, 0)


def test_between_two_looks_a_promoted_replica_is_noticed_by_the_recall_itself(pair, database):
    """It has the effect, and might be written to by somebody else."""
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO chronomemory.applied_effect (owner, effect_id, tenant, ledger_seq, ledger_head) "
            "VALUES ('ada', 'f1', 't1', 1, 'h')"
        )
    pair.catch_up()
    pools = [ReplicaDatabase(completed(as_uri(one))) for one in (pair.replica.to(database), database)]
    try:
        for pool, fit in zip(pools, (True, False), strict=True):
            for effect, scope in (("f1", ADA), ("f2", ADA), ("f1", BEN), ("f1", None), ("", ADA)):
                with pool.holding(effect):
                    if fit and (effect, scope) == ("f1", ADA):
                        assert pool.fetch("count", {"tenant": "t1", "owner": "ada", "agent": ""}, scope) == []
                        with pool.transaction(scope) as conn, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                            conn.execute("DELETE FROM memory")
                        continue
                    with pytest.raises(Behind):
                        pool.fetch("count", {"tenant": "t1", "owner": "ada", "agent": ""}, scope)
                    with pytest.raises(Behind), pool.transaction(scope):
                        pass
    finally:
        for pool in pools:
            pool.close()


def test_a_replica_of_another_server_is_refused(pair, database, tmp_path, store_conninfo, postgres_server):
    with ExitStack() as stack:
        stranger = Standby(postgres_server, pair.folder / "stranger")
        stack.callback(stranger.stop)
        layer = stack.enter_context(layer_on(tmp_path, database, as_uri(stranger.to(store_conninfo))))
        [replica] = layer.agent.recaller.store.replicas
        until(lambda: replica.condition == "refused")
        assert "no replica of the store's server" in replica.why
        tell(layer, "I'm allergic to penicillin.")
        assert "penicillin" in ask(layer)


def test_a_wrong_password_stops_neither_the_start_nor_recall(pair, database, tmp_path):
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("DROP ROLE IF EXISTS guest")
        conn.execute("CREATE ROLE guest LOGIN PASSWORD 'right'")
    pair.catch_up()
    rules = pair.replica.cluster / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"local all guest scram-sha-256\n{before}")
    pair.replica.execute(database, "SELECT pg_reload_conf()")
    try:
        address = as_uri(pair.replica.to(database, user="guest", password="not-right"))
        with layer_on(tmp_path, database, address) as layer:
            [replica] = layer.agent.recaller.store.replicas
            until(lambda: replica.condition == "down")
            assert "password authentication failed" in replica.why
            assert "not-right" not in replica.why + layer.health()["replicas"]
            tell(layer, "I'm allergic to penicillin.")
            assert "penicillin" in ask(layer)
    finally:
        rules.write_text(before)
        pair.replica.execute(database, "SELECT pg_reload_conf()")


def test_a_role_that_may_not_read_leaves_recall_to_the_primary(pair, database, tmp_path):
    """The watch finds it fresh; only the recall itself finds out."""
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("DROP ROLE IF EXISTS passerby")
        conn.execute("CREATE ROLE passerby LOGIN")
    pair.catch_up()
    with layer_on(tmp_path, database, as_uri(pair.replica.to(database, user="passerby"))) as layer:
        until(lambda: in_use(layer) == 1)
        tell(layer, "I'm allergic to penicillin.")
        pair.catch_up()
        for _ in range(3):
            assert "penicillin" in ask(layer)
        assert layer.health()["replicas"].startswith("down: ")


# --- whose rows, and which -----------------------------------------------------------------------------------------


def test_owners_and_seals_are_kept_apart_on_it_too(pair, layer, database):
    tell(layer, "I'm allergic to penicillin.")
    tell(layer, "I'm allergic to peanuts.", BEN)
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("UPDATE chronomemory.memory SET text = 'You are allergic to nothing.' WHERE owner = 'ben'")
    pair.catch_up()
    assert on_replica(pair, layer)
    assert on_replica(pair, layer, scope=BEN)
    assert "peanuts" not in ask(layer)
    assert ask(layer, scope=BEN) == ""  # changed past the ledger: no seal


# --- the doctor ----------------------------------------------------------------------------------------------------


def test_the_doctor_says_how_far_each_is_behind(pair, layer, database, tmp_path):
    def looked(*addresses: str):
        settings = Settings(
            _env_file=None,
            chronomemory_data=tmp_path,
            database_url=database,
            database_read_urls=" ".join(addresses),
            database_read_staleness_seconds=BOUND,
        )
        return Doctor(settings=settings, quick=True).replicas()

    replica = as_uri(pair.replica.to(database))
    found = looked(replica)
    assert found.state == OK
    assert "caught up in 0." in found.found
    found = looked(replica, as_uri(database))
    assert found.state == FAIL
    assert "2 is no replica" in found.found
    pair.replica.pause()
    tell(layer, "I'm allergic to penicillin.")
    found = looked(replica)
    assert found.state == WARN
    assert "bytes behind" in found.found
    pair.replica.resume()
    pair.replica.stop()
    found = looked(replica)
    assert (found.state, "does not answer" in found.found) == (WARN, True)


def test_without_replicas_the_doctor_says_nothing_of_them(tmp_path):
    settings = Settings(_env_file=None, chronomemory_data=tmp_path)
    assert "replicas" not in [one.part for one in Doctor(settings=settings, quick=True).findings()]
