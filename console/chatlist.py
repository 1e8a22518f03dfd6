"""The list of chats beside every conversation: found by title, grouped by day, renamed, deleted."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

import streamlit as st

from console import safe, session, widgets
from console.safe import tag
from core.chats import TITLE_CHARS
from core.model import Actor

FIRST, MORE = 20, 40  # chats shown at first, and added by each "Show more"
SEARCH_FROM = 6  # chats from which on a search is of use
SHOWN = "chats-shown"


def go(conversation_id: str | None) -> None:
    """Open a chat, or a new one."""
    st.session_state.pop("chat-draft", None)
    st.session_state.pop("chat-run", None)
    if conversation_id is None:
        st.query_params.pop("c", None)
    else:
        st.query_params["c"] = conversation_id
    st.rerun()


def draw(actor: Actor, current: str) -> None:
    """The list in the sidebar."""
    shown = int(st.session_state.get(SHOWN, FIRST))
    with st.sidebar, st.container(key="chats", gap="xxsmall"):
        if st.button("New chat", icon=":material/add:", key="chat-new", width="stretch"):
            go(None)
        text = str(st.session_state.get("chat-find") or "")
        found, total = session.layer().chats.page(actor, text=text, limit=shown)
        if total >= SEARCH_FROM or text:
            st.text_input(
                "Find a chat",
                placeholder="Find a chat",
                key="chat-find",
                icon=":material/search:",
                max_chars=TITLE_CHARS,
                label_visibility="collapsed",
            )
        if text and not found:
            widgets.muted("No chat has these words in its name.")
        now = widgets.now()
        for day, ones in groupby(found, key=lambda one: day_of(one.updated_at, now)):
            safe.draw(tag("div", day, cls="cm-day"))
            for one in ones:
                here = one.conversation_id == current
                with st.container(key="chat-now" if here else f"chat-{one.conversation_id}"):
                    name = safe.label(one.title or "Untitled", limit=40)
                    if st.button(
                        name, key=f"chat-open-{one.conversation_id}", type="tertiary", width="stretch", wrap=False
                    ):
                        go(one.conversation_id)
        if total > len(found) and st.button(
            safe.label(f"Show more ({total - len(found):,})"), key="chats-more", type="tertiary", width="stretch"
        ):
            st.session_state[SHOWN] = shown + MORE
            st.rerun()


def day_of(at: datetime, now: datetime) -> str:
    """The heading that a chat stands under: "Today", "Yesterday", "Monday", "3 March", "3 March 2025"."""
    days = (now.date() - at.astimezone(now.tzinfo).date()).days
    if days <= 1:
        return "Today" if days <= 0 else "Yesterday"
    if at > now - timedelta(days=7):
        return at.strftime("%A")
    return at.strftime("%-d %B" if at.year == now.year else "%-d %B %Y")


def head(conversation_id: str) -> None:
    """The acts on the open chat."""
    with st.container(horizontal=True, horizontal_alignment="right", key="chat-head", gap="xsmall"):
        if st.button("Rename", icon=":material/edit:", type="tertiary", key="chat-rename"):
            widgets.open_dialog("rename", conversation_id)
        if st.button("Delete chat", icon=":material/delete:", type="tertiary", key="chat-delete"):
            widgets.open_dialog("delete", conversation_id)


@st.dialog("Rename this chat", on_dismiss=widgets.close_dialog)
def rename(conversation_id: str) -> None:
    """Ask for another name."""
    actor = session.current_actor(touch=False)
    known = {one.conversation_id: one.title for one in session.layer().chats.page(actor, limit=500)[0]}
    with st.form("chat-rename-form", border=False):
        title = st.text_input(
            "Name",
            value=safe.plain(known.get(conversation_id, "")),
            key=f"chat-title-{conversation_id}",
            max_chars=TITLE_CHARS,
            label_visibility="collapsed",
        )
        if st.form_submit_button("Rename", type="primary", key="chat-rename-yes"):
            actor = session.current_actor()
            if widgets.done(lambda: session.layer().chats.rename(actor, conversation_id, title or "")):
                widgets.close_dialog()
                st.rerun()


@st.dialog("Delete this chat?", on_dismiss=widgets.close_dialog)
def delete(conversation_id: str) -> None:
    """Ask, then take the chat out of the list."""
    widgets.muted(
        "The chat leaves your list. What was learned in it stays remembered until you forget it under Memories."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="chat-delete-yes"):
            actor = session.current_actor()
            if widgets.done(lambda: session.layer().chat.delete(actor, conversation_id)):
                widgets.close_dialog()
                widgets.flash("The chat is deleted.")
                go(None)
        if st.button("Keep it", key="chat-delete-no"):
            widgets.close_dialog()
            st.rerun()
