"""What stands behind an answer: the memories used, those left out and why, and the exact prompt. Chat draws it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from console import safe, session, widgets, words
from console.safe import tag
from core.model import Run, SourceKind


def recalled(detail: dict[str, Any]) -> str:
    """How many memories were recalled, and how many held facts were withheld."""
    used, candidates, withheld = (
        len(detail.get("used", [])),
        int(detail.get("candidates", 0)),
        int(detail.get("withheld", 0)),
    )
    said = f"Recalled {used} of {words.plural(candidates, 'candidate')}"
    if withheld:
        said += f" · {words.plural(withheld, 'matching fact')} withheld (held for review)"
    return said


def memories(run: Run | None) -> None:
    """The panel for one answer."""
    detail = run.detail if run is not None else {}
    used, unused = detail.get("used", []), detail.get("unused", [])
    widgets.section("Memories used", f"{len(used)}" if used else "")
    if run is None or not (used or unused):
        widgets.empty(
            "None for this answer", "Memories that an answer is built on appear here, with their source and trust."
        )
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
                        tag(
                            "div",
                            f"{str(one['why']).capitalize()} · score {one['score']:.2f} · trust {one['trust']:.2f}",
                            cls="cm-muted",
                        ),
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
    foot = [source, words.old(float(one["age_days"]))]
    if one.get("vouched_by"):
        foot.append(f"vouched for by {one['vouched_by']}")
    with st.container(key=f"mem-{run.run_id}-{memory_id}", gap="xxsmall"):
        safe.draw(
            tag(
                "div",
                tag(
                    "div",
                    tag(
                        "span",
                        str(one["n"]),
                        cls="cm-cite" if one.get("cited") else "cm-cite cm-quiet",
                        title="Cited" if one.get("cited") else "In the context, not cited",
                    ),
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
                widgets.open_dialog("why", memory_id)
            if st.button("Forget", icon=":material/delete:", type="tertiary", key=f"forget-{run.run_id}-{memory_id}"):
                widgets.open_dialog("forget", memory_id, str(one["text"]))


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
