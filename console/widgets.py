"""What every page is built of: the page's frame, cards, bars, chips, notices. Draws through `console.safe` only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

import streamlit as st

from console import safe, session, words
from console.safe import Html, tag
from core.errors import (
    BadInput,
    ChronoMemoryError,
    Contradicts,
    NeedsReason,
    NotAuthorised,
    Reserved,
    StaleReview,
    StoreUnavailable,
    Unavailable,
)
from core.model import CandidateState, GateStep, MemoryStatus, SourceKind, Verdict

T = TypeVar("T")
_RETRY_SECONDS = 3.0
_FLASH, _RETRY, _DIALOG = "_flash", "_retry_armed", "_dialog"
_TONES: dict[str, str] = {
    MemoryStatus.ACTIVE: "good",
    MemoryStatus.SUPERSEDED: "plain",
    MemoryStatus.ARCHIVED: "plain",
    MemoryStatus.DELETED: "bad",
    CandidateState.HELD: "warn",
    CandidateState.ADMITTED: "good",
    CandidateState.PROMOTED: "good",
    CandidateState.REJECTED: "bad",
    CandidateState.WITHDRAWN: "plain",
}


def now() -> datetime:
    """The layer's time: the console has no clock of its own."""
    at: datetime = session.layer().chat.clock.now()
    return at


# --- the frame of a page ------------------------------------------------------------------------------------------


def page(draw: Callable[[], None], **dialogs: Callable[..., None]) -> None:
    """Draw one page: style, what the last act left to say, the body, the open dialog; errors become notices.

    Args:
        draw: the body.
        dialogs: by name, what `open_dialog` may open over this page.
    """
    safe.stylesheet()
    for message in st.session_state.pop(_FLASH, []):
        safe.toast(message)
    try:
        draw()
        _dialog(dialogs)
    except Unavailable as problem:
        error(problem)
        st.session_state[_RETRY] = True
        _retry()
    except ChronoMemoryError as problem:
        error(problem)


def open_dialog(name: str, *args: object) -> None:
    """Open a dialog at the end of this run and keep it open, also when the page is drawn anew, until it is closed."""
    st.session_state[_DIALOG] = (name, args)


def open_over(popover: str, name: str, *args: object) -> None:
    """As `open_dialog`, for a button's callback in a popover, which would else stay open over the dialog."""
    st.session_state[popover] = False
    open_dialog(name, *args)


def close_dialog() -> None:
    """Forget the open dialog; also what Streamlit calls when a person dismisses it."""
    st.session_state.pop(_DIALOG, None)


def dialog_open() -> bool:
    """Whether a dialog lies over this page: the keys of the page's own buttons must then be silent."""
    return _DIALOG in st.session_state


def _dialog(known: dict[str, Callable[..., None]]) -> None:
    name, args = st.session_state.get(_DIALOG, ("", ()))
    if name in known:
        known[name](*args)
    else:
        close_dialog()


@st.fragment(run_every=_RETRY_SECONDS)
def _retry() -> None:
    """Draw the page anew every few seconds until what it needs is back; the first call is the drawing itself."""
    if st.session_state.pop(_RETRY, False):
        safe.draw(tag("div", "This page tries again by itself.", cls="cm-muted"))
        return
    st.rerun()


def title(text: str, lead: str = "") -> None:
    """A page's heading with one line on what it is for."""
    nodes = [tag("h1", text, cls="cm-title")] + ([tag("p", lead, cls="cm-lead")] if lead else [])
    safe.draw(*nodes)


def section(text: str, note: str = "") -> None:
    """A heading inside a page."""
    safe.draw(tag("h2", text, *([tag("span", note, cls="cm-note")] if note else []), cls="cm-section"))


def muted(text: str) -> None:
    """One quiet line."""
    safe.draw(tag("p", text, cls="cm-muted", dir="auto"))


def empty(heading: str, text: str) -> None:
    """What a list says when it has nothing: what would appear here and how it gets here."""
    safe.draw(
        tag("div", tag("div", heading, cls="cm-empty-title"), tag("div", text, cls="cm-empty-text"), cls="cm-empty")
    )


# --- acts and errors ----------------------------------------------------------------------------------------------


def error(problem: ChronoMemoryError) -> None:
    """A calm notice in the error's own words, which say what to do."""
    if isinstance(problem, StoreUnavailable):
        heading, tone = "The store is not reachable", "warn"
    elif isinstance(problem, Unavailable):
        heading, tone = "Not available at the moment", "warn"
    elif isinstance(problem, NotAuthorised):
        heading, tone = "You cannot do this", "warn"
    elif isinstance(problem, Reserved):
        heading, tone = "Somebody else is looking at this", "warn"
    elif isinstance(problem, StaleReview):
        heading, tone = "This changed while you looked at it", "warn"
    elif isinstance(problem, Contradicts):
        heading, tone = "The owner said otherwise", "warn"
    elif isinstance(problem, NeedsReason):
        heading, tone = "A reason is needed", "warn"
    elif isinstance(problem, BadInput):
        heading, tone = "This cannot be taken as it is", "warn"
    else:
        heading, tone = "This did not work", "bad"
    safe.banner(heading, _sentence(str(problem)), tone=tone)


