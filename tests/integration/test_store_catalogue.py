"""The schema keeps Citus's rules for tables that are distributed by owner, and every statement names whose rows it takes.

The rules are those of Citus's source: unique indexes and foreign keys carry the distribution column, nothing else refers
to or from them, no triggers, no numbering, the column never changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from core.sql import load_queries
from core.store.distribute import obstacles
from core.store.partition import DISTRIBUTED

STORE = Path(str(files("core.store")))
# Statements that take rows of more than one owner, or leave it to row-level security, each with its reason.
ACROSS = {
    "isolation.sql:ids_in_scope": "the proof that the policies alone keep other owners' rows back",
    "isolation.sql:count_by_id": "the same: no owner stands in it on purpose",
    "keeper.sql:clear": "a rebuild empties the store of every owner; the keeper alone may",
    "survey.sql:lacking": "the doctor compares the last effects of all owners; the keeper alone may",
    "reembed.py:_NEXT_BATCH": "a new embedding model: every owner's texts, in the order of owners; the keeper alone may",
    "reembed.py:_RECOUNT": "sizes of all scopes after that; the keeper alone may",
    "reembed.py:LOCK": "the same: writers wait while the columns are switched",
}
_TOUCHES = re.compile(
    rf"\b(?:FROM|JOIN|UPDATE|INTO|TRUNCATE|TABLE)\s+(?:chronomemory\.)?(?P<table>{'|'.join(DISTRIBUTED)})\b"
    r"(?:\s+(?:AS\s+)?(?!SET\b|WHERE\b|ON\b|VALUES\b|IN\b|USING\b|ORDER\b|GROUP\b|LIMIT\b|ALTER\b|ADD\b|DROP\b|RENAME\b)"
    r"(?P<alias>[a-z_]+)\b)?"
)
_GROUND = r"(?:%\(owner\)s|current_setting\('app\.owner', true\)|of_owner\b|\$7)"
_DDL = re.compile(r"\s*(?:ALTER TABLE|CREATE INDEX|DROP INDEX|ANALYZE)\b")


@pytest.fixture
def catalogue(store_conninfo):
    with psycopg.connect(store_conninfo, autocommit=True, row_factory=dict_row) as conn:
        conn.execute("SET search_path = chronomemory, public")
        yield conn


@pytest.fixture(params=["plain", "parted"])
def store_layout(request) -> str:
    return request.param


def test_the_schema_keeps_the_rules(catalogue):
    assert obstacles(catalogue) == []


def test_every_table_with_an_owner_is_named(catalogue):
    rows = catalogue.execute(
        "SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner' "
        "WHERE c.relnamespace = 'chronomemory'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
    ).fetchall()
    assert sorted(row["name"] for row in rows) == sorted(DISTRIBUTED)


def test_every_ordered_index_leads_with_the_owner(catalogue):
    """Not Citus's rule but ours: the two others, by words and by vectors, cannot hold the owner."""
    rows = catalogue.execute(
        "SELECT i.indexrelid::regclass::text AS name, a.attname AS first, m.amname AS kind FROM pg_index i "
        "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_am m ON m.oid = c.relam "
        "LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] "
        "WHERE t.relname = ANY(%s) AND NOT t.relispartition",
        (list(DISTRIBUTED),),
    ).fetchall()
    assert {row["name"] for row in rows if row["kind"] != "btree"} == {"memory_words", "memory_embedding_hnsw"}
    assert {row["first"] for row in rows if row["kind"] == "btree"} == {"owner"}
    assert len(rows) >= 14


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("CREATE TABLE diary (owner text PRIMARY KEY)", "diary has an owner"),
        ("CREATE UNIQUE INDEX one_id ON scope_stat (agent, owner)", "one_id is unique"),
        (
            "ALTER TABLE scope_stat DROP CONSTRAINT scope_stat_pkey; "
            "ALTER TABLE scope_stat ALTER COLUMN owner DROP NOT NULL",
            "scope_stat has no owner that",
        ),
        (
            "ALTER TABLE memory_link ADD CONSTRAINT made_by FOREIGN KEY (kind) REFERENCES setting (key)",
            "made_by refers to setting",
        ),
        (
            "CREATE TABLE note (who text, what text, FOREIGN KEY (who, what) REFERENCES memory (owner, memory_id))",
            "refers to memory, which is distributed",
        ),
        (
            "ALTER TABLE memory_link ADD CONSTRAINT crossed FOREIGN KEY (from_id, owner) REFERENCES memory "
            "(owner, memory_id)",
            "crossed does not carry the owner",
        ),
        (
            "ALTER TABLE memory_link ADD CONSTRAINT emptied FOREIGN KEY (owner, to_id) REFERENCES memory "
            "(owner, memory_id) ON DELETE SET NULL",
            "emptied would change the owner",
        ),
        (
            "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
            "CREATE TRIGGER told BEFORE INSERT ON memory FOR EACH ROW EXECUTE FUNCTION noted()",
            "memory has the trigger told",
        ),
        ("CREATE SEQUENCE counter; ALTER TABLE memory ALTER COLUMN version SET DEFAULT nextval('counter')", "version"),
        (
            "CREATE FUNCTION one() RETURNS integer LANGUAGE sql AS 'SELECT 1'; "
            "ALTER TABLE memory ALTER COLUMN version SET DEFAULT one()",
            "the default of version needs",
        ),
        ("CREATE RULE nothing AS ON DELETE TO memory DO INSTEAD NOTHING", "memory has the rule nothing"),
    ],
)
def test_a_broken_rule_is_found(catalogue, statement, told):
    catalogue.execute(statement.encode())
    assert [one for one in obstacles(catalogue) if told in one]


