"""The queue's pages are read from its index: 10,000 held items must not make a reviewer wait."""

from __future__ import annotations

from contextlib import closing

import pytest

from core.ledger import SqliteLedger
from core.ledger.connection import named_queries
from core.ledger.reader import _filter_values
from core.ports import HeldFilter
from tests.contract.ledger_values import NOON


@pytest.fixture
def plan(tmp_path):
    with closing(SqliteLedger.open(tmp_path / "ledger.sqlite")) as ledger:

        def of(query, **values):
            with ledger._pool.snapshot() as connection:
                rows = connection._sqlite.execute(f"EXPLAIN QUERY PLAN {named_queries()[query]}", values).fetchall()
            return [tuple(row)[3] for row in rows]

        yield of


@pytest.mark.parametrize("query", ["held", "held_groups"])
@pytest.mark.parametrize("order", ["oldest", "newest", "priority"])
def test_a_page_reads_no_wide_row_but_its_own(plan, query, order):
    where = _filter_values(HeldFilter(tenant="acme", at=NOON, order=order))
    steps = plan(query, **where, by="alike", limit=50, offset=0)
    [walk] = [
        one for one in steps if " candidate " in f"{one} " and "rowid" not in one and "candidate_search" not in one
    ]
    assert walk == "SEARCH candidate USING COVERING INDEX candidate_queue (tenant=? AND state=?)"


@pytest.mark.parametrize(
    ("query", "values", "index"),
    [
        ("markings", {"candidate_ids": '["k1"]'}, "candidate_alike"),
        ("markings", {"candidate_ids": '["k1"]'}, "candidate_declined"),
        ("overdue", {"before": "x", "now": "x", "limit": 1}, "candidate_waiting"),
        ("first_alike", {"tenant": "x", "owner": "x", "agent": "x", "alike_mark": 1}, "candidate_first"),
        ("unplaced", {"limit": 1}, "candidate_unalike"),
        ("rewording_of", {"candidate_id": "x"}, "rewording_original"),
    ],
)
def test_what_is_looked_up_has_an_index(plan, query, values, index):
    assert any(index in one for one in plan(query, **values))
