"""An OpenAI-compatible server for tests: real HTTP on a loopback port, scripted answers, every request on record."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One scripted answer to a chat request.

    `delay`: seconds before the first byte; `pause`: seconds between streamed pieces; `hang`: say nothing until the client
    leaves; `cut_after`: drop the connection after that many streamed pieces; `raw`: a body that is no completion;
    `refuse`: fields of the request that get a 400 naming them ("list content" stands for content given as parts).
    """

    text: str = "Hello there."
    pieces: Sequence[str] | None = None  # of the stream; None: the text's words
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "scripted failure"
    delay: float = 0.0
    pause: float = 0.0
    hang: bool = False
    comments: bool = False  # SSE comments for ever in place of pieces
    cut_after: int | None = None
    stream_error: str = ""  # an error event in place of pieces
    raw: str | None = None
    refuse: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]

    @property
    def key(self) -> str:
        """The API key it came with."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


class ModelServer:
    """Context manager: serves on 127.0.0.1; the last scripted answer is repeated."""

    def __init__(self, *answers: Answer, models: Sequence[str] = ("test-model",), dimensions: int = 8) -> None:
        self._answers = list(answers) or [Answer()]
        self._lock = threading.Lock()
        self.models = tuple(models)
        self.dimensions = dimensions
        self.requests: list[Recorded] = []
        self.asked = threading.Event()  # a request arrived
        self.left = threading.Event()  # a client closed its connection before the answer ended
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = False
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, name="model-server"
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()  # joins the request threads
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[Recorded]:
        """The chat requests, in order."""
        with self._lock:
            return [request for request in self.requests if request.path == "/v1/chat/completions"]

    def script(self, *answers: Answer) -> None:
        """Replace the answers to come."""
        with self._lock:
            self._answers = list(answers)

    def record(self, request: Recorded) -> None:
        with self._lock:
            self.requests.append(request)
        self.asked.set()

    def when_asked(self, act: Callable[[], object]) -> threading.Thread:
        """A started thread that calls `act` shortly after the first request has arrived."""

        def wait() -> None:
            if self.asked.wait(30):
                time.sleep(0.1)  # the client is waiting for the answer by now
                act()

        thread = threading.Thread(target=wait, name="when-asked")
        thread.start()
        return thread

    def next_answer(self) -> Answer:
        with self._lock:
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        model_server = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    model_server: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Stay silent."""

    def do_GET(self) -> None:
        self._record({})
        if self.path == "/v1/models":
            self._json(
                200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.model_server.models]}
            )
        else:
            self._json(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or b"{}")
        self._record(body)
        try:
            if self.path == "/v1/chat/completions":
                self._chat(body, self.model_server.next_answer())
            elif self.path == "/v1/embeddings":
                self._embeddings(body)
            else:
                self._json(404, {"error": {"message": "no such path"}})
        except (BrokenPipeError, ConnectionResetError):
            self.model_server.left.set()
            self.close_connection = True

    def _record(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.model_server.record(Recorded(path=self.path, headers=headers, body=body))

    def _chat(self, body: dict[str, Any], answer: Answer) -> None:
        refused = _refused(body, answer.refuse)
        if refused:
            self._json(
                400,
                {"error": {"message": f"Invalid request: {refused} is not supported", "type": "invalid_request_error"}},
            )
            return
        if answer.hang:
            self._wait_for_leaving(30)
            return
        self._sleep(answer.delay)
        if answer.status != 200:
            self._json(answer.status, {"error": {"message": answer.error}}, answer.headers)
        elif answer.raw is not None:
            self._send(200, answer.raw.encode(), {"Content-Type": "application/json"})
        elif body.get("stream"):
            self._stream(body, answer)
        else:
            self._json(
                200, _completion(body, {"message": {"role": "assistant", "content": answer.text}}, "chat.completion")
            )

    def _stream(self, body: dict[str, Any], answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while answer.comments and not self.model_server.stopping.is_set():
            self._chunk(": still working\n\n")
            self._sleep(0.05)
        if answer.stream_error:
            self._chunk(f"data: {json.dumps({'error': {'message': answer.stream_error}})}\n\n")
            self.wfile.write(b"0\r\n\r\n")
            return
        pieces = answer.pieces if answer.pieces is not None else [f"{word} " for word in answer.text.split()]
        for nth, piece in enumerate(pieces):
            if nth == answer.cut_after:
                self.close_connection = True
                return
            event = _completion(body, {"delta": {"role": "assistant", "content": piece}}, "chat.completion.chunk")
            self._chunk(f"data: {json.dumps(event)}\n\n")
            self._sleep(answer.pause)
        self._chunk("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _embeddings(self, body: dict[str, Any]) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        rows = [
            {"object": "embedding", "index": nth, "embedding": _vector(text, self.model_server.dimensions)}
            for nth, text in enumerate(texts)
        ]
        self._json(
            200,
            {
                "object": "list",
                "model": body.get("model", ""),
                "data": rows,
                "usage": {"prompt_tokens": 0, "total_tokens": 0},
            },
        )

    def _sleep(self, seconds: float) -> None:
        """Wait, but not for a client that has gone."""
        if seconds and self._wait_for_leaving(seconds):
            raise ConnectionResetError

    def _wait_for_leaving(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        self.connection.settimeout(0.01)
        try:
            while time.monotonic() < until and not self.model_server.stopping.is_set():
                try:
                    if self.connection.recv(1) == b"":
                        self.model_server.left.set()
                        self.close_connection = True
                        return True
                except TimeoutError:
                    continue
        finally:
            self.connection.settimeout(None)
        return False

    def _json(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _refused(body: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of `names` that the request uses."""
    for name in names:
        if name == "list content":
            if any(isinstance(message["content"], list) for message in body["messages"]):
                return "messages.content: Input should be a valid string"
        elif name in ("json_schema", "json_object"):
            if body.get("response_format", {}).get("type") == name:
                return f"response_format {name}"
        elif name in body:
            return name
    return ""


def _completion(body: Mapping[str, Any], choice: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": kind,
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "finish_reason": None if "delta" in choice else "stop", **choice}],
    }


def _vector(text: str, dimensions: int) -> list[float]:
    """A unit vector that depends on the text alone."""
    raw = [((sum(text.encode()) * (nth + 7)) % 101) / 101 + 0.01 for nth in range(dimensions)]
    norm = sum(value * value for value in raw) ** 0.5
    return [value / norm for value in raw]
