"""Agent keys: made and shown once on Account, listed with what they may do, ended there or by an admin on People."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import tag
from core.model import CONSOLE, Actor, SourceKind
from core.ports import AgentKey

MADE = "agent-key-made"  # key of the session state: the token, until the person has it
COUNTS_AS = {
    SourceKind.AGENT_TURN: "an agent's own words",
    SourceKind.USER_TURN: "my own words (an app I type in)",
    SourceKind.TOOL_OUTPUT: "what a registered tool returned",
    SourceKind.THIRD_PARTY: "messages of other people",
    SourceKind.EXTERNAL_DOC: "documents",
    SourceKind.WEB_CONTENT: "web pages",
}
OF_ITS_OWN, SHARED = "its own, apart", "the one I chat with"


def own(actor: Actor) -> None:
    """The section on the Account page."""
    keys = session.layer().keys.list(actor)
    widgets.section("Agent keys", "no key can promote or reveal anything, or forget what another said")
    token = st.session_state.get(MADE, "")
    if token:
        safe.banner("The key is made", "Copy it now: it is shown this once, and only its digest is kept.", tone="good")
        safe.code(token)
        if st.button("I have copied it", key="agent-key-copied"):
            del st.session_state[MADE]
            st.rerun()
    _create(actor)
    if not keys:
        widgets.empty(
            "No agent has a key",
            "An agent with a key puts texts into your memory and asks it, under its own name. What it says is judged "
            "like everything else.",
        )
    rows(actor, keys, {})


def _create(actor: Actor) -> None:
    with (
        st.form("agent-key", border=False, clear_on_submit=True),
        st.container(horizontal=True, gap="small", vertical_alignment="bottom"),
    ):
        name = st.text_input(
            "Name of the agent",
            placeholder="planner",
            max_chars=40,
            key="agent-key-name",
            width=220,
            autocomplete="off",
        )
        channel = st.selectbox(
            "What it sends counts as",
            list(COUNTS_AS),
            format_func=lambda one: COUNTS_AS[one],
            key="agent-key-channel",
            width=300,
            help="The key decides this, never what is sent with a text. It can put in less trusted texts too: what a "
            "tool returned, a document, a page.",
        )
        shared = st.selectbox(
            "Memory",
            [False, True],
            format_func=lambda one: SHARED if one else OF_ITS_OWN,
            key="agent-key-space",
            width=220,
        )
        sent = st.form_submit_button("Make a key", icon=":material/key:")
    if sent:
        made = widgets.attempt(lambda: session.layer().keys.create(actor, name or "", channel=channel, shared=shared))
        if made is not None:
            st.session_state[MADE] = made[1]
            st.rerun()


def of_tenant(actor: Actor, names: Mapping[str, str]) -> None:
    """The section on the People page."""
    keys = session.layer().keys.of_tenant(actor)
    widgets.section("Agent keys", words.plural(len(keys), "key") + " in use; none can promote or reveal")
    if not keys:
        widgets.muted("Nobody has made one. People make keys for their own agents on their Account page.")
    rows(actor, keys, names)


def rows(actor: Actor, keys: Sequence[AgentKey], names: Mapping[str, str]) -> None:
    """Keys in use, each with what ends it; `names` says whose they are, where that is not clear."""
    now = widgets.now()
    for key in keys:
        used = f"last used {words.age(key.last_used_at, now)}" if key.last_used_at else "never used"
        whose = f"{drawer.name_of(key.owner, names)} · " if names else ""
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=f"agent-key-{key.key_id}",
        ):
            safe.draw(
                tag(
                    "div",
                    tag("span", key.agent, cls="cm-strong", dir="auto"),
                    tag("span", f" {key.prefix}…", cls="cm-muted cm-prefix"),
                    tag(
                        "div", f"{whose}counts as {COUNTS_AS[key.channel]} · {_memory(key)}", cls="cm-muted", dir="auto"
                    ),
                    tag("div", f"made {words.age(key.created_at, now)} · {used}", cls="cm-muted", dir="auto"),
                )
            )
            ended = st.button("Revoke", key=f"revoke-key-{key.key_id}")
        if ended and widgets.done(partial(session.layer().keys.revoke, actor, key.key_id)):
            widgets.flash("The key is revoked: nothing is opened with it any more.")
            st.rerun()


def _memory(key: AgentKey) -> str:
    if key.space == CONSOLE:
        return "shares the console's memory"
    return "a memory of its own" if key.space == key.agent else f"the memory {key.space}"
