"""Imports in the real ledger: runs, results and known versions, apart by owner, gone with an erasure."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import NotFound
from core.ledger import SqliteLedger
from core.ledger_pg import PostgresLedger
from core.model import Scope
from core.ports import ImportResult, ImportRun, ImportState, KnownItem, Outcome
from tests.contract.ledger_values import MARA, NOON, episode

OTHER = Scope(tenant=MARA.tenant, owner="somebody else")
RUN = ImportRun(
    run_id="r1",
    scope=MARA,
    format="csv",
    name="facts",
    state=ImportState.WAITING,
    started_at=NOON,
    updated_at=NOON,
    upload="u1",
)
ITEM = KnownItem(
    scope=MARA,
    connector="markdown",
    namespace="Garden",
    item_id="a.md",
    version=1,
    digest="d" * 64,
    parts={"p": "e1"},
    at=NOON,
)


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request, tmp_path):
    if request.param == "postgres":
        made = PostgresLedger.open(request.getfixturevalue("ledger_url"), hmac_key=b"k" * 32)
    else:
        made = SqliteLedger.open(tmp_path / "ledger.sqlite", hmac_key=b"k" * 32)
    yield made
    made.close()


def put(ledger, *, runs=(), items=(), results=()):
    with ledger.transaction() as tx:
        for one in runs:
            tx.put_import(one)
        for one in items:
            tx.put_known_item(one)
        tx.add_import_results("r1", results)


def test_a_run_is_kept_changed_and_seen_by_its_owner_only(ledger):
    put(ledger, runs=[RUN, replace(RUN, run_id="r2", started_at=NOON + timedelta(hours=1), upload="")])
    assert [one.run_id for one in ledger.import_runs(MARA, limit=5)] == ["r2", "r1"]
    assert ledger.import_run(MARA, "r1") == RUN
    assert ledger.import_run(OTHER, "r1") is None
    assert [one.run_id for one in ledger.open_imports(limit=5)] == ["r1"]
    assert ledger.kept_uploads() == {"u1"}
    done = replace(RUN, state=ImportState.DONE, counts={"new": 3}, total=3)
    put(ledger, runs=[done])
    assert ledger.import_run(MARA, "r1") == done
    assert done.done == 3
    assert ledger.open_imports(limit=5) == []
    assert ledger.kept_uploads() == set()
    with pytest.raises(NotFound):
        put(ledger, runs=[replace(RUN, scope=OTHER)])


def test_results_are_paged_in_order_and_written_over(ledger):
    rows = [ImportResult(number=n, outcome=Outcome.NEW, place=f"line {n}") for n in range(1, 8)]
    put(ledger, runs=[RUN], results=rows)
    broken = ImportResult(number=3, outcome=Outcome.BROKEN, place="line 3", reason="mend it")
    put(ledger, results=[broken])
    page, total = ledger.import_results(MARA, "r1", only=None, limit=2, offset=2)
    assert (page, total) == ([broken, rows[3]], 7)
    assert ledger.import_results(MARA, "r1", only=Outcome.BROKEN, limit=9, offset=0) == ([broken], 1)
    assert ledger.import_results(OTHER, "r1", only=None, limit=9, offset=0) == ([], 0)


def test_the_last_version_of_an_item_is_known_within_its_namespace(ledger):
    put(ledger, items=[ITEM, replace(ITEM, item_id="b.md"), replace(ITEM, namespace="Shed", version=9)])
    put(ledger, items=[replace(ITEM, version=2, parts={"q": "e2"}, outgoing=("e1",))])
    found = ledger.known_items(MARA, connector="markdown", namespace="Garden", item_ids=["a.md", "c.md", "a.md"])
    assert {name: one.version for name, one in found.items()} == {"a.md": 2}
    assert found["a.md"].outgoing == ("e1",)
    assert ledger.known_items(OTHER, connector="markdown", namespace="Garden", item_ids=["a.md"]) == {}
    assert ledger.known_items(MARA, connector="csv", namespace="Garden", item_ids=["a.md"]) == {}


def test_an_earlier_version_is_seen_to_once_the_new_one_is_read(ledger):
    with ledger.transaction() as tx:
        old = tx.add_episode(episode("e1"), idempotency_key=None, inbox=False)
        new = tx.add_episode(episode("e2"), idempotency_key=None, inbox=True)
        tx.put_known_item(replace(ITEM, parts={"q": new.episode_id}, outgoing=(old.episode_id,)))
    assert ledger.outgoing_items(limit=5) == []
    leased = ledger.claim(worker="w", now=NOON, lease_seconds=30)
    assert leased is not None
    assert ledger.outgoing_items(limit=5) == []
    with ledger.transaction() as tx:
        tx.finish_episode(leased.episode_id, worker="w")
    assert [one.item_id for one in ledger.outgoing_items(limit=5)] == ["a.md"]


def test_an_import_ends_whole_or_not_at_all(ledger):
    with pytest.raises(NotFound):  # the last of three is refused
        put(ledger, runs=[replace(RUN, run_id="r2"), RUN, replace(RUN, scope=OTHER)], items=[ITEM])
    assert ledger.import_run(MARA, "r1") is None
    assert ledger.known_items(MARA, connector="markdown", namespace="Garden", item_ids=["a.md"]) == {}


def test_erasure_takes_every_row_of_one_owner(ledger):
    theirs = replace(RUN, run_id="r9", scope=OTHER)
    put(
        ledger,
        runs=[RUN, theirs],
        items=[ITEM, replace(ITEM, scope=OTHER)],
        results=[ImportResult(number=1, outcome=Outcome.NEW, place="line 1", title="secret")],
    )
    with ledger.transaction() as tx:
        tx.erase(MARA.tenant, MARA.owner)
    assert ledger.import_runs(MARA, limit=5) == []
    assert ledger.known_items(MARA, connector="markdown", namespace="Garden", item_ids=["a.md"]) == {}
    assert ledger.import_run(OTHER, "r9") == theirs


@pytest.mark.parametrize(
    "ledger", ["sqlite"], indirect=True
)  # a file can be looked into; see test_ledger_moving for Postgres
def test_an_erased_title_is_gone_from_the_file(ledger):
    put(ledger, runs=[RUN], results=[ImportResult(number=1, outcome=Outcome.NEW, place="line 1", title="secret")])
    with ledger.transaction() as tx:
        tx.erase(MARA.tenant, MARA.owner)
    ledger.compact()
    assert b"secret" not in Path(ledger._place.name).read_bytes()
