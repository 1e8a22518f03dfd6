"""One chart as the page shows it: what it says, how it is read, the figure, and its numbers as a table and a file."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import plotly.graph_objects as go
import streamlit as st

from console import figures, safe, widgets

Columns = Mapping[str, Sequence[object]]
_FORMULA = ("=", "+", "-", "@")
_DRAWN = "figure-on-screen"  # key of the session state: what is drawn under which key, since when
DRAWN_SECONDS = 600.0


def chart(key: str, finding: str, note: str, figure: go.Figure, columns: Columns) -> None:
    """A chart that is only looked at."""
    heading(finding, note)
    draw(figure, key, finding)
    table(key, columns)


def heading(finding: str, note: str) -> None:
    """What the chart says, and how it is read."""
    widgets.section(finding)
    widgets.muted(note)


def draw(figure: go.Figure, key: str, finding: str) -> None:
    """The figure itself; whoever does not see it is told what it says."""
    st.plotly_chart(figure, theme=None, key=f"figure-{key}", config=dict(figures.CONFIG), alt=finding)


def picked(figure: go.Figure, key: str, finding: str) -> tuple[int, int] | None:
    """The same, and which point was clicked in this run: number of its trace and its place in it.

    `key` names what is drawn: its points and its looks, not how strong they are at the moment. Streamlit takes a figure
    that differs in one digit for another one and forgets the click on it, so the one that is on the screen is drawn
    again for some minutes. Each click makes the figure anew under another key, so that it starts unselected: the same
    point can be clicked again, and a run for another reason finds no old click.
    """
    counter = f"clicks-{key}"
    clicks = st.session_state.get(counter, 0)
    kept = st.session_state.get(_DRAWN)
    if kept is None or kept[0] != (key, clicks) or time.monotonic() - kept[1] > DRAWN_SECONDS:
        kept = ((key, clicks), time.monotonic(), figure)
        st.session_state[_DRAWN] = kept
    chosen = st.plotly_chart(
        kept[2],
        theme=None,
        key=f"figure-{key}-{clicks}",
        config=dict(figures.CONFIG),
        on_select="rerun",
        selection_mode="points",
        alt=finding,
    )
    points = chosen["selection"]["points"] if isinstance(chosen, Mapping) else []
    if not points:
        return None
    st.session_state[counter] = clicks + 1
    return int(points[0]["curve_number"]), int(points[0]["point_index"])


def table(key: str, columns: Columns, name: str = "Table") -> None:
    """The numbers behind a chart, to read, sort and take along; sent to the browser once somebody opens them."""
    box = st.expander(safe.label(name), icon=":material/table:", key=f"table-{key}", on_change="rerun")
    if box.open:
        with box:
            safe.frame(columns, key=f"frame-{key}")
            download(key, columns)


def download(key: str, columns: Columns) -> None:
    """The columns as a CSV file."""
    st.download_button(
        "Download CSV",
        data=csv_of(columns),
        file_name=f"{key}.csv",
        mime="text/csv",
        key=f"csv-{key}",
        icon=":material/download:",
        on_click="ignore",
    )


def csv_of(columns: Columns) -> bytes:
    """Columns as CSV (RFC 4180, UTF-8 with a mark, which spreadsheets need); times in ISO 8601, UTC.

    A text that a spreadsheet would run as a formula is led by an apostrophe.
    """
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows([_cell(one) for one in row] for row in zip(*columns.values(), strict=True))
    return file.getvalue().encode("utf-8-sig", "replace")


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and (value[:1].isspace() or value.startswith(_FORMULA)):
        return f"'{value}"
    return value
