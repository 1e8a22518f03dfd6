"""Chat: the conversation, what each turn taught the memory, and the memories behind each answer."""

from __future__ import annotations

import streamlit as st

from console import attach, behind, chatlist, correcting, drawer, keeping, safe, session, sidebyside, thread, widgets
from console.safe import tag
from core.model import Actor

EXAMPLES = (
    "I am allergic to penicillin. Please remember that.",
    "I live in Porto and I work as a nurse.",
    "What do you know about me?",
)


# --- the page -----------------------------------------------------------------------------------------------------


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    conversation_id = _conversation_id()
    chatlist.draw(actor, conversation_id)
    asked = _composer(actor, conversation_id)
    if asked:
        _ask(actor, conversation_id, asked)
    _unsent(actor, conversation_id)
    lines = session.layer().chat.thread(actor, conversation_id)
    if not lines:
        _welcome(actor, conversation_id)
        return
    runs = [line.run for line in lines if line.run is not None]
    shown = next((run for run in runs if run.run_id == st.session_state.get("chat-run")), runs[-1] if runs else None)
    left, right = st.columns([0.64, 0.36], gap="large")
    with left:
        chatlist.head(conversation_id)
        thread.draw(actor, conversation_id, lines, shown)
    with right, st.container(key="memory-panel"):
        behind.memories(shown)


def _unsent(actor: Actor, conversation_id: str) -> None:
    """A message that could not be stored when it was typed: nothing of it is lost, one click sends it."""
    text = st.session_state.get(session.UNSENT)
    if not text:
        return
    with st.container(border=True, key="chat-unsent-card"):
        widgets.muted("This message was not sent:")
        safe.text(text)
        with st.container(horizontal=True):
            if st.button("Send it", type="primary", key="chat-unsent-send"):
                _ask(actor, conversation_id, text)
            if st.button("Discard", key="chat-unsent-discard"):
                st.session_state.pop(session.UNSENT, None)
                st.rerun()


def _conversation_id() -> str:
    """The conversation in the address; without one a fresh id, which is written with the first turn only."""
    given = st.query_params.get("c")
    if given:
        return str(given)
    if "chat-draft" not in st.session_state:
        st.session_state["chat-draft"] = session.layer().chat.new_id()
    return str(st.session_state["chat-draft"])


def _open(conversation_id: str | None) -> None:
    st.session_state.pop("chat-draft", None)
    st.session_state.pop("chat-run", None)
    if conversation_id is None:
        st.query_params.pop("c", None)
    else:
        st.query_params["c"] = conversation_id
    st.rerun()


def _welcome(actor: Actor, conversation_id: str) -> None:
    safe.draw(
        tag(
            "div",
            tag("h1", "What should be remembered?"),
            tag(
                "p",
                "Say something about yourself, or ask. What you say is remembered. What a page or a document says "
                "waits for a reviewer: a fact is only as trustworthy as where it came from.",
            ),
            cls="cm-hero",
        )
    )
    with st.container(key="examples", horizontal_alignment="center"):
        for example in EXAMPLES:
            if st.button(safe.label(example), key=f"example-{EXAMPLES.index(example)}", width=440):
                _ask(actor, conversation_id, example)


def _ask(actor: Actor, conversation_id: str, text: str) -> None:
    run = widgets.attempt(lambda: session.layer().chat.ask(actor, conversation_id, text))
    if run is not None:
        st.session_state.pop(session.UNSENT, None)
        st.session_state["chat-run"] = run.run_id
        st.query_params["c"] = conversation_id
        st.rerun()


# --- writing ------------------------------------------------------------------------------------------------------


def _composer(actor: Actor, conversation_id: str) -> str | None:
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key="chat-tools"):
        if st.button("Attach", icon=":material/attach_file:", key="chat-attach", type="tertiary"):
            widgets.open_dialog("attach", conversation_id)
        if st.button("Ask side by side", icon=":material/compare_arrows:", key="chat-sides", type="tertiary"):
            _side_by_side(actor, conversation_id)
        if session.layer().describe_model.startswith("none"):
            widgets.muted("No language model is connected: rules answer from memory.")
    said = st.chat_input(
        "Say something, or ask", key=session.SAID, max_chars=_limit()
    )  # here: it makes the thread follow its end
    return said if isinstance(said, str) else None


def _side_by_side(actor: Actor, conversation_id: str) -> None:
    """Open the comparison with the last question of this chat, if there is one."""
    lines = session.layer().chat.thread(actor, conversation_id)
    last = next((one for one in reversed(lines) if one.role == "user"), None)
    widgets.open_dialog("sides", conversation_id, last.episode_id if last else "", last.text if last else "")


def _limit() -> int:
    return session.layer().chat.limits.message_chars


widgets.page(
    draw,
    rename=chatlist.rename,
    delete=chatlist.delete,
    attach=attach.attach,
    sides=sidebyside.sides,
    why=drawer.why,
    correct=correcting.correct,
    forget=keeping.forget,
)
