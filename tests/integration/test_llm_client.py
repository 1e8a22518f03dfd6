"""The client against a real HTTP server on loopback that misbehaves on request."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from core.errors import Misconfigured, ModelReplyUnusable, ModelUnavailable
from core.llm import client as client_module
from core.llm.client import OpenAIChatModel, is_loopback
from core.ports import ChatMessage
from tests.model_server import Answer, ModelServer

HELLO = (ChatMessage(role="system", content="Be brief.", cache=True), ChatMessage(role="user", content="Hello"))
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
GOOD = Answer(text='{"n": 1}')


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def model(server: ModelServer, **options: object) -> OpenAIChatModel:
    return OpenAIChatModel(**{"model": "m", "api_key": "k-1", "base_url": server.base_url, "deadline": 5.0, **options})


def test_streams_pieces_with_the_head_marked_for_caching(server: ModelServer) -> None:
    server.script(Answer(pieces=["Hel", "lo ", "there"]))
    assert list(model(server).stream(HELLO)) == ["Hel", "lo ", "there"]
    (chat,) = server.chats
    assert chat.key == "k-1"
    assert chat.body == {
        "model": "m",
        "stream": True,
        "messages": [
            {
                "role": "system",
                "content": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            },
            {"role": "user", "content": "Hello"},
        ],
    }


def test_pieces_arrive_while_the_answer_is_being_written(server: ModelServer) -> None:
    server.script(Answer(pieces=["a", "b", "c"], pause=1.0))
    began = time.monotonic()
    pieces = model(server).stream(HELLO)
    assert next(pieces) == "a"
    assert time.monotonic() - began < 1.8
    assert list(pieces) == ["b", "c"]


def test_json_is_asked_for_at_temperature_zero_with_thinking_off(server: ModelServer) -> None:
    server.script(GOOD)
    assert model(server, temperature=0.9).complete_json(HELLO, SCHEMA) == {"n": 1}
    (chat,) = server.chats
    assert chat.body["temperature"] == 0
    assert chat.body["enable_thinking"] is False
    assert chat.body["response_format"]["json_schema"] == {"name": "reply", "strict": True, "schema": SCHEMA}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server: ModelServer, status: int) -> None:
    server.script(Answer(status=status), Answer(status=status), GOOD)
    assert model(server).complete_json(HELLO, SCHEMA) == {"n": 1}
    assert len(server.chats) == 3


def test_retry_after_is_honoured(server: ModelServer) -> None:
    server.script(Answer(status=429, headers={"Retry-After": "1"}), Answer(text="fine"))
    began = time.monotonic()
    assert "".join(model(server).stream(HELLO)).strip() == "fine"
    assert time.monotonic() - began >= 1.0


def test_a_retry_after_date_counts_from_the_servers_own_clock(server: ModelServer) -> None:
    headers = {"Date": "Mon, 01 Jan 2001 00:00:00 GMT", "Retry-After": "Mon, 01 Jan 2001 00:00:01 GMT"}
    server.script(Answer(status=503, headers=headers), GOOD)
    began = time.monotonic()
    assert model(server).complete_json(HELLO, SCHEMA) == {"n": 1}
    assert time.monotonic() - began >= 0.9


def test_a_wait_beyond_the_deadline_is_not_waited_for(server: ModelServer) -> None:
    server.script(Answer(status=429, headers={"Retry-After": "60"}))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"m: no answer within 5 s \(HTTP 429\)"):
        model(server).complete_json(HELLO, SCHEMA)
    assert time.monotonic() - began < 2
    assert len(server.chats) == 1


def test_a_hanging_server_costs_the_deadline_and_no_more(server: ModelServer) -> None:
    server.script(Answer(hang=True))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="no answer within 1 s"):
        model(server, deadline=1.0).complete_json(HELLO, SCHEMA)
    assert 0.9 < time.monotonic() - began < 4


def test_comments_that_keep_the_line_open_do_not_stretch_the_deadline(server: ModelServer) -> None:
    server.script(Answer(comments=True))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        list(model(server, deadline=1.0).stream(HELLO))
    assert time.monotonic() - began < 4


def test_a_long_answer_may_take_longer_than_the_deadline(server: ModelServer) -> None:
    server.script(Answer(pieces=list("abcdef"), pause=0.3))
    assert "".join(model(server, deadline=1.0).stream(HELLO)) == "abcdef"


def test_a_hung_connection_leaves_time_for_a_second(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "_ATTEMPT_FLOOR", 0.1)
    server.script(Answer(hang=True), GOOD)
    assert model(server, deadline=3.0).complete_json(HELLO, SCHEMA) == {"n": 1}


def test_nobody_listening_is_unavailable() -> None:
    with ModelServer() as gone:
        url = gone.base_url
    with pytest.raises(ModelUnavailable, match="m: no answer within 1 s"):
        OpenAIChatModel(model="m", base_url=url, deadline=1.0).complete_json(HELLO, SCHEMA)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_or_model_is_not_retried_and_not_quoted(server: ModelServer, status: int) -> None:
    server.script(Answer(status=status, error="you sent: secret words, key k-1"))
    with pytest.raises(ModelUnavailable) as caught:
        list(model(server).stream(HELLO))
    assert (
        str(caught.value) == f"m: the endpoint refused the request (HTTP {status}): check key, model name and address"
    )
    assert len(server.chats) == 1


def test_closing_the_stream_closes_the_connection_at_once(server: ModelServer) -> None:
    server.script(Answer(pieces=["x"] * 100, pause=0.1))
    pieces = model(server).stream(HELLO)
    assert next(pieces) == "x"
    pieces.close()
    assert server.left.wait(5)
    assert list(pieces) == []


def test_leaving_the_with_block_closes_the_connection(server: ModelServer) -> None:
    server.script(Answer(pieces=["x"] * 100, pause=0.1))
    with model(server).stream(HELLO) as pieces:
        assert next(pieces) == "x"
    assert server.left.wait(5)


def test_stop_from_another_thread_wakes_a_reader_that_waits_for_the_first_piece(server: ModelServer) -> None:
    server.script(Answer(hang=True))
    pieces = model(server, deadline=20.0).stream(HELLO)
    stop = server.when_asked(pieces.close)
    began = time.monotonic()
    assert list(pieces) == []
    assert time.monotonic() - began < 5
    assert server.left.wait(5)
    stop.join()
    assert len(server.chats) == 1


def test_stop_before_the_first_piece_sends_nothing(server: ModelServer) -> None:
    pieces = model(server).stream(HELLO)
    pieces.close()
    assert list(pieces) == []
    assert server.chats == []


def test_stop_ends_the_wait_between_retries(server: ModelServer) -> None:
    server.script(Answer(status=429, headers={"Retry-After": "15"}))
    pieces = model(server, deadline=20.0).stream(HELLO)
    stop = server.when_asked(pieces.close)
    began = time.monotonic()
    assert list(pieces) == []
    assert time.monotonic() - began < 5
    stop.join()


def test_a_stream_is_retried_before_the_first_piece_only(server: ModelServer) -> None:
    server.script(Answer(status=500), Answer(pieces=["a", "b", "c"], cut_after=2))
    pieces = model(server).stream(HELLO)
    got = [next(pieces), next(pieces)]
    with pytest.raises(ModelUnavailable, match="m: the answer broke off"):
        next(pieces)
    assert got == ["a", "b"]
    assert len(server.chats) == 2


def test_an_empty_answer_is_no_answer(server: ModelServer) -> None:
    server.script(Answer(pieces=["", " "]))
    with pytest.raises(ModelUnavailable, match="the answer was empty"):
        list(model(server).stream(HELLO))


@pytest.mark.parametrize("bad", ["no json here", '{"n": "one"}', '{"n": 1', ""])
def test_a_wrong_reply_is_sent_back_once(server: ModelServer, bad: str) -> None:
    server.script(Answer(text=bad), GOOD)
    assert model(server).complete_json(HELLO, SCHEMA) == {"n": 1}
    first, second = server.chats
    told = second.body["messages"][len(first.body["messages"]) :]
    assert [message["role"] for message in told] == (["assistant", "user"] if bad else ["user"])
    assert told[-1]["content"].startswith("That reply cannot be used: ")


def test_twice_wrong_is_unusable(server: ModelServer) -> None:
    server.script(Answer(text="nonsense"))
    with pytest.raises(ModelReplyUnusable):
        model(server).complete_json(HELLO, SCHEMA)
    assert len(server.chats) == 2


def test_a_body_that_is_no_completion_is_retried(server: ModelServer) -> None:
    server.script(Answer(raw="<html>"), Answer(raw='"text"'), GOOD)
    assert model(server).complete_json(HELLO, SCHEMA) == {"n": 1}
    assert len(server.chats) == 3


@pytest.mark.parametrize(
    ("refuse", "requests"),
    [
        (("enable_thinking",), 2),
        (("json_schema",), 2),
        (("json_schema", "json_object"), 4),
        (("list content",), 2),
        (("temperature",), 2),
        (("json_schema", "json_object", "list content", "enable_thinking", "temperature"), 7),
    ],
)
def test_refused_extras_are_left_out_and_remembered(
    server: ModelServer, refuse: tuple[str, ...], requests: int
) -> None:
    server.script(Answer(text='{"n": 1}', refuse=refuse))
    asking = model(server)
    assert asking.complete_json(HELLO, SCHEMA) == {"n": 1}
    assert len(server.chats) == requests
    assert asking.complete_json(HELLO, SCHEMA) == {"n": 1}
    assert len(server.chats) == requests + 1


def test_list_content_refused_while_streaming(server: ModelServer) -> None:
    server.script(Answer(text="fine", refuse=("list content",)))
    assert "".join(model(server).stream(HELLO)).strip() == "fine"
    assert server.chats[-1].body["messages"][0]["content"] == "Be brief."


def test_a_server_that_breaks_on_list_content_after_its_status_is_spoken_to_plainly(server: ModelServer) -> None:
    server.script(Answer(cut_after=0, pieces=["x"]), Answer(text="fine"))
    asking = model(server)
    assert "".join(asking.stream(HELLO)).strip() == "fine"
    assert "".join(asking.stream(HELLO)).strip() == "fine"
    contents = [chat.body["messages"][0]["content"] for chat in server.chats]
    assert [type(content) for content in contents] == [list, str, str]


def test_an_error_inside_the_stream_before_the_first_piece_is_retried(server: ModelServer) -> None:
    server.script(Answer(stream_error="overloaded"), Answer(text="fine"))
    assert "".join(model(server).stream(HELLO)).strip() == "fine"


def test_model_requests_can_be_forbidden_except_to_loopback(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "ALLOW_MODEL_REQUESTS", False)
    assert list(model(server).stream(HELLO))
    away = OpenAIChatModel(model="m", base_url="https://models.example/v1")
    with pytest.raises(Misconfigured):
        away.stream(HELLO)
    with pytest.raises(Misconfigured):
        away.complete_json(HELLO, SCHEMA)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://localhost/v1", True),
        ("http://localhost.example/v1", False),
        ("http://10.0.0.1/v1", False),
        ("https://127.0.0.1.example/v1", False),
        ("", False),
    ],
)
def test_loopback(url: str, local: object) -> None:
    assert is_loopback(url) is local


def test_calls_may_run_side_by_side(server: ModelServer) -> None:
    server.script(Answer(text='{"n": 1}', delay=0.2))
    shared = model(server)
    got: list[object] = []
    threads = [threading.Thread(target=lambda: got.append(shared.complete_json(HELLO, SCHEMA))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [{"n": 1}] * 4


def test_no_thread_is_left_behind(server: ModelServer) -> None:
    list(model(server).stream(HELLO))
    half = model(server).stream(HELLO)
    next(half)
    half.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "model-deadline"]
