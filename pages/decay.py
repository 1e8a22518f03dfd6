"""Decay & trust: how long memories last and how far they are trusted, one of them or all."""

from __future__ import annotations

import streamlit as st

from console import crowd, drawer, lifeline, session, widgets

ONE, ALL = "One memory", "All memories"
VIEWS = (ALL, ONE)


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Decay & trust", "How long memories last, how far they are trusted, and what happens to them each day."
    )
    if lifeline.follow(st.query_params.get("memory")):
        st.session_state["decay-view"] = ONE
    st.session_state.setdefault("decay-view", ALL)
    view = st.segmented_control("What is shown", VIEWS, required=True, key="decay-view", label_visibility="collapsed")
    if view == ONE:
        lifeline.draw(actor)
    else:
        st.query_params.pop("memory", None)
        lifeline.follow(None)
        crowd.draw(actor)


widgets.page(draw, why=drawer.why)
