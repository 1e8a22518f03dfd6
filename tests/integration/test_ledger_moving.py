"""A ledger carried over from a file into a database and back, the refusals around it, and a whole installation on it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from core.bootstrap import build_layer, carry_ledger_over, restore_ledger
from core.entrypoints.cli.ground import ledger_reader
from core.entrypoints.doctor import Doctor
from core.errors import AuditBroken, BadInput, LedgerUnavailable, Misconfigured
from core.ledger import SqliteLedger, StoredLedger
from core.ledger.copying import TABLES
from core.ledger_pg import PostgresLedger
from core.model import CandidateState, RulingKind
from core.sandbox import Hop
from core.settings import Settings
from core.store import PostgresStore
from eval.dumped import dump
from tests.acceptance.life import USER, WEB, Life, ruling
from tests.conftest import Console, MakeConsole
from tests.contract.ledger_values import MARA, NOON, episode

PAGE = "The invoice goes to account Quillfeather."
OTHER_PAGE = "The venue has step-free access."


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the folder of `used` is kept once it was made."""
    return tmp_path_factory.mktemp("built") / "data"


@pytest.fixture
def used(make_console: MakeConsole, tmp_path: Path, built: Path) -> Settings:
    """A folder after some use: facts, a superseded one, held and promoted claims, an answer, an erased person."""
    if not built.exists():
        _use(make_console(ledger_url="", chronomemory_data=built))
    shutil.copytree(built, tmp_path / "data")
    return Settings(_env_file=None, chronomemory_data=tmp_path / "data", chronomemory_worker=False)


def _use(console: Console) -> None:
    life = Life(console)
    life.say("I'm allergic to penicillin, and I live in Lisbon.")
    life.say("I live in Oslo now.\x00 And a NUL is no trouble, nor is \x1a0.")
    life.say(PAGE, channel=WEB)
    promoted = life.held(life.say(OTHER_PAGE, channel=WEB))
    console.layer.review.resolve(console.admin, ruling(promoted))
    console.ask("Where do I live?")
    leaving = console.person("bea", console.admin.role)
    life.of(leaving).say("I like green tea.")
    console.layer.lifecycle.erase(console.admin, leaving.user_id)
    console.settle()
    console.layer.close()


def on(settings: Settings, url: str) -> Settings:
    """The same installation with its ledger in a database."""
    return settings.model_copy(update={"ledger_url": SecretStr(url)})


def opened(settings: Settings) -> SqliteLedger:
    """The folder's file."""
    return SqliteLedger.open(settings.ledger_path, hmac_key=settings.secret_path.read_bytes())


def moved(settings: Settings, url: str) -> PostgresLedger:
    """The database's ledger."""
    return PostgresLedger.open(url, hmac_key=settings.secret_path.read_bytes())


def rows(ledger: StoredLedger) -> dict[str, list[list[Any]]]:
    """Every row of every table that is carried over."""
    found = {}
    with ledger._pool.snapshot() as connection:
        for table, order in TABLES:
            columns = sorted(connection.columns(table))
            found[table] = [[row[name] for name in columns] for row in connection.dump(table, columns, order=order)]
    return found


def test_every_table_of_the_schema_is_carried_over_or_made_again(tmp_path, ledger_url):
    made_again = {"migration", "audit_ref", "sqlite_sequence"}
    with closing(SqliteLedger.open(tmp_path / "l.sqlite3")) as ledger:
        tables = ledger._writer._sqlite.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert {row["name"] for row in tables} - made_again == {name for name, _ in TABLES}
    PostgresLedger.open(ledger_url).close()
    with psycopg.connect(ledger_url) as conn:
        names = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'ledger'").fetchall()
    assert {name for (name,) in names} - made_again == {name for name, _ in TABLES}


def test_a_ledger_comes_over_whole_and_goes_on(used, ledger_url):
    with closing(opened(used)) as ledger:
        before, head, serial = rows(ledger), ledger.head(), last_serial(ledger)
        quoted = ledger.audit("default", limit=500)
    seq, found = carry_ledger_over(on(used, ledger_url))
    assert (seq, found) == head
    with closing(moved(used, ledger_url)) as ledger:
        assert rows(ledger) == before
        assert ledger.verify().ok
        assert ledger.audit("default", limit=500) == quoted
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        assert last_serial(ledger) == serial + 1  # not one that was given out before
        assert ledger.verify().ok


