"""Memories: everything that is remembered about the signed-in person, and why; forget and restore."""

from __future__ import annotations

import streamlit as st

from console import drawer, safe, session, widgets, words
from console.safe import Html, tag
from core.decay import freshness
from core.model import Memory, MemoryStatus, SourceKind

PAGE = 25
STATUSES = tuple(MemoryStatus)
SOURCES = tuple(SourceKind)


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    layer = session.layer()
    widgets.title("Memories", "What is remembered about you, where it comes from, and how sure it is.")
    counts = layer.memories.count(actor)
    found = _filters(counts)
    text, status, source = found
    memories, total = layer.memories.list(
        actor,
        text=text,
        statuses=(status,),
        source_kinds=(source,) if source else (),
        limit=PAGE,
        offset=_offset(),
    )
    if not memories:
        _nothing(sum(counts.values()), filtered=bool(text or source), status=status)
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


def _filters(counts: dict[MemoryStatus, int]) -> tuple[str | None, MemoryStatus, SourceKind | None]:
    search, source = st.columns([0.65, 0.35])
    text = search.text_input(
        "Search", placeholder="Words of a memory", key="find", bind="query-params", icon=":material/search:"
    )
    kind = source.selectbox(
        "Source",
        SOURCES,
        index=None,
        format_func=words.source,
        placeholder="Any source",
        key="origin",
        bind="query-params",
    )

    def name(status: MemoryStatus) -> str:
        return safe.label(f"{words.STATUSES[status]} {counts.get(status, 0):,}")

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
    return text or None, MemoryStatus(status or MemoryStatus.ACTIVE), SourceKind(kind) if kind else None


def _nothing(total: int, *, filtered: bool, status: MemoryStatus) -> None:
    if filtered:
        widgets.empty("Nothing fits", "Try other words, or take the source filter away.")
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
        widgets.empty("None of this sort", hints[status])


def _card(memory: Memory) -> Html:
    layer = session.layer()
    now = widgets.now()
    strength = memory.importance * freshness(memory, now, layer.policy.decay)
    trust = max(memory.effective_trust, layer.policy.trust.vouch_level) if memory.vouched_by else memory.effective_trust
    source = widgets.source_line(memory.source_kind, memory.source_ref, memory.source_title)
    foot = [memory.kind.value.capitalize(), source, words.age(memory.stated_at, now)]
    if memory.vouched_by:
        foot.append(f"vouched for by {memory.vouched_by}")
    return tag(
        "div",
        tag(
            "div",
            tag("div", memory.text, cls="cm-strong", dir="auto"),
            tag("div", " · ".join(foot), cls="cm-muted", dir="auto"),
            *([widgets.status_chip(memory.status)] if memory.status is not MemoryStatus.ACTIVE else []),
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


widgets.page(draw, why=drawer.why)
