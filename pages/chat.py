"""Chat: the conversation, what each turn taught the memory, and the memories behind each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import Html, tag
from core.chat import Exchange, Learned
from core.errors import ChronoMemoryError
from core.model import Actor, HeldItem, Run, RunState, SourceKind

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
    asked = _composer(actor, conversation_id)
    if asked:
        _ask(actor, conversation_id, asked)
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
        _memories(shown)


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
                if st.button(name, key=f"chat-open-{one.conversation_id}", type="tertiary", width="stretch", wrap=False):
                    _open(one.conversation_id)


def _head(conversation_id: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", key="chat-head"):
        if st.button("Delete chat", icon=":material/delete:", type="tertiary", key="chat-delete"):
            _delete(conversation_id)


@st.dialog("Delete this chat?")
def _delete(conversation_id: str) -> None:
    widgets.muted("The chat leaves your list. What was learned in it stays remembered until you forget it under Memories.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", key="chat-delete-yes"):
            actor = session.current_actor()
            if widgets.attempt(lambda: (session.layer().chat.delete(actor, conversation_id), True)):
                widgets.flash("The chat is deleted.")
                _open(None)
        if st.button("Keep it", key="chat-delete-no"):
            st.rerun()


def _welcome(actor: Actor, conversation_id: str) -> None:
    safe.draw(
        tag(
            "div",
            tag("h1", "What should be remembered?"),
            tag(
                "p",
                "Say something about yourself, or ask. What you say is remembered; what a page or a document says waits "
                "for a reviewer, because a fact is only as trustworthy as where it came from.",
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
        st.session_state["chat-run"] = run.run_id
        st.query_params["c"] = conversation_id
        st.rerun()


# --- writing ------------------------------------------------------------------------------------------------------


def _composer(actor: Actor, conversation_id: str) -> str | None:
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key="chat-tools"):
        if st.button("Attach", icon=":material/attach_file:", key="chat-attach", type="tertiary"):
            _attach(conversation_id)
        if session.layer().describe_model.startswith("none"):
            widgets.muted("No language model is connected: rules answer from memory.")
    said = st.chat_input("Say something, or ask", key="chat-say", max_chars=_limit())  # here: it makes the thread follow its end
    return said if isinstance(said, str) else None


def _limit() -> int:
    return session.layer().chat.limits.message_chars


@st.dialog("Attach")
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
    if widgets.attempt(lambda: (_label_trust(file.name), True)) is None:
        return
    if st.button("Attach to this chat", type="primary", key="attach-file-send"):
        actor = session.current_actor()
        data = file.getvalue()
        _attached(
            conversation_id,
            widgets.attempt(
                lambda: (session.layer().chat.attach_file(actor, conversation_id, name=file.name, data=data), True)
            ),
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
            widgets.attempt(
                lambda: (session.layer().chat.attach_page(actor, conversation_id, address=address, text=text), True)
            ),
        )


def _attached(conversation_id: str, done: object) -> None:
    if done is not None:
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
    if learned.held:
        rows.append(tag("li", f"Held for review: {len(learned.held)} ({_why_held(learned.held)})", cls="cm-held-line"))
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
                widgets.attempt(lambda: (session.layer().chat.stop(actor, run.run_id), True))
            return
        if run.state is RunState.STOPPED:
            widgets.muted("Stopped. What had arrived is kept.")
        if run.state is RunState.FAILED:
            safe.banner("The answer did not finish", run.error, tone="warn")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if used or run.detail.get("candidates") or run.detail.get("withheld"):
                widgets.muted(_recalled(run.detail))
            chosen = shown is not None and shown.run_id == run.run_id
            if used and not chosen and st.button("Show these", key=f"show-{run.run_id}", type="tertiary"):
                st.session_state["chat-run"] = run.run_id
                st.rerun()


def _recalled(detail: dict[str, Any]) -> str:
    used, candidates, withheld = len(detail.get("used", [])), int(detail.get("candidates", 0)), int(detail.get("withheld", 0))
    said = f"Recalled {used} of {words.plural(candidates, 'candidate')}"
    if withheld:
        said += f" · {words.plural(withheld, 'matching fact')} withheld (held for review)"
    return said


# --- the memories behind the answer ---------------------------------------------------------------------------------


def _memories(run: Run | None) -> None:
    detail = run.detail if run is not None else {}
    used, unused = detail.get("used", []), detail.get("unused", [])
    widgets.section("Memories used", f"{len(used)}" if used else "")
    if run is None or not (used or unused):
        widgets.empty("None for this answer", "Memories that an answer is built on appear here, with their source and trust.")
        return
    for one in used:
        _memory(one, run)
    if unused:
        with st.expander("Not used, and why", icon=":material/filter_alt_off:"):
            safe.draw(
                *(
                    tag(
                        "div",
                        tag("div", str(one["text"]), dir="auto"),
                        tag("div", f"{str(one['why']).capitalize()} · score {one['score']:.2f} · trust {one['trust']:.2f}", cls="cm-muted"),
                        cls="cm-unused",
                    )
                    for one in unused
                )
            )
    _prompt(detail)


def _memory(one: dict[str, Any], run: Run) -> None:
    kind, memory_id = SourceKind(one["source_kind"]), str(one["memory_id"])
    own = kind in (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
    source = words.source(kind) if own else widgets.source_line(kind, str(one["source_ref"]), str(one["source_title"]))
    foot = [source, words.span_of(float(one["age_days"]) * 86_400) + " old"]
    if one.get("vouched_by"):
        foot.append(f"vouched for by {one['vouched_by']}")
    with st.container(key=f"mem-{run.run_id}-{memory_id}", gap="xxsmall"):
        safe.draw(
            tag(
                "div",
                tag(
                    "div",
                    tag("span", str(one["n"]), cls="cm-cite" if one.get("cited") else "cm-cite cm-quiet", title="Cited" if one.get("cited") else "In the context, not cited"),
                    tag("span", str(one["text"]), dir="auto"),
                    cls="cm-mem-head",
                ),
                widgets.bar("Trust", float(one["trust"]), limit=session.layer().policy.trust.threshold),
                widgets.bar("Strength", float(one["importance"]) * float(one["freshness"])),
                tag("div", " · ".join(foot), cls="cm-muted", dir="auto"),
                cls="cm-mem",
            )
        )
        with st.container(horizontal=True, gap="xsmall"):
            if st.button("Why", icon=":material/help:", type="tertiary", key=f"why-{run.run_id}-{memory_id}"):
                drawer.why(memory_id)
            if st.button("Forget", icon=":material/delete:", type="tertiary", key=f"forget-{run.run_id}-{memory_id}"):
                drawer.forget(memory_id, str(one["text"]))


def _prompt(detail: dict[str, Any]) -> None:
    messages = detail.get("prompt", [])
    with st.expander("What the model saw", icon=":material/visibility:"):
        if detail.get("mode") == "rules":
            widgets.muted("No model was asked: rules answered from the memories above.")
        for message in messages:
            widgets.muted(str(message["role"]).capitalize())
            safe.code(str(message["content"]))
        if detail.get("head_tokens"):
            widgets.muted(f"The stable head has about {detail['head_tokens']:,} tokens.")


widgets.page(draw)
