"""The embedded server: killed, shared, moved, misplaced; and the pool that comes back after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from core.errors import Misconfigured, StoreUnavailable
from core.store.embedded import EmbeddedPostgres
from core.store.people import PostgresPeople
from core.store.postgres import PostgresStore
from tests.store_fixtures import ANN, DIMENSIONS, IDENTITY, NOW, Relay, make_memory, unit_vector

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(tmp_path):
    server = EmbeddedPostgres(tmp_path / "pg")
    yield server
    server.stop()
    assert server.pid() is None


def gone(pid: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    pytest.fail(f"{pid} still lives")


def other_process(data_dir: Path) -> subprocess.Popen[str]:
    """Another process that uses the same data directory until its input ends."""
    code = (
        "import sys; from pathlib import Path; from core.store.embedded import EmbeddedPostgres\n"
        "server = EmbeddedPostgres(Path(sys.argv[1])); server.start(); print(server.pid(), flush=True)\n"
        "sys.stdin.read(); server.stop()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(data_dir)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_no_other_account_can_reach_it(server):
    conninfo = server.start()
    with psycopg.connect(conninfo) as conn:
        assert conn.execute("SHOW listen_addresses").fetchone() == ("",)
        socket_dir = Path(conn.execute("SHOW unix_socket_directories").fetchone()[0])
    assert socket_dir.stat().st_mode & 0o077 == 0
    assert (socket_dir / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0
    assert server.log.stat().st_mode & 0o077 == 0


def test_start_again_is_the_same_server(server):
    first = server.start()
    pid = server.pid()
    assert server.start() == first
    assert server.pid() == pid
    assert EmbeddedPostgres(server.data_dir).pid() == pid


def test_killed_server_comes_back_with_its_data_and_the_pool_with_it(server):
    store = PostgresStore.open(server.start(), dimensions=DIMENSIONS, embedding_identity=IDENTITY)
    try:
        Relay(store).activate(make_memory())
        pid = server.pid()
        os.kill(pid, signal.SIGKILL)
        gone(pid)
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="does not answer"):
            store.get(ANN, "m1")
        with pytest.raises(StoreUnavailable):
            store.search(ANN, vector=unit_vector("x"), query="", at=NOW, limit=5)
        with pytest.raises(StoreUnavailable):
            PostgresPeople(store.database).count()
        with pytest.raises(StoreUnavailable):
            store.ping()
        assert time.monotonic() - began < 16
        server.start()
        assert server.pid() != pid
        deadline = time.monotonic() + 10
        while True:
            try:
                found = store.get(ANN, "m1")
                break
            except StoreUnavailable:
                assert time.monotonic() < deadline, "the pool did not recover"
        assert found == make_memory()
    finally:
        store.close()


def test_a_store_opened_while_the_server_is_away_works_when_it_is_there(server):
    conninfo = server.start()
    server.stop()
    store = PostgresStore.open(conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY, must_answer=False)
    try:
        with pytest.raises(StoreUnavailable):
            store.ping()
        server.start()
        store.ping()
        assert store.witness() == (0, "")
    finally:
        store.close()


def test_our_process_killed_leaves_a_server_that_the_next_takes_over(server):
    other = other_process(server.data_dir)
    pid = int(other.stdout.readline())
    other.kill()
    other.wait()
    other.stdin.close()
    other.stdout.close()
    server.start()
    assert server.pid() == pid


def test_a_pid_file_that_names_a_stranger_is_seen_through(server):
    server.start()
    pid = server.pid()
    os.kill(pid, signal.SIGKILL)
    gone(pid)
    file = server.cluster / "postmaster.pid"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([str(os.getppid()), *lines[1:]]) + "\n", encoding="utf-8")
    server.start()
    assert server.pid() not in (None, os.getppid())


@pytest.mark.parametrize("content", ["", "what\n", "999999999\n"])
def test_a_damaged_pid_file_does_not_stop_it(server, content):
    server.start()
    server.stop()
    file = server.cluster / "postmaster.pid"
    file.write_text(content, encoding="utf-8")
    server.start()
    assert server.pid() is not None


def test_whoever_leaves_last_stops_it(server):
    server.start()
    pid = server.pid()
    other = other_process(server.data_dir)
    assert int(other.stdout.readline()) == pid
    server.stop()
    assert server.pid() == pid
    other.communicate("")
    assert other.returncode == 0
    assert server.pid() is None


def test_two_first_starts_at_once_share_one_cluster(server):
    others = [other_process(server.data_dir) for _ in range(3)]
    pids = {int(other.stdout.readline()) for other in others}
    assert len(pids) == 1
    for other in others:
        other.communicate("")
    assert [other.returncode for other in others] == [0, 0, 0]


def test_a_path_too_long_for_a_socket(tmp_path):
    server = EmbeddedPostgres(tmp_path / ("long" * 20) / ("dir" * 20) / "with 'quotes' and spaces")
    try:
        conninfo = server.start()
        with psycopg.connect(conninfo) as conn:
            socket_dir = Path(conn.execute("SHOW unix_socket_directories").fetchone()[0])
        assert socket_dir.stat().st_mode & 0o777 == 0o700
        assert len(str(socket_dir)) < 90
    finally:
        server.stop()
    # Someone else's directory under that name is not used.
    socket_dir.chmod(0o755)
    with pytest.raises(Misconfigured, match="shorter data directory"):
        server.start()
    socket_dir.rmdir()


def test_a_first_start_that_was_cut_off(server):
    server.data_dir.mkdir()
    (server.data_dir / "cluster.new").mkdir()
    (server.data_dir / "cluster.new" / "junk").touch()
    server.start()
    assert server.pid() is not None


def test_another_versions_cluster_is_refused(server):
    server.start()
    server.stop()
    (server.cluster / "PG_VERSION").write_text("16\n", encoding="utf-8")
    with pytest.raises(Misconfigured, match="Postgres 16"):
        server.start()


def test_a_damaged_cluster_is_never_thrown_away(server):
    server.start()
    server.stop()
    (server.cluster / "PG_VERSION").unlink()
    with pytest.raises(Misconfigured, match="restore a backup"):
        server.start()
    assert (server.cluster / "base").is_dir()


def test_what_the_log_says_is_told(server, monkeypatch):
    server.start()
    server.stop()
    with (server.cluster / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write("\nno_such_setting = on\n")
    monkeypatch.setattr("core.store.embedded.START_WAIT", 2.0)
    with pytest.raises(StoreUnavailable, match="no_such_setting"):
        server.start()
