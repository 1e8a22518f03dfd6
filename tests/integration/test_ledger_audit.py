"""The chain against someone who holds the file: triggers refuse, and what gets past them is named."""

import sqlite3
from contextlib import closing

import pytest

from core.audit import make_link
from core.errors import Misconfigured
from core.ledger import SqliteLedger, SqliteLedgerReader
from core.ledger.rows import link_values
from tests.contract.ledger_values import after

COLUMNS = ["seq", "at", "actor", "attestation", "action", "about", "tenant", "owner", "prev_hash", "hash"]
TEXTS = COLUMNS[1:]
TRIGGERS = ["audit_no_update", "audit_no_delete", "audit_at_the_head", "audit_ref_no_update", "audit_ref_no_delete"]


def append(ledger, number=0):
    with ledger.transaction() as tx:
        return tx.append_audit(
            at=after(number),
            actor="policy",
            action="candidate:held",
            tenant="acme",
            owner="mara",
            about={"candidate_id": f"k{number}", "trust": 0.3, "ü": [1, None]},
        )


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with closing(SqliteLedger.open(path)) as ledger:
        for number in range(5):
            append(ledger, number)
    return path


@pytest.fixture
def raw(path):
    """Someone else's handle on the file, without our pragmas."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def disarmed(raw):
    """The same with the triggers and constraints out of the way."""
    for trigger in TRIGGERS:
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("PRAGMA synchronous = OFF")
    return raw


@pytest.fixture
def reader(path):
    with closing(SqliteLedgerReader.open_readonly(path)) as reader:
        yield reader


def row(raw, seq):
    return dict(zip(COLUMNS, raw.execute("SELECT * FROM audit WHERE seq = ?", (seq,)).fetchone(), strict=True))


def insert(raw, values, verb="INSERT"):
    names = ", ".join(COLUMNS)
    marks = ", ".join(f":{name}" for name in COLUMNS)
    raw.execute(f"{verb} INTO audit ({names}) VALUES ({marks})", values)


class TestTriggers:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE audit SET actor = 'x' WHERE seq = 3",
            "UPDATE audit SET seq = 9 WHERE seq = 5",
            "UPDATE OR REPLACE audit SET seq = 3 WHERE seq = 5",
            "DELETE FROM audit WHERE seq = 5",
            "DELETE FROM audit",
            "UPDATE audit_ref SET seq = 1",
            "DELETE FROM audit_ref",
        ],
    )
    def test_update_and_delete_are_refused(self, raw, statement):
        before = raw.execute("SELECT * FROM audit").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute(statement)
        assert raw.execute("SELECT * FROM audit").fetchall() == before

    @pytest.mark.parametrize("seq", [1, 3, 5])
    @pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT"])
    def test_an_entry_cannot_be_replaced(self, raw, verb, seq):
        before = raw.execute("SELECT * FROM audit").fetchall()
        for prev_hash in (row(raw, seq)["prev_hash"], row(raw, 5)["hash"]):
            with pytest.raises(sqlite3.IntegrityError, match="does not follow"):
                insert(raw, row(raw, seq) | {"actor": "x", "prev_hash": prev_hash}, verb)
        assert raw.execute("SELECT * FROM audit").fetchall() == before

    @pytest.mark.parametrize("seq", [0, -1, 7, None])
    def test_an_entry_cannot_leave_a_gap_or_fork_off(self, raw, seq):
        head = row(raw, 5)
        with pytest.raises(sqlite3.IntegrityError, match="does not follow"):
            insert(raw, head | {"seq": seq, "prev_hash": head["hash"]})
        with pytest.raises(sqlite3.IntegrityError, match="does not follow"):
            insert(raw, head | {"seq": 6, "prev_hash": row(raw, 4)["hash"]})

    def test_replace_cannot_push_a_row_out_by_another_columns_value(self, raw):
        head = row(raw, 5)
        twin = row(raw, 2) | {"seq": 6, "prev_hash": head["hash"]}
        insert(raw, twin, "INSERT OR REPLACE")  # follows the head, and shares every other value with entry 2
        assert [seq for (seq,) in raw.execute("SELECT seq FROM audit ORDER BY seq")] == [1, 2, 3, 4, 5, 6]

    def test_an_upsert_is_refused(self, raw):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute(
                "INSERT INTO audit SELECT * FROM audit WHERE seq = 3 ON CONFLICT (seq) DO UPDATE SET actor = 'x'"
            )

    def test_the_ledger_goes_on_after_a_refused_write(self, raw, path):
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute("DELETE FROM audit")
        with closing(SqliteLedger.open(path)) as ledger:
            assert append(ledger).seq == 6
            assert ledger.verify().ok


class TestTampering:
    @pytest.mark.parametrize("column", TEXTS)
    def test_any_one_byte_of_any_column_names_the_entry(self, disarmed, reader, column):
        (stored,) = disarmed.execute(f"SELECT CAST({column} AS BLOB) FROM audit WHERE seq = 3").fetchone()  # noqa: S608
        assert stored
        for position in range(len(stored)):
            for flip in (0x01, 0x20, 0x80):  # another sign; the other case of a letter; not UTF-8 any more
                damaged = bytearray(stored)
                damaged[position] ^= flip
                self.store(disarmed, column, bytes(damaged))
                report = reader.verify()
                assert (report.ok, report.broken_seq) == (False, 3), (position, flip)
        self.store(disarmed, column, stored)
        assert reader.verify().ok

    @staticmethod
    def store(raw, column, value):
        raw.execute(f"UPDATE audit SET {column} = CAST(? AS TEXT) WHERE seq = 3", (value,))  # noqa: S608

    @pytest.mark.parametrize("seq", [0, -3, 7, 2**40])
    def test_a_moved_entry(self, disarmed, reader, seq):
        disarmed.execute("UPDATE audit SET seq = ? WHERE seq = 3", (seq,))
        assert reader.verify().broken_seq == (1 if seq < 1 else 3)

    def test_bytes_put_in_place_of_an_equal_text(self, disarmed, reader):
        disarmed.execute("PRAGMA writable_schema = ON")
        disarmed.execute("UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = 'audit'")
        disarmed.execute("UPDATE audit SET about = about || ' ' WHERE seq = 4")
        assert reader.verify().broken_seq == 4

    def test_a_deleted_entry_in_the_middle(self, disarmed, reader):
        disarmed.execute("DELETE FROM audit WHERE seq = 2")
        assert reader.verify().broken_seq == 2

    def test_a_cut_tail_is_found_through_the_witness(self, disarmed, reader):
        seq, head = reader.head()
        disarmed.execute("DELETE FROM audit WHERE seq > 3")
        assert reader.verify().ok  # the chain alone cannot tell
        report = reader.verify(witnessed=(seq, head))
        assert (report.ok, report.broken_seq, report.head_seq) == (False, 4, 3)

    def test_a_rewritten_chain_is_found_through_the_witness(self, disarmed, path, reader, tmp_path):
        seq, head = reader.head()
        with closing(SqliteLedger.open(tmp_path / "forged.sqlite")) as forger:
            for number in range(5):
                append(forger, number if number != 1 else 99)
        disarmed.execute("DELETE FROM audit")
        disarmed.execute("DELETE FROM audit_ref")
        disarmed.execute("ATTACH ? AS forged", (str(tmp_path / "forged.sqlite"),))
        disarmed.execute("INSERT INTO audit SELECT * FROM forged.audit")
        assert reader.verify().ok
        report = reader.verify(witnessed=(seq, head))
        assert (report.ok, report.broken_seq) == (False, 5)
        assert "rewritten" in report.problem

    def test_with_a_key_a_forger_without_it_is_found_at_once(self, tmp_path):
        path = tmp_path / "keyed.sqlite"
        with closing(SqliteLedger.open(path, hmac_key=b"k" * 32)) as ledger:
            head = append(ledger)
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            about = {"id": "x"}
            link = make_link((1, head.hash), at=after(1), actor="p", action="a:b", tenant="", owner="", about=about)
            values = link_values(link)
            raw.execute(f"INSERT INTO audit VALUES ({', '.join(f':{name}' for name in COLUMNS)})", values)  # noqa: S608
        with closing(SqliteLedgerReader.open_readonly(path, hmac_key=b"k" * 32)) as reader:
            assert reader.verify().broken_seq == 2

    def test_damaged_pages_are_a_report_not_a_crash(self, tmp_path):
        path = tmp_path / "damaged.sqlite"
        with closing(SqliteLedger.open(path)) as ledger, ledger.transaction() as tx:
            for number in range(300):
                tx.append_audit(
                    at=after(number), actor="p", action="a:b", tenant="acme", owner="mara", about={"n": number}
                )
        with closing(sqlite3.connect(path)) as connection:
            pages = connection.execute("SELECT pageno FROM dbstat WHERE name = 'audit' AND pagetype = 'leaf'")
            page = pages.fetchall()[2][0]
        with path.open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xff" * 4096)
        with closing(SqliteLedgerReader.open_readonly(path)) as reader:
            report = reader.verify()
        assert not report.ok
        assert 1 < report.broken_seq < 300
        assert "cannot be read" in report.problem


def test_a_dump_of_the_chain_holds_no_word(path):
    with closing(SqliteLedger.open(path)) as ledger, ledger.transaction() as tx:
        digest = tx.keyed_digest("acme", "mara", "penicillin")
        tx.append_audit(at=after(9), actor="p", action="a:b", tenant="acme", owner="mara", about={"digest": digest})
    with closing(sqlite3.connect(path)) as connection:
        dump = "\n".join(str(line) for line in connection.execute("SELECT * FROM audit"))
    assert digest in dump
    assert "penicillin" not in dump


class TestKey:
    """A chain is keyed from its first entry or never, and the file says which."""

    KEY = b"k" * 32

    @pytest.fixture
    def keyed(self, tmp_path):
        with closing(SqliteLedger.open(tmp_path / "keyed.sqlite", hmac_key=self.KEY)) as ledger:
            append(ledger)
        return tmp_path / "keyed.sqlite"

    @pytest.mark.parametrize("opener", [SqliteLedger.open, SqliteLedgerReader.open_readonly])
    def test_its_own_key_opens_it_and_no_other(self, keyed, opener):
        with closing(opener(keyed, hmac_key=self.KEY)) as ledger:
            assert ledger.keyed
            assert ledger.verify().ok
        with pytest.raises(Misconfigured, match="another key: put the secret back"):
            opener(keyed, hmac_key=b"x" * 32)
        with pytest.raises(Misconfigured, match="with the installation's secret"):
            opener(keyed)

    def test_an_empty_one_remembers_its_key_too(self, tmp_path):
        SqliteLedger.open(tmp_path / "new.sqlite", hmac_key=self.KEY).close()
        with pytest.raises(Misconfigured, match="another key"):
            SqliteLedger.open(tmp_path / "new.sqlite", hmac_key=b"x" * 32)

    @pytest.mark.parametrize("opener", [SqliteLedger.open, SqliteLedgerReader.open_readonly])
    def test_a_chain_made_without_a_key_stays_without(self, path, opener):
        with closing(opener(path, hmac_key=self.KEY)) as ledger:
            assert not ledger.keyed
            assert ledger.verify().ok
        with closing(SqliteLedger.open(path, hmac_key=self.KEY)) as ledger:
            append(ledger)
        with closing(SqliteLedgerReader.open_readonly(path)) as reader:
            assert (reader.verify().ok, reader.verify().entries) == (True, 6)

    def test_a_file_that_says_nothing_shows_it_by_its_first_entry(self, keyed, path):
        for file in (keyed, path):
            with closing(sqlite3.connect(file)) as raw:
                raw.execute("DELETE FROM setting")
                raw.commit()
        for file, expected in ((keyed, True), (path, False)):
            with closing(SqliteLedger.open(file, hmac_key=self.KEY)) as ledger:
                assert (ledger.keyed, ledger.verify().ok) == (expected, True)
        with pytest.raises(Misconfigured, match="installation's secret"):
            SqliteLedger.open(keyed)

    def test_a_first_entry_that_fits_no_key_settles_nothing_and_is_named(self, keyed):
        with closing(sqlite3.connect(keyed)) as raw:
            raw.execute("DELETE FROM setting")
            raw.commit()
        with closing(SqliteLedger.open(keyed, hmac_key=b"x" * 32)) as ledger:
            assert ledger.verify().broken_seq == 1
        with closing(SqliteLedger.open(keyed, hmac_key=self.KEY)) as ledger:
            assert ledger.verify().ok

    def test_calling_a_keyed_chain_plain_does_not_verify(self, keyed):
        with closing(sqlite3.connect(keyed)) as raw:
            raw.execute("UPDATE setting SET value = ''")
            raw.commit()
        with closing(SqliteLedgerReader.open_readonly(keyed, hmac_key=self.KEY)) as reader:
            assert (reader.keyed, reader.verify().broken_seq) == (False, 1)

    def test_the_file_does_not_hold_the_key(self, keyed):
        assert self.KEY not in keyed.read_bytes()
