"""Finding rows by words touches the inverted index alone, however many rows their owner has."""

from __future__ import annotations

import random

import numpy as np
import psycopg
import pytest
from psycopg.rows import dict_row

from core.model import Scope
from core.store import PostgresStore
from eval.bench_recall import AT, load_owners

HEAVY, OTHER = Scope(tenant="bench", owner="heavy"), Scope(tenant="bench", owner="other")
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty")


def texts(count: int) -> list[str]:
    draw = random.Random(4)  # noqa: S311 - a corpus, no secret
    return [f"Box {number} holds {draw.choice(WORDS)} and {draw.choice(WORDS)} papers." for number in range(count)]


@pytest.fixture
def conn(database_url: str, embedder: object):
    """A store of two owners whose pages cost so much that the planner reads another index to save some, if it can.

    Among 100,000 rows it does so by itself.
    """
    vectors = np.random.default_rng(2).normal(size=(900, embedder.dimensions)).astype(np.float32)
    load_owners(database_url, [(HEAVY, 900), (OTHER, 900)], texts(900), vectors)
    with psycopg.connect(database_url, autocommit=True, prepare_threshold=None, row_factory=dict_row) as made:
        made.execute("SET search_path = chronomemory, public")
        made.execute("SET random_page_cost = 40")
        yield made


def words(database_url: str, embedder, scope: Scope, question: str) -> tuple[str, str]:
    """What the store's search asks match_words for."""
    store = PostgresStore.open(database_url, dimensions=embedder.dimensions, embedding_identity=embedder.identity)
    try:
        found, _ = store._asked(scope, vector=[0.0] * embedder.dimensions, query=question, at=AT, limit=60)
    finally:
        store.close()
    return found["any_word"], found["two_words"]


def matched(conn, owner: str, said: tuple[str, str]) -> set[str]:
    """Ids that the function gives the application while it speaks for an owner."""
    conn.execute("SELECT set_config('app.owner', %s, false), set_config('app.tenant', 'bench', false)", (owner,))
    conn.execute("SET ROLE chronomemory_app")
    query = "SELECT memory_id FROM match_words(%s::tsquery, %s::tsquery, 'console', now(), 60, 300)"
    rows = conn.execute(query, said).fetchall()
    conn.execute("RESET ROLE")
    return {row["memory_id"] for row in rows}


def scans(conn) -> dict[str, int]:
    conn.execute("SELECT pg_stat_force_next_flush()")
    rows = conn.execute(
        "SELECT indexrelname AS name, idx_scan AS count FROM pg_stat_user_indexes WHERE relname = 'memory'"
    ).fetchall()
    return {row["name"]: row["count"] for row in rows}


def test_only_the_inverted_index_is_read(conn, database_url, embedder):
    said = words(database_url, embedder, HEAVY, "Which box holds amber and cedar papers?")
    before = scans(conn)
    assert matched(conn, "heavy", said)
    after = scans(conn)
    used = {name for name in after if after[name] > before[name]}
    assert used == {"memory_words"}


def test_the_rows_are_the_owners_own(conn, database_url, embedder):
    rows = conn.execute("SELECT owner, memory_id FROM memory WHERE text LIKE '%amber%'").fetchall()
    for scope in (HEAVY, OTHER):
        found = matched(conn, scope.owner, words(database_url, embedder, scope, "amber"))
        assert len(found) == 60
        assert found <= {row["memory_id"] for row in rows if row["owner"] == scope.owner}
    mine = words(database_url, embedder, HEAVY, "amber papers")
    assert matched(conn, "other", mine) == set(), "the mark of another's words opens nothing"
    conn.execute(
        "UPDATE memory SET words = (SELECT min(m.words::text)::tsvector FROM memory m WHERE m.owner = 'heavy'"
        " AND m.text LIKE '%amber%') WHERE owner = 'other'"
    )
    assert not matched(conn, "nobody", mine), "nor does it where the owner is nobody"
    assert matched(conn, "heavy", mine) <= {row["memory_id"] for row in rows if row["owner"] == "heavy"}
