"""A store that is put in partitions by owner: what it was it is, and an owner's search reads one part."""

from __future__ import annotations

import re
import time

import psycopg
import pytest
from psycopg.rows import dict_row

from core.errors import Misconfigured
from core.model import EffectKind, LinkKind, MemoryStatus, Scope
from core.ports import MemoryFilter
from core.sql import load_queries
from core.store import partition as partitioning
from core.store.database import QUERIES, SEARCH_PATH
from core.store.partition import DISTRIBUTED, partition, parts_of, size_of
from core.store.postgres import PostgresStore
from core.store.rows import scope_params
from core.store.survey import survey
from tests.store_fixtures import DIMENSIONS, IDENTITY, MAC_KEY, NOW, Relay, make_memory, unit_vector

OWNERS = [Scope(tenant="acme", owner=f"owner{number}") for number in range(12)]
_CATALOGUE = load_queries("core.store", "partition.sql")
LINK = {"link_kind": LinkKind.RELATED, "weight": 0.5}


def opened(conninfo: str) -> PostgresStore:
    return PostgresStore.open(conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY, mac_key=MAC_KEY)


@pytest.fixture
def admin(store_conninfo):
    with psycopg.connect(store_conninfo, autocommit=True, row_factory=dict_row) as conn:
        conn.execute(f"SET search_path = {SEARCH_PATH}")
        yield conn


@pytest.fixture
def filled(store_conninfo) -> str:
    """Twelve owners with links, effects of several kinds and a memory without a vector; nobody is connected."""
    store = opened(store_conninfo)
    relay = Relay(store)
    try:
        for scope in OWNERS:
            for number in range(3):
                text = f"You are allergic to number {number} of {scope.owner}."
                relay.activate(make_memory(f"m{number}", text, scope=scope))
            relay.send(EffectKind.LINK, "m0", scope=scope, by_memory_id="m1", **LINK)
            relay.send(EffectKind.ARCHIVE, "m2", scope=scope)
        bare = relay.item(EffectKind.ACTIVATE, "bare", memory=make_memory("bare", "No vector."))
        store.apply(bare, embedding=None)
    finally:
        store.close()
    return store_conninfo


def rows(conninfo: str) -> dict[str, list[str]]:
    with psycopg.connect(conninfo) as conn:
        return {
            table: sorted(str(row) for row in conn.execute(f"SELECT * FROM chronomemory.{table}".encode()))  # noqa: S608 - ours
            for table in DISTRIBUTED
        }


def shape(conninfo: str, table: str) -> dict[str, object]:
    """What the catalogue tells of a table, names of its parts' own indexes left out."""
    with psycopg.connect(conninfo, row_factory=dict_row) as conn:
        conn.execute(f"SET search_path = {SEARCH_PATH}")
        queries = ("owned_by", "columns", "samples", "keys", "references", "indexes", "policies", "security", "grants")
        found: dict[str, object] = {
            name: sorted(
                str(row).replace(" ON ONLY ", " ON ") for row in conn.execute(_CATALOGUE[name], {"table": table})
            )
            for name in queries
        }
        found["storage"] = conn.execute(
            "SELECT attname, attstorage, attcompression, format_type(atttypid, atttypmod) AS type, attnotnull "
            "FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (table,),
        ).fetchall()
        found["checks"] = conn.execute(
            "SELECT conname, pg_get_constraintdef(oid) AS told FROM pg_constraint "
            "WHERE conrelid = %s::regclass AND contype = 'c' ORDER BY conname",
            (table,),
        ).fetchall()
        return found


def test_every_row_and_all_that_a_table_is_come_along(filled):
    before, shapes = rows(filled), {table: shape(filled, table) for table in DISTRIBUTED}
    done = partition(filled, parts=5)
    assert done.changed
    assert done.parts == 5
    assert done.rows == {table: len(found) for table, found in before.items()}
    assert min(done.rows.values()) >= 12, "no table was empty"
    assert rows(filled) == before
    for table in DISTRIBUTED:
        assert shape(filled, table) == shapes[table], table


