"""What stands behind an answer: the memories used, those left out and why, and the exact prompt. Chat draws it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

import streamlit as st

from console import safe, session, sureness, widgets, words
from console.safe import Html, tag
from core.model import Run, SourceKind

SHOWN = 5  # memories named for each reason; more are counted
LEFT_OUT = {  # why a memory was not used, and what that means
    "held": "It fits the question. It is counted here, and told to no model, until a person decides.",
    "superseded": "A newer statement took its place.",
    "taken back": "You took it back or corrected it.",
    "decayed": "It had faded and was put away.",
    "expired": "Its deadline has passed.",
    "no longer true": "It was said to hold until a day that is over.",
    "over the budget": "It fits the question, but the prompt was full.",
    "not among the best": "It fits the question, but others fit better.",
    "not what was asked": "It is near the question, but does not answer it.",
    "below the floor": "Too little of the question is in it.",
}
ORDER = list(LEFT_OUT)


def recalled(detail: dict[str, Any]) -> str:
    """How many memories were recalled, and how many held facts were withheld."""
    used, candidates, withheld = (
        len(detail.get("used", [])),
        max(int(detail.get("candidates", 0)), len(detail.get("used", []))),  # a look-up by slot finds beside the search
        int(detail.get("withheld", 0)),
    )
    said = f"Recalled {used} of {words.plural(candidates, 'candidate')}"
    if withheld:
        said += f" · {words.plural(withheld, 'matching fact')} withheld (held for review)"
    return said


def memories(run: Run | None) -> None:
    """The panel for one answer."""
    detail = run.detail if run is not None else {}
    used, unused = detail.get("used", []), [*detail.get("gone", []), *detail.get("unused", [])]
    withheld = int(detail.get("withheld", 0))
    widgets.section("Memories used", f"{len(used)}" if used else "")
    if run is None or not (used or unused or withheld):
        widgets.empty(
            "None for this answer", "Memories that an answer is built on appear here, with their source and trust."
        )
        return
    for one in used:
        _memory(one, run)
    if not used:
        widgets.muted("None for this answer.")
    if unused or withheld:
        _unused(unused, withheld, unknown=bool(detail.get("gone_unknown")))
    _prompt(detail)


def _unused(unused: list[dict[str, Any]], withheld: int, *, unknown: bool) -> None:
    """What was left out, the reasons first: one line says what each reason means."""
    counts = Counter(str(one["why"]) for one in unused)
    with st.expander("Not used, and why", icon=":material/filter_alt_off:"):
        if withheld:
            safe.draw(
                tag(
                    "div",
                    tag("div", f"Held for review · {withheld}", cls="cm-strong"),
                    tag("div", LEFT_OUT["held"], cls="cm-muted"),
                    cls="cm-unused",
                )
            )
        for why in sorted(counts, key=lambda one: ORDER.index(one) if one in ORDER else len(ORDER)):
            rows = [one for one in unused if str(one["why"]) == why]
            head = tag("div", f"{why.capitalize()} · {len(rows)}", cls="cm-strong")
            meaning = [tag("div", LEFT_OUT[why], cls="cm-muted")] if why in LEFT_OUT else []
            safe.draw(tag("div", head, *meaning, *map(_left, rows[:SHOWN]), *_more(len(rows)), cls="cm-unused"))
        if unknown:
            widgets.muted("What is no longer current could not be looked up for this answer.")


def _left(one: dict[str, Any]) -> Html:
    numbers = f"score {one['score']:.2f} · trust {one['trust']:.2f} · {words.old(float(one['age_days']))}"
    return tag(
        "div",
        tag("div", str(one["text"]), dir="auto"),
        tag("div", numbers, cls="cm-muted"),
        cls="cm-left",
    )


def _more(count: int) -> list[Html]:
    return [tag("div", f"and {count - SHOWN:,} more", cls="cm-muted")] if count > SHOWN else []


def _memory(one: dict[str, Any], run: Run) -> None:
    kind, memory_id = SourceKind(one["source_kind"]), str(one["memory_id"])
    own = kind in (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
    source = words.source(kind) if own else widgets.source_line(kind, str(one["source_ref"]), str(one["source_title"]))
    # one that was looked up by its slot was not ranked: it has an age, and no freshness of that moment
    ranked = "freshness" in one
    age = words.old(float(one["age_days"])) if ranked else words.age(_stated(one), widgets.now())
    foot = [source, age]
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
                *([widgets.bar("Strength", float(one["importance"]) * float(one["freshness"]))] if ranked else []),
                *([sureness.small(sureness.of(one["confidence"]))] if one.get("confidence") else []),
                tag("div", " · ".join(foot), cls="cm-muted", dir="auto"),
                cls="cm-mem",
            )
        )
        with st.container(horizontal=True, gap="xsmall"):
            if st.button("Why", icon=":material/help:", type="tertiary", key=f"why-{run.run_id}-{memory_id}"):
                widgets.open_dialog("why", memory_id, run.run_id)
            if st.button("Correct", icon=":material/edit:", type="tertiary", key=f"correct-{run.run_id}-{memory_id}"):
                widgets.open_dialog("correct", memory_id, str(one["text"]))
            if st.button("Forget", icon=":material/delete:", type="tertiary", key=f"forget-{run.run_id}-{memory_id}"):
                widgets.open_dialog("forget", memory_id, str(one["text"]))


def _stated(one: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(str(one["stated_at"]))


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
