"""`store distribute` against a stand-in for Citus: an extension of that name that writes down what it is asked.

It refuses what Citus's source refuses of policies and triggers and spreads nothing. No real Citus was tried.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from core.errors import Misconfigured
from core.store.distribute import distribute
from core.store.partition import DISTRIBUTED, partition
from core.store.postgres import PostgresStore
from tests.store_fixtures import ANN, BEN, DIMENSIONS, IDENTITY, MAC_KEY, NOW, Relay, make_memory, unit_vector

STAND_IN = """
CREATE TABLE asked (number integer GENERATED ALWAYS AS IDENTITY, name regclass, by_column text, beside text);
CREATE TABLE harm (statement text);
CREATE VIEW citus_tables AS SELECT name AS table_name, by_column AS distribution_column, 1 AS colocation_id FROM asked;
CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
    colocate_with text DEFAULT 'default', shard_count integer DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    IF EXISTS (SELECT FROM pg_policy WHERE polrelid = table_name AND polqual::text || polwithcheck::text LIKE '%SUBLINK%')
    THEN
        RAISE 'cannot create policy' USING DETAIL = 'Subqueries are not supported in policies on distributed tables';
    END IF;
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal) THEN
        RAISE 'cannot distribute relation "%" because it has triggers', table_name;
    END IF;
    INSERT INTO public.asked (name, by_column, beside) VALUES (table_name, distribution_column, colocate_with);
    FOR one IN SELECT statement FROM public.harm LOOP
        EXECUTE one;
    END LOOP;
