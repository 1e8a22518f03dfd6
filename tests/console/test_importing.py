"""Bringing in files on the Memories page: looked at before, watched, and what became of each entry."""

from __future__ import annotations

import csv
import io

import pytest

from console import importing
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, nodes, opener, press, run

FACTS = b"text,date\nThe gate is green.,2024-05-31\nThe shed is red.,soon\nThe pond is deep.,\n"


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    return opener(monkeypatch)


def looked_at(open_page: Open, desk: Desk):
    at = press(open_page("memories", desk), "own-bring")
    at.file_uploader(key="bring-file").upload("facts.csv", FACTS)
    return run(at)


def test_a_file_is_looked_at_before_anything_is_written(open_page: Open) -> None:
    desk = Desk()
    at = looked_at(open_page, desk)
    shown = drawn(at)
    assert "CSV table: “facts”" in shown
    assert "Rows, 2" in shown
    assert "counts as: document" in shown
    assert "Held for review" in shown
    assert "The gate is green." in shown
    assert "line 3" in shown
    assert "cannot speak for its owner" in shown
    assert desk.calls == [("keep", "facts.csv")]
    run(at)
    assert desk.calls == [("keep", "facts.csv")]  # drawn again, kept once


def test_taken_in_it_is_watched_and_then_told_entry_by_entry(open_page: Open) -> None:
    desk = Desk()
    at = looked_at(open_page, desk)
    press(at, "bring-yes")
    assert ("begin", "facts.csv", 3) in desk.calls
    assert "Bringing in a file" in drawn(at)
    desk.imports.finish()
    shown = drawn(run(at))
    assert "The file is in" in shown
    assert "1 of 2 entries of “facts” were taken in" in shown
    assert "the column date: no date" in shown
    assert "line 2" not in shown  # what is broken is shown first
    press(at, "bring-close")
    assert "The file is in" not in drawn(at)


def test_one_that_goes_on_is_shown_to_whoever_comes_back_and_can_be_stopped(open_page: Open) -> None:
    desk = Desk()
    desk.imports.going(total=10, done=4)
    at = open_page("memories", desk)
    assert "Bringing in a file" in drawn(at)
    press(at, "bring-stop")
    assert ("stop", "r-1") in desk.calls
    assert "The import was stopped" in drawn(run(at))


def test_a_file_that_cannot_be_read_says_what_to_do(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("memories", desk), "own-bring")
    at.file_uploader(key="bring-file").upload("facts.csv", b"a,b\n1,2\n")
    assert "no column named text" in drawn(run(at))


def test_no_word_of_a_file_reaches_the_page_but_escaped(open_page: Open) -> None:
    desk = Desk(evil=EVIL)
    at = looked_at(open_page, desk)
    desk.imports.going()
    run(at)
    desk.imports.finish()
    run(at)
    for one in nodes(at):
        body = getattr(getattr(one, "proto", None), "body", "")
        assert "<img" not in str(body)
        assert "](" not in str(getattr(getattr(one, "proto", None), "label", "")).replace("\\](", "").replace(
            "\\]\\(", ""
        )


def test_no_cell_of_the_report_is_a_formula(open_page: Open) -> None:
    desk = Desk()
    desk.imports.going()
    open_page("memories", desk)
    desk.imports.finish()
    rows = list(csv.reader(io.StringIO(importing.report("r-1").decode("utf-8-sig"))))
    assert rows[0] == ["number", "result", "where", "title", "what to do"]
    assert rows[1] == ["1", "new", "line 2", "'=1+1", ""]
    assert len(rows) == 3
