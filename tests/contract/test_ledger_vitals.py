"""What an operator watches of a ledger, on both databases, each number beside what was put there."""

import pytest

from core.ledger import SqliteInsight, SqliteLedger, StoredInsight
from core.ledger_pg import PostgresDatabase, PostgresLedger
from core.model import CandidateState
from core.ports import HeldWaiting
from tests.contract.ledger_contract import claim, note, put_episode, put_item
from tests.contract.ledger_values import IVO, MARA, NOON, STRANGER, activate, after, candidate, decision, episode


@pytest.fixture(params=["sqlite", "postgres"])
def both(request, tmp_path):
    if request.param == "sqlite":
        ledger = SqliteLedger.open(tmp_path / "ledger.sqlite3")
        insight = SqliteInsight.open(tmp_path / "ledger.sqlite3")
    else:
        url = request.getfixturevalue("ledger_url")
        ledger, insight = PostgresLedger.open(url), StoredInsight.at(PostgresDatabase(url))
    yield ledger, insight
    insight.close()
    ledger.close()


def hold(ledger, name, *, scope=MARA, state=CandidateState.HELD, at=NOON):
    stored = put_episode(ledger, episode(f"e-{name}", scope=scope), inbox=False)
    put_item(ledger, candidate(name, stored), decision(f"d-{name}", name, at=at), state=state, at=at)


def test_a_ledger_with_nothing_in_it(both):
    _, insight = both
    found = insight.vitals(at=NOON, reader="webhook:x")
    assert (found.inbox, found.inbox_oldest, found.leases, found.outbox, found.outbox_oldest) == (0, None, 0, 0, None)
    assert [(one.state, one.count, one.oldest) for one in found.held] == [
        ("waiting", 0, None),
        ("assigned", 0, None),
        ("snoozed", 0, None),
    ]
    assert found.untold == {}


def test_the_inbox_and_who_is_at_work(both):
    ledger, insight = both
    for number, scope in enumerate([MARA, MARA, MARA, IVO, STRANGER]):
        put_episode(ledger, episode(f"e{number}", scope=scope))
    put_episode(ledger, episode("kept"), inbox=False)
    claim(ledger, "w1", lease=60)
    claim(ledger, "w2", lease=5)
    found = insight.vitals(at=after(1))
    assert (found.inbox, found.inbox_oldest, found.leases) == (5, NOON, 2)
    assert insight.vitals(at=after(10)).leases == 1  # the other one's has run out


def test_the_outbox_and_since_when(both):
    ledger, insight = both
    note(ledger)
    for name in ("z", "y"):
        with ledger.transaction() as tx:
            tx.enqueue(activate(name))
            tx.append_audit(
                at=after(9), actor="policy", action="candidate:admitted", tenant="acme", owner="m", about={}
            )
    found = insight.vitals(at=after(20))
    assert (found.outbox, found.outbox_oldest) == (2, after(9))
    with ledger.transaction() as tx:
        tx.mark_applied("z", at=after(21))
    assert insight.vitals(at=after(22)).outbox == 1


def test_what_waits_for_people_in_every_tenant(both):
    ledger, insight = both
    hold(ledger, "first", at=after(1))
    hold(ledger, "strange", scope=STRANGER, at=NOON)
    hold(ledger, "asked", at=after(2))
    hold(ledger, "later", at=after(3))
    hold(ledger, "back", at=after(4))
    hold(ledger, "known", state=CandidateState.ADMITTED)
    hold(ledger, "refused", state=CandidateState.REJECTED)
    with ledger.transaction() as tx:
        tx.assign("asked", user_id="rita", to="otto", at=NOON, note="")
        tx.snooze("later", user_id="rita", until=after(100), at=NOON, note="")
        tx.snooze("back", user_id="rita", until=after(50), at=NOON, note="")
    assert insight.vitals(at=after(60)).held == (
        HeldWaiting(state="waiting", count=3, oldest=NOON),
        HeldWaiting(state="assigned", count=1, oldest=after(2)),
        HeldWaiting(state="snoozed", count=1, oldest=after(3)),
    )


def test_what_a_reader_of_the_chain_has_not_been_told(both):
    ledger, insight = both
    first = note(ledger, "candidate:held")
    for action in ("candidate:held", "candidate:admitted", "candidate:held"):
        note(ledger, action)
    assert insight.vitals(at=NOON, reader="webhook:x").untold == {}  # it hears of what comes from its start on
    with ledger.transaction() as tx:
        tx.set_cursor("webhook:x", first.seq)
    assert insight.vitals(at=NOON, reader="webhook:x").untold == {"candidate:held": 2, "candidate:admitted": 1}
    assert insight.vitals(at=NOON).untold == {}
