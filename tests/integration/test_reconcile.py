"""Somebody who holds one of the two stores: what reconciling and the witnessed head find, on the real ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest

from core.errors import NotAuthorised
from core.model import Effect, EffectKind, Scope
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


def confirm(console, memory_id, kind=EffectKind.ATTEST):
    """A person's confirmation, or its end, through ledger and relay."""
    effect = Effect(
        effect_id=f"{kind}:{memory_id}",
        kind=kind,
        scope=console.admin.scope,
        memory_id=memory_id,
        at=console.clock.now(),
        by=console.admin.user_id,
    )
    console.layer.enactor.commit_effects(console.admin.user_id, [effect], action="memory:attested", about={})
    console.layer.enactor.relay()


def test_a_confirmation_lives_in_the_ledger_and_outlives_a_rebuild(home):
    console, conn = home
    memory_id = one_fact(console)
    confirm(console, memory_id)
    assert found(console).clean
    assert console.layer.lifecycle.rebuild(console.admin) > 0
    kept = conn.execute("SELECT confirmed_by FROM memory WHERE memory_id = %s", (memory_id,)).fetchone()
    assert kept == (console.admin.user_id,)
    assert found(console).clean


def test_an_earlier_copy_of_a_row_that_was_confirmed_is_restated(home):
    """A confirmation that was taken back, put back with the seal it then had."""
    console, conn = home
    memory_id = one_fact(console)
    confirm(console, memory_id)
    read = "SELECT confirmed_by, confirmed_at, row_mac FROM memory WHERE memory_id = %s"
    kept = conn.execute(read, (memory_id,)).fetchone()
    confirm(console, memory_id, EffectKind.UNATTEST)
    assert found(console).clean
    put = "UPDATE memory SET confirmed_by = %s, confirmed_at = %s, row_mac = %s WHERE memory_id = %s"
    conn.execute(put, (*kept, memory_id))
    assert found(console) == Differences(restated=(memory_id,))
