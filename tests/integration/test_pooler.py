"""DATABASE_URL through PgBouncer in transaction mode: two connections of the server for everybody, none kept by anyone."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from core.errors import StoreUnavailable
from core.model import MemoryStatus, Role
from core.store.postgres import PostgresStore
from core.store.processes import SYSTEM_USER
from core.store.reader import PostgresReader
from tests.conftest import MakeConsole
from tests.store_fixtures import ANN, BEN, DIMENSIONS, IDENTITY, MAC_KEY, NOW, HashEmbedder, Relay, make_memory
from tests.store_fixtures import unit_vector as vector

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed: install the package `pgbouncer`")

CONNECTIONS = 2  # of the server: fewer than there are callers, so that each meets what others left
SECONDS = 20.0

SETTINGS = """
[databases]
* = host={host} port={port} user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 200
logfile = {folder}/pgbouncer.log
log_connections = 0
pidfile = {folder}/pgbouncer.pid
{tls}
"""


@dataclass
class Pooler:
    """A PgBouncer before the run's server."""

    port: int
    process: subprocess.Popen[bytes]
    command: list[str]

    def to(self, conninfo: str, **more: str) -> str:
        """The way to the same database through the pooler."""
        return make_conninfo(conninfo, **({"host": "127.0.0.1", "port": self.port} | more))

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        msg = "PgBouncer did not start"
        raise AssertionError(msg)


@contextlib.contextmanager
def pooler(conninfo: str, tls: str = "", folder: Path | None = None) -> Iterator[Pooler]:
    server = conninfo_to_dict(conninfo)
    with tempfile.TemporaryDirectory(prefix="chronomemory-pooler-") as name, socket.socket() as free:
        place = folder or Path(name)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        file = place / "pgbouncer.ini"
        filled = {"host": server["host"], "port": server.get("port", 5432), "listen": port, "folder": place, "tls": tls}
        file.write_text(SETTINGS.format(connections=CONNECTIONS, **filled))
        command = [str(PGBOUNCER), "-q", str(file)]
        if os.geteuid() == 0:  # it refuses to run as root
            for one in (place, *place.iterdir()):
                shutil.chown(one, SYSTEM_USER)  # who may reach the server's socket
            command[1:1] = ["-u", SYSTEM_USER]
        made = Pooler(port=port, process=None, command=command)  # type: ignore[arg-type]
        made.start()
        try:
            yield made
        finally:
            made.process.send_signal(signal.SIGTERM)
            made.process.wait(SECONDS)


@pytest.fixture
def between(store_conninfo: str) -> Iterator[Pooler]:
    with pooler(store_conninfo) as made:
        yield made


def open_store(through: str, direct: str, size: int = 8) -> PostgresStore:
    return PostgresStore.open(
        through, direct=direct, dimensions=DIMENSIONS, embedding_identity=IDENTITY, mac_key=MAC_KEY, pool_size=size
    )


def test_owners_who_share_connections_never_see_each_other(between: Pooler, store_conninfo: str) -> None:
    store = open_store(between.to(store_conninfo), store_conninfo)
    relay = Relay(store)
    lock = threading.Lock()
    seen: dict[str, set[str]] = {"ann": set(), "ben": set()}
    try:
        for n in range(4):
            for scope in (ANN, BEN):
                relay.activate(make_memory(f"{scope.owner}{n}", f"Locker {n} of {scope.owner}.", scope=scope))

        def ask(number: int) -> None:
            scope = (ANN, BEN)[number % 2]
            for n in range(10):
                found = store.search(scope, vector=vector(n), query="locker", at=NOW, limit=20)
                rows = [one.memory for one in found if store.genuine(one)] + list(store.recent(scope))
                counted = store.count(scope)[MemoryStatus.ACTIVE]
                with lock:
                    seen[scope.owner] |= {one.memory_id for one in rows}
                    assert counted == 4
                assert store.count(replace(scope, owner="nobody"))[MemoryStatus.ACTIVE] == 0

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(ask, range(8)))
    finally:
        store.close()
    assert seen == {owner: {f"{owner}{n}" for n in range(4)} for owner in ("ann", "ben")}


