"""Evidence: what the auditor asks, what it found about sources and about how long things stay true."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from console import feed, session, widgets
from core.layer import MemoryLayer
from core.model import Actor, Role

Section = Callable[[MemoryLayer, Actor], None]

SECTIONS: dict[str, Section] = {
    "Questions": feed.questions_section,
    # patterns: "Patterns": patterns.patterns_section,
}
ADMINS: dict[str, Section] = {}


def draw() -> None:
    """The whole page."""
    actor, layer = session.current_actor(), session.layer()
    widgets.title(
        "Evidence",
        "What the evidence decided by itself, what it asks you, and what it tells of sources.",
    )
    share = layer.fast_path()
    waiting = layer.questions.waiting(actor)
    widgets.strip(
        [
            ("Open questions", str(len(waiting)), "only you can answer them"),
            ("Decided lately", str(len(layer.questions.decided(actor))), "by you or by the evidence"),
            (
                "Fast path",
                "no work yet" if share is None else f"{share:.0%}",
                "of the work was done without a model",
            ),
        ]
    )
    shown = SECTIONS | (ADMINS if actor.role is Role.ADMIN else {})
    if len(shown) > 1:
        st.session_state.setdefault("evidence-view", next(iter(shown)))
        view = st.segmented_control(
            "What is shown", list(shown), required=True, key="evidence-view", label_visibility="collapsed"
        )
    else:
        view = next(iter(shown))
    shown[view or next(iter(shown))](layer, actor)


widgets.page(draw)
