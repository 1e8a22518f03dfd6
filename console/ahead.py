"""Looking ahead on the review page: what a promotion would change is judged once a look, the next item before it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import streamlit as st

from console import session
from console.place import Place
from core.errors import ChronoMemoryError
from core.model import Actor
from core.review import Review, WouldChange

KEPT_SECONDS = (
    10.0  # a judgement older than this is made anew; what is promoted is judged at that moment whatever is shown
)
_JUDGED = "review-judged"  # key of the session state: of which item in which version, when, and what it would change
_ahead = ThreadPoolExecutor(max_workers=1, thread_name_prefix="looking-ahead")


def would_change(actor: Actor, at: Place) -> WouldChange:
    """What a promotion of the item that is shown would change, as of a few seconds ago at most."""
    asked = (actor.user_id, at.cid, at.item.candidate.version, session.layer().policy.digest)
    kept = st.session_state.get(_JUDGED)
    if kept is None or kept[0] != asked or time.monotonic() - kept[1] > KEPT_SECONDS:
        kept = (asked, time.monotonic(), session.layer().review.would_change(actor, at.cid))
        st.session_state[_JUDGED] = kept
    found: WouldChange = kept[2]
    return found


def forget() -> None:
    """Something was decided: what is shown is judged anew."""
    st.session_state.pop(_JUDGED, None)


def prepare(actor: Actor, at: Place) -> None:
    """While this item is read, get ready for the one that the next key leads to."""
    if at.index is not None and at.index + 1 < len(at.items):
        _ahead.submit(_prepared, session.layer().review, actor, at.items[at.index + 1].candidate.candidate_id)


def _prepared(review: Review, actor: Actor, candidate_id: str) -> None:
    try:
        review.prepare(actor, candidate_id)
    except ChronoMemoryError:
        return  # it is only in advance: the look itself will say what is wrong
