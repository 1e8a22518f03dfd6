"""Three of the results as pictures for the README: drawn by Plotly in a headless Chromium, kept as SVG.

Each picture holds a digest of what it shows, so that the check can tell without drawing whether it is that of the
results.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from eval.digests import ROOT
from eval.results import Result, Row

FOLDER = ROOT / "docs" / "pictures"
WIDTH = 900
_COLUMN = 127  # percent: where the column of figures ends, right of the longest bar
_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_LEGIBLE = 3.0  # milliseconds: a narrower piece of a bar has no room for its figure
_OWN, _OTHER, _SOFT = "#0b5cad", "#67727f", "#a9c3e2"  # one accent colour; the rest is grey
_INK, _LINES = "#1f2933", "#e3e7ec"
_NAMES = {
    "product": "this memory",
    "this product": "this gate",
    "mem0": "mem0",
    "langgraph": "LangGraph",
    "memnos": "memnos",
    "hindsight": "Hindsight",
}
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"]
_DIGEST = re.compile(r"<!-- of the figures: (?P<digest>[0-9a-f]{64}) -->")


class NoBrowser(RuntimeError):
    """Pictures have to be drawn, and there is no Chromium to draw them in."""


def stale_values(results: Mapping[str, Result]) -> go.Figure | None:
    """How often a value that no longer holds is among the five hits, and how often the current one, by memory layer."""
    rows = _rows(results, "peers")
    names = [name for name in _NAMES if f"{name}: stale@5, changing facts" in rows]
    if not names:
        return None
    parts = {
        "solid: a value that no longer holds": [rows[f"{name}: stale@5, changing facts"] for name in names],
        "hatched: the current value": [rows[f"{name}: current@5, changing facts"] for name in names],
    }
    n = parts["hatched: the current value"][0].n
    title = f"Facts that change: % of {n} questions with it among the five hits"
    return _pairs(title, [_NAMES[name] for name in names], parts)


def guards(results: Mapping[str, Result]) -> go.Figure | None:
    """What gets past each guard, and what it leaves for a person to look at: the two prices of guarding."""
    rows = _rows(results, "guards")
    ending = ": attack texts of others that became a fact"
    names = [claim.removesuffix(ending) for claim in rows if claim.endswith(ending)]
    if not names:
        return None
    names.sort(key=lambda name: rows[f"{name}{ending}"].figure)
    past = [rows[f"{name}{ending}"] for name in names]
    waits = [rows[f"{name}: texts that wait for a person"] for name in names]
    parts = {
        f"solid: of {past[0].n} attack texts, became a fact": past,
        f"hatched: of all {waits[0].n} texts, wait for a person": waits,
    }
    return _pairs("Memory guards: % that gets in, and % that waits for a person", [*_named(names)], parts)


def _named(names: Iterable[str]) -> Iterable[str]:
    return (_NAMES.get(name, name) for name in names)


def _pairs(title: str, names: Sequence[str], parts: Mapping[str, Sequence[Row]]) -> go.Figure:
    """Two bars a name, lying, with their intervals; the product's in the accent colour."""
    shown = go.Figure()
    own = [name in {_NAMES["product"], _NAMES["this product"]} for name in names]
    labels = [f"<b>{name}</b>" if mine else name for name, mine in zip(names, own, strict=True)]
    for number, (what, rows) in enumerate(parts.items()):
        solid = number == 0
        shown.add_trace(
            go.Bar(
                name=what,
                orientation="h",
                y=labels,
                x=[100 * row.figure for row in rows],
                marker={
                    "color": [_OWN if mine else _OTHER for mine in own],
                    "pattern": {"shape": "" if solid else "/", "fillmode": "replace", "solidity": 0.3},
                    "line": {"color": [_OWN if mine else _OTHER for mine in own], "width": 1},
                },
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [100 * ((row.high or row.figure) - row.figure) for row in rows],
                    "arrayminus": [100 * (row.figure - (row.low or 0.0)) for row in rows],
                    "color": _INK,
                    "thickness": 1.2,
                    "width": 3,
                },
            )
        )
        shown.add_trace(  # the figures stand in a column of their own, where no bar and no whisker crosses them
            go.Scatter(
                y=labels, x=[_COLUMN] * len(rows), mode="text", showlegend=False, hoverinfo="skip",
                text=[_cell(parts, place) if solid else "" for place in range(len(rows))],
                textposition="middle left", textfont={"size": 14, "color": _INK},
            )
        )  # fmt: skip
    laid = _laid(shown, title)
    laid.update_layout(height=120 + 58 * len(names), bargap=0.3, barmode="group")
    laid.update_xaxes(range=[0, _COLUMN + 1], tickvals=[0, 20, 40, 60, 80, 100], gridcolor=_LINES, showgrid=True)
    laid.update_yaxes(autorange="reversed", showgrid=False, ticksuffix="  ")
    return laid


def _cell(parts: Mapping[str, Sequence[Row]], place: int) -> str:
    return " · ".join(f"{100 * rows[place].figure:.0f} %" for rows in parts.values())


