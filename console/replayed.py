"""The history of one key on the Audit page: every statement and ruling, and what was current after each."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import Html, tag
from core.keyhistory import KeyEvent, KeyHistory
from core.model import Actor

_ACTS = {"admit": ("Admitted", "good"), "hold": ("Held", "warn"), "reject": ("Rejected", "bad")}


def draw(actor: Actor, names: Mapping[str, str]) -> None:
    """Ask for a key, tell its history; the address keeps the question."""
    with st.expander("Replay a key", icon=":material/history:", key="audit-replay"):
        widgets.muted(
            "Every statement about one thing in order, who or what ruled on it, and what was current afterwards; told "
            "from the ledger alone."
        )
        asked = st.text_input(
            "Key, or the id of an item",
            placeholder="user | diet",
            key="key",
            bind="query-params",
            width=420,
        )
        typed = (asked or "").strip()
        if not typed:
            return
        desk = session.layer().key_histories
        subject, bar, attribute = typed.partition("|")
        found = widgets.attempt(lambda: desk.of_key(actor, subject, attribute) if bar else desk.of_item(actor, typed))
        if found is not None:
            _history(found, names)


def _history(found: KeyHistory, names: Mapping[str, str]) -> None:
    if not found.events:
        widgets.empty("Nothing was ever said about this", "Write it as the drawer of a memory names it: user | diet.")
        return
    widgets.muted(f"{words.plural(found.statements, 'statement')}, {words.plural(len(found.events), 'event')}.")
    safe.draw(tag("ol", *(_event(one, names) for one in found.events), cls="cm-chain"))


def _event(one: KeyEvent, names: Mapping[str, str]) -> Html:
    name, tone = _ACTS.get(one.act, (words.action(one.act), "plain"))
    who = drawer.name_of(one.by, names)
    by = f"by policy {one.policy_digest[:12]}" if one.by == "policy" else f"by {who}"
    said = safe.words(one.text) if one.text else tag("div", "Words of somebody else's memory.", cls="cm-muted")
    return tag(
        "li",
        tag(
            "div",
            tag("span", words.moment(one.at), cls="cm-muted"),
            widgets.chip(name, tone),
            tag("span", by, cls="cm-muted", dir="auto"),
            cls="cm-hop",
        ),
        said,
        *([widgets.reason_chips(one.reasons)] if one.reasons and one.act != "admit" else []),
        _now(one),
    )


def _now(one: KeyEvent) -> Html:
    if not one.current:
        return tag("div", "Current then: nothing.", cls="cm-muted")
    shown = " · ".join(text or "a memory of somebody else" for _, text in one.current)
    return tag("div", f"Current then: {shown}", cls="cm-muted", dir="auto")
