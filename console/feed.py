"""The auditor's feed: open questions answered in place, and what was decided lately. Looks again by itself."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import asking, safe, session, widgets, words
from console.safe import Html, tag
from core.errors import ChronoMemoryError
from core.evidence import Decided
from core.layer import MemoryLayer
from core.model import Actor
from core.ports import BOTH, NONE, QuestionKind, QuestionState

LOOK_SECONDS = 3.0  # between looks at what the auditor asks
ANSWERS = {BOTH: "All of them are true", NONE: "None of them"}
NAMES = {
    QuestionKind.CONFLICT: "Statements that disagree",
    QuestionKind.COMPETING: "Two current values",
    QuestionKind.FADED: "Still true?",
    QuestionKind.SAME_KEY: "The same name?",
}


def questions_section(_layer: MemoryLayer, _actor: Actor) -> None:
    """The feed, live: a question appears and goes without a reload."""
    st.fragment(_feed, run_every=LOOK_SECONDS)()


def _feed() -> None:
    try:
        actor = session.current_actor(touch=False)
        desk = session.layer().questions
        waiting, off, decided = desk.waiting(actor), desk.put_off(actor), desk.decided(actor)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    note = f"{off} put off" if off else ""
    widgets.section(words.plural(len(waiting), "open question") if waiting else "Open questions", note)
    if not waiting:
        widgets.empty(
            "Nothing is asked of you",
            "The auditor looks at every statement that arrives. Where the evidence cannot decide what is true, the "
            "question appears here, and one click answers it.",
        )
    for one in waiting:
        asking.card(one, where="feed")
    _decided(decided)


def _decided(rows: Sequence[Decided]) -> None:
    if not rows:
        return
    widgets.section("Decided lately", "by you, or by the evidence itself")
    for one in rows:
        question = one.question
        key = f"decided-{question.question_id}"
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
            safe.draw(_line(one))
            undo = f"undo-{question.question_id}-{question.version}"
            if one.undoable and st.button("Take back", key=undo, type="tertiary"):
                _take_back(question.question_id)


def _take_back(question_id: str) -> None:
    actor, desk = session.current_actor(), session.layer().questions
    if widgets.done(lambda: desk.take_back(actor, question_id)):
        widgets.flash("Taken back: the question is open again.")
        st.rerun()


def _line(one: Decided) -> Html:
    question = one.question
    mine = question.state is QuestionState.ANSWERED
    same = question.kind is QuestionKind.SAME_KEY
    if not mine:
        told = "Settled without you"
    elif same:
        told = "Different" if question.answer == NONE else "The same"
    else:
        told = ANSWERS.get(question.answer) or one.chosen or "Answered; the statement is gone"
    own = one.subject in ("", "user")
    topic = " ".join(part for part in ("" if own else one.subject, one.attribute.replace("_", " ")) if part)
    return tag(
        "div",
        widgets.chip("Your answer" if mine else "Evidence", "good" if mine else "info"),
        tag("span", NAMES[question.kind], *([f" ({topic})"] if topic else []), ": ", cls="cm-muted"),
        tag("span", told, dir="auto"),
        tag("span", words.age(question.updated_at, widgets.now()), cls="cm-note"),
        cls="cm-decided",
    )


__all__ = ["questions_section"]
