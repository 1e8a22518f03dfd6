"""One scrape: what this process counted, and what both stores hold at that moment. A part that is away is left out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from core.ports import Clock, Vitals

log = logging.getLogger(__name__)

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
PATIENCE_SECONDS = 2.0  # for a part that does not answer; a scrape has ten by default
RULES = "rules"
NAME = "chronomemory_"

T = TypeVar("T")


class Calls(Protocol):
    """A model that counts."""

    @property
    def calls(self) -> tuple[int, int]:
        """How many calls were answered, and how many failed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Watched:
    """What is asked at each scrape. Whatever raises is away."""

    version: str
    clock: Clock
    vitals: Callable[[datetime], Vitals]
    store: Callable[[], str]  # "ok", or what is wrong
    work: Callable[[], Mapping[tuple[str, str], int]]  # (role, model's name or "rules") → pieces of work
    models: Mapping[str, Calls]  # by role
    restarts: Callable[[], int]  # of the embedded server
    webhooks: tuple[str, ...]  # beginnings of actions that another system is told of


class Patient(Generic[T]):
    """Asks in a thread and waits only so long: a part that hangs does not hang the scrape, nor is it asked twice."""

    def __init__(self, ask: Callable[[], T]) -> None:
        """Nothing is asked yet."""
        self._ask = ask
        self._lock = threading.Lock()
        self._asking: _Asking[T] | None = None

    def answer(self, seconds: float = PATIENCE_SECONDS) -> T | None:
        """The answer, or None: it failed, or is not there in time."""
        with self._lock:
            if self._asking is None or self._asking.done.is_set():
                self._asking = _Asking(self._ask)
            asking = self._asking
        return asking.result if asking.done.wait(seconds) else None


class _Asking(Generic[T]):
    def __init__(self, ask: Callable[[], T]) -> None:
        self.done = threading.Event()
        self.result: T | None = None
        self._ask = ask
        threading.Thread(target=self._run, name="scrape", daemon=True).start()

    def _run(self) -> None:
        try:
            self.result = self._ask()
        except Exception as problem:  # noqa: BLE001 - whatever it is, the part is away
            log.info("a part cannot be read for the metrics: %s", type(problem).__name__)
        finally:
            self.done.set()


class Scrape:
    """The text of /metrics."""

    def __init__(self, registry: CollectorRegistry, watched: Watched) -> None:
        """Put what is read at each scrape beside what `registry` counts."""
        self._registry = registry
        registry.register(_AtScrape(watched))

    def __call__(self) -> bytes:
        """One scrape in Prometheus' text format."""
        return generate_latest(_Current(self._registry))


class _Current(Collector):
    """A registry without the times at which its counters began: a third of the lines, which nobody asks for."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        for family in self._registry.collect():
            family.samples = [one for one in family.samples if not one.name.endswith("_created")]
            yield family


class _AtScrape(Collector):
    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._store = Patient(lambda: watched.store() == "ok")
        self._vitals = Patient(lambda: _taken(watched))

    def describe(self) -> list[Metric]:
        """Nothing: so that no store is asked as long as nobody scrapes."""
        return []

    def collect(self) -> Iterator[Metric]:
        watched = self._watched
        build = GaugeMetricFamily(f"{NAME}build_info", "The version that runs", labels=["version"])
        build.add_metric([watched.version], 1)
        yield build
        yield from _of_work(watched.work())
        yield from _of_models({role: model.calls for role, model in watched.models.items()})
        yield _count("embedded_server_restarts", "Starts of the embedded server after it died", watched.restarts())
        yield _gauge("store_up", "Whether Postgres answers", self._store.answer() or 0)
        taken = self._vitals.answer()
        yield _gauge("ledger_up", "Whether the ledger can be read", taken is not None)
        if taken is not None:
            yield from _of_ledger(*taken, watched.webhooks)


def _taken(watched: Watched) -> tuple[Vitals, datetime]:
    at = watched.clock.now()
    return watched.vitals(at), at


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"{NAME}{name}", what, value=value)


def _count(name: str, what: str, value: float) -> Metric:
    return CounterMetricFamily(f"{NAME}{name}", what, value=value)


def _of_work(work: Mapping[tuple[str, str], int]) -> Iterator[Metric]:
    """Work by role, and by rules or by a model: which one is not said, so that a name is no label."""
    done = CounterMetricFamily(f"{NAME}work", "Pieces of work by who did them", labels=["role", "path"])
    by: dict[tuple[str, str], int] = {("extractor", path): 0 for path in (RULES, "model")}
    for (role, who), count in work.items():
        key = role, RULES if who == RULES else "model"
        by[key] = by.get(key, 0) + count
    for (role, path), count in sorted(by.items()):
        done.add_metric([role, path], count)
    yield done
    total = sum(by.values())
    if total:
        ruled = sum(count for (_, path), count in by.items() if path == RULES)
        yield _gauge("fast_path_ratio", "Share of the work done without a model since the start", ruled / total)


def _of_models(calls: Mapping[str, tuple[int, int]]) -> Iterator[Metric]:
    answers = CounterMetricFamily(f"{NAME}model_calls", "Calls of a model by outcome", labels=["role", "outcome"])
    for role, (answered, failed) in calls.items():
        answers.add_metric([role, "answered"], answered)
        answers.add_metric([role, "failed"], failed)
    yield answers


def _of_ledger(vitals: Vitals, at: datetime, webhooks: tuple[str, ...]) -> Iterator[Metric]:
    def age(since: datetime | None) -> float:
        return max(0.0, (at - since).total_seconds()) if since else 0.0

    yield _gauge("inbox_texts", "Texts that wait for a worker or are in its hands", vitals.inbox)
    yield _gauge("inbox_oldest_age_seconds", "Age of the first of them; 0: none", age(vitals.inbox_oldest))
    yield _gauge("leases", "Texts in a worker's hands", vitals.leases)
    yield _gauge("outbox_effects", "Decided changes that the store has not had yet", vitals.outbox)
    yield _gauge("outbox_lag_seconds", "Age of the first of them; 0: none", age(vitals.outbox_oldest))
    held = GaugeMetricFamily(f"{NAME}held_facts", "Facts that wait for a person", labels=["state"])
    oldest = GaugeMetricFamily(f"{NAME}held_oldest_age_seconds", "Age of the oldest of them; 0: none", labels=["state"])
    for one in vitals.held:
        held.add_metric([one.state], one.count)
        oldest.add_metric([one.state], age(one.oldest))
    yield held
    yield oldest
    if webhooks:
        waiting = sum(count for action, count in vitals.untold.items() if action.startswith(webhooks))
        yield _gauge("webhooks_waiting", "Events that another system was not told of yet", waiting)


__all__ = ["MEDIA_TYPE", "Scrape", "Watched"]
