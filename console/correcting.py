"""Correcting a memory: say what is right instead, and see the new version take the old one's place."""

from __future__ import annotations

import streamlit as st

from console import learned, safe, session, timeline, widgets
from core.chat import Learned
from core.errors import ChronoMemoryError
from core.model import Actor, HeldItem

DONE = "corrected"  # key of the session state: (memory id, episode id) of the correction that is shown
CHARS = 2000
LOOK_SECONDS = 0.5


@st.dialog("Correct this memory", on_dismiss=widgets.close_dialog)
def correct(memory_id: str, text: str) -> None:
    """Ask what is right instead; then show both versions while the new one is being read."""
    if not _taken(memory_id):
        safe.draw(safe.words(text, cls="cm-old-words"))
        form(memory_id, "dialog")


def form(memory_id: str, where: str) -> None:
    """The question and its button; the drawer has it too."""
    with st.form(f"{where}-correct-form-{memory_id}", border=False):
        said = st.text_area(
            "What is right instead?",
            key=f"{where}-text-{memory_id}",
            height=90,
            max_chars=CHARS,
            placeholder="Say it as a statement, for example: I live in Porto.",
        )
        widgets.muted("It is read and checked like anything you say. The old one becomes history.")
        if st.form_submit_button("Correct", type="primary", key=f"{where}-correct-{memory_id}"):
            _send(memory_id, said or "")


def _send(memory_id: str, text: str) -> None:
    actor = session.current_actor()
    with st.spinner("Checking it"):
        episode = widgets.attempt(lambda: session.layer().memories.correct(actor, memory_id, text))
    if episode is not None:
        st.session_state[DONE] = (memory_id, episode.episode_id)
        widgets.open_dialog("correct", memory_id, "")
        st.rerun()


def _taken(memory_id: str) -> bool:
    done = st.session_state.get(DONE)
    if not done or done[0] != memory_id:
        return False
    if _items(str(done[1])) is None:
        st.fragment(_watch, run_every=LOOK_SECONDS)(memory_id, str(done[1]))
    else:
        _result(memory_id, str(done[1]))
        if st.button("Done", type="primary", key="correct-done"):
            st.session_state.pop(DONE, None)
            widgets.close_dialog()
            st.rerun()
    return True


def _items(episode_id: str) -> list[HeldItem] | None:
    found = session.layer().memories.learned(session.current_actor(touch=False), episode_id)
    return None if found is None else list(found)


def _watch(memory_id: str, episode_id: str) -> None:
    try:
        waits = _items(episode_id) is None
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    if not waits:
        st.rerun()
    _result(memory_id, episode_id)


def _result(memory_id: str, episode_id: str) -> None:
    """What was, and what is now; drawn again until the new words are read."""
    actor: Actor = session.current_actor(touch=False)
    items = _items(episode_id)
    timeline.versions(actor, memory_id)
    learned.line(actor, Learned(processed=items is not None, items=tuple(items or ())), key=f"correct-{memory_id}")
