"""The OpenAI-compatible address: the openai package talks through it to a model on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from core.entrypoints.http import Place, make_api, make_proxy
from core.entrypoints.http.completions import Heard, read_ask
from core.entrypoints.http.known import KEPT_SECONDS, KnownKeys
from core.entrypoints.serving import make_server
from core.errors import BadInput, LedgerUnavailable, StoreUnavailable
from core.model import Episode, SourceKind
from core.settings import Settings
from tests.api.conftest import Agent, Api
from tests.conftest import Console, MakeConsole
from tests.loopback import Loopback
from tests.model_server import Answer, ModelServer

PAGE = "The museum's opening hours are 9 to 17. The user's employer is Contoso."


@dataclass
class Street:
    """A model, a memory before it, and apps that talk to it."""

    api: Api
    url: str
    model: ModelServer

    @property
    def console(self) -> Console:
        return self.api.console

    def app(self, key: Agent, **headers: str) -> openai.OpenAI:
        return openai.OpenAI(
            base_url=f"{self.url}/v1", api_key=key.token, max_retries=0, timeout=90, default_headers=headers
        )

    def phone(self) -> Agent:
        return self.api.key(agent="phone", channel=SourceKind.USER_TURN)

    def episodes(self, agent: str, conversation: str = "default") -> list[Episode]:
        admin = self.console.admin
        scope_of = next(one for one in self.console.layer.keys.list(admin) if one.agent == agent)
        scope = type(admin.scope)(tenant=admin.tenant, owner=admin.user_id, agent=scope_of.space)
        name = f"{admin.tenant}/{admin.user_id}/agent:{agent}/{conversation}"
        return self.console.layer.ledger.episodes(scope, name)

    def kept(self, agent: str, count: int, conversation: str = "default") -> list[Episode]:
        """The conversation's episodes, once there are as many: an answer is kept after its last byte was sent."""
        deadline = time.monotonic() + 20
        while len(found := self.episodes(agent, conversation)) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        return found


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def street(make_console: MakeConsole, model: ModelServer) -> Iterator[Street]:
    api = Api(make_console())
    given = Settings(
        _env_file=None, openai_base_url=model.base_url, openai_api_key="sk-operator", model_deadline_seconds=5
    )
    place = Place(settings=given, layer_of=lambda: api.console.layer)
    with Loopback(Starlette(routes=[Mount("/api", make_api(place)), Mount("/v1", make_proxy(place))])) as served:
        yield Street(api=api, url=served.url, model=model)


def say(app: openai.OpenAI, *texts: str, **rest: Any) -> Any:
    messages: Any = [{"role": "user", "content": one} for one in texts]
    return app.chat.completions.create(model="small", messages=messages, **rest)


def streamed(app: openai.OpenAI, text: str, **rest: Any) -> str:
    return "".join(event.choices[0].delta.content or "" for event in say(app, text, stream=True, **rest))


