"""Row-level security, the roles and the dump: asked as the database sees it, past the adapter's own filters."""

from __future__ import annotations

import subprocess

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from core.errors import Misconfigured
from core.model import EffectKind
from core.store.embedded import EmbeddedPostgres
from core.store.postgres import PostgresStore
from tests.store_fixtures import ANN, BEN, DIMENSIONS, IDENTITY, NOW, make_memory, unit_vector

OWNED = ["memory", "memory_embedding", "memory_link", "scope_stat", "applied_effect"]


@pytest.fixture(params=["plain", "parted"])
def store_layout(request) -> str:
    return request.param


@pytest.fixture
def filled(postgres_store, relay):
    relay.activate(make_memory("a"))
    relay.activate(make_memory("b", "You like tea.", scope=BEN))
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute(
            "INSERT INTO memory_link (owner, from_id, to_id, kind, tenant, weight, made_at) "
            "VALUES ('ann', 'a', 'a', 'related', 'acme', 0.3, now())"
        )
    return postgres_store


def numbers(store, scope, tables=OWNED):
    with store.database.transaction(scope) as conn:
        return {t: conn.execute(f"SELECT count(*) AS n FROM {t}".encode()).fetchone()["n"] for t in tables}  # noqa: S608 - constants


def test_each_owner_sees_own_rows_in_every_table(filled):
    assert set(numbers(filled, ANN).values()) == {1}
    assert numbers(filled, BEN) == {t: 0 if t == "memory_link" else 1 for t in OWNED}


def test_no_owner_means_no_rows(filled):
    assert set(numbers(filled, None).values()) == {0}


def test_the_owner_is_forgotten_when_the_transaction_ends(filled):
    with filled.database.transaction(ANN):
        pass
    assert set(numbers(filled, None).values()) == {0}


def test_the_right_owner_in_another_tenant_sees_nothing(filled):
    with filled.database.transaction(ANN) as conn:
        conn.execute("SELECT set_config('app.tenant', 'globex', true)")
        assert conn.execute("SELECT count(*) AS n FROM memory").fetchone()["n"] == 0


def test_others_ids_do_nothing(filled):
    with filled.database.transaction(ANN) as conn:
        assert conn.execute("SELECT 1 FROM memory WHERE memory_id = 'b'").fetchone() is None
        assert conn.execute("UPDATE memory SET text = 'x' WHERE owner = 'ben'").rowcount == 0
        assert conn.execute("DELETE FROM memory_embedding WHERE memory_id = 'b'").rowcount == 0
    assert filled.get(ANN, "b") is None
    assert filled.get(BEN, "b").text == "You like tea."


def test_nobody_writes_into_another_owners_rows(filled):
    with pytest.raises(Misconfigured), filled.database.transaction(ANN) as conn:
        conn.execute("UPDATE memory SET owner = 'ben'")
    with pytest.raises(Misconfigured), filled.database.transaction(ANN) as conn:
        conn.execute("INSERT INTO scope_stat (owner, agent, tenant, memories) VALUES ('ben', 'x', 'acme', 1)")


def test_word_matches_stay_with_the_owner_whose_mark_is_forged(filled):
    """match_words runs above the policies: another scope's lexemes must bring nothing out."""
    with filled.database.transaction(BEN) as conn:
        stored = conn.execute("SELECT words::text AS w FROM memory").fetchone()["w"]
    lexeme = stored.split()[0]
    ask = "SELECT count(*) AS n FROM match_words(%s::tsquery, NULL, 'console', %s, 10, 10)"
    with filled.database.transaction(BEN) as conn:
        assert conn.execute(ask, (lexeme, NOW)).fetchone()["n"] == 1
    for scope in (ANN, None):
        with filled.database.transaction(scope) as conn:
            assert conn.execute(ask, (lexeme, NOW)).fetchone()["n"] == 0


