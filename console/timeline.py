"""One memory over time, as the drawer shows it: its versions, the answers it was used in, how it fades."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import streamlit as st

from console import safe, session, sureness, ways, widgets, words
from console.safe import Html, tag
from core.confidence import confidence_of
from core.curve import fades_at
from core.decay import strength
from core.history import Version
from core.model import Actor, Confidence, Memory, MemoryStatus
from core.policy import DecayRules

STEPS = 40  # bars of the small picture of fading
FAR_DAYS = 3650.0  # fading beyond this is not told
FEW = 5  # uses named at first
DAY = 86_400.0


def versions(actor: Actor, memory_id: str) -> None:
    """The line of statements that this one belongs to, first stated first; nothing if it stands alone."""
    found = session.layer().history.versions(actor, memory_id)
    if len(found) < 2:  # noqa: PLR2004 - one version is no line
        return
    widgets.section("Versions", f"{len(found)}, the first stated on top")
    safe.draw(tag("ol", *(_version(one, number, memory_id) for number, one in enumerate(found, 1)), cls="cm-versions"))


def _version(one: Version, number: int, memory_id: str) -> Html:
    memory = one.memory
    chips = [widgets.chip("Current", "good") if memory.status is MemoryStatus.ACTIVE else _ended(one)]
    if memory.memory_id == memory_id:
        chips.append(widgets.chip("This one", "info"))
    source = words.source(memory.source_kind)
    until = f" until {_day(memory.expired_at)}" if memory.expired_at else ""
    return tag(
        "li",
        tag("div", f"{number}. {memory.text}", cls="cm-version-text", dir="auto"),
        tag("div", f"{source} · from {_day(memory.created_at)}{until}", cls="cm-muted", dir="auto"),
        tag("div", sureness.line(_sure(memory)), cls="cm-muted cm-sure-line"),
        tag("div", *chips, cls="cm-chips"),
        cls="" if memory.status is MemoryStatus.ACTIVE else "cm-past",
    )


def _sure(memory: Memory) -> Confidence:
    """How sure it is, or was when it stopped being current."""
    return confidence_of(memory, memory.expired_at or widgets.now(), session.layer().policy)


def _ended(one: Version) -> Html:
    if one.corrected:
        return widgets.chip("Corrected by you", "plain")
    if one.memory.status is MemoryStatus.SUPERSEDED and not one.by:
        return widgets.chip("Taken back", "plain")
    return widgets.status_chip(one.memory.status)


def _day(at: datetime) -> str:
    return at.strftime("%-d %B %Y, %H:%M")


def uses(actor: Actor, memory: Memory) -> None:
    """The answers that were built on it, each with a way to its chat."""
    found, total = session.layer().history.uses(actor, memory.memory_id)
    if not found:
        return
    chats = {one.conversation_id: one.title for one in session.layer().chats.page(actor, limit=500)[0]}
    with st.expander(safe.label(f"Used in {words.plural(total, 'chat')}"), icon=":material/history:"):
        for number, one in enumerate(found[:FEW]):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                title = chats.get(one.conversation_id)
                safe.draw(
                    tag(
                        "div",
                        tag("span", words.moment(one.at), cls="cm-muted"),
                        tag("span", f" {title}" if title else "", dir="auto"),
                    )
                )
                if title:
                    ways.link("Open", "chat", key=f"use-{memory.memory_id}-{number}", c=one.conversation_id)
        if total > FEW:
            widgets.muted(f"and {total - FEW:,} more before that. A chat counts once.")


def fading(memory: Memory) -> None:
    """How strong it will be, as a small picture with the same said in words, and a way to its curve."""
    rules, now = session.layer().policy.decay, widgets.now()
    if memory.status is not MemoryStatus.ACTIVE:
        return
    days = days_left(memory, now, rules)
    if days is not None and days > 0:
        safe.draw(_picture(memory, now, max(days * 1.25, 1.0), rules))
    widgets.muted(sentence(memory, now, rules))
    if ways.there_is("decay"):
        ways.link("Open its curve", "decay", key=f"curve-{memory.memory_id}", memory=memory.memory_id)


def days_left(memory: Memory, now: datetime, rules: DecayRules) -> float | None:
    """Days until its strength falls below the line where it is put away; 0 if it has, None if it does not (soon)."""
    at = fades_at(memory, rules)
    days = None if at is None else max(0.0, (at - now) / timedelta(days=1))
    return None if days is None or days > FAR_DAYS else days


def sentence(memory: Memory, now: datetime, rules: DecayRules) -> str:
    """The same in words."""
    if memory.pinned:
        return "It is pinned: it does not fade."
    days = days_left(memory, now, rules)
    if days is None:
        held = strength(replace(memory, stated_at=now - timedelta(days=FAR_DAYS)), now, rules)
        lasting = held >= strength(replace(memory, stated_at=now), now, rules)
        return "It does not fade." if lasting else "It fades too slowly to be put away within ten years."
    if days <= 0:
        return "It has faded: the next time a question touches it, it is put away."
    at = now + timedelta(days=days)
    return (
        f"If it is not stated or used again, it is put away in {words.span_of(days * DAY)}, on {at:%-d %B %Y}: "
        f"its strength is then below {rules.archive_below:.2f}."
    )


def _picture(memory: Memory, now: datetime, days: float, rules: DecayRules) -> Html:
    bars = []
    for step in range(STEPS):
        value = strength(memory, now + timedelta(days=days * step / (STEPS - 1)), rules)
        low = value < rules.archive_below
        bars.append(tag("span", cls="cm-low" if low else "", style=f"height:{max(4.0, value * 100):.0f}%"))
    limit = tag("span", cls="cm-spark-limit", style=f"bottom:{rules.archive_below * 100:.0f}%")
    ends = tag("div", tag("span", "today"), tag("span", f"in {words.span_of(days * DAY)}"), cls="cm-spark-ends")
    return Html(tag("div", *bars, limit, cls="cm-spark", aria_hidden="true") + ends)