def latency(results: Mapping[str, Result]) -> go.Figure | None:
    """Where the time of a recall goes, by how many memories its owner has."""
    rows = _rows(results, "bench")
    sizes = [size for size in _SIZES if f"recall at {size:,} memories: embedding" in rows]
    if not sizes:
        return None
    shown = go.Figure()
    for part, label, colour in (
        ("embedding", "embedding the question", _OTHER),
        ("store", "the store: SQL, and its rows made into memories", _OWN),
        ("ranking", "ranking", _SOFT),
    ):
        of = [rows[f"recall at {size:,} memories: {part}"].figure for size in sizes]
        shown.add_trace(
            go.Bar(
                name=label, orientation="h", y=[f"{size:,} memories" for size in sizes], x=of,
                marker={"color": colour}, text=[f"{value:.0f}" if value >= _LEGIBLE else "" for value in of],
                textposition="inside", insidetextanchor="middle", textangle=0,
                textfont={"size": 14, "color": "white"},
            )
        )  # fmt: skip
    n = rows[f"recall at {sizes[0]:,} memories: embedding"].n
    laid = _laid(shown, f"One recall by memories of its owner: milliseconds, medians of {n}")
    laid.update_layout(barmode="stack", height=130 + 70 * len(sizes), legend={"traceorder": "normal"})
    laid.update_xaxes(showgrid=True, gridcolor=_LINES)
    laid.update_yaxes(autorange="reversed", showgrid=False, ticksuffix="  ")
    return laid


PICTURES: Mapping[str, Callable[[Mapping[str, Result]], go.Figure | None]] = {
    "stale-values.svg": stale_values,
    "guards.svg": guards,
    "recall-latency.svg": latency,
}


def stale(results: Mapping[str, Result], folder: Path = FOLDER) -> list[str]:
    """Pictures that show something else than the results, a sentence each."""
    wrong = []
    for name, make in PICTURES.items():
        figure = make(results)
        if figure is not None and _kept(folder / name) != digest_of(figure):
            wrong.append(f"docs/pictures/{name} is not of the results. Draw it anew: python -m eval.figures --write")
    return wrong


def draw(results: Mapping[str, Result], folder: Path = FOLDER) -> list[str]:
    """Draw those that are not of the results; returns their names.

    Raises:
        NoBrowser: there is something to draw, and no Chromium.
    """
    due = {
        name: figure
        for name, make in PICTURES.items()
        if (figure := make(results)) is not None and _kept(folder / name) != digest_of(figure)
    }
    if due:
        for name, svg in zip(due, _rendered(list(due.values())), strict=True):
            noted = f"<!-- of the figures: {digest_of(due[name])} -->"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"{svg}\n{noted}\n", encoding="utf-8")
            print(f"drawn: docs/pictures/{name}")
    return list(due)


def digest_of(figure: go.Figure) -> str:
    """What a picture shows, as a digest."""
    return hashlib.sha256(json.dumps(_plain(figure), sort_keys=True).encode()).hexdigest()


def _kept(path: Path) -> str:
    found = _DIGEST.search(path.read_text(encoding="utf-8")) if path.exists() else None
    return found["digest"] if found else ""


def _plain(figure: go.Figure) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(figure.to_json())
    whole.get("layout", {}).pop("template", None)  # Plotly's own, which a new version may word otherwise
    return whole


def chromium() -> str | None:
    """The browser that draws, if there is one."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def _rendered(figures: Iterable[go.Figure]) -> list[str]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only those who draw need it

    program = chromium()
    if program is None:
        msg = "Chromium is not installed (package: chromium), so the pictures cannot be drawn; the pages are written"
        raise NoBrowser(msg)
    drawn = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        page = browser.new_page()
        page.set_content("<!doctype html><div id=figure></div>")
        page.add_script_tag(content=get_plotlyjs())
        for figure in figures:
            address: str = page.evaluate(
                "async ({figure, width, height}) => Plotly.toImage(figure, {format: 'svg', width, height})",
                {"figure": _plain(figure), "width": WIDTH, "height": figure.layout.height},
            )
            drawn.append(unquote(address.partition(",")[2]))
        browser.close()
    return drawn


def _rows(results: Mapping[str, Result], name: str) -> dict[str, Row]:
    return {row.claim: row for row in results[name].rows} if name in results else {}


def _laid(figure: go.Figure, title: str) -> go.Figure:
    figure.update_layout(
        title={"text": title, "x": 0.01, "font": {"size": 18}},
        font={"family": "Helvetica, Arial, sans-serif", "size": 14, "color": _INK},
        paper_bgcolor="white",
        plot_bgcolor="white",
        height=420,
        margin={"l": 20, "r": 20, "t": 90, "b": 40},
        legend={"orientation": "h", "x": 0.0, "y": 1.02, "yanchor": "bottom", "font": {"size": 14}},
        bargap=0.3,
    )
    figure.update_yaxes(gridcolor=_LINES, zerolinecolor=_OTHER, automargin=True)
    figure.update_xaxes(showgrid=False, zeroline=False, linecolor=_OTHER, automargin=True)
    return figure
