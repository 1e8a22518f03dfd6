"""What the address narrows the review queue to: view, filters, order and page, and the widgets that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict, TypeVar

import streamlit as st

from console import safe, widgets, words
from core.model import Actor, Role, SourceKind

T = TypeVar("T")
FOCUS, BULK = "focus", "bulk"
VIEWS = (FOCUS, BULK)
ALIKE, SOURCE = "alike", "source"
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
AGES = {1: "Older than a day", 7: "Older than 7 days", 30: "Older than 30 days"}  # days
ORDERS = {"priority": "What matters first", "oldest": "Oldest first", "newest": "Newest first"}
MINE, SNOOZED = "mine", "snoozed"
SHOWN = {MINE: "Asked of me", SNOOZED: "Snoozed"}
KEYS = ("q", "reason", "source", "owner", "age", "show")  # of the widgets that narrow; not the order
PAGE = "page"


class Where(TypedDict):
    """The filters as the core takes them."""

    text: str | None
    reason: str | None
    source_kind: SourceKind | None
    owner: str | None
    older_than: datetime | None
    assigned_to: str | None
    snoozed: bool
    order: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """What is shown of the queue, in which order."""

    text: str = ""
    reason: str | None = None
    source_kind: SourceKind | None = None
    owner: str | None = None
    days: int | None = None  # waits longer than that
    mine: bool = False  # only what this person was asked to look at
    snoozed: bool = False  # only what is put off
    order: str = "priority"

    @property
    def narrow(self) -> bool:
        """Whether anything is left out but what is put off."""
        return self != Filters(order=self.order)

    def where(self, actor: Actor) -> Where:
        """The same for the core, as of now."""
        return Where(
            text=self.text or None,
            reason=self.reason,
            source_kind=self.source_kind,
            owner=self.owner,
            older_than=widgets.now() - timedelta(days=self.days) if self.days else None,
            assigned_to=actor.user_id if self.mine else None,
            snoozed=self.snoozed,
            order=self.order,
        )


# --- the view -------------------------------------------------------------------------------------------------------


def view() -> str:
    """Which view the address asks for."""
    return BULK if st.query_params.get("view") == BULK else FOCUS


def show(name: str) -> None:
    """Show a view from the next drawing on; for callbacks."""
    st.query_params["view"] = name
    st.session_state["review-view"] = name


def switch() -> None:
    """The switch between the two views."""
    if st.session_state.get("review-view") != view():
        st.session_state["review-view"] = view()
    st.segmented_control(
        "View",
        VIEWS,
        key="review-view",
        label_visibility="collapsed",
        required=True,
        on_change=lambda: show(st.session_state["review-view"] or FOCUS),
    )


def by() -> str:
    """What a group of the bulk view has in common."""
    return SOURCE if st.query_params.get("by") == SOURCE else ALIKE


def regroup(name: str) -> None:
    """Group by something else; for callbacks."""
    st.query_params["by"] = name
    st.query_params.pop("group", None)
    st.session_state[PAGE] = 1


# --- the filters ----------------------------------------------------------------------------------------------------


def filters(actor: Actor, names: Mapping[str, str]) -> Filters:
    """Draw search, filters and order; all of them stand in the address."""
    text = st.text_input(
        "Search",
        placeholder="Words of the claim",
        key="q",
        bind="query-params",
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=changed,
        width=260,
    )
    count = sum(st.session_state.get(key) is not None for key in KEYS if key != "q")
    label = safe.label(f"Filters: {count}" if count else "Filters")
    with st.popover(label, key="review-filters", icon=":material/filter_list:"):
        reason = _choice("Why held", REASONS, words.reason, "Any reason", "reason")
        kind = _choice("Source", SOURCES, words.source, "Any source", "source")
        owner, show = None, None
        if actor.role is not Role.MEMBER:
            known = sorted(names, key=lambda one: names[one].casefold())
            owner = _choice("Heard by", known, lambda one: safe.plain(names.get(one, one)), "Anybody", "owner")
        days = _choice("Waits", tuple(AGES), lambda one: AGES[one], "Any time", "age")
        if actor.role is not Role.MEMBER:
            show = _choice("Show", tuple(SHOWN), lambda one: SHOWN[one], "The whole queue", "show")
    order = st.selectbox(
        "Order",
        tuple(ORDERS),
        format_func=lambda one: ORDERS[one],
        key="order",
        bind="query-params",
        label_visibility="collapsed",
        on_change=changed,
        width=190,
    )
    found = Filters(
        text=(text or "").strip(),
        reason=reason,
        source_kind=SourceKind(kind) if kind else None,
        owner=owner,
        days=days,
        mine=show == MINE,
        snoozed=show == SNOOZED,
        order=order or "priority",
    )
    if found.narrow:
        st.button("Clear filters", key="review-clear", type="tertiary", icon=":material/close:", on_click=clear)
    return found


def _choice(label: str, options: Sequence[T], said: Callable[[T], str], anything: str, key: str) -> T | None:
    return st.selectbox(
        safe.label(label),
        options,
        index=None,
        format_func=said,
        placeholder=anything,
        key=key,
        bind="query-params",
        on_change=changed,
    )


def changed() -> None:
    """Another filter: begin at the first page, with its first item."""
    st.session_state[PAGE] = 1
    for key in ("item", "group"):
        st.query_params.pop(key, None)


def clear() -> None:
    """Take every filter away."""
    for key in KEYS:
        if key in st.session_state:
            st.session_state[key] = "" if key == "q" else None
    changed()


# --- the page -------------------------------------------------------------------------------------------------------


def page() -> int:
    """The page of the list that is shown, from 1; the address knows it before its widget is drawn."""
    shown = st.session_state.get(PAGE) or st.query_params.get(PAGE) or "1"
    return int(shown) if str(shown).isdigit() and int(shown) > 0 else 1


def turn(to: int) -> None:
    """Show another page of the list."""
    st.session_state[PAGE] = to


def pager(total: int, size: int) -> None:
    """The pager, when there is more than one page."""
    count = last(total, size)
    if count == 1:
        st.session_state.pop(PAGE, None)
        st.query_params.pop(PAGE, None)
        return
    if page() > count:
        st.session_state[PAGE] = count
    st.pagination(count, key=PAGE, bind="query-params", max_visible_pages=5, on_change=_turned)


def _turned() -> None:
    for key in ("item", "group"):
        st.query_params.pop(key, None)


def last(total: int, size: int) -> int:
    """The number of pages."""
    return max(1, -(-total // size))
