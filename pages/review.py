"""Review (VIGIL): what the gate held, why, and a person's ruling on the exact words that were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import Html, tag
from core.errors import NotFound, StaleReview
from core.model import Actor, CandidateState, HeldItem, Role, Ruling, RulingKind, SourceKind, sha256_text
from core.ports import HeldGroup
from core.review import FLAGGED, Outcome

GROUPS, ITEMS = 25, 50  # a page of sources; items listed of the open one
MANY = 500  # items rejected in one act
REASONS = ("low_trust", "directive", "conflict", "no_root", "gap", "declined_before")
SOURCES = tuple(SourceKind)
QUICK = ("Not true", "Tries to give orders", "Not about the owner", "Private", "Not worth keeping")
SHOWN_DIGITS = 16


# --- the page -----------------------------------------------------------------------------------------------------


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title("Review", "What was heard from sources that are not trusted enough waits here until a person rules on it.")
    _strip(actor)
    where = _filters()
    _undo(actor)
    _outcomes()
    groups, total = session.layer().review.groups(actor, limit=GROUPS, offset=_offset(), **where)
    if not groups and not st.query_params.get("item"):
        if any(value is not None for value in where.values()):
            widgets.empty("Nothing fits these filters", "Take a filter away to see the other held items.")
        else:
            widgets.empty("Nothing is held", "When a page, a document or the assistant states something, it appears here instead of in memory.")
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
    oldest = words.span_of((widgets.now() - summary.oldest).total_seconds()) if summary.oldest else "None"
    widgets.strip(
        [
            ("Held now", f"{summary.held:,}", f"{summary.held_today:,} in the last day"),
            ("Oldest waits", oldest, f"since {summary.oldest:%d %B}" if summary.oldest else "the queue is empty"),
            ("Promoted", f"{summary.promoted_7d:,}", "in 7 days"),
            ("Rejected", f"{summary.rejected_7d:,}", "in 7 days"),
        ]
    )


def _filters() -> dict[str, object]:
    with st.container(horizontal=True, gap="small", key="review-filters"):
        said = st.text_input("Search", placeholder="Words of the claim", key="q", bind="query-params", icon=":material/search:", width="stretch")
        why = st.selectbox(
            "Why held", REASONS, index=None, format_func=words.reason, placeholder="Any reason", key="reason", bind="query-params", width=220
        )
        kind = st.selectbox(
            "Source", SOURCES, index=None, format_func=words.source, placeholder="Any source", key="source", bind="query-params", width=220
        )
    return {"text": said or None, "reason": why, "source_kind": kind}


def _offset() -> int:
    page = st.session_state.get("review-page", 1)
    return (page - 1) * GROUPS if isinstance(page, int) else 0


# --- which source is open, which item is shown ------------------------------------------------------------------------


def _key(group: HeldGroup) -> str:
    return sha256_text(f"{group.owner}\n{group.source_kind}\n{group.source_ref}")[:SHOWN_DIGITS]


def _key_of(item: HeldItem) -> str:
    origin = item.candidate.provenance
    return sha256_text(f"{item.candidate.scope.owner}\n{origin.source_kind}\n{origin.source_ref}")[:SHOWN_DIGITS]


def _items_of(actor: Actor, group: HeldGroup, where: Mapping[str, object]) -> list[HeldItem]:
    return _pending(actor, group, limit=ITEMS, reason=where.get("reason"), text=where.get("text"))


def _pending(actor: Actor, group: HeldGroup, *, limit: int, reason: object = None, text: object = None) -> list[HeldItem]:
    items, _ = session.layer().review.pending(
        actor,
        source_ref=group.source_ref,
        source_kind=group.source_kind,
        owner=group.owner,
        reason=reason if isinstance(reason, str) else None,
        text=text if isinstance(text, str) else None,
        limit=limit,
    )
    return items


def _open_group(actor: Actor, groups: Sequence[HeldGroup], where: Mapping[str, object]) -> tuple[HeldGroup | None, list[HeldItem]]:
    wanted = st.query_params.get("from")
    group = next((one for one in groups if _key(one) == wanted), groups[0] if groups else None)
    return group, _items_of(actor, group, where) if group is not None else []


def _selected(actor: Actor, items: Sequence[HeldItem]) -> HeldItem | None:
    """The item in the address, as it is now; else the first of the open source. A first look is read through core, which audits it."""
    wanted = st.query_params.get("item")
    if wanted and not any(one.candidate.candidate_id == wanted for one in items):
        try:
            return session.layer().review.item(actor, wanted)
        except NotFound:
            wanted = None
    chosen = next((one for one in items if one.candidate.candidate_id == wanted), items[0] if items else None)
    if chosen is not None and st.session_state.get("review-looked") != chosen.candidate.candidate_id:
        st.session_state["review-looked"] = chosen.candidate.candidate_id
        return session.layer().review.item(actor, chosen.candidate.candidate_id)
    return chosen


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


def _list(  # noqa: PLR0913, PLR0917 - the parts of one screen
    actor: Actor, groups: Sequence[HeldGroup], total: int, group: HeldGroup | None, items: Sequence[HeldItem], item: HeldItem | None, names: Mapping[str, str]
) -> None:
    widgets.section("Sources", words.plural(total, "source"))
    for one in groups:
        here = group is not None and _key(one) == _key(group)
        if widgets.row(f"g-{_key(one)}", _group_card(one, names), one.title or one.source_ref) and not here:
            st.query_params.pop("item", None)
            _go(None, _key(one))
        if here:
            with st.container(key="review-items", gap="xsmall"):
                for held in items:
                    cid = held.candidate.candidate_id
                    chosen = item is not None and cid == item.candidate.candidate_id
                    if widgets.row(f"i-{cid}", _item_card(held), held.candidate.text, selected=chosen) and not chosen:
                        _go(held)
                if one.count > len(items):
                    widgets.muted(f"The oldest {len(items)} of {one.count:,} are listed.")
                if one.count > 1 and actor.role in (Role.REVIEWER, Role.ADMIN) and st.button(
                    safe.label(f"Reject all {one.count:,} from this source"), key="reject-all", type="tertiary", icon=":material/delete_sweep:"
                ):
                    _prepare_all(actor, one)
    widgets.pages(total, GROUPS, "review-page")


def _group_card(group: HeldGroup, names: Mapping[str, str]) -> Html:
    owner = names.get(group.owner, group.owner)
    return tag(
        "div",
        tag("div", tag("span", group.title or group.source_ref or "Untitled", cls="cm-strong", dir="auto"), tag("span", f"{group.count:,} held", cls="cm-muted"), cls="cm-cardline"),
        tag("div", f"{words.source(group.source_kind).capitalize()} · heard by {owner} · {words.age(group.oldest, widgets.now())}", cls="cm-card-foot"),
    )


def _item_card(item: HeldItem) -> Html:
    return tag(
        "div",
        tag("div", item.candidate.text, cls="cm-card-text", dir="auto"),
        tag("div", widgets.reason_chips(item.decision.reasons[:2]), cls="cm-card-foot"),
    )


# --- the focus card -------------------------------------------------------------------------------------------------


def _card(actor: Actor, item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup], names: Mapping[str, str]) -> None:
    candidate, held = item.candidate, item.state is CandidateState.HELD
    ids = [one.candidate.candidate_id for one in items]
    place = f"{ids.index(candidate.candidate_id) + 1} of {len(ids)} from this source" if candidate.candidate_id in ids else ""
    _notice(item, names)
    safe.draw(
        tag("div", tag("span", widgets.reason_chips(item.decision.reasons) if held else widgets.status_chip(item.state)), tag("span", place, cls="cm-muted"), cls="cm-cardline")
    )
    safe.claim(candidate.text)
    safe.draw(tag("p", f"A promotion signs exactly these words: sha256 {candidate.digest[:SHOWN_DIGITS]}…", cls="cm-muted"))
    widgets.section("What the source says", "the claim is marked")
    safe.quote(item.excerpt, item.excerpt_span)
    widgets.section("Why it is held" if held else "Why it was held")
    safe.draw(tag("p", words.why(item.decision), cls="cm-lead-in"), widgets.steps(item.decision.steps))
    _touches(actor, item)
    _origin(item, names)
    with st.container(key="review-verdict", gap="small"):
        if held and actor.role in (Role.REVIEWER, Role.ADMIN):
            _verdict(actor, item, items, groups)
            return
        if held:
            widgets.muted("A reviewer decides on this. You see it because it was said in one of your chats.")
        _moves(item, items, groups)


def _notice(item: HeldItem, names: Mapping[str, str]) -> None:
    problem = st.session_state.pop("review-notice", "")
    if problem:
        safe.banner("This changed while you looked at it", f"{problem} What it is now is shown below.", tone="warn")
    elif item.state is not CandidateState.HELD:
        decision = item.decision
        by = "the policy" if decision.by == "policy" else names.get(decision.by, decision.by)
        said = f" Reason: {decision.note}" if decision.note else ""
        safe.banner(words.STATES[item.state], f"By {by}, {words.age(decision.at, widgets.now())}.{said}")


def _touches(actor: Actor, item: HeldItem) -> None:
    widgets.section("What it would change")
    live = session.layer().review.contradicted(actor, item.candidate.candidate_id)
    if not live:
        widgets.muted("Nothing that is remembered says otherwise; it would be added.")
        return
    for memory in live:
        safe.draw(
            tag(
                "div",
                tag("div", "Remembered now", cls="cm-muted"),
                tag("div", memory.text, cls="cm-strong", dir="auto"),
                tag("div", f"{words.source(memory.source_kind).capitalize()} · trust {memory.effective_trust:.2f} · {words.age(memory.stated_at, widgets.now())}", cls="cm-muted"),
                cls="cm-card",
            )
        )
    widgets.muted("A promotion replaces it, unless the owner said it in own words: then only the owner can correct it.")


def _origin(item: HeldItem, names: Mapping[str, str]) -> None:
    candidate, origin = item.candidate, item.candidate.provenance
    own = origin.source_kind in (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
    rows: list[tuple[str, str | Html]] = [("Source", words.source(origin.source_kind).capitalize())]
    if origin.title and origin.title != origin.source_ref:
        rows.append(("Title", origin.title))
    if not own:
        rows.append(("Address or file", origin.source_ref))
    rows += [
        ("Heard by", names.get(candidate.scope.owner, candidate.scope.owner)),
        ("Heard", f"{words.moment(origin.observed_at)} ({words.age(origin.observed_at, widgets.now())})"),
        ("Trust", f"{item.decision.evidence.effective_trust:.2f}"),
        ("Read by", candidate.extractor),
        ("Text's sha256", f"{origin.digest[:SHOWN_DIGITS]}…"),
    ]
    widgets.section("Where it comes from")
    safe.draw(widgets.facts(rows))
    if len(item.decision.evidence.roots) > 1:
        safe.draw(drawer.chain(item.decision.evidence.roots))


# --- ruling -------------------------------------------------------------------------------------------------------


def _verdict(actor: Actor, item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]) -> None:
    candidate = item.candidate
    stamp = f"{candidate.candidate_id}-{candidate.version}"
    left, right = st.columns([0.4, 0.6], wrap=False)
    quick = left.selectbox(
        "Reason", QUICK, index=None, placeholder="Reason", key="review-quick", persist_state="page", label_visibility="collapsed"
    )
    note = right.text_input("Note", placeholder="Note, kept in the audit", key=f"note-{stamp}", max_chars=500, label_visibility="collapsed")
    override = False
    if FLAGGED.intersection(item.decision.reasons):
        override = st.checkbox("Promote although it gives an order; my note says why", key=f"override-{stamp}")
    said = ". ".join(part for part in (quick, note) if part)
    with st.container(horizontal=True, gap="xsmall"):
        if st.button("Promote", key=f"promote-{stamp}", type="primary", icon=":material/check:", shortcut="P"):
            _resolve(actor, item, RulingKind.PROMOTE, note or "", override, items, groups)
        if st.button("Reject", key=f"reject-{stamp}", icon=":material/block:", shortcut="X"):
            _resolve(actor, item, RulingKind.REJECT, said, False, items, groups)
        _move_buttons(item, items, groups)


def _resolve(  # noqa: PLR0913, PLR0917 - what is ruled on, how, and what comes next
    actor: Actor, item: HeldItem, kind: RulingKind, note: str, override: bool, items: Sequence[HeldItem], groups: Sequence[HeldGroup]  # noqa: FBT001
) -> None:
    candidate = item.candidate
    ruling = Ruling(
        candidate_id=candidate.candidate_id, kind=kind, seen_version=candidate.version, digest=candidate.digest, note=note, override=override
    )
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


def _after(item: HeldItem, items: Sequence[HeldItem], groups: Sequence[HeldGroup]) -> tuple[HeldItem | None, str | None]:
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


# --- a whole source -------------------------------------------------------------------------------------------------


def _prepare_all(actor: Actor, group: HeldGroup) -> None:
    """Fix what is rejected to what is shown now: ids, versions and digests."""
    shown = _pending(actor, group, limit=MANY)
    st.session_state["review-all"] = [
        (one.candidate.candidate_id, one.candidate.version, one.candidate.digest, one.candidate.text) for one in shown
    ]
    _reject_all()


@st.dialog("Reject everything from this source", width="medium")
def _reject_all() -> None:
    chosen: list[tuple[str, int, str, str]] = st.session_state.get("review-all", [])
    widgets.muted(f"{words.plural(len(chosen), 'claim')} will be rejected; the same words will not come back to the queue.")
    safe.table([{"Claim": text} for _, _, _, text in chosen], height=min(38 * (len(chosen) + 1), 260))
    reason = st.selectbox("Reason", QUICK, key="reject-all-reason")
    more = st.text_input("More, if you like", key="reject-all-more", max_chars=300)
    if st.button(safe.label(f"Reject {len(chosen):,}"), type="primary", key="reject-all-yes"):
        actor = session.current_actor()
        note = f"{reason}. {more}" if more else str(reason)
        rulings = [
            Ruling(candidate_id=cid, kind=RulingKind.REJECT, seen_version=version, digest=digest, note=note) for cid, version, digest, _ in chosen
        ]
        outcomes = widgets.attempt(lambda: session.layer().review.resolve_many(actor, rulings))
        if outcomes is not None:
            texts = {cid: text for cid, _, _, text in chosen}
            st.session_state["review-outcomes"] = [(texts.get(one.candidate_id, ""), one) for one in outcomes]
            st.query_params.pop("item", None)
            st.rerun()


def _outcomes() -> None:
    """What became of each item of the last joint act, until it is closed."""
    made: list[tuple[str, Outcome]] = st.session_state.get("review-outcomes", [])
    if not made:
        return
    done = sum(one.ok for _, one in made)
    refused = len(made) - done
    text = "Every item was rejected." if not refused else f"{words.plural(refused, 'item')} stayed as it was; the list says why."
    safe.banner(f"{done} of {len(made)} rejected", text, tone="good" if not refused else "warn")
    with st.expander("Result of each item", icon=":material/list:", expanded=bool(refused)):
        safe.table([{"Claim": text, "Result": "Rejected" if one.ok else "Not done", "Why": one.message} for text, one in made])
    if st.button("Close", key="review-outcomes-close"):
        st.session_state.pop("review-outcomes")
        st.rerun()


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
                    tag("div", widgets.status_chip(one.state), tag("span", one.candidate.text, dir="auto"), tag("span", f" · {words.age(one.decision.at, widgets.now())}", cls="cm-muted"))
                )
                if st.button("Undo", key=f"undo-{cid}", type="tertiary"):
                    outcome = widgets.attempt(lambda cid=cid: session.layer().review.undo(actor, cid))  # type: ignore[misc]
                    if outcome is not None:
                        widgets.flash(outcome.message)
                        _go(one)


widgets.page(draw)
