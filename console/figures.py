"""The figures, and the only room that makes any: numbers, times and the product's own words, never a memory's.

Plotly reads some HTML in every text it draws, links among it, so no untrusted word is ever put into a figure: points
are numbers, and what a person clicks on is found by its position. A test draws every figure from hostile words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from console import words
from console.palette import INKS, Look
from core.curve import Point
from core.insight import BINS, Day, Overview, Scatter
from core.model import EffectKind, MemoryStatus, SourceKind

CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True, "scrollZoom": False}
FONT = '"Source Sans", "Source Sans Pro", system-ui, sans-serif'
SMALL, NORMAL = 11, 12.5  # pixels
MARKS = {  # what happened, and how it is marked
    EffectKind.REINFORCE: ("Used in an answer", "circle", "accent"),
    EffectKind.CONFIRM: ("Said again", "diamond", "good"),
    EffectKind.ATTEST: ("Confirmed by a person", "diamond-tall", "good"),
    EffectKind.UNATTEST: ("Confirmation taken back", "diamond-tall-open", "text"),
    EffectKind.ARCHIVE: ("Put away", "square", "warn"),
    EffectKind.RESTORE: ("Brought back", "triangle-up", "good"),
    EffectKind.SUPERSEDE: ("Replaced", "x", "bad"),
    EffectKind.RETRACT: ("Taken back", "x", "bad"),
    EffectKind.TOMBSTONE: ("Forgotten", "x", "bad"),
    EffectKind.PIN: ("Pinned", "star", "text"),
    EffectKind.UNPIN: ("Unpinned", "star-open", "text"),
}
STATES: dict[MemoryStatus | None, tuple[str, str]] = {  # row of the trust chart, and its colour
    MemoryStatus.ACTIVE: ("Current", "accent"),
    None: ("Held for review", "warn"),
    MemoryStatus.SUPERSEDED: ("Replaced", "muted"),
    MemoryStatus.ARCHIVED: ("Put away", "muted"),
    MemoryStatus.DELETED: ("Forgotten", "bad"),
}
FLOWS = (  # field of a day, what it is called, its colour
    ("proposed", "Proposed", "accent"),
    ("held", "Held", "warn"),
    ("promoted", "Promoted", "good"),
    ("superseded", "Replaced", "muted"),
    ("archived", "Put away", "muted"),
)
_NEAR = 0.07  # of the height: labels nearer than this are moved apart


def base(look: Look, *, height: int, right: int = 16, top: int = 12, legend: bool = False) -> dict[str, Any]:
    """What every figure's layout has in common."""
    axis = {
        "gridcolor": look.line,
        "linecolor": look.line,
        "zeroline": False,
        "tickfont": {"color": look.muted, "size": SMALL},
        "title": {"font": {"color": look.muted, "size": SMALL}, "standoff": 8},
        "automargin": True,
        "fixedrange": True,
    }
    return {
        "template": {"layout": {"xaxis": axis, "yaxis": axis}},
        "height": height,
        "margin": {"l": 8, "r": right, "t": top, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": NORMAL, "color": look.text},
        "hoverlabel": {
            "bgcolor": look.page,
            "bordercolor": look.line,
            "font": {"family": FONT, "size": NORMAL, "color": look.text},
        },
        "showlegend": legend,
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": SMALL}},
        "dragmode": False,
        "bargap": 0.15,
    }


def label(text: str, look: Look, **rest: Any) -> dict[str, Any]:
    """Words beside a line or a point, in place of a legend."""
    given = {"showarrow": False, "font": {"size": SMALL, "color": look.muted}, "bgcolor": look.page, "borderpad": 1}
    return {"text": text, **given, **rest}


# --- one memory ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Lines:
    """What the curve of one memory is drawn of."""

    today: datetime
    marks: Sequence[tuple[datetime, EffectKind, float]]  # what happened, and the strength just after
    past: Sequence[Point]
    ahead: Sequence[Point] = ()
    what_if: Sequence[Point] = ()


def curve(lines: Lines, limit: float, look: Look) -> go.Figure:
    """Strength over time: what was, what comes, what would come; every change, the limit, and today."""
    figure = go.Figure(layout=base(look, height=360, top=34, right=52, legend=True))
    hover = "%{x|%-d %b %Y}<br>strength %{y:.2f}<extra></extra>"

    def line(points: Sequence[Point], dash: str, colour: str, width: float = 2.0) -> None:
        figure.add_scatter(
            x=[one.at for one in points],
            y=[one.strength for one in points],
            mode="lines",
            line={"color": colour, "dash": dash, "width": width},
            hovertemplate=hover,
            showlegend=False,
        )

    line(lines.past, "solid", look.accent)
    line(lines.ahead, "dot", look.accent)
    line(lines.what_if, "dash", look.good)
    for cause in MARKS:
        _marks(figure, lines.marks, cause, look)
    times = [one.at for one in (*lines.past, *lines.ahead, *lines.what_if)]
    figure.add_hline(y=limit, line={"color": look.warn, "width": 1.5, "dash": "dash"})
    figure.add_vline(x=lines.today, line={"color": look.muted, "width": 1})
    figure.add_annotation(
        label(f"Put away below {limit:.2f}", look, x=0, xref="paper", xanchor="left", y=limit, yanchor="bottom")
    )
    figure.add_annotation(label("Today", look, x=lines.today, y=1.05, yanchor="top", xanchor="left", xshift=3))
    for points, which in ((lines.ahead, "as it is"), (lines.what_if, "what if")):
        crossing = _crossing(points, limit)
        if crossing is not None:
            said = f"{crossing:%-d %b %Y}"
            figure.add_scatter(
                x=[crossing],
                y=[limit],
                mode="markers+text",
                text=[said],
                textposition="top right" if which == "what if" else "bottom left",
                textfont={"size": SMALL, "color": look.text},
                marker={"symbol": "circle-open", "size": 9, "color": look.warn, "line": {"width": 2}},
                hovertemplate=f"{said}: {which}<extra></extra>",
                showlegend=False,
                cliponaxis=False,
            )
    figure.update_yaxes(range=[0, 1.05], title_text="Strength (importance × freshness, 0 to 1)", tickformat=".1f")
    figure.update_xaxes(title_text="Day (UTC)", range=[min(times), max(times)] if times else None, showgrid=False)
    return figure


def _marks(
    figure: go.Figure, marks: Sequence[tuple[datetime, EffectKind, float]], cause: EffectKind, look: Look
) -> None:
    said, symbol, colour = MARKS[cause]
    found = [one for one in marks if one[1] is cause]
    if found:
        figure.add_scatter(
            x=[at for at, _, _ in found],
            y=[strength for _, _, strength in found],
            mode="markers",
            name=said,
            marker={
                "symbol": symbol,
                "size": 9,
                "color": getattr(look, colour),
                "line": {"width": 1.5, "color": look.page},
            },
            hovertemplate=f"{said}<br>%{{x|%-d %b %Y}}<br>strength %{{y:.2f}}<extra></extra>",
        )


def _crossing(points: Sequence[Point], limit: float) -> datetime | None:
    """Where a falling line meets the limit inside the figure, between two of its points."""
    for before, after in pairwise(points):
        if before.strength is None or after.strength is None or not before.strength >= limit > after.strength:
            continue
        share = (before.strength - limit) / (before.strength - after.strength)
        return before.at + (after.at - before.at) * share
    return None


# --- many memories ------------------------------------------------------------------------------------------------


def survival(overview: Overview, look: Look) -> go.Figure:
    """The share of each source kind's memories that still stands at an age."""
    figure = go.Figure(layout=base(look, height=340, right=112))
    longest = max((one.seen_days for one in overview.survival), default=0.0) or 1.0
    ends: list[tuple[float, float, SourceKind]] = []
    for one in overview.survival:
        ink = INKS[one.source_kind]
        days = [step.at for step in one.steps] + [one.seen_days]
        shares = [step.share * 100 for step in one.steps] + [one.steps[-1].share * 100]
        figure.add_scatter(
            x=days,
            y=shares,
            mode="lines",
            line={"shape": "hv", "color": getattr(look, ink.colour), "dash": ink.dash, "width": 2},
            hovertemplate=f"{words.source(one.source_kind)}<br>%{{y:.0f}} % after %{{x:.0f}} days<extra></extra>",
        )
        figure.add_scatter(
            x=days[-1:],
            y=shares[-1:],
            mode="markers",
            marker={"symbol": ink.symbol, "size": 8, "color": getattr(look, ink.colour)},
            hoverinfo="skip",
            cliponaxis=False,
        )
        ends.append((days[-1], shares[-1], one.source_kind))
    for (days_at, share, kind), height in zip(ends, spread([share for _, share, _ in ends]), strict=True):
        figure.add_annotation(
            label(
                words.source(kind),
                look,
                x=1,
                xref="paper",
                xanchor="left",
                xshift=8,
                y=height,
                font={"size": SMALL, "color": getattr(look, INKS[kind].colour)},
            )
        )
        if days_at < longest:  # the label stands at the edge, the line ends before it
            figure.add_shape(
                type="line",
                x0=days_at,
                x1=longest,
                y0=share,
                y1=height,
                line={"color": look.muted, "width": 1, "dash": "1px,5px"},
            )
    figure.update_yaxes(range=[0, 103], title_text="Still current (%)", dtick=25)
    figure.update_xaxes(range=[0, longest], title_text="Age (days)", showgrid=False)
    return figure


def spread(heights: Sequence[float], *, least: float = _NEAR * 100) -> list[float]:
    """The heights moved apart so that no two labels overlap, in the same order of height; within 0 to 100."""
    order = sorted(range(len(heights)), key=lambda at: -heights[at])
    placed = [0.0] * len(heights)
    above = 100.0 + least
    for at in order:
        placed[at] = above = min(heights[at], above - least)
    below = -least
    for at in reversed(order):
        placed[at] = below = max(placed[at], below + least)
    return placed


def trust(overview: Overview, threshold: float, look: Look) -> go.Figure:
    """How far memories are trusted by origin: a row of bars a state, each bar with its number."""
    rows = [state for state in STATES if any(one.status is state for one in overview.trust)]
    figure = make_subplots(rows=len(rows) or 1, cols=1, shared_xaxes=True, vertical_spacing=0.34 / max(1, len(rows)))
    figure.update_layout(base(look, height=64 + 72 * max(1, len(rows)), top=26))
    for number, state in enumerate(rows, start=1):
        said, colour = STATES[state]
        bars: Counter[float] = Counter()
        vouched: Counter[float] = Counter()
        for one in overview.trust:
            if one.status is state:
                bars[one.low] += one.count
                vouched[one.low] += one.count if one.vouched else 0
        for part, hatched in ((bars - vouched, False), (vouched, True)):
            lows = sorted(low for low in bars if part[low])
            figure.add_bar(
                row=number,
                col=1,
                x=[low + 0.5 / BINS for low in lows],
                y=[part[low] for low in lows],
                width=0.8 / BINS,
                marker={
                    "color": getattr(look, colour),
                    "line": {"width": 1, "color": getattr(look, colour)},
                    "pattern": {
                        "shape": "/" if hatched else "",
                        "fgcolor": getattr(look, colour),
                        "bgcolor": look.page,
                        "size": 6,
                    },
                },
                hovertemplate=f"{said}, trust %{{customdata}}<br>%{{y:,}}<extra></extra>",
                customdata=[f"{low:.2f} to {low + 1 / BINS:.2f}" for low in lows],
            )
        top = max(bars.values(), default=1)
        for low, count in bars.items():
            figure.add_annotation(
                label(f"{count:,}", look, x=low + 0.5 / BINS, y=count, yanchor="bottom", bgcolor="rgba(0,0,0,0)"),
                row=number,
                col=1,
            )
        figure.update_yaxes(range=[0, top * 1.45], visible=False, row=number, col=1)
        figure.add_annotation(
            label(
                f"{said}: {sum(bars.values()):,}",
                look,
                x=0,
                xref="paper",
                xanchor="left",
                y=1.0,
                yref="y domain" if number == 1 else f"y{number} domain",
                yanchor="bottom",
                font={"size": NORMAL, "color": look.text},
            )
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, 1.001], dtick=0.25, tickformat=".2f", showgrid=False, showline=True)
    figure.update_xaxes(title_text="Trust of the origin (0 to 1)", row=len(rows) or 1, col=1)
    figure.add_vline(x=threshold, line={"color": look.warn, "width": 1.5, "dash": "dash"})
    return figure


