"""All memories on the page "Decay & trust": how long they last, how far they are trusted, what happens each day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import streamlit as st

from console import charts, figures, findings, palette, safe, session, widgets, words
from core.errors import ChronoMemoryError
from core.insight import BINS, Overview, Whose
from core.model import Actor, MemoryStatus, Role, SourceKind, sha256_text

PERIODS = (30, 90, 365)  # days of the daily counts
SCOPES = tuple(Whose)
WHOSE = {Whose.OWN: "Mine", Whose.TENANT: "Everybody's"}
DIGITS = 12  # of the digest that names what is drawn
TAB = "decay-tab"  # key of the row of tabs; its value is one of these
LASTING, TRUST, STRENGTH, FLOW, SOURCES = "How long they last", "Trust", "Strength", "Each day", "Sources"
CHARTS = (LASTING, TRUST, STRENGTH, FLOW, SOURCES)


def draw(actor: Actor) -> None:
    """The charts of many memories."""
    whose, days = _asked(actor)
    with st.spinner("Counting"):
        overview = session.layer().insight.overview(actor, whose=whose, days=days)
    if not overview.kept and not overview.sources:
        widgets.empty(
            "Nothing to count yet",
            "Tell the chat something, or attach a page: how long memories last and where they come from is shown here.",
        )
        return
    _figures(overview)
    with st.container(key="decay-charts"):
        _charts(overview)


@st.fragment
def _charts(overview: Overview) -> None:
    """One chart at a time, since a browser takes up to half a second for each; the next one counts nothing anew."""
    actor = session.current_actor()
    look = palette.look(st.context.theme.type)
    policy = session.layer().policy
    threshold, limit = policy.trust.threshold, policy.decay.archive_below
    every: dict[str, tuple[bool, Callable[[], None]]] = {
        LASTING: (bool(overview.kept), lambda: _survival(overview, look)),
        TRUST: (bool(overview.trust), lambda: _trust(overview, threshold, look)),
        STRENGTH: (
            bool(overview.total(MemoryStatus.ACTIVE)),
            lambda: _strength(actor, overview, threshold, limit, look),
        ),
        FLOW: (True, lambda: _flow(overview, look)),
        SOURCES: (bool(overview.sources), lambda: _sources(overview)),
    }
    for name, tab in zip(CHARTS, st.tabs(CHARTS, key=TAB, on_change="rerun"), strict=True):
        if tab.open:
            there, draw = every[name]
            with tab:
                if there:
                    draw()
                else:
                    widgets.muted("There is nothing to show here yet.")


def _asked(actor: Actor) -> tuple[Whose, int]:
    def period(days: int) -> str:
        return safe.label(words.plural(days, "day"))

    def name(whose: Whose) -> str:
        return safe.label(WHOSE[whose])

    whose: Whose | None = Whose.OWN
    with st.container(horizontal=True, gap="medium", key="decay-asked"):
        if actor.role in (Role.REVIEWER, Role.ADMIN):
            whose = st.segmented_control(
                "Whose memories", SCOPES, default=Whose.OWN, required=True, format_func=name, key="decay-whose"
            )
        days = st.segmented_control(
            "Days counted", PERIODS, default=90, required=True, format_func=period, key="decay-days"
        )
    return Whose(whose or Whose.OWN), int(days or 90)


def _figures(overview: Overview) -> None:
    limit = session.layer().policy.decay.archive_below
    who = f"{words.plural(overview.people, 'person', 'people')}" if overview.whose is Whose.TENANT else "yours"
    widgets.strip(
        [
            ("Current", f"{overview.total(MemoryStatus.ACTIVE):,}", who),
            ("Fading", f"{overview.weak:,}", f"of them, weaker than {limit:.2f}"),
            ("Replaced", f"{overview.total(MemoryStatus.SUPERSEDED):,}", "kept as history"),
            ("Put away", f"{overview.total(MemoryStatus.ARCHIVED):,}", "faded, restorable"),
            ("Forgotten", f"{overview.total(MemoryStatus.DELETED):,}", "restorable for a while"),
            ("Held", f"{overview.held:,}", "wait for review"),
        ]
    )


def _survival(overview: Overview, look: palette.Look) -> None:
    rows = [(one, step) for one in overview.survival for step in one.steps]
    charts.chart(
        "how-long-memories-last",
        findings.of_survival(overview.survival),
        "Share that is still current by age, by kind of source. One that is still current counts up to its own age "
        "(Kaplan and Meier). Those removed for good are not counted.",
        figures.survival(overview, look),
        {
            "Source": [words.source(one.source_kind) for one, _ in rows],
            "Age (days)": [step.at for _, step in rows],
            "Watched": [step.at_risk for _, step in rows],
            "Ended": [step.ended for _, step in rows],
            "Still current (%)": [round(100 * step.share, 1) for _, step in rows],
            "95 % from (%)": [round(100 * step.low, 1) for _, step in rows],
            "95 % to (%)": [round(100 * step.high, 1) for _, step in rows],
        },
    )


def _trust(overview: Overview, threshold: float, look: palette.Look) -> None:
    rows = sorted(overview.trust, key=lambda one: (list(figures.STATES).index(one.status), one.low, one.vouched))
    charts.chart(
        "trust-by-state",
        findings.of_trust(overview, threshold),
        f"Memories by the trust of their origin, a row a state, each row to its own scale. The dashed line is the "
        f"threshold, {threshold:.2f}. Hatched: a named person vouches for them.",
        figures.trust(overview, threshold, look),
        {
            "State": [figures.STATES[one.status][0] for one in rows],
            "Trust from": [one.low for one in rows],
            "Trust to": [round(one.low + 1 / BINS, 2) for one in rows],
            "Vouched for": ["yes" if one.vouched else "no" for one in rows],
            "Memories": [one.count for one in rows],
        },
    )


def _strength(actor: Actor, overview: Overview, threshold: float, limit: float, look: palette.Look) -> None:
    finding = findings.of_strength(overview, limit)
    if overview.whose is not Whose.OWN:
        charts.chart(
            "trust-and-strength",
            finding,
            "Everybody's current memories: the larger the dot, the more there are.",
            figures.cells(overview, threshold, limit, look),
            {
                "Trust from": [one.trust for one in overview.cells],
                "Strength from": [one.strength for one in overview.cells],
                "Memories": [one.count for one in overview.cells],
            },
        )
        return
    try:
        scatter = session.layer().insight.scatter(actor)
    except ChronoMemoryError as problem:  # by itself: turning to this chart does not draw the page
        widgets.error(problem)
        return
    sample = findings.of_sample(scatter)
    charts.heading(
        finding,
        f"Each dot is a current memory; click one to see why it is remembered. {sample} Dots stand a little beside "
        "their trust so that none hides another.",
    )
    figure, ids = figures.dots(scatter, threshold, limit, look)
    drawn = sha256_text(" ".join([look.page, str(threshold), str(limit), *chain.from_iterable(ids)]))
    chosen = charts.picked(figure, f"trust-and-strength-{drawn[:DIGITS]}", finding)
    if chosen is not None:
        trace, point = chosen
        if 0 <= trace < len(ids) and 0 <= point < len(ids[trace]):
            widgets.open_dialog("why", ids[trace][point])
            st.rerun()  # the page opens it
    charts.table(
        "trust-and-strength",
        {
            "Source": [words.source(one.source_kind) for one in scatter.dots],
            "Trust (0 to 1)": [round(one.trust, 4) for one in scatter.dots],
            "Strength (0 to 1)": [round(one.strength, 4) for one in scatter.dots],
            "Memory": [one.memory_id for one in scatter.dots],
        },
    )


def _flow(overview: Overview, look: palette.Look) -> None:
    days = overview.days
    charts.chart(
        "what-happens-each-day",
        findings.of_flow(days),
        "Counts a day. Held counts on the day a statement came in; replaced and put away count those that still are. "
        "Each row to its own scale.",
        figures.flow(days, look),
        {"Day (UTC)": [one.day for one in days]}
        | {said: [getattr(one, name) for one in days] for name, said, _ in figures.FLOWS},
    )


def _sources(overview: Overview) -> None:
    if not overview.sources:
        return
    charts.heading(
        findings.of_sources(overview.sources),
        "Contradicted: met a memory that says otherwise. Replaced: of what it made, by a later statement.",
    )
    rows = [
        {
            "Source": words.source(one.counts.source_kind),
            "Proposed": one.counts.proposed,
            "Admitted at once": findings.share(one.counts.admitted, one.counts.proposed),
            "Held now": findings.share(one.counts.held, one.counts.proposed),
            "Promoted": findings.share(one.counts.promoted, one.counts.proposed),
            "Contradicted": findings.share(one.counts.contradicted, one.counts.proposed),
            "Replaced": findings.share(one.replaced, one.remembered),
        }
        for one in overview.sources
    ]
    safe.table([{name: str(value) for name, value in row.items()} for row in rows], wraps="Source")
    charts.download("sources", {name: [row[name] for row in rows] for name in rows[0]})
    if overview.places:
        charts.table("single-sources", _places(overview), "Single pages, documents, tools and people")


def _places(overview: Overview) -> dict[str, Sequence[object]]:
    places = overview.places
    return {
        "Kind": [words.source(SourceKind(one.source_kind)) for one in places],
        "Source": [one.source_ref for one in places],
        "Proposed": [one.proposed for one in places],
        "Held now": [one.held for one in places],
        "Promoted (%)": [round(100 * one.promoted / one.proposed) for one in places],
        "Contradicted (%)": [round(100 * one.contradicted / one.proposed) for one in places],
    }
