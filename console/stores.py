"""An admin's acts on the two stores: make the store anew from the ledger, write a verified copy of the ledger."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from console import safe, session, widgets, words
from core.model import Actor, Role
from core.settings import Settings

MADE = "policy-snapshot"  # key of the session state: path, sequence and hash of the last copy
_UNITS = ("bytes", "KB", "MB", "GB")
_STEP = 1024.0


def draw(actor: Actor) -> None:
    """The section; quiet for everybody else, and core refuses them."""
    if actor.role is not Role.ADMIN:
        return
    widgets.section("Stores", "the ledger is the source of truth; the store is made from it")
    with st.container(horizontal=True, gap="small"):
        if st.button("Make the store anew", icon=":material/restart_alt:", key="stores-rebuild"):
            widgets.open_dialog("rebuild")
        if st.button("Write a snapshot", icon=":material/save:", key="stores-snapshot"):
            _snapshot(actor)
    _written()


def _folder() -> Path:
    return Settings().chronomemory_data / "snapshots"


def _snapshot(actor: Actor) -> None:
    path = _folder() / f"ledger-{widgets.now():%Y%m%d-%H%M%S}.sqlite3"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = widgets.attempt(lambda: session.layer().lifecycle.snapshot(actor, path))
    if made is not None:
        st.session_state[MADE] = (path, *made)


def _written() -> None:
    kept = st.session_state.get(MADE)
    if kept is None:
        return
    path, seq, head = kept
    rows = [("File", str(path.resolve())), ("Head", f"entry {seq:,}")]
    if path.exists():
        rows.insert(1, ("Size", size(path.stat().st_size)))
    safe.banner("The snapshot is written and verified", "It holds every text: keep it as safe as the ledger itself.")
    safe.draw(widgets.facts(list(rows)))
    safe.code(head)
    widgets.muted(
        "To go back to it: stop, put it in the ledger's place, start, and make the store anew. The installation's "
        "secret file belongs to it."
    )


def size(count: float) -> str:
    """A file's size in words: "1.5 MB"."""
    unit = 0
    while count >= _STEP and unit < len(_UNITS) - 1:
        count, unit = count / _STEP, unit + 1
    return f"{count:,.0f} {_UNITS[unit]}" if unit == 0 else f"{count:,.1f} {_UNITS[unit]}"


@st.dialog("Make the store anew?", on_dismiss=widgets.close_dialog)
def rebuild() -> None:
    """Ask, then empty the store and apply every decision of the ledger again."""
    widgets.muted(
        "Every memory is taken out of the store and made again from the ledger, for everybody. Answers wait until it "
        "is done; nothing that was forgotten comes back."
    )
    if st.button("Make it anew", type="primary", key="stores-rebuild-yes"):
        actor = session.current_actor()
        count = widgets.attempt(lambda: session.layer().lifecycle.rebuild(actor))
        if count is not None:
            widgets.close_dialog()
            widgets.flash(f"The store is made anew: {words.plural(count, 'change')} applied.")
            st.rerun()
