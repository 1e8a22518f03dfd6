"""The models by role: which one, where, what it did, what last went wrong, and a call when somebody asks for it."""

from __future__ import annotations

import streamlit as st

from console import safe, session, widgets, words
from core.model import Actor, Role
from core.ports import RoleState

_ROLES = {"agent": "Answers", "extractor": "Reads facts out of texts", "judge": "Judges contradictions"}


def draw(actor: Actor) -> None:
    """A card a role."""
    widgets.section("Model roles", "since this process started")
    for one in session.layer().model_desk.roles(actor):
        _role(actor, one)


def _role(actor: Actor, one: RoleState) -> None:
    now = widgets.now()
    share = one.fallback_share
    rows = [
        ("Model", ", then ".join(one.models) if one.models else "none: rules do the work"),
        *([("Endpoint", one.endpoint)] if one.models else []),
        ("Work done", words.plural(one.done, "piece") + ("" if share is None else f", {share:.0%} by rules")),
        *([("Last answer", words.age(one.last_answer_at, now))] if one.last_answer_at else []),
        *([("Last trouble", f"{words.age(one.last_error_at, now)}: {one.last_error}")] if one.last_error_at else []),
    ]
    with st.container(border=True, key=f"role-{one.role}"):
        widgets.section(_ROLES.get(one.role, one.role))
        safe.draw(widgets.facts(rows))
        if one.models and actor.role is Role.ADMIN and st.button("Check now", key=f"check-{one.role}"):
            with st.spinner("Asking it for one word…", show_time=True):
                said = widgets.attempt(lambda: session.layer().model_desk.check(actor, one.role))
            if said is not None:
                safe.banner("It answers", said, tone="good")
