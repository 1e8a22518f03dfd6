"""The bulk view of the review page: groups on the left; one group's items in a table, decided in one act, on the right.

A table's selection is by position (console.md §1.7), so its key holds a digest of the ids and versions that are shown:
when the queue changes under it the selection is dropped, and it can never mean other items.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from console import claim, narrow, place, safe, session, sweep, widgets, words
from console.narrow import Filters
from core.errors import NotFound
from core.model import Actor, CandidateState, HeldItem, Role, RulingKind
from core.ports import HeldGroup
from core.queueing import alone

SIZE = 25  # groups on a page
MANY = 500  # items of a group that are shown, and decided in one act
BYS = ("Near-duplicates", "Sources")
LOOKED_THROUGH = 5  # groups with the words of one item
_WHY = "review-why"  # key of the session state: why the first item of a group is held, by its id
_KEPT = 1000  # entries of it
_ROW, _HEAD, _HIGHEST = 35, 38, 520  # pixels of the table


@dataclass(frozen=True, kw_only=True, slots=True)
class Open:
    """The group that is open, its items that are shown, and how many it has."""

    group: HeldGroup
    items: Sequence[HeldItem]
    total: int


def draw(actor: Actor, where: Filters, names: Mapping[str, str]) -> bool:
    """The whole view; whether there is anything in it."""
    by, offset = narrow.by(), (narrow.page() - 1) * SIZE
    groups, total = session.layer().review.groups(actor, by=by, **where.where(actor), limit=SIZE, offset=offset)
    if not groups and total:
        narrow.turn(narrow.last(total, SIZE))
        offset = (narrow.page() - 1) * SIZE
        groups, total = session.layer().review.groups(actor, by=by, **where.where(actor), limit=SIZE, offset=offset)
    if not groups:
        return False
    shown = _open(actor, groups, where)
    with st.container(key="review-desk"):
        left, right = st.columns([0.38, 0.62], gap="medium")
        with left:
            _list(actor, groups, total, shown, names, where)
        with right:
            _group(actor, shown, groups, names)
    return True


# --- the list -------------------------------------------------------------------------------------------------------


def _list(
    actor: Actor,
    groups: Sequence[HeldGroup],
    total: int,
    shown: Open,
    names: Mapping[str, str],
    where: Filters,
) -> None:
    with st.container(key="review-list", gap="xsmall"):
        st.segmented_control(
            "Groups",
            BYS,
            key="review-by",
            default=BYS[0 if narrow.by() == narrow.ALIKE else 1],
            label_visibility="collapsed",
            required=True,
            on_change=_regroup,
        )
        widgets.section(
            words.plural(total, "group"),
            "what says the same is one group" if narrow.by() == narrow.ALIKE else "what one source said is one group",
        )
        why = _why(actor, groups, where)
        for one in groups:
            widgets.row(
                f"g-{place.key(one)}",
                claim.group_card(one, names, why.get(one.first_id, ())),
                f"{claim.group_name(one, names)}: {one.count:,} held",
                selected=place.key(one) == place.key(shown.group),
                on_click=_show,
                args=(one,),
            )
        narrow.pager(total, SIZE)


def _regroup() -> None:
    narrow.regroup(narrow.SOURCE if st.session_state.get("review-by") == BYS[1] else narrow.ALIKE)
    st.query_params.pop("of", None)


def _show(group: HeldGroup) -> None:
    st.query_params["group"] = place.key(group)
    st.query_params.pop("of", None)


def _why(actor: Actor, groups: Sequence[HeldGroup], where: Filters) -> dict[str, tuple[str, ...]]:
    """Why the first item of each group is held; a group itself does not say it, so it is asked once a session."""
    known: dict[str, tuple[str, ...]] = st.session_state.setdefault(_WHY, {})
    if len(known) > _KEPT:
        known.clear()
    for one in groups:
        if one.first_id and one.first_id not in known:
            items, _ = _pending(actor, one, where, limit=1)
            known[one.first_id] = items[0].decision.reasons if items else ()
    return known


# --- the open group -------------------------------------------------------------------------------------------------


def _pending(actor: Actor, group: HeldGroup, where: Filters, *, limit: int) -> tuple[list[HeldItem], int]:
    given = where.where(actor)
    given["owner"] = group.owner
    if not group.cluster and not group.alike:
        given["source_kind"] = group.source_kind
    return session.layer().review.pending(
        actor,
        alike=group.alike or None,
        cluster=group.cluster or None if not group.alike else None,
        source_ref=None if group.cluster or group.alike else group.source_ref,
        **given,
        limit=limit,
    )


def _open(actor: Actor, groups: Sequence[HeldGroup], where: Filters) -> Open:
    """The group in the address; else the one that an item belongs to; else the first."""
    wanted = st.query_params.get("group")
    group = next((one for one in groups if place.key(one) == wanted), None)
    if group is None and st.query_params.get("of"):
        group = _around(actor, st.query_params["of"], groups)
    group = group or groups[0]
    st.query_params["group"] = place.key(group)
    items, total = _pending(actor, group, where, limit=MANY)
    return Open(group=group, items=items, total=total)


def _around(actor: Actor, cid: str, groups: Sequence[HeldGroup]) -> HeldGroup | None:
    """The group of one item, also when it stands on another page of the list."""
    try:
        item = session.layer().review.item(actor, cid)
    except NotFound:
        return None
    if item.state is not CandidateState.HELD:
        return None
    if narrow.by() == narrow.ALIKE:
        return _alike(actor, item)
    group = place.source_of(item)
    return next((one for one in groups if place.key(one) == place.key(group)), group)


def _alike(actor: Actor, item: HeldItem) -> HeldGroup | None:
    """The near-duplicates of an item; an item does not say which they are, so its words are looked for."""
    owner, review = item.candidate.scope.owner, session.layer().review
    found, _ = review.groups(actor, by=narrow.ALIKE, owner=owner, text=item.candidate.text, limit=LOOKED_THROUGH)
    for one in found:
        items, _ = review.pending(actor, alike=one.alike, owner=owner, limit=MANY)
        if any(held.candidate.candidate_id == item.candidate.candidate_id for held in items):
            return one
    return None


def _group(actor: Actor, shown: Open, groups: Sequence[HeldGroup], names: Mapping[str, str]) -> None:
    group = shown.group
    _head(shown, names)
    selected = _table(shown.items)
    chosen = selected or list(shown.items)
    said = f"{len(chosen):,} selected" if selected else f"all {len(chosen):,}" if len(chosen) > 1 else ""
    if not selected and shown.total > len(chosen):
        said = f"these {len(chosen):,}"
        widgets.muted(
            f"The first {len(chosen):,} of {shown.total:,} are shown; the others come once these are decided."
        )
    if actor.role is not Role.MEMBER and chosen:
        with st.container(key="review-verdict", gap="xsmall"), st.container(horizontal=True, gap="xsmall"):
            _verbs(said, chosen)
            st.button("Previous", key="review-previous", shortcut=_key("K"), on_click=_step, args=(groups, group, -1))
            st.button("Next", key="review-next", shortcut=_key("J"), on_click=_step, args=(groups, group, 1))


def _verbs(said: str, chosen: Sequence[HeldItem]) -> None:
    st.button(
        safe.label(f"Promote {said}".strip()),
        key="bulk-promote",
        type="primary",
        icon=":material/check:",
        shortcut=_key("P"),
        on_click=sweep.prepare,
        args=(RulingKind.PROMOTE, chosen),
    )
    st.button(
        safe.label(f"Reject {said}".strip()),
        key="bulk-reject",
        icon=":material/block:",
        shortcut=_key("X"),
        on_click=sweep.prepare,
        args=(RulingKind.REJECT, chosen),
    )
    st.button(
        safe.label(f"Snooze {said}".strip()),
        key="bulk-snooze",
        icon=":material/snooze:",
        shortcut=_key("S"),
        on_click=sweep.put_off,
        args=(chosen,),
    )


def _key(key: str) -> str | None:
    return None if widgets.dialog_open() else key


def _head(shown: Open, names: Mapping[str, str]) -> None:
    group = shown.group
    owner = names.get(group.owner, group.owner)
    name = claim.group_name(group, names)
    widgets.section(name, f"{words.source(group.source_kind)} · heard by {owner}")
    if group.alike and shown.items:
        safe.claim(shown.items[0].candidate.text)
    reasons = dict.fromkeys(code for one in shown.items for code in one.decision.reasons)
    flagged = sum(bool(alone(one.decision)) for one in shown.items)
    note = (
        f"{words.plural(flagged, 'item is', 'items are')} flagged and cannot be promoted together." if flagged else ""
    )
    safe.draw(
        safe.tag("div", widgets.reason_chips(list(reasons)), safe.tag("span", note, cls="cm-muted"), cls="cm-cardline")
    )


def _table(items: Sequence[HeldItem]) -> list[HeldItem]:
    """The items; those that are selected, by id."""
    now = widgets.now()
    flagged = any(alone(one.decision) for one in items)
    rows = [
        {
            "Claim": one.candidate.text,
            "Why held": ", ".join(words.reason(code) for code in one.decision.reasons),
            **({"Together": "No: flagged" if alone(one.decision) else "Yes"} if flagged else {}),
            "From": widgets.source_line(
                one.candidate.provenance.source_kind,
                one.candidate.provenance.source_ref,
                one.candidate.provenance.title,
            ),
            "Heard": words.age(one.candidate.provenance.observed_at, now),
            "Trust": f"{one.decision.evidence.effective_trust:.2f}",
        }
        for one in items
    ]
    height = min(_HIGHEST, _HEAD + _ROW * len(rows))
    at = safe.grid(rows, key=f"bulk-{digest(items)}", height=height)
    return [items[one] for one in at if one < len(items)]


def digest(items: Sequence[HeldItem]) -> str:
    """A name for exactly these items in these versions."""
    shown = "\n".join(f"{one.candidate.candidate_id}:{one.candidate.version}" for one in items)
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def _step(groups: Sequence[HeldGroup], group: HeldGroup, by: int) -> None:
    keys = [place.key(one) for one in groups]
    here = keys.index(place.key(group)) if place.key(group) in keys else -1
    to = here + by
    if 0 <= to < len(groups):
        _show(groups[to])
    elif narrow.page() + by >= 1 and (to < 0 or len(groups) == SIZE):
        st.query_params.pop("group", None)
        narrow.turn(narrow.page() + by)
