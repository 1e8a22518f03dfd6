"""Sandbox: what would become of a text, tried on the signed-in person's own memory without writing anything."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import safe, session, trialruns, trialview, trialwords, whatif, widgets, words
from core.model import Actor, MemoryStatus, SourceKind
from core.sandbox import MAX_CHARS, Hop, Outcome, Preset, Sort, Trial

OWN = ""  # the choice that is no preset
VIEWS = ("try", "all", "threshold")
_VIEW_NAMES = {"try": "Try a text", "all": "All presets", "threshold": "Another threshold"}
TRIED = "sandbox-tried"  # (choice, (trial, outcome)) of the last run in this browser tab
_NAMED = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.THIRD_PARTY})


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Sandbox",
        "Attack your own memory. The same checks rule as on what is really heard, and nothing is written.",
    )
    view = st.segmented_control(
        "View",
        VIEWS,
        default="try",
        required=True,
        format_func=_view_name,
        key="sandbox-view",
        label_visibility="collapsed",
        persist_state="page",
    )
    if view == "all":
        trialruns.draw(actor)
    elif view == "threshold":
        whatif.draw(actor)
    else:
        _try(actor)


def _view_name(view: str) -> str:
    return safe.label(_VIEW_NAMES[view])


def _try(actor: Actor) -> None:
    presets = {one.name: one for one in session.layer().sandbox.presets(actor)}
    _beginning(actor)

    def named(name: str) -> str:
        preset = presets.get(name)
        return f"{trialwords.SORTS[preset.sort]}: {preset.title}" if preset else "Your own text"

    choice = st.selectbox("What to try", (OWN, *presets), format_func=named, key="sandbox-choice") or OWN
    preset = presets.get(choice)
    hops, question = _chosen(preset) if preset else _typed()
    pressed = st.button("Try it", type="primary", icon=":material/science:", key="sandbox-try")
    if pressed and not hops:
        safe.banner("Nothing to try yet", "Type or paste a text first, or choose a preset.", tone="warn")
    elif pressed:
        with st.spinner("Reading and ruling"):
            found = widgets.attempt(lambda: _run(actor, preset, hops, question))
        if found is not None:
            st.session_state[TRIED] = (choice, found)
    tried = st.session_state.get(TRIED)
    if tried is not None and tried[0] == choice:
        _shown(*tried[1])


def _run(actor: Actor, preset: Preset | None, hops: list[Hop], question: str) -> tuple[Trial, Outcome | None]:
    """The trial; of a preset, how the gate fared too."""
    sandbox = session.layer().sandbox
    if preset is None:
        return sandbox.trial(actor, hops, question=question), None
    return sandbox.run(actor, replace(preset, question=question))


def _beginning(actor: Actor) -> None:
    """A person without memories can run everything; what they see is then the story alone."""
    if not session.layer().memories.count(actor).get(MemoryStatus.ACTIVE, 0):
        safe.banner(
            "You have no memories yet",
            "The presets bring what they need. Once you have told the chat something, they attack that instead.",
        )


def _chosen(preset: Preset) -> tuple[list[Hop], str]:
    """A preset: what it is, its texts, its question."""
    tone = "warn" if preset.sort is Sort.ATTACK else "info"
    safe.banner(preset.title, preset.about, tone=tone)
    trialview.story(preset.hops)
    question = st.text_input(
        "Question to ask afterwards", value=preset.question, key=f"sandbox-question-{preset.name}", max_chars=400
    )
    return list(preset.hops), question or preset.question


def _typed() -> tuple[list[Hop], str]:
    """A text of the person's own, through a channel of their choice."""
    text = st.text_area(
        "Text",
        key="sandbox-text",
        height=140,
        max_chars=MAX_CHARS,
        placeholder="Paste a page, a mail, a tool's output, or type what you would say.",
    )
    kinds = tuple(SourceKind)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="sandbox-inputs"):
        kind = st.selectbox(
            "It comes in as",
            kinds,
            index=kinds.index(SourceKind.WEB_CONTENT),
            format_func=words.source,
            key="sandbox-kind",
            width=200,
        )
        channel = SourceKind(kind or SourceKind.WEB_CONTENT)
        ref, tool = "", ""
        if channel in _NAMED:
            ref = st.text_input("Address, file or sender", key="sandbox-ref", placeholder="https://example.org/page")
        elif channel is SourceKind.TOOL_OUTPUT:
            tool = st.text_input("Name of the tool", key="sandbox-tool", placeholder="calculator")
        question = st.text_input(
            "Question to ask afterwards",
            key="sandbox-question",
            max_chars=400,
            placeholder="Optional: what would you ask the assistant?",
        )
    policy = session.layer().policy
    safe.draw(widgets.bar("Its trust", policy.preview_trust(channel, tool or ""), limit=policy.trust.threshold))
    if not (text and text.strip()):
        return [], ""
    return [Hop(channel=channel, text=text, source_ref=ref or "", tool=tool or "")], question or ""


def _shown(trial: Trial, outcome: Outcome | None) -> None:
    """What became of it."""
    with st.container(key="sandbox-result"):
        trialview.verdict(trial, outcome)
        trialview.side_by_side(trial)
        widgets.section("Step by step", "as it was read, where it comes from, and what the gate said")
        trialview.timeline(trial)
        trialview.proof(trial.proof, "sandbox-proof")


widgets.page(draw)
