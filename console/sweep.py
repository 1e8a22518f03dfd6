"""Rejecting everything from one source in one act: what is shown is fixed first, each item gets its own result."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import safe, session, widgets, words
from core.model import HeldItem, Ruling, RulingKind
from core.review import Outcome

REASONS = ("Not true", "Tries to give orders", "Not about the owner", "Private", "Not worth keeping")
TABLE_PIXELS = 260


def prepare(shown: Sequence[HeldItem]) -> None:
    """Fix what is rejected to what is shown now: ids, versions and digests."""
    widgets.open_dialog(
        "reject_all",
        [
            (one.candidate.candidate_id, one.candidate.version, one.candidate.digest, one.candidate.text)
            for one in shown
        ],
    )


@st.dialog("Reject everything from this source", width="medium", on_dismiss=widgets.close_dialog)
def reject_all(chosen: list[tuple[str, int, str, str]]) -> None:
    """Ask for the reason and reject; `chosen` is id, version, digest and words of each item as they were shown."""
    widgets.muted(
        f"{words.plural(len(chosen), 'claim')} will be rejected; the same words will not come back to the queue."
    )
    safe.table([{"Claim": text} for _, _, _, text in chosen], height=TABLE_PIXELS)
    reason = st.selectbox("Reason", REASONS, key="reject-all-reason")
    more = st.text_input("More, if you like", key="reject-all-more", max_chars=300)
    if st.button(safe.label(f"Reject {len(chosen):,}"), type="primary", key="reject-all-yes"):
        actor = session.current_actor()
        note = f"{reason}. {more}" if more else str(reason)
        rulings = [
            Ruling(candidate_id=cid, kind=RulingKind.REJECT, seen_version=version, digest=digest, note=note)
            for cid, version, digest, _ in chosen
        ]
        outcomes = widgets.attempt(lambda: session.layer().review.resolve_many(actor, rulings))
        if outcomes is not None:
            texts = {cid: text for cid, _, _, text in chosen}
            st.session_state["review-outcomes"] = [(texts.get(one.candidate_id, ""), one) for one in outcomes]
            widgets.close_dialog()
            st.query_params.pop("item", None)
            st.rerun()


def outcomes() -> None:
    """What became of each item of the last joint act, until it is closed."""
    made: list[tuple[str, Outcome]] = st.session_state.get("review-outcomes", [])
    if not made:
        return
    done = sum(one.ok for _, one in made)
    refused = len(made) - done
    text = (
        "Every item was rejected."
        if not refused
        else f"{words.plural(refused, 'item')} stayed as it was; the list says why."
    )
    safe.banner(f"{done} of {len(made)} rejected", text, tone="good" if not refused else "warn")
    with st.expander("Result of each item", icon=":material/list:", expanded=bool(refused)):
        safe.table(
            [{"Claim": text, "Result": "Rejected" if one.ok else "Not done", "Why": one.message} for text, one in made]
        )
    if st.button("Close", key="review-outcomes-close"):
        st.session_state.pop("review-outcomes")
        st.rerun()
