"""Finding rows by words touches the inverted index alone, however many rows their owner has."""

from __future__ import annotations

import random

import numpy as np
import psycopg
import pytest
from psycopg.rows import dict_row

from core.model import Scope
from core.store.words import any_of, content_words, marked, two_of
from eval.bench_recall import load_owners

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


def asked(conn, scope: Scope, question: str) -> list[str]:
    conn.execute(
        "SELECT set_config('app.owner', %s, false), set_config('app.tenant', %s, false)", (scope.owner, scope.tenant)
    )
    words = marked(scope, content_words(question))
    conn.execute("SET ROLE chronomemory_app")
    rows = conn.execute(
        "SELECT memory_id FROM match_words(%s::tsquery, %s::tsquery, 'console', now(), 60, 300)",
        (any_of(words), two_of(words)),
    ).fetchall()
    conn.execute("RESET ROLE")
    return [row["memory_id"] for row in rows]


def scans(conn) -> dict[str, int]:
    conn.execute("SELECT pg_stat_force_next_flush()")
    rows = conn.execute(
        "SELECT indexrelname AS name, idx_scan AS count FROM pg_stat_user_indexes WHERE relname = 'memory'"
    ).fetchall()
    return {row["name"]: row["count"] for row in rows}


def test_only_the_inverted_index_is_read(conn):
    before = scans(conn)
    assert asked(conn, HEAVY, "Which box holds amber and cedar papers?")
    after = scans(conn)
    used = {name for name in after if after[name] > before[name]}
    assert used == {"memory_words"}


def test_the_rows_are_the_owners_own(conn):
    mine, theirs = asked(conn, HEAVY, "amber papers"), asked(conn, OTHER, "amber papers")
    assert len(mine) == 60
    rows = conn.execute("SELECT owner, memory_id, text FROM memory WHERE text LIKE '%%amber%%'").fetchall()
    assert set(mine) <= {row["memory_id"] for row in rows if row["owner"] == "heavy"}
    assert theirs
    assert set(theirs) <= {row["memory_id"] for row in rows if row["owner"] == "other"}
    conn.execute("SELECT set_config('app.owner', 'nobody', false)")
    words = marked(HEAVY, ["amber"])
    conn.execute("SET ROLE chronomemory_app")
    found = conn.execute(
        "SELECT memory_id FROM match_words(%s::tsquery, %s::tsquery, 'console', now(), 60, 300)",
        (any_of(words), two_of(words)),
    ).fetchall()
    conn.execute("RESET ROLE")
    assert found == [], "the mark of another's words opens nothing: the owner is compared on every row"
