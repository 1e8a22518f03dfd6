"""Opening a database: migrations, models, re-embedding, unprivileged roles."""

from __future__ import annotations

import threading

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.errors import Misconfigured, StoreUnavailable
from core.model import EffectKind
from core.sql import load_migrations
from core.store import reembed as reembedding
from core.store.partition import partition
from core.store.postgres import PostgresStore
from tests.store_fixtures import ANN, BEN, DIMENSIONS, IDENTITY, NOW, HashEmbedder, Relay, make_memory, unit_vector


def open_store(conninfo, *, dimensions=DIMENSIONS, identity=IDENTITY, **more):
    return PostgresStore.open(conninfo, dimensions=dimensions, embedding_identity=identity, **more)


def test_opening_twice_migrates_once(store_conninfo):
    open_store(store_conninfo).close()
    with psycopg.connect(store_conninfo) as conn:
        rows = conn.execute("SELECT number, length(checksum) FROM chronomemory.schema_migration ORDER BY 1").fetchall()
    assert rows == [(one.number, 64) for one in load_migrations("core.store")]


def test_processes_that_open_a_new_database_together_agree(make_database):
    conninfo = make_database()
    failures = []

    def run() -> None:
        try:
            open_store(conninfo).close()
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_edited_migration_is_refused(store_conninfo):
    with psycopg.connect(store_conninfo) as conn:
        conn.execute("UPDATE chronomemory.schema_migration SET checksum = 'x' WHERE number = 1")
    with pytest.raises(Misconfigured, match="0001_memory was changed"):
        open_store(store_conninfo)


@pytest.mark.parametrize(("identity", "dimensions"), [("another", DIMENSIONS), (IDENTITY, 16)])
def test_another_model_is_refused_with_the_command(store_conninfo, identity, dimensions):
    with pytest.raises(Misconfigured, match=r"python -m core\.entrypoints\.reembed"):
        open_store(store_conninfo, identity=identity, dimensions=dimensions)


def test_too_many_dimensions_are_refused(store_conninfo):
    with pytest.raises(Misconfigured, match="4000"):
        open_store(store_conninfo, dimensions=4001)


def test_the_largest_vectors_are_stored_and_found(make_database):
    store = open_store(make_database(), dimensions=4000, identity="large")
    try:
        vector = unit_vector("v", 4000)
        Relay(store).activate(make_memory(), vector)
        [hit] = store.search(ANN, vector=vector, query="", at=NOW, limit=3)
        assert hit.cosine == pytest.approx(1, abs=1e-3)
    finally:
        store.close()


class TestReembed:
    @pytest.fixture(params=["plain", "parted"])
    def store_layout(self, request) -> str:
        return request.param

    def test_every_vector_is_replaced_and_the_old_model_refused(
        self, postgres_store, relay, store_conninfo, monkeypatch
    ):
        monkeypatch.setattr(reembedding, "BATCH", 3)
        for n in range(8):
            relay.activate(make_memory(f"m{n}", f"note {n}", scope=(ANN, BEN)[n % 2]))
        bare = relay.item(EffectKind.ACTIVATE, "bare", memory=make_memory("bare", "without a vector"))
        postgres_store.apply(bare, embedding=None)
        relay.send(EffectKind.ARCHIVE, "m0")
        stale = open_store(store_conninfo)
        after = HashEmbedder("new-model", 12)
        try:
            assert postgres_store.reembed(after) == 9
            found = postgres_store.search(ANN, vector=after.embed(["note 2"])[0], query="", at=NOW, limit=1)
            assert [(h.memory.memory_id, round(h.cosine, 2)) for h in found] == [("m2", 1.0)]
            everything = postgres_store.search(ANN, vector=after.embed(["x"])[0], query="", at=NOW, limit=50)
            assert {h.memory.memory_id for h in everything} == {"m2", "m4", "m6", "bare"}
            with pytest.raises((Misconfigured, psycopg.errors.DataException)):
                stale.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=5)
            item = relay.item(EffectKind.ACTIVATE, "late", memory=make_memory("late"))
            with pytest.raises(Misconfigured, match="no longer"):
                stale.apply(item, embedding=unit_vector("late"))
            assert stale.get(ANN, "late") is None
        finally:
            stale.close()
        with pytest.raises(Misconfigured):
            open_store(store_conninfo)
        open_store(store_conninfo, identity="new-model", dimensions=12).close()

    def test_a_stale_process_of_equal_length_is_refused_too(self, postgres_store, relay, store_conninfo):
        relay.activate(make_memory())
        stale = open_store(store_conninfo)
        try:
            postgres_store.reembed(HashEmbedder("new-model", DIMENSIONS))
            with pytest.raises(Misconfigured, match="restart it"):
                stale.search(ANN, vector=unit_vector("x"), query="", at=NOW, limit=5)
        finally:
            stale.close()

    def test_cut_off_it_goes_on_where_it_stopped(self, postgres_store, relay, monkeypatch):
        monkeypatch.setattr(reembedding, "BATCH", 2)
        for n in range(6):
            relay.activate(make_memory(f"m{n}", f"note {n}"))

        class Failing(HashEmbedder):
            left = 2

            def embed(self, texts):
                if self.left == 0:
                    raise ConnectionError
                self.left -= 1
                return super().embed(texts)

        with pytest.raises(ConnectionError):
            postgres_store.reembed(Failing("new-model", 12))
        # Meanwhile the old vectors serve.
        assert len(postgres_store.search(ANN, vector=unit_vector("x"), query="", at=NOW, limit=50)) == 6
        assert postgres_store.reembed(HashEmbedder("new-model", 12)) == 2