def test_each_part_is_indexed_sampled_stored_and_guarded_as_the_whole(filled, admin):
    plain = {table: shape(filled, table) for table in DISTRIBUTED}
    admin.close()
    partition(filled, parts=2)
    for table in DISTRIBUTED:
        for part in (f"{table}_p0", f"{table}_p1"):
            told = shape(filled, part)
            for name in ("owned_by", "columns", "samples", "security", "storage", "policies", "checks"):
                assert told[name] == plain[table][name], (part, name)
            assert len(told["indexes"]) == len(plain[table]["indexes"])
            assert referring(filled, part) == len(plain[table]["references"])
            assert [one for one in told["grants"] if "chronomemory_keeper" not in one] == []
    words = shape(filled, "memory_p0")["indexes"]
    assert sum("gin" in one and "fastupdate" in one for one in words) == 1
    assert (
        sum("hnsw" in one and "ef_construction" in one for one in shape(filled, "memory_embedding_p1")["indexes"]) == 1
    )


def referring(conninfo: str, table: str) -> int:
    with psycopg.connect(conninfo) as conn:
        return conn.execute(
            "SELECT count(*) FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f' AND confrelid = %s::regclass",
            (f"chronomemory.{table}", "chronomemory.memory"),
        ).fetchone()[0]


def test_nothing_is_left_beside_it(filled):
    partition(filled, parts=2)
    with psycopg.connect(filled) as conn:
        assert conn.execute("SELECT to_regnamespace('chronomemory_before')").fetchone() == (None,)


def test_a_store_in_parts_answers_as_before(filled):
    def answers(conninfo: str) -> list[object]:
        store = opened(conninfo)
        try:
            found = [
                store.search(scope, vector=unit_vector("v"), query="allergic to number", at=NOW, limit=9)
                for scope in OWNERS
            ]
            told = [[(hit.memory, hit.cosine, hit.lexical, hit.parents, hit.found) for hit in hits] for hits in found]
            told = [sorted(hits, key=lambda hit: hit[0].memory_id) for hits in told]
            return [told, [store.list(scope, MemoryFilter(statuses=(MemoryStatus.ARCHIVED,))) for scope in OWNERS]]
        finally:
            store.close()

    before = answers(filled)
    assert all(len(hits) == 2 for hits in before[0])
    partition(filled, parts=4)
    assert answers(filled) == before


def test_doing_it_again_changes_nothing_and_another_number_is_refused(filled):
    partition(filled, parts=2)
    again = partition(filled, parts=2)
    assert not again.changed
    with pytest.raises(Misconfigured, match="the store is in 2 parts"):
        partition(filled, parts=3)
    assert survey(filled).parts == 2


def test_what_is_asked_wrongly_is_refused(filled, make_database):
    for parts in (0, 1, 257):
        with pytest.raises(Misconfigured, match="2 to 256 parts"):
            partition(filled, parts=parts)
    with pytest.raises(Misconfigured, match="there is no memory store"):
        partition(make_database())
    assert survey(filled).parts == 0
    assert size_of(filled) > 100_000


def test_while_somebody_uses_it_it_is_refused(filled, admin):
    admin.execute("SELECT 1")
    with pytest.raises(Misconfigured, match="1 other connections use this database: stop every console"):
        partition(filled)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("CREATE VIEW seen AS SELECT owner FROM memory", "view seen depends"),
        ("CREATE PUBLICATION copied FOR TABLE memory", "the publication copied"),
        ("CREATE RULE nothing AS ON DELETE TO memory_link DO INSTEAD NOTHING", "the rule nothing"),
        ("ALTER TABLE memory REPLICA IDENTITY FULL", "a replica identity"),
        ("CREATE TABLE child () INHERITS (scope_stat)", "inheritance"),
    ],
)
def test_what_cannot_come_along_stops_it_before_anything_is_changed(filled, admin, statement, told):
    before = rows(filled)
    admin.execute(statement.encode())
    admin.close()
    with pytest.raises((Misconfigured, psycopg.errors.DependentObjectsStillExist), match=told):
        partition(filled, parts=2)
    assert rows(filled) == before
    assert survey(filled).parts == 0


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM chronomemory.memory_link WHERE owner = 'owner3'",
        "UPDATE chronomemory.memory SET row_mac = 'x' WHERE owner = 'owner3' AND memory_id = 'm1'",
        "UPDATE chronomemory.memory_embedding SET embedding = -embedding WHERE owner = 'owner3'",
    ],
)
def test_a_row_that_is_not_found_again_undoes_all(filled, monkeypatch, harm):
    before = rows(filled)
    constrain = partitioning._add_constraints

    def harmed(conn, table, constraints):
        constrain(conn, table, constraints)
        if table == "applied_effect" and constraints == []:  # the last call: everything is copied
            conn.execute(
                harm.replace("= -embedding", "= (SELECT array_agg(1)::vector(8)::halfvec FROM generate_series(1, 8))")
            )

    monkeypatch.setattr(partitioning, "_add_constraints", harmed)
    with pytest.raises(Misconfigured, match="were not found again"):
        partition(filled, parts=2)
    assert rows(filled) == before
    assert survey(filled).parts == 0


