"""Operator keys in the real store: found with their person, ended for good, gone with the account; the fake likewise."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from core.credentials import token_hash
from core.model import Person, Role
from core.ports import OperatorKey
from core.store import PostgresOperatorKeys
from tests.fakes_people import FakeOperatorKeys, FakePeople
from tests.store_fixtures import NOW

ANN = Person(user_id="u1", username="ann", display_name="Ann", tenant="acme", role=Role.MEMBER, created_at=NOW)


def key(key_id: str = "k1", **changes: object) -> OperatorKey:
    given = {"prefix": "cmo_abc123", "tenant": "acme", "user_id": "u1", "name": "report", "created_at": NOW} | changes
    return OperatorKey(key_id=key_id, **given)


@pytest.fixture(params=["postgres", "fake"])
def keys(request):
    if request.param == "fake":
        people = FakePeople()
        people.add(ANN, "hash")
        return FakeOperatorKeys(people)
    request.getfixturevalue("postgres_people").add(ANN, "hash")
    return PostgresOperatorKeys(request.getfixturevalue("postgres_store").database)


def test_a_key_is_found_with_its_person(keys):
    keys.add(key(), token_hash("secret"))
    assert keys.by_token(token_hash("secret")) == (key(), ANN)
    assert keys.in_use("k1") == (key(), ANN)
    assert keys.by_id("k1") == key()
    assert keys.by_token("secret") is keys.by_token("\x00") is keys.in_use("k2") is keys.by_id("k2") is None


def test_lists_hold_keys_in_use_newest_first_and_an_ended_one_stays_ended(keys):
    for number in range(3):
        keys.add(key(f"k{number}", created_at=NOW + timedelta(hours=number)), token_hash(f"secret{number}"))
    assert keys.revoke("k1", NOW + timedelta(hours=4))
    assert not keys.revoke("k1", NOW + timedelta(hours=5))
    assert [one.key_id for one in keys.of_person("u1")] == ["k2", "k0"]
    assert [one.key_id for one in keys.of_tenant("acme")] == ["k2", "k0"]
    assert keys.of_person("u2") == keys.of_tenant("globex") == []
    assert keys.by_token(token_hash("secret1")) is keys.in_use("k1") is None
    assert keys.by_id("k1").revoked_at == NOW + timedelta(hours=4)


def test_use_is_recorded_and_never_goes_back(keys):
    keys.add(key(), token_hash("secret"))
    for hours in (3, 1):
        keys.touch("k1", NOW + timedelta(hours=hours))
    assert keys.by_id("k1").last_used_at == NOW + timedelta(hours=3)


def test_keys_go_with_the_account(postgres_people, postgres_store, postgres_keeper):
    postgres_people.add(ANN, "hash")
    keys = PostgresOperatorKeys(postgres_store.database)
    keys.add(key(), token_hash("secret"))
    postgres_keeper.erase("acme", "u1")
    assert keys.by_id("k1") is None


def test_the_reading_role_sees_no_key(postgres_people, postgres_store, store_conninfo):
    postgres_people.add(ANN, "hash")
    PostgresOperatorKeys(postgres_store.database).add(key(), token_hash("secret"))
    with psycopg.connect(store_conninfo) as conn:
        conn.execute("SET ROLE chronomemory_reader")
        with pytest.raises(InsufficientPrivilege):
            conn.execute("SELECT * FROM chronomemory.operator_key")