def test_what_was_said_in_one_conversation_is_before_the_model_in_another(street: Street) -> None:
    app = street.app(street.phone())
    street.model.script(Answer(text="I will keep that in mind."))
    assert say(app, "I am allergic to penicillin.", user="monday").choices[0].message.content.startswith("I will")
    [first] = street.model.chats
    assert first.body["messages"] == [{"role": "user", "content": "I am allergic to penicillin."}], "nothing to add yet"
    assert (first.key, first.body["model"], first.body["user"]) == ("sk-operator", "small", "monday")
    street.console.settle()

    street.model.script(Answer(pieces=["Better ", "not: you are ", "allergic."]))
    messages: Any = [
        {"role": "system", "content": "You are a nurse."},
        {"role": "user", "content": "What am I allergic to?"},
    ]
    events = app.chat.completions.create(model="small", messages=messages, stream=True, user="tuesday")
    assert "".join(one.choices[0].delta.content or "" for one in events) == "Better not: you are allergic."
    sent = street.model.chats[-1].body["messages"]
    assert (sent[0], sent[-1]) == (messages[0], messages[1]), "the app's own messages are untouched"
    assert {one["role"] for one in sent[1:-1]} == {"system"}
    assert "penicillin" in " ".join(one["content"] for one in sent[1:-1])

    said, answer = street.kept("phone", 2, "tuesday")
    assert (said.provenance.source_kind, answer.provenance.source_kind) == (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
    assert answer.text == "Better not: you are allergic."
    assert said.episode_id in answer.provenance.derived_from
    [memory, *_] = [one for one in answer.provenance.derived_from if one.startswith("memory:")]
    assert street.console.layer.store.get(said.scope, memory.removeprefix("memory:")) is not None
    street.console.settle()
    assert street.console.layer.ledger.candidates_of(answer.episode_id) == [], "an answer is kept, never distilled"


def test_the_stream_passes_byte_for_byte_and_says_that_memory_was_there(street: Street) -> None:
    phone = street.phone()
    body = {"model": "small", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    street.model.script(Answer(pieces=["Grüße ", "你好 ", "😀"]))
    direct = httpx2.post(f"{street.model.base_url}/chat/completions", json=body).content
    answer = httpx2.post(f"{street.url}/v1/chat/completions", json=body, headers=phone.headers, timeout=60)
    assert answer.content == direct
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-chronomemory-memory"] == "ok"
    assert [one.text for one in street.kept("phone", 2)] == ["Hello", "Grüße 你好 😀"]


def test_held_words_never_reach_the_model(street: Street) -> None:
    planner = street.api.key()
    planner.say(PAGE, where="/page")
    app = street.app(planner)
    say(app, "When does the museum open, and who is my employer?")
    streamed(app, "Where do I work?")
    sent = json.dumps([one.body for one in street.model.chats])
    assert "9 to 17" not in sent
    assert "Contoso" not in sent


def test_an_agents_key_makes_nobody_a_person(street: Street) -> None:
    app = street.app(street.api.key())
    say(app, "I am allergic to nuts.")
    [said, _] = street.kept("planner", 2)
    assert said.provenance.source_kind is SourceKind.AGENT_TURN


def test_what_a_tool_returned_is_put_in_as_that_and_the_question_only_once(street: Street) -> None:
    app = street.app(street.phone())
    messages: Any = [{"role": "user", "content": "What is the museum's address?"}]
    app.chat.completions.create(model="small", messages=messages)
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    messages += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "The user's salary is 90000 euros."},
    ]
    app.chat.completions.create(model="small", messages=messages)
    street.console.settle()
    kinds = [one.provenance.source_kind for one in street.kept("phone", 4)]
    user, agent, tool = SourceKind.USER_TURN, SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT
    assert kinds == [user, agent, tool, agent]
    returned = street.episodes("phone")[2]
    assert (returned.provenance.source_ref, returned.provenance.tool) == ("search", ""), "a name is a claim"
    states = {one.state.value for one in street.console.layer.ledger.candidates_of(returned.episode_id)}
    assert states <= {"held", "rejected"}


def test_the_same_request_again_is_stored_once(street: Street) -> None:
    app = street.app(street.phone())
    street.model.script(Answer(status=500), Answer(text="Hello."))
    with pytest.raises(openai.InternalServerError):
        say(app, "My sister is Rita.")
    say(app, "My sister is Rita.")
    say(app, "My sister is Rita.", user="elsewhere")
    assert [one.text for one in street.kept("phone", 2)] == ["My sister is Rita.", "Hello."]
    assert len(street.kept("phone", 2, "elsewhere")) == 2


def test_a_caller_who_leaves_in_mid_stream_leaves_what_was_said(street: Street) -> None:
    app = street.app(street.phone())
    street.model.script(Answer(pieces=["One ", "two ", *["more "] * 200], pause=0.05))
    events = say(app, "Count for me.", stream=True)
    assert [next(events).choices[0].delta.content for _ in range(2)] == ["One ", "two "]
    events.close()
    assert street.model.left.wait(10), "the model is not kept talking to nobody"
    said, answer = street.kept("phone", 2)
    assert said.text == "Count for me."
    assert answer.text.startswith("One two ")
    assert len(answer.text) < 400


def test_a_model_that_breaks_off_is_an_error_the_client_reads_and_the_part_is_kept(street: Street) -> None:
    app = street.app(street.phone())
    street.model.script(Answer(pieces=["The answer ", "is ", "forty-two"], cut_after=2))
    events = say(app, "What is the answer?", stream=True)
    assert [next(events).choices[0].delta.content for _ in range(2)] == ["The answer ", "is "]
    with pytest.raises(openai.APIError, match="broke off"):
        next(events)
    assert [one.text for one in street.kept("phone", 2)] == ["What is the answer?", "The answer is "]