class TestUnprivileged:
    """A hosted Postgres: the connecting role is no superuser, may create roles, and owns the database."""

    @pytest.fixture
    def hosted(self, make_database):
        admin = make_database()
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute("CREATE EXTENSION vector")
            name = conn.info.dbname
            role = f"tenant_{name}"
            conn.execute(f"CREATE ROLE {role} LOGIN CREATEROLE".encode())
            conn.execute(f"ALTER DATABASE {name} OWNER TO {role}".encode())
            for granted in ("chronomemory_app", "chronomemory_reader", "chronomemory_keeper"):
                conn.execute(f"GRANT {granted} TO {role} WITH INHERIT FALSE, SET TRUE".encode())
        yield make_conninfo(admin, user=role), role
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"REASSIGN OWNED BY {role} TO postgres".encode())
            conn.execute(f"DROP OWNED BY {role}".encode())
            conn.execute(f"ALTER DATABASE {name} OWNER TO postgres".encode())
            conn.execute(f"DROP ROLE {role}".encode())

    def test_everything_works_and_the_tables_owner_sees_nothing(self, hosted, store_template):
        conninfo, _ = hosted
        store = open_store(conninfo)
        try:
            Relay(store).activate(make_memory())
            assert store.get(ANN, "m1") == make_memory()
            assert len(store.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=5)) == 1
            with psycopg.connect(conninfo) as conn:
                assert conn.execute("SELECT count(*) FROM chronomemory.memory").fetchone() == (0,)
            assert store.reembed(HashEmbedder("new-model", 12)) == 1
            reader = PostgresStore.reader(conninfo, dimensions=12, embedding_identity="new-model")
            assert reader.get(ANN, "m1") == make_memory()
            reader.close()
        finally:
            store.close()

    def test_a_store_in_parts_works_as_well(self, hosted, store_template):
        conninfo, role = hosted
        store = open_store(conninfo)
        Relay(store).activate(make_memory())
        store.close()
        assert partition(conninfo, parts=3).rows["memory"] == 1
        store = open_store(conninfo)
        try:
            assert store.get(ANN, "m1") == make_memory()
            assert len(store.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=5)) == 1
            with psycopg.connect(conninfo) as conn:
                assert conn.execute("SELECT count(*) FROM chronomemory.memory").fetchone() == (0,)
                owners = conn.execute(
                    "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class "
                    "WHERE relnamespace = 'chronomemory'::regnamespace AND relname LIKE 'memory%'"
                ).fetchall()
                assert owners == [(role,)]
        finally:
            store.close()

    def test_a_role_that_may_not_act_as_the_app_is_told_the_grant(self, hosted, make_database, store_template):
        conninfo, role = hosted
        with psycopg.connect(make_database(), autocommit=True) as conn:
            conn.execute(f"REVOKE chronomemory_app FROM {role}".encode())
        with pytest.raises(Misconfigured, match=r"GRANT chronomemory_app|grant it chronomemory_app"):
            open_store(conninfo)


def test_a_role_that_bypasses_security_is_refused(store_conninfo):
    with psycopg.connect(store_conninfo, autocommit=True) as conn:
        conn.execute("ALTER ROLE chronomemory_app BYPASSRLS")
        try:
            with pytest.raises(Misconfigured, match="ALTER ROLE chronomemory_app NOSUPERUSER NOBYPASSRLS"):
                open_store(store_conninfo)
        finally:
            conn.execute("ALTER ROLE chronomemory_app NOBYPASSRLS")


def test_no_server_is_said_quickly_and_clearly(tmp_path):
    with pytest.raises(StoreUnavailable, match="does not answer"):
        open_store(make_conninfo(host=str(tmp_path), user="postgres", dbname="postgres"))