def test_nobody_reaches_a_part_past_the_whole_table(filled):
    partition(filled, parts=2)
    for role in ("chronomemory_app", "chronomemory_reader"):
        with psycopg.connect(filled, autocommit=True) as conn:
            conn.execute(f"SET ROLE {role}".encode())
            conn.execute("SELECT set_config('app.owner', 'owner1', false), set_config('app.tenant', 'acme', false)")
            assert conn.execute("SELECT count(*) FROM chronomemory.memory").fetchone() == (3,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("SELECT count(*) FROM chronomemory.memory_p0")


def test_a_later_migration_reaches_every_part(filled):
    partition(filled, parts=3)
    with psycopg.connect(filled, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        conn.execute(
            "ALTER TABLE memory ADD COLUMN mood text NOT NULL DEFAULT '', ADD CONSTRAINT moods CHECK (mood <> 'grim');"
            "CREATE INDEX memory_mood ON memory (owner, mood);"
            "ALTER TABLE memory ALTER COLUMN mood SET STATISTICS 0;"
            "DROP INDEX memory_stated;"
            "GRANT SELECT (mood) ON memory TO chronomemory_keeper"
        )
        told = conn.execute(
            "SELECT count(*) FROM pg_attribute WHERE attname = 'mood' AND attstattarget = 0 "
            "AND attrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'memory'::regclass)"
        ).fetchone()
        assert told == (3,)
        with pytest.raises(psycopg.errors.CheckViolation):
            conn.execute("UPDATE memory SET mood = 'grim' WHERE owner = 'owner1'")
    store = opened(filled)
    try:
        assert len(store.search(OWNERS[0], vector=unit_vector("v"), query="allergic", at=NOW, limit=9)) == 2
    finally:
        store.close()


@pytest.fixture
def spread(filled):
    """The store in eight parts, as the application sees it while it speaks for an owner."""
    partition(filled, parts=8)
    with psycopg.connect(filled, autocommit=True, row_factory=dict_row, prepare_threshold=None) as conn:
        begin = {"role": "chronomemory_app", "statement_timeout": "0", "read_only": "off", "local": False}
        conn.execute(QUERIES["begin"], begin | scope_params(OWNERS[0]))
        yield conn


def parts_read(plan: str) -> dict[str, set[str]]:
    """Parts that a plan scans, by table."""
    found: dict[str, set[str]] = {}
    for table, part in re.findall(r"\bon (memory|memory_embedding|memory_link|scope_stat)_(p\d)\b", plan):
        found.setdefault(table, set()).add(part)
    return found


def asked(name: str) -> dict[str, object]:
    params = dict.fromkeys(re.findall(r"%\((\w+)\)s", QUERIES[name])) | scope_params(OWNERS[0])
    known = {
        "vector": str(unit_vector("v")),
        "memory_id": "m0",
        "at": NOW,
        "limit": 5,
        "offset": 0,
        "any_word": "'a' | 'b'",
        "two_words": "'a' & 'b'",
        "each_word": ["'a'"],
        "budget": 300,
        "seeds": 10,
        "neighbours": 6,
        "statuses": ["active"],
        "past": False,
    }
    return params | {key: value for key, value in known.items() if key in params}


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("search_exact", {"memory", "memory_embedding", "memory_link", "scope_stat"}),
        ("search_indexed", {"memory", "memory_embedding", "memory_link", "scope_stat"}),
        ("nearest_exact", {"memory", "memory_embedding", "scope_stat"}),
        ("nearest_indexed", {"memory", "memory_embedding", "scope_stat"}),
        ("search_scan", {"memory", "memory_embedding", "memory_link", "scope_stat"}),
        ("left_out", {"memory", "memory_embedding", "memory_link", "scope_stat"}),
        ("by_slot", {"memory"}),
        ("list", {"memory"}),
        ("pinned", {"memory"}),
        ("count", {"memory"}),
        ("get", {"memory"}),
        ("mirror", {"memory", "memory_embedding"}),
        ("supersede", {"memory"}),
        ("shrink_scope", {"scope_stat"}),
    ],
)
def test_a_statement_scans_one_part_of_each_table(spread, name, tables):
    with spread.transaction():
        if name.endswith("_indexed"):
            spread.execute(QUERIES["prefer_vector_index"])
        rows = spread.execute(f"EXPLAIN {QUERIES[name]}", asked(name)).fetchall()
    plan = "\n".join(row["QUERY PLAN"] for row in rows)
    assert {table: len(parts) for table, parts in parts_read(plan).items()} == dict.fromkeys(tables, 1), plan
    if name.endswith("_indexed"):
        assert re.search(r"Index Scan using memory_embedding_p\d_embedding_idx", plan), plan


