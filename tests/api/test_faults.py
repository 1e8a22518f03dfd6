"""Parts that fail under the interface: what was acknowledged is never lost, errors are typed, recovery needs nobody."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.bootstrap import build_layer
from core.layer import MemoryLayer
from core.model import SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres
from tests.api.conftest import Agent, Api
from tests.conftest import Console, MakeConsole
from tests.factories import NOW, FixedClock
from tests.fakes import HashEmbedder
from tests.integration.test_store_down import kill, layer_on, server, sign_in, until
from tests.model_server import Answer, ModelServer

__all__ = ["server"]  # the fixture: a Postgres of a test's own
TEXTS = [f"My locker number at hall {number} is {100 + number}." for number in range(12)]


def phone_on(layer: MemoryLayer) -> Agent:
    api = Api(Console(layer=layer, clock=FixedClock(NOW), admin=sign_in(layer)))
    return api.key(agent="phone", channel=SourceKind.USER_TURN)


def told(phone: Agent) -> str:
    return str(phone.get("/memories", limit=200).json())


def test_a_store_killed_under_load_loses_no_acknowledged_text(server: EmbeddedPostgres, tmp_path: Path) -> None:
    with layer_on(tmp_path, server.start(), worker=True) as layer:
        phone = phone_on(layer)
        acknowledged: list[str] = []
        refused: list[dict[str, Any]] = []
        killed = threading.Event()

        def put(text: str) -> None:
            if TEXTS.index(text) >= 8:  # some are sent while the store is away, however quick the others were
                killed.wait(60)
            deadline = time.monotonic() + 90
            while time.monotonic() < deadline:
                answer = phone.post("/episodes", {"text": text}, **{"idempotency-key": text[:40].replace(" ", "-")})
                if answer.status_code == 202:
                    acknowledged.append(answer.json()["episode_id"])
                    return
                refused.append({"status": answer.status_code, **answer.json()})
                time.sleep(0.2)

        with ThreadPoolExecutor(4) as pool:
            work = [pool.submit(put, text) for text in TEXTS]
            until(lambda: len(acknowledged) > 4)
            kill(server)
            killed.set()
            until(lambda: bool(refused))
            assert phone.post("/recall", {"query": "locker"}).json()["type"] == "StoreUnavailable"
            server.start()
            for one in work:
                one.result()
        assert {(one["status"], one["type"], one["retry"]) for one in refused} == {(503, "StoreUnavailable", True)}
        assert len(set(acknowledged)) == len(TEXTS)
        until(lambda: all(layer.ledger.processed(one) for one in acknowledged) and not layer.ledger.outbox())
        found = told(phone)
        assert all(f"is {100 + number}" in found for number in range(len(TEXTS)))


def test_a_full_disk_refuses_new_texts_and_recall_goes_on(make_console: MakeConsole) -> None:
    api = Api(make_console())
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    writer = api.console.layer.ledger._writer._sqlite
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages}")
    refused = phone.post("/episodes", {"text": "I live in Lisbon. " + "It is sunny here. " * 8_000})
    assert (refused.status_code, refused.json()["type"]) == (503, "LedgerUnavailable")
    assert "free space" in refused.json()["detail"]
    assert int(refused.headers["retry-after"]) > 0
    assert "penicillin" in phone.recall("What am I allergic to?")[0]["text"]
    writer.execute("PRAGMA max_page_count = 1000000")
    phone.say("I live in Lisbon.")
    assert "Lisbon" in phone.recall("Where do I live?")[0]["text"]


@contextmanager
def served(data: Path, conninfo: str, hours: float) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "CHRONOMEMORY_DATA": str(data), "DATABASE_URL": conninfo, "OMP_NUM_THREADS": "1"}
    environment["API_BURST"] = "100000"  # the clock stands still, and so does the refilling
    child = subprocess.Popen([sys.executable, "-m", "tests.api.serve_child", str(port), str(hours)], env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        until(lambda: _ready(url))
        yield child, url
    finally:
        child.kill()
        child.wait(timeout=30)


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def test_a_killed_server_and_worker_lose_nothing_that_was_acknowledged(
    server: EmbeddedPostgres, tmp_path: Path
) -> None:
    conninfo = server.start()
    with layer_on(tmp_path / "data", conninfo) as layer:
        token = phone_on(layer).token
    headers = {"authorization": f"Bearer {token}"}
    with served(tmp_path / "data", conninfo, hours=0) as (child, url), httpx.Client(headers=headers) as http:
        answers = [http.post(f"{url}/api/v1/episodes", json={"text": text}) for text in TEXTS]
        assert {one.status_code for one in answers} == {202}
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=30)
    ids = [one.json()["episode_id"] for one in answers]
    # An hour on, the dead worker's lease has run out.
    with served(tmp_path / "data", conninfo, hours=1) as (_child, url), httpx.Client(headers=headers) as http:
        for one in ids:
            until(lambda one=one: http.get(f"{url}/api/v1/episodes/{one}").json()["processed"])
        until(lambda: http.get(f"{url}/api/v1/memories", params={"limit": 1}).json()["total"] >= len(TEXTS))
        rows = http.get(f"{url}/api/v1/memories", params={"limit": 200}).json()["memories"]
    texts = [one["text"] for one in rows]
    for number in range(len(TEXTS)):
        assert sum(f"is {100 + number}" in text for text in texts) >= 1
    assert len({(one["text"], one["kind"]) for one in rows}) == len(rows), "nothing is there twice"


@pytest.mark.parametrize("hanging", [False, True])
def test_a_slow_model_delays_learning_and_nothing_else(
    server: EmbeddedPostgres, tmp_path: Path, *, hanging: bool
) -> None:
    answer = Answer(hang=True) if hanging else Answer(text="{}", delay=3.0)
    with ModelServer(answer) as model:
        settings = Settings(
            _env_file=None,
            chronomemory_data=tmp_path,
            database_url=server.start(),
            openai_base_url=model.base_url,
            agent_model="test-model",
            background_model="test-model",
            model_deadline_seconds=2.0,
        )
        layer = build_layer(settings, embedder=HashEmbedder(), pause=lambda _seconds: None)
        layer.start()
        try:
            phone = phone_on(layer)
            begun = time.monotonic()
            episode = phone.say("I am allergic to penicillin.", settle=False)
            assert phone.post("/recall", {"query": "What am I allergic to?"}).status_code == 200
            assert time.monotonic() - begun < 2.0, "neither waits for the model"
            until(lambda: phone.get(f"/episodes/{episode}").json()["processed"])
            assert "penicillin" in told(phone), "the rules stand in for a model that says nothing"
        finally:
            layer.close()
