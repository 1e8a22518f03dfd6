"""Chat: the conversation, what each turn taught the memory, and the memories behind each answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import behind, drawer, keeping, questions, safe, session, widgets, words
from console.safe import Html, tag
from core.chat import Exchange, Learned
from core.errors import ChronoMemoryError
from core.model import Actor, HeldItem, Run, RunState

POLL_SECONDS = 0.3  # a running answer
READ_SECONDS = 1.0  # a finished one whose turn is still being read
EXAMPLES = (
    "I am allergic to penicillin. Please remember that.",
    "I live in Porto and I work as a nurse.",
    "What do you know about me?",
)
FILE_TYPES = ("txt", "md", "html", "htm", "pdf")
FEW = 3  # learned facts named in full; more are counted


# --- the page -----------------------------------------------------------------------------------------------------


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    conversation_id = _conversation_id()
    _conversations(actor, conversation_id)
    asked = _composer(conversation_id)
    if asked:
        _ask(actor, conversation_id, asked)
    _unsent(actor, conversation_id)
    lines = session.layer().chat.thread(actor, conversation_id)
    if not lines:
        _welcome(actor, conversation_id)
        return
    runs = [line.run for line in lines if line.run is not None]
    shown = next((run for run in runs if run.run_id == st.session_state.get("chat-run")), runs[-1] if runs else None)
    thread, memories = st.columns([0.64, 0.36], gap="large")
    with thread:
        _head(conversation_id)
        _thread(conversation_id, lines, shown)
    with memories, st.container(key="memory-panel"):
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


def _conversations(actor: Actor, current: str) -> None:
    with st.sidebar, st.container(key="chats", gap="xxsmall"):
        if st.button("New chat", icon=":material/add:", key="chat-new", width="stretch"):
            _open(None)
        for one in session.layer().chat.conversations(actor):
            here = one.conversation_id == current
            with st.container(key="chat-now" if here else f"chat-{one.conversation_id}"):
                name = safe.label(one.title or "Untitled", limit=40)
                if st.button(
                    name, key=f"chat-open-{one.conversation_id}", type="tertiary", width="stretch", wrap=False
                ):
                    _open(one.conversation_id)


def _head(conversation_id: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", key="chat-head"):
        if st.button("Delete chat", icon=":material/delete:", type="tertiary", key="chat-delete"):
            widgets.open_dialog("delete", conversation_id)


@st.dialog("Delete this chat?", on_dismiss=widgets.close_dialog)
def _delete(conversation_id: str) -> None:
    widgets.muted(
        "The chat leaves your list. What was learned in it stays remembered until you forget it under Memories."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="chat-delete-yes"):
            actor = session.current_actor()
            if widgets.done(lambda: session.layer().chat.delete(actor, conversation_id)):
                widgets.close_dialog()
                widgets.flash("The chat is deleted.")
                _open(None)
        if st.button("Keep it", key="chat-delete-no"):
            widgets.close_dialog()
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


def _composer(conversation_id: str) -> str | None:
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key="chat-tools"):
        if st.button("Attach", icon=":material/attach_file:", key="chat-attach", type="tertiary"):
            widgets.open_dialog("attach", conversation_id)
        if session.layer().describe_model.startswith("none"):
            widgets.muted("No language model is connected: rules answer from memory.")
    said = st.chat_input(
        "Say something, or ask", key=session.SAID, max_chars=_limit()
    )  # here: it makes the thread follow its end
    return said if isinstance(said, str) else None


def _limit() -> int:
    return session.layer().chat.limits.message_chars


@st.dialog("Attach", on_dismiss=widgets.close_dialog)
def _attach(conversation_id: str) -> None:
    sort = st.segmented_control(
        "What", ("File", "Web page"), default="File", required=True, key="attach-sort", label_visibility="collapsed"
    )
    if sort == "Web page":
        _attach_page(conversation_id)
    else:
        _attach_file(conversation_id)


def _label_trust(name: str) -> None:
    kind, trust = session.layer().chat.preview(name)
    threshold = session.layer().policy.trust.threshold
    below = trust < threshold
    safe.draw(
        tag("div", widgets.chip(words.source(kind).capitalize(), "info"), widgets.bar("Trust", trust, limit=threshold)),
        tag(
            "p",
            "You can ask about it in this chat. Nothing of it reaches memory unless a reviewer promotes it."
            if below
            else "What it states is remembered.",
            cls="cm-muted",
        ),
    )


def _attach_file(conversation_id: str) -> None:
    file = st.file_uploader("Text, Markdown, HTML or PDF", type=list(FILE_TYPES), key="attach-file")
    if file is None:
        return
    if not widgets.done(lambda: _label_trust(file.name)):
        return
    if st.button("Attach to this chat", type="primary", key="attach-file-send"):
        actor = session.current_actor()
        data = file.getvalue()
        _attached(
            conversation_id,
            widgets.done(lambda: session.layer().chat.attach_file(actor, conversation_id, name=file.name, data=data)),
        )


def _attach_page(conversation_id: str) -> None:
    address = st.text_input("Address", placeholder="https://", key="attach-address", max_chars=2000)
    text = st.text_area("Text of the page", height=180, key="attach-text")
    widgets.muted("Paste what the page says. Nothing is fetched from the address.")
    _label_trust("https://")
    if st.button("Attach to this chat", type="primary", key="attach-page-send"):
        actor = session.current_actor()
        _attached(
            conversation_id,
            widgets.done(lambda: session.layer().chat.attach_page(actor, conversation_id, address=address, text=text)),
        )


def _attached(conversation_id: str, done: bool) -> None:  # noqa: FBT001 - what became of the act
    if done:
        widgets.close_dialog()
        st.query_params["c"] = conversation_id
        st.rerun()


# --- the thread ---------------------------------------------------------------------------------------------------


def _pending(line: Exchange) -> bool:
    running = line.run is not None and line.run.state is RunState.RUNNING
    return running or (line.learned is not None and not line.learned.processed)


def _thread(conversation_id: str, lines: Sequence[Exchange], shown: Run | None) -> None:
    """Settled lines once; from the first unsettled one on, a fragment that looks again until all are settled."""
    first = next((at for at, line in enumerate(lines) if _pending(line)), len(lines))
    if first < len(lines) and lines[first].role == "user":
        runs_on = any(line.run and line.run.state is RunState.RUNNING for line in lines[first:])
    else:
        runs_on = first < len(lines) and lines[first].run is not None
    for line in lines[:first]:
        _line(line, shown)
    if first < len(lines):
        every = POLL_SECONDS if runs_on else READ_SECONDS
        st.fragment(_tail, run_every=every)(conversation_id, first, _signature(lines))


def _signature(lines: Sequence[Exchange]) -> list[tuple[str, bool]]:
    return [
        (line.run.state.value if line.run else "", line.learned.processed if line.learned else True) for line in lines
    ]


def _tail(conversation_id: str, first: int, before: list[tuple[str, bool]]) -> None:
    try:
        actor = session.current_actor(touch=False)
        lines = session.layer().chat.thread(actor, conversation_id)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    for line in lines[first:]:
        _line(line, line.run)
    if _signature(lines) != before:
        st.rerun()


def _line(line: Exchange, shown: Run | None) -> None:
    if line.role == "attachment":
        _attachment(line)
    elif line.run is not None:
        _answer(line.run, shown)
    else:
        with st.chat_message("user", avatar=":material/person:"):
            safe.draw(safe.words(line.text, cls="cm-said"), _learned(line.learned))
            questions.notices(_asked(line.learned))


def _attachment(line: Exchange) -> None:
    trust = session.layer().policy.trust.base(line.source_kind)
    with st.chat_message("user", avatar=":material/attach_file:"):
        safe.draw(
            tag(
                "div",
                widgets.chip(words.source(line.source_kind).capitalize(), "info"),
                tag("span", line.title or "Attachment", cls="cm-strong", dir="auto"),
                tag("span", f"trust {trust:.2f}", cls="cm-muted"),
                cls="cm-attach",
            ),
            _learned(line.learned),
        )
        questions.notices(_asked(line.learned))


def _asked(learned: Learned | None) -> list[HeldItem]:
    """What the turn left open for its owner."""
    return questions.facts(learned.held) if learned is not None and learned.processed else []


def _learned(learned: Learned | None) -> Html:
    """What the gate made of a turn: what is remembered now, what waits for a reviewer; quiet when there is nothing."""
    if learned is None:
        return Html("")
    if not learned.processed:
        return tag("div", "Reading…", cls="cm-learned")
    rows = []
    facts = learned.admitted
    if 0 < len(facts) <= FEW:
        rows += [tag("li", f"Learned: {one.candidate.text}", dir="auto") for one in facts]
    elif facts:
        rows.append(tag("li", f"Learned {words.plural(len(facts), 'fact')}"))
    held = [one for one in learned.held if not questions.asked(one)]
    if held:
        rows.append(tag("li", f"Held for review: {len(held)} ({_why_held(held)})", cls="cm-held-line"))
    return tag("ul", *rows, cls="cm-learned") if rows else Html("")


def _why_held(items: Sequence[HeldItem]) -> str:
    codes = dict.fromkeys(item.decision.reasons[0] for item in items)
    return ", ".join(words.reason(code).lower() for code in codes)


def _answer(run: Run, shown: Run | None) -> None:
    used = {int(one["n"]): str(one["text"]) for one in run.detail.get("used", [])}
    with st.chat_message("assistant", avatar=":material/neurology:"):
        if run.text:
            safe.chat_answer(run.text, used)
        elif run.state is RunState.RUNNING:
            safe.draw(tag("div", "Thinking…", cls="cm-thinking", role="status"))
        if run.state is RunState.RUNNING:
            if st.button("Stop", icon=":material/stop_circle:", key=f"stop-{run.run_id}", type="tertiary"):
                actor = session.current_actor()
                widgets.done(lambda: session.layer().chat.stop(actor, run.run_id))
            return
        if run.state is RunState.STOPPED:
            widgets.muted("Stopped. What had arrived is kept.")
        if run.state is RunState.FAILED:
            safe.banner("The answer did not finish", run.error, tone="warn")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if used or run.detail.get("candidates") or run.detail.get("withheld"):
                widgets.muted(behind.recalled(run.detail))
            chosen = shown is not None and shown.run_id == run.run_id
            if used and not chosen and st.button("Show these", key=f"show-{run.run_id}", type="tertiary"):
                st.session_state["chat-run"] = run.run_id
                st.rerun()


widgets.page(draw, delete=_delete, attach=_attach, why=drawer.why, forget=keeping.forget)
