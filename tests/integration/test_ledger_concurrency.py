"""Many threads, several processes, and a process killed in the middle: one unforked chain, nothing acknowledged lost."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import LedgerUnavailable
from core.ledger import SqliteLedger, SqliteLedgerReader
from core.model import CandidateState
from tests.contract.ledger_values import NOON, activate, after, candidate, decision, episode

ROOT = Path(__file__).parents[2]

APPENDER = """
import sys
from datetime import UTC, datetime
from core.ledger import SqliteLedger
path, actor, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
ledger = SqliteLedger.open(path, busy_seconds=60)
for number in range(count):
    with ledger.transaction() as tx:
        entry = tx.append_audit(at=datetime(2026, 1, 1, tzinfo=UTC), actor=actor, action="test:append", tenant="acme",
                                owner="mara", about={"number": number})
    print(entry.seq, entry.hash, flush=True)
ledger.close()
"""


def start(script: str, *args: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *(str(arg) for arg in args)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def append(ledger, actor="policy", number=0):
    with ledger.transaction() as tx:
        return tx.append_audit(
            at=NOON, actor=actor, action="test:append", tenant="acme", owner="mara", about={"number": number}
        )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


def test_threads_append_to_one_unforked_chain(path):
    with closing(SqliteLedger.open(path, busy_seconds=60)) as ledger:

        def work(actor):
            for number in range(25):
                append(ledger, actor, number)
                assert ledger.head()[0] > number

        threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        report = ledger.verify()
        entries, total = ledger.audit("acme", limit=1000)
    assert (report.ok, report.entries, total) == (True, 100, 100)
    for actor in ("t0", "t1", "t2", "t3"):
        numbers = [entry.about["number"] for entry in reversed(entries) if entry.actor == actor]
        assert numbers == list(range(25))


def test_processes_that_make_the_file_together_append_to_one_unforked_chain(path):
    children = [start(APPENDER, path, f"p{n}", 40) for n in range(2)]
    outputs = [child.communicate(timeout=120)[0] for child in children]
    assert [child.returncode for child in children] == [0, 0]
    acknowledged = sorted(int(line.split()[0]) for output in outputs for line in output.splitlines())
    assert acknowledged == list(range(1, 81))
    with closing(SqliteLedgerReader.open_readonly(path)) as reader:
        assert reader.verify().ok
        assert reader.head()[0] == 80


def test_a_process_killed_in_the_middle_loses_nothing_it_acknowledged(path):
    acknowledged: dict[int, str] = {}
    chance = random.Random(7)  # noqa: S311 - when to kill, not a secret
    for _ in range(6):
        child = start(APPENDER, path, "victim", 1_000_000)
        lines = [child.stdout.readline() for _ in range(chance.randint(1, 40))]
        time.sleep(chance.random() / 100)
        os.kill(child.pid, signal.SIGKILL)
        rest, _ = child.communicate(timeout=60)
        assert child.returncode == -signal.SIGKILL
        lines += rest.splitlines(keepends=True)
        acknowledged |= {
            int(line.split()[0]): line.split()[1] for line in lines if line.endswith("\n") and len(line.split()) == 2
        }
        with closing(SqliteLedger.open(path)) as ledger:
            report = ledger.verify()
            assert report.ok, report.problem
            entries, _ = ledger.audit("acme", limit=1_000_000)
            found = {entry.seq: entry.hash for entry in entries}
        assert acknowledged.items() <= found.items()
        assert len(found) - len(acknowledged) <= 6  # at most the one in flight at each kill
    assert len(acknowledged) > 50


def test_a_reader_sees_only_what_was_committed(path):
    with (
        closing(SqliteLedger.open(path)) as ledger,
        closing(SqliteLedgerReader.open_readonly(path)) as reader,
    ):
        with ledger.transaction() as tx:
            tx.add_episode(episode(), idempotency_key=None, inbox=True)
            tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={})
            for view in (ledger, reader):
                assert view.episode("e1") is None
                assert view.head() == (0, "")
        for view in (ledger, reader):
            assert view.episode("e1") is not None
            assert view.head()[0] == 1


def test_a_lease_is_seen_and_taken_over_by_another_process_handle(path):
    with closing(SqliteLedger.open(path)) as first, closing(SqliteLedger.open(path)) as second:
        with first.transaction() as tx:
            tx.add_episode(episode(), idempotency_key="k", inbox=True)
        assert first.claim(worker="w1", now=NOON, lease_seconds=30).episode_id == "e1"
        assert second.claim(worker="w2", now=after(29), lease_seconds=30) is None
        assert second.claim(worker="w2", now=after(30), lease_seconds=30).episode_id == "e1"
        assert second.attempts("e1") == 2
        with second.transaction() as tx:
            again = tx.add_episode(episode("e2"), idempotency_key="k", inbox=True)
        assert again.episode_id == "e1"


def test_a_transaction_is_all_or_nothing(path):
    class CallerError(Exception):
        pass

    def write_and_fail(ledger):
        with ledger.transaction() as tx:
            stored = tx.add_episode(episode(), idempotency_key=None, inbox=True)
            tx.add_candidate(candidate("k1", stored), state=CandidateState.HELD, at=NOON)
            tx.add_decision(decision("d1", "k1"))
            tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={})
            tx.enqueue(activate("f1"))
            tx.keyed_digest("acme", "mara", "x")
            raise CallerError

    with closing(SqliteLedger.open(path)) as ledger, pytest.raises(CallerError):
        write_and_fail(ledger)
    with closing(sqlite3.connect(path)) as raw:
        tables = ["episode", "candidate", "candidate_search", "decision", "decision_reason", "audit", "outbox"]
        counts = {name: raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in [*tables, "owner_key"]}  # noqa: S608
    assert set(counts.values()) == {0}


def test_another_process_holding_the_lock_is_waited_for_then_reported(path):
    with closing(SqliteLedger.open(path, busy_seconds=0.2)) as ledger:
        append(ledger)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerUnavailable, match="try again") as caught:
                append(ledger)
            assert caught.value.retry
            assert ledger.head()[0] == 1  # reads go on
            other.execute("ROLLBACK")
        assert append(ledger).seq == 2


def test_another_thread_holding_the_transaction_is_waited_for_then_reported(path):
    entered, leave = threading.Event(), threading.Event()
    with closing(SqliteLedger.open(path, busy_seconds=0.2)) as ledger:

        def hold():
            with ledger.transaction():
                entered.set()
                leave.wait(30)

        holder = threading.Thread(target=hold)
        holder.start()
        entered.wait(30)
        with pytest.raises(LedgerUnavailable, match="another thread"):
            append(ledger)
        leave.set()
        holder.join()
        assert append(ledger).seq == 1


def test_transactions_do_not_nest_and_end_for_good(path):
    with closing(SqliteLedger.open(path)) as ledger:
        with ledger.transaction() as tx:
            with pytest.raises(RuntimeError, match="nest"):
                append(ledger)
            with pytest.raises(RuntimeError, match="nest"):
                ledger.release("e1", worker="w1", retry_at=NOON)
        with pytest.raises(RuntimeError, match="ended"):
            tx.keyed_digest("acme", "mara", "x")
