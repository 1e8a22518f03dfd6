"""Choosing several memories and forgetting them in one act. Memories draws it; what is chosen is kept by id."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import keeping, safe, session, widgets, words
from core.model import Memory, MemoryStatus

MODE, CHOSEN, LEFT = "memories-select", "memories-chosen", "memories-unchosen"
NAMED = 8  # of the chosen, named in full before they are forgotten; more are counted


def chosen() -> dict[str, str]:
    """What is chosen, over all pages: memory id and its words."""
    found: dict[str, str] = st.session_state.setdefault(CHOSEN, {})
    return found


def switch() -> bool:
    """The toggle that turns the list into one to choose from; whether it is on."""
    for memory_id in st.session_state.pop(LEFT, []):  # before the boxes are drawn: later they cannot be set
        st.session_state.pop(f"pick-{memory_id}", None)
    on = st.toggle("Select", key=MODE, help="Choose several memories to forget them in one act")
    if not on:
        st.session_state.pop(CHOSEN, None)
    return bool(on)


def bar(page: Sequence[Memory]) -> None:
    """What is chosen, and what can be done with it."""
    count = len(chosen())
    here = [one for one in page if one.status is not MemoryStatus.DELETED]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="memories-bulk"):
        widgets.muted(f"{words.plural(count, 'memory', 'memories')} chosen" if count else "Choose memories below.")
        st.button(
            "Choose this page",
            key="bulk-page",
            type="tertiary",
            disabled=not here,
            on_click=_choose,
            args=([(one.memory_id, one.text) for one in here],),
        )
        st.button("Clear", key="bulk-clear", type="tertiary", disabled=not count, on_click=_clear)
        if st.button("Forget the chosen", key="bulk-forget", icon=":material/delete:", disabled=not count):
            widgets.open_dialog("forget_some")


def _choose(rows: Sequence[tuple[str, str]]) -> None:
    for memory_id, text in rows:
        chosen()[memory_id] = text
        st.session_state[f"pick-{memory_id}"] = True


def _clear() -> None:
    for memory_id in chosen():
        st.session_state[f"pick-{memory_id}"] = False
    st.session_state.pop(CHOSEN, None)


def _picked(memory_id: str, text: str) -> None:
    if st.session_state.get(f"pick-{memory_id}"):
        chosen()[memory_id] = text
    else:
        chosen().pop(memory_id, None)


def row(memory: Memory, card: safe.Html) -> None:
    """One memory with a box to choose it by."""
    mid = memory.memory_id
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"choose-{mid}"):
        st.session_state.setdefault(f"pick-{mid}", mid in chosen())
        st.checkbox(
            safe.label(memory.text, limit=90),
            key=f"pick-{mid}",
            label_visibility="collapsed",
            disabled=memory.status is MemoryStatus.DELETED,
            on_change=_picked,
            args=(mid, memory.text),
            width=24,
        )
        safe.draw(safe.tag("div", card, cls="cm-card"))


@st.dialog("Forget these memories?", on_dismiss=widgets.close_dialog)
def forget_some() -> None:
    """Name them, ask why, then forget them all."""
    rows = chosen()
    if not rows:
        widgets.muted("Nothing is chosen.")
        return
    safe.table([{"Memory": text} for text in list(rows.values())[:NAMED]])
    if len(rows) > NAMED:
        widgets.muted(f"and {len(rows) - NAMED:,} more.")
    widgets.muted("They are taken out of every answer at once. Each can be restored under Forgotten.")
    reason = st.selectbox("Why", keeping.REASONS, key="bulk-why")
    more = st.text_input("More, if you like", key="bulk-more", max_chars=300)
    if st.button(safe.label(f"Forget {words.plural(len(rows), 'memory', 'memories')}"), type="primary", key="bulk-yes"):
        actor = session.current_actor()
        said = f"{reason}: {more}" if more else str(reason)
        count = widgets.attempt(lambda: session.layer().memories.forget_some(actor, list(rows), said))
        if count is not None:
            st.session_state[LEFT] = list(rows)
            st.session_state.pop(CHOSEN, None)
            widgets.close_dialog()
            widgets.flash(f"{words.plural(count, 'memory', 'memories')} forgotten.")
            st.rerun()
