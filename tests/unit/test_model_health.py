"""What is noted of a model, and that it is called by nobody but an admin who asks."""

from __future__ import annotations

import pytest

from core.accounts import Accounts
from core.bootstrap import build_model_desk, watched_roles
from core.credentials import AccountLimits
from core.errors import BadInput, ModelUnavailable, NotAuthorised
from core.llm.roles import CallCounter, Roles
from core.model import Role
from core.settings import Settings
from tests.fakes_people import AuditLog, CountingIds, FakePeople, SetClock

PASSWORD = "correct horse battery"


class Model:
    model_id = "small-model"

    def __init__(self):
        self.down, self.calls = False, 0

    def stream(self, messages):
        self.calls += 1
        if self.down:
            raise ModelUnavailable("small-model did not answer (HTTP 503)")
        yield "ready"
        yield "never read"

    def complete_json(self, messages, schema):
        self.calls += 1
        if self.down:
            raise ModelUnavailable("small-model did not answer (HTTP 503)")
        return {}


@pytest.fixture
def parts():
    clock = SetClock()
    accounts = Accounts(
        people=FakePeople(), clock=clock, ids=CountingIds(), audit=AuditLog(), limits=AccountLimits(bcrypt_rounds=4)
    )
    accounts.create_first_admin(accounts.setup_token(), "ada", "Ada", PASSWORD)

    def sign_in(name):
        return accounts.resolve(accounts.sign_in(name, PASSWORD, "127.0.0.1", "tests")[1])

    ada = sign_in("ada")
    accounts.accept_invitation(accounts.invite(ada, Role.REVIEWER, "rita"), "rita", "Rita", PASSWORD)
    model, counter = Model(), CallCounter()
    settings = Settings(_env_file=None, openai_base_url="http://user:secret@127.0.0.1:9/v1", agent_model="small-model")
    roles = watched_roles(Roles(agent=model), clock)
    desk = build_model_desk(settings, accounts, roles, counter)
    return desk, model, roles, counter, clock, ada, sign_in("rita")


def test_nothing_is_called_to_look(parts):
    desk, model, _roles, counter, _clock, ada, _rita = parts
    counter.count("agent", "small-model")
    counter.count("agent")
    agent, extractor, judge = desk.roles(ada)
    assert model.calls == 0
    assert (agent.models, agent.endpoint, agent.done, agent.fallback_share) == (
        ("small-model",),
        "127.0.0.1:9/v1",
        2,
        0.5,
    )
    assert extractor.models == judge.models == ()
    assert extractor.fallback_share is None


def test_a_check_is_one_call_by_an_admin(parts):
    desk, model, _roles, _counter, clock, ada, rita = parts
    assert desk.check(ada, "agent") == "small-model"
    assert model.calls == 1
    assert desk.roles(ada)[0].last_answer_at == clock.now()
    with pytest.raises(NotAuthorised):
        desk.check(rita, "agent")
    with pytest.raises(BadInput):
        desk.check(ada, "judge")
    assert model.calls == 1


def test_trouble_is_noted_and_passed_on(parts):
    desk, model, roles, _counter, clock, ada, _rita = parts
    model.down = True
    with pytest.raises(ModelUnavailable):
        desk.check(ada, "agent")
    with pytest.raises(ModelUnavailable):
        roles.agent.complete_json([], {})
    found = desk.roles(ada)[0]
    assert (found.last_error, found.last_error_at) == ("small-model did not answer (HTTP 503)", clock.now())
    model.down = False
    assert roles.agent.complete_json([], {}) == {}
    assert list(roles.agent.stream([])) == ["ready", "never read"]
