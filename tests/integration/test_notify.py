"""Notices about a queue that waits too long: signed, without words, once a day, tried again, never in the way."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import pytest

from core.acts import Acts
from core.errors import Misconfigured
from core.ledger import SqliteLedger
from core.notify import SIGNATURE, TIMESTAMP, Notifier
from core.settings import Settings
from core.wiring_webhooks import build_notifier, post_notice
from tests.contract.ledger_desk import put
from tests.contract.ledger_values import NOON
from tests.factories import FixedClock

SECRET = "a key that the receiver knows"


class Numbers:
    def __init__(self):
        self.made = 0

    def new(self):
        self.made += 1
        return f"n{self.made}"


class Noting(Acts):
    """The part of the enactor that a notice uses."""

    def note(self, *, actor, action, tenant, owner, about):
        with self.ledger.transaction() as tx:
            tx.append_audit(at=self.clock.now(), actor=actor, action=action, tenant=tenant, owner=owner, about=about)


@pytest.fixture
def desk(tmp_path):
    with closing(SqliteLedger.open(tmp_path / "ledger.sqlite")) as ledger:
        clock, sent, answers = FixedClock(NOON), [], [200]

        def post(url, body, headers):
            answer = answers[-1]
            if isinstance(answer, Exception):
                raise answer
            sent.append((url, body, headers))
            return answer

        enactor = Noting(ledger=ledger, clock=clock)
        put(ledger, "k1", "Your bank's new number is 555 0199.")
        with ledger.transaction() as tx:  # a tenant is known by its audit
            tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="", about={})
        notifier = Notifier(
            ledger=ledger,
            enactor=enactor,
            clock=clock,
            ids=Numbers(),
            post=post,
            url="https://hooks.example/x",
            secret=SECRET,
            after=timedelta(hours=24),
        )
        yield SimpleNamespace(ledger=ledger, clock=clock, sent=sent, answers=answers, notifier=notifier)


def look(desk):
    assert desk.notifier.run_once() is False  # it is never a step that the worker waits for
    desk.notifier.wait(10)


def audited(desk, action):
    return desk.ledger.audit("acme", action=action)[1]


def test_a_notice_is_signed_and_holds_counts_and_no_words(desk):
    look(desk)
    assert desk.sent == []  # nothing waits that long
    desk.clock.forward(hours=25)
    look(desk)
    [(url, body, headers)] = desk.sent
    assert url == "https://hooks.example/x"
    told = json.loads(body)
    assert set(told) == {"event", "tenant", "held", "oldest", "at", "id"}
    assert (told["event"], told["tenant"], told["held"]) == ("review.waiting", "acme", 1)
    assert b"bank" not in body
    expected = hmac.new(SECRET.encode(), headers[TIMESTAMP].encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={expected}"
    assert audited(desk, "queue:notified") == 1


def test_once_a_day_while_it_waits(desk):
    desk.clock.forward(hours=25)
    for _ in range(5):
        look(desk)
        desk.clock.forward(hours=1)
    assert len(desk.sent) == 1
    desk.clock.forward(hours=20)
    look(desk)
    assert len(desk.sent) == 2
    with desk.ledger.transaction() as tx:
        tx.snooze("k1", user_id="rita", until=desk.clock.now() + timedelta(days=9), at=NOON, note="")
    desk.clock.forward(hours=25)
    look(desk)
    assert len(desk.sent) == 2  # what is put off does not wait


@pytest.mark.parametrize("trouble", [500, ConnectionError("refused"), TimeoutError("late")])
def test_a_failure_is_on_record_and_tried_again_with_growing_pauses(desk, trouble):
    desk.answers.append(trouble)
    desk.clock.forward(hours=25)
    tries = []
    for minute in range(10):
        before = audited(desk, "queue:notice_failed")
        look(desk)
        if audited(desk, "queue:notice_failed") > before:
            tries.append(minute)
        desk.clock.forward(minutes=1)
    assert tries == [0, 1, 3, 7]
    desk.answers.append(204)
    desk.clock.forward(minutes=10)
    look(desk)
    assert audited(desk, "queue:notified") == 1


def test_a_receiver_that_does_not_answer_keeps_nobody(desk):
    held = threading.Event()
    object.__setattr__(desk.notifier, "post", lambda *_: held.wait(10) and 200)
    desk.clock.forward(hours=25)
    assert desk.notifier.run_once() is False
    desk.clock.forward(minutes=2)
    assert desk.notifier.run_once() is False  # the first call is still on its way: no second one
    held.set()
    desk.notifier.wait(10)
    assert audited(desk, "queue:notified") == 1


def test_over_the_wire_to_a_server_of_this_machine():
    got = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.rfile.read(int(self.headers["Content-Length"])), self.headers[SIGNATURE]))
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/hook"
        assert post_notice(url, b'{"a":1}', {SIGNATURE: "sha256=00"}) == 302  # and is not followed
        server.shutdown()
        thread.join()
    assert got == [(b'{"a":1}', "sha256=00")]
    with pytest.raises(OSError, match="Error"):
        post_notice(url, b"{}", {})


def test_an_address_without_a_key_is_refused():
    settings = Settings(_env_file=None, chronomemory_webhook_url="https://hooks.example/x")
    with pytest.raises(Misconfigured, match="SECRET"):
        build_notifier(settings, None, None, None, None)


def test_without_an_address_nothing_is_looked_at():
    notifier = build_notifier(Settings(_env_file=None), None, None, None, None)
    assert notifier.run_once() is False
