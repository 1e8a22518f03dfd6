"""Review (VIGIL): what the gate held, why, and a person's ruling on the exact words that were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from console import card, claim, place, questions, safe, session, sweep, widgets, words
from console.place import Place
from console.safe import tag
from core.errors import NotAuthorised, NotFound
from core.model import Actor, CandidateState, HeldItem, Role, SourceKind
from core.ports import HeldGroup

GROUPS, ITEMS = 25, 50  # a page of sources; items listed of the open one
MANY = 500  # items rejected in one act
REASONS = (
    "low_trust",
    "directive",
    "conflict",
    "ask_owner",
    "impact",
    "no_root",
    "not_the_owner",
    "forgotten",
    "gap",
)
SOURCES = tuple(SourceKind)


# --- the page -----------------------------------------------------------------------------------------------------


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Review", "What was heard from sources that are not trusted enough waits here until a person rules on it."
    )
    own = questions.waiting(actor)
    try:
        _strip(actor)
    except NotAuthorised:
        if not own:
            raise
        _only_questions(actor, own)
        return
    call = st.container(key="review-call-place")
    where = _filters()
    _undo(actor)
    sweep.outcomes()
    groups, total = session.layer().review.groups(
        actor,
        text=where.text,
        reason=where.reason,
        source_kind=where.source_kind,
        limit=GROUPS,
        offset=_offset(),
    )
    if not groups and not st.query_params.get("item"):
        with call:
            _call(own)
        if where != Filters():
            widgets.empty("Nothing fits these filters", "Take a filter away to see the other held items.")
        else:
            widgets.empty(
                "Nothing is held",
                "When a page, a document or the assistant states something, it appears here instead of in memory.",
            )
        return
    names = session.layer().audit_desk.names(actor)
    group, items = _open_group(actor, groups, where)
    item = _selected(actor, items)
    with call:
        _call(own)
    with st.container(key="review-desk"):
        left, right = st.columns([0.38, 0.62], gap="medium")
        with left:
            _list(actor, groups, total, group, items, item, names)
        with right:
            if item is not None:
                card.draw(actor, Place(item=item, items=items, groups=groups), names)


def _call(own: Sequence[HeldItem]) -> None:
    """Say that somebody waits for this person's own answer, unless it is on the screen."""
    shown = st.query_params.get("item")
    if not own or any(one.candidate.candidate_id == shown for one in own):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="review-call"):
        safe.banner(
            f"{words.plural(len(own), 'question waits', 'questions wait')} for your answer",
            "What you answer changes your own memory; nobody else can settle it.",
        )
        if st.button("Answer", type="primary", key="review-answer"):
            place.go(own[0])


def _only_questions(actor: Actor, own: Sequence[HeldItem]) -> None:
    """What a member may see where held items are for reviewers: the questions that are theirs."""
    names = session.layer().audit_desk.names(actor)
    for item in own:
        with st.container(border=True, key=f"question-{item.candidate.candidate_id}"):
            card.question(actor, item, names)


