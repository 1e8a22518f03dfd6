"""Counts and times of one layer's work, and its spans where traces are on. Labels come from closed lists in code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from types import TracebackType
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Histogram

from core.errors import ModelUnavailable, StoreUnavailable
from core.ports import Laps

PARTS = ("embed", "query", "rank")
RECALLS = ("found", "empty", "store_unavailable", "model_unavailable", "error")
TEXTS = ("done", "postponed", "given_up", "taken_over")
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # the histogram's limits


class Spans(Protocol):
    """Where spans go, if anywhere: `core.telemetry.tracing`."""

    def span(self, name: str, **attributes: str | int) -> AbstractContextManager[Mark]:
        """A span of work inside this process."""

    def request(self, method: str, headers: Mapping[str, str]) -> AbstractContextManager[Mark]:
        """The span of one request, in the caller's trace if it names one."""


class Mark(Protocol):
    """A span that is open."""

    def note(self, name: str, value: str | int) -> None:
        """Give it an attribute: a closed list's word or a number."""

    def name(self, name: str) -> None:
        """Give it another name."""


class _NoMark:
    def note(self, name: str, value: str | int) -> None:
        pass

    def name(self, name: str) -> None:
        pass


class _NoSpan:
    """Reusable and cheap: recall opens four."""

    def __enter__(self) -> Mark:
        return _NO_MARK

    def __exit__(self, *_raised: object) -> None:
        return None


_NO_MARK: Mark = _NoMark()
_NO_SPAN = _NoSpan()


class _NoSpans:
    def span(self, name: str, **attributes: str | int) -> AbstractContextManager[Mark]:  # noqa: ARG002 - the port's
        return _NO_SPAN

    def request(self, method: str, headers: Mapping[str, str]) -> AbstractContextManager[Mark]:  # noqa: ARG002
        return _NO_SPAN


class _Laps:
    """Times of one recall's parts."""

    __slots__ = ("count", "seconds", "spans")

    def __init__(self, spans: Spans) -> None:
        self.spans = spans
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.count = 0

    def part(self, name: str) -> AbstractContextManager[None]:
        return _Part(self, name)

    def found(self, count: int) -> None:
        self.count = count


class _Part(AbstractContextManager[None]):
    """One stretch of a part; a class, since a generator would cost more than what it times of a short one."""

    __slots__ = ("_began", "_laps", "_name", "_span")

    def __init__(self, laps: _Laps, name: str) -> None:
        self._laps = laps
        self._name = name
        self._span = laps.spans.span(f"recall {name}")

    def __enter__(self) -> None:
        self._span.__enter__()
        self._began = perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._laps.seconds[self._name] += perf_counter() - self._began
        return self._span.__exit__(kind, error, trace)


class Meter:
    """`core.ports.Observer` with a registry of its own."""

    def __init__(self, spans: Spans | None = None) -> None:
        """Everything begins at zero, and is shown at zero.

        Args:
            spans: where spans go; None: nowhere.
        """
        self.registry = CollectorRegistry()
        self._spans: Spans = spans or _NoSpans()
        duration = Histogram(
            "chronomemory_recall_duration_seconds",
            "Time of a recall that was answered, by part",
            ["part"],
            buckets=SECONDS,
            registry=self.registry,
        )
        recalls = Counter("chronomemory_recalls", "Recalls by outcome", ["outcome"], registry=self.registry)
        texts = Counter(
            "chronomemory_texts_processed",
            "Texts that a worker of this process took up",
            ["outcome"],
            registry=self.registry,
        )
        self._duration = {part: duration.labels(part) for part in (*PARTS, "total")}
        self._recalls = {outcome: recalls.labels(outcome) for outcome in RECALLS}
        self._texts = {outcome: texts.labels(outcome) for outcome in TEXTS}

    @contextmanager
    def recall(self) -> Iterator[Laps]:
        """Time a recall; only one that was answered counts to the histogram."""
        began, laps, outcome = perf_counter(), _Laps(self._spans), "error"
        with self._spans.span("recall") as mark:
            try:
                yield laps
                outcome = "found" if laps.count else "empty"
            except StoreUnavailable:
                outcome = "store_unavailable"
                raise
            except ModelUnavailable:
                outcome = "model_unavailable"
                raise
            finally:
                self._recalls[outcome].inc()
                mark.note("chronomemory.outcome", outcome)
        self._duration["total"].observe(perf_counter() - began)
        for part, seconds in laps.seconds.items():
            self._duration[part].observe(seconds)

    @contextmanager
    def text(self, episode_id: str) -> Iterator[Callable[[str], None]]:
        """Count a text by what became of it."""
        became = ["postponed"]

        def tell(outcome: str) -> None:
            became[0] = outcome

        with self._spans.span("process text", **{"chronomemory.episode_id": episode_id}) as mark:
            try:
                yield tell
            finally:
                self._texts[became[0]].inc()
                mark.note("chronomemory.outcome", became[0])

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[Callable[[str, int], None]]:
        """A span alone: what is counted of requests is counted where their work is done."""
        with self._spans.request(method, headers) as mark:

            def answered(route: str, status: int) -> None:
                mark.note("http.response.status_code", status)
                if route:
                    mark.note("http.route", route)
                    mark.name(f"{method} {route}")

            yield answered


__all__ = ["PARTS", "RECALLS", "TEXTS", "Mark", "Meter", "Spans"]