def dots(scatter: Scatter, threshold: float, limit: float, look: Look) -> tuple[go.Figure, list[list[str]]]:
    """The actor's own memories as points, and the ids behind each trace's points: position finds the memory."""
    figure = go.Figure(layout=base(look, height=400, top=44, legend=True))
    ids: list[list[str]] = []
    for kind, ink in INKS.items():
        found = [one for one in scatter.dots if one.source_kind is kind]
        if not found:
            continue
        ids.append([one.memory_id for one in found])
        figure.add_scatter(
            x=[one.trust + 0.012 * (number % 5 - 2) for number, one in enumerate(found)],
            y=[one.strength for one in found],
            customdata=[one.trust for one in found],
            mode="markers",
            name=words.source(kind),
            marker={
                "symbol": ink.symbol,
                "size": 9,
                "color": getattr(look, ink.colour),
                "opacity": 0.75,
                "line": {"width": 1, "color": look.page},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 0.75}},
            hovertemplate="trust %{customdata:.2f}<br>strength %{y:.2f}<br>click to open<extra></extra>",
        )
    return _quadrants(figure, threshold, limit, look), ids


def cells(overview: Overview, threshold: float, limit: float, look: Look) -> go.Figure:
    """Everybody's memories by trust and strength: an area for each number, nothing to open."""
    figure = go.Figure(layout=base(look, height=400, top=26))
    most = max((one.count for one in overview.cells), default=1)
    half, part = 0.5 / BINS, 1 / BINS
    figure.add_scatter(
        x=[one.trust + half for one in overview.cells],
        y=[one.strength + half for one in overview.cells],
        mode="markers",
        marker={
            "size": [4 + 22 * (one.count / most) ** 0.5 for one in overview.cells],
            "color": look.accent,
            "opacity": 0.8,
            "line": {"width": 1, "color": look.page},
        },
        customdata=[
            [
                f"{one.trust:.2f} to {one.trust + part:.2f}",
                f"{one.strength:.2f} to {one.strength + part:.2f}",
                words.plural(one.count, "memory", "memories"),
            ]
            for one in overview.cells
        ],
        hovertemplate="%{customdata[2]}<br>trust %{customdata[0]}<br>strength %{customdata[1]}<extra></extra>",
    )
    return _quadrants(figure, threshold, limit, look)