def last_serial(ledger: StoredLedger) -> int:
    with ledger._pool.snapshot() as connection:
        return connection.numbers()["episode"]


def test_a_number_that_was_given_out_is_never_given_out_again(tmp_path, ledger_url):
    """The last rows are gone: the number to go on from is not that of the last row."""
    with closing(SqliteLedger.open(tmp_path / "l.sqlite3", hmac_key=b"k" * 32)) as ledger:
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
            tx.erase(MARA.tenant, MARA.owner)
        assert rows(ledger)["episode"] == []
        snapshot = tmp_path / "copy.sqlite3"
        ledger.snapshot(snapshot)
    (tmp_path / "secret").write_bytes(b"k" * 32)
    settings = on(Settings(_env_file=None, chronomemory_data=tmp_path), ledger_url)
    restore_ledger(settings, snapshot)
    with closing(moved(settings, ledger_url)) as ledger:
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        assert last_serial(ledger) == 2


def test_the_file_refuses_everything_afterwards_also_from_who_had_it_open(used, ledger_url):
    with closing(opened(used)) as still_open:
        carry_ledger_over(on(used, ledger_url))
        with pytest.raises(LedgerUnavailable, match="carried over to"), still_open.transaction() as tx:
            tx.append_audit(at=NOON, actor="p", action="a:b", tenant="t", owner="o", about={})
    with pytest.raises(Misconfigured, match="set LEDGER_URL"):
        opened(used)
    with pytest.raises(Misconfigured, match="carried over"):
        carry_ledger_over(on(used, ledger_url))


def test_a_move_that_was_cut_off_before_the_fence_is_finished(used, ledger_url, monkeypatch):
    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("core.ledger.connection.SqliteConnection.fence", killed)
        with pytest.raises(KeyboardInterrupt):
            carry_ledger_over(on(used, ledger_url))
    with pytest.raises(Misconfigured, match="ledger move"):  # nobody starts on either half
        build_layer(on(used, ledger_url))
    with closing(opened(used)) as ledger:
        head = ledger.head()
    assert carry_ledger_over(on(used, ledger_url)) == head


