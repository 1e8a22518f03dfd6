"""Builds what watches a layer: its counts and times, its traces, the text of /metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import Misconfigured
from core.llm.roles import CallCounter, Roles
from core.llm.watched import WatchedModel
from core.ports import Clock, LedgerInsight
from core.settings import Settings
from core.telemetry import Meter, Scrape, Watched
from core.webhooks import Webhooks

SERVICE = "chronomemory"
PROTOCOLS = ("", "http/protobuf")


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What the parts tell of their work, and how it ends."""

    meter: Meter
    version: str  # of this program
    close: Callable[[], None]


def build_watch(settings: Settings, *, version: str) -> Watch:
    """A meter, and spans to a collector where the settings name one.

    Args:
        settings: the installation's configuration.
        version: which version of this program runs.

    Raises:
        Misconfigured: traces are wanted and cannot be sent; the message says what to do.
    """
    if not settings.sends_traces:
        return Watch(meter=Meter(), version=version, close=lambda: None)
    if {settings.otel_exporter_otlp_protocol, settings.otel_exporter_otlp_traces_protocol} - set(PROTOCOLS):
        msg = "traces go out as http/protobuf alone: leave OTEL_EXPORTER_OTLP_PROTOCOL empty, and name that port"
        raise Misconfigured(msg)
    try:
        from core.telemetry.tracing import Tracing, to_collector  # noqa: PLC0415 - an optional part
    except ImportError as missing:
        msg = (
            "OTEL_* settings ask for traces, and OpenTelemetry is not installed: "
            'pip install -c constraints.txt "governed-chronomemory[telemetry]", or set OTEL_SDK_DISABLED=true'
        )
        raise Misconfigured(msg) from missing
    base = settings.otel_exporter_otlp_endpoint
    endpoint = settings.otel_exporter_otlp_traces_endpoint or (f"{base}/v1/traces" if base else "")
    tracing = Tracing(to_collector(endpoint), service=settings.otel_service_name or SERVICE, version=version)
    return Watch(meter=Meter(tracing), version=version, close=tracing.close)


def build_scrape(
    watch: Watch,
    *,
    ledger: LedgerInsight,
    store: Callable[[], str],
    roles: Roles,
    counter: CallCounter,
    webhooks: Webhooks,
    restarts: Callable[[], int],
    clock: Clock,
) -> Callable[[], bytes]:
    """The text of /metrics."""
    models = {"agent": roles.agent, "background": roles.background}
    told = webhooks.reader
    return Scrape(
        watch.meter.registry,
        Watched(
            version=watch.version,
            clock=clock,
            vitals=lambda at: ledger.vitals(at=at, reader=told),
            store=store,
            work=counter.snapshot,
            models={role: one for role, one in models.items() if isinstance(one, WatchedModel)},
            restarts=restarts,
            webhooks=webhooks.kinds if told else (),
        ),
    )


__all__ = ["Watch", "build_scrape", "build_watch"]
