"""Acts of the review page: carried out in a button's callback, said once, and taken back with one key.

A callback runs before the page is drawn, so one key press costs one drawing. Nothing is drawn in here while an act is
under way: what the core refuses is kept and shown where the person looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import streamlit as st

from console import ahead, narrow, place, safe, session, widgets, words
from console.place import Place
from console.safe import tag
from core.errors import ChronoMemoryError, StaleReview
from core.model import Actor, CandidateState, HeldItem, Role
from core.review import Outcome

LAST, REFUSAL, NOTICE = "review-last", "review-refusal", "review-notice"  # keys of the session state
LOOKED, SEEN, WAITING = "review-looked", "review-seen", "review-waiting"
QUICK_SECONDS = 0.4  # a decision on what was shown for less is a key that bounced
LISTED = 10  # acts that the list of what can be undone holds
PROMOTED, REJECTED, EDITED, MERGED = "Promoted", "Rejected", "Edited", "Merged"
SNOOZED, ASKED = "Snoozed", "Asked"
_RULINGS = frozenset({PROMOTED, REJECTED, EDITED, MERGED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """What this person did last: the verb, on which items, and the words of the first."""

    verb: str
    ids: tuple[str, ...]
    text: str
    at: datetime


# --- doing ----------------------------------------------------------------------------------------------------------


def carry_out(at: Place, verb: str, act: Callable[[Actor], Outcome], *, said: str = "", moves: bool = True) -> bool:
    """Do something to the item that is shown, then show the next; for callbacks and dialogs.

    Args:
        at: the item, and what surrounds it.
        verb: what it is called once it is done; one of this module's names can be undone.
        act: asks the core, which authorises it.
        said: what is said when it is done, instead of the core's words.
        moves: whether the next item is shown.

    Returns:
        Whether it was done. A refusal is kept for `refusal`, a change that came first for `claim.notice`.
    """
    st.session_state.pop(REFUSAL, None)
    try:
        actor = session.find_actor()
        if actor is None:
            return False  # the drawing that follows says that the session has ended
        outcome = act(actor)
    except StaleReview as problem:  # somebody was first, or is at work on it
        st.session_state[NOTICE] = (at.cid, problem)
        st.session_state.pop(LOOKED, None)
        widgets.close_dialog()
        place.go(at.item)
        return False
    except ChronoMemoryError as problem:
        st.session_state[REFUSAL] = (at.cid, problem)
        return False
    if not outcome.ok:
        widgets.flash(outcome.message)
        return False
    widgets.flash(said or outcome.message)
    st.session_state.pop(WAITING, None)
    ahead.forget()
    if outcome.state is not None and outcome.state is not CandidateState.HELD:
        st.session_state.pop(LOOKED, None)  # what is decided needs not be given back
    if verb and not (verb == PROMOTED and outcome.state is CandidateState.HELD):  # a first yes is not undone
        remember(verb, [at.cid], at.item.candidate.text)
    if moves:
        place.decided(at)
    return True


def refusal(cid: str) -> None:
    """What the core said against the last act on this item; shown until something else happens."""
    kept = st.session_state.get(REFUSAL)
    if kept is not None and kept[0] == cid:
        widgets.error(kept[1])
    else:
        st.session_state.pop(REFUSAL, None)


def saw(item: HeldItem) -> None:
    """The item is on the screen from now on."""
    key = (item.candidate.candidate_id, item.candidate.version)
    if st.session_state.get(SEEN, ("", 0.0))[0] != key:
        st.session_state[SEEN] = (key, time.monotonic())


def bounced(item: HeldItem) -> bool:
    """Whether a key came before its item could be seen: it was meant for the one before, and decides nothing."""
    key, since = st.session_state.get(SEEN, (None, 0.0))
    if key == (item.candidate.candidate_id, item.candidate.version) and time.monotonic() - since < QUICK_SECONDS:
        widgets.flash("That key came before this claim could be read, so nothing was decided. Press it again.")
        return True
    return False


# --- taking back ----------------------------------------------------------------------------------------------------


def remember(verb: str, ids: Sequence[str], text: str) -> None:
    """Keep what was done, to be taken back in one act."""
    st.session_state[LAST] = Act(verb=verb, ids=tuple(ids), text=text, at=widgets.now())


def recent(actor: Actor) -> list[Act]:
    """This person's acts that can be undone now, the last one first; an admin's list holds everybody's rulings."""
    if actor.role is Role.MEMBER:
        return []
    since = widgets.now() - timedelta(minutes=session.layer().policy.review.undo_minutes)
    kept: Act | None = st.session_state.get(LAST)
    found = [kept] if kept is not None and kept.at >= since else []
    covered = set(kept.ids) if found and kept is not None and kept.verb in _RULINGS else set()
    ruled = session.layer().review.recent(actor, limit=LISTED)
    rulings = [
        Act(
            verb=words.STATES[one.state],
            ids=(one.candidate.candidate_id,),
            text=one.candidate.text,
            at=one.decision.at,
        )
        for one in sorted(ruled, key=lambda one: one.decision.by != actor.user_id)
        if one.decision.at >= since and one.candidate.candidate_id not in covered
        if one.decision.by == actor.user_id or actor.role is Role.ADMIN
    ]
    return found + rulings


