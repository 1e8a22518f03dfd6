"""Snapshots are whole and verified; a broken one is not restored, and nothing is ever overwritten (rules §8.3)."""

import sqlite3
import stat
import threading
from contextlib import closing

import pytest

from core.errors import AuditBroken, BadInput, LedgerUnavailable, Misconfigured
from core.ledger import SqliteLedger, restore
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS
from core.ledger.schema import migrate
from tests.contract.ledger_values import NOON, after, episode

KEY = b"k" * 32


def append(ledger, number=0):
    with ledger.transaction() as tx:
        tx.add_episode(episode(f"e{number}"), idempotency_key=None, inbox=True)
        return tx.append_audit(
            at=after(number), actor="p", action="a:b", tenant="acme", owner="mara", about={"n": number}
        )


@pytest.fixture
def ledger(tmp_path):
    with closing(SqliteLedger.open(tmp_path / "ledger.sqlite", hmac_key=KEY)) as ledger:
        for number in range(5):
            append(ledger, number)
        yield ledger


def damaged(path):
    """The same snapshot with one entry of its chain changed."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER audit_no_update")
        raw.execute("UPDATE audit SET actor = 'someone' WHERE seq = 3")
        raw.commit()
    return path


class TestSnapshot:
    def test_it_is_one_private_file_with_everything_committed(self, ledger, tmp_path):
        head = ledger.snapshot(tmp_path / "backup" / "copy.sqlite")
        assert head == ledger.head()
        assert [file.name for file in (tmp_path / "backup").iterdir()] == ["copy.sqlite"]
        assert stat.S_IMODE((tmp_path / "backup" / "copy.sqlite").stat().st_mode) == 0o600
        append(ledger, 5)
        assert restore(tmp_path / "backup" / "copy.sqlite", tmp_path / "new.sqlite", hmac_key=KEY) == head
        with closing(SqliteLedger.open(tmp_path / "new.sqlite", hmac_key=KEY)) as again:
            assert again.head() == head
            assert (again.episode("e4"), again.episode("e5")) == (ledger.episode("e4"), None)
            assert append(again, 9).seq == 6
            assert again.verify().ok

    def test_it_is_consistent_while_others_write(self, ledger, tmp_path):
        stop = threading.Event()

        def write():
            number = 100
            while not stop.is_set():
                append(ledger, number)
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(5):
                seq, _ = ledger.snapshot(tmp_path / f"copy{number}.sqlite")
                with closing(sqlite3.connect(tmp_path / f"copy{number}.sqlite")) as raw:
                    assert raw.execute("SELECT count(*) FROM episode").fetchone() == (seq,)
        finally:
            stop.set()
            writer.join()

    def test_an_existing_file_is_left_alone(self, ledger, tmp_path):
        (tmp_path / "copy.sqlite").write_text("precious")
        with pytest.raises(BadInput, match="never overwritten"):
            ledger.snapshot(tmp_path / "copy.sqlite")
        assert (tmp_path / "copy.sqlite").read_text() == "precious"

    def test_a_broken_chain_makes_no_snapshot(self, ledger, tmp_path):
        damaged(tmp_path / "ledger.sqlite")
        with pytest.raises(AuditBroken, match="entry 3"):
            ledger.snapshot(tmp_path / "copy.sqlite")
        assert list(tmp_path.glob("copy*")) == []

    def test_a_folder_that_cannot_be_made(self, ledger, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(LedgerUnavailable, match="cannot be written"):
            ledger.snapshot(tmp_path / "file" / "copy.sqlite")

    def test_a_copy_under_way_is_not_joined(self, ledger, tmp_path):
        (tmp_path / "copy.sqlite.part").write_text("")
        with pytest.raises(BadInput, match="under way"):
            ledger.snapshot(tmp_path / "copy.sqlite")
        assert (tmp_path / "copy.sqlite.part").exists()


class TestRestore:
    @pytest.fixture
    def copy(self, ledger, tmp_path):
        ledger.snapshot(tmp_path / "copy.sqlite")
        return tmp_path / "copy.sqlite"

    def test_a_broken_chain_is_refused_and_leaves_nothing(self, copy, tmp_path):
        with pytest.raises(AuditBroken, match="broken at entry 3"):
            restore(damaged(copy), tmp_path / "new.sqlite", hmac_key=KEY)
        assert list(tmp_path.glob("new*")) == []

    @pytest.mark.parametrize("left", ["new.sqlite", "new.sqlite-wal", "new.sqlite-journal"])
    def test_a_ledger_or_what_is_left_of_one_is_never_overwritten(self, copy, tmp_path, left):
        (tmp_path / left).write_text("precious")
        with pytest.raises(BadInput, match="never overwritten"):
            restore(copy, tmp_path / "new.sqlite", hmac_key=KEY)
        assert [(file.name, file.read_text()) for file in tmp_path.glob("new*")] == [(left, "precious")]

    def test_onto_itself(self, copy):
        with pytest.raises(BadInput, match="never overwritten"):
            restore(copy, copy, hmac_key=KEY)

    @pytest.mark.parametrize("key", [None, b"x" * 32])
    def test_another_key(self, copy, tmp_path, key):
        with pytest.raises(Misconfigured, match="secret"):
            restore(copy, tmp_path / "new.sqlite", hmac_key=key)
        assert list(tmp_path.glob("new*")) == []

    def test_a_missing_snapshot(self, tmp_path):
        with pytest.raises(LedgerUnavailable, match="no snapshot"):
            restore(tmp_path / "none.sqlite", tmp_path / "new.sqlite")

    def test_what_is_no_ledger(self, tmp_path):
        with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
            other.execute("CREATE TABLE a (b)")
        (tmp_path / "notes.txt").write_text("These are notes. " * 100)
        for name in ("other.sqlite", "notes.txt"):
            with pytest.raises(Misconfigured, match="no"):
                restore(tmp_path / name, tmp_path / "new.sqlite")
        assert list(tmp_path.glob("new*")) == []

    def test_a_newer_version(self, copy, tmp_path):
        with closing(sqlite3.connect(copy)) as raw:
            raw.execute("INSERT INTO migration VALUES (99, 'next', ?)", ("0" * 64,))
            raw.commit()
        with pytest.raises(Misconfigured, match="newer version"):
            restore(copy, tmp_path / "new.sqlite", hmac_key=KEY)

    def test_a_damaged_page(self, copy, tmp_path):
        with closing(sqlite3.connect(copy)) as raw:
            (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'episode'").fetchone()
        with copy.open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xff" * 200)
        with pytest.raises(Misconfigured, match="damaged"):
            restore(copy, tmp_path / "new.sqlite", hmac_key=KEY)
        assert list(tmp_path.glob("new*")) == []

    def test_one_of_the_first_version_is_updated_on_opening(self, tmp_path):
        old = tmp_path / "old.sqlite"
        old.touch()
        with closing(SqliteConnection(old, named_queries(), writable=True, busy_seconds=BUSY_SECONDS)) as connection:
            migrate(connection, known_migrations()[:1])
        assert restore(old, tmp_path / "new.sqlite", hmac_key=KEY) == (0, "")
        with closing(SqliteLedger.open(tmp_path / "new.sqlite", hmac_key=KEY)) as ledger:
            assert ledger.keyed
            assert ledger.claim(worker="w", now=NOON, lease_seconds=1) is None