def test_nothing_stays_on_a_connection_after_its_transaction(between: Pooler, store_conninfo: str) -> None:
    store = open_store(between.to(store_conninfo), store_conninfo)
    read = (
        "SELECT current_user AS role, current_setting('app.owner', true) AS owner, "
        "current_setting('search_path') AS path, current_setting('plan_cache_mode') AS plans, "
        "current_setting('transaction_read_only') AS reading"
    )
    try:
        Relay(store).activate(make_memory())
        with store.database.transaction(ANN) as conn:
            inside = conn.execute(read).fetchone()
        assert inside is not None
        assert (inside["role"], inside["owner"]) == ("chronomemory_app", "ann")
        assert (inside["path"], inside["plans"]) == ("chronomemory, public", "force_custom_plan")
        with psycopg.connect(between.to(store_conninfo), autocommit=True, prepare_threshold=None) as other:
            left = [other.execute(read).fetchone() for _ in range(10)]
        assert {(one[0], one[1] or "", one[3], one[4]) for one in left if one} == {("postgres", "", "auto", "off")}
        assert not any(one and "chronomemory" in one[2] for one in left)
    finally:
        store.close()


def test_the_sandboxs_reader_cannot_write_through_it_either(between: Pooler, store_conninfo: str) -> None:
    open_store(store_conninfo, "").close()
    reader = PostgresReader.open(
        between.to(store_conninfo), direct=store_conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY
    )
    try:
        with pytest.raises(psycopg.errors.Error), reader.database.transaction(ANN) as conn:
            conn.execute("UPDATE memory SET text = ''")
        with reader.database.transaction(ANN) as conn, pytest.raises(psycopg.errors.ActiveSqlTransaction):
            conn.execute("SET TRANSACTION READ WRITE")
    finally:
        reader.close()


def test_a_pooler_that_dies_is_met_again_and_nothing_is_lost(between: Pooler, store_conninfo: str) -> None:
    store = open_store(between.to(store_conninfo), store_conninfo)
    relay = Relay(store)
    try:
        relay.activate(make_memory("m1"))
        between.kill()
        with pytest.raises(StoreUnavailable):
            store.get(ANN, "m1")
        between.start()
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                assert store.get(ANN, "m1") is not None
                break
            except StoreUnavailable:
                assert time.monotonic() < deadline, "the pool did not heal"
                time.sleep(0.2)
        relay.activate(make_memory("m2"))
        assert {one.memory_id for one in store.recent(ANN)} == {"m1", "m2"}
    finally:
        store.close()


def test_migrations_and_upkeep_take_the_direct_way(make_database: Callable[..., str], store_template: str) -> None:
    direct = make_database()  # empty: the schema is still to be made
    with pooler(direct) as between:
        store = open_store(between.to(direct), direct)
        try:
            Relay(store).activate(make_memory())
            assert store.reembed(HashEmbedder("new-model", 12)) == 1
            assert store.get(ANN, "m1") == make_memory()
        finally:
            store.close()


def test_the_whole_product_works_through_it(make_console: MakeConsole, database_url: str) -> None:
    with pooler(database_url) as between:
        console = make_console(database_url=between.to(database_url), database_direct_url=database_url)
        console.ask("I am allergic to penicillin.")
        ben = console.person("ben", Role.MEMBER)
        console.ask("I live in Tartu.", actor=ben)
        assert "penicillin" in console.ask("What am I allergic to?").text
        assert "penicillin" not in console.ask("What am I allergic to?", actor=ben).text
        assert "Tartu" in console.ask("Where do I live?", actor=ben).text
        assert console.layer.health()["store"] == "ok"
        proof = console.layer.proofs.isolation(console.admin, ben.user_id)
        assert (proof.as_self, proof.as_nobody, proof.as_owner) == (0, 0, proof.asked)
        assert proof.asked > 0


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    whole, secret = folder / "server.crt", folder / "server.key"
    whole.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)
    )
    return whole, secret


def test_the_way_can_be_encrypted_and_its_end_verified(store_conninfo: str) -> None:
    with tempfile.TemporaryDirectory(prefix="chronomemory-pooler-") as name:
        whole, secret = certificate(Path(name))
        tls = f"client_tls_sslmode = require\nclient_tls_key_file = {secret}\nclient_tls_cert_file = {whole}"
        with pooler(store_conninfo, tls, Path(name)) as between:
            whole.chmod(0o644)
            Path(name).chmod(0o755)
            trusted = between.to(
                store_conninfo, host="localhost", hostaddr="127.0.0.1", sslmode="verify-full", sslrootcert=str(whole)
            )
            store = open_store(trusted, store_conninfo)
            try:
                Relay(store).activate(make_memory())
                with store.database.transaction(ANN) as conn:
                    assert conn.pgconn.ssl_in_use
            finally:
                store.close()
            for refused in ({"sslmode": "disable"}, {"sslmode": "verify-full", "sslrootcert": "system"}):
                with pytest.raises(psycopg.OperationalError):
                    psycopg.connect(make_conninfo(trusted, **refused), connect_timeout=3).close()
