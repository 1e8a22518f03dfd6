"""The soak's clients, its lives and its report, without the installation that they are about."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from eval.soak import main
from eval.soak_check import Checked
from eval.soak_life import Life, Sample, new_port
from eval.soak_load import AGAIN, Book, Crowd, Said
from eval.soak_report import rows_of, told, trend

SERVER = """
import os, http.server
class One(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *given): pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), One).serve_forever()
"""


class Unsteady(BaseHTTPRequestHandler):
    """Drops the first request for a text, is unavailable at the second, then acknowledges it."""

    tries: dict[str, int] = {}  # noqa: RUF012 - the test's own
    texts: dict[str, str] = {}  # noqa: RUF012

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        key = self.headers.get("idempotency-key", "")
        if not key:
            self._say(200, {"hits": []})
            return
        self.tries[key] = self.tries.get(key, 0) + 1
        assert self.texts.setdefault(key, body["text"]) == body["text"]
        if self.tries[key] == 1:
            self.close_connection = True
            return
        if self.tries[key] == 2:
            self._say(503, {"type": "StoreUnavailable"})
            return
        self._say(202, {"episode_id": f"of-{key}"})

    def do_GET(self) -> None:
        self._say(200, {"items": [], "memories": []})

    def _say(self, status: int, body: dict[str, Any]) -> None:
        said = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_given: Any) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Unsteady)
    Unsteady.tries.clear()
    Unsteady.texts.clear()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_clients_try_again_under_the_same_key_until_they_are_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.soak_load._PAUSE", 0.01)
    crowd = Crowd(urls=[url], agent="a", person="p", texts_a_second=200.0)
    crowd.start()
    while len(crowd.book.said) < 2 * AGAIN:
        threading.Event().wait(0.01)
    crowd.end()
    said = crowd.book.said
    assert sorted(said) == list(range(len(said))), "none is left out"
    assert all(one.episode_id == f"of-{one.key}" for one in said.values())
    assert Unsteady.texts == {one.key: one.text for one in said.values()}
    assert any(count > 3 for count in Unsteady.tries.values()), "some are sent again after they were acknowledged"
    assert any(one.page for one in said.values())
    assert not crowd.book.wrong
    assert not crowd.book.other_episode


def test_the_book_tells_what_a_killed_part_explains_from_what_it_does_not() -> None:
    book = Book()
    for status in (0, 503, 404, 409, 500, 401):
        book.met("recall", status, "X", 1.0)
    book.met("recall", 200, "", 2.0)
    assert dict(book.wrong) == {"recall: 500 X": 1, "recall: 401 X": 1}
    assert sum(book.refused.values()) == 6
    assert book.milliseconds == {"recall": [2.0]}
    book.acknowledged(Said(number=1, page=False, text="t"), "first")
    book.acknowledged(book.said[1], "second")
    assert book.other_episode == [1]


def test_a_life_is_watched_killed_and_its_port_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.soak_life.PROGRAM", (sys.executable, "-c", SERVER))
    (tmp_path / "data").mkdir()
    port = new_port()
    for _ in range(2):
        life = Life(data=tmp_path / "data", port=port)
        life.start()
        assert life.alive
        (life.temporary / "left").touch()
        sample = life.look()
        assert sample.resident > 1_000_000
        assert sample.threads >= 1
        assert sample.files >= 3
        assert sample.kept == 1
        assert life.server_pid() is None
        life.kill_postgres()  # there is none
        life.kill()
        assert not life.alive
        assert life.killed == "server"
    last = Life(data=tmp_path / "data", port=port)
    last.start()
    assert last.stop() != 0  # this program does not handle the signal
    last.end()


def lives(values: list[float]) -> list[Life]:
    made = []
    for value in values:
        life = Life(data=Path("there"), port=1, ready=2.0, killed="server")
        for age in (10.0, 20.0, 30.0):
            life.samples.append(Sample(age=age, resident=int(value * 1e6), threads=20, files=30, server=10**8, kept=0))
        made.append(life)
    return made


def checked(**faults: int) -> Checked:
    nothing = dict.fromkeys(
        ("lost", "doubled", "unread", "unmade", "repeated", "recalled", "leaked", "waiting", "differences"), 0
    )
    return Checked(texts=40, promoted=2, chain="", entries=900, **nothing | faults)


def test_growth_from_life_to_life_is_told_from_noise() -> None:
    flat = trend(lives([500, 504, 498, 501, 503, 499, 500, 502]), lambda one: one.resident / 1e6)
    assert flat is not None
    assert not flat.grows
    assert flat.low < 0 < flat.high
    assert flat.age == 30.0
    rising = trend(lives([500, 510, 519, 531, 540, 549, 561, 570]), lambda one: one.resident / 1e6)
    assert rising is not None
    assert rising.grows
    assert rising.slope == pytest.approx(10, abs=0.5)
    assert trend(lives([500, 501]), lambda one: one.resident / 1e6) is None


def test_rows_miss_their_aim_when_something_was_lost_or_grows(capsys: pytest.CaptureFixture[str]) -> None:
    calm = lives([500, 504, 498, 501])
    assert not [row for row in rows_of(Book(), calm, checked()) if row.met is False]
    lost = rows_of(Book(), calm, checked(lost=1))
    assert [row.claim for row in lost if row.met is False] == ["soak: acknowledged texts lost"]
    grown = rows_of(Book(), lives([500, 510, 520, 530, 540]), checked())
    assert [row.claim for row in grown if row.met is False] == [
        "soak: memory of the process, change a life, MB, at 30 s"
    ]
    book = Book()
    book.met("recall", 500, "Internal", 1.0)
    assert any(row.met is False for row in rows_of(book, calm, checked()))
    told(book, calm, checked(lost=1))
    said = capsys.readouterr().out
    assert "4 lives" in said
    assert "MISSED" in said
    assert "recall: 500 Internal" in said


def test_a_life_must_be_long_enough() -> None:
    with pytest.raises(SystemExit):
        main(["--life", "3"])
