"""Traces from the settings to the wire: what a collector on this machine is sent for one recall over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="pip install -e '.[telemetry]' is missing")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.api.test_metrics import CANARY, Watched
from tests.conftest import MakeConsole

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Address of a collector, and what it was sent so far: paths and bodies."""
    sent: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", sent
    server.shutdown()
    server.server_close()
    thread.join(timeout=5)


def test_a_recall_over_http_is_one_tree_and_tells_nobodys_words(
    make_console: MakeConsole, collector: tuple[str, list[tuple[str, bytes]]]
) -> None:
    address, sent = collector
    watched = Watched(make_console(otel_exporter_otlp_endpoint=f"{address}/"))
    agent = watched.agent() | {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    assert watched.http.post("/api/v1/episodes", json={"text": f"I like {CANARY}."}, headers=agent).status_code == 202
    watched.console.settle()
    assert watched.http.post("/api/v1/recall", json={"query": f"{CANARY}?"}, headers=agent).status_code == 200
    watched.console.layer.observer._spans._provider.force_flush()  # type: ignore[attr-defined]

    assert {path for path, _ in sent} == {"/v1/traces"}
    asked = [ExportTraceServiceRequest.FromString(body) for _, body in sent]
    resources = [one for each in asked for one in each.resource_spans]
    spans = [span for one in resources for scope in one.scope_spans for span in scope.spans]
    named = {one.name: one for one in spans}
    assert set(named) == {
        "POST /api/v1/episodes",
        "POST /api/v1/recall",
        "process text",
        "recall",
        "recall embed",
        "recall query",
        "recall rank",
    }
    top = named["POST /api/v1/recall"]
    assert (top.trace_id.hex(), top.parent_span_id.hex()) == (TRACE, PARENT)
    assert named["recall"].parent_span_id == top.span_id
    assert named["recall query"].parent_span_id == named["recall"].span_id
    assert named["process text"].trace_id.hex() != TRACE  # the worker's own
    names = {one.key: one.value.string_value for one in resources[0].resource.attributes}
    assert names["service.name"] == "chronomemory"
    bodies = b"".join(body for _, body in sent)
    person = watched.console.admin
    for word in (CANARY, person.user_id, person.username, "planner"):
        assert word.encode() not in bodies, word


def test_a_collector_that_is_away_keeps_nobody_waiting(make_console: MakeConsole) -> None:
    watched = Watched(make_console(otel_exporter_otlp_endpoint="http://127.0.0.1:9"))
    answer = watched.http.post("/api/v1/recall", json={"query": "anything"}, headers=watched.agent())
    assert answer.status_code == 200
