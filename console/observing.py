"""What was observed: sources and how far they held up, answers and their corrections, how long things stay true."""

from __future__ import annotations

from typing import Any

import streamlit as st

from console import draft, safe, ways, widgets, words
from core.evidence import Reliability
from core.layer import MemoryLayer
from core.model import Actor, MemoryKind
from core.retuning import Tuning, proposal

KINDS = {
    MemoryKind.FACT: "Facts",
    MemoryKind.PREFERENCE: "Preferences",
    MemoryKind.PROCEDURE: "Ways of working",
    MemoryKind.LESSON: "Lessons",
    MemoryKind.EVENT: "Events",
}
SORTS = {"person": "Person", "tool": "Tool", "site": "Site", "doc": "Document"}
ID_SHOWN = 12  # characters of a document's digest


def sources_section(layer: MemoryLayer, actor: Actor) -> None:
    """How often what each source said held up."""
    rows = layer.observed.sources(actor)
    weighs = layer.policy.questions.weigh_sources
    widgets.section("How far each source held up", "of your own memory")
    widgets.muted(
        "A statement held up if another independent source or a person confirmed it; it failed if a person rejected it "
        "or put another in its place, or it was taken back. The reputation is (held up + prior) ÷ "
        "(observed + 2 × prior), and never above what its class is trusted. "
        + (
            "The policy lets it weigh when statements disagree."
            if weighs
            else "It is shown only: the policy does not let it weigh when statements disagree."
        )
    )
    if not rows:
        widgets.empty("No source yet", "Once statements were learned or held, the sources they came from appear here.")
        return
    safe.table([_source(one, actor) for one in rows])


def _source(one: Reliability, actor: Actor) -> dict[str, object]:
    record = one.record
    return {
        "Source": _named(record.origin, actor),
        "Class": words.source(record.source_kind).capitalize(),
        "Said": record.said,
        "Held up": record.held_up,
        "Failed": record.failed,
        "Reputation": f"{one.reputation:.2f}" if record.observed else "nothing observed",
        "Trust of its class": f"{one.base:.2f}",
    }


def _named(origin: str, actor: Actor) -> str:
    sort, _, name = origin.partition(":")
    if origin == f"person:{actor.user_id}":
        return "You"
    shown = name[:ID_SHOWN] if sort == "doc" else name
    return f"{SORTS.get(sort, sort.capitalize())}: {shown}" if name else sort


def sessions_section(layer: MemoryLayer, actor: Actor) -> None:
    """Accuracy over sessions: of the answers that were built on memories, those that nobody corrected."""
    found = layer.observed.accuracy(actor)
    widgets.section("Accuracy over your conversations", "of answers that were built on memories")
    widgets.muted(
        "An answer counts as corrected if a memory that it was built on was corrected or forgotten after it. What "
        "nobody looked at counts as right, so this is an upper bound."
    )
    if found.answered:
        share = f"{found.agreed / found.answered:.0%}"
        told = f"{found.agreed} of {words.plural(found.answered, 'answer')} to questions kept what was remembered"
        widgets.strip([("Questions that memory had right", share, told)])
    if not found.sessions:
        widgets.empty("No answers yet", "Once an answer was built on memories, its conversation appears here.")
        return
    safe.table(
        [
            {
                "Conversation": one.title,
                "Last used": words.moment(one.at),
                "Answers (n)": one.answers,
                "Corrected later": one.corrected,
                "Not corrected": f"{(one.answers - one.corrected) / one.answers:.0%}",
            }
            for one in found.sessions
        ]
    )


def decay_section(layer: MemoryLayer, actor: Actor) -> None:
    """How long each kind of statement stays true, and a policy that follows it, as a draft to try and adopt."""
    rows = layer.observed.decay(actor)
    least = layer.policy.questions.observed_min
    widgets.section("How long things stay true", "of everybody in the tenant: counts and times only")
    widgets.muted(
        "From each statement to the next word on it: a confirmation says that it was still true, a replacement that it "
        "was not. The median of that (Kaplan and Meier) is the half-life that the observations suggest."
    )
    safe.table([_tuning(one, least) for one in rows])
    ready = [one for one in rows if one.suggested is not None]
    if not ready:
        widgets.muted(f"Nothing is suggested yet: a kind needs {least} observed intervals, half of them ended.")
        return
    with st.container(horizontal=True, gap="small"):
        for one in ready:
            name = f"Draft a policy with {one.suggested:.0f} days for {KINDS[one.kind].lower()}"
            if st.button(safe.label(name), key=f"tune-{one.kind.value}", icon=":material/tune:"):
                _open(layer, one)


def _tuning(one: Tuning, least: int) -> dict[str, object]:
    if one.suggested is not None:
        suggested = f"{one.suggested:.0f} days"
    elif not one.enough:
        suggested = f"too little is known (n = {one.observed}, needs {least})"
    else:
        suggested = "longer than was observed"
    return {
        "Kind": KINDS[one.kind],
        "Intervals (n)": one.observed,
        "Confirmed": one.confirmed,
        "Replaced": one.replaced,
        "Median interval": "" if one.median_interval is None else f"{one.median_interval:.1f} days",
        "Half-life suggested": suggested,
        "Half-life in force": f"{one.policy:.0f} days",
    }


def _open(layer: MemoryLayer, one: Tuning) -> None:
    """Fill a draft of the policy and go to it: it is compared, tried and adopted there, or not."""
    change: dict[str, Any] = dict(proposal(one, layer.policy.decay))
    st.session_state[draft.DRAFT] = st.session_state.get(draft.DRAFT, {}) | change
    st.session_state[draft.SEEN] = layer.policy.digest
    ways.to("policy", view="Change")


__all__ = ["decay_section", "sessions_section", "sources_section"]
