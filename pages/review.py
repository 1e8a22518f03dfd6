"""Review (VIGIL): what the gate held, why, and a person's ruling on the exact words that were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from console import claim, safe, session, sweep, widgets, words
from console.safe import tag
from core.errors import NotFound, StaleReview
from core.model import Actor, CandidateState, HeldItem, Role, Ruling, RulingKind, SourceKind, sha256_text
from core.ports import HeldGroup
from core.review import FLAGGED

GROUPS, ITEMS = 25, 50  # a page of sources; items listed of the open one
MANY = 500  # items rejected in one act
REASONS = ("low_trust", "directive", "conflict", "no_root", "gap", "declined_before")
SOURCES = tuple(SourceKind)


# --- the page -----------------------------------------------------------------------------------------------------


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Review", "What was heard from sources that are not trusted enough waits here until a person rules on it."
    )
    _strip(actor)
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
    with st.container(key="review-desk"):
        left, right = st.columns([0.38, 0.62], gap="medium")
        with left:
            _list(actor, groups, total, group, items, item, names)
        with right:
            if item is not None:
                _card(actor, item, items, groups, names)


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


def _key(group: HeldGroup) -> str:
    return sha256_text(f"{group.owner}\n{group.source_kind}\n{group.source_ref}")[: claim.SHOWN_DIGITS]


def _key_of(item: HeldItem) -> str:
    origin = item.candidate.provenance
    return sha256_text(f"{item.candidate.scope.owner}\n{origin.source_kind}\n{origin.source_ref}")[: claim.SHOWN_DIGITS]


def _pending(actor: Actor, group: HeldGroup, where: Filters, *, limit: int) -> list[HeldItem]:
    items, _ = session.layer().review.pending(
        actor,
        source_ref=group.source_ref,
        source_kind=group.source_kind,
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
            wanted = _key_of(session.layer().review.item(actor, item))
        except NotFound:
            st.query_params.pop("item")
    group = next((one for one in groups if _key(one) == wanted), groups[0] if groups else None)
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
    st.query_params["item"], st.query_params["from"] = cid, _key_of(chosen)
    if st.session_state.get("review-looked") == cid:
        return chosen
    st.session_state["review-looked"] = cid
    return session.layer().review.item(actor, cid)


def _go(item: HeldItem | None, group_key: str | None = None) -> None:
    """Show another item, by its id; without one the page chooses."""
    if item is None:
        st.query_params.pop("item", None)
    else:
        st.query_params["item"] = item.candidate.candidate_id
    key = group_key or (_key_of(item) if item is not None else None)
    if key is None:
        st.query_params.pop("from", None)
    else:
        st.query_params["from"] = key
    st.rerun()


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
        here = group is not None and _key(one) == _key(group)
        if widgets.row(f"g-{_key(one)}", claim.group_card(one, names), one.title or one.source_ref) and not here:
            st.query_params.pop("item", None)
            _go(None, _key(one))
        if here:
            with st.container(key="review-items", gap="xsmall"):
                for held in items:
                    cid = held.candidate.candidate_id
                    chosen = item is not None and cid == item.candidate.candidate_id
                    if (
                        widgets.row(f"i-{cid}", claim.item_card(held), held.candidate.text, selected=chosen)
                        and not chosen
                    ):
                        _go(held)
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


# --- the focus card -------------------------------------------------------------------------------------------------


def _card(
    actor: Actor, item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup], names: Mapping[str, str]
) -> None:
    candidate, held = item.candidate, item.state is CandidateState.HELD
    ids = [one.candidate.candidate_id for one in items]
    place = (
        f"{ids.index(candidate.candidate_id) + 1} of {len(ids)} from this source"
        if candidate.candidate_id in ids
        else ""
    )
    claim.notice(item, names, st.session_state.pop("review-notice", ""))
    safe.draw(
        tag(
            "div",
            tag("span", widgets.reason_chips(item.decision.reasons) if held else widgets.status_chip(item.state)),
            tag("span", place, cls="cm-muted"),
            cls="cm-cardline",
        )
    )
    safe.claim(candidate.text)
    safe.draw(
        tag(
            "p",
            f"A promotion signs exactly these words: sha256 {candidate.digest[: claim.SHOWN_DIGITS]}…",
            cls="cm-muted",
        )
    )
    widgets.section("What the source says", "the claim is marked")
    safe.quote(item.excerpt, item.excerpt_span)
    widgets.section("Why it is held" if held else "Why it was held")
    safe.draw(tag("p", words.why(item.decision), cls="cm-lead-in"), widgets.steps(item.decision.steps))
    claim.touches(session.layer().review.contradicted(actor, candidate.candidate_id))
    claim.provenance(item, names)
    with st.container(key="review-verdict", gap="small"):
        if held and actor.role in (Role.REVIEWER, Role.ADMIN):
            _verdict(actor, item, items, groups)
            return
        if held:
            widgets.muted("A reviewer decides on this. You see it because it was said in one of your chats.")
        _moves(item, items, groups)


# --- ruling -------------------------------------------------------------------------------------------------------


def _verdict(actor: Actor, item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]) -> None:
    candidate = item.candidate
    stamp = f"{candidate.candidate_id}-{candidate.version}"
    left, right = st.columns([0.4, 0.6], wrap=False)
    quick = left.selectbox(
        "Reason",
        sweep.REASONS,
        index=None,
        placeholder="Reason",
        key="review-quick",
        persist_state="page",
        label_visibility="collapsed",
    )
    note = right.text_input(
        "Note", placeholder="Note, kept in the audit", key=f"note-{stamp}", max_chars=500, label_visibility="collapsed"
    )
    override = False
    if FLAGGED.intersection(item.decision.reasons):
        override = st.checkbox("Promote although it gives an order; my note says why", key=f"override-{stamp}")
    said = ". ".join(part for part in (quick, note) if part)
    refusal = st.container()
    with st.container(horizontal=True, gap="xsmall"):
        promote = st.button("Promote", key=f"promote-{stamp}", type="primary", icon=":material/check:", shortcut="P")
        reject = st.button("Reject", key=f"reject-{stamp}", icon=":material/block:", shortcut="X")
        _move_buttons(item, items, groups)
    with refusal:
        if promote:
            _resolve(actor, item, _ruling(item, RulingKind.PROMOTE, note or "", override=override), items, groups)
        elif reject:
            _resolve(actor, item, _ruling(item, RulingKind.REJECT, said), items, groups)


def _ruling(item: HeldItem, kind: RulingKind, note: str, *, override: bool = False) -> Ruling:
    candidate = item.candidate
    return Ruling(
        candidate_id=candidate.candidate_id,
        kind=kind,
        seen_version=candidate.version,
        digest=candidate.digest,
        note=note,
        override=override,
    )


def _resolve(
    actor: Actor, item: HeldItem, ruling: Ruling, items: Sequence[HeldItem], groups: Sequence[HeldGroup]
) -> None:
    """Carry out a ruling and show what comes next; a change that came first is shown instead."""
    try:
        outcome = widgets.attempt(lambda: session.layer().review.resolve(actor, ruling), let=StaleReview)
    except StaleReview as problem:
        st.session_state["review-notice"] = str(problem)
        st.session_state.pop("review-looked", None)
        _go(item)
    if outcome is not None and outcome.ok:
        widgets.flash(outcome.message)
        _go(*_after(item, items, groups))
    elif outcome is not None:
        safe.banner("Not done", outcome.message, tone="warn")


def _after(
    item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]
) -> tuple[HeldItem | None, str | None]:
    """What is shown once this item is decided: the next of its source, else the one before, else the next source."""
    ids = [one.candidate.candidate_id for one in items]
    at = ids.index(item.candidate.candidate_id) if item.candidate.candidate_id in ids else -1
    others = [*items[at + 1 :], *reversed(items[:at])] if at >= 0 else list(items)
    return (others[0], None) if others else (None, _neighbour(item, groups, 1))


def _neighbour(item: HeldItem, groups: Sequence[HeldGroup], step: int) -> str | None:
    keys = [_key(one) for one in groups]
    here = _key_of(item)
    at = keys.index(here) + step if here in keys else 0
    return keys[at] if 0 <= at < len(keys) else None


def _moves(item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]) -> None:
    with st.container(horizontal=True, gap="small"):
        _move_buttons(item, items, groups)


def _move_buttons(item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]) -> None:
    ids = [one.candidate.candidate_id for one in items]
    at = ids.index(item.candidate.candidate_id) if item.candidate.candidate_id in ids else None
    if st.button("Previous", key="review-previous", shortcut="K"):
        _step(item, items, groups, (at if at is not None else 0) - 1)
    if st.button("Next", key="review-next", shortcut="J"):
        _step(item, items, groups, at + 1 if at is not None else 0)


def _step(item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup], to: int) -> None:
    if 0 <= to < len(items):
        _go(items[to])
    key = _neighbour(item, groups, 1 if to > 0 else -1)
    if key is not None:
        _go(None, key)


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
                        _go(one)


widgets.page(draw, reject_all=sweep.reject_all)
