"""The client when the memory is dead, slow, or something else answers in its place."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

from core.client import BadRequest, Client, Garbled, MemoryDown, NotFound
from tests.loopback import dead_port


class Odd:
    """A server that answers as it is told: (status, headers, body, seconds before each of the body's bytes)."""

    def __init__(self, status: int = 200, body: bytes = b"{}", drip: float = 0.0, **headers: str) -> None:
        odd = self
        self.status, self.body, self.drip, self.headers = status, body, drip, headers
        self.seen: list[dict[str, Any]] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                """Stay silent."""

            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers.get("content-length", "0")))
                odd.seen.append({"key": self.headers.get("idempotency-key"), "body": json.loads(sent or b"{}")})
                self.send_response(odd.status)
                for name, value in odd.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("content-length", str(len(odd.body)))
                self.end_headers()
                try:
                    if not odd.drip:
                        self.wfile.write(odd.body)
                        return
                    for nth in range(len(odd.body)):
                        time.sleep(odd.drip)
                        self.wfile.write(odd.body[nth : nth + 1])
                        self.wfile.flush()
                except OSError:
                    self.close_connection = True

            do_GET = do_POST  # noqa: N815 - the base class's name

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


Quick = Callable[..., Client]


@pytest.fixture
def quick() -> Iterator[Quick]:
    """Makes clients that wait for nothing; closes them."""
    made: list[Client] = []

    def make(url: str, *, pause: Callable[[float], object] = lambda _seconds: None, **rest: Any) -> Client:
        made.append(Client(url, "cmk_x", pause=pause, **rest))
        return made[-1]

    yield make
    for client in made:
        client.close()


STORED = json.dumps(
    {"episode_id": "e1", "conversation": "default", "counts_as": "agent_turn", "received_at": "2026-01-01T00:00:00Z"}
).encode()


def test_a_dead_memory_is_an_error_that_says_to_try_again(quick: Quick) -> None:
    waits: list[float] = []
    client = quick(f"http://127.0.0.1:{dead_port()}", retries=4, pause=waits.append)
    with pytest.raises(MemoryDown) as down:
        client.recall("x")
    assert (down.value.retry, down.value.status, len(waits)) == (True, 0, 4)
    assert waits == sorted(waits), "it waits longer each time"
    assert sum(waits) < 10


def test_told_to_it_goes_on_without_memory_and_says_so(quick: Quick) -> None:
    client = quick(f"http://127.0.0.1:{dead_port()}", when_down="stateless", pending=2)
    found = client.recall("What am I allergic to?")
    assert (found.degraded, found.texts) == (True, ())
    assert found.reason
    assert client.ask("x").advice == "ask"
    ancestry = client.ancestry(["e1"])
    assert (ancestry.outside, ancestry.degraded) == (True, True), "nobody acts on what nobody can look at"
    assert [one.content for one in client.context("x", system="Be kind.").messages] == ["Be kind."]
    assert client.profile().degraded
    assert not client.forget("m1", "wrong").done
    puts = [client.submit(f"Note {nth}.") for nth in range(3)]
    assert not any(one.stored for one in puts)
    assert [one.pending for one in puts] == [True, True, False], "the queue is bounded"
    assert (client.pending, client.flush()) == (2, 2)
    assert not client.remember("x").stored
    with pytest.raises(MemoryDown):
        client.why("m1")


def test_what_waited_is_sent_in_order_and_once_when_the_memory_is_back(quick: Quick) -> None:
    with Odd(status=503) as memory:
        client = quick(memory.url, when_down="stateless", retries=0)
        assert [client.submit(text).pending for text in ("One.", "Two.")] == [True, True]
        [first] = memory.seen
        memory.status, memory.body = 202, STORED
        assert client.flush() == 0
        sent = [one["body"]["text"] for one in memory.seen[1:]]
        assert sent == ["One.", "Two."]
        assert memory.seen[1]["key"] == first["key"], "the memory may have stored it the first time"
        assert len({one["key"] for one in memory.seen[1:]}) == 2
        third = client.submit("Three.")
        assert (third.stored, third.episode_id, client.pending) == (True, "e1", 0)


