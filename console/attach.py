"""Attaching to a chat: a file, a pasted page, a tool's result; each is labelled with its trust before it is sent."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from console import safe, session, terms, widgets, words
from console.safe import tag
from core.model import SourceKind

FILE_TYPES = ("txt", "md", "html", "htm", "pdf")
SORTS = ("File", "Web page", "Tool result")
OTHER = "Another tool"
MEGABYTE = 1_000_000


@st.dialog("Attach", on_dismiss=widgets.close_dialog)
def attach(conversation_id: str) -> None:
    """Choose what sort of text it is, see what that is worth, send it."""
    sort = st.segmented_control(
        "What", SORTS, default=SORTS[0], required=True, key="attach-sort", label_visibility="collapsed"
    )
    {"Web page": _page, "Tool result": _tool}.get(str(sort), _file)(conversation_id)


def _label(kind: SourceKind, trust: float, note: str = "") -> None:
    threshold = session.layer().policy.trust.threshold
    meaning = (
        "You can ask about it in this chat. Nothing of it reaches memory unless a reviewer promotes it."
        if trust < threshold
        else "What it states is remembered."
    )
    safe.draw(
        tag(
            "div",
            widgets.chip(words.source(kind).capitalize(), "info"),
            widgets.bar("Trust", trust, limit=threshold),
            cls="cm-attach-trust",
        ),
        tag("p", f"{note} {meaning}".strip(), cls="cm-muted"),
    )


def _by_name(name: str) -> None:
    _label(*session.layer().chat.preview(name))


def _limits() -> tuple[int, int]:
    limits = session.layer().chat.limits
    return limits.attachment_bytes, limits.attachment_chars


def _file(conversation_id: str) -> None:
    most, chars = _limits()
    file = st.file_uploader(
        "Text, Markdown, HTML or PDF", type=list(FILE_TYPES), key="attach-file", max_upload_size=-(-most // MEGABYTE)
    )
    widgets.muted(f"At most {most / MEGABYTE:g} MB, and {chars:,} characters of text.")
    if file is None:
        return
    if not widgets.done(lambda: _by_name(file.name)):
        return
    if st.button("Attach to this chat", type="primary", key="attach-file-send"):
        actor = session.current_actor()
        data = file.getvalue()
        _send(
            conversation_id,
            lambda: session.layer().chat.attach_file(actor, conversation_id, name=file.name, data=data),
        )


def _page(conversation_id: str) -> None:
    address = st.text_input("Address", placeholder="https://", key="attach-address", max_chars=2000)
    text = st.text_area("Text of the page", height=180, key="attach-text")
    widgets.muted("Paste what the page says. Nothing is fetched from the address.")
    _by_name("https://")
    if st.button("Attach to this chat", type="primary", key="attach-page-send"):
        actor = session.current_actor()
        _send(
            conversation_id,
            lambda: session.layer().chat.attach_page(actor, conversation_id, address=address, text=text),
        )


def _tool(conversation_id: str) -> None:
    tools = session.layer().policy.tools
    name = st.selectbox(
        "Tool", [*sorted(tools.registry), OTHER], key="attach-tool", format_func=lambda one: safe.plain(str(one))
    )
    known = tools.class_of(str(name))
    if name == OTHER:
        name = st.text_input("Its name", key="attach-tool-name", max_chars=60)
        known = tools.class_of((name or "").strip())
    text = st.text_area("What it returned", height=150, key="attach-tool-text")
    note = f"This tool {terms.TOOLS[known]}." if known in terms.TOOLS else "The policy does not know this tool."
    _label(SourceKind.TOOL_OUTPUT, session.layer().chat.preview_tool(str(name or "")), note)
    if st.button("Attach to this chat", type="primary", key="attach-tool-send"):
        actor = session.current_actor()
        _send(
            conversation_id,
            lambda: session.layer().chat.attach_tool(actor, conversation_id, tool=str(name or ""), text=text or ""),
        )


def _send(conversation_id: str, act: Callable[[], object]) -> None:
    with st.spinner("Reading it"):
        sent = widgets.done(act)
    if sent:
        widgets.close_dialog()
        st.query_params["c"] = conversation_id
        st.rerun()
