"""A standby that had not received the last transactions takes over: what it lacks is noticed and applied again."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.bootstrap import SystemClock, build_layer
from core.credentials import AccountLimits
from core.entrypoints.doctor import FAIL, OK, Doctor
from core.errors import StoreUnavailable
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import Actor, Role, Scope, SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres
from tests.fakes import HashEmbedder
from tests.standby import Standby, room_for, until

PASSWORD = "correct horse battery"


@dataclass
class LaterClock(SystemClock):
    """The machine's clock, put forward."""

    ahead: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return super().now() + self.ahead


@dataclass
class Two:
    """A primary and its standby under one name: whoever takes writes is the one that is meant."""

    primary: EmbeddedPostgres
    standby: Standby
    name: str
    base: str  # the primary's own

    def catch_up(self) -> None:
        with psycopg.connect(self.primary.start(), autocommit=True) as conn:
            [lsn] = conn.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone()
        question = f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'"
        until(lambda: self.standby.execute(self.primary.start(), question) == (True,))

    def lose_the_primary(self) -> None:
        """Killed; the standby, which is stopped, comes up with what it had received and takes over."""
        pid = self.primary.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(lambda: self.primary.pid() is None)
        self.standby.start()
        self.standby.promote()


@pytest.fixture
def two() -> Iterator[Two]:
    with tempfile.TemporaryDirectory(prefix="chronomemory-two-", ignore_cleanup_errors=True) as name:
        folder = room_for(Path(name))
        primary = EmbeddedPostgres(folder / "p")
        admin = primary.start()
        standby = Standby(primary, folder / "r")
        hosts = f"{primary.cluster},{standby.sockets}"
        named = make_conninfo(admin, host=hosts, port="5432,5432", target_session_attrs="read-write")
        yield Two(primary=primary, standby=standby, name=named, base=admin)
        standby.stop()
        primary.stop()


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.bootstrap.AccountLimits", partial(AccountLimits, bcrypt_rounds=4))


@contextmanager
def layer_on(data: Path, conninfo: str, clock: LaterClock) -> Iterator[MemoryLayer]:
    settings = Settings(_env_file=None, chronomemory_data=data, database_url=conninfo, chronomemory_worker=False)
    layer = build_layer(settings, embedder=HashEmbedder(), clock=clock, pause=lambda _seconds: None)
    layer.start()
    try:
        until(lambda: layer.health()["store"] == "ok")
        yield layer
    finally:
        layer.close()


def signed_in(layer: MemoryLayer, name: str = "ada") -> Actor:
    if layer.accounts.needs_setup():
        layer.accounts.create_first_admin(layer.accounts.setup_token(), name, name.title(), PASSWORD)
    _session, token = layer.accounts.sign_in(name, PASSWORD, "127.0.0.1", "tests")
    actor = layer.accounts.resolve(token)
    assert actor is not None
    return actor


def tell(layer: MemoryLayer, text: str, scope: Scope) -> None:
    layer.agent.submit(
        Submission(scope=scope, conversation_id="c1", channel=SourceKind.USER_TURN, text=text, actor=scope.owner)
    )
    layer.drain()
    assert layer.ledger.waiting(scope) == 0


def ask(layer: MemoryLayer, question: str, scope: Scope) -> str:
    return " ".join(one.memory.text for one in layer.agent.recall(question, scope).hits)


def reconnected(layer: MemoryLayer) -> None:
    def answers() -> bool:
        try:
            layer.store.ping()
        except StoreUnavailable:
            return False
        return True

    until(answers)


def doctor(data: Path, conninfo: str):
    settings = Settings(_env_file=None, chronomemory_data=data, database_url=conninfo)
    return Doctor(settings=settings, quick=True).effects()


def test_what_a_late_standby_lacks_is_applied_again(two, tmp_path):
    clock = LaterClock()
    with layer_on(tmp_path, two.name, clock) as layer:
        ada = signed_in(layer)
        tell(layer, "I'm allergic to penicillin.", ada.scope)
        tell(layer, "My sister's name is Alma.", ada.scope)
        wrong = layer.agent.recall("What am I allergic to?", ada.scope).hits[0].memory
        two.catch_up()
        assert doctor(tmp_path, two.name).state == OK

        two.standby.stop()
        tell(layer, "I live in Lisbon.", ada.scope)
        layer.memories.forget(ada, wrong.memory_id, "It was wrong.")
        assert layer.ledger.waiting(ada.scope) == 0
        two.lose_the_primary()
        reconnected(layer)

        assert "penicillin" in ask(layer, "What am I allergic to?", ada.scope)  # the store of a moment ago
        assert "Lisbon" not in ask(layer, "Where do I live?", ada.scope)
        found = doctor(tmp_path, two.name)
        assert found.state == FAIL
        assert "a fail-over lost them" in found.found

        tell(layer, "I work as a nurse.", ada.scope)  # a later effect: what was lost comes before it
        assert "Lisbon" in ask(layer, "Where do I live?", ada.scope)
        assert "penicillin" not in ask(layer, "What am I allergic to?", ada.scope)
        assert "nurse" in ask(layer, "What do I work as?", ada.scope)
        [entry], total = layer.ledger.audit("", action="store:effects_lost")
        assert total == 1
        assert entry.about["owners"] == 1
        assert entry.about["effects"] >= 2
        assert layer.lifecycle.reconcile(ada, ada.scope).clean
        assert layer.ledger.verify(witnessed=layer.store.witness()).ok
        assert layer.health()["effects"] == "ok"
        assert doctor(tmp_path, two.name).state == OK


