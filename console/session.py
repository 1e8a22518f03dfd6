"""Who is looking, for the pages: the layer and the signed-in person, re-read from the database at every run.

`st.user` is fixed when the browser connects (console.md §1.4); it only tells which session to ask for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from console import safe
from core.errors import ChronoMemoryError, StoreUnavailable
from core.model import Actor

if TYPE_CHECKING:
    from core.layer import MemoryLayer


SAID = "chat-say"  # key of the chat's input
SPACE = "space"  # key of the choice on Memories: which of one's own memories; no other page has one
UNSENT = "chat-unsent"  # a message that was typed and has not been stored yet


def layer() -> MemoryLayer:
    """The process's memory layer."""
    from core.bootstrap import get_layer  # noqa: PLC0415  # heavy: the first page that needs it waits, not the import

    return get_layer()


def find_actor(*, touch: bool = True) -> Actor | None:
    """The signed-in person, or None for a stranger or an ended session.

    Raises:
        StoreUnavailable: the store cannot tell.
    """
    session_id, user_id = st.user.get("session_id"), st.user.get("user_id")
    if not isinstance(session_id, str) or not isinstance(user_id, str):
        return None
    return layer().accounts.refresh(session_id, user_id, touch=touch)


def current_actor(*, touch: bool = True) -> Actor:
    """The signed-in person. Otherwise shows how to sign in again and stops the run (page or fragment).

    `touch=False` is for fragments that run by themselves: they must not keep an abandoned session alive.
    """
    try:
        actor = find_actor(touch=touch)
    except StoreUnavailable:
        st.warning("The store is not reachable, so nothing can be shown. Try again in a moment.")
        if st.button("Try again", key="session-try-again"):
            st.rerun()
        st.stop()
    if actor is None:
        signed_out()
    return in_chosen_space(actor)


def in_chosen_space(actor: Actor) -> Actor:
    """The same person at that memory of theirs which they chose on the page."""
    space = st.session_state.get(SPACE)
    return replace(actor, space=space) if isinstance(space, str) and space else actor


def keep_unsent() -> None:
    """Remember a message before anything can fail: with the store down this run may end before the chat reads it."""
    said = st.session_state.get(SAID)
    if isinstance(said, str) and said.strip():
        st.session_state[UNSENT] = said


def follow() -> None:
    """Before a page is drawn: take up a policy that another process adopted; what cannot be taken up is said."""
    try:
        layer().follow()
    except ChronoMemoryError as problem:
        safe.banner("The policy could not be read", str(problem), tone="bad")


def signed_out() -> NoReturn:
    """Say that this session has ended, with the way back in, and stop the run."""
    st.subheader("You are signed out")
    st.write("This session has ended, by your own sign-out, an admin, or because it was idle for too long.")
    st.link_button("Sign in", "/login", type="primary")
    st.stop()


def sign_out() -> None:
    """End the session in the database, then send the browser to the gate, which takes the cookie away."""
    actor = find_actor(touch=False)
    if actor is not None:
        layer().accounts.sign_out(actor)
    st.logout()