def test_a_move_that_fails_in_the_middle_leaves_the_database_empty_and_the_file_as_it_was(
    used, ledger_url, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr("core.ledger_pg.connection.PostgresConnection.number_on", broken)
        with pytest.raises(LedgerUnavailable, match="away"):
            carry_ledger_over(on(used, ledger_url))
    with closing(moved(used, ledger_url)) as ledger:
        assert all(not found for table, found in rows(ledger).items() if table != "setting")
    with closing(opened(used)) as ledger, ledger.transaction() as tx:
        tx.append_audit(at=NOON, actor="p", action="a:b", tenant="t", owner="o", about={})


def broken(*_given: object) -> None:
    msg = "the server is away"
    raise LedgerUnavailable(msg)


def test_a_database_in_use_takes_no_second_ledger(used, ledger_url):
    with closing(moved(used, ledger_url)) as ledger, ledger.transaction() as tx:
        tx.append_audit(at=NOON, actor="p", action="a:b", tenant="t", owner="o", about={})
    with pytest.raises(BadInput, match="in use"):
        carry_ledger_over(on(used, ledger_url))


def test_a_chain_that_was_changed_is_not_carried_over(used, ledger_url):
    with closing(sqlite3.connect(used.ledger_path)) as raw:
        raw.execute("DROP TRIGGER audit_no_update")
        raw.execute("UPDATE audit SET actor = 'somebody else' WHERE seq = 2")
        raw.commit()
    with pytest.raises(AuditBroken, match="entry 2"):
        carry_ledger_over(on(used, ledger_url))


def test_a_snapshot_of_a_database_is_a_file_that_goes_on(used, ledger_url, tmp_path):
    carry_ledger_over(on(used, ledger_url))
    back = Settings(_env_file=None, chronomemory_data=tmp_path / "back")
    back.chronomemory_data.mkdir()
    back.secret_path.write_bytes(used.secret_path.read_bytes())
    with closing(moved(used, ledger_url)) as ledger:
        before = rows(ledger)
        head = ledger.snapshot(tmp_path / "copy.sqlite3")
    assert restore_ledger(back, tmp_path / "copy.sqlite3") == head
    with closing(opened(back)) as ledger:
        assert rows(ledger) == before
        serial = last_serial(ledger)
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        assert last_serial(ledger) == serial + 1
        assert ledger.verify().ok


def test_the_database_of_trusted_memory_is_refused_whichever_comes_first(used, database_url, ledger_url, embedder):
    named = on(used.model_copy(update={"database_url": database_url}), database_url)
    with pytest.raises(Misconfigured, match="name the same database"):
        build_layer(named)
    alias = make_conninfo(database_url, application_name="x", host=str(conninfo_to_dict(database_url)["host"]) + "/")
    with pytest.raises(Misconfigured, match="holds trusted memory"):  # however it is spelt
        PostgresLedger.open(alias)
    PostgresLedger.open(ledger_url).close()
    with pytest.raises(Misconfigured, match="holds a ledger"):
        PostgresStore.open(ledger_url, dimensions=embedder.dimensions, embedding_identity=embedder.identity)


def test_a_file_that_nobody_carried_over_stops_the_start(used, ledger_url):
    with pytest.raises(Misconfigured, match="ledger move"):
        build_layer(on(used, ledger_url))


@pytest.fixture
def elsewhere(make_console: MakeConsole, ledger_url: str) -> Iterator[Console]:
    """An installation whose ledger is a database from the start."""
    return make_console(ledger_url=ledger_url)


def test_a_whole_installation_keeps_its_ledger_in_a_database(elsewhere, ledger_url, database_url, tmp_path):
    life, layer, admin = Life(elsewhere), elsewhere.layer, elsewhere.admin
    life.say("I live in Lisbon.")
    life.say("I live in Oslo now.")
    item = life.held(life.say(PAGE, channel=WEB))
    assert "Oslo" in life.recall("Where do I live?")[0]
    trial = layer.sandbox.trial(admin, [Hop(channel=USER, text="I live in Graz.")])
    assert trial.proof.equal
    _, ledger = (one.rights() for one in layer.sandbox.traced)
    assert (ledger.may, ledger.read_only) == (("SELECT",), True)
    assert "database" in ledger.handle
    assert "Quillfeather" in dump(ledger_url)
    assert "Quillfeather" not in dump(database_url)
    assert b"Quillfeather" not in b"".join(one.read_bytes() for one in (tmp_path / "data").rglob("*") if one.is_file())
    layer.review.resolve(admin, ruling(item, RulingKind.REJECT))
    assert layer.ledger.candidate(item.candidate.candidate_id).state is CandidateState.REJECTED
    layer.memories.forget(admin, life.fact("Oslo").memory_id, "moved away")
    assert layer.memories.purge(admin, at_once=True) >= 1
    assert layer.audit_desk.verify(admin).ok
    head = layer.lifecycle.snapshot(admin, tmp_path / "copy.sqlite3")
    assert head[0] > 0
    assert not (tmp_path / "data" / "ledger.sqlite3").exists()


def test_the_doctor_looks_at_a_ledger_in_a_database(elsewhere, ledger_url, database_url, tmp_path):
    settings = Settings(_env_file=None, chronomemory_data=tmp_path / "data", database_url=database_url)
    Life(elsewhere).say("I live in Lisbon.")
    doctor = Doctor(settings=on(settings, ledger_url), quick=True)
    found = {one.part: one for one in doctor.findings()}
    assert (found["ledger"].state, found["chain"].state) == ("ok", "ok")
    assert "password" not in found["ledger"].found
    mighty = make_conninfo(ledger_url, user=str(conninfo_to_dict(database_url)["user"]))
    [ledger] = [one for one in Doctor(settings=on(settings, mighty), quick=True).findings() if one.part == "ledger"]
    assert (ledger.state, "superuser" in ledger.found) == ("warn", True)


def test_a_command_says_to_carry_the_file_over(used, ledger_url):
    with pytest.raises(LedgerUnavailable, match="ledger move"), ledger_reader(on(used, ledger_url)):
        pass