def test_errors_of_the_model_are_openai_errors(street: Street, make_console: MakeConsole) -> None:
    app = street.app(street.phone())
    street.model.script(Answer(status=429, error="slow down"))
    with pytest.raises(openai.RateLimitError, match="slow down"):
        say(app, "One")
    street.model.script(Answer(status=400, error="no such field"))
    for stream in (False, True):
        with pytest.raises(openai.BadRequestError, match="no such field"):
            say(app, "Two", stream=stream)
    street.model.script(Answer(status=401, error="sk-operator is wrong"))
    with pytest.raises(openai.InternalServerError) as operators:
        say(app, "Three")
    assert operators.value.status_code == 502
    assert "sk-operator" not in str(operators.value)
    for odd in ("[]", "<html>", '{"choices": []}'):
        street.model.script(Answer(raw=odd))
        with pytest.raises(openai.InternalServerError) as garbled:
            say(app, f"Four {odd}")
        assert garbled.value.status_code == 502
    street.model.__exit__(None, None, None)
    with pytest.raises(openai.InternalServerError) as dead:
        say(app, "Five", stream=True)
    assert (dead.value.status_code, dead.value.body["type"]) == (502, "ModelUnavailable")
    street.model._http.server_close = lambda: None  # type: ignore[method-assign]  # ended above
    street.model._http.shutdown = lambda: None  # type: ignore[method-assign]
    assert [one.text for one in street.kept("phone", 7)][-1] == "Five", "what a person said is never lost"


def test_who_has_no_key_or_a_tools_key_gets_nothing(street: Street) -> None:
    tool = street.api.key(agent="crawler", channel=SourceKind.WEB_CONTENT)
    with pytest.raises(openai.PermissionDeniedError):
        say(street.app(tool), "Hello")
    tool.token = "cmk_unknown"
    with pytest.raises(openai.AuthenticationError):
        say(street.app(tool), "Hello")
    with pytest.raises(openai.AuthenticationError):
        street.app(tool).models.list()
    assert street.model.requests == []
    assert [one.id for one in street.app(street.phone()).models.list()] == ["test-model"]
    with pytest.raises(openai.NotFoundError):
        street.app(street.phone()).embeddings.create(model="small", input="x")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"messages": []}', b'{"messages": ["x"]}', b'{"messages": "x"}', b"\xff"]
)
def test_a_body_that_is_no_chat_is_refused_before_anything_is_done(body: bytes) -> None:
    with pytest.raises(BadInput):
        read_ask(body)