def scanned(conn: psycopg.Connection) -> dict[str, int]:
    conn.execute("SELECT pg_stat_force_next_flush()")
    found = conn.execute(
        "SELECT relname AS name, seq_scan + coalesce(idx_scan, 0) AS scans FROM pg_stat_user_tables "
        "WHERE relname ~ '_p[0-9]$'"
    ).fetchall()
    return {row["name"]: row["scans"] for row in found}


def test_a_search_with_its_functions_reads_one_part_of_each_table(filled, store_conninfo):
    """Words, vectors and links, as the product asks; what the server counted, the functions' insides included."""
    partition(filled, parts=8)
    with psycopg.connect(filled, autocommit=True, row_factory=dict_row) as conn:
        before = scanned(conn)
        for scope in (OWNERS[0], OWNERS[7]):
            store = opened(filled)
            hits = store.search(scope, vector=unit_vector("v"), query="allergic to number", at=NOW, limit=1)
            assert {hit.found for hit in hits} >= {True}
            store.close()
            deadline = time.monotonic() + 10
            read: list[str] = []
            while not read and time.monotonic() < deadline:  # counted when the store's connections have ended
                time.sleep(0.05)
                if conn.execute(_CATALOGUE["others"]).fetchone() == {"total": 0}:
                    after = scanned(conn)
                    read = [name for name in after if after[name] > before[name]]
            assert sorted(name.rpartition("_p")[0] for name in read) == sorted(
                ["memory", "memory_embedding", "memory_link", "scope_stat"]
            ), read
            assert len({name.rpartition("_p")[2] for name in read}) == 1, "an owner's rows lie side by side"
            before = after


def test_the_index_is_chosen_by_the_size_of_the_owners_part(filled, monkeypatch):
    partition(filled, parts=8)
    with psycopg.connect(filled, row_factory=dict_row) as conn:
        part = conn.execute(
            "SELECT DISTINCT tableoid::regclass::text AS name FROM chronomemory.memory_embedding WHERE owner = 'owner0'"
        ).fetchone()["name"]
        held = conn.execute("SELECT reltuples::int AS n FROM pg_class WHERE oid = %s::regclass", (part,)).fetchone()[
            "n"
        ]
    assert 0 < held < 36
    sizes = []
    monkeypatch.setattr(PostgresStore, "_learn", lambda _self, _scope, row: sizes.append(row["store_size"]))
    store = opened(filled)
    try:
        store.search(OWNERS[0], vector=unit_vector("v"), query="allergic", at=NOW, limit=5)
        store.nearest(OWNERS[0], vector=unit_vector("v"), at=NOW, limit=5)
    finally:
        store.close()
    assert sizes == [held, held]


@pytest.mark.parametrize("store_layout", ["plain", "parted"])
def test_the_templates_are_what_they_are_called(store_conninfo, store_layout):
    with psycopg.connect(store_conninfo, row_factory=dict_row) as conn:
        conn.execute(f"SET search_path = {SEARCH_PATH}")
        assert parts_of(conn) == (3 if store_layout == "parted" else 0)


def test_tables_in_different_parts_are_told(filled, admin):
    admin.execute("CREATE TABLE whole (LIKE scope_stat) PARTITION BY HASH (owner)")
    admin.execute("ALTER TABLE scope_stat RENAME TO former")
    admin.execute("ALTER TABLE whole RENAME TO scope_stat")
    admin.execute("CREATE TABLE part PARTITION OF scope_stat FOR VALUES WITH (MODULUS 1, REMAINDER 0)")
    with pytest.raises(Misconfigured, match="different numbers of parts"):
        parts_of(admin)
