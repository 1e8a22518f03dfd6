"""The tamper demo: a copy of the chain is damaged, and every check that would find it says what it found."""

from __future__ import annotations

import streamlit as st

from console import safe, session, widgets, words
from console.safe import Html, tag
from core.model import Actor, Role
from core.ports import ChainReport, Tampering, TamperReport

DONE = "audit-tampered"  # key of the session state: the last report
HOWS = ("Flip one byte", "Remove an entry", "Cut the end off", "Rewrite it, with the key")
_HOW = dict(zip(HOWS, (Tampering.BYTE, Tampering.REMOVE, Tampering.CUT, Tampering.REWRITE), strict=True))
_DONE = {
    Tampering.BYTE: "One byte of entry {seq} is another one.",
    Tampering.REMOVE: "Entry {seq} is taken out.",
    Tampering.CUT: "Everything from entry {seq} on is gone.",
    Tampering.REWRITE: "Entry {seq} names another actor, and every hash from there on is made anew with the right key.",
}


def draw(actor: Actor) -> None:
    """The section; nothing for members, and core refuses them."""
    if actor.role is Role.MEMBER:
        return
    with st.expander("Try to tamper with a copy", icon=":material/science:", key="audit-tamper"):
        widgets.muted(
            "The audit rows are copied into memory, the copy is damaged and verified as the real chain is. The ledger "
            "itself is only read."
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            chosen = st.selectbox("What is done to the copy", HOWS, key="tamper-how", width=300)
            pressed = st.button("Damage the copy", key="tamper-run")
        if pressed:
            with st.spinner("Copying and verifying…", show_time=True):
                report = widgets.attempt(lambda: session.layer().proofs.tamper(actor, _HOW[str(chosen)]))
            if report is not None:
                st.session_state[DONE] = report
        if DONE in st.session_state:
            _report(st.session_state[DONE])


def _report(report: TamperReport) -> None:
    same = report.digest_before == report.digest_after
    caught = [one for one in (report.alone, report.with_store, report.with_copy) if not one.ok]
    safe.banner(
        "It is found out" if caught else "It is not found out",
        _DONE[report.how].format(seq=report.changed_seq),
        tone="good" if caught else "bad",
    )
    rows = [
        _check("The chain by itself", report.alone),
        _check("Against the head that the store witnessed", report.with_store),
        _check("Against a head you copied before", report.with_copy),
    ]
    safe.draw(tag("div", tag("table", tag("tbody", *rows), cls="cm-table"), cls="cm-scroll"))
    whole = "unchanged, digest of its stored bytes" if same else "CHANGED, digest of its stored bytes"
    widgets.muted(f"The real chain, {words.plural(report.entries, 'entry', 'entries')}: {whole} before and after:")
    safe.code(report.digest_before if same else f"{report.digest_before}\n{report.digest_after}")


def _check(name: str, found: ChainReport) -> Html:
    if found.ok:
        return tag("tr", tag("td", name, cls="cm-strong"), tag("td", widgets.chip("Sees nothing")), tag("td", ""))
    said = f"Broken at entry {found.broken_seq}: {found.problem}"
    return tag(
        "tr",
        tag("td", name, cls="cm-strong"),
        tag("td", widgets.chip("Caught", "good")),
        tag("td", said, cls="cm-muted", dir="auto"),
    )
