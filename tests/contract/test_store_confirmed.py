"""A named person's confirmation as the store keeps it: under the row's seal, taken back, found when it is forged."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import BadInput
from core.model import EffectKind, MemoryStatus
from tests.store_fixtures import ANN, NOW, make_memory

DAY = timedelta(days=1)


def attest(relay, by="ann", memory_id="m1", later=DAY):
    relay.send(EffectKind.ATTEST, memory_id, later=later, by=by)


def test_every_field_comes_back(postgres_store, relay):
    memory = make_memory(confirmed_by="ann", confirmed_at=NOW)
    relay.activate(memory)
    assert postgres_store.get(ANN, "m1") == memory


def test_a_confirmation_names_the_person_renews_the_age_and_is_sealed(postgres_store, postgres_keeper, relay):
    relay.activate(make_memory())
    attest(relay)
    found = postgres_store.get(ANN, "m1")
    assert (found.confirmed_by, found.confirmed_at, found.stated_at) == ("ann", NOW + DAY, NOW + DAY)
    assert (found.origins, found.version, found.effective_trust) == (1, 2, 1.0)
    assert postgres_keeper.reconcile(ANN) == []
    for kind in (EffectKind.CONFIRM, EffectKind.REINFORCE, EffectKind.PIN, EffectKind.ARCHIVE):
        relay.send(kind, "m1")
        assert postgres_store.get(ANN, "m1").confirmed_by == "ann"


def test_an_old_confirmation_makes_nothing_younger_than_it_is(postgres_store, relay):
    relay.activate(make_memory())
    attest(relay, later=-DAY)
    found = postgres_store.get(ANN, "m1")
    assert (found.confirmed_at, found.stated_at) == (NOW - DAY, NOW)


def test_it_revives_what_was_put_away_and_nothing_else(postgres_store, relay):
    for number, (kind, after) in enumerate(
        [(EffectKind.ARCHIVE, MemoryStatus.ACTIVE), (EffectKind.TOMBSTONE, MemoryStatus.DELETED)]
    ):
        relay.activate(make_memory(f"m{number}"))
        relay.send(kind, f"m{number}")
        attest(relay, memory_id=f"m{number}")
        assert postgres_store.get(ANN, f"m{number}").status is after


@pytest.mark.parametrize("by", ["ann", ""])
def test_taken_back_it_leaves_the_row_as_it_was(postgres_store, postgres_keeper, relay, by):
    relay.activate(make_memory())
    attest(relay)
    relay.send(EffectKind.UNATTEST, "m1", later=2 * DAY, by=by, until=NOW)
    found = postgres_store.get(ANN, "m1")
    assert (found.confirmed_by, found.confirmed_at, found.stated_at) == (None, None, NOW)
    assert postgres_keeper.reconcile(ANN) == []


def test_what_was_stated_since_keeps_its_age_when_it_is_taken_back(postgres_store, relay):
    relay.activate(make_memory())
    attest(relay)
    relay.send(EffectKind.CONFIRM, "m1", later=2 * DAY)
    relay.send(EffectKind.UNATTEST, "m1", later=3 * DAY, by="ann", until=NOW)
    assert postgres_store.get(ANN, "m1").stated_at == NOW + 2 * DAY


def test_who_confirmed_it_since_is_not_taken_back_with_another(postgres_store, relay):
    relay.activate(make_memory())
    attest(relay, "ann")
    attest(relay, "rev", later=2 * DAY)
    relay.send(EffectKind.UNATTEST, "m1", by="ann", until=NOW)
    found = postgres_store.get(ANN, "m1")
    assert (found.confirmed_by, found.stated_at) == ("rev", NOW + 2 * DAY)


def test_without_a_person_it_is_refused_and_nothing_is_written(postgres_store, relay):
    relay.activate(make_memory())
    with pytest.raises(BadInput, match="without naming the person"):
        postgres_store.apply(relay.item(EffectKind.ATTEST, "m1"), embedding=None)
    assert postgres_store.witness() == (1, "head1")


def test_a_second_relay_changes_nothing(postgres_store, relay):
    relay.activate(make_memory())
    item = relay.item(EffectKind.ATTEST, "m1", by="ann")
    assert [postgres_store.apply(item, embedding=None) for _ in range(2)] == [True, False]
    assert postgres_store.get(ANN, "m1").version == 2


@pytest.mark.parametrize(
    "change",
    ["confirmed_by = 'rev'", "confirmed_at = now()", "confirmed_by = NULL, confirmed_at = NULL", "value = 'x'"],
)
def test_a_forged_confirmation_is_not_served(postgres_store, postgres_keeper, relay, change):
    relay.activate(make_memory())
    attest(relay)
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute(f"UPDATE memory SET {change} WHERE memory_id = 'm1'".encode())  # noqa: S608 - constants
    assert postgres_store.get(ANN, "m1") is None
    assert postgres_keeper.reconcile(ANN) == ["m1"]


@pytest.mark.parametrize("mac", ["", "2:", "3:"])
def test_a_row_that_nobody_confirmed_cannot_say_that_somebody_did(postgres_store, relay, mac):
    relay.activate(make_memory())
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute(
            "UPDATE memory SET confirmed_by = 'ann', confirmed_at = now(), row_mac = %s || substr(row_mac, 3) "
            "WHERE memory_id = 'm1'",
            (mac,),
        )
    assert postgres_store.get(ANN, "m1") is None


def test_a_confirmation_does_not_make_an_altered_row_genuine(postgres_store, postgres_keeper, relay):
    relay.activate(make_memory())
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute("UPDATE memory SET text = 'You have no allergy.' WHERE memory_id = 'm1'")
    attest(relay)
    assert postgres_store.get(ANN, "m1") is None
    assert postgres_keeper.reconcile(ANN) == ["m1"]