def test_the_roles_are_bound(filled, store_conninfo):
    with psycopg.connect(store_conninfo) as conn:
        roles = conn.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcanlogin FROM pg_roles WHERE rolname LIKE 'chronomemory%'"
        ).fetchall()
        assert len(roles) == 3
        assert not any(flag for role in roles for flag in role[1:])
        owned = conn.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname LIKE 'chronomemory%'"
        ).fetchall()
        assert owned == []
        forced = conn.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'chronomemory'::regnamespace "
            "AND relkind IN ('r', 'p') AND relrowsecurity AND relforcerowsecurity ORDER BY 1"
        ).fetchall()
        with_owner = conn.execute(
            "SELECT DISTINCT format('%I.%I', table_schema, table_name)::regclass::text FROM information_schema.columns "
            "WHERE table_schema = 'chronomemory' AND column_name = 'owner' ORDER BY 1"
        ).fetchall()
        assert forced == with_owner, "parts of a table are as guarded as the table"
        whole = conn.execute(
            "SELECT relname FROM pg_class WHERE oid = ANY(%s::regclass[]) AND NOT relispartition ORDER BY 1",
            ([row[0] for row in forced],),
        ).fetchall()
        assert [row[0] for row in whole] == sorted(OWNED)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
        "ALTER ROLE chronomemory_app BYPASSRLS",
        "DROP POLICY own_rows ON memory",
        "CREATE TABLE chronomemory.mine (x int)",
        "UPDATE applied_effect SET ledger_seq = 0",
        "DELETE FROM applied_effect",
        "INSERT INTO setting (key, value) VALUES ('a', 'b')",
        "TRUNCATE memory",
    ],
)
def test_the_app_role_cannot(filled, statement):
    with pytest.raises(Misconfigured), filled.database.transaction(ANN) as conn:
        conn.execute(statement.encode())


def test_the_reader_reads_and_nothing_else(filled, store_conninfo):
    reader = PostgresStore.reader(store_conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY)
    try:
        assert not hasattr(reader, "apply")
        assert reader.get(ANN, "a") == filled.get(ANN, "a")
        found = reader.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=5)
        assert [hit.memory.memory_id for hit in found] == ["a"]
        assert set(numbers(reader, None).values()) == {0}
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), reader.database.transaction(ANN) as conn:
            conn.execute("UPDATE memory SET text = 'x'")
    finally:
        reader.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory SET text = 'x'",
        "DELETE FROM memory",
        "INSERT INTO setting (key, value) VALUES ('a', 'b')",
        "CREATE TEMP TABLE t (x int)",
        "SELECT * FROM person",
        "SELECT * FROM session",
        "SELECT * FROM invitation",
    ],
)
def test_the_readers_role_has_no_right_even_without_the_read_only_setting(filled, store_conninfo, statement):
    with psycopg.connect(store_conninfo) as conn:
        conn.execute("SET ROLE chronomemory_reader")
        conn.execute("SET search_path = chronomemory")
        conn.execute("SELECT set_config('app.owner', 'ann', true), set_config('app.tenant', 'acme', true)")
        assert conn.execute("SELECT count(*) FROM memory").fetchone() == (1,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement.encode())


def test_a_reader_with_temp_is_refused(filled, store_conninfo):
    name = conninfo_to_dict(store_conninfo)["dbname"]
    with psycopg.connect(store_conninfo, autocommit=True) as conn:
        conn.execute(f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC".encode())
    with pytest.raises(Misconfigured, match=f'REVOKE TEMPORARY ON DATABASE "{name}"'):
        PostgresStore.reader(store_conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY)


def test_a_reader_before_the_schema_is_refused(make_database):
    with pytest.raises(Misconfigured, match="open the store for writing once"):
        PostgresStore.reader(make_database(), dimensions=DIMENSIONS, embedding_identity=IDENTITY)


def dump(conninfo: str) -> str:
    done = subprocess.run(
        [str(EmbeddedPostgres.binary("pg_dump")), "-d", conninfo], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_removed_words_are_in_no_dump(filled, relay, store_conninfo):
    relay.activate(make_memory("held", "You keep a xylophone.", value="xylophone", source_title="From xanadu"))
    relay.send(EffectKind.CONFIRM, "held")
    before = dump(store_conninfo)
    assert "xylophone" in before
    assert "xanadu" in before
    relay.send(EffectKind.REMOVE, "held")
    after = dump(store_conninfo)
    assert "penicillin" in after
    assert "xylophon" not in after
    assert "xanadu" not in after
    with filled.database.transaction(ANN) as conn:
        assert conn.execute("SELECT count(*) AS n FROM memory_embedding").fetchone()["n"] == 1
