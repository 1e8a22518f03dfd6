"""One memory on the page "Decay & trust": found by its words, its curve, and what a recall today would change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import streamlit as st

from console import charts, figures, findings, palette, safe, session, sureness, widgets, words
from core.confidence import confidence_of
from core.curve import confirmed, fades_at, future, past, recalled
from core.decay import freshness, strength
from core.errors import NotFound
from core.insight import History
from core.model import Actor, EffectKind, Memory, MemoryStatus
from core.policy import ranking_trust

SHOWN = 50  # memories to choose from; words narrow them
MOST = 10  # further recalls that the what-if offers: the access cap is reached before
HORIZON = timedelta(days=3653)  # ten years are drawn at most
AHEAD = 1.12  # how far past the last date the axis goes
_CHOSEN, _WORDS, _ASKED = "decay-memory", "decay-find", "decay-asked"
STATUSES = (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED, MemoryStatus.SUPERSEDED)
HAPPENED = {cause: said for cause, (said, _, _) in figures.MARKS.items()} | {EffectKind.ACTIVATE: "Remembered"}


def draw(actor: Actor) -> None:
    """The picker and the chosen memory."""
    chosen = _picked(actor)
    if chosen is None:
        return
    try:
        history = session.layer().insight.history(actor, chosen)
    except NotFound:
        widgets.empty("There is no such memory", "It may have been removed for good. Choose another one above.")
        return
    _told(history)
    with st.container(key="what-if-panel"):
        times, again = _controls(history)
    _curve(history, times, again=again)


def follow(asked: str | None) -> bool:
    """Take up a memory that the address names and that is not the one shown already; whether there is one."""
    new = bool(asked) and asked != st.session_state.get(_ASKED)
    if new:
        st.session_state[_CHOSEN], st.session_state[_WORDS] = asked, ""
    st.session_state[_ASKED] = asked
    return new


def _picked(actor: Actor) -> str | None:
    """The memory that is asked for: by the address, or chosen among those that hold the words typed."""
    with st.container(horizontal=True, gap="small", key="decay-picker"):
        text = st.text_input("Search", placeholder="Words of a memory", key=_WORDS, icon=":material/search:", width=280)
        found, total = session.layer().memories.list(actor, text=text or None, statuses=STATUSES, limit=SHOWN)
        by_id: dict[str, str] = {one.memory_id: _line(one) for one in found}
        asked = st.session_state.get(_CHOSEN)
        if isinstance(asked, str) and asked not in by_id and not text:
            by_id = {asked: _asked_for(actor, asked), **by_id}
        options = list(by_id)
        if options and asked not in by_id:
            st.session_state[_CHOSEN] = options[0]

        def name(memory_id: str) -> str:
            return safe.plain(by_id.get(memory_id, ""))

        chosen = st.selectbox("Memory", options, format_func=name, key=_CHOSEN) if options else None
    if not options and text:
        widgets.muted("No memory holds these words.")
    elif not options:
        widgets.empty(
            "Nothing is remembered yet",
            "Tell the chat something about yourself. Each memory has a curve here from the moment it is kept.",
        )
    elif total > SHOWN:
        widgets.muted(f"The {SHOWN} stated last of {total:,} are offered; words narrow them.")
    if chosen is not None:
        st.query_params["memory"] = st.session_state[_ASKED] = chosen
    return chosen


def _asked_for(actor: Actor, memory_id: str) -> str:
    try:
        return _line(session.layer().insight.history(actor, memory_id).memory)
    except NotFound:
        return "Not found"


def _line(memory: Memory) -> str:
    text = " ".join(memory.text.split())
    return text if memory.status is MemoryStatus.ACTIVE else f"{text} ({words.STATUSES[memory.status].lower()})"


def _told(history: History) -> None:
    memory, rules = history.memory, session.layer().policy.decay
    safe.claim(memory.text)
    fades = history.fades_at
    ends = "never" if fades is None else "now" if fades <= history.at else f"{fades:%-d %b %Y}"
    if memory.status is not MemoryStatus.ACTIVE:
        ends = "out of use"
    used = words.plural(memory.access_count, "answer")
    fresh = freshness(memory, history.at, rules)
    widgets.strip(
        [
            ("Strength today", f"{memory.importance * fresh:.2f}", f"put away below {rules.archive_below:.2f}"),
            ("Freshness", f"{fresh:.2f}", f"stated {words.age(memory.stated_at, history.at)}"),
            ("Importance", f"{memory.importance:.2f}", memory.kind.value),
            ("Trust", f"{ranking_trust(memory, session.layer().policy):.2f}", words.source(memory.source_kind)),
            ("Used in", used, words.plural(memory.origins, "independent origin")),
            ("Can be put away", ends, "in UTC" if fades else ""),
        ]
    )
    widgets.section("How sure it is", sureness.LEAD)
    safe.draw(sureness.table(confidence_of(memory, history.at, session.layer().policy)))


def _controls(history: History) -> tuple[int, bool]:
    """Further recalls and a confirmation to try out; both are drawn only, nothing is changed."""
    status = history.memory.status
    if status not in (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED):
        return 0, False
    widgets.section("What if", "tried out here only: nothing is changed")
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        times = st.slider("Used in so many more answers now", 0, MOST, 1, key="what-if-times", width=320)
        again = st.toggle("Said again today", key="what-if-again")
    return int(times), bool(again)


def _curve(history: History, times: int, *, again: bool) -> None:
    memory, at, rules = history.memory, history.at, session.layer().policy.decay
    other = recalled(memory, times)
    if again:
        other = confirmed(other, at)
    changed = other != memory and other.status is MemoryStatus.ACTIVE
    after = fades_at(other, rules) if changed else None
    dates = [one for one in (history.fades_at, after) if one is not None and one > at]
    reach = max(dates, default=at + timedelta(days=365)) - at
    end = at + min(max(reach * AHEAD, timedelta(days=14)), HORIZON)
    lines = figures.Lines(
        today=at,
        marks=[(one.at, one.cause, strength(one.memory, one.at, rules)) for one in history.moments if one.at <= at],
        past=past(history.moments, at, rules),
        ahead=future(memory, at, end, rules) if memory.status is MemoryStatus.ACTIVE else (),
        what_if=future(other, at, end, rules) if changed else (),
    )
    note = "Solid: as it was. Dotted: if nothing more happens."
    if changed:
        note += f" Dashed: what if. {findings.of_change(history.fades_at, after)}"
    if rules.archive_on == "score":
        note += " This policy looks at the whole score, so a question that fits badly may put it away sooner."
    finding = findings.of_memory(history, rules.archive_below)
    figure = figures.curve(lines, rules.archive_below, palette.look(st.context.theme.type))
    charts.chart("memory-curve", finding, note, figure, _columns(lines, memory))


def _columns(lines: figures.Lines, memory: Memory) -> dict[str, Sequence[object]]:
    """What happened, day by day, then the days ahead."""
    rows: list[tuple[object, str, float]] = [
        (at, HAPPENED[cause], value) for at, cause, value in lines.marks if cause in HAPPENED
    ]
    rows += [
        (one.at, said, one.strength)
        for points, said in ((lines.ahead, "If nothing more happens"), (lines.what_if, "What if"))
        for one in points[:: max(1, len(points) // 12)]
        if one.strength is not None
    ]
    return {
        "When (UTC)": [at for at, _, _ in rows],
        "What": [said for _, said, _ in rows],
        "Strength after (0 to 1)": [round(value, 4) for _, _, value in rows],
        "Freshness after (0 to 1)": [
            round(value / memory.importance, 4) if memory.importance else 0.0 for _, _, value in rows
        ],
    }
