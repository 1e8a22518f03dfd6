"""The file itself: pragmas, schema, migrations, and errors that say what to do."""

import shutil
import sqlite3
import stat
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from core.audit import make_link
from core.errors import AuditBroken, BadInput, LedgerUnavailable, Misconfigured
from core.ledger import SqliteLedger, SqliteLedgerReader
from core.ledger.connection import known_migrations, statements
from core.ledger.rows import link_values
from core.ledger.schema import migrate
from core.model import CandidateState, Scope, SourceKind, Span
from core.ports import HeldFilter
from core.sql import Migration
from tests.contract.ledger_values import NOON, after, candidate, decision, episode


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "ledger.sqlite"


@pytest.fixture
def ledger(path):
    with closing(SqliteLedger.open(path)) as ledger:
        yield ledger


def append(ledger):
    with ledger.transaction() as tx:
        return tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={"id": "x"})


class TestOpening:
    def test_the_file_is_made_private_and_durable(self, ledger, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        writer = ledger._writer._sqlite
        names = ("journal_mode", "synchronous", "foreign_keys")
        values = {name: writer.execute(f"PRAGMA {name}").fetchone()[0] for name in names}
        assert values == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

    def test_every_table_is_strict(self, ledger):
        tables = ledger._writer._sqlite.execute(
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            " AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        assert len(tables) >= 10
        assert [row["name"] for row in tables if not row["strict"]] == []

    def test_states_are_checked(self, ledger):
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        writer = ledger._writer._sqlite
        for statement in ("UPDATE episode SET state = 'lost'", "UPDATE episode SET state = 'leased'"):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                writer.execute(statement)

    def test_opening_again_changes_nothing(self, ledger, path):
        first = append(ledger)
        ledger.close()
        with closing(SqliteLedger.open(path)) as again:
            assert again.head() == (1, first.hash)
            assert again.verify().ok

    def test_making_the_file_waits_for_another_process_that_makes_it(self, tmp_path):
        path = tmp_path / "new.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("CREATE TABLE a (b)")
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerUnavailable, match="try again"):
                SqliteLedger.open(path, busy_seconds=0.1)
            timer = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
            timer.start()
            with closing(SqliteLedger.open(path)) as ledger:
                assert append(ledger).seq == 1
            timer.join()

    def test_closing_ends_lent_handles_as_they_come_back(self, ledger):
        with ledger._pool.snapshot() as lent:
            ledger.close()
            assert lent.row("head") is None
        with pytest.raises(LedgerUnavailable, match="closed"):
            lent.row("head")
        with pytest.raises(LedgerUnavailable, match="closed"):
            append(ledger)

    def test_a_closed_ledger_says_so(self, ledger):
        ledger.close()
        with pytest.raises(LedgerUnavailable, match="closed"):
            ledger.head()

    def test_a_folder_in_its_place(self, tmp_path):
        with pytest.raises(LedgerUnavailable, match="cannot be opened"):
            SqliteLedger.open(tmp_path)

    def test_a_file_where_the_folder_should_be(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(LedgerUnavailable, match="cannot be made"):
            SqliteLedger.open(tmp_path / "file" / "ledger.sqlite")

    def test_a_file_that_is_no_database(self, tmp_path):
        (tmp_path / "notes.txt").write_text("These are notes. " * 100)
        for opener in (SqliteLedger.open, SqliteLedgerReader.open_readonly):
            with pytest.raises(Misconfigured, match="no ledger"):
                opener(tmp_path / "notes.txt")


class TestReadOnly:
    def test_a_missing_file_is_not_made(self, path):
        with pytest.raises(LedgerUnavailable, match="there is no ledger"):
            SqliteLedgerReader.open_readonly(path)
        assert not path.exists()

    def test_another_database_is_refused(self, tmp_path):
        with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
            other.execute("CREATE TABLE a (b)")
        with pytest.raises(Misconfigured, match="is not a ledger"):
            SqliteLedgerReader.open_readonly(tmp_path / "other.sqlite")

    def test_its_handles_cannot_write(self, ledger, path):
        append(ledger)
        with closing(SqliteLedgerReader.open_readonly(path)) as reader, reader._pool.snapshot() as connection:
            connection._sqlite.execute("PRAGMA query_only = OFF")  # even without the second lock
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                connection._sqlite.execute("DELETE FROM episode")
            with pytest.raises(LedgerUnavailable, match="permissions"):
                connection.change("add_owner_key", tenant="a", owner="b", key=b"k" * 32)
        assert not hasattr(reader, "transaction")

    def test_it_opens_while_nobody_writes(self, ledger, path):
        append(ledger)
        ledger.close()
        assert not path.with_name("ledger.sqlite-wal").exists()
        with closing(SqliteLedgerReader.open_readonly(path)) as reader:
            assert reader.verify().entries == 1

    def test_more_readers_than_handles_wait_their_turn(self, path, ledger):
        with (
            closing(SqliteLedgerReader.open_readonly(path, readers=1, busy_seconds=0.1)) as reader,
            reader._pool.snapshot(),
            pytest.raises(LedgerUnavailable, match="too many readers"),
        ):
            reader.head()


class TestMigrations:
    def test_an_edited_migration_is_refused(self, ledger, path, monkeypatch):
        append(ledger)
        ledger.close()
        edited = [replace(known_migrations()[0], checksum="0" * 64), *known_migrations()[1:]]
        monkeypatch.setattr("core.ledger.file.known_migrations", lambda: edited)
        with pytest.raises(Misconfigured, match="0001_ledger was changed after it was applied"):
            SqliteLedger.open(path)

    def test_a_newer_file_is_refused(self, ledger, path):
        writer = ledger._writer
        writer.change("record_migration", number=len(known_migrations()) + 1, name="next", checksum="0" * 64)
        ledger.close()
        for opener in (SqliteLedger.open, SqliteLedgerReader.open_readonly):
            with pytest.raises(Misconfigured, match="newer version"):
                opener(path)

    def test_a_new_one_is_applied_once_and_a_reader_waits_for_it(self, ledger, path, monkeypatch):
        append(ledger)
        number = len(known_migrations()) + 1
        more = [
            *known_migrations(),
            Migration(number=number, name="more", sql="CREATE TABLE more (a TEXT) STRICT;", checksum="1" * 64),
        ]
        monkeypatch.setattr("core.ledger.file.known_migrations", lambda: more)
        with pytest.raises(Misconfigured, match="older version"):
            SqliteLedgerReader.open_readonly(path)
        migrate(ledger._writer, more)
        migrate(ledger._writer, more)
        with closing(SqliteLedgerReader.open_readonly(path)) as reader:
            assert reader.head()[0] == 1

    def test_one_that_another_process_applied_in_between_is_left(self, ledger, monkeypatch):
        monkeypatch.setattr("core.ledger.schema.pending", lambda migrations, _applied: migrations)
        migrate(ledger._writer, known_migrations())
        assert append(ledger).seq == 1

    def test_a_failing_one_leaves_nothing_behind(self, ledger):
        number = len(known_migrations()) + 1
        bad = Migration(number=number, name="bad", sql="CREATE TABLE bad (a TEXT);\nNONSENSE;", checksum="1" * 64)
        with pytest.raises(Misconfigured):
            migrate(ledger._writer, [*known_migrations(), bad])
        names = [row["name"] for row in ledger._writer._sqlite.execute("SELECT name FROM sqlite_master")]
        assert "bad" not in names
        assert append(ledger).seq == 1

    def test_a_script_is_split_into_whole_statements(self):
        trigger = "CREATE TRIGGER t BEFORE DELETE ON a\nBEGIN\n  SELECT 1;\n  SELECT ';';\nEND;"
        assert statements(f"-- comment\nCREATE TABLE a (b);\n\n{trigger}\n") == ["CREATE TABLE a (b);", trigger]
        with pytest.raises(Misconfigured, match="semicolon"):
            statements("CREATE TABLE a (b)")


class TestErrors:
    def test_a_full_disk_loses_nothing_and_says_what_to_do(self, ledger):
        append(ledger)
        writer = ledger._writer._sqlite
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LedgerUnavailable, match="free space"), ledger.transaction() as tx:
            tx.add_episode(episode(text="x" * 100_000), idempotency_key=None, inbox=True)
        assert ledger.head()[0] == 1
        writer.execute("PRAGMA max_page_count = 1000000")
        assert append(ledger).seq == 2

    def test_a_link_that_does_not_follow_the_head_is_never_written(self, ledger):
        first = append(ledger)
        link = make_link((4, first.hash), at=NOON, actor="p", action="a:b", tenant="", owner="", about={})
        with pytest.raises(AuditBroken, match="does not follow"):
            ledger._writer.change("add_audit", **link_values(link))

    def test_the_same_id_twice(self, ledger):
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        with pytest.raises(BadInput, match="UNIQUE"), ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)

    def test_a_decision_on_nothing(self, ledger):
        with pytest.raises(BadInput, match="FOREIGN KEY"), ledger.transaction() as tx:
            tx.add_decision(decision("d1", "nobody"))

    def test_a_damaged_body(self, ledger):
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
        ledger._writer._sqlite.execute("""UPDATE episode SET provenance = '{"title": 1}'""")
        with pytest.raises(Misconfigured, match="Provenance"):
            ledger.episode("e1")


