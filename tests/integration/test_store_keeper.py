"""Erasing an owner leaves no word of theirs in any table; clearing empties the store for a rebuild."""

from __future__ import annotations

import subprocess
from datetime import timedelta

import psycopg
import pytest

from core.errors import StoreUnavailable
from core.model import EffectKind, LinkKind, Person, Role, Scope, sha256_text
from core.ports import Invitation, Session, Throttle
from core.store.embedded import EmbeddedPostgres
from core.store.keeper import PostgresKeeper
from tests.store_fixtures import ANN, BEN, MAC_KEY, NOW, HashEmbedder, make_memory, unit_vector

MADE_BY_EFFECTS = ("memory", "memory_embedding", "memory_link", "scope_stat", "applied_effect")
WORDS = ("xylophone", "xanadu", "quetzal", "yarrow", "zither", "wolfram", "ann.x", "vellum", "198.51.100.7", "ann")


def everything(conninfo: str) -> str:
    """Every row of every table, and the planner's samples of them, as text."""
    done = subprocess.run(
        [str(EmbeddedPostgres.binary("pg_dump")), "-d", conninfo, "--data-only", "--inserts"],
        capture_output=True,
        text=True,
        check=True,
    )
    with psycopg.connect(conninfo) as conn:
        samples = conn.execute(
            "SELECT tablename, attname, most_common_vals::text, histogram_bounds::text, most_common_elems::text "
            "FROM pg_stats WHERE schemaname = 'chronomemory' AND attname NOT IN ('owner', 'tenant')"
        ).fetchall()
    return f"{done.stdout}\n{samples}".casefold()


def person(people, user_id, username):
    people.add(
        Person(
            user_id=user_id,
            username=username,
            display_name=f"Wolfram {user_id}",
            tenant="acme",
            role=Role.MEMBER,
            created_at=NOW,
        ),
        "hash",
    )


def session(people, user_id, address):
    people.open_session(
        Session(
            session_id=f"s-{user_id}-{address}",
            user_id=user_id,
            created_at=NOW,
            last_seen_at=NOW,
            address=address,
            user_agent="vellum" if user_id == "ann" else "plain",
        ),
        token_hash=f"t-{user_id}-{address}",
    )


def invitation(token, **changes):
    parts = {"token_hash": token, "tenant": "acme", "role": Role.MEMBER, "created_by": "ben"} | changes
    return Invitation(expires_at=NOW + timedelta(days=1), **parts)


@pytest.fixture
def two_owners(postgres_store, postgres_people, relay, store_conninfo):
    bot = Scope(tenant="acme", owner="ann", agent="quetzal")
    relay.activate(make_memory("a1", "You keep a xylophone.", value="xylophone", source_title="From Xanadu"))
    relay.activate(make_memory("a2", "The yarrow is dry.", subject="Yarrow", impact=("zither",), support=("zither",)))
    relay.activate(make_memory("a3", "A xylophone again.", scope=bot))
    relay.send(EffectKind.LINK, "a1", by_memory_id="a2", link_kind=LinkKind.RELATED, weight=0.3)
    relay.send(EffectKind.TOMBSTONE, "a2")
    relay.activate(make_memory("b1", "You like tea.", scope=BEN, actor="ben"))
    relay.activate(make_memory("b2", "You like figs.", scope=BEN, actor="ben"))
    relay.send(EffectKind.LINK, "b1", by_memory_id="b2", link_kind=LinkKind.RELATED, weight=0.3, scope=BEN)
    person(postgres_people, "ann", "Ann.X")
    person(postgres_people, "ben", "ben")
    session(postgres_people, "ann", "198.51.100.7")
    session(postgres_people, "ann", "192.0.2.1")
    session(postgres_people, "ben", "192.0.2.1")
    for key in (f"account:{sha256_text('ann.x')}", "address:198.51.100.7", "address:192.0.2.1", "account:other"):
        postgres_people.set_throttle(key, Throttle(failures=2, blocked_until=NOW))
    postgres_people.add_invitation(invitation("made", created_by="ann"))
    postgres_people.add_invitation(invitation("named", username="ANN.x"))
    postgres_people.add_invitation(invitation("bens", username="cy"))
    with psycopg.connect(store_conninfo, autocommit=True) as conn:
        conn.execute("ANALYZE")
    return postgres_store


@pytest.mark.usefixtures("two_owners")
def test_erasing_leaves_no_word_of_the_owner_in_any_table(postgres_keeper, store_conninfo):
    before = everything(store_conninfo)
    assert [word for word in WORDS if word not in before] == []
    assert sha256_text("ann.x") in before
    assert postgres_keeper.erase("acme", "ann") == 3
    after = everything(store_conninfo)
    left = [word for word in (*WORDS, sha256_text("ann.x")) if word in after.replace("wolfram ben", "")]
    assert left == []


