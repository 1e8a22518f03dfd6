"""Dialogs of the review page that rule on nothing: put off, ask a second reviewer, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import streamlit as st

from console import acts, rulings, safe, session, widgets
from console.place import Place
from console.safe import tag
from core.model import Person

MORNING = 6  # hour, UTC, at which a snoozed item comes back
WHENS = (("Tomorrow", 1), ("In a week", 7), ("In a month", 30))  # days
KEYS = (
    ("J, K", "next and previous; what others are looking at is skipped"),
    ("P", "promote exactly the words that are shown"),
    ("X", "reject; then a number for the reason, or Enter for the last one"),
    ("E", "edit the words and promote them"),
    ("M", "merge into a memory that says the same"),
    ("S", "snooze until a day"),
    ("A", "ask a second reviewer"),
    ("U", "undo the last act, for five minutes"),
    ("F", "search the queue"),
    ("1 to 4", "the answers to a question"),
    ("H", "these keys"),
)


# --- snooze ---------------------------------------------------------------------------------------------------------


@st.dialog("Snooze until when?", on_dismiss=widgets.close_dialog)
def snooze(at: Place) -> None:
    """Put one item off; it leaves the queue until then."""
    safe.draw(tag("div", at.item.candidate.text, cls="cm-asked", dir="auto"))
    until = moment()
    if until is not None:
        done = acts.carry_out(at, acts.SNOOZED, lambda actor: session.layer().review.snooze(actor, [at.cid], until)[0])
        rulings.finish(done=done, cid=at.cid)


def moment() -> datetime | None:
    """Draw the choices of a day; the one that was made in this run, in the morning of that day, UTC."""
    now = widgets.now()
    chosen: date | None = None
    with st.container(key="snooze-choices", gap="xsmall"):
        for number, (name, days) in enumerate(WHENS, start=1):
            day = (now + timedelta(days=days)).date()
            label = safe.label(f"{name}, {day:%A %d %B}")
            if st.button(label, key=f"snooze-{number}", shortcut=str(number), width="stretch"):
                chosen = day
    with st.form("snooze-day", border=False):
        tomorrow = (now + timedelta(days=1)).date()
        day = st.date_input("Or until", value=tomorrow, min_value=tomorrow, key="snooze-date")
        if st.form_submit_button("Snooze", key="snooze-yes", shortcut="Enter"):
            chosen = day
    return datetime(chosen.year, chosen.month, chosen.day, MORNING, tzinfo=UTC) if chosen is not None else None


# --- ask ------------------------------------------------------------------------------------------------------------


@st.dialog("Ask a second reviewer", on_dismiss=widgets.close_dialog)
def ask(at: Place) -> None:
    """Ask somebody else to look at an item; it stays in the queue, and in theirs."""
    safe.draw(tag("div", at.item.candidate.text, cls="cm-asked", dir="auto"))
    people = widgets.attempt(lambda: session.layer().review.reviewers(session.current_actor()))
    if people is None:
        return
    if not people:
        widgets.empty("Nobody else reviews here", "An admin can make somebody a reviewer on the People page.")
        return
    asked = _who(at, people)
    if asked is not None:
        to, note = asked
        done = acts.carry_out(
            at,
            acts.ASKED if to else "",
            lambda actor: session.layer().review.assign(actor, at.cid, to, note),
            moves=bool(to),
        )
        rulings.finish(done=done, cid=at.cid)


def _who(at: Place, people: Sequence[Person]) -> tuple[str, str] | None:
    named = {one.user_id: one.display_name or one.username for one in people}
    note = st.text_input("Note", key=f"ask-note-{at.cid}", max_chars=300, placeholder="What you want them to look at")
    who = st.selectbox("Reviewer", list(named), format_func=lambda one: safe.plain(named[one]), key=f"ask-who-{at.cid}")
    with st.container(horizontal=True, gap="small"):
        if st.button("Ask", key="ask-yes", type="primary", shortcut="Enter") and who:
            return who, (note or "").strip()
        if at.look.assigned_to and st.button("Take the request back", key="ask-back"):
            return "", ""
    return None


# --- help -----------------------------------------------------------------------------------------------------------


@st.dialog("Keys", on_dismiss=widgets.close_dialog)
def keys() -> None:
    """What each key does."""
    rows = [tag("tr", tag("td", key, cls="cm-strong"), tag("td", what)) for key, what in KEYS]
    safe.draw(tag("table", tag("tbody", *rows), cls="cm-table"))
    widgets.muted("Keys are silent while the cursor stands in a field; Escape or Tab leaves it.")
