"""Somebody who holds one of the two stores: what reconciling and the witnessed head find, on the real ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest

from core.errors import NotAuthorised
from core.model import Scope
from core.reconcile import Differences


@pytest.fixture
def home(console, database_url):
    """Two facts of the owner, and the database as its superuser."""
    console.ask("I live in Porto.")
    console.ask("I am allergic to penicillin.")
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("SET search_path TO chronomemory, public")
        yield console, conn


def found(console) -> Differences:
    return console.layer.lifecycle.reconcile(console.admin, console.admin.scope)


def one_fact(console, word="penicillin"):
    memories, _ = console.layer.memories.list(console.admin)
    return next(one.memory_id for one in memories if word in one.text and one.kind.value != "event")


def test_untouched_stores_agree_whatever_the_owner_does(home):
    console, _ = home
    memory_id = one_fact(console)
    console.ask("Actually, I no longer live in Porto, I live in Braga now.")
    console.layer.memories.forget(console.admin, memory_id, "private")
    assert found(console).clean
    console.layer.memories.restore(console.admin, memory_id)
    console.layer.upkeep.purge(console.admin.scope, actor="policy")
    assert found(console).clean
    console.layer.lifecycle.rebuild(console.admin)
    assert found(console).clean


def test_a_deleted_row_is_missing(home):
    console, conn = home
    memory_id = one_fact(console)
    conn.execute("DELETE FROM memory WHERE memory_id = %s", (memory_id,))
    assert found(console) == Differences(missing=(memory_id,))


def test_a_changed_row_is_altered_and_nothing_else(home):
    console, conn = home
    memory_id = one_fact(console)
    conn.execute("UPDATE memory SET text = 'You are allergic to nothing.' WHERE memory_id = %s", (memory_id,))
    assert found(console) == Differences(altered=(memory_id,))


def test_a_forgotten_memory_that_is_made_active_again_is_restated(home):
    console, conn = home
    memory_id = one_fact(console)
    console.layer.memories.forget(console.admin, memory_id, "private")
    conn.execute("UPDATE memory SET status = 'active' WHERE memory_id = %s", (memory_id,))
    assert memory_id in found(console).restated


def test_a_removed_row_that_is_put_back_has_returned(home):
    console, conn = home
    memory_id = one_fact(console)
    conn.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM memory WHERE memory_id = %s", (memory_id,))
    console.layer.memories.forget(console.admin, memory_id, "private")
    console.clock.forward(days=60)
    console.layer.upkeep.purge(console.admin.scope, actor="policy")
    console.layer.drain()
    assert found(console).clean
    conn.execute("INSERT INTO memory SELECT * FROM kept")
    assert memory_id in found(console).returned


def test_only_an_admin_of_the_tenant_reconciles(home):
    console, _ = home
    with pytest.raises(NotAuthorised):
        console.layer.lifecycle.reconcile(console.admin, Scope(tenant="elsewhere", owner="x"))


def test_a_cut_tail_is_found_though_no_effect_came_after_it(home, tmp_path):
    console, _ = home
    layer = console.layer
    layer.enactor.note(actor="admin", action="candidate:read", tenant="default", owner="", about={})
    layer.drain()
    assert layer.store.witness() == layer.ledger.head()
    [path] = [*tmp_path.rglob("ledger.sqlite3")]
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER audit_no_delete")
        raw.execute("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)")
    assert "cut off" in layer.audit_desk.verify(console.admin).problem
