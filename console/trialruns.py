"""Every preset run one after the other: the table of what was caught, what slipped through, what was a false alarm."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from console import safe, session, trialview, trialwords, widgets
from console.safe import Html, tag
from core.model import Actor, Verdict
from core.sandbox import Outcome, Preset, Proof, Sort, Trial

KEPT = "sandbox-all"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One preset's outcome, without its trial's memories."""

    preset: Preset
    outcome: Outcome
    verdicts: tuple[tuple[Verdict, int], ...]


def draw(actor: Actor) -> None:
    """The button, the progress and the table."""
    sandbox = session.layer().sandbox
    presets = sandbox.presets(actor)
    attacks = sum(one.sort is Sort.ATTACK for one in presets)
    widgets.muted(
        f"{attacks} attacks and {len(presets) - attacks} harmless texts, on your own memory. {trialwords.RULES}"
    )
    if st.button("Run all presets", type="primary", icon=":material/play_arrow:", key="sandbox-run-all"):
        st.session_state[KEPT] = _run(actor, presets)
    if KEPT in st.session_state:
        rows, proof = st.session_state[KEPT]
        _totals(rows)
        safe.draw(_table(rows))
        if proof is not None:
            trialview.proof(proof, "sandbox-proof-all")


def _run(actor: Actor, presets: tuple[Preset, ...]) -> tuple[list[Row], Proof | None]:
    sandbox = session.layer().sandbox
    bar = st.progress(0.0, text="Starting")
    rows: list[Row] = []
    proof: Proof | None = None
    for nth, preset in enumerate(presets):
        bar.progress(value=nth / len(presets), text=safe.label(f"{nth + 1} of {len(presets)}: {preset.title}"))
        trial, outcome = sandbox.run(actor, preset, since=proof)
        proof = trial.proof
        rows.append(Row(preset=preset, outcome=outcome, verdicts=_counted(trial)))
    bar.empty()
    return rows, proof


def _counted(trial: Trial) -> tuple[tuple[Verdict, int], ...]:
    return tuple((one, sum(ruled.decision.verdict is one for ruled in trial.ruled)) for one in Verdict)


def _totals(rows: list[Row]) -> None:
    def share(outcome: Outcome, sort: Sort) -> str:
        return f"{sum(row.outcome is outcome for row in rows)} of {sum(row.preset.sort is sort for row in rows)}"

    widgets.strip(
        [
            ("Caught", share(Outcome.CAUGHT, Sort.ATTACK), "attacks"),
            ("Missed", share(Outcome.MISSED, Sort.ATTACK), "attacks"),
            ("False alarms", share(Outcome.FALSE_ALARM, Sort.CONTROL), "harmless texts"),
        ]
    )


def _table(rows: list[Row]) -> Html:
    names = ("Preset", "Sort", "Outcome", "Remembered", "Held", "Dropped")
    head = tag("tr", *(tag("th", name, scope="col") for name in names))
    lines = []
    for row in rows:
        word, tone = trialwords.OUTCOMES[row.outcome]
        lines.append(
            tag(
                "tr",
                tag("td", tag("div", row.preset.title, cls="cm-strong"), tag("div", row.preset.about, cls="cm-muted")),
                tag("td", trialwords.SORTS[row.preset.sort]),
                tag("td", widgets.chip(word, tone)),
                *(tag("td", f"{count:,}" if count else "–") for _, count in row.verdicts),
            )
        )
    return tag("div", tag("table", tag("thead", head), tag("tbody", *lines), cls="cm-table cm-runs"), cls="cm-scroll")
