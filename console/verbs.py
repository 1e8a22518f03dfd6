"""The verbs under the card: promote, reject, edit, merge, snooze, ask a second reviewer; each a button and a key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from console import acts, place, questions, safe, session, widgets
from console.place import Place
from core.errors import ChronoMemoryError
from core.model import Actor, RulingKind
from core.review import WouldChange, flags_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Yes:
    """What a promotion by this person is called now, and why it may have to wait."""

    name: str
    waits: str = ""  # why it is not possible yet; "" if it is


def bar(actor: Actor, at: Place, would: WouldChange, *, promotes: bool) -> None:
    """Every verb that fits the item; nothing can be done while somebody else is at it."""
    candidate, taken = at.item.candidate, bool(at.look.reserved_by)
    stamp = f"{candidate.candidate_id}-{candidate.version}"
    yes = consent(actor, at, would)
    acts.refusal(at.cid)
    if yes.waits:
        widgets.muted(yes.waits)
    with st.container(horizontal=True, gap="xsmall", key="review-verbs"):
        if promotes:
            st.button(
                safe.label(yes.name),
                key=f"promote-{stamp}",
                type="primary",
                icon=":material/check:",
                shortcut=_key("P"),
                disabled=taken or bool(yes.waits),
                help="Into memory, to stay: exactly the words shown above, with your name.",
                on_click=_promote,
                args=(at,),
            )
        _opens("Reject", "reject", "X", at, off=taken)
        if promotes:
            _opens("Edit", "edit", "E", at, off=taken)
            st.button(
                "Merge",
                key=f"merge-{stamp}",
                icon=":material/merge:",
                shortcut=_key("M"),
                disabled=taken,
                on_click=_merge,
                args=(at,),
            )
        _opens("Snooze", "snooze", "S", at, off=taken)
        _opens("Ask", "ask", "A", at)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="review-note"):
        if promotes:
            st.text_input(
                "Note",
                placeholder="Note to a promotion, kept in the audit",
                key=f"note-{stamp}",
                max_chars=500,
                label_visibility="collapsed",
            )
        moves(at)


def moves(at: Place) -> None:
    """Previous and next, by mouse or by key."""
    st.button("Previous", key="review-previous", shortcut=_key("K"), on_click=place.step, args=(at, -1))
    st.button("Next", key="review-next", shortcut=_key("J"), on_click=place.step, args=(at, 1))


def consent(actor: Actor, at: Place, would: WouldChange) -> Yes:
    """What a yes of this person comes to: a promotion, the first of two, or the second."""
    if would.asks_owner:
        return Yes(name="Put to the owner")
    if not (would.needs_second or at.look.approvals):
        return Yes(name="Promote")
    owner = at.item.candidate.scope.owner
    others = [one for one in session.layer().review.reviewers(actor) if one.user_id != owner]
    if owner == actor.user_id and others:
        said = "It was said in your own chat and could do harm if it were false: another reviewer must decide."
        return Yes(name="Promote", waits=said)
    return _of_two(actor, at, alone=not others)


def _of_two(actor: Actor, at: Place, *, alone: bool) -> Yes:
    """What a yes is where two people must agree; somebody alone says it twice, some minutes apart."""
    given = at.look.approvals
    if any(one.user_id != actor.user_id for one in given):
        return Yes(name="Confirm as the second person")
    own = next((one for one in reversed(given) if one.user_id == actor.user_id), None)
    if own is None:
        return Yes(name="Approve, then confirm once more" if alone else "Approve as the first of two")
    if not alone:
        return Yes(name="Promote", waits="You approved it. A second person must confirm the same words.")
    again = own.at + timedelta(minutes=session.layer().policy.review.sole_reviewer_minutes)
    waits = f"You are the only reviewer: you can confirm it once more from {again:%H:%M} UTC on."
    return Yes(name="Confirm once more", waits=waits if widgets.now() < again else "")


def _key(key: str) -> str | None:
    """The key of a verb; none while a dialog is open, which the key would reach through."""
    return None if widgets.dialog_open() else key


def _opens(name: str, dialog: str, key: str, at: Place, *, off: bool = False) -> None:
    icons = {
        "reject": ":material/block:",
        "edit": ":material/edit:",
        "snooze": ":material/snooze:",
        "ask": ":material/person_add:",
    }
    st.button(
        safe.label(name),
        key=f"{dialog}-{at.cid}-{at.item.candidate.version}",
        icon=icons[dialog],
        shortcut=_key(key),
        disabled=off,
        on_click=widgets.open_dialog,
        args=(dialog, at),
    )


def _promote(at: Place) -> None:
    if widgets.dialog_open() or acts.bounced(at.item):
        return
    if flags_of(at.item):
        widgets.open_dialog("promote", at)
        return
    candidate = at.item.candidate
    note = str(st.session_state.get(f"note-{candidate.candidate_id}-{candidate.version}") or "")
    ruling = questions.sign(at.item, RulingKind.PROMOTE, note)
    acts.carry_out(at, acts.PROMOTED, lambda actor: session.layer().review.resolve(actor, ruling))


def _merge(at: Place) -> None:
    """Look for what it may be merged into once, when the dialog is opened."""
    try:
        actor = session.find_actor()
        if actor is not None:
            widgets.open_dialog("merge", at, session.layer().review.merge_targets(actor, at.cid))
    except ChronoMemoryError as problem:
        st.session_state[acts.REFUSAL] = (at.cid, problem)
