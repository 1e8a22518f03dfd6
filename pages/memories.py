"""Memories: everything that is remembered about the signed-in person, now or on an earlier day, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

import streamlit as st

from console import choosing, correcting, drawer, importing, owndata, safe, session, sureness, terms, widgets, words
from console.safe import Html, tag
from core.confidence import confidence_of
from core.decay import freshness
from core.model import CONSOLE, Actor, Memory, MemoryKind, MemoryStatus, SourceKind
from core.policy import ranking_trust
from core.ports import MemoryFilter

PAGE = 25
TABS = {
    MemoryStatus.ACTIVE: "Current",
    MemoryStatus.SUPERSEDED: "History",
    MemoryStatus.ARCHIVED: "Archived",
    MemoryStatus.DELETED: "Forgotten",
}
STATUSES = tuple(MemoryStatus)
SOURCES = tuple(SourceKind)
KINDS = tuple(MemoryKind)
HARMS = ("any", *terms.TIERS)
BY_WORDS, BY_MEANING = "Words", "Meaning"


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        widgets.title("Memories", "What is remembered about you, where it comes from, and how sure it is.")
        counts = session.layer().memories.count(actor)
        owndata.menu(counts)
    with st.container(key="import-result"):
        owndata.taken()
        importing.shown()
    _space(actor)
    where = _filters(counts)
    found = _found(actor, where)
    if where.then is not None:
        owndata.as_of_banner(where.then.strftime("%-d %B %Y"))
    if not found.memories and found.total:  # a filter narrowed the list to fewer pages than the one that was open
        st.session_state["memories-page"] = 1
        found = _found(actor, where)
    if not found.memories:
        _nothing(sum(counts.values()), where)
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        widgets.muted(_said(found, where))
        several = choosing.switch()
    if several:
        choosing.bar(found.memories)
    with st.container(gap="xsmall", key="memory-list"):
        for one in found.memories:
            card = _card(one, found.near.get(one.memory_id))
            if several:
                choosing.row(one, card)
            elif widgets.row(f"m-{one.memory_id}", card, one.text):
                widgets.open_dialog("why", one.memory_id)
    widgets.pages(found.total, PAGE, "memories-page")


def _said(found: Found, where: Filters) -> str:
    """How many there are, and how they were found."""
    many = words.plural(found.total, "memory", "memories")
    if not where.meaning:
        return f"{many}, the last stated first" if not where.text else f"{many} with these words"
    more = " at least" if found.more else ""
    return f"{many}{more} near in meaning, the nearest first"


def _offset() -> int:
    page = st.session_state.get("memories-page", 1)
    return (page - 1) * PAGE if isinstance(page, int) else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """What the list is narrowed to. With `then` it is what was current at that time, whatever it is now."""

    text: str | None = None
    by_meaning: bool = False
    source: SourceKind | None = None
    kind: MemoryKind | None = None
    harm: str | None = None
    status: MemoryStatus = MemoryStatus.ACTIVE
    then: datetime | None = None

    @property
    def meaning(self) -> bool:
        """Whether it is searched by meaning: without words there is nothing to be near to."""
        return self.by_meaning and self.text is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One page of the list; `near` holds how near each is in meaning, where that was asked."""

    memories: Sequence[Memory]
    total: int
    near: Mapping[str, float] = field(default_factory=dict)
    more: bool = False


def _found(actor: Actor, where: Filters) -> Found:
    memories = session.layer().memories
    sources = (where.source,) if where.source else ()
    kinds = (where.kind.value,) if where.kind else ()
    if where.meaning:
        return _near(actor, where, sources, kinds)
    if where.then is not None:
        rows, total = memories.as_of(
            actor,
            where.then,
            text=where.text,
            kinds=kinds,
            source_kinds=sources,
            impact=where.harm,
            limit=PAGE,
            offset=_offset(),
        )
    else:
        rows, total = memories.list(
            actor,
            text=where.text,
            statuses=(where.status,),
            kinds=kinds,
            source_kinds=sources,
            impact=where.harm,
            limit=PAGE,
            offset=_offset(),
        )
    return Found(memories=rows, total=total)


