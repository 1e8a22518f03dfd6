"""/metrics over the real stores: who may read it, what it counts, and that nobody's words or names are in it."""

from __future__ import annotations

import io
import json
import logging
import re
import socket
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import ValidationError
from starlette.testclient import TestClient

from core.entrypoints.http import Place
from core.entrypoints.metrics import WorkerPort
from core.entrypoints.programs import Programs
from core.entrypoints.requests import RequestIds
from core.errors import Misconfigured
from core.model import SourceKind
from core.settings import Settings
from core.telemetry.logs import Lines
from tests.conftest import Console, MakeConsole

TOKEN = "a metrics token of 24 or more"
CANARY = "zebracanary"


class Watched:
    """An installation with everything that programs reach before it."""

    def __init__(self, console: Console, **given: Any) -> None:
        self.console = console
        self.settings = Settings(_env_file=None, **({"chronomemory_metrics_token": TOKEN} | given))
        place = Place(settings=self.settings, layer_of=lambda: console.layer)
        self.http = TestClient(RequestIds(Programs(place)), raise_server_exceptions=False)

    def read(self, authorization: str = f"Bearer {TOKEN}") -> Any:
        return self.http.get("/metrics", headers={"authorization": authorization} if authorization else {})

    def samples(self) -> dict[tuple[str, ...], float]:
        answer = self.read()
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        return {
            (one.name, *(value for _, value in sorted(one.labels.items()))): one.value
            for family in text_string_to_metric_families(answer.text)
            for one in family.samples
        }

    def agent(self, channel: SourceKind = SourceKind.USER_TURN) -> dict[str, str]:
        _, key = self.console.layer.keys.create(self.console.admin, "planner", channel=channel)
        return {"authorization": f"Bearer {key}"}


@pytest.fixture
def watched(make_console: MakeConsole) -> Watched:
    return Watched(make_console())


@pytest.fixture
def bare() -> TestClient:
    """The same addresses while no layer is there yet: who is let in, and what a request is known by, need none."""
    place = Place(settings=Settings(_env_file=None, chronomemory_metrics_token=TOKEN), layer_of=lambda: None)
    return TestClient(RequestIds(Programs(place)), raise_server_exceptions=False)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines("json"))
    logger = logging.getLogger("chronomemory.http")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield stream
    logger.removeHandler(handler)
    logger.setLevel(level)


# --- who may read it ------------------------------------------------------------------------------------------------


def test_without_a_token_there_is_no_such_address(make_console: MakeConsole) -> None:
    watched = Watched(make_console(), chronomemory_metrics_token="")
    assert {watched.read(sent).status_code for sent in ("", "Bearer ", "Bearer x", f"Bearer {TOKEN}")} == {404}


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}"]
)
def test_another_token_opens_nothing(bare: TestClient, sent: str) -> None:
    answer = bare.get("/metrics", headers={"authorization": sent} if sent else {})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "chronomemory_" not in answer.text


def test_neither_an_agents_key_nor_a_persons_opens_it(watched: Watched) -> None:
    _, operator = watched.console.layer.operator_keys.create(watched.console.admin, "report")
    assert watched.read(watched.agent()["authorization"]).status_code == 401
    assert watched.read(f"Bearer {operator}").status_code == 401


def test_bytes_that_are_no_text_are_refused_quietly(bare: TestClient) -> None:
    answer = bare.get("/metrics", headers={b"authorization": b"Bearer \xff\xfe"})
    assert answer.status_code == 401