def test_a_text_that_waited_and_is_refused_blocks_nothing(quick: Quick) -> None:
    with Odd(status=503) as memory:
        client = quick(memory.url, when_down="stateless", retries=0)
        client.submit("One.")
        memory.status, memory.body = 422, b'{"type": "BadInput", "detail": "no", "retry": false}'
        assert client.flush() == 0


def test_a_memory_that_was_down_is_left_alone_for_a_moment(quick: Quick) -> None:
    with Odd(status=503) as memory:
        client = quick(memory.url, when_down="stateless", retries=1)
        for _ in range(5):
            assert client.recall("x").degraded
        assert len(memory.seen) == 2, "one call and its retry"


@pytest.mark.parametrize("drip", [0.4, 0.05])
def test_a_slow_memory_is_given_up_in_time(quick: Quick, drip: float) -> None:
    """0.4 s is over the time of one read; 0.05 s a byte never is, and the whole would take four seconds."""
    with Odd(body=b'{"hits": []}' + b" " * 80, drip=drip) as memory:
        begun = time.monotonic()
        with pytest.raises(MemoryDown):
            quick(memory.url, timeout=0.3, retries=0).recall("x")
        assert time.monotonic() - begun < 2
        assert quick(memory.url, timeout=0.3, retries=0, when_down="stateless").recall("x").degraded


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"[]",
        b"null",
        b'"x"',
        b'{"hits": 3}',
        b'{"hits": [1]}',
        b'{"hits": [{"memory": {"id": "m"}}]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_answer_of_the_memory_is_garbled_and_never_a_hit(quick: Quick, body: bytes) -> None:
    with Odd(body=body) as memory:
        with pytest.raises(Garbled):
            quick(memory.url).recall("x")
        found = quick(memory.url, when_down="stateless").recall("x")
        assert (found.degraded, found.hits) == (True, ())


@pytest.mark.parametrize("name", ["e1", 7, None])
def test_an_episode_without_its_id_was_not_stored(quick: Quick, name: Any) -> None:
    body = json.dumps({"episode_id": name, "counts_as": 3}).encode()
    with Odd(status=202, body=body) as memory, pytest.raises(Garbled):
        quick(memory.url).submit("x")


def test_a_redirect_is_not_followed_with_the_key(quick: Quick) -> None:
    with Odd() as other, Odd(status=307, location=other.url) as memory:
        with pytest.raises(Garbled):
            quick(memory.url).recall("x")
        assert other.seen == []


def test_a_long_wait_is_not_waited_and_5xx_and_odd_problems_are_typed(quick: Quick) -> None:
    waits: list[float] = []
    with Odd(status=503, retry_after="3600") as memory:
        with pytest.raises(MemoryDown) as down:
            quick(memory.url, pause=waits.append).recall("x")
        assert (down.value.retry_after, waits) == (3600.0, [])
    with Odd(status=500, body=b"boom") as memory:
        with pytest.raises(MemoryDown) as fault:
            quick(memory.url).recall("x")
        assert (fault.value.retry, len(memory.seen)) == (False, 1)
    for body in (b'{"detail": 7}', b"[]", b"\xff", b'{"type": null, "detail": null}'):
        with Odd(status=404, body=body) as memory, pytest.raises(NotFound):
            quick(memory.url).recall("x")


@pytest.mark.parametrize("address", ["", "127.0.0.1:1", "ftp://127.0.0.1", "http://"])
def test_an_address_that_is_none_is_the_callers_mistake_even_without_state(quick: Quick, address: str) -> None:
    with pytest.raises(BadRequest):
        quick(address, when_down="stateless")
