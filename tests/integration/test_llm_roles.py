"""Two keys, two chains, a counter (rules §7.1, §7.4)."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from core.errors import ModelReplyUnusable, ModelUnavailable
from core.llm.client import OpenAIChatModel
from core.llm.roles import CallCounter, ChatChain, LocalServer, build_roles, detect_local_servers
from core.ports import ChatMessage
from core.settings import Settings
from tests.model_server import Answer, ModelServer

HELLO = (ChatMessage(role="user", content="Hello"),)
SCHEMA = {"type": "object"}


def settings(tmp_path: Path, **values: object) -> Settings:
    return Settings(_env_file=None, chronomemory_data=tmp_path, model_deadline_seconds=2, **values)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_two_keys_two_models_and_sober_background_work(tmp_path: Path) -> None:
    with ModelServer(Answer(text="{}")) as server:
        roles = build_roles(
            settings(tmp_path, openai_base_url=server.base_url, openai_api_key="front", background_api_key="back")
        )
        assert roles.agent is not None
        assert roles.background is not None
        list(roles.agent.stream(HELLO))
        roles.background.complete_json(HELLO, SCHEMA)
        list(roles.background.stream(HELLO))
    agent, extractor, judge = server.chats
    assert (agent.key, agent.body["model"]) == ("front", "qwen3.6-plus")
    assert "temperature" not in agent.body
    assert "enable_thinking" not in agent.body
    for chat in (extractor, judge):
        assert (chat.key, chat.body["model"]) == ("back", "qwen3.6-flash")
        assert chat.body["temperature"] == 0
        assert chat.body["enable_thinking"] is False


def test_the_first_key_serves_both_when_there_is_no_second(tmp_path: Path) -> None:
    with ModelServer(Answer(text="{}")) as server:
        roles = build_roles(settings(tmp_path, openai_base_url=server.base_url, openai_api_key="front"))
        assert roles.background is not None
        roles.background.complete_json(HELLO, SCHEMA)
    assert server.chats[0].key == "front"


def test_a_key_is_never_sent_to_another_server_than_its_own(tmp_path: Path) -> None:
    with ModelServer() as front, ModelServer(Answer(text="{}")) as back:
        roles = build_roles(
            settings(
                tmp_path, openai_base_url=front.base_url, openai_api_key="front", background_base_url=back.base_url
            )
        )
        assert roles.background is not None
        roles.background.complete_json(HELLO, SCHEMA)
    assert front.chats == []
    assert "front" not in str(back.requests)


def test_without_a_key_and_an_address_there_is_no_model(tmp_path: Path) -> None:
    roles = build_roles(settings(tmp_path))
    assert roles.agent is None
    assert roles.background is None


def test_a_local_endpoint_needs_no_key(tmp_path: Path) -> None:
    roles = build_roles(settings(tmp_path, openai_base_url="http://127.0.0.1:9/v1"))
    assert roles.agent is not None
    assert roles.background is not None


def test_the_second_model_answers_when_the_first_is_down(tmp_path: Path) -> None:
    with ModelServer(Answer(status=404), Answer(text="from the second")) as server:
        roles = build_roles(
            settings(tmp_path, openai_base_url=server.base_url, openai_api_key="k", agent_model_fallback="second")
        )
        assert roles.agent is not None
        assert roles.agent.model_id == "qwen3.6-plus"
        assert "".join(roles.agent.stream(HELLO)).strip() == "from the second"
        assert roles.agent.model_id == "second"
    assert [chat.body["model"] for chat in server.chats] == ["qwen3.6-plus", "second"]


def chain(server: ModelServer) -> ChatChain:
    return ChatChain([OpenAIChatModel(model=name, base_url=server.base_url, deadline=2) for name in ("one", "two")])


def test_json_falls_back_too_but_a_wrong_reply_is_not_shopped_around() -> None:
    with ModelServer(Answer(status=401), Answer(text='{"a": 1}')) as server:
        assert chain(server).complete_json(HELLO, SCHEMA) == {"a": 1}
        server.script(Answer(text="nonsense"))
        with pytest.raises(ModelReplyUnusable):
            chain(server).complete_json(HELLO, SCHEMA)
    assert [chat.body["model"] for chat in server.chats] == ["one", "two", "one", "one"]


def test_all_down_is_unavailable() -> None:
    with ModelServer(Answer(status=401)) as server:
        with pytest.raises(ModelUnavailable, match="two"):
            chain(server).complete_json(HELLO, SCHEMA)
        with pytest.raises(ModelUnavailable, match="two"):
            list(chain(server).stream(HELLO))


def test_an_answer_that_broke_off_is_not_begun_again_by_the_second() -> None:
    with ModelServer(Answer(pieces=["a", "b"], cut_after=1)) as server:
        pieces = chain(server).stream(HELLO)
        assert next(pieces) == "a"
        with pytest.raises(ModelUnavailable, match="one: the answer broke off"):
            next(pieces)
    assert len(server.chats) == 1


def test_stop_reaches_through_the_chain() -> None:
    with ModelServer(Answer(hang=True)) as server:
        pieces = chain(server).stream(HELLO)
        stop = server.when_asked(pieces.close)
        assert list(pieces) == []
        assert server.left.wait(5)
        stop.join()
    assert len(server.chats) == 1


def test_closing_the_chain_closes_the_line_in_mid_answer() -> None:
    with ModelServer(Answer(pieces=["x"] * 100, pause=0.1)) as server:
        pieces = chain(server).stream(HELLO)
        assert [next(pieces), next(pieces)] == ["x", "x"]
        pieces.close()
        assert server.left.wait(5)


def test_a_chain_needs_a_model() -> None:
    with pytest.raises(ValueError, match="at least one model"):
        ChatChain([])


def test_the_counter_knows_the_fast_paths_share() -> None:
    counter = CallCounter()
    assert counter.fast_path_share() is None
    counter.count("extractor")
    counter.count("extractor", "qwen3.6-flash")
    counter.count("judge")
    counter.count("judge")
    assert counter.snapshot() == {("extractor", "rules"): 1, ("extractor", "qwen3.6-flash"): 1, ("judge", "rules"): 2}
    assert counter.fast_path_share() == 0.75
    assert counter.fast_path_share("extractor") == 0.5
    assert counter.fast_path_share("agent") is None


def test_local_servers_are_found_and_others_are_not() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = free.getsockname()[1]
        with ModelServer(models=("a", "b")) as server:
            found = detect_local_servers([("Here", server.port), ("Nowhere", nobody)], seconds=5)
            assert found == [LocalServer(name="Here", base_url=server.base_url, models=("a", "b"))]