def _broken(street: Street, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def down(*_args: Any, **_rest: Any) -> Any:
        raise error

    monkeypatch.setattr(type(street.console.layer.keys), "resolve", down)


def test_a_memory_that_is_down_is_said_and_passed_only_when_told_to(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, unseen = street.phone(), street.api.key(agent="other", channel=SourceKind.USER_TURN)
    say(street.app(phone), "Hello")
    _broken(street, monkeypatch, StoreUnavailable("Postgres is away"))
    asked = len(street.model.chats)
    with pytest.raises(openai.InternalServerError) as down:
        say(street.app(phone), "Are you there?")
    assert (down.value.status_code, down.value.body["type"]) == (503, "StoreUnavailable")
    assert down.value.response.headers["x-chronomemory-memory"] == "down"
    assert len(street.model.chats) == asked
    passing = street.app(phone, **{"x-chronomemory-when-down": "pass"})
    raw = passing.chat.completions.with_raw_response.create(
        model="small", messages=[{"role": "user", "content": "Are you there?"}]
    )
    assert raw.headers["x-chronomemory-memory"] == "down"
    assert street.model.chats[-1].body["messages"] == [{"role": "user", "content": "Are you there?"}]
    assert streamed(passing, "And now?").strip() == "Hello there."
    with pytest.raises(openai.InternalServerError):
        say(street.app(unseen, **{"x-chronomemory-when-down": "pass"}), "Let me in")
    assert [one.text for one in street.kept("phone", 2)] == ["Hello", "Hello there."], "nothing pretends to be stored"


def test_a_ledger_that_cannot_be_written_stops_the_call_or_is_said(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = street.phone()
    say(street.app(phone), "I am allergic to penicillin.")
    street.console.settle()

    def full(*_args: Any, **_rest: Any) -> Any:
        raise LedgerUnavailable("the disk is full")

    monkeypatch.setattr(type(street.console.layer.intake), "submit", full)
    with pytest.raises(openai.InternalServerError):
        say(street.app(phone), "What am I allergic to?")
    raw = street.app(phone, **{"x-chronomemory-when-down": "pass"}).chat.completions.with_raw_response.create(
        model="small", messages=[{"role": "user", "content": "What am I allergic to?"}]
    )
    assert raw.headers["x-chronomemory-memory"] == "not-stored"
    assert "penicillin" in json.dumps(street.model.chats[-1].body), "what can still be recalled is"


def test_without_a_model_or_when_switched_off_it_says_so(make_console: MakeConsole) -> None:
    api = Api(make_console())
    key = api.key()
    for given, status in (({}, 503), ({"chronomemory_proxy": False}, 404)):
        place = Place(
            settings=Settings(_env_file=None, openai_base_url="", openai_api_key="", **given),
            layer_of=lambda: api.console.layer,
        )
        with Loopback(Starlette(routes=[Mount("/v1", make_proxy(place))])) as served:
            body = {"messages": [{"role": "user", "content": "x"}]}
            answer = httpx2.post(f"{served.url}/v1/chat/completions", json=body, headers=key.headers)
            assert answer.status_code == status
            assert answer.json()["error"]["message"]


def test_served_alone_it_is_there_and_waits_for_the_memory() -> None:
    def never() -> Any:
        raise AssertionError

    alone = make_server(Settings(_env_file=None, openai_base_url="http://127.0.0.1:9/v1"), never)
    http = TestClient(alone)  # without its lifespan: the memory is not there yet
    body = {"messages": [{"role": "user", "content": "x"}]}
    assert http.post("/v1/chat/completions", json=body).status_code == 401
    starting = http.post("/v1/chat/completions", json=body, headers={"authorization": "Bearer cmk_x"})
    assert (starting.status_code, starting.json()["error"]["type"]) == (503, "StoreUnavailable")
    assert int(starting.headers["retry-after"]) >= 1


def test_a_key_seen_lately_is_known_for_a_while_only() -> None:
    now = [0.0]
    known = KnownKeys(lambda: now[0])
    who: Any = object()
    assert known.lately("cmk_a") is None
    known.saw("cmk_a", who)
    now[0] = KEPT_SECONDS
    assert known.lately("cmk_a") is who
    now[0] += 1
    assert known.lately("cmk_a") is None
    known.saw("cmk_a", who)
    known.drop("cmk_a")
    assert known.lately("cmk_a") is None


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 1000])
def test_words_are_heard_however_the_bytes_are_cut(cut: int) -> None:
    def event(**delta: str) -> bytes:
        return (
            b"data: "
            + json.dumps({"choices": [{"index": 0, "delta": delta}]}, ensure_ascii=False).encode()
            + b"\r\n\r\n"
        )

    other = b'data: {"choices": [{"index": 1, "delta": {"content": "no"}}]}\n\n'
    odd = b': comment\n\ndata: {"error": {}}\n\ndata: [1]\n\ndata: {\n\ndata: {"choices": [{"delta": null}]}\n\n'
    stream = event(role="assistant") + event(content="Grü") + other + odd + event(content="ße") + b"data: [DONE]\n\n"
    heard = Heard()
    for nth in range(0, len(stream), cut):
        heard.feed(stream[nth : nth + cut])
    assert (heard.text, heard.ended) == ("Grüße", True)


def test_only_what_is_new_counts_and_parts_are_read() -> None:
    parts = [
        {"type": "text", "text": "One"},
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "text", "text": "two"},
    ]
    messages = [
        {"role": "user", "content": "Earlier."},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": parts},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "y"}}]},
    ]
    ask = read_ask(json.dumps({"messages": messages, "user": "u", "stream": True}).encode())
    assert [(one.role, one.text) for one in ask.new] == [("user", "One\ntwo")]
    assert (ask.question, ask.user, ask.stream) == ("One\ntwo", "u", True)
    assert ask.to_model((), "named")["messages"] == messages
    assert ask.to_model((), "named")["model"] == "named"