def test_others_lose_nothing(two_owners, postgres_keeper, postgres_people):
    before = (two_owners.recent(BEN), two_owners.witness())
    postgres_keeper.erase("acme", "ann")
    assert (two_owners.recent(BEN), two_owners.witness()) == before
    with two_owners.database.transaction(BEN) as conn:
        counts = {
            table: conn.execute(f"SELECT count(*) AS n FROM {table}".encode()).fetchone()["n"]  # noqa: S608 - constants
            for table in MADE_BY_EFFECTS
        }
    assert counts == {
        "memory": 2,
        "memory_embedding": 2,
        "memory_link": 1,
        "scope_stat": 1,
        "applied_effect": 3,
    }
    assert postgres_people.by_username("ben") is not None
    assert len(postgres_people.sessions("ben")) == 1
    assert postgres_people.throttle("address:192.0.2.1").failures == 2
    assert postgres_people.throttle("account:other").failures == 2
    assert postgres_people.take_invitation("bens", now=NOW, consume=False) is not None


def test_an_owner_without_an_account_or_in_another_tenant(two_owners, postgres_keeper, postgres_people):
    assert postgres_keeper.erase("globex", "ann") == 0
    assert len(two_owners.recent(ANN)) == 1
    assert postgres_people.by_id("ann") is not None
    assert postgres_keeper.erase("acme", "nobody") == 0


def test_an_erased_owner_starts_afresh(two_owners, postgres_keeper, relay):
    postgres_keeper.erase("acme", "ann")
    relay.activate(make_memory("a1", "You keep bees."))
    assert [m.text for m in two_owners.recent(ANN)] == ["You keep bees."]
    found = two_owners.search(ANN, vector=unit_vector("x"), query="bees", at=NOW, limit=5)
    assert [one.memory.memory_id for one in found] == ["a1"]


def test_clearing_empties_the_store_and_keeps_accounts_and_witness(two_owners, postgres_keeper, postgres_people, relay):
    witness = two_owners.witness()
    postgres_keeper.clear()
    for scope in (ANN, BEN):
        with two_owners.database.transaction(scope) as conn:
            for table in MADE_BY_EFFECTS:
                assert conn.execute(f"SELECT count(*) AS n FROM {table}".encode()).fetchone()["n"] == 0  # noqa: S608
    assert two_owners.witness() == witness
    assert postgres_people.count() == 2
    relay.activate(make_memory("b1", "You like tea.", scope=BEN))
    assert [m.memory_id for m in two_owners.recent(BEN)] == ["b1"]


def test_an_effect_is_applied_again_after_clearing(two_owners, postgres_keeper, relay):
    item = relay.activate(make_memory("again"))
    assert not two_owners.apply(item, embedding=unit_vector(1))
    postgres_keeper.clear()
    assert two_owners.apply(item, embedding=unit_vector(1))


def test_reconciling_goes_through_every_row(postgres_store, postgres_keeper, relay, monkeypatch):
    monkeypatch.setattr("core.store.keeper._BATCH", 2)
    for n in range(5):
        relay.activate(make_memory(f"m{n}"))
    relay.send(EffectKind.ARCHIVE, "m1")
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute("UPDATE memory SET text = 'x' WHERE memory_id IN ('m1', 'm4')")
    assert postgres_keeper.reconcile(ANN) == ["m1", "m4"]
    assert postgres_keeper.reconcile(BEN) == []


def test_no_server_is_said(tmp_path):
    keeper = PostgresKeeper(f"host={tmp_path} dbname=x user=x", mac_key=MAC_KEY)
    with pytest.raises(StoreUnavailable):
        keeper.erase("acme", "ann")


@pytest.mark.parametrize("role", ["chronomemory_app", "chronomemory_reader"])
@pytest.mark.usefixtures("two_owners")
def test_nobody_else_may(store_conninfo, role):
    with psycopg.connect(store_conninfo, autocommit=True) as conn:
        conn.execute(f"SET ROLE {role}".encode())
        for statement in ("TRUNCATE chronomemory.memory", "DELETE FROM chronomemory.applied_effect"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(statement.encode())


def test_the_planner_samples_no_vector_before_and_after_a_change_of_model(postgres_store, relay, store_conninfo):
    for n in range(5):
        relay.activate(make_memory(f"m{n}", f"note {n}"))

    def sampled() -> set[str]:
        with psycopg.connect(store_conninfo, autocommit=True) as conn:
            conn.execute("ANALYZE chronomemory.memory_embedding")
            rows = conn.execute("SELECT attname FROM pg_stats WHERE tablename = 'memory_embedding'").fetchall()
        return {row[0] for row in rows}

    assert "owner" in sampled()
    assert "embedding" not in sampled()
    postgres_store.reembed(HashEmbedder("another-model", 12))
    assert "embedding" not in sampled()
