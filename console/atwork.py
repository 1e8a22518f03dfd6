"""Who is at work on a held item: who is looking, who was asked, who said yes already. The card draws it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from console import acts, safe, session, widgets, words
from console.place import Place
from core.model import Actor
from core.review import Outcome


def at_work(actor: Actor, at: Place, names: Mapping[str, str]) -> None:
    """Nothing when nobody is; otherwise a line for each, with what can be done about it."""
    look = at.look
    if look.reserved_by:
        until = f" until {look.reserved_until:%H:%M} UTC" if look.reserved_until else ""
        with st.container(horizontal=True, vertical_alignment="center", key="review-reserved"):
            safe.banner(
                f"{look.reserved_by} is looking at this{until}",
                "Two people do not decide on one item at once. Go on with J, or take it over; that is recorded.",
                tone="warn",
            )
            st.button("Take over", key="review-take-over", on_click=_take_over, args=(at,))
    for given in look.approvals:
        own = given.user_id == actor.user_id
        who = "You" if own else given.by
        said = f" Note: {given.note}" if given.note else ""
        barred = own or at.item.candidate.scope.owner == actor.user_id  # nobody is one of two for their own words
        rest = "A second person must confirm the same words." if barred else "Yours would be the second: it promotes."
        safe.banner(f"{who} approved these words {words.age(given.at, widgets.now())}", f"{rest}{said}", tone="good")
    if look.assigned_to:
        to = (
            "You were asked"
            if look.assigned_to == actor.user_id
            else f"{names.get(look.assigned_to, look.assigned_to)} was asked"
        )
        by = f" by {names.get(look.assigned_by, look.assigned_by)}" if look.assigned_by else ""
        safe.banner(f"{to} to look at this{by}", look.assigned_note)
    if look.snoozed_until:
        with st.container(horizontal=True, vertical_alignment="center", key="review-snoozed"):
            safe.banner(f"Snoozed until {look.snoozed_until:%d %B, %H:%M} UTC", "It comes back to the queue by itself.")
            st.button("Wake it now", key="review-wake", on_click=_wake, args=(at,))


def _take_over(at: Place) -> None:
    def act(actor: Actor) -> Outcome:
        session.layer().review.take_over(actor, at.cid)
        return Outcome(candidate_id=at.cid, ok=True, message="It is yours to decide now.")

    acts.carry_out(at, "", act, moves=False)


def _wake(at: Place) -> None:
    acts.carry_out(at, "", lambda actor: session.layer().review.wake(actor, [at.cid])[0], moves=False)
