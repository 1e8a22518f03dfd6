"""Several processes on one Postgres ledger: one chain without a fork, nothing lost, a killed writer leaves nothing."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from core.errors import LedgerUnavailable
from core.ledger_pg import PostgresLedger, PostgresLedgerReader
from core.store import EmbeddedPostgres
from tests.contract.ledger_values import MARA, NOON, episode
from tests.integration.ledger_writer import KEY, append

WRITERS = 4
ENTRIES = 25


def _child(what: str, url: str, name: str, count: int = 0) -> "subprocess.Popen[str]":
    """A writer in a process of its own: a fork would share the parent's connections."""
    command = [sys.executable, "-m", "tests.integration.ledger_writer", what, url, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_parallel_writers_make_one_chain_and_lose_nothing(ledger_url):
    writers = [_child("append", ledger_url, f"w{number}", ENTRIES) for number in range(WRITERS)]
    assert [one.communicate(timeout=120)[0] for one in writers] == [""] * WRITERS
    assert [one.returncode for one in writers] == [0] * WRITERS
    ledger = PostgresLedger.open(ledger_url, hmac_key=KEY)
    report = ledger.verify()
    entries, total = ledger.audit("t", limit=1000)
    ledger.close()
    assert (report.ok, report.entries, total) == (True, WRITERS * ENTRIES, WRITERS * ENTRIES)
    named = [entry.about["id"] for entry in reversed(entries)]
    for writer in range(WRITERS):  # each one's own entries in the order in which it appended them
        own = [name for name in named if name.startswith(f"w{writer}-")]
        assert own == [f"w{writer}-{number}" for number in range(ENTRIES)]


def test_a_writer_killed_in_mid_transaction_leaves_nothing_and_no_lock(ledger_url):
    append(ledger_url, "before", 2)
    writer = _child("hang", ledger_url, "killed")
    assert writer.stdout is not None
    assert writer.stdout.readline() == "wrote\n"
    writer.kill()
    writer.communicate(timeout=30)
    append(ledger_url, "after", 1)
    ledger = PostgresLedger.open(ledger_url, hmac_key=KEY)
    report = ledger.verify()
    actors = [entry.actor for entry in ledger.audit("t")[0]]
    ledger.close()
    assert (report.ok, report.entries) == (True, 3)
    assert actors == ["after", "before", "before"]


def test_a_writer_waits_its_time_for_another_and_says_so(ledger_url):
    first = PostgresLedger.open(ledger_url)
    second = PostgresLedger.open(ledger_url, busy_seconds=0.3)
    with first.transaction(), pytest.raises(LedgerUnavailable, match="try again"), second.transaction():
        pass
    first.close()
    second.close()


def test_a_connection_that_the_server_cut_is_made_anew(ledger_url):
    ledger = PostgresLedger.open(ledger_url)
    ledger.head()
    with psycopg.connect(ledger_url, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(LedgerUnavailable):
        ledger.head()
    assert ledger.head() == (0, "")
    ledger.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger.audit SET actor = 'x'",
        "DELETE FROM ledger.audit",
        "TRUNCATE ledger.audit",
        "DELETE FROM ledger.audit_ref",
        "INSERT INTO ledger.audit SELECT seq + 5, at, actor, attestation, action, about, tenant, owner, prev_hash, hash"
        " FROM ledger.audit",
    ],
)
def test_the_chain_refuses_what_does_not_extend_it(ledger_url, statement):
    ledger = PostgresLedger.open(ledger_url)
    with ledger.transaction() as tx:
        tx.append_audit(at=NOON, actor="p", action="a:b", tenant="t", owner="o", about={"id": "x"})
    ledger.close()
    with psycopg.connect(ledger_url) as conn, pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        conn.execute(statement)


def test_a_reader_cannot_write(ledger_url):
    PostgresLedger.open(ledger_url).close()
    reader = PostgresLedgerReader.open_readonly(ledger_url)
    with pytest.raises(LedgerUnavailable, match="read-only"), reader._pool.snapshot() as connection:
        connection.change("erase_marks", tenant="t", owner="o")
    reader.close()


def test_what_was_deleted_is_in_none_of_the_tables_files(ledger_url, postgres_server):
    ledger = PostgresLedger.open(ledger_url)
    with ledger.transaction() as tx:
        tx.add_episode(episode(text="the word is Quillfeather"), idempotency_key=None, inbox=True)
    assert _in_the_files(ledger_url, postgres_server, "Quillfeather")
    with ledger.transaction() as tx:
        tx.erase(MARA.tenant, MARA.owner)
    ledger.compact()
    assert not _in_the_files(ledger_url, postgres_server, "Quillfeather")
    assert ledger.verify().ok
    ledger.close()


def test_compacting_waits_its_time_for_a_reader_and_says_so(ledger_url):
    ledger = PostgresLedger.open(ledger_url, busy_seconds=0.3)
    with ledger._pool.snapshot() as reader:
        reader.rows("outbox", limit=1)
        with pytest.raises(LedgerUnavailable, match="try again"):
            ledger.compact()
    ledger.compact()
    ledger.close()


def _in_the_files(url: str, server: EmbeddedPostgres, word: str) -> bool:
    """Whether a word stands in the files of this database's tables as they lie on the disk."""
    with psycopg.connect(server.start(), autocommit=True) as conn:
        conn.execute("CHECKPOINT")
        [folder] = conn.execute("SHOW data_directory").fetchone() or [""]
        [oid] = conn.execute(
            "SELECT oid FROM pg_database WHERE datname = %s", (conninfo_to_dict(url)["dbname"],)
        ).fetchone() or [0]
    return any(word.encode() in file.read_bytes() for file in Path(folder, "base", str(oid)).iterdir())