def _sentence(text: str) -> str:
    stripped = text.strip()
    return stripped[:1].upper() + stripped[1:]


def attempt(act: Callable[[], T], *, let: type[ChronoMemoryError] | None = None) -> T | None:
    """Do something that the core may refuse; a refusal is shown where the button stands and gives None.

    An error of the type `let` goes on to the caller.
    """
    try:
        return act()
    except ChronoMemoryError as problem:
        if let is not None and isinstance(problem, let):
            raise
        error(problem)
        return None


def done(act: Callable[[], object]) -> bool:
    """Do something that the core may refuse; whether it was done. A refusal is shown where the button stands."""
    return attempt(lambda: (act(),)) is not None


def flash(message: str) -> None:
    """Say something after the page is drawn anew."""
    st.session_state.setdefault(_FLASH, []).append(message)


# --- pieces -------------------------------------------------------------------------------------------------------


def bar(name: str, value: float, *, limit: float | None = None, digits: int = 2) -> Html:
    """A number in [0, 1] as a bar with its figure; `limit` is marked, and a value below it is said in words."""
    low = limit is not None and value < limit
    track = [tag("span", cls="cm-fill cm-low" if low else "cm-fill", style=f"width:{value * 100:.0f}%")]
    if limit is not None:
        track.append(tag("span", cls="cm-limit", style=f"left:{limit * 100:.0f}%"))
    figure = f"{value:.{digits}f}" + (f", below {limit:.2f}" if low else "")
    return tag(
        "div",
        tag("span", name, cls="cm-bar-name"),
        tag("span", *track, cls="cm-track", aria_hidden="true"),
        tag("span", figure, cls="cm-bar-figure"),
        cls="cm-bar",
    )


def chip(text: str, tone: str = "plain") -> Html:
    """A small label; its word carries the meaning, the colour repeats it."""
    return tag("span", text, cls=f"cm-chip cm-{tone}")


def status_chip(status: MemoryStatus | CandidateState) -> Html:
    """The state of a memory or a candidate."""
    word = words.STATUSES[status] if isinstance(status, MemoryStatus) else words.STATES[status]
    return chip(word, _TONES[status])


def reason_chips(reasons: Sequence[str]) -> Html:
    """Reason codes as chips; an order is the one that is marked as a danger."""
    chips = (chip(words.reason(code), "bad" if code == "directive" else "warn") for code in reasons)
    return tag("span", *chips, cls="cm-chips")


def source_line(kind: SourceKind | str, ref: str = "", title: str = "") -> str:
    """Where a text came from, in one line: "web page · Pasta for beginners · https://…"."""
    named = title if title and title != ref else ""
    own = str(kind) in {SourceKind.USER_TURN, SourceKind.AGENT_TURN}  # their refs are message ids
    return " · ".join(part for part in (words.source(kind), named, "" if own else ref) if part)


def facts(rows: Sequence[tuple[str, str | Html]]) -> Html:
    """Names and values, one a line."""
    cells = [cell for name, value in rows for cell in (tag("dt", name), tag("dd", value, dir="auto"))]
    return tag("dl", *cells, cls="cm-facts")


def steps(gate: Sequence[GateStep]) -> Html:
    """The gate's steps with value and limit, what failed first."""
    rows = [
        tag(
            "tr",
            tag("td", chip("Passed", "good") if one.passed else chip("Stopped here", "bad")),
            tag("td", words.step(one.name), cls="cm-strong"),
            tag("td", one.value, dir="auto"),
            tag("td", one.limit, cls="cm-muted"),
        )
        for one in words.failing_first(gate)
    ]
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Result", "Check", "Found", "Needed")))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows), cls="cm-table"), cls="cm-scroll")


def verdict(ruling: Verdict) -> str:
    """A verdict as a past participle."""
    return {Verdict.ADMIT: "Admitted", Verdict.HOLD: "Held", Verdict.REJECT: "Rejected"}[ruling]


def strip(figures: Sequence[tuple[str, str, str]]) -> None:
    """A row of figures: name, value, note."""
    cells = [
        tag(
            "div",
            tag("div", name, cls="cm-figure-name"),
            tag("div", value, cls="cm-figure-value"),
            tag("div", note, cls="cm-figure-note"),
            cls="cm-figure",
        )
        for name, value, note in figures
    ]
    safe.draw(tag("div", *cells, cls="cm-strip"))


def row(
    key: str,
    card: Html,
    name: str,
    *,
    selected: bool = False,
    on_click: Callable[..., None] | None = None,
    args: tuple[object, ...] = (),
) -> bool:
    """A card that is a button: the card is drawn by us, the button lies over it and carries `name` for readers.

    Returns:
        Whether it was pressed in this run. `key` names what it stands for, never a position.
    """
    with st.container(key=f"row-{key}"):
        safe.draw(tag("div", card, cls="cm-card cm-selected" if selected else "cm-card"))
        label = safe.label(name, limit=90)
        return st.button(label, key=f"open-{key}", width="stretch", wrap=False, on_click=on_click, args=args)


def pages(total: int, size: int, key: str) -> int:
    """A pager when there is more than one page; returns the offset of the page that is shown."""
    count = max(1, -(-total // size))
    if count == 1:
        return 0
    return (st.pagination(count, key=key, max_visible_pages=5) - 1) * size
