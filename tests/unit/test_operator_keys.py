"""Operator keys: a person's program acts as that person, as the database has them at this moment, and no longer."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.accounts import Accounts
from core.credentials import AccountLimits
from core.errors import BadInput, NotAuthorised, NotFound
from core.model import Actor, Role
from core.operatorkeys import MOST, OperatorKeys
from core.sessions import names_a_key
from tests.fakes_people import AuditLog, CountingIds, FakeOperatorKeys, FakePeople, SetClock

PASSWORD = "correct horse battery"


@pytest.fixture
def desk():
    clock, ids, audit, people = SetClock(), CountingIds(), AuditLog(), FakePeople()
    store = FakeOperatorKeys(people)
    accounts = Accounts(
        people=people,
        clock=clock,
        ids=ids,
        audit=audit,
        limits=AccountLimits(bcrypt_rounds=4),
        operator_keys=store,
    )
    accounts.create_first_admin(accounts.setup_token(), "ada", "Ada", PASSWORD)
    keys = OperatorKeys(accounts=accounts, store=store, clock=clock, ids=ids, audit=audit)

    def sign_in(name):
        return accounts.resolve(accounts.sign_in(name, PASSWORD, "127.0.0.1", "tests")[1])

    def person(name, role=Role.MEMBER):
        accounts.accept_invitation(accounts.invite(sign_in("ada"), role, name), name, name, PASSWORD)
        return sign_in(name)

    return SimpleNamespace(
        accounts=accounts, keys=keys, audit=audit, clock=clock, ada=sign_in("ada"), person=person, store=store
    )


def test_a_key_is_its_person_with_the_role_they_have_now(desk):
    ben = desk.person("ben")
    _, token = desk.keys.create(ben, "nightly report")
    acts = desk.keys.resolve(token)
    assert (acts.user_id, acts.role) == (ben.user_id, Role.MEMBER)
    assert names_a_key(acts.session_id)
    assert desk.accounts.authorise(acts).user_id == ben.user_id
    desk.accounts.set_role(desk.ada, ben.user_id, Role.REVIEWER)
    assert desk.accounts.authorise(acts, Role.REVIEWER).role is Role.REVIEWER, "read anew at each act"
    assert desk.keys.resolve(token).role is Role.REVIEWER


def test_a_revoked_key_and_a_closed_account_open_nothing(desk):
    ben = desk.person("ben")
    key, token = desk.keys.create(ben, "report")
    acts = desk.keys.resolve(token)
    desk.accounts.disable(desk.ada, ben.user_id)
    assert desk.keys.resolve(token) is None
    with pytest.raises(NotAuthorised):
        desk.accounts.authorise(acts)
    desk.accounts.enable(desk.ada, ben.user_id)
    assert desk.keys.resolve(token) is not None
    desk.keys.revoke(desk.ada, key.key_id)
    assert desk.keys.resolve(token) is None
    with pytest.raises(NotAuthorised):
        desk.accounts.authorise(acts)


def test_another_persons_id_in_an_actor_of_a_key_opens_nothing(desk):
    ben = desk.person("ben")
    _, token = desk.keys.create(ben, "report")
    acts = desk.keys.resolve(token)
    forged = Actor(
        user_id=desk.ada.user_id, username="ada", tenant=acts.tenant, role=Role.ADMIN, session_id=acts.session_id
    )
    with pytest.raises(NotAuthorised):
        desk.accounts.authorise(forged)


def test_a_key_makes_no_key_and_no_console_session(desk):
    _, token = desk.keys.create(desk.ada, "report")
    acts = desk.keys.resolve(token)
    with pytest.raises(NotAuthorised, match="password"):
        desk.keys.create(acts, "another")
    assert desk.accounts.refresh(acts.session_id, acts.user_id) is None
    assert desk.accounts.resolve(token) is None


def test_only_its_person_or_an_admin_of_the_tenant_ends_a_key(desk):
    ben, cleo = desk.person("ben"), desk.person("cleo")
    key, _ = desk.keys.create(ben, "report")
    with pytest.raises(NotFound):
        desk.keys.revoke(cleo, key.key_id)
    with pytest.raises(NotFound):
        desk.keys.revoke(ben, "no-such-key")
    desk.keys.revoke(ben, key.key_id)
    desk.keys.revoke(ben, key.key_id)
    assert desk.audit.actions.count("operator_key:revoked") == 1
    assert desk.keys.list(ben) == []
    with pytest.raises(NotAuthorised):
        desk.keys.of_tenant(ben)


def test_names_and_numbers_are_limited(desk):
    for name in ("", "   ", "x" * 61, "a\x00b"):
        with pytest.raises(BadInput):
            desk.keys.create(desk.ada, name)
    for number in range(MOST):
        desk.keys.create(desk.ada, f"key {number}")
    with pytest.raises(BadInput, match="revoke"):
        desk.keys.create(desk.ada, "one more")


def test_the_audit_knows_the_key_and_none_of_its_secrets_or_words(desk):
    key, token = desk.keys.create(desk.ada, "salaries")
    made = next(one for one in desk.audit.entries if one["action"] == "operator_key:created")
    assert made["about"] == {"key_id": key.key_id}
    assert token not in str(desk.audit.entries)
    assert "salaries" not in str(desk.audit.entries)


def test_use_is_noted_once_a_minute(desk):
    _, token = desk.keys.create(desk.ada, "report")
    first = desk.clock.now()
    desk.keys.resolve(token)
    desk.clock.forward(seconds=30)
    desk.keys.resolve(token)
    assert desk.keys.list(desk.ada)[0].last_used_at == first
    desk.clock.forward(seconds=40)
    desk.keys.resolve(token)
    assert desk.keys.list(desk.ada)[0].last_used_at == desk.clock.now()