def line(actor: Actor, *, keys: bool) -> None:
    """The last act in a line, with the key that takes it back; the others behind it."""
    done = recent(actor)
    if not done:
        return
    first, rest = done[0], done[1:]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review-undo-line"):
        safe.draw(_said(first))
        st.button(
            "Undo",
            key="review-undo",
            icon=":material/undo:",
            shortcut="U" if keys else None,
            on_click=undo,
            args=(first,),
        )
        if rest:
            with st.popover(safe.label(f"{len(rest)} more"), key="review-undo-more"):
                widgets.muted("Rulings that can still be undone")
                for one in rest:
                    with st.container(horizontal=True, vertical_alignment="center"):
                        safe.draw(_said(one))
                        st.button("Undo", key=f"undo-{one.ids[0]}", type="tertiary", on_click=undo, args=(one,))


def _said(act: Act) -> safe.Html:
    many = f" and {len(act.ids) - 1:,} more" if len(act.ids) > 1 else ""
    return tag(
        "div",
        widgets.chip(act.verb, "bad" if act.verb == REJECTED else "good" if act.verb in _RULINGS else "plain"),
        tag("span", act.text, cls="cm-one-line", dir="auto"),
        tag("span", f"{many} · {words.age(act.at, widgets.now())}", cls="cm-muted"),
        cls="cm-last-act",
    )


def undo(act: Act) -> None:
    """Take an act back, all of it; for callbacks."""
    st.session_state.pop(REFUSAL, None)
    try:
        actor = session.find_actor()
        if actor is None:
            return
        review = session.layer().review
        if act.verb == SNOOZED:
            outcomes = review.wake(actor, act.ids)
        elif act.verb == ASKED:
            outcomes = [review.assign(actor, one, "", "") for one in act.ids]
        elif len(act.ids) == 1:
            outcomes = [review.undo(actor, act.ids[0])]
        else:
            outcomes = review.undo_many(actor, act.ids)
    except ChronoMemoryError as problem:
        widgets.flash(str(problem))
        return
    if st.session_state.get(LAST) == act:
        st.session_state.pop(LAST)
    st.session_state.pop(WAITING, None)
    ahead.forget()
    st.session_state.pop("review-outcomes", None)
    back = [one for one in outcomes if one.ok]
    refused = [one for one in outcomes if not one.ok]
    if len(outcomes) == 1:
        widgets.flash(outcomes[0].message)
    else:
        widgets.flash(f"{len(back)} of {len(outcomes)} taken back." + (f" {refused[0].message}" if refused else ""))
    if len(act.ids) == 1 and back and narrow.view() == narrow.FOCUS:
        st.query_params["item"] = act.ids[0]
        st.session_state.pop(LOOKED, None)
