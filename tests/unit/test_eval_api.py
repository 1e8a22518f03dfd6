"""The measurement of the HTTP interface: its questions, its clients and its table."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from eval import api_place
from eval.bench_api import Cell, Ran, report
from eval.results import Result, read, write


class Answering(BaseHTTPRequestHandler):
    """Answers every second question with a hit, the others with none; refuses a wrong key."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []  # noqa: RUF012 - the test's own

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        known = self.headers["authorization"] == "Bearer right"
        self.asked.append(body["query"])
        answer = b'{"hits":[{"score":1}]}' if len(self.asked) % 2 else b'{"hits":[]}'
        self.send_response(200 if known else 401)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_given: Any) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Answering.asked.clear()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def asked_by(port: int, token: str, requests: int) -> dict[str, Any]:
    job = {"port": port, "token": token, "clients": 3, "seconds": 30.0, "requests": requests}
    job["questions"] = [f"question {n}" for n in range(50)]
    done = subprocess.run(
        [sys.executable, "-m", "eval.api_load"], input=json.dumps(job), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_clients_ask_each_question_once_and_count_what_they_get(port: int) -> None:
    met = asked_by(port, "right", 20)
    assert sorted(Answering.asked) == sorted(f"question {n}" for n in range(20))
    assert len(met["milliseconds"]) == 20
    assert met["statuses"] == {"200": 20}
    assert met["empty"] == 10


def test_a_refused_key_is_seen(port: int) -> None:
    assert asked_by(port, "wrong", 4)["statuses"] == {"401": 4}


def test_questions_are_different() -> None:
    found = api_place.questions(10_000)
    assert len(set(found)) == 10_000
    with pytest.raises(ValueError, match="different questions"):
        api_place.questions(20_000)


def ran(rate: float, p50: float, wrong: int = 0) -> Ran:
    return Ran(rate=rate, p50=p50, p95=2 * p50, p99=3 * p50, own_share=0.02, wrong=wrong)


def test_the_table_gives_medians_and_says_which_aim_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    aimed = Cell(size=500, clients=32)
    rows = report({aimed: [ran(70, 300), ran(90, 310), ran(100, 320)], Cell(size=500, clients=1): [ran(20, 50)]})
    told = {row.claim: row for row in rows}
    rate = told[f"{aimed}: requests a second"]
    assert (rate.figure, rate.low, rate.high, rate.met) == (90, 70, 100, True)
    assert told[f"{aimed}: p50, ms"].met
    assert told[f"{aimed}: p99, ms"].met
    assert report({aimed: [ran(79, 410)]})[0].met is False
    assert all(row.met is None for row in rows if "1 clients" in row.claim)
    assert "MISSED" in capsys.readouterr().out


def test_results_are_read_as_they_were_written(tmp_path: Any) -> None:
    rows = report({Cell(size=500, clients=32): [ran(79, 410), ran(95, 400)]})
    result = Result(name="bench-api", command="make bench-api", date="2026-01-01", machine="m", rows=tuple(rows))
    write(result, tmp_path / "out.json")
    assert read(tmp_path / "out.json") == result