def test_it_is_read_and_nothing_else(bare: TestClient) -> None:
    assert bare.post("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_a_short_token_is_refused_by_the_settings() -> None:
    with pytest.raises(ValidationError, match="at least 24 characters"):
        Settings(_env_file=None, chronomemory_metrics_token="short")


def test_while_the_layer_is_being_made_it_says_so(bare: TestClient) -> None:
    answer = bare.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


# --- what it says ---------------------------------------------------------------------------------------------------


def test_the_work_of_a_life_and_nobodys_words(watched: Watched) -> None:
    layer, ada = watched.console.layer, watched.console.admin
    agent = watched.agent()
    said = {"text": "I am allergic to penicillin."}
    page = {"text": f"The {CANARY} hotel has moved to 12 {CANARY} Street, and its manager is Otto {CANARY}."}
    assert watched.http.post("/api/v1/episodes", json=said, headers=agent).status_code == 202
    assert watched.http.post("/api/v1/episodes/page", json=page, headers=agent).status_code == 202
    before = watched.samples()
    assert before["chronomemory_inbox_texts",] == 2
    watched.console.clock.forward(hours=1)
    watched.console.settle()
    for query in ("What am I allergic to?", f"{CANARY}?"):
        assert watched.http.post("/api/v1/recall", json={"query": query}, headers=agent).status_code == 200
    watched.console.clock.forward(hours=1)
    after = watched.samples()
    held = after["chronomemory_held_facts", "waiting"]
    assert held == layer.review.pending(ada)[1] >= 1
    assert after["chronomemory_held_oldest_age_seconds", "waiting"] == 3600
    assert (after["chronomemory_inbox_texts",], after["chronomemory_outbox_effects",]) == (0, 0)
    assert after["chronomemory_texts_processed_total", "done"] == 2
    assert after["chronomemory_work_total", "rules", "extractor"] >= 2
    assert after["chronomemory_fast_path_ratio",] == 1
    assert after["chronomemory_recalls_total", "found"] >= 1
    assert sum(count for (name, *_), count in after.items() if name == "chronomemory_recalls_total") == 2
    for part in ("embed", "query", "rank", "total"):
        assert after["chronomemory_recall_duration_seconds_count", part] == 2
        assert after["chronomemory_recall_duration_seconds_sum", part] > 0
    assert (after["chronomemory_store_up",], after["chronomemory_ledger_up",]) == (1, 1)
    text = watched.read().text
    for word in (CANARY, "penicillin", ada.user_id, ada.username, ada.tenant, "planner", TOKEN):
        assert not re.search(rf"\b{re.escape(word)}\b", text), word


def test_a_store_that_is_away_leaves_the_rest(watched: Watched) -> None:
    watched.agent()
    watched.console.layer.store._holder.part("store").close()
    found = watched.samples()
    assert (found["chronomemory_store_up",], found["chronomemory_ledger_up",]) == (0, 1)
    assert ("chronomemory_held_facts", "waiting") in found


# --- what a request is known by -------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["7f3c", "01J.a-b_c", "x" * 64])
def test_a_callers_id_is_given_back(bare: TestClient, given: str) -> None:
    assert bare.get("/metrics", headers={"x-request-id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", 'a"b', "a\tb", "-a", "ä", "<script>", "a,b"])
def test_an_id_that_cannot_stand_in_a_log_is_made_anew(bare: TestClient, given: str) -> None:
    found = bare.get("/metrics", headers={b"x-request-id": given.encode("latin-1")}).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{32}", found)


def test_two_requests_have_two_ids(bare: TestClient) -> None:
    assert len({bare.get("/metrics").headers["x-request-id"] for _ in range(5)}) == 5


def test_a_request_is_logged_by_its_route_with_its_id(make_console: MakeConsole, lines: io.StringIO) -> None:
    watched = Watched(make_console(), chronomemory_log_requests=True)
    headers = watched.agent() | {"x-request-id": "r-1"}
    watched.http.get(f"/api/v1/memories/{CANARY}", headers=headers)
    watched.http.get(f"/api/v1/memories/{CANARY}%0AERROR", headers=headers)
    watched.http.get(f"/{CANARY}?q={CANARY}")
    told = [json.loads(one) for one in lines.getvalue().splitlines()]
    assert [one["request_id"] == "r-1" for one in told] == [True, True, False]
    assert told[0]["message"].startswith("/api/v1/memories/{memory_id} answered 404 in ")
    assert {one["message"][:22] for one in told[1:]} == {"no route answered 404 "}
    assert CANARY not in lines.getvalue()


def test_a_fault_is_logged_without_the_words_that_it_met(
    watched: Watched, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError(f"cannot read {CANARY}")

    agent = watched.agent()
    monkeypatch.setattr("core.agents.AgentDesk.recall", broken)
    answer = watched.http.post("/api/v1/recall", json={"query": CANARY}, headers=agent | {"x-request-id": "r-2"})
    assert answer.status_code == 500
    told = [json.loads(one) for one in lines.getvalue().splitlines()]
    assert {one["request_id"] for one in told} == {"r-2"}
    fault = next(one for one in told if "error" in one)
    assert fault["message"] == "/api/v1/recall met a fault"
    assert fault["error"][-1] == "RuntimeError"
    assert CANARY not in lines.getvalue()


def test_what_the_worker_says_is_known_by_the_text(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines("json"))
    logger = logging.getLogger("core.intake")
    logger.addHandler(handler)

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError(CANARY)

    monkeypatch.setattr("core.distil.Distiller.rule", broken)
    answer = watched.http.post("/api/v1/episodes", json={"text": f"I like {CANARY}."}, headers=watched.agent())
    watched.console.layer.step()
    logger.removeHandler(handler)
    told = [json.loads(one) for one in stream.getvalue().splitlines()]
    assert told
    assert {one["request_id"] for one in told} == {answer.json()["episode_id"]}
    assert CANARY not in stream.getvalue()
    assert watched.samples()["chronomemory_texts_processed_total", "postponed"] == 1


# --- a worker of its own --------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def get(url: str, token: str = "") -> tuple[int, str]:
    asked = urllib.request.Request(url, headers={"authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def test_a_worker_answers_on_its_own_port(console: Console) -> None:
    port = free_port()
    settings = Settings(_env_file=None, chronomemory_metrics_token=TOKEN, chronomemory_worker_metrics_port=port)
    listening = WorkerPort(settings, lambda: console.layer)
    listening.start()
    try:
        base = f"http://127.0.0.1:{port}"
        assert get(f"{base}/healthz") == (200, "ok")
        assert get(f"{base}/metrics")[0] == 401
        status, text = get(f"{base}/metrics", TOKEN)
        assert status == 200
        assert "chronomemory_store_up 1.0" in text
        assert get(f"{base}/api/v1/recall")[0] == 404
        taken = WorkerPort(settings, lambda: console.layer)
        with pytest.raises(Misconfigured, match="choose a free one"):
            taken.start()
    finally:
        listening.stop()
    with pytest.raises(urllib.error.URLError):
        get(f"{base}/healthz")


def test_a_workers_port_needs_a_token() -> None:
    settings = Settings(_env_file=None, chronomemory_worker_metrics_port=9100)
    with pytest.raises(Misconfigured, match="CHRONOMEMORY_METRICS_TOKEN"):
        WorkerPort(settings, lambda: None)
