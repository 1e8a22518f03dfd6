"""Events told to another system: chosen kinds, in order, signed, at least once, without words."""

from __future__ import annotations

import hashlib
import hmac
import json
from contextlib import closing
from types import SimpleNamespace

import pytest

from core.errors import Misconfigured
from core.ledger import SqliteLedger
from core.notify import SIGNATURE, TIMESTAMP
from core.settings import Settings
from core.webhooks import EVENT_ID, Webhooks
from core.wiring_webhooks import build_webhooks, post_notice
from tests.contract.ledger_values import NOON
from tests.factories import FixedClock

SECRET = "a key that the receiver knows"
URL = "https://hooks.example/x"


class Noting:
    """The part of the enactor that is used."""

    def __init__(self, ledger):
        self.ledger, self.broken = ledger, False

    def note_read(self, name, seq):
        with self.ledger.transaction() as tx:
            tx.set_cursor(name, seq)


@pytest.fixture
def desk(tmp_path):
    with closing(SqliteLedger.open(tmp_path / "ledger.sqlite")) as ledger:
        clock, sent, answers = FixedClock(NOON), [], [200]

        def post(url, body, headers):
            answer = answers[-1] if len(answers) == 1 else answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            sent.append((url, body, headers))
            return answer

        def make(kinds=("candidate:", "policy:adopted"), url=URL):
            return Webhooks(
                ledger=ledger, enactor=Noting(ledger), clock=clock, post=post, url=url, secret=SECRET, kinds=kinds
            )

        def happen(*actions):
            for action in actions:
                with ledger.transaction() as tx:
                    tx.append_audit(at=NOON, actor="p", action=action, tenant="acme", owner="u", about={"id": action})

        happen("candidate:held")
        yield SimpleNamespace(ledger=ledger, clock=clock, sent=sent, answers=answers, make=make, happen=happen)


def run(hooks, times=1):
    for _ in range(times):
        hooks.run_once()
        for one in hooks._calls:
            one.join(timeout=10)


def told(desk):
    return [json.loads(body)["event"] for _, body, _ in desk.sent]


def test_what_comes_from_now_on_is_told_in_order_by_kind(desk):
    hooks = desk.make()
    run(hooks)
    desk.happen("candidate:admitted", "episode:received", "policy:adopted", "policy:dry_run", "candidate:promoted")
    run(hooks, 2)
    assert told(desk) == ["candidate:admitted", "policy:adopted", "candidate:promoted"]
    run(hooks, 3)
    assert len(desk.sent) == 3, "nothing twice"


def test_an_event_is_signed_over_time_and_body_and_knows_itself_again(desk):
    hooks = desk.make()
    run(hooks)
    desk.happen("candidate:held")
    run(hooks)
    [(url, body, headers)] = desk.sent
    assert url == URL
    wanted = hmac.new(SECRET.encode(), headers[TIMESTAMP].encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={wanted}"
    event = json.loads(body)
    entry = desk.ledger.audit_after(event["seq"] - 1, limit=1)[0]
    assert headers[EVENT_ID] == event["id"] == entry.hash
    assert (event["tenant"], event["owner"], event["actor"]) == ("acme", "u", "p")


def test_what_is_not_taken_is_tried_again_with_growing_pauses_and_holds_up_the_rest(desk):
    hooks = desk.make()
    run(hooks)
    desk.happen("candidate:a", "candidate:b")
    desk.answers[:] = [500, TimeoutError(), 200]
    run(hooks)
    run(hooks)
    assert len(desk.sent) == 1, "not before the pause is over"
    desk.clock.forward(minutes=1)
    run(hooks)
    desk.clock.forward(minutes=1)
    run(hooks)
    assert told(desk) == ["candidate:a"], "the second pause is longer"
    desk.clock.forward(minutes=1)
    run(hooks)
    assert told(desk) == ["candidate:a", "candidate:a", "candidate:b"]


def test_a_crash_after_sending_tells_again_rather_than_never(desk):
    hooks = desk.make()
    run(hooks)
    desk.happen("candidate:a", "candidate:b")
    hooks._send(desk.ledger.audit_after(1, limit=1)[0])  # sent, and the process died before it was noted
    run(desk.make())
    assert told(desk) == ["candidate:a", "candidate:a", "candidate:b"]
    assert desk.sent[0][2][EVENT_ID] == desk.sent[1][2][EVENT_ID]


def test_nothing_is_told_without_an_address_or_kinds_and_another_address_begins_anew(desk):
    for hooks in (desk.make(kinds=()), desk.make(url="")):
        run(hooks, 3)
    first = desk.make()
    run(first)
    desk.happen("candidate:a")
    other = desk.make(url="https://hooks.example/other")
    run(other)
    run(other)
    assert desk.sent == []
    desk.happen("candidate:b")
    run(other)
    assert told(desk) == ["candidate:b"]


def test_many_entries_of_other_kinds_are_passed_over_at_once(desk):
    hooks = desk.make()
    run(hooks)
    desk.happen(*["episode:received"] * 201)
    assert hooks.run_once() is True, "there is more"
    assert hooks.run_once() is False
    desk.happen("candidate:a")
    run(hooks)
    assert told(desk) == ["candidate:a"]


def test_kinds_without_an_address_are_refused_at_the_start(desk):
    settings = Settings(_env_file=None, chronomemory_webhook_events="candidate:, policy:")
    assert settings.webhook_kinds == ("candidate:", "policy:")
    with pytest.raises(Misconfigured, match="CHRONOMEMORY_WEBHOOK_URL"):
        build_webhooks(settings, desk.ledger, Noting(desk.ledger), desk.clock, post=post_notice)
