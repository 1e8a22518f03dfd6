"""Review (VIGIL): what the gate held, why, and a person's ruling on the exact words that were shown."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import timedelta

import streamlit as st

from console import (
    acts,
    bulk,
    card,
    cursor,
    focus,
    later,
    narrow,
    place,
    questions,
    rulings,
    safe,
    session,
    sweep,
    widgets,
    words,
)
from core.errors import NotAuthorised
from core.model import Actor, HeldItem, Role
from core.review import QueueSummary

ASKED_SECONDS = 10.0  # how old the count of questions to a person may be


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Review", "What was heard from sources that are not trusted enough waits here until a person rules on it."
    )
    own = _waiting(actor)
    try:
        _strip(actor)
    except NotAuthorised:
        if not own:
            raise
        _only_questions(actor, own)
        return
    names = session.layer().audit_desk.names(actor)
    call = st.container(key="review-call-place")
    where = _toolbar(actor, names)
    cursor.put()
    sweep.outcomes()
    acts.line(actor, keys=not widgets.dialog_open())
    if narrow.view() == narrow.BULK and actor.role is not Role.MEMBER:
        item, shown = None, bulk.draw(actor, where, names)
    else:
        item = focus.draw(actor, where, names)
        shown = item is not None
    with call:
        _call(own, item)
    if not shown:
        _nothing(where)


def _waiting(actor: Actor) -> list[HeldItem]:
    """The questions to this person, read anew after each act and otherwise every few seconds."""
    kept = st.session_state.get(acts.WAITING)
    if kept is None or kept[0] != actor.user_id or time.monotonic() - kept[1] > ASKED_SECONDS:
        kept = (actor.user_id, time.monotonic(), questions.waiting(actor))
        st.session_state[acts.WAITING] = kept
    found: list[HeldItem] = kept[2]
    return found


def _nothing(where: narrow.Filters) -> None:
    if where.narrow:
        widgets.empty("Nothing fits these filters", "Take a filter away to see the other held items.")
    else:
        widgets.empty(
            "Nothing is held",
            "When a page, a document or the assistant states something, it appears here instead of in memory.",
        )


def _toolbar(actor: Actor, names: Mapping[str, str]) -> narrow.Filters:
    keys = not widgets.dialog_open()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review-toolbar"):
        if actor.role is not Role.MEMBER:
            narrow.switch()
        where = narrow.filters(actor, names)
        with st.container(horizontal=True, gap="small", width="content", key="review-tools"):
            st.button(
                "Search", key="review-search", type="tertiary", shortcut="F" if keys else None, on_click=cursor.want
            )
            st.button(
                "Keys",
                key="review-help",
                type="tertiary",
                shortcut="H" if keys else None,
                on_click=widgets.open_dialog,
                args=("keys",),
            )
    return where


def _call(own: Sequence[HeldItem], item: HeldItem | None) -> None:
    """Say that somebody waits for this person's own answer, unless it is on the screen."""
    shown = item.candidate.candidate_id if item is not None else ""
    if not own or any(one.candidate.candidate_id == shown for one in own):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="review-call"):
        safe.banner(
            f"{words.plural(len(own), 'question waits', 'questions wait')} for your answer",
            "What you answer changes your own memory; nobody else can settle it.",
        )
        st.button("Answer", type="primary", key="review-answer", on_click=_answer, args=(own[0],))


def _answer(item: HeldItem) -> None:
    narrow.show(narrow.FOCUS)
    place.go(item)


def _only_questions(actor: Actor, own: Sequence[HeldItem]) -> None:
    """What a member may see where held items are for reviewers: the questions that are theirs."""
    names = session.layer().audit_desk.names(actor)
    for item in own:
        with st.container(border=True, key=f"question-{item.candidate.candidate_id}"):
            card.question(actor, item, names)


def _strip(actor: Actor) -> None:
    summary = questions.summary(actor)
    age = widgets.now() - summary.oldest if summary.oldest else timedelta(0)
    target = f"target: under {words.span_of(summary.target.total_seconds())}"
    put_off = f", {summary.snoozed:,} snoozed" if summary.snoozed else ""
    with st.container(key="review-strip"):
        widgets.strip(
            [
                (
                    "Held now",
                    f"{summary.held:,}",
                    f"last day: {summary.held_today:,} came, {summary.decided_today:,} decided{put_off}",
                ),
                (
                    "Oldest waits",
                    words.span_of(age.total_seconds()).capitalize() if summary.oldest else "None",
                    f"too long; {target}" if age > summary.target else target,
                ),
                ("Flagged today", f"{summary.alone_today:,}", "orders, attacks, what could do harm"),
                ("Decided", f"{summary.promoted_7d + summary.rejected_7d:,}", _ruled(summary)),
            ]
        )


def _ruled(summary: QueueSummary) -> str:
    return f"in 7 days: {summary.promoted_7d:,} promoted, {summary.rejected_7d:,} rejected"


widgets.page(
    draw,
    reject=rulings.reject,
    promote=rulings.promote,
    edit=rulings.edit,
    merge=rulings.merge,
    snooze=later.snooze,
    ask=later.ask,
    keys=later.keys,
    together=sweep.together,
    snooze_all=sweep.snooze_all,
)