END
$$;
"""


@pytest.fixture
def citus_there(store_conninfo):
    """The server knows an extension of that name; the database has not made it."""
    with tempfile.TemporaryDirectory(prefix="chronomemory-citus-") as folder:
        place = Path(folder) / "extension"
        place.mkdir(mode=0o755)
        Path(folder).chmod(0o755)
        (place / "citus.control").write_text("default_version = '13.0'\nschema = public\n", encoding="utf-8")
        (place / "citus--13.0.sql").write_text(STAND_IN, encoding="utf-8")
        with psycopg.connect(store_conninfo, autocommit=True) as conn:
            name = conn.info.dbname
            conn.execute(f"ALTER DATABASE {name} SET extension_control_path = '{folder}:$system'".encode())
        yield store_conninfo


@pytest.fixture
def citus(citus_there) -> str:
    with psycopg.connect(citus_there, autocommit=True) as conn:
        conn.execute("CREATE EXTENSION citus")
    store = opened(citus_there)
    relay = Relay(store)
    relay.activate(make_memory("a"))
    relay.activate(make_memory("b", "You like tea.", scope=BEN))
    store.close()
    return citus_there


def opened(conninfo: str) -> PostgresStore:
    return PostgresStore.open(conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY, mac_key=MAC_KEY)


def told(conninfo: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        return conn.execute(query.encode()).fetchall()


ASKED = "SELECT name::text, by_column, beside FROM asked ORDER BY number"
POLICIES = (
    "SELECT tablename, policyname, qual, with_check FROM pg_policies WHERE schemaname = 'chronomemory' ORDER BY 1, 2"
)


def test_without_citus_one_is_told_what_one_server_can_do(store_conninfo):
    with pytest.raises(Misconfigured, match=r"this server has no citus.*chronomemory store partition"):
        distribute(store_conninfo)


def test_with_citus_beside_the_database_one_is_told_to_make_it(citus_there):
    with pytest.raises(Misconfigured, match="CREATE EXTENSION citus"):
        distribute(citus_there)


def test_a_database_without_a_store_is_refused(citus):
    with psycopg.connect(citus, autocommit=True) as conn:
        conn.execute("DROP SCHEMA chronomemory CASCADE")
    with pytest.raises(Misconfigured, match="there is no memory store"):
        distribute(citus)


def test_every_table_with_an_owner_is_spread_by_it_beside_the_first(citus):
    done = distribute(citus)
    assert done.citus == "13.0"
    assert done.tables == DISTRIBUTED
    rest = [(table, "owner", "chronomemory.memory") for table in DISTRIBUTED[1:]]
    assert told(citus, ASKED) == [("memory", "owner", "default"), *rest]
    assert told(citus, "SELECT count(*) FROM scope_stat WHERE owner LIKE '%probe%'") == [(0,)]


def test_doing_it_again_changes_nothing(citus):
    distribute(citus)
    assert distribute(citus).tables == ()
    assert len(told(citus, ASKED)) == len(DISTRIBUTED)


def test_the_rest_is_spread_where_some_was(citus):
    distribute(citus)
    told(citus, "DELETE FROM asked WHERE name = 'memory_link'::regclass RETURNING 1")
    assert distribute(citus).tables == ("memory_link",)


def test_policies_ask_no_query_and_still_part_the_owners(citus):
    before = told(citus, POLICIES)
    distribute(citus)
    after = told(citus, POLICIES)
    assert [row[:2] for row in after] == [row[:2] for row in before]
    assert all("SELECT" in str(row[2]) for row in before if row[1] == "own_rows")
    assert not any("SELECT" in str(row) for row in after)
    store = opened(citus)
    try:
        for scope, memory_id in ((ANN, "a"), (BEN, "b")):
            hits = store.search(scope, vector=unit_vector("x"), query="penicillin tea", at=NOW, limit=5)
            assert [hit.memory.memory_id for hit in hits] == [memory_id]
            with store.database.transaction(scope) as conn:
                rows = conn.execute("SELECT memory_id FROM memory").fetchall()
                assert [row["memory_id"] for row in rows] == [memory_id]
                with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                    conn.execute("INSERT INTO scope_stat VALUES ('eve', 'x', 'acme', 1)")
        with store.database.transaction(None) as conn:
            assert conn.execute("SELECT count(*) AS n FROM memory").fetchone() == {"n": 0}
    finally:
        store.close()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("ALTER TABLE chronomemory.scope_stat DISABLE ROW LEVEL SECURITY", "nobody sees 1 of 0"),
        (
            "CREATE POLICY none ON chronomemory.scope_stat AS RESTRICTIVE FOR SELECT USING (false)",
            "cannot carry the store",
        ),
        ("REVOKE EXECUTE ON FUNCTION chronomemory.match_words FROM chronomemory_app", "permission denied for function"),
        ("PERFORM 1 / 0", "division by zero"),
    ],
)
def test_where_the_store_does_not_work_then_all_is_undone(citus, harm, said):
    before = told(citus, POLICIES)
    with psycopg.connect(citus, autocommit=True) as conn:
        once_all_are_asked = f"DO $do$ BEGIN IF (SELECT count(*) FROM public.asked) = 5 THEN {harm}; END IF; END $do$"  # noqa: S608 - ours
        conn.execute("INSERT INTO harm VALUES (%s)", (once_all_are_asked,))
    with pytest.raises(Misconfigured, match=said):
        distribute(citus)
    assert told(citus, ASKED) == []
    assert told(citus, POLICIES) == before


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE UNIQUE INDEX one_id ON memory (memory_id)", "one_id is unique and does not lead with the owner"),
        ("CREATE POLICY more ON memory USING ((SELECT true))", "the policy more on memory asks a query"),
        (
            "INSERT INTO asked (name, by_column, beside) VALUES ('memory', 'tenant', 'default')",
            "memory by tenant in group 1",
        ),
    ],
)
def test_a_schema_that_citus_would_refuse_is_refused_first(citus, statement, said):
    with psycopg.connect(citus, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        conn.execute(statement.encode())
    before = told(citus, ASKED)
    with pytest.raises(Misconfigured, match=said):
        distribute(citus)
    assert told(citus, ASKED) == before


def test_a_store_in_partitions_is_refused(citus):
    partition(citus, parts=2)
    with pytest.raises(Misconfigured, match="in 2 partitions of this server"):
        distribute(citus)


def test_while_somebody_uses_it_it_is_refused(citus):
    with (
        psycopg.connect(citus, row_factory=dict_row),
        pytest.raises(Misconfigured, match="stop every console and worker"),
    ):
        distribute(citus)
