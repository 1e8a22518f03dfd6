"""Spans to an OpenTelemetry collector, over a provider of this layer's own. Imported where the settings turn traces on.

A span carries words of closed lists, numbers and ids of episodes. An exception gives its type: its message may
hold words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from core.telemetry.meter import Mark

SCOPE = "chronomemory"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class _Mark:
    __slots__ = ("_span",)

    def __init__(self, span: Span) -> None:
        self._span = span

    def note(self, name: str, value: str | int) -> None:
        self._span.set_attribute(name, value)

    def name(self, name: str) -> None:
        self._span.update_name(name)


class Tracing:
    """`core.telemetry.meter.Spans`."""

    def __init__(self, processor: SpanProcessor, *, service: str, version: str) -> None:
        """Make the provider; OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER count as the SDK reads them.

        Args:
            processor: where ended spans go.
            service: `service.name`.
            version: `service.version`.
        """
        resource = Resource.create({"service.name": service, "service.version": version})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer(SCOPE, version)
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def span(self, name: str, **attributes: str | int) -> Iterator[Mark]:
        """A span inside the current one."""
        with self._opened(name, SpanKind.INTERNAL, None, attributes) as mark:
            yield mark

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[Mark]:
        """A server's span, in the caller's trace if its `traceparent` names one."""
        method = method if method in METHODS else "_OTHER"
        caller = self._propagator.extract(headers)
        with self._opened(method, SpanKind.SERVER, caller, {"http.request.method": method}) as mark:
            yield mark

    def close(self) -> None:
        """Send what waits, and end."""
        self._provider.shutdown()

    @contextmanager
    def _opened(
        self, name: str, kind: SpanKind, inside: Context | None, attributes: Mapping[str, str | int]
    ) -> Iterator[Mark]:
        with self._tracer.start_as_current_span(
            name,
            context=inside,
            kind=kind,
            attributes=dict(attributes),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield _Mark(span)
            except Exception as problem:
                span.set_attribute("error.type", type(problem).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise


def to_collector(endpoint: str) -> SpanProcessor:
    """Spans in batches to a collector, from a thread of their own; one that is away loses spans, never work.

    Args:
        endpoint: the whole address; "" leaves it to OTEL_* as the exporter reads it. So are headers and timeouts.
    """
    exporter: SpanExporter = OTLPSpanExporter(endpoint=endpoint or None)
    return BatchSpanProcessor(exporter)


__all__ = ["Tracing", "to_collector"]
