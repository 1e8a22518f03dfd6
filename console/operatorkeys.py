"""Operator keys: made and shown once on Account, listed and ended there, or by an admin on People."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import tag
from core.model import Actor
from core.operatorkeys import LONGEST_NAME
from core.ports import OperatorKey

MADE = "operator-key-made"  # key of the session state: the token, until the person has it


def own(actor: Actor) -> None:
    """The section on the Account page."""
    keys = session.layer().operator_keys.list(actor)
    widgets.section("Operator keys", "a program with one acts as you, with the role you have at that moment")
    token = st.session_state.get(MADE, "")
    if token:
        safe.banner("The key is made", "Copy it now: it is shown this once, and only its digest is kept.", tone="good")
        safe.code(token)
        if st.button("I have copied it", key="operator-key-copied"):
            del st.session_state[MADE]
            st.rerun()
    _create(actor)
    if not keys:
        widgets.empty(
            "No program acts for you",
            "A script with an operator key reviews, exports and watches the audit over HTTP as you would here. Agents "
            "get agent keys instead.",
        )
    rows(actor, keys, {})


def _create(actor: Actor) -> None:
    with (
        st.form("operator-key", border=False, clear_on_submit=True),
        st.container(horizontal=True, gap="small", vertical_alignment="bottom"),
    ):
        name = st.text_input(
            "What it is for",
            placeholder="nightly export",
            max_chars=LONGEST_NAME,
            key="operator-key-name",
            width=300,
            autocomplete="off",
        )
        sent = st.form_submit_button("Make an operator key", icon=":material/vpn_key:")
    if sent:
        made = widgets.attempt(lambda: session.layer().operator_keys.create(actor, name or ""))
        if made is not None:
            st.session_state[MADE] = made[1]
            st.rerun()


def of_tenant(actor: Actor, names: Mapping[str, str]) -> None:
    """The section on the People page."""
    keys = session.layer().operator_keys.of_tenant(actor)
    widgets.section("Operator keys", words.plural(len(keys), "key") + " in use; each acts as its person")
    if not keys:
        widgets.muted("Nobody has made one.")
    rows(actor, keys, names)


def rows(actor: Actor, keys: Sequence[OperatorKey], names: Mapping[str, str]) -> None:
    """Keys in use, each with what ends it; `names` says whose they are, where that is not clear."""
    now = widgets.now()
    for key in keys:
        used = f"last used {words.age(key.last_used_at, now)}" if key.last_used_at else "never used"
        whose = f"acts as {drawer.name_of(key.user_id, names)} · " if names else ""
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=f"operator-key-{key.key_id}",
        ):
            safe.draw(
                tag(
                    "div",
                    tag("span", key.name, cls="cm-strong", dir="auto"),
                    tag("span", f" {key.prefix}…", cls="cm-muted cm-prefix"),
                    tag("div", f"{whose}made {words.age(key.created_at, now)} · {used}", cls="cm-muted", dir="auto"),
                )
            )
            ended = st.button("Revoke", key=f"revoke-operator-{key.key_id}")
        if ended and widgets.done(partial(session.layer().operator_keys.revoke, actor, key.key_id)):
            widgets.flash("The key is revoked: nothing is opened with it any more.")
            st.rerun()
