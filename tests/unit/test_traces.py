"""Spans through an exporter in memory: their tree, and that they carry nobody's words."""

from __future__ import annotations

import pytest

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed: pip install -e '.[telemetry]'")
pytest.importorskip(
    "opentelemetry.exporter.otlp.proto.http", reason="opentelemetry-exporter-otlp-proto-http is missing"
)

from opentelemetry import trace
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from core.errors import BadInput
from core.telemetry import Meter
from core.telemetry.tracing import Tracing

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CANARY = "zebra-canary"


@pytest.fixture
def traced():
    exporter = InMemorySpanExporter()
    tracing = Tracing(SimpleSpanProcessor(exporter), service="memory", version="1.2.3")
    yield Meter(tracing), exporter
    tracing.close()


def by_name(exporter):
    return {one.name: one for one in exporter.get_finished_spans()}


def test_a_request_and_its_recall_are_one_tree_in_the_callers_trace(traced):
    meter, exporter = traced
    with meter.request("POST", {"traceparent": f"00-{TRACE}-{PARENT}-01"}) as answered:
        with meter.recall() as laps:
            for part in ("embed", "query", "rank"):
                with laps.part(part):
                    pass
            laps.found(2)
        answered("/api/v1/recall", 200)
    spans = by_name(exporter)
    assert set(spans) == {"POST /api/v1/recall", "recall", "recall embed", "recall query", "recall rank"}
    top = spans["POST /api/v1/recall"]
    assert f"{top.context.trace_id:032x}" == TRACE
    assert f"{top.parent.span_id:016x}" == PARENT
    assert spans["recall"].parent.span_id == top.context.span_id
    assert {spans[f"recall {part}"].parent.span_id for part in ("embed", "query", "rank")} == {
        spans["recall"].context.span_id
    }
    assert dict(top.attributes) == {
        "http.request.method": "POST",
        "http.route": "/api/v1/recall",
        "http.response.status_code": 200,
    }
    assert spans["recall"].attributes["chronomemory.outcome"] == "found"
    assert top.resource.attributes["service.name"] == "memory"


def test_an_unknown_method_is_no_name_and_a_broken_parent_no_fault(traced):
    meter, exporter = traced
    with meter.request(f"EVIL-{CANARY}", {"traceparent": "nonsense"}) as answered:
        answered("", 404)
    [one] = exporter.get_finished_spans()
    assert one.name == "_OTHER"
    assert one.parent is None
    assert CANARY not in one.to_json()


def test_an_error_gives_its_type_and_none_of_its_words(traced):
    meter, exporter = traced
    with pytest.raises(BadInput), meter.recall() as laps, laps.part("query"):
        raise BadInput(f"{CANARY} cannot be taken")
    spans = by_name(exporter)
    assert spans["recall"].status.status_code is StatusCode.ERROR
    assert spans["recall query"].attributes["error.type"] == "BadInput"
    assert spans["recall"].attributes["chronomemory.outcome"] == "error"
    assert not any(CANARY in one.to_json() for one in spans.values())


def test_a_text_is_named_by_its_id_and_what_became_of_it(traced):
    meter, exporter = traced
    with meter.text("e1") as became:
        became("done")
    assert dict(by_name(exporter)["process text"].attributes) == {
        "chronomemory.episode_id": "e1",
        "chronomemory.outcome": "done",
    }


def test_the_process_has_no_provider_of_ours(traced):
    with trace.get_tracer("somebody else").start_as_current_span("theirs"):
        pass
    _, exporter = traced
    assert exporter.get_finished_spans() == ()