def test_it_is_noticed_where_nothing_new_comes_and_an_erasure_is_carried_out_again(two, tmp_path):
    clock = LaterClock()
    with layer_on(tmp_path, two.name, clock) as layer:
        ada = signed_in(layer)
        layer.accounts.accept_invitation(layer.accounts.invite(ada, Role.MEMBER, "ben"), "ben", "Ben", PASSWORD)
        ben = signed_in(layer, "ben")
        tell(layer, "I live in Porto.", ben.scope)
        two.catch_up()
        two.standby.stop()
        tell(layer, "I live in Lisbon.", ada.scope)
        layer.lifecycle.erase(ada, ben.user_id)
        two.lose_the_primary()
        reconnected(layer)

        kept = "SELECT count(*) FROM chronomemory.memory WHERE owner = "
        assert two.standby.execute(two.base, f"{kept}'{ben.user_id}'")[0] > 0  # back among the living
        layer.drain()
        assert "Lisbon" not in ask(layer, "Where do I live?", ada.scope)  # it is not time to look yet
        clock.ahead = timedelta(minutes=2)
        layer.drain()
        assert "Lisbon" in ask(layer, "Where do I live?", ada.scope)
        assert two.standby.execute(two.base, f"{kept}'{ben.user_id}'")[0] == 0
        [entry], _ = layer.ledger.audit(ada.tenant, owner=ben.user_id, action="person:erasure_repeated")
        assert entry.about["memories"] > 0
        clock.ahead = timedelta(minutes=4)
        layer.drain()
        assert layer.ledger.audit(ada.tenant, action="person:erasure_repeated")[1] == 1  # nothing is left to repeat
        assert layer.ledger.audit("", action="store:effects_lost")[1] == 1


def test_a_gap_under_later_effects_is_said_and_left_to_a_rebuild(make_database, tmp_path):
    """Applied late, the lost ones would undo what came after them: nobody guesses."""
    clock, database = LaterClock(), make_database()
    with layer_on(tmp_path, database, clock) as layer:
        ada = signed_in(layer)
        tell(layer, "I live in Porto.", ada.scope)
        lost = layer.ledger.last_effect(ada.scope)
        tell(layer, "I live in Lisbon now.", ada.scope)
        with psycopg.connect(database, autocommit=True) as conn:
            conn.execute("DELETE FROM chronomemory.applied_effect WHERE effect_id = %s", (lost,))
        clock.ahead = timedelta(minutes=2)
        layer.drain()
        state = layer.health()["effects"]
        assert state.startswith("down: the store lost 1 effects of 1 owners and has later ones")
        assert "chronomemory rebuild" in state
        assert layer.ledger.outbox() == []
        assert layer.ledger.audit("", action="store:effects_lost")[1] == 0
        tell(layer, "I'm allergic to penicillin.", ada.scope)  # everything else goes on

        layer.lifecycle.rebuild(ada)
        clock.ahead = timedelta(minutes=4)
        assert layer.health()["effects"] == "ok"
        assert "Lisbon" in ask(layer, "Where do I live?", ada.scope)


def test_a_rebuild_and_an_erasure_are_no_loss(make_database, tmp_path):
    clock, database = LaterClock(), make_database()
    with layer_on(tmp_path, database, clock) as layer:
        ada = signed_in(layer)
        layer.accounts.accept_invitation(layer.accounts.invite(ada, Role.MEMBER, "ben"), "ben", "Ben", PASSWORD)
        ben = signed_in(layer, "ben")
        tell(layer, "I live in Lisbon.", ada.scope)
        tell(layer, "I live in Porto.", ben.scope)
        layer.lifecycle.erase(ada, ben.user_id)
        layer.lifecycle.rebuild(ada)
        clock.ahead = timedelta(minutes=2)
        layer.drain()
        assert layer.health()["effects"] == "ok"
        for action in ("store:effects_lost", "person:erasure_repeated"):
            assert layer.ledger.audit("", action=action)[1] + layer.ledger.audit(ada.tenant, action=action)[1] == 0