def _quadrants(figure: go.Figure, threshold: float, limit: float, look: Look) -> go.Figure:
    rule = {"color": look.warn, "width": 1.5, "dash": "dash"}
    figure.add_hline(y=limit, line=rule)
    figure.add_vline(x=threshold, line=rule)
    figure.add_annotation(label(f"Put away below {limit:.2f}", look, x=0.01, xanchor="left", y=limit, yanchor="bottom"))
    figure.add_annotation(label(f"Held below {threshold:.2f}", look, x=threshold, xanchor="right", xshift=-3, y=1.04))
    figure.update_xaxes(range=[0, 1.05], dtick=0.25, tickformat=".2f", title_text="Trust of the origin (0 to 1)")
    figure.update_yaxes(range=[-0.04, 1.08], dtick=0.25, tickformat=".2f", title_text="Strength today (0 to 1)")
    return figure


def flow(days: Sequence[Day], look: Look) -> go.Figure:
    """What happened each day: a row of bars for each thing, with its total."""
    figure = make_subplots(rows=len(FLOWS), cols=1, shared_xaxes=True, vertical_spacing=0.07)
    figure.update_layout(base(look, height=420, top=26))
    for number, (name, said, colour) in enumerate(FLOWS, start=1):
        values = [getattr(one, name) for one in days]
        figure.add_bar(
            row=number,
            col=1,
            x=[one.day for one in days],
            y=values,
            marker={"color": getattr(look, colour), "line": {"width": 0}},
            hovertemplate=f"%{{x|%-d %b %Y}}<br>{said.lower()}: %{{y:,}}<extra></extra>",
        )
        most = max(values, default=0) or 1
        figure.update_yaxes(
            range=[0, most * 1.05], tickvals=[most] if any(values) else [], tickformat=",", row=number, col=1
        )
        figure.add_annotation(
            label(
                f"{said}: {sum(values):,}",
                look,
                x=0,
                xref="paper",
                xanchor="left",
                y=1.0,
                yref="y domain" if number == 1 else f"y{number} domain",
                yanchor="bottom",
                font={"size": NORMAL, "color": look.text},
            )
        )
    figure.update_xaxes(
        showgrid=False, range=[days[0].day - timedelta(days=1), days[-1].day + timedelta(days=1)] if days else None
    )
    figure.update_xaxes(showline=True)
    figure.update_yaxes(showgrid=False)
    figure.update_xaxes(title_text="Day (UTC)", row=len(FLOWS), col=1)
    return figure