def _near(actor: Actor, where: Filters, sources: tuple[SourceKind, ...], kinds: tuple[str, ...]) -> Found:
    wanted = MemoryFilter(statuses=(where.status,), kinds=kinds, source_kinds=sources, impact=where.harm)
    ranked, more = session.layer().history.by_meaning(actor, where.text or "", wanted, then=where.then)
    page = ranked[_offset() : _offset() + PAGE]
    return Found(
        memories=[one.memory for one in page],
        total=len(ranked),
        near={one.memory.memory_id: one.cosine for one in page},
        more=more,
    )


def _space(actor: Actor) -> None:
    """Which of one's own memories is shown, where agents keep one apart."""
    spaces = session.layer().memories.spaces(actor)
    if len(spaces) == 1 and actor.space == CONSOLE:
        return
    st.selectbox(
        "Memory",
        spaces if actor.space in spaces else [*spaces, actor.space],
        format_func=lambda one: "The one I chat with" if one == CONSOLE else f"Of the agent {one}",
        key=session.SPACE,  # not in the address: who is looked at is settled before this is drawn
        width=300,
    )


def _filters(counts: dict[MemoryStatus, int]) -> Filters:
    with st.container(horizontal=True, gap="small", key="memory-filters"):
        text = st.text_input(
            "Search", placeholder="What a memory says", key="find", bind="query-params", icon=":material/search:"
        )
        how = st.segmented_control(
            "Search by",
            (BY_WORDS, BY_MEANING),
            default=BY_WORDS,
            required=True,
            key="find-by",
            help="By words: these very letters. By meaning: what says something alike, in other words too.",
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
        sort = st.selectbox(
            "Kind",
            KINDS,
            index=None,
            format_func=lambda one: MemoryKind(one).value.capitalize(),
            placeholder="Any kind",
            key="kind",
            bind="query-params",
            width=150,
        )
        harm = st.selectbox(
            "Could do harm",
            HARMS,
            index=None,
            format_func=lambda one: "Any of them" if one == "any" else safe.plain(terms.tier(one)),
            placeholder="All",
            key="harm",
            bind="query-params",
            width=170,
        )
    with st.container(
        horizontal=True,
        vertical_alignment="bottom",
        horizontal_alignment="distribute",
        gap="small",
        key="memory-states",
    ):
        tabs = st.container(width="content")
        day = st.date_input(
            "As of", value=None, max_value=widgets.now().date(), key="as-of", format="YYYY-MM-DD", width=180
        )

    def name(status: MemoryStatus) -> str:
        return safe.label(f"{TABS[status]} {counts.get(status, 0):,}")

    then = datetime.combine(day, time.max, tzinfo=UTC) if isinstance(day, date) else None
    status = None
    if then is None:
        status = tabs.segmented_control(
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
        text=(text or "").strip() or None,
        by_meaning=how == BY_MEANING,
        kind=MemoryKind(sort) if sort else None,
        harm=str(harm) if harm else None,
        source=SourceKind(kind) if kind else None,
        status=MemoryStatus(status or MemoryStatus.ACTIVE),
        then=then,
    )


def _nothing(total: int, where: Filters) -> None:
    if where.meaning and where.status is MemoryStatus.DELETED and where.then is None:
        widgets.empty("Forgotten memories are not searched by meaning", "Search for words instead.")
    elif where.meaning:
        widgets.empty("Nothing is near in meaning", "Say it in other words, search for words, or take a filter away.")
    elif where.text or where.source or where.kind or where.harm:
        widgets.empty("Nothing fits", "Try other words, search by meaning, or take a filter away.")
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


def _card(memory: Memory, near: float | None) -> Html:
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
            sureness.small(confidence_of(memory, now, layer.policy)),
            cls="cm-grow",
        ),
        tag(
            "div",
            widgets.bar("Trust", trust, limit=layer.policy.trust.threshold),
            widgets.bar("Strength", strength, limit=layer.policy.decay.archive_below),
            *([widgets.bar("Nearness", max(0.0, near))] if near is not None else []),
            cls="cm-meters",
        ),
        cls="cm-wide",
    )


widgets.page(
    draw,
    why=drawer.why,
    correct=correcting.correct,
    take_in=owndata.take_in,
    bring_in=importing.bring_in,
    forget_some=choosing.forget_some,
    forget_all=owndata.forget_all,
    purge=owndata.purge,
)
