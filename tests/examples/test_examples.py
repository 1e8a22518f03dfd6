"""Every example as a program of its own, against a memory on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from core.entrypoints.http import Place, make_api, make_proxy
from core.model import SourceKind
from core.settings import Settings
from tests.api.conftest import Api
from tests.client.life import Reader
from tests.conftest import MakeConsole
from tests.loopback import Loopback, dead_port
from tests.model_server import Answer, ModelServer

ROOT = Path(__file__).resolve().parents[2]


def run(name: str, *arguments: str, **environment: str) -> list[str]:
    """The lines that an example prints."""
    known = {key: value for key, value in os.environ.items() if not key.startswith(("OPENAI", "CHRONOMEMORY"))}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), *arguments],
        cwd=ROOT,
        env={**known, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def api(make_console: MakeConsole) -> Api:
    return Api(make_console())


@pytest.fixture
def address(api: Api, model: ModelServer) -> Iterator[str]:
    given = Settings(_env_file=None, openai_base_url=model.base_url, openai_api_key="sk-operator")
    place = Place(settings=given, layer_of=lambda: api.console.layer)
    app = Starlette(routes=[Mount("/api", make_api(place)), Mount("/v1", make_proxy(place))])
    with Loopback(app) as served, Reader(api):
        yield served.url


def test_an_agent_in_20_lines(api: Api, address: str) -> None:
    key = api.key(agent="phone", channel=SourceKind.USER_TURN).token
    given = {"CHRONOMEMORY_URL": address, "CHRONOMEMORY_KEY": key}
    name = "agent_in_20_lines.py"
    api.console.layer.agents.recall(api.console.layer.keys.resolve(key), "warm")  # loads the embedding model
    [unsure] = run(name, "What am I allergic to?", **given)
    assert unsure.startswith("I am not sure.")
    assert run(name, "I am allergic to penicillin.", **given) == ["Noted."]
    api.console.settle()
    [answer] = run(name, "What am I allergic to?", **given)
    assert "penicillin" in answer
    assert "you told me on" in answer
    down = given | {"CHRONOMEMORY_URL": f"http://127.0.0.1:{dead_port()}"}
    assert run(name, "I like tea.", **down) == ["The memory is down; I will note it later."]
    lines = (ROOT / "examples" / name).read_text().split('"""')[2].strip().splitlines()
    assert len(lines) <= 20, "it says how long it is"


def test_an_openai_client_through_the_proxy(api: Api, address: str, model: ModelServer) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    model.script(Answer(text="To penicillin, you told me."))
    given = {"CHRONOMEMORY_URL": address, "CHRONOMEMORY_KEY": phone.token}
    assert run("openai_proxy.py", "What am I allergic to?", **given) == ["memory: ok", "To penicillin, you told me. "]
    sent = model.chats[-1].body["messages"]
    assert "penicillin" in " ".join(one["content"] for one in sent[1:-1])


def test_a_langgraph_agent(api: Api, address: str) -> None:
    given = {"CHRONOMEMORY_URL": address, "CHRONOMEMORY_KEY": api.key().token}
    apples, order = run("langgraph_store.py", **given)
    assert apples == "Twelve apple trees stand in the garden. -> given back"
    assert order.endswith("-> held for its owner to look at")


def test_two_people_never_see_each_other(api: Api, address: str) -> None:
    ben = api.member("ben")
    keys = [api.key(who, agent="phone", channel=SourceKind.USER_TURN).token for who in (api.console.admin, ben)]
    lines = run("two_users.py", CHRONOMEMORY_URL=address, ADAS_KEY=keys[0], BENS_KEY=keys[1])
    assert len(lines) == 4
    assert "Rita" in lines[0]
    assert "Olga" not in lines[0]
    assert "Olga" in lines[1]
    assert "Rita" not in lines[1]
    assert lines[2] == "Ben's agent about Ada's memory: There is no such memory."
    assert lines[3] == "Ben's agent may act on it: no"
