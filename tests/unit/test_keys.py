"""Agent keys: shown once, scoped, ended at once, audited without the token, and no way to a desk."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.accounts import Accounts
from core.credentials import AccountLimits
from core.errors import BadInput, NotAuthorised, NotFound, TooManyRequests
from core.keys import MOST, AgentKeys, RequestCounts
from core.model import Actor, Role, SourceKind
from tests.fakes_people import AuditLog, CountingIds, FakeKeys, FakePeople, SetClock

PASSWORD = "correct horse battery"


@pytest.fixture
def desk():
    clock, ids, audit, people = SetClock(), CountingIds(), AuditLog(), FakePeople()
    accounts = Accounts(people=people, clock=clock, ids=ids, audit=audit, limits=AccountLimits(bcrypt_rounds=4))
    accounts.create_first_admin(accounts.setup_token(), "ada", "Ada", PASSWORD)
    keys = AgentKeys(accounts=accounts, store=FakeKeys(), clock=clock, ids=ids, audit=audit)

    def sign_in(name):
        return accounts.resolve(accounts.sign_in(name, PASSWORD, "127.0.0.1", "tests")[1])

    def person(name, role=Role.MEMBER):
        accounts.accept_invitation(accounts.invite(sign_in("ada"), role, name), name, name, PASSWORD)
        return sign_in(name)

    return SimpleNamespace(accounts=accounts, keys=keys, audit=audit, clock=clock, ada=sign_in("ada"), person=person)


def test_a_token_resolves_to_the_owners_scope_under_the_agents_name(desk):
    ben = desk.person("ben")
    key, token = desk.keys.create(ben, " Planner ")
    found = desk.keys.resolve(token)
    assert (found.scope.tenant, found.scope.owner, found.scope.agent) == (ben.tenant, ben.user_id, "planner")
    assert found.key_id == key.key_id
    assert token.startswith(key.prefix)
    assert len(key.prefix) == 10
    assert desk.keys.resolve(token[:-1]) is None
    assert desk.keys.resolve("") is None


def test_use_is_noted_once_a_minute(desk):
    _, token = desk.keys.create(desk.ada, "planner")
    assert desk.keys.list(desk.ada)[0].last_used_at is None
    first = desk.clock.now()
    desk.keys.resolve(token)
    desk.clock.forward(seconds=30)
    desk.keys.resolve(token)
    assert desk.keys.list(desk.ada)[0].last_used_at == first
    desk.clock.forward(seconds=40)
    desk.keys.resolve(token)
    assert desk.keys.list(desk.ada)[0].last_used_at == desk.clock.now()


def test_revoking_ends_it_at_once_and_twice_is_once(desk):
    key, token = desk.keys.create(desk.ada, "planner")
    desk.keys.revoke(desk.ada, key.key_id)
    desk.keys.revoke(desk.ada, key.key_id)
    assert desk.keys.resolve(token) is None
    assert desk.keys.list(desk.ada) == []
    assert desk.audit.actions.count("key:revoked") == 1


def test_a_closed_account_closes_its_keys(desk):
    ben = desk.person("ben")
    _, token = desk.keys.create(ben, "planner")
    desk.accounts.disable(desk.ada, ben.user_id)
    assert desk.keys.resolve(token) is None
    desk.accounts.enable(desk.ada, ben.user_id)
    assert desk.keys.resolve(token) is not None


def test_who_may_see_and_end_which(desk):
    ben, rita = desk.person("ben"), desk.person("rita", Role.REVIEWER)
    key, token = desk.keys.create(ben, "planner")
    assert desk.keys.list(rita) == []
    for other in (ben, rita):
        with pytest.raises(NotAuthorised):
            desk.keys.of_tenant(other)
    with pytest.raises(NotFound):
        desk.keys.revoke(rita, key.key_id)
    assert desk.keys.of_tenant(desk.ada) == [desk.keys.list(ben)[0]]
    desk.keys.revoke(desk.ada, key.key_id)
    assert desk.keys.resolve(token) is None
    with pytest.raises(NotFound):
        desk.keys.revoke(desk.ada, "nothing")


@pytest.mark.parametrize("name", ["", "  ", "-x", "a" * 41, "two words", "![x](http://127.0.0.1:9)"])
def test_a_name_that_does_not_fit_is_refused(desk, name):
    with pytest.raises(BadInput):
        desk.keys.create(desk.ada, name)


def test_there_is_an_end_to_them(desk):
    for number in range(MOST):
        desk.keys.create(desk.ada, f"agent-{number}")
    with pytest.raises(BadInput, match="revoke one"):
        desk.keys.create(desk.ada, "one-more")


def test_the_audit_and_the_store_hold_no_token(desk):
    key, token = desk.keys.create(desk.ada, "planner")
    secret = token.removeprefix("cmk_")
    assert secret[:6] not in str(desk.audit.entries)
    assert token not in repr(vars(desk.keys.store))
    [entry] = [one for one in desk.audit.entries if one["action"] == "key:created"]
    assert entry["about"] == {
        "key_id": key.key_id,
        "agent": "planner",
        "channel": "agent_turn",
        "space": "planner",
    }


def test_if_it_cannot_be_audited_there_is_no_key(desk):
    desk.audit.broken = RuntimeError("the ledger is down")
    with pytest.raises(RuntimeError):
        desk.keys.create(desk.ada, "planner")
    assert desk.keys.list(desk.ada) == []


def test_a_key_is_no_session_and_opens_no_desk(desk):
    key, token = desk.keys.create(desk.ada, "planner")
    assert desk.accounts.resolve(token) is None
    found = desk.keys.resolve(token)
    assert not hasattr(found, "role")
    assert not hasattr(found, "session_id")
    for session_id in (token, key.key_id, key.prefix):
        forged = Actor(
            user_id=found.scope.owner, username="ada", tenant=found.scope.tenant, role=Role.ADMIN, session_id=session_id
        )
        for act in (desk.accounts.authorise, desk.keys.list, desk.accounts.people, desk.accounts.invitations):
            with pytest.raises(NotAuthorised):
                act(forged)
        with pytest.raises(NotAuthorised):
            desk.keys.create(forged, "another")


def test_invitations_that_wait_are_listed_and_taken_back(desk):
    ben = desk.person("ben")
    token = desk.accounts.invite(desk.ada, Role.REVIEWER, "carla")
    [one] = desk.accounts.invitations(desk.ada)
    assert (one.role, one.username, one.created_by) == (Role.REVIEWER, "carla", desk.ada.user_id)
    with pytest.raises(NotAuthorised):
        desk.accounts.invitations(ben)
    with pytest.raises(NotAuthorised):
        desk.accounts.revoke_invitation(ben, one.invitation_id)
    desk.accounts.revoke_invitation(desk.ada, one.invitation_id)
    assert desk.accounts.invitation(token) is None
    with pytest.raises(NotAuthorised):
        desk.accounts.accept_invitation(token, "carla", "Carla", PASSWORD)
    with pytest.raises(NotFound):
        desk.accounts.revoke_invitation(desk.ada, one.invitation_id)
    invited = [one for one in desk.audit.entries if one["action"] == "person:invited"][-1]
    revoked = [one for one in desk.audit.entries if one["action"] == "person:invitation_revoked"][-1]
    assert invited["about"]["invitation"] == revoked["about"]["invitation"]


def test_the_owner_decides_what_a_keys_texts_count_as_and_whose_memory_it_opens(desk):
    _, agents = desk.keys.create(desk.ada, "planner")
    _, app = desk.keys.create(desk.ada, "phone", channel=SourceKind.USER_TURN, shared=True)
    assert desk.keys.resolve(agents).channel is SourceKind.AGENT_TURN
    found = desk.keys.resolve(app)
    assert (found.agent, found.channel, found.scope) == ("phone", SourceKind.USER_TURN, desk.ada.scope)
    assert desk.audit.entries[-1]["about"] == {
        "key_id": found.key_id,
        "agent": "phone",
        "channel": "user_turn",
        "space": "console",
    }
    with pytest.raises(BadInput, match="name of its own"):
        desk.keys.create(desk.ada, "Console")


def test_a_key_that_asks_too_often_is_told_when_to_come_back(desk):
    for _ in range(3):
        desk.keys.admit("key:k", per_minute=60, burst=3)
    with pytest.raises(TooManyRequests, match="60 a minute") as refused:
        desk.keys.admit("key:k", per_minute=60, burst=3)
    assert (refused.value.retry_at - desk.clock.now()).total_seconds() == 1
    desk.clock.forward(seconds=1)
    desk.keys.admit("key:k", per_minute=60, burst=3)


def test_counts_that_nobody_needs_are_removed_once_an_hour(desk):
    chore = RequestCounts(store=desk.keys.store, clock=desk.clock)
    desk.keys.admit("public:a", per_minute=60, burst=3)
    assert not chore.run_once()
    desk.clock.forward(minutes=59)
    desk.keys.admit("public:b", per_minute=60, burst=3)
    assert not chore.run_once(), "not looked at again so soon"
    desk.clock.forward(minutes=2)
    assert chore.run_once()
    assert set(desk.keys.store._due) == {"public:b"}
    assert not chore.run_once()
