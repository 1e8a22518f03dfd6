"""What one scrape says, read with Prometheus' own parser; a part that is away, or hangs, is left out."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from core.errors import LedgerUnavailable, Misconfigured, ModelUnavailable, StoreUnavailable
from core.ports import HeldWaiting, Vitals
from core.settings import Settings
from core.telemetry import Meter, Scrape, Watched
from core.wiring_observing import build_watch
from tests.factories import NOW, FixedClock

VITALS = Vitals(
    inbox=3,
    inbox_oldest=NOW - timedelta(seconds=90),
    leases=1,
    outbox=2,
    outbox_oldest=NOW - timedelta(seconds=5),
    held=(
        HeldWaiting(state="waiting", count=7, oldest=NOW - timedelta(days=2)),
        HeldWaiting(state="snoozed", count=0, oldest=None),
    ),
    untold={"candidate:held": 4, "policy:adopted": 1, "session:opened": 9},
)


class Model:
    calls = (5, 2)


def scrape(meter=None, **changed):
    meter = meter or Meter()
    watched = {
        "version": "1.2.3",
        "clock": FixedClock(NOW),
        "vitals": lambda _at: VITALS,
        "store": lambda: "ok",
        "work": lambda: {("extractor", "rules"): 8, ("extractor", "big-model"): 2},
        "models": {"agent": Model()},
        "restarts": lambda: 1,
        "webhooks": ("candidate:", "policy:adopted"),
    }
    return Scrape(meter.registry, Watched(**(watched | changed)))


def samples(text):
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for one in family.samples:
            key = (one.name, *(value for _, value in sorted(one.labels.items())))
            assert key not in found
            found[key] = one.value
    return found


def test_everything_once_by_its_name():
    found = samples(scrape()())
    expected = {
        ("chronomemory_build_info", "1.2.3"): 1,
        ("chronomemory_store_up",): 1,
        ("chronomemory_ledger_up",): 1,
        ("chronomemory_inbox_texts",): 3,
        ("chronomemory_inbox_oldest_age_seconds",): 90,
        ("chronomemory_leases",): 1,
        ("chronomemory_outbox_effects",): 2,
        ("chronomemory_outbox_lag_seconds",): 5,
        ("chronomemory_held_facts", "waiting"): 7,
        ("chronomemory_held_oldest_age_seconds", "waiting"): 2 * 86_400,
        ("chronomemory_held_facts", "snoozed"): 0,
        ("chronomemory_held_oldest_age_seconds", "snoozed"): 0,
        ("chronomemory_webhooks_waiting",): 5,
        ("chronomemory_work_total", "rules", "extractor"): 8,
        ("chronomemory_work_total", "model", "extractor"): 2,
        ("chronomemory_fast_path_ratio",): 0.8,
        ("chronomemory_model_calls_total", "answered", "agent"): 5,
        ("chronomemory_model_calls_total", "failed", "agent"): 2,
        ("chronomemory_embedded_server_restarts_total",): 1,
    }
    assert {key: found.get(key) for key in expected} == expected
    assert {name for name, *_ in found if not name.startswith("chronomemory_")} == set()


def test_two_layers_count_apart():
    first, second = Meter(), Meter()
    with first.recall() as laps:
        laps.found(1)
    assert samples(scrape(first)())["chronomemory_recalls_total", "found"] == 1
    assert samples(scrape(second)())["chronomemory_recalls_total", "found"] == 0


def test_a_recall_is_timed_by_its_parts():
    meter = Meter()
    with meter.recall() as laps:
        with laps.part("embed"):
            time.sleep(0.02)
        for _ in range(2):
            with laps.part("query"):
                time.sleep(0.01)
    found = samples(scrape(meter)())
    name = "chronomemory_recall_duration_seconds"
    assert {part: found[f"{name}_count", part] for part in ("embed", "query", "rank", "total")} == dict.fromkeys(
        ("embed", "query", "rank", "total"), 1
    )
    assert found[f"{name}_sum", "embed"] >= 0.02
    assert found[f"{name}_sum", "query"] >= 0.02  # both times in one recall
    assert found[f"{name}_sum", "rank"] == 0
    assert found[f"{name}_sum", "total"] >= 0.04
    assert found["chronomemory_recalls_total", "empty"] == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (StoreUnavailable("x"), "store_unavailable"),
        (ModelUnavailable("x"), "model_unavailable"),
        (KeyError("x"), "error"),
    ],
)
def test_a_recall_that_fails_is_counted_and_not_timed(error, outcome):
    meter = Meter()
    with pytest.raises(type(error)), meter.recall() as laps, laps.part("query"):
        raise error
    found = samples(scrape(meter)())
    assert found["chronomemory_recalls_total", outcome] == 1
    assert found["chronomemory_recall_duration_seconds_count", "total"] == 0


def test_texts_by_what_became_of_them():
    meter = Meter()
    for outcome in ("done", "done", "given_up"):
        with meter.text("e1") as became:
            became(outcome)
    with pytest.raises(StoreUnavailable), meter.text("e2"):
        raise StoreUnavailable("x")
    found = samples(scrape(meter)())
    counts = Counter({key[1]: value for key, value in found.items() if key[0] == "chronomemory_texts_processed_total"})
    assert +counts == {"done": 2, "given_up": 1, "postponed": 1}


def test_a_store_that_is_away_reads_as_zero_and_the_rest_stays():
    found = samples(scrape(store=lambda: "down: no answer")())
    assert found["chronomemory_store_up",] == 0
    assert found["chronomemory_inbox_texts",] == 3


def test_a_ledger_that_is_away_leaves_its_numbers_out():
    def away(_at):
        raise LedgerUnavailable("locked")

    found = samples(scrape(vitals=away)())
    assert found["chronomemory_ledger_up",] == 0
    assert found["chronomemory_store_up",] == 1
    assert not {name for name, *_ in found} & {"chronomemory_inbox_texts", "chronomemory_held_facts"}


def test_a_part_that_hangs_keeps_a_scrape_waiting_once_and_is_not_asked_again(monkeypatch):
    monkeypatch.setattr("core.telemetry.scrape.Patient.answer.__defaults__", (0.1,))
    free, asked = threading.Event(), []

    def hangs():
        asked.append(1)
        free.wait(10)
        return "ok"

    read = scrape(store=hangs)
    assert [samples(read())["chronomemory_store_up",] for _ in range(3)] == [0, 0, 0]
    assert len(asked) == 1
    free.set()
    time.sleep(0.05)
    assert samples(read())["chronomemory_store_up",] == 1


def test_nothing_is_said_of_webhooks_that_nobody_wants():
    assert ("chronomemory_webhooks_waiting",) not in samples(scrape(webhooks=())())


def test_before_any_work_there_is_no_share():
    assert ("chronomemory_fast_path_ratio",) not in samples(scrape(work=dict)())


def test_a_models_name_is_no_label():
    assert b"big-model" not in scrape()()


# --- what the page for operators says --------------------------------------------------------------------------------


def test_the_page_lists_every_metric_and_its_rules_ask_for_no_other():
    page = (Path(__file__).parents[2] / "docs/observability.md").read_text(encoding="utf-8")
    emitted = {family.name for family in text_string_to_metric_families(scrape()().decode())}
    table = page[page.index("| metric |") : page.index("A scrape is never failed")]
    listed = {re.sub(r"_total$", "", one) for one in re.findall(r"`(chronomemory_\w+)`", table)}
    assert listed == emitted
    asked = [rule["expr"] for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) for rule in _rules(text)]
    assert len(asked) == 3
    used = {re.sub(r"_(total|bucket)$", "", one) for one in re.findall(r"chronomemory_\w+", " ".join(asked))}
    assert used
    assert used <= emitted
    settings_named = set(re.findall(r"\| `((?:CHRONOMEMORY|OTEL)_\w+)` \|", page))
    assert settings_named <= {name.upper() for name in Settings.model_fields}


def _rules(text):
    return [rule for group in yaml.safe_load(text).get("groups", []) for rule in group["rules"]]


# --- traces by the settings -----------------------------------------------------------------------------------------


def settings(**given):
    return Settings(_env_file=None, **given)


@pytest.mark.parametrize(
    ("given", "sends"),
    [
        ({}, False),
        ({"otel_exporter_otlp_endpoint": "http://127.0.0.1:4318"}, True),
        ({"otel_exporter_otlp_traces_endpoint": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"otel_traces_exporter": "otlp"}, True),
        ({"otel_exporter_otlp_endpoint": "http://127.0.0.1:4318", "otel_traces_exporter": "none"}, False),
        ({"otel_exporter_otlp_endpoint": "http://127.0.0.1:4318", "otel_sdk_disabled": "true"}, False),
    ],
)
def test_traces_are_sent_only_where_the_settings_say_so(given, sends):
    assert settings(**given).sends_traces is sends


def test_traces_without_the_library_say_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "core.telemetry.tracing", None)
    with pytest.raises(Misconfigured, match=r"pip install .*\[telemetry\]"):
        build_watch(settings(otel_traces_exporter="otlp"), version="1")
    build_watch(settings(), version="1")


def test_another_protocol_is_refused():
    with pytest.raises(Misconfigured, match="http/protobuf"):
        build_watch(settings(otel_traces_exporter="otlp", otel_exporter_otlp_protocol="grpc"), version="1")
