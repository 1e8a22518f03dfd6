"""The page "Decay & trust" against a desk in memory: what it says, what can be tried, and that no word is in a figure."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from console import charts, crowd, figures, palette
from core.insight import Whose
from core.model import MemoryStatus, Role
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, nodes, press, run
from tests.console.test_safe import Tags, sources

ROOT = Path(__file__).parents[2]


def drawn_figures(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(one.proto.spec) for one in nodes(at) if getattr(one, "type", "") == "plotly_chart"]


def grids(at: AppTest) -> list[Any]:
    return [one.value for one in at.dataframe]


def unfolded(at: AppTest) -> AppTest:
    """The page with each of its tables open."""
    for node in nodes(at):
        if getattr(node, "type", "") == "expander" and (key := re.search(r"table-[\w-]+", node.proto.id)):
            at.session_state[key.group()] = True
    return run(at)


def turned(at: AppTest) -> Iterator[str]:
    """Open one chart after the other; the name of the one that is open, and the page stands at it."""
    for name in (crowd.LASTING, crowd.TRUST, crowd.STRENGTH, crowd.FLOW, crowd.SOURCES):
        tab(at, name)
        yield name


def tab(at: AppTest, name: str) -> AppTest:
    at.session_state[crowd.TAB] = name
    return run(at)


def view(at: AppTest, name: str) -> AppTest:
    at.get_by_key("decay-view").set_value(name)
    return run(at)


# --- all memories -------------------------------------------------------------------------------------------------


def test_every_chart_says_what_it_shows(open_page: Open) -> None:
    at = open_page("decay", Desk())
    shown, charts_drawn, alts = "", [], []
    for name in turned(at):
        assert len(drawn_figures(at)) == (name != crowd.SOURCES), name  # a browser draws each of them slowly
        shown += drawn(at)
        charts_drawn += drawn_figures(at)
        alts += [one.proto.alt for one in nodes(at) if getattr(one, "type", "") == "plotly_chart"]
    assert "After 30 days, 83 % of what came from own words is still current, and 60 % from web pages." in shown
    assert "3 of 23 current memories come from below 0.50, each let in by a named person." in shown
    assert "6 statements wait for review." in shown
    assert "2 of 23 current memories are weaker than 0.15: the next question that finds one puts it away." in shown
    assert "Of 33 statements in the last 90 days, 9 (27 %) waited for a person, 3 were promoted" in shown
    assert "most came on 5 March (24)." in shown
    assert "Web pages contradict most: 22 % of 9 statements met a memory that says otherwise." in shown
    titles = [one["layout"]["xaxis"]["title"]["text"] for one in charts_drawn if "title" in one["layout"]["xaxis"]]
    assert "Age (days)" in titles
    assert all(one and one in shown for one in alts)


def test_each_chart_has_its_numbers_as_a_table_and_a_file(open_page: Open) -> None:
    at = open_page("decay", Desk())
    files, lasting = set(), None
    for name in turned(at):
        if name != crowd.SOURCES:
            assert not grids(at)  # only what is opened is sent
        unfolded(at)
        files |= {one.key for one in nodes(at) if getattr(one, "type", "") == "download_button"}
        lasting = grids(at)[0] if name == crowd.LASTING else lasting
    assert len(files) == 6  # four charts, the sources, the single ones
    assert lasting is not None
    assert list(lasting["Source"]) == ["own words", "own words", "web page", "web page"]
    assert list(lasting["Still current (%)"]) == [100.0, 83.3, 100.0, 60.0]
    assert list(lasting["Watched"]) == [24, 24, 5, 5]


def test_a_csv_reads_back_and_runs_no_formula() -> None:
    at = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
    made = charts.csv_of({"When": [at, at.date()], "Words": ["=1+1", 'a "b", c'], "Number": [-0.5, None]})
    rows = list(csv.reader(io.StringIO(made.decode("utf-8-sig"))))
    assert rows == [
        ["When", "Words", "Number"],
        ["2026-03-14T09:30:00+00:00", "'=1+1", "-0.5"],
        ["2026-03-14", 'a "b", c', ""],
    ]
    for evil in ("=x", "+x", "-x", "@x", " =x", "\t=x", "\rx"):
        cell = next(csv.reader(io.StringIO(charts.csv_of({"a": [evil]}).decode("utf-8-sig").split("\r\n", 1)[1])))[0]
        assert cell.startswith("'"), evil


def test_the_days_counted_are_chosen(open_page: Open) -> None:
    desk = Desk()
    at = tab(open_page("decay", desk), crowd.FLOW)
    at.get_by_key("decay-days").set_value(30)
    assert "in the last 30 days" in drawn(run(at))
    assert desk.calls[-1] == ("overview", Whose.OWN, 30)


def test_a_reviewer_sees_everybody_as_numbers_only(open_page: Open) -> None:
    desk = Desk(role=Role.REVIEWER)
    at = open_page("decay", desk)
    at.get_by_key("decay-whose").set_value(Whose.TENANT)
    assert "3 people" in drawn(run(at))
    assert desk.calls[-1] == ("overview", Whose.TENANT, 90)
    shown = ""
    for _ in turned(at):
        assert "recipes.example" not in json.dumps([one.to_dict() for one in grids(unfolded(at))], default=str)
        assert not [one for one in nodes(at) if getattr(one, "type", "") == "plotly_chart" and one.proto.selection_mode]
        shown += drawn(at)
    assert "the larger the dot, the more there are" in shown


def test_the_dots_stay_the_same_figure_while_strength_wanes(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def clickable(at: AppTest) -> list[tuple[str, str]]:
        found = [one for one in nodes(at) if getattr(one, "type", "") == "plotly_chart" and one.proto.selection_mode]
        return [(one.proto.id, one.proto.spec) for one in found]

    at = tab(open_page("decay", Desk()), crowd.STRENGTH)
    [first] = clickable(at)
    assert clickable(run(at)) == [first]  # else the click that made it run again would be forgotten
    monkeypatch.setattr(charts, "DRAWN_SECONDS", 0.0)
    assert clickable(run(at)) != [first]


def test_a_member_is_not_offered_anybody_elses(open_page: Open) -> None:
    at = open_page("decay", Desk(role=Role.MEMBER))
    with pytest.raises(KeyError):
        at.get_by_key("decay-whose")


def test_nothing_yet_and_a_store_that_is_down_are_said_calmly(open_page: Open) -> None:
    desk = Desk(empty=True)
    at = open_page("decay", desk)
    assert "Nothing to count yet" in drawn(at)
    assert drawn_figures(at) == []
    assert "Nothing is remembered yet" in drawn(view(at, "One memory"))
    desk = Desk(down=True)
    at = open_page("decay", desk)
    assert "The store is not reachable" in drawn(at)
    desk.down = False
    assert "The store is not reachable" not in drawn(run(at))


# --- one memory ---------------------------------------------------------------------------------------------------


def test_the_curve_of_the_memory_that_the_address_names(open_page: Open) -> None:
    at = open_page("decay", Desk(), memory="m-2")
    shown = drawn(at)
    assert "You live in Porto." in shown
    # stated 20 days before 14 March 2026 by a later confirmation is what the store says: 40 days here; two recalls
    assert "It can be put away from" in shown
    (figure,) = drawn_figures(at)
    named = {one.get("name"): len(one["x"]) for one in figure["data"] if one.get("name")}
    assert named == {"Used in an answer": 2, "Said again": 1}
    said = [one["text"] for one in figure["layout"]["annotations"]]
    assert "Today" in said
    assert "Put away below 0.15" in said
    assert figure["layout"]["yaxis"]["title"]["text"].startswith("Strength (importance × freshness")
    what = list(grids(unfolded(at))[0]["What"])
    assert what[:4] == ["Remembered", "Used in an answer", "Said again", "Used in an answer"] or what[:3] == [
        "Used in an answer",
        "Said again",
        "Used in an answer",
    ]


def test_what_if_is_drawn_and_changes_nothing(open_page: Open) -> None:
    desk = Desk()
    at = open_page("decay", desk, memory="m-2")
    before = dict(desk.memories.rows)
    first = re.search(r"Then it could be put away from ([^,]+) on, ([^.]+) later", drawn(at))
    assert first
    at.slider(key="what-if-times").set_value(4)
    more = re.search(r"Then it could be put away from ([^,]+) on, ([^.]+) later", drawn(run(at)))
    assert more
    assert more[1] != first[1]
    at.slider(key="what-if-times").set_value(0)
    assert "Dashed" not in drawn(run(at))
    at.toggle(key="what-if-again").set_value(True)
    assert "Dashed: what if" in drawn(run(at))
    assert desk.memories.rows == before
    assert not [call for call in desk.calls if call[0] != "overview"]


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        ("m-7", "It was put away."),
        ("m-4", "It was replaced."),
        ("nobody's", "There is no such memory"),
    ],
)
def test_a_memory_out_of_use_says_so(memory: str, says: str, open_page: Open) -> None:
    assert says in drawn(open_page("decay", Desk(), memory=memory))


def test_a_pinned_memory_does_not_fade(open_page: Open) -> None:
    desk = Desk()
    desk.memories.pin(desk.actor, "m-2")
    shown = drawn(open_page("decay", desk, memory="m-2"))
    assert "It is pinned: it does not fade." in shown
    assert "It would change nothing" in shown


def test_another_memory_is_found_by_its_words(open_page: Open) -> None:
    at = open_page("decay", Desk(), memory="m-2")
    at.text_input(key="decay-find").set_value("penicillin")
    shown = drawn(run(at))
    assert "You are allergic to penicillin." in shown
    assert at.query_params["memory"] in ("m-1", ["m-1"])
    at.text_input(key="decay-find").set_value("nothing like it")
    assert "No memory holds these words." in drawn(run(at))


def test_the_drawer_offers_the_curve(open_page: Open) -> None:
    at = press(open_page("memories", Desk()), "open-m-m-1")
    assert at.button(key="curve-m-1").label == "Open its curve"


# --- untrusted words ----------------------------------------------------------------------------------------------


ANYWHERE = [("", name) for name in (crowd.LASTING, crowd.TRUST, crowd.STRENGTH, crowd.FLOW)] + [("m-2", "")]


@pytest.mark.parametrize(("memory", "name"), ANYWHERE)
def test_no_word_of_a_memory_or_a_source_is_ever_in_a_figure(memory: str, name: str, open_page: Open) -> None:
    at = open_page("decay", Desk(evil=EVIL), **({"memory": memory} if memory else {}))
    if name:
        tab(at, name)
    found = [one for one in nodes(at) if getattr(one, "type", "") == "plotly_chart"]
    assert found
    for one in found:
        said = one.proto.spec + one.proto.config + one.proto.alt
        for part in ("evil", "127.0.0.1", "onerror", "javascript", "<img", "<a", "\u202e", "\\u202e", "tada"):
            assert part not in said.lower()
        texts = re.findall(r"<[^>]*>", said)
        assert set(texts) <= {"<br>", "<extra>", "</extra>"}


@pytest.mark.parametrize(("memory", "name"), [*ANYWHERE, ("", crowd.SOURCES)])
def test_hostile_words_stay_words(memory: str, name: str, open_page: Open) -> None:
    at = open_page("decay", Desk(evil=EVIL), **({"memory": memory} if memory else {}))
    if name:
        tab(at, name)
    assert "\u202e" not in drawn(at)
    for node in nodes(at):
        if getattr(node, "type", "") == "html" and "<style" not in node.proto.body:
            seen = Tags(node.proto.body)
            assert not seen.tags & {"img", "a", "script", "svg", "iframe", "style"}
            assert not [one for one in seen.attributes if one.startswith("on")]
    if name == crowd.SOURCES:
        cells = json.dumps([one.to_dict() for one in grids(unfolded(at))], default=str, ensure_ascii=False)
        assert "\u202e" not in cells
        assert "‹U+202E›" in cells  # the owner's own sources are named, as literal text


def test_figures_are_made_and_drawn_in_one_room_each() -> None:
    """Plotly reads HTML in its texts: what makes a figure must be few enough to read."""
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = {
            name.name if isinstance(node, ast.Import) else str(node.module)
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        calls = {
            node.func.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        if path.name not in {"figures.py", "charts.py"}:
            assert not [one for one in imports if one.startswith("plotly")], path
            assert "plotly_chart" not in calls, path


def test_the_charts_colours_are_the_sheets() -> None:
    sheet = (ROOT / "console" / "static" / "styles" / "shared.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"--cm-(\w+): light-dark\((#\w+, #\w+)\)", sheet))
    for name in ("page", "muted", "line", "accent", "good", "warn", "bad"):
        assert pairs[name] == f"{getattr(palette.LIGHT, name)}, {getattr(palette.DARK, name)}", name


def test_every_kind_of_source_is_told_apart_without_its_colour() -> None:
    inks = list(palette.INKS.values())
    assert len({one.symbol for one in inks}) == len({one.dash for one in inks}) == len(inks) == 6


def test_labels_are_moved_apart() -> None:
    placed = figures.spread([100.0, 99.0, 98.0, 20.0])
    assert placed[3] == 20.0
    assert all(left - right >= 6.99 for left, right in pairwise(placed))
    low = figures.spread([0.0, 0.0, 1.0])
    assert min(low) >= 0
    assert len({round(one) for one in low}) == 3


def test_statuses_have_a_row_each() -> None:
    assert set(figures.STATES) == {*MemoryStatus, None}
