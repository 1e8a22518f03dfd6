"""The pool asks no server whether it is there before each use: a connection that was closed is noticed all the same."""

from __future__ import annotations

import psycopg
import pytest

from core.errors import StoreUnavailable
from core.store.database import QUERIES
from tests.store_fixtures import ANN, make_memory


def backend(database) -> int:
    with database.transaction() as conn:
        return conn.info.backend_pid


def test_an_idle_connection_that_the_server_closed_is_replaced(postgres_store, relay, store_conninfo):
    relay.activate(make_memory("a"))
    before = backend(postgres_store.database)
    with psycopg.connect(store_conninfo, autocommit=True) as admin:
        assert admin.execute("SELECT pg_terminate_backend(%s, 5000)", (before,)).fetchone() == (True,)
    assert postgres_store.get(ANN, "a") is not None
    assert backend(postgres_store.database) != before


def test_a_query_that_fails_leaves_no_transaction_and_no_scope_behind(postgres_store, relay, monkeypatch):
    relay.activate(make_memory("a"))
    database = postgres_store.database
    before = backend(database)
    monkeypatch.setitem(QUERIES, "by_force", "SELECT pg_sleep(1), set_config('statement_timeout', '0', false)")
    monkeypatch.setitem(QUERIES, "impatience", "SELECT set_config('statement_timeout', '20', true)")
    with pytest.raises(StoreUnavailable, match="statement timeout"):
        database.fetch("by_force", {}, ANN, first="impatience")
    monkeypatch.setitem(QUERIES, "every_row", "SELECT memory_id FROM memory")
    assert database.fetch("every_row", {}) == []
    assert database.fetch("every_row", {}, ANN) == [{"memory_id": "a"}]
    assert backend(database) == before