def statements() -> Iterator[tuple[str, str]]:
    """Every statement of the store: the named ones, and those that stand in its modules."""
    for file in sorted(STORE.glob("*.sql")):
        for name, text in load_queries("core.store", file.name).items():
            yield f"{file.name}:{name}", text
    for file in sorted(STORE.glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {
            id(node.value): node.targets[0].id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield (
                    f"{file.name}:{names.get(id(node), node.value.split()[0] if node.value.split() else '')}",
                    node.value,
                )


def astray(text: str) -> list[str]:
    """Tables of a statement whose rows are not confined to one owner, by alias."""
    if _DDL.match(text):
        return []
    into, read = [], []
    for found in _TOUCHES.finditer(text):
        (into if found[0].startswith("INTO") else read).append(found["alias"] or found["table"])
    if into and not re.search(r"INTO\s+(?:chronomemory\.)?\w+(?:\s+AS\s+\w+)?\s*\([^)]*\bowner\b", text):
        return into
    held: set[str] = set()
    for _ in read:  # an owner that is compared with a confined one is confined
        others = "|".join(rf"{one}\.owner" for one in held) or r"\Z\A"
        for alias in set(read) - held:
            bare = r"(?<![\w.])owner|" if len(set(read)) == 1 else ""
            compared = re.findall(rf"(?:{bare}\b{alias}\.owner)(?: \|\| '')?\s*=\s*(?:{_GROUND}|{others})", text)
            if len(compared) >= read.count(alias):  # the same alias in each half of a UNION
                held.add(alias)
    return sorted(set(read) - held)


def test_every_statement_names_whose_rows_it_takes():
    touching = {name: text for name, text in statements() if _TOUCHES.search(text)}
    assert len(touching) > 50, "the statements were found"
    assert {name for name, text in touching.items() if astray(text)} == set(ACROSS)


def test_every_function_names_whose_rows_it_takes(catalogue):
    rows = catalogue.execute(
        "SELECT proname AS name, prosrc AS text FROM pg_proc WHERE pronamespace = 'chronomemory'::regnamespace"
    ).fetchall()
    assert {row["name"] for row in rows} == {"match_words", "linked_memories"}
    for row in rows:
        text = row["text"].replace("%1$s", "memory")
        assert _TOUCHES.search(text), row["name"]
        assert astray(text) == [], row["name"]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1 FROM memory m WHERE m.memory_id = %(memory_id)s",
        "SELECT 1 FROM memory m JOIN memory_link l ON l.from_id = m.memory_id WHERE m.owner = %(owner)s",
        "UPDATE memory SET status = 'x' WHERE memory_id = %(memory_id)s",
        "INSERT INTO scope_stat (agent, tenant) VALUES (%(agent)s, %(tenant)s)",
        "DELETE FROM memory_link",
        "SELECT 1 FROM memory m WHERE m.owner = %(owner)s UNION ALL SELECT 1 FROM memory m",
        "SELECT 1 FROM memory m JOIN memory_link l ON l.owner = m.owner",
    ],
)
def test_a_statement_that_does_not_is_found(statement):
    assert astray(statement)


def test_the_owner_of_a_row_never_changes():
    updates = 0
    for name, text in statements():
        for found in re.finditer(r"\bSET\s+(?P<set>.*?)(?:\bWHERE\b|\bFROM\b|\bRETURNING\b|$)", text, re.DOTALL):
            if re.search(r"\bUPDATE\b", text[: found.start()]):
                updates += 1
                assert not re.search(r"(?<![\w.])owner\s*=(?!=)", found["set"]), name
    assert updates > 20
