"""Ask side by side: the governed memory's answer and a last-wins memory's, with what differs. Chat opens it."""

from __future__ import annotations

import streamlit as st

from console import safe, session, sureness, widgets, words
from console.safe import Html, tag
from core.model import Memory
from core.sides import QUESTION_CHARS, Cited, Comparison, Side

FEW = 4  # sources named under an answer


@st.dialog("Ask side by side", width="large", on_dismiss=widgets.close_dialog)
def sides(conversation_id: str, asked_id: str, question: str) -> None:
    """Ask both memories a question and show what each says."""
    widgets.muted(
        "The same question to two memories: this one, and one that takes every statement from anybody and lets the "
        "newest win. Nothing of it is kept: no turn, no memory, no use is counted."
    )
    with st.form("sides-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Question",
            value=safe.plain(question),
            key=f"sides-question-{asked_id}",
            max_chars=QUESTION_CHARS,
            placeholder="For example: when is our launch?",
        )
        sent = st.form_submit_button("Ask both", type="primary", key="sides-ask")
    if not (text or "").strip():
        if sent:
            widgets.muted("Type the question that both memories should answer.")
        return
    with st.spinner("Asking both memories"):
        actor = session.current_actor(touch=sent)
        at_turn = asked_id if text == safe.plain(question) else ""
        found = widgets.attempt(
            lambda: session.layer().sides.compare(actor, text or "", conversation_id=conversation_id, asked_id=at_turn)
        )
    if found is not None:
        _draw(found)


def _draw(found: Comparison) -> None:
    safe.draw(tag("div", tag("span", headline(found), cls="cm-strong"), cls="cm-sides-verdict", role="status"))
    plain, governed = safe.differing(found.plain.text, found.governed.text, cls="cm-statement")
    safe.draw(
        tag(
            "div",
            _side("Governed memory", "what passed the gate", governed, found.governed, ours=True),
            _side("Last-wins memory", "whatever was said last", plain, found.plain),
            cls="cm-versus cm-sides",
        )
    )
    for one in notes(found):
        widgets.muted(one)


def headline(found: Comparison) -> str:
    """What the comparison shows, in a sentence."""
    if found.same:
        return "Both say the same."
    held = [one for one in found.plain.cited if one.held]
    if not held:
        return "They differ."
    kinds = dict.fromkeys(words.source(one.memory.source_kind) for one in held)
    reasons = dict.fromkeys(words.reason(one.item.decision.reasons[0]).lower() for one in held if one.item)
    return (
        f"They differ: without a gate, the word of {_listed(list(kinds))} would have been the answer. "
        f"Here it is held ({', '.join(reasons)})."
    )


def _listed(kinds: list[str]) -> str:
    named = [f"an {one}" if one[:1] in "aeiou" else f"a {one}" for one in kinds if one != "own words"]
    named += ["a statement of yours"] if "own words" in kinds else []
    return " and ".join(named)


def notes(found: Comparison) -> list[str]:
    """What a reader must know to judge the comparison."""
    said = []
    if not found.sees_held:
        said.append("Held statements are for reviewers to see here, so the last-wins side is without them, too.")
    rules = "Both answer by rules and from memory alone, so that the memory is all that differs."
    if not session.layer().describe_model.startswith("none"):
        rules += " The language model was not asked: held words never reach it."
    said.append(rules)
    if found.bounded:
        said.append("The last-wins side looked through the newest statements only.")
    return said


def _side(name: str, lead: str, answer: Html, side: Side, *, ours: bool = False) -> Html:
    cited = [_source(one) for one in side.cited[:FEW]]
    if len(side.cited) > FEW:
        cited.append(tag("div", f"and {len(side.cited) - FEW} more", cls="cm-muted"))
    if not cited:
        cited.append(tag("div", "It cites nothing.", cls="cm-muted"))
    if side.counsel is not None and side.cited:
        cited.insert(0, sureness.counselled(side.counsel, session.layer().policy))
    head = tag("div", tag("span", name, cls="cm-strong"), tag("span", f" · {lead}"), cls="cm-side-head")
    return tag(
        "div",
        tag("div", head, answer, tag("div", *cited, cls="cm-side-foot"), cls="cm-side cm-new" if ours else "cm-side"),
    )


def _source(one: Cited) -> Html:
    memory = one.memory
    chips = [widgets.chip("Held here", "warn")] if one.held else []
    if one.held and one.item is not None:
        chips += [widgets.chip(words.reason(code), "plain") for code in one.item.decision.reasons[:2]]
    return tag(
        "div",
        tag("div", tag("span", str(one.number), cls="cm-cite"), tag("span", f" {memory.text}"), dir="auto"),
        tag("div", _origin(memory), cls="cm-muted", dir="auto"),
        *([tag("div", *chips, cls="cm-chips")] if chips else []),
        cls="cm-source-cited",
    )


def _origin(memory: Memory) -> str:
    source = widgets.source_line(memory.source_kind, memory.source_ref, memory.source_title)
    vouched = [f"vouched for by {memory.vouched_by}"] if memory.vouched_by else []
    return " · ".join([source, words.age(memory.stated_at, widgets.now()), *vouched])
