"""Memories: everything that is remembered about the signed-in person, now or on an earlier day, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import streamlit as st

from console import drawer, owndata, safe, session, terms, widgets, words
from console.safe import Html, tag
from core.decay import freshness
from core.model import Actor, Memory, MemoryStatus, SourceKind
from core.policy import ranking_trust

PAGE = 25
TABS = {
    MemoryStatus.ACTIVE: "Current",
    MemoryStatus.SUPERSEDED: "History",
    MemoryStatus.ARCHIVED: "Archived",
    MemoryStatus.DELETED: "Forgotten",
}
STATUSES = tuple(MemoryStatus)
SOURCES = tuple(SourceKind)


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        widgets.title("Memories", "What is remembered about you, where it comes from, and how sure it is.")
        counts = session.layer().memories.count(actor)
        owndata.menu(counts)
    with st.container(key="import-result"):
        owndata.taken()
    where = _filters(counts)
    memories, total = _found(actor, where)
    if where.then is not None:
        owndata.as_of_banner(where.then.strftime("%-d %B %Y"))
    if not memories:
        _nothing(sum(counts.values()), where)
        return
    widgets.muted(words.plural(total, "memory", "memories"))
    with st.container(gap="xsmall", key="memory-list"):
        for one in memories:
            if widgets.row(f"m-{one.memory_id}", _card(one), one.text):
                widgets.open_dialog("why", one.memory_id)
    widgets.pages(total, PAGE, "memories-page")


def _offset() -> int:
    page = st.session_state.get("memories-page", 1)
    return (page - 1) * PAGE if isinstance(page, int) else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """What the list is narrowed to. With `then` it is what was current at that time, whatever it is now."""

    text: str | None = None
    source: SourceKind | None = None
    status: MemoryStatus = MemoryStatus.ACTIVE
    then: datetime | None = None


def _found(actor: Actor, where: Filters) -> tuple[Sequence[Memory], int]:
    memories = session.layer().memories
    kinds = (where.source,) if where.source else ()
    if where.then is not None:
        return memories.as_of(actor, where.then, text=where.text, source_kinds=kinds, limit=PAGE, offset=_offset())
    return memories.list(
        actor, text=where.text, statuses=(where.status,), source_kinds=kinds, limit=PAGE, offset=_offset()
    )


def _filters(counts: dict[MemoryStatus, int]) -> Filters:
    with st.container(horizontal=True, gap="small", key="memory-filters"):
        text = st.text_input(
            "Search", placeholder="Words of a memory", key="find", bind="query-params", icon=":material/search:"
        )
        kind = st.selectbox(
            "Source",
            SOURCES,
            index=None,
            format_func=words.source,
            placeholder="Any source",
            key="origin",
            bind="query-params",
            width=200,
        )
        day = st.date_input(
            "As of", value=None, max_value=widgets.now().date(), key="as-of", format="YYYY-MM-DD", width=180
        )

    def name(status: MemoryStatus) -> str:
        return safe.label(f"{TABS[status]} {counts.get(status, 0):,}")

    then = datetime.combine(day, time.max, tzinfo=UTC) if isinstance(day, date) else None
    status = None
    if then is None:
        status = st.segmented_control(
            "Status",
            STATUSES,
            default=MemoryStatus.ACTIVE,
            required=True,
            format_func=name,
            key="memory-status",
            label_visibility="collapsed",
            persist_state="page",
        )
    return Filters(
        text=text or None,
        source=SourceKind(kind) if kind else None,
        status=MemoryStatus(status or MemoryStatus.ACTIVE),
        then=then,
    )


def _nothing(total: int, where: Filters) -> None:
    if where.text or where.source:
        widgets.empty("Nothing fits", "Try other words, or take the source filter away.")
    elif where.then is not None:
        widgets.empty("Nothing was remembered then", "Choose a later day, or clear it to see what is remembered now.")
    elif not total:
        widgets.empty(
            "Nothing is remembered yet",
            "Tell the chat something about yourself, for example “I live in Porto”, and it is here within seconds.",
        )
    else:
        hints = {
            MemoryStatus.ACTIVE: "Every memory was replaced, archived or forgotten.",
            MemoryStatus.SUPERSEDED: "When a newer statement contradicts a memory, the older one is kept here.",
            MemoryStatus.ARCHIVED: "Memories that have faded and were not of use are kept here, out of answers.",
            MemoryStatus.DELETED: "What you forget stays here, out of answers, so that you can restore it.",
        }
        widgets.empty("None of this sort", hints[where.status])


def _card(memory: Memory) -> Html:
    layer = session.layer()
    now = widgets.now()
    strength = memory.importance * freshness(memory, now, layer.policy.decay)
    trust = ranking_trust(memory, layer.policy)
    source = widgets.source_line(memory.source_kind, memory.source_ref, memory.source_title)
    foot = [memory.kind.value.capitalize(), source, words.age(memory.stated_at, now)]
    if memory.vouched_by:
        foot.append(f"vouched for by {memory.vouched_by}")
    chips = [widgets.status_chip(memory.status)] if memory.status is not MemoryStatus.ACTIVE else []
    chips += [widgets.chip("Pinned", "info")] if memory.pinned else []
    chips += [widgets.chip(terms.tier(one), "warn") for one in memory.impact]
    return tag(
        "div",
        tag(
            "div",
            tag("div", memory.text, cls="cm-strong", dir="auto"),
            tag("div", " · ".join(foot), cls="cm-muted", dir="auto"),
            *([tag("div", *chips, cls="cm-chips")] if chips else []),
            cls="cm-grow",
        ),
        tag(
            "div",
            widgets.bar("Trust", trust, limit=layer.policy.trust.threshold),
            widgets.bar("Strength", strength, limit=layer.policy.decay.archive_below),
            cls="cm-meters",
        ),
        cls="cm-wide",
    )


widgets.page(draw, why=drawer.why, take_in=owndata.take_in, forget_all=owndata.forget_all, purge=owndata.purge)
