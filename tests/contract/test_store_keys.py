"""Agent keys in the real store: found by the hash alone, ended for good, gone with their owner; the fake does the same."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from core.credentials import token_hash
from core.model import Person, Role, SourceKind
from core.ports import AgentKey
from core.store import PostgresKeys
from tests.fakes_people import FakeKeys
from tests.store_fixtures import NOW

ANN = Person(user_id="u1", username="ann", display_name="Ann", tenant="acme", role=Role.MEMBER, created_at=NOW)


def key(key_id: str = "k1", **changes: object) -> AgentKey:
    given = {"prefix": "cmk_abc123", "tenant": "acme", "owner": "u1", "agent": "planner", "created_at": NOW}
    given |= {"channel": SourceKind.AGENT_TURN, "space": "planner"} | changes
    return AgentKey(key_id=key_id, **given)


@pytest.fixture(params=["postgres", "fake"])
def keys(request):
    if request.param == "fake":
        return FakeKeys()
    request.getfixturevalue("postgres_people").add(ANN, "hash")
    return PostgresKeys(request.getfixturevalue("postgres_store").database)


def test_a_key_is_found_by_the_hash_of_its_token(keys):
    keys.add(key(), token_hash("secret"))
    assert keys.by_token(token_hash("secret")) == key()
    assert keys.by_token("secret") is None
    assert keys.by_token("\x00") is None
    assert keys.by_id("k1") == key()
    assert keys.by_id("k2") is None


def test_lists_hold_keys_in_use_newest_first(keys):
    for number in range(3):
        keys.add(key(f"k{number}", created_at=NOW + timedelta(hours=number)), token_hash(f"secret{number}"))
    assert keys.revoke("k1", NOW + timedelta(hours=4))
    assert not keys.revoke("k1", NOW + timedelta(hours=5))
    assert [one.key_id for one in keys.of_owner("acme", "u1")] == ["k2", "k0"]
    assert [one.key_id for one in keys.of_tenant("acme")] == ["k2", "k0"]
    assert keys.of_owner("globex", "u1") == keys.of_owner("acme", "u2") == keys.of_tenant("globex") == []
    assert keys.by_token(token_hash("secret1")) is None
    assert keys.by_id("k1").revoked_at == NOW + timedelta(hours=4)


def test_use_is_recorded_and_never_goes_back(keys):
    keys.add(key(), token_hash("secret"))
    for hours in (3, 1):
        keys.touch("k1", NOW + timedelta(hours=hours))
    assert keys.by_id("k1").last_used_at == NOW + timedelta(hours=3)


def test_a_key_goes_with_its_owners_account(postgres_people, postgres_store, postgres_keeper):
    postgres_people.add(ANN, "hash")
    keys = PostgresKeys(postgres_store.database)
    keys.add(key(), token_hash("secret"))
    postgres_keeper.erase("acme", "u1")
    assert keys.by_id("k1") is None


def test_the_reading_role_sees_no_key(postgres_people, postgres_store, store_conninfo):
    postgres_people.add(ANN, "hash")
    PostgresKeys(postgres_store.database).add(key(), token_hash("secret"))
    with psycopg.connect(store_conninfo) as conn:
        conn.execute("SET ROLE chronomemory_reader")
        with pytest.raises(InsufficientPrivilege):
            conn.execute("SELECT * FROM chronomemory.agent_key")


def test_invitations_that_wait_are_listed_and_taken_back(postgres_people):
    from core.ports import Invitation  # noqa: PLC0415

    def invitation(name: str, hours: int, tenant: str = "acme") -> Invitation:
        return Invitation(
            token_hash=name, tenant=tenant, role=Role.MEMBER, expires_at=NOW + timedelta(hours=hours), created_by="u1"
        )

    for one in (invitation("a", 1), invitation("b", 2), invitation("late", -1), invitation("c", 3, "globex")):
        postgres_people.add_invitation(one)
    assert [one.token_hash for one in postgres_people.invitations("acme", now=NOW)] == ["b", "a"]
    postgres_people.remove_invitation("b")
    postgres_people.remove_invitation("b")
    assert [one.token_hash for one in postgres_people.invitations("acme", now=NOW)] == ["a"]


def test_a_bucket_gives_its_burst_and_then_one_at_a_time(keys):
    taken = [keys.take("key:k1", NOW, per_minute=60, burst=3) for _ in range(5)]
    assert taken[:3] == [None, None, None]
    assert taken[3:] == [timedelta(seconds=1)] * 2
    assert keys.take("key:k2", NOW, per_minute=60, burst=3) is None
    assert keys.take("key:k1", NOW + timedelta(seconds=1), per_minute=60, burst=3) is None
    assert keys.take("key:k1", NOW + timedelta(seconds=1), per_minute=60, burst=3) == timedelta(seconds=1)
    later = NOW + timedelta(minutes=5)
    assert [keys.take("key:k1", later, per_minute=60, burst=3) for _ in range(4)] == [None] * 3 + [timedelta(seconds=1)]
    assert keys.forget_requests(later) == 1
    assert keys.forget_requests(later + timedelta(days=1)) == 1