def _strip(actor: Actor) -> None:
    summary = session.layer().review.summary(actor)
    oldest = words.span_of((widgets.now() - summary.oldest).total_seconds()).capitalize() if summary.oldest else "None"
    widgets.strip(
        [
            ("Held now", f"{summary.held:,}", f"{summary.held_today:,} in the last day"),
            ("Oldest waits", oldest, f"since {summary.oldest:%d %B}" if summary.oldest else "the queue is empty"),
            ("Promoted", f"{summary.promoted_7d:,}", "in 7 days"),
            ("Rejected", f"{summary.rejected_7d:,}", "in 7 days"),
        ]
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """What the address narrows the queue to."""

    text: str | None = None
    reason: str | None = None
    source_kind: SourceKind | None = None


def _filters() -> Filters:
    with st.container(horizontal=True, gap="small", key="review-filters"):
        text = st.text_input(
            "Search", placeholder="Words of the claim", key="q", bind="query-params", icon=":material/search:"
        )
        reason = st.selectbox(
            "Why held",
            REASONS,
            index=None,
            format_func=words.reason,
            placeholder="Any reason",
            key="reason",
            bind="query-params",
            width=220,
        )
        kind = st.selectbox(
            "Source",
            SOURCES,
            index=None,
            format_func=words.source,
            placeholder="Any source",
            key="source",
            bind="query-params",
            width=220,
        )
    return Filters(text=text or None, reason=reason, source_kind=SourceKind(kind) if kind else None)


def _offset() -> int:
    page = st.session_state.get("review-page", 1)
    return (page - 1) * GROUPS if isinstance(page, int) else 0


# --- which source is open, which item is shown ------------------------------------------------------------------------


def _pending(actor: Actor, group: HeldGroup, where: Filters, *, limit: int) -> list[HeldItem]:
    items, _ = session.layer().review.pending(
        actor,
        cluster=group.cluster or None,
        source_ref=None if group.cluster else group.source_ref,
        source_kind=where.source_kind if group.cluster else group.source_kind,
        owner=group.owner,
        reason=where.reason,
        text=where.text,
        limit=limit,
    )
    return items


def _open_group(actor: Actor, groups: Sequence[HeldGroup], where: Filters) -> tuple[HeldGroup | None, list[HeldItem]]:
    wanted, item = st.query_params.get("from"), st.query_params.get("item")
    if not wanted and item:
        try:
            wanted = place.key_of(session.layer().review.item(actor, item))
        except NotFound:
            st.query_params.pop("item")
    group = next((one for one in groups if place.key(one) == wanted), groups[0] if groups else None)
    return group, _pending(actor, group, where, limit=ITEMS) if group is not None else []


def _selected(actor: Actor, items: Sequence[HeldItem]) -> HeldItem | None:
    """The item in the address, as it is now; else the first of the open source.

    The first look at an item goes through core, which records a look at another person's words.
    """
    wanted = st.query_params.get("item")
    known = next((one for one in items if one.candidate.candidate_id == wanted), None)
    if known is None and wanted:
        try:
            other = session.layer().review.item(actor, wanted)
        except NotFound:
            other = None
        if other is not None and (other.state is not CandidateState.HELD or not items):
            return other  # decided while it was shown: say so instead of moving on in silence
    chosen = known or (items[0] if items else None)
    if chosen is None:
        return None
    cid = chosen.candidate.candidate_id
    st.query_params["item"], st.query_params["from"] = cid, place.key_of(chosen)
    if st.session_state.get(card.LOOKED) == cid:
        return chosen
    st.session_state[card.LOOKED] = cid
    return session.layer().review.item(actor, cid)


# --- the list -----------------------------------------------------------------------------------------------------


def _list(
    actor: Actor,
    groups: Sequence[HeldGroup],
    total: int,
    group: HeldGroup | None,
    items: Sequence[HeldItem],
    item: HeldItem | None,
    names: Mapping[str, str],
) -> None:
    widgets.section("Sources", words.plural(total, "source"))
    for one in groups:
        here = group is not None and place.key(one) == place.key(group)
        if widgets.row(f"g-{place.key(one)}", claim.group_card(one, names), claim.group_name(one, names)) and not here:
            st.query_params.pop("item", None)
            place.go(None, place.key(one))
        if here:
            with st.container(key="review-items", gap="xsmall"):
                for held in items:
                    cid = held.candidate.candidate_id
                    chosen = item is not None and cid == item.candidate.candidate_id
                    if (
                        widgets.row(f"i-{cid}", claim.item_card(held), held.candidate.text, selected=chosen)
                        and not chosen
                    ):
                        place.go(held)
                if one.count > len(items):
                    widgets.muted(f"The oldest {len(items)} of {one.count:,} are listed.")
                if (
                    one.count > 1
                    and actor.role in (Role.REVIEWER, Role.ADMIN)
                    and st.button(
                        safe.label(f"Reject all {one.count:,} from this source"),
                        key="reject-all",
                        type="tertiary",
                        icon=":material/delete_sweep:",
                    )
                ):
                    sweep.prepare(_pending(actor, one, Filters(), limit=MANY))
    widgets.pages(total, GROUPS, "review-page")


# --- taking back ----------------------------------------------------------------------------------------------------


def _undo(actor: Actor) -> None:
    minutes = session.layer().policy.review.undo_minutes
    since = widgets.now() - timedelta(minutes=minutes)
    recent = [one for one in session.layer().review.recent(actor, limit=10) if one.decision.at >= since]
    if not recent or actor.role is Role.MEMBER:
        return
    with st.expander(safe.label(f"Rulings that can still be undone: {len(recent)}"), icon=":material/undo:"):
        for one in recent:
            cid = one.candidate.candidate_id
            with st.container(horizontal=True, vertical_alignment="center", key=f"undo-row-{cid}"):
                safe.draw(
                    tag(
                        "div",
                        widgets.status_chip(one.state),
                        tag("span", one.candidate.text, dir="auto"),
                        tag("span", f" · {words.age(one.decision.at, widgets.now())}", cls="cm-muted"),
                    )
                )
                if st.button("Undo", key=f"undo-{cid}", type="tertiary"):
                    outcome = widgets.attempt(lambda cid=cid: session.layer().review.undo(actor, cid))  # type: ignore[misc]
                    if outcome is not None:
                        widgets.flash(outcome.message)
                        place.go(one)


widgets.page(draw, reject_all=sweep.reject_all)
