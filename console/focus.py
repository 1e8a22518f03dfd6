"""The focus view of the review page: the queue on the left, one card on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from console import acts, card, claim, narrow, place, session, widgets, words
from console.narrow import Filters
from console.place import SIZE, Place
from core.errors import ChronoMemoryError, NotFound
from core.model import Actor, CandidateState, HeldItem, Role
from core.review import Look


def draw(actor: Actor, where: Filters, names: Mapping[str, str]) -> HeldItem | None:
    """The whole view; the item that is shown, None when there is none."""
    items, total, offset = _page(actor, where)
    item = _selected(actor, items)
    if item is None:
        return None
    at = Place(item=item, items=items, total=total, offset=offset)
    at = replace(at, looks=_looks(actor, at))
    with st.container(key="review-desk"):
        left, right = st.columns([0.34, 0.66], gap="medium")
        with left:
            _list(at, names, where)
        with right:
            card.draw(actor, at, names)
    return item


def _page(actor: Actor, where: Filters) -> tuple[list[HeldItem], int, int]:
    """One page of the list, the true total and where it begins; the last page when the queue became shorter."""
    offset = (narrow.page() - 1) * SIZE
    items, total = session.layer().review.pending(actor, **where.where(actor), limit=SIZE, offset=offset)
    if not items and total:
        narrow.turn(narrow.last(total, SIZE))
        offset = (narrow.page() - 1) * SIZE
        items, total = session.layer().review.pending(actor, **where.where(actor), limit=SIZE, offset=offset)
    return items, total, offset


def _selected(actor: Actor, items: Sequence[HeldItem]) -> HeldItem | None:
    """The item in the address, as it is now; else the row where the one before stood.

    The first look at an item goes through core, which records a look at another person's words.
    """
    wanted = st.query_params.get("item")
    chosen = next((one for one in items if one.candidate.candidate_id == wanted), None)
    if chosen is None and wanted:
        try:
            chosen = session.layer().review.item(actor, wanted)
        except NotFound:
            st.query_params.pop("item")
        else:
            if chosen.state is CandidateState.HELD:
                _opened(actor, wanted)
            return chosen  # also when it was decided meanwhile: the card says so instead of moving on in silence
    if chosen is None and items:
        row = st.session_state.pop(place.AT, 0)
        chosen = items[row if row == place.END else min(row, len(items) - 1)]
        st.query_params["item"] = chosen.candidate.candidate_id
    if chosen is None:
        return None
    cid = chosen.candidate.candidate_id
    if st.session_state.get(acts.LOOKED) == cid:
        return chosen
    seen = session.layer().review.item(actor, cid)
    _opened(actor, cid)
    return seen


def _opened(actor: Actor, cid: str) -> None:
    """Keep others from this item while it is read, and give the one before back."""
    before = st.session_state.get(acts.LOOKED)
    if before == cid:
        return
    st.session_state[acts.LOOKED] = cid
    if actor.role is Role.MEMBER:
        return
    review = session.layer().review
    try:
        if before:
            review.release(actor, before)
        review.reserve(actor, cid)
    except ChronoMemoryError:
        return  # reading goes on without; a ruling is refused if somebody else is at it


def _looks(actor: Actor, at: Place) -> Mapping[str, Look]:
    if actor.role is Role.MEMBER:
        return {}
    ids = dict.fromkeys([*(one.candidate.candidate_id for one in at.items), at.cid])
    return session.layer().review.looks(actor, list(ids))


# --- the list -------------------------------------------------------------------------------------------------------


def _list(at: Place, names: Mapping[str, str], where: Filters) -> None:
    kind = "snoozed" if where.snoozed else "fit" if where.narrow else "held"
    with st.container(key="review-list", gap="xsmall"):
        upto = at.offset + len(at.items)
        widgets.section(f"{at.total:,} {kind}", f"{at.offset + 1:,} to {upto:,}" if at.items else "")
        for held in at.items:
            cid = held.candidate.candidate_id
            look = at.looks.get(cid)
            widgets.row(
                f"i-{cid}",
                claim.item_card(held, look, names),
                f"{held.candidate.text} ({', '.join(words.reason(one) for one in held.decision.reasons[:2])})",
                selected=cid == at.cid,
                on_click=place.go,
                args=(held,),
            )
        narrow.pager(at.total, SIZE)
