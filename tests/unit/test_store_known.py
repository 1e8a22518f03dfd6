"""Rows known by their bytes (core.store.known)."""

from __future__ import annotations

import json

import pytest

from core.store.known import LONGEST, KnownRows
from core.store.rows import to_row
from tests.store_fixtures import MAC_KEY, make_memory


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Table:
    """Rows of memories, and how often one was read."""

    def __init__(self):
        self.read = 0

    def row(self, raw):
        self.read += 1
        name, text = (column.decode() for column in raw[:2])
        made = to_row(make_memory(memory_id=name, text=text), ledger_seq=1, mac_key=MAC_KEY)
        decoded = {column: json.loads(made[column]) for column in ("roots", "support", "impact")}
        return made | decoded | ({"kind": "none"} if text == "broken" else {})


@pytest.fixture
def table():
    return Table()


def raw(name, text="You live in Tartu."):
    return (name.encode(), text.encode(), None)


def test_the_same_bytes_are_read_once(table):
    rows = KnownRows()
    first = rows.of(raw("m1"), table.row)
    assert rows.of(raw("m1"), table.row) is first
    assert table.read == 1


def test_other_bytes_are_read_anew_and_replace_what_was_known(table):
    rows = KnownRows()
    rows.of(raw("m1"), table.row)
    changed = rows.of(raw("m1", "You live in Delft."), table.row)
    assert changed.memory.text == "You live in Delft."
    assert rows.of(raw("m1", "You live in Delft."), table.row) is changed
    assert table.read == 2


def test_a_row_that_cannot_be_read_is_not_remembered(table):
    rows = KnownRows()
    for _ in range(2):
        with pytest.raises(KeyError):
            rows.of(raw("m1", "broken"), table.row)
    assert table.read == 2


def test_no_more_than_two_generations_are_kept(table):
    rows = KnownRows(most=3)
    for n in range(20):
        rows.of(raw(f"m{n}"), table.row)
    assert len(rows._young) + len(rows._old) <= 6
    rows.of(raw("m19"), table.row)
    assert table.read == 20


def test_what_is_asked_for_survives_the_turn_of_a_generation(table):
    rows = KnownRows(most=3)
    kept = rows.of(raw("kept"), table.row)
    for n in range(20):
        rows.of(raw(f"m{n}"), table.row)
        assert rows.of(raw("kept"), table.row) is kept


def test_what_nobody_asks_for_goes_with_time(table):
    clock = Clock()
    rows = KnownRows(seconds=10, clock=clock)
    rows.of(raw("m1"), table.row)
    for _ in range(2):
        clock.now += 10
        rows.age()
    assert not rows._young
    assert not rows._old


def test_long_rows_are_not_kept(table):
    rows = KnownRows()
    rows.of(raw("m1", "x" * (LONGEST + 1)), table.row)
    assert not rows._young


def test_the_seal_is_checked_with_the_key_that_is_asked_for(table):
    row = KnownRows().of(raw("m1"), table.row)
    assert not row.genuine(b"another key")
    assert row.genuine(MAC_KEY)
    assert not row.genuine(b"another key")
