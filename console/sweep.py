"""Deciding on many items in one act: what is shown is fixed first, previewed, and each item gets its own result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from console import acts, later, narrow, questions, rulings, safe, session, widgets, words
from core.errors import ChronoMemoryError
from core.model import HeldItem, Ruling, RulingKind
from core.review import Outcome, Preview

OUTCOMES = "review-outcomes"  # key of the session state
TABLE_PIXELS = 260
OPENED = 6  # refused items that get a button of their own
_WOULD = {"promote": "Promoted", "reject": "Rejected", "refuse": "Refused"}
_NAMES = {RulingKind.PROMOTE: "Promote", RulingKind.REJECT: "Reject"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What became of each item of a joint act, in the order in which they were shown."""

    verb: str
    rows: tuple[tuple[str, Outcome], ...]  # the words, and what became of them


# --- before ---------------------------------------------------------------------------------------------------------


def prepare(kind: RulingKind, shown: Sequence[HeldItem]) -> None:
    """Fix what is decided to what is shown now, ask the core what would happen, and open the preview; for callbacks."""
    if widgets.dialog_open():
        return
    signed = [questions.sign(one, kind, kind.value) for one in shown]
    try:
        actor = session.find_actor()
        if actor is not None:
            previews = session.layer().review.preview(actor, signed)
            widgets.open_dialog("together", kind, signed, previews)
    except ChronoMemoryError as problem:
        widgets.flash(str(problem))


def put_off(shown: Sequence[HeldItem]) -> None:
    """Ask until when these items are put off; for callbacks."""
    if not widgets.dialog_open():
        widgets.open_dialog("snooze_all", [(one.candidate.candidate_id, one.candidate.text) for one in shown])


# --- the preview ----------------------------------------------------------------------------------------------------


@st.dialog("Decide on all of them", width="large", on_dismiss=widgets.close_dialog)
def together(kind: RulingKind, signed: Sequence[Ruling], previews: Sequence[Preview]) -> None:
    """What would happen to each, one reason for all, and the act."""
    go = [one for one in previews if one.would != "refuse"]
    refused = [one for one in previews if one.would == "refuse"]
    verb = _NAMES[kind]
    lead = f"{verb} {len(go):,} of {len(previews):,}" if refused else f"{verb} all {len(previews):,}"
    widgets.section(lead, f"{words.plural(len(refused), 'item is', 'items are')} refused, and why" if refused else "")
    safe.table(
        [{"Claim": one.text, "Would be": _WOULD.get(one.would, one.would), "Why": one.why} for one in [*refused, *go]],
        height=TABLE_PIXELS,
        wraps="Claim",
    )
    if refused:
        _one_by_one([(one.candidate_id, one.text) for one in refused])
    note = _reason(kind)
    if not go:
        widgets.muted("None of them can be decided together. Open them one by one.")
        return
    if st.button(safe.label(f"{verb} {len(go):,}"), key="together-yes", type="primary", shortcut="Enter"):
        if kind is RulingKind.REJECT and not note:
            widgets.muted("Say why: one reason for all of them, kept in the audit.")
            return
        texts = {one.candidate_id: one.text for one in previews}
        _carry_out(kind, signed, texts, note)


def _reason(kind: RulingKind) -> str:
    if kind is RulingKind.PROMOTE:
        return st.text_input("Note", key="together-note", max_chars=300, placeholder="Kept in the audit") or ""
    left, right = st.columns(2, wrap=False)
    reason = left.selectbox("Reason", rulings.REASONS, index=None, placeholder="Choose", key="together-reason")
    more = right.text_input("In your own words", key="together-more", max_chars=300)
    return ". ".join(part for part in (reason, more) if part)


def _one_by_one(refused: Sequence[tuple[str, str]], key: str = "together") -> None:
    with st.container(horizontal=True, gap="xsmall", key=f"{key}-refused"):
        for cid, text in refused[:OPENED]:
            if st.button(
                safe.label(f"Open: {text}", limit=48),
                key=f"{key}-open-{cid}",
                type="tertiary",
                icon=":material/open_in_new:",
            ):
                widgets.close_dialog()
                st.query_params["view"], st.query_params["item"] = narrow.FOCUS, cid
                st.rerun()
        if len(refused) > OPENED:
            widgets.muted(f"and {len(refused) - OPENED:,} more, in the focus view")


def _carry_out(kind: RulingKind, signed: Sequence[Ruling], texts: dict[str, str], note: str) -> None:
    actor, review = session.current_actor(), session.layer().review
    ready = [
        Ruling(candidate_id=one.candidate_id, kind=kind, seen_version=one.seen_version, digest=one.digest, note=note)
        for one in signed
    ]
    with st.spinner("Deciding on each of them…", show_time=True):
        made = widgets.attempt(lambda: review.resolve_many(actor, ready, bulk=True))
    if made:
        _keep(acts.PROMOTED if kind is RulingKind.PROMOTE else acts.REJECTED, made, texts)
        widgets.close_dialog()
        st.rerun()


@st.dialog("Snooze all of them until when?", on_dismiss=widgets.close_dialog)
def snooze_all(shown: Sequence[tuple[str, str]]) -> None:
    """Put many items off."""
    widgets.muted(f"{words.plural(len(shown), 'item')} leave the queue until then and come back by themselves.")
    until = later.moment()
    if until is None:
        return
    actor = session.current_actor()
    made = widgets.attempt(lambda: session.layer().review.snooze(actor, [cid for cid, _ in shown], until))
    if made is not None:
        _keep(acts.SNOOZED, made, dict(shown))
        widgets.close_dialog()
        st.rerun()


# --- after ----------------------------------------------------------------------------------------------------------


def _keep(verb: str, made: Sequence[Outcome], texts: dict[str, str]) -> None:
    st.session_state[OUTCOMES] = Result(verb=verb, rows=tuple((texts.get(one.candidate_id, ""), one) for one in made))
    done = [one.candidate_id for one in made if one.ok]
    if done:
        acts.remember(verb, done, texts.get(done[0], ""))
    st.query_params.pop("item", None)


def outcomes() -> None:
    """What became of each item of the last joint act, until it is closed or taken back."""
    result: Result | None = st.session_state.get(OUTCOMES)
    if result is None:
        return
    refused = [(one.candidate_id, text) for text, one in result.rows if not one.ok]
    done = len(result.rows) - len(refused)
    said = f"{done:,} of {len(result.rows):,} {result.verb.lower()}"
    rest = f"{words.plural(len(refused), 'item')} stayed as it was; the list says why."
    if len(refused) > 1:
        rest = f"{len(refused):,} items stayed as they were; the list says why."
    safe.banner(said, rest if refused else "Each of them, as it was shown.", tone="warn" if refused else "good")
    with st.expander("Result of each item", icon=":material/list:", expanded=bool(refused)):
        safe.table(
            [
                {"Claim": text, "Result": result.verb if one.ok else "Not done", "Why": one.message}
                for text, one in sorted(result.rows, key=lambda row: row[1].ok)
            ],
            height=TABLE_PIXELS,
            wraps="Claim",
        )
        if refused:
            _one_by_one(refused, "outcome")
    st.button("Close the list", key="review-outcomes-close", type="tertiary", on_click=_close)


def _close() -> None:
    st.session_state.pop(OUTCOMES, None)
