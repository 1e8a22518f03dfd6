"""The client against the real interface over loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from core.client import BadRequest, Client, Conflict, KeyRefused, NotAllowed, NotFound
from core.entrypoints.http import Place, make_api
from core.model import SourceKind
from core.settings import Settings
from tests.api.conftest import Api
from tests.client.life import Reader
from tests.conftest import MakeConsole
from tests.loopback import Loopback

PAGE = "The museum's opening hours are 9 to 17. The user's employer is Contoso."


@pytest.fixture
def api(make_console: MakeConsole) -> Api:
    return Api(make_console())


@pytest.fixture
def address(api: Api) -> Iterator[str]:
    with Loopback(api.app) as served:
        yield served.url


def test_a_persons_app_remembers_recalls_and_learns_why(api: Api, address: str) -> None:
    with Reader(api), Client(address, api.key(agent="phone", channel=SourceKind.USER_TURN).token) as phone:
        stored = phone.remember("I am allergic to penicillin.", wait=60)
        assert (stored.stored, stored.processed, stored.counts_as) == (True, True, "user_turn")
        found = phone.recall("What am I allergic to?")
        assert not found.degraded
        [first, *_] = found
        assert "penicillin" in first.memory.text
        assert first.memory.id in stored.memories
        assert first.memory.stated_at.tzinfo is not None
        why = phone.why(first.memory.id)
        assert why.decision is not None
        assert (why.decision.by, why.memory.id) == ("policy", first.memory.id)
        asked = phone.ask("What am I allergic to?")
        assert asked.advice in {"act", "answer", "ask"}
        assert asked.hits[0].confidence is not None
        context = phone.context("May I take penicillin?", system="You are a nurse.")
        assert context.as_openai()[0]["content"].startswith("You are a nurse.")
        assert any("penicillin" in one["content"] for one in context.as_openai())
        own = phone.ancestry([stored.episode_id])
        assert (own.outside, own.trust) == (False, 1.0)
        assert phone.progress(stored.episode_id).memories == stored.memories
        assert {one.id for one in phone.profile().memories} <= set(stored.memories)
        assert phone.forget(first.memory.id, "said too much").done
        assert phone.recall("What am I allergic to?").texts == ()


def test_what_comes_from_outside_is_put_in_as_that_and_never_shown(api: Api, address: str) -> None:
    with Reader(api), Client(address, api.key().token) as planner:
        stored = planner.remember(PAGE, counts_as="page", source_ref="https://museum.example/hours")
        assert (stored.counts_as, stored.processed, stored.memories) == ("web_content", True, ())
        assert planner.ancestry([stored.episode_id]).outside
        assert planner.recall("When does the museum open?").texts == ()


def test_a_retry_of_one_text_stores_it_once(api: Api) -> None:
    lost = 0

    async def losing(scope, receive, send):
        """The answer to the first try is lost after the memory did its part."""
        nonlocal lost
        if scope["type"] != "http" or not scope["path"].endswith("/episodes") or lost:
            await api.app(scope, receive, send)
            return
        lost += 1

        async def nothing(_message):
            return None

        await api.app(scope, receive, nothing)
        await send({"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    with Loopback(losing) as served, Client(served.url, api.key().token) as planner:
        stored = planner.submit("The user likes tea.")
    assert (stored.stored, lost) == (True, 1)
    _, received = api.console.layer.ledger.audit(api.console.admin.tenant, action="episode:received")
    assert received == 1


def test_each_refusal_is_an_error_of_its_own_kind(api: Api, address: str) -> None:
    with Client(address, api.key().token, when_down="stateless") as planner:
        with pytest.raises(NotFound) as missing:
            planner.why("no-such-id")
        assert (missing.value.kind, missing.value.status, missing.value.retry) == ("NotFound", 404, False)
        with pytest.raises(BadRequest):
            planner.recall(" ")
        with pytest.raises(BadRequest):
            planner.recall("x", k=1000)
        planner.submit("The user likes tea.", idempotency_key="a")
        with pytest.raises(Conflict) as reused:
            planner.submit("The user likes coffee.", idempotency_key="a")
        assert reused.value.kind == "KeyReused"
    crawlers = api.key(agent="crawler", channel=SourceKind.WEB_CONTENT)
    with Client(address, crawlers.token) as crawler, pytest.raises(NotAllowed):
        crawler.submit(PAGE, counts_as="agent")
    for wrong in ("cmk_unknown", "schlüssel"):
        with pytest.raises(KeyRefused), Client(address, wrong, when_down="stateless") as stranger:
            stranger.recall("x")


def test_too_many_requests_wait_as_the_server_says(make_console: MakeConsole) -> None:
    limited = Api(make_console(), api_requests_per_minute=60, api_burst=1)
    waits: list[float] = []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        limited.console.clock.forward(seconds=2)

    with Loopback(limited.app) as served, Client(served.url, limited.key().token, pause=pause) as planner:
        for _ in range(3):
            planner.profile()
    assert waits
    assert all(1.0 <= one <= 1.25 for one in waits), "the server said 1 s"


def test_a_client_whose_memory_starts_late_waits_for_it(api: Api) -> None:
    layers = iter([None, None])
    place = Place(settings=Settings(_env_file=None), layer_of=lambda: next(layers, api.console.layer))
    waits: list[float] = []
    late = Starlette(routes=[Mount("/api", make_api(place))])
    with Loopback(late) as served, Client(served.url, api.key().token, pause=waits.append) as planner:
        assert planner.profile().total == 0
    assert len(waits) == 2
    assert all(one >= 3.0 for one in waits), "as the memory asked"


def test_importing_the_client_brings_nothing_heavy() -> None:
    program = "import sys, core.client; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "torch",
        "numpy",
        "pandas",
        "psycopg",
        "streamlit",
        "sentence_transformers",
        "pydantic",
        "fastapi",
        "openai",
    }
    assert heavy.isdisjoint(loaded)
    own = {name for name in loaded if name.startswith("core.") and not name.startswith("core.client")}
    assert own == {"core.errors"}
