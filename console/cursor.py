"""Puts the cursor into the review page's search field: the one thing of a page that needs a script.

The page's Content-Security-Policy names this script by its hash (`console.headers`), so no other can run in its place.
"""

from __future__ import annotations

import streamlit as st

from console.headers import CURSOR

SCRIPT = "<script>" + CURSOR + "</script>"
_WANTED, _TIMES = "cursor-wanted", "cursor-times"  # keys of the session state


def want() -> None:
    """Put the cursor there with the next drawing; for callbacks."""
    st.session_state[_WANTED] = True


def put() -> None:
    """Carry out what was wanted, once."""
    if not st.session_state.pop(_WANTED, False):
        return
    times = st.session_state.get(_TIMES, 0) + 1
    st.session_state[_TIMES] = times
    with st.container(key=f"cursor-{times}"):
        if times % 2:
            st.empty()  # a script runs when it comes to a place, so two in a row need two places
        st.html(SCRIPT, unsafe_allow_javascript=True)
