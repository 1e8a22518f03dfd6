"""Another threshold, on what was really heard: which claims change side, who said them, and a reviewer's load."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import drawer, safe, session, trialwords, widgets, words
from console.safe import Html, tag
from core.model import Actor, Role, Verdict
from core.replay import Replay, Replayed

LAST = (50, 200, 500)
SHOWN = 100  # changed claims listed
_WORDS = {Verdict.ADMIT: ("Remembered", "good"), Verdict.HOLD: ("Held", "warn"), Verdict.REJECT: ("Dropped", "plain")}


def draw(actor: Actor) -> None:
    """The slider, the figures and the list."""
    policy = session.layer().policy
    whose = "your tenant's" if actor.role is Role.ADMIN else "your"
    widgets.muted(f"Rules again on {whose} last claims as they were recorded. Nothing is changed by it.")
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="whatif-inputs"):
        threshold = st.slider(
            "Admission threshold", 0.0, 1.0, value=policy.trust.threshold, step=0.05, key="whatif-threshold", width=420
        )
        last = st.selectbox("Last claims", LAST, index=1, key="whatif-last", width=150)
    other = replace(policy, trust=replace(policy.trust, threshold=float(threshold)))
    with st.spinner("Ruling again"):
        found = session.layer().sandbox.what_if(actor, other, limit=int(last or LAST[0]))
    if not found.total:
        widgets.empty(
            "Nothing was heard yet", "Once something was said or attached, its claims are ruled on again here."
        )
        return
    widgets.strip(
        [
            ("Change side", f"{len(found.changed):,}", f"of {words.plural(found.total, 'claim')}"),
            ("Remembered unseen", _from_to(found.admitted_before, found.admitted_after), "claims"),
            ("Held", _from_to(found.held_before, found.held_after), "claims"),
            ("Reviewer load", f"{found.groups_before:.1f} → {found.groups_after:.1f}", "groups to decide per week"),
        ]
    )
    _list(actor, found, at_rest=float(threshold) == policy.trust.threshold)
    widgets.muted(trialwords.NOT_REDONE)


def _from_to(before: int, after: int) -> str:
    return f"{before:,} → {after:,}"


def _list(actor: Actor, found: Replay, *, at_rest: bool) -> None:
    if not found.changed:
        said = "This is the threshold in force. Move it." if at_rest else "No recorded claim lies between the two."
        widgets.empty("Nothing changes side", said)
        return
    names = session.layer().audit_desk.names(actor)
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Claim", "Said by", "From", "To", "Because")))
    rows = [_row(one, drawer.name_of(one.owner, names)) for one in found.changed[:SHOWN]]
    safe.draw(
        tag("div", tag("table", tag("thead", head), tag("tbody", *rows), cls="cm-table cm-changed"), cls="cm-scroll")
    )
    if len(found.changed) > SHOWN:
        widgets.muted(f"The newest {SHOWN} of {len(found.changed):,} are listed.")


def _row(one: Replayed, owner: str) -> Html:
    hidden = tag("span", "Somebody else's words: open the item in Review, where reading is recorded", cls="cm-muted")
    return tag(
        "tr",
        tag("td", one.text or hidden, dir="auto"),
        tag(
            "td",
            tag("div", words.source(one.source_kind).capitalize()),
            tag("div", f"heard by {owner}, {words.age(one.at, widgets.now())}", cls="cm-muted"),
        ),
        tag("td", widgets.chip(*_WORDS[one.before])),
        tag("td", widgets.chip(*_WORDS[one.after])),
        tag("td", ", ".join(words.reason(code) for code in one.reasons_after), cls="cm-muted"),
    )
