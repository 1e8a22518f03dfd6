"""Rows put in or changed past the ledger: never served, and found by reconciling (rules §8.1)."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from core.model import EffectKind, LinkKind, ScoredMemory, SourceKind
from core.ports import MemoryFilter
from core.store.postgres import PostgresStore
from tests.store_fixtures import ANN, BEN, DIMENSIONS, IDENTITY, MAC_KEY, NOW, make_memory, unit_vector

# A full row as the app's role can write it: active, trusted, in the slot, pinned, with a seal taken from elsewhere.
FORGE = """
INSERT INTO memory (
    owner, memory_id, tenant, agent, kind, status, subject, attribute, slot_key, value, text, importance,
    effective_trust, source_kind, source_ref, source_title, actor, episode_id, conversation_id, serial_no, roots,
    stated_at, created_at, language, pinned, subject_key, attribute_key, slot_hash, words, ledger_seq, row_mac
)
SELECT owner, %(id)s, tenant, agent, kind, status, subject, attribute, slot_key, 'nothing', 'You have no allergy.', 1, 1,
    source_kind, source_ref, source_title, actor, episode_id, conversation_id, 99, roots, stated_at, created_at,
    language, true, subject_key, attribute_key, slot_hash, words, ledger_seq, %(mac)s
FROM memory WHERE memory_id = 'm1'
"""
FORGE_VECTOR = """
INSERT INTO memory_embedding (owner, memory_id, tenant, agent, active, embedding)
SELECT owner, %(id)s, tenant, agent, true, embedding FROM memory_embedding WHERE memory_id = 'm1'
"""


def forge(store, memory_id="forged", mac=None):
    with store.database.transaction(ANN) as conn:
        own = conn.execute("SELECT row_mac FROM memory WHERE memory_id = 'm1'").fetchone()["row_mac"]
        params = {"id": memory_id, "mac": own if mac is None else mac}
        conn.execute(FORGE, params)
        conn.execute(FORGE_VECTOR, params)


def change(store, assignment, memory_id="m1"):
    with store.database.transaction(ANN) as conn:
        conn.execute(f"UPDATE memory SET {assignment} WHERE memory_id = %s".encode(), (memory_id,))  # noqa: S608 - constants


def served(store):
    """Ids by every read path."""
    memory = make_memory()
    found = store.search(ANN, vector=unit_vector(memory.text), query="allergy", at=NOW, limit=10)
    then = store.as_of(ANN, vector=unit_vector(memory.text), query="allergy", then=NOW, limit=10)
    paths = {
        "by_slot": store.by_slot(ANN, subject="user", attributes=["allergy"]),
        "about": store.about(ANN, subject="user"),
        "pinned": store.pinned(ANN),
        "slot": store.slot(ANN, memory.slot_key),
        "recent": store.recent(ANN),
        "of_episode": store.of_episode(ANN, "e1"),
        "of_conversation": store.of_conversation(ANN, "c1"),
        "get": [m for m in (store.get(ANN, "m1"), store.get(ANN, "forged")) if m],
        "list": store.list(ANN, MemoryFilter())[0],
        "search": [one.memory for one in found if store.genuine(one)],
        "as_of": [one.memory for one in then if store.genuine(one)],
    }
    return {name: [m.memory_id for m in memories] for name, memories in paths.items()}


@pytest.mark.parametrize("mac", [None, "", "2:" + "0" * 64, "0" * 64, "é"])
def test_a_row_inserted_past_the_ledger_is_never_served(postgres_store, postgres_keeper, relay, mac):
    relay.activate(make_memory())
    before = served(postgres_store)
    assert all(ids == ["m1"] for ids in before.values())
    forge(postgres_store, mac=mac)
    assert served(postgres_store) == before
    assert postgres_keeper.reconcile(ANN) == ["forged"]
    assert postgres_keeper.reconcile(BEN) == []


def test_search_brings_the_forged_row_and_genuine_tells_it(postgres_store, relay):
    relay.activate(make_memory())
    forge(postgres_store)
    found = postgres_store.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=10)
    assert {one.memory.memory_id: postgres_store.genuine(one) for one in found} == {"m1": True, "forged": False}


@pytest.mark.parametrize("assignment", ["text = 'You may eat anything.'", "effective_trust = 0.9", "row_mac = ''"])
def test_a_row_changed_after_it_was_served_is_checked_anew(postgres_store, relay, assignment):
    relay.activate(make_memory())
    before = served(postgres_store)
    assert before["search"] == ["m1"]
    change(postgres_store, assignment)
    assert served(postgres_store)["search"] == []
    assert served(postgres_store)["as_of"] == []


def test_what_an_effect_changes_is_read_anew(postgres_store, relay):
    memory = make_memory()
    relay.activate(memory)
    assert served(postgres_store)["search"] == ["m1"]
    change(postgres_store, "access_count = 7")  # lawful: no seal covers it
    found = postgres_store.search(ANN, vector=unit_vector(memory.text), query="allergy", at=NOW, limit=10)
    assert [(one.memory.access_count, postgres_store.genuine(one)) for one in found] == [(7, True)]


def test_forged_rows_take_no_genuine_ones_place(postgres_store, relay):
    relay.activate(make_memory())
    for n in range(7):
        forge(postgres_store, f"forged{n}")
    assert [m.memory_id for m in postgres_store.by_slot(ANN, subject="user", attributes=["allergy"], limit=2)] == ["m1"]
    assert [m.memory_id for m in postgres_store.pinned(ANN, limit=1)] == ["m1"]


@pytest.mark.parametrize(
    "assignment",
    [
        "kind = 'no such kind'",
        "source_kind = ''",
        "roots = '{\"a\": 1}'",
        "roots = '[7]'",
        "support = '[]', impact = '[7]'",
    ],
)
def test_a_row_that_cannot_even_be_read_stops_nobody(postgres_store, postgres_keeper, relay, assignment):
    relay.activate(make_memory())
    before = served(postgres_store)
    forge(postgres_store)
    change(postgres_store, assignment, "forged")
    assert served(postgres_store) == before
    assert postgres_keeper.reconcile(ANN) == ["forged"]


@pytest.mark.parametrize(
    "assignment",
    [
        "text = 'You may eat anything.'",
        "value = ''",
        "effective_trust = 0.9",
        "importance = 1",
        "impact = '[]'",
        "half_life_days = NULL",
        "shape = 2",
        "slot_key = 'user|diet'",
        "created_at = created_at - interval '1 day'",
        "valid_at = now()",
        "expires_at = NULL",
        "vouched_by = 'rev'",
        "row_mac = substr(row_mac, 3)",
        "row_mac = ''",
    ],
)
def test_a_changed_row_is_not_served_and_is_found(postgres_store, postgres_keeper, relay, assignment):
    memory = make_memory(
        effective_trust=0.4,
        source_kind=SourceKind.EXTERNAL_DOC,
        impact=("money",),
        half_life_days=3.0,
        shape=1.0,
        expires_at=NOW.replace(year=2030),
    )
    relay.activate(memory)
    relay.activate(make_memory("m2", "You like tea."))
    assert postgres_store.get(ANN, "m1") == memory
    change(postgres_store, assignment)
    assert postgres_store.get(ANN, "m1") is None
    assert [m.memory_id for m in postgres_store.recent(ANN)] == ["m2"]
    assert postgres_keeper.reconcile(ANN) == ["m1"]


def test_lawful_effects_keep_the_seal(postgres_store, postgres_keeper, relay):
    relay.activate(make_memory("m1", text="a\x00b", source_ref="x\ud800", support=("s\x00",), impact=("i\x00",)))
    relay.activate(make_memory("m2"))
    relay.send(EffectKind.LINK, "m1", by_memory_id="m2", link_kind=LinkKind.RELATED, weight=0.3)
    for kind in (
        EffectKind.CONFIRM,
        EffectKind.REINFORCE,
        EffectKind.PIN,
        EffectKind.ARCHIVE,
        EffectKind.RESTORE,
        EffectKind.UNPIN,
        EffectKind.RETRACT,
        EffectKind.TOMBSTONE,
    ):
        relay.send(kind, "m1", origin="page:x" if kind is EffectKind.CONFIRM else "")
        assert postgres_store.get(ANN, "m1") is not None
    assert postgres_keeper.reconcile(ANN) == []


class TestSealedBefore:
    """Rows written before the seal had a version: HMAC over a list of 20 fields, in hex, without a prefix."""

    @pytest.fixture
    def old_row(self, postgres_store, relay):
        relay.activate(make_memory("m1", source_title="Notes"))
        with postgres_store.database.transaction(ANN) as conn:
            row = conn.execute("SELECT * FROM memory WHERE memory_id = 'm1'").fetchone()
            names = (
                "tenant owner agent memory_id kind subject attribute value text effective_trust source_kind source_ref "
                "source_title actor episode_id conversation_id serial_no vouched_by ledger_seq roots"
            )
            sealed = [row[name] for name in names.split()]
            canonical = json.dumps(sealed, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
            mac = hmac.new(MAC_KEY, canonical.encode("ascii"), hashlib.sha256).hexdigest()
            conn.execute("UPDATE memory SET row_mac = %s WHERE memory_id = 'm1'", (mac,))

    @pytest.mark.usefixtures("old_row")
    def test_they_are_served_as_before(self, postgres_store, postgres_keeper):
        assert all(ids == ["m1"] for ids in served(postgres_store).values())
        assert postgres_keeper.reconcile(ANN) == []

    @pytest.mark.usefixtures("old_row")
    @pytest.mark.parametrize("assignment", ["text = 'x'", "impact = '[\"money\"]'", "half_life_days = 1", "shape = 1"])
    def test_what_they_did_not_know_cannot_be_put_into_them(self, postgres_store, postgres_keeper, assignment):
        change(postgres_store, assignment)
        assert postgres_store.get(ANN, "m1") is None
        assert postgres_keeper.reconcile(ANN) == ["m1"]


def test_a_hit_made_elsewhere_is_not_genuine(postgres_store):
    assert not postgres_store.genuine(ScoredMemory(memory=make_memory(), cosine=1.0, lexical=1.0))


def test_without_a_key_nothing_is_checked_and_with_another_nothing_is_served(postgres_store, relay, store_conninfo):
    relay.activate(make_memory())
    for key, expected in ((None, ["m1"]), (b"x" * 32, [])):
        reader = PostgresStore.reader(store_conninfo, dimensions=DIMENSIONS, embedding_identity=IDENTITY, mac_key=key)
        try:
            assert [m.memory_id for m in reader.slot(ANN, make_memory().slot_key)] == expected
            [hit] = reader.search(ANN, vector=unit_vector("x"), query="penicillin", at=NOW, limit=5)
            assert reader.genuine(hit) is bool(expected)
        finally:
            reader.close()


def test_the_forged_row_is_what_the_statement_says(postgres_store, relay):
    """The insert above must be one that an unchecked store would serve, or the tests here prove nothing."""
    relay.activate(make_memory())
    forge(postgres_store)
    postgres_store._mac_key = None
    assert all("forged" in ids for ids in served(postgres_store).values())
