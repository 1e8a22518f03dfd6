"""Evidence: what the auditor asks, what it found about sources and about how long things stay true."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from console import feed, observing, patterns, session, widgets
from core.layer import MemoryLayer
from core.model import Actor, Role

Section = Callable[[MemoryLayer, Actor], None]

QUESTIONS, PATTERNS, SOURCES, CONVERSATIONS, DECAY = "Questions", "Patterns", "Sources", "Conversations", "Decay"
EVERYBODY = (QUESTIONS, PATTERNS, SOURCES, CONVERSATIONS)
ADMINS = (*EVERYBODY, DECAY)
SECTIONS: dict[str, Section] = {
    QUESTIONS: feed.questions_section,
    PATTERNS: patterns.patterns_section,
    SOURCES: observing.sources_section,
    CONVERSATIONS: observing.sessions_section,
    DECAY: observing.decay_section,
}


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
                "–" if share is None else f"{share:.0%}",
                "nothing was worked on since the start" if share is None else "of the work was done without a model",
            ),
        ]
    )
    shown = ADMINS if actor.role is Role.ADMIN else EVERYBODY
    view = st.segmented_control(
        "What is shown", shown, default=QUESTIONS, key="view", bind="query-params", label_visibility="collapsed"
    )
    SECTIONS[str(view) if view in shown else QUESTIONS](layer, actor)


widgets.page(draw)