def test_a_queue_of_ten_thousand_is_paged_in_milliseconds(tmp_path):
    with closing(SqliteLedger.open(tmp_path / "big.sqlite")) as ledger:
        with ledger.transaction() as tx:
            sources = [
                tx.add_episode(
                    episode(
                        f"e{n}",
                        scope=Scope(tenant="acme", owner=f"o{n % 20}"),
                        text="word " * 400,
                        kind=SourceKind.WEB_CONTENT,
                        ref=f"https://{n}.example",
                    ),
                    idempotency_key=None,
                    inbox=False,
                )
                for n in range(100)
            ]
            for n in range(10_000):
                source = sources[n % 100]
                given = candidate(f"k{n}", source, statement=f"Statement number {n}.", span=Span(start=500, end=560))
                tx.add_candidate(given, state=CandidateState.HELD, at=after(n))
                tx.add_decision(decision(f"d{n}", f"k{n}"))
        slower = 1 if sys.gettrace() is None else 3  # a coverage run
        queue = HeldFilter(tenant="acme")
        for name, limit, call in (
            ("the queue", 0.020, lambda: ledger.held(queue)),
            ("one owner", 0.020, lambda: ledger.held(replace(queue, owner="o3"))),
            ("one reason", 0.040, lambda: ledger.held(replace(queue, reason="low_trust"))),
            ("free text", 0.040, lambda: ledger.held(replace(queue, text="number 77"))),
            ("groups", 0.040, lambda: ledger.held_groups(queue)),
            ("tally", 0.020, lambda: ledger.tally("acme", owner=None, since=NOON)),
            ("ruled", 0.020, lambda: ledger.ruled("acme", owner=None, since=NOON)),
        ):
            assert min(_seconds(call) for _ in range(12)) < limit * slower, name
        items, total = ledger.held(HeldFilter(tenant="acme"), limit=25, offset=9_990)
        assert (len(items), total) == (10, 10_000)
        assert ledger.held_groups(HeldFilter(tenant="acme"))[1] == 100


def _seconds(call) -> float:
    """Work of this thread, SQLite's included; a busy machine does not count."""
    start = time.thread_time()
    call()
    return time.thread_time() - start


def test_a_copy_of_a_closed_file_is_a_whole_backup(ledger, path, tmp_path):
    entry = append(ledger)
    ledger.close()
    shutil.copy(path, tmp_path / "copy.sqlite")
    with closing(SqliteLedgerReader.open_readonly(tmp_path / "copy.sqlite")) as reader:
        assert reader.head() == (1, entry.hash)
