"""The lines of a conversation: what was said and attached, the answers, and what a person does with an answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import asking, behind, learned, questions, safe, session, sureness, ways, widgets, words
from console.safe import tag
from core.chat import Exchange, Learned
from core.errors import ChronoMemoryError
from core.model import Actor, HeldItem, Run, RunState, SourceKind

POLL_SECONDS = 0.3  # a running answer
READ_SECONDS = 1.0  # a finished one whose turn is still being read
WHOLE = 30  # lines drawn at first; what came before is a click away
EARLIER = "chat-earlier"


def draw(actor: Actor, conversation_id: str, lines: Sequence[Exchange], shown: Run | None) -> None:
    """Settled lines once; from the first unsettled one on, a fragment that looks again until all are settled."""
    first = next((at for at, line in enumerate(lines) if _pending(line)), len(lines))
    if first < len(lines) and lines[first].role == "user":
        runs_on = any(line.run and line.run.state is RunState.RUNNING for line in lines[first:])
    else:
        runs_on = first < len(lines) and lines[first].run is not None
    since = _since(conversation_id, len(lines))
    for at in range(min(since, first), first):
        _line(actor, lines, at, shown)
    if first < len(lines):
        every = POLL_SECONDS if runs_on else READ_SECONDS
        st.fragment(_tail, run_every=every)(conversation_id, first, _signature(lines))


def _since(conversation_id: str, count: int) -> int:
    """The first line that is drawn; a button above it shows all."""
    if count <= WHOLE or st.session_state.get(EARLIER) == conversation_id:
        return 0
    hidden = count - WHOLE
    with st.container(horizontal_alignment="center", key="chat-before"):
        if st.button(safe.label(f"Show {hidden:,} earlier lines"), key="chat-earlier-show", type="tertiary"):
            st.session_state[EARLIER] = conversation_id
            st.rerun()
    return hidden


def _pending(line: Exchange) -> bool:
    running = line.run is not None and line.run.state is RunState.RUNNING
    return running or (line.learned is not None and not line.learned.processed)


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
    for at in range(first, len(lines)):
        _line(actor, lines, at, lines[at].run)
    if _signature(lines) != before:
        st.rerun()


def _line(actor: Actor, lines: Sequence[Exchange], at: int, shown: Run | None) -> None:
    line = lines[at]
    if line.role == "attachment":
        _attachment(actor, line)
    elif line.run is not None:
        asked = lines[at - 1] if at else None
        _answer(actor, line.run, asked, shown, last=at == len(lines) - 1)
    else:
        with st.chat_message("user", avatar=":material/person:"):
            safe.draw(safe.words(line.text, cls="cm-said"))
            learned.line(actor, line.learned, key=line.episode_id)
            questions.notices(_asked(line.learned))


def _attachment(actor: Actor, line: Exchange) -> None:
    chat = session.layer().chat
    is_tool = line.source_kind is SourceKind.TOOL_OUTPUT  # its title is the tool's name
    trust = chat.preview_tool(line.title) if is_tool else session.layer().policy.trust.base(line.source_kind)
    with st.chat_message("user", avatar=":material/attach_file:"):
        safe.draw(
            tag(
                "div",
                widgets.chip(words.source(line.source_kind).capitalize(), "info"),
                tag("span", line.title or "Attachment", cls="cm-strong", dir="auto"),
                tag("span", f"trust {trust:.2f}", cls="cm-muted"),
                cls="cm-attach",
            )
        )
        learned.line(actor, line.learned, key=line.episode_id, kind=line.source_kind)
        questions.notices(_asked(line.learned))


def _asked(learned_now: Learned | None) -> list[HeldItem]:
    """What the turn left open for its owner."""
    return questions.facts(learned_now.held) if learned_now is not None and learned_now.processed else []


def _answer(actor: Actor, run: Run, asked: Exchange | None, shown: Run | None, *, last: bool) -> None:
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
        _foot(actor, run, asked, chosen=shown is not None and shown.run_id == run.run_id, last=last)
        if last:
            asking.under_an_answer([str(one["memory_id"]) for one in run.detail.get("used", []) if "memory_id" in one])


def _foot(actor: Actor, run: Run, asked: Exchange | None, *, chosen: bool, last: bool) -> None:
    """Under an answer: what it was built on, and what can be done with the one that the panel stands for."""
    used, withheld = run.detail.get("used"), int(run.detail.get("withheld", 0))
    taught = asked is not None and asked.learned is not None and bool(asked.learned.items)
    if used or withheld or (run.detail.get("candidates") and not taught):
        widgets.muted(behind.recalled(run.detail))
    if run.detail.get("advice"):
        safe.draw(sureness.advised(run.detail["advice"]))
    ended = last and run.state in (RunState.FAILED, RunState.STOPPED)
    if not (chosen or used or ended):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"acts-{run.run_id}"):
        if withheld and chosen:
            ids = [str(one) for one in run.detail.get("withheld_ids", [])]
            ways.to_review(
                actor,
                "Open in Review",
                key=f"withheld-{run.run_id}",
                item=ids[0] if ids else "",
                word=str(run.detail.get("withheld_word", "")),
            )
        if used and not chosen and st.button("Show these", key=f"show-{run.run_id}", type="tertiary"):
            st.session_state["chat-run"] = run.run_id
            st.rerun()
        if ended and st.button("Try again", icon=":material/refresh:", key=f"retry-{run.run_id}", type="tertiary"):
            _again(run)
        if chosen and run.text:
            _acts(run, asked)


def _acts(run: Run, asked: Exchange | None) -> None:
    question = asked.text if asked is not None and asked.role == "user" else ""
    if question and st.button(
        "Side by side", icon=":material/compare_arrows:", key=f"sides-{run.run_id}", type="tertiary"
    ):
        widgets.open_dialog("sides", run.conversation_id, run.question_id, question)
    with st.popover("Copy", icon=":material/content_copy:", type="tertiary", key=f"copy-{run.run_id}"):
        safe.code(run.text)


def _again(run: Run) -> None:
    actor = session.current_actor()
    new = widgets.attempt(lambda: session.layer().chat.retry(actor, run.run_id))
    if new is not None:
        st.session_state["chat-run"] = new.run_id
        st.rerun()
