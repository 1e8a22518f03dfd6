"""One open question to its owner: the values that compete, who said each and when, and the answers, one click each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from console import safe, session, widgets, words
from console.safe import Html, tag
from core.errors import Unavailable
from core.evidence import NOT_NOW, Asked, Option, Said
from core.ports import BOTH, NONE, QuestionKind

FEW = 4  # sources of one value named in full

HEADS: Mapping[QuestionKind, tuple[str, str]] = {
    QuestionKind.CONFLICT: (
        "Which is true?",
        "What was said does not fit what is remembered, and the evidence cannot decide between them.",
    ),
    QuestionKind.COMPETING: (
        "Which is true now?",
        "More than one value is remembered for the same thing, and the evidence cannot decide between them.",
    ),
    QuestionKind.FADED: (
        "Is this still true?",
        "It was used in an answer lately, but not much speaks for it any more.",
    ),
    QuestionKind.SAME_KEY: (
        "Are these the same?",
        "Two names look like one. If they are, their values are compared with each other from now on.",
    ),
}
DONE = {
    BOTH: "Both are kept, with your name to them.",
    NONE: "Noted: none of these.",
    NOT_NOW: "Put off. It comes back.",
}


def card(asked: Asked, *, where: str) -> None:
    """Draw one question with its answers; an answer draws the page anew.

    Args:
        asked: the question as its desk gives it.
        where: names the place in the keys of buttons: the same question may be drawn in several.
    """
    stamp = f"{where}-{asked.question_id}-{asked.question.version}"
    with st.container(border=True, key=f"question-{stamp}", gap="small"):
        head, lead = HEADS[asked.question.kind]
        topic = _topic(asked)
        safe.draw(
            tag("div", head, *([tag("span", topic, cls="cm-note", dir="auto")] if topic else []), cls="cm-strong"),
            tag("p", lead, cls="cm-muted"),
        )
        refusal = st.container()
        if asked.question.kind is QuestionKind.SAME_KEY:
            _keys(asked, stamp, refusal)
            return
        columns = st.columns(min(3, max(2, len(asked.options))), gap="small")
        for at, option in enumerate(asked.options):
            with columns[at % len(columns)], st.container(key=f"choice-{at}-{stamp}", gap="xsmall"):
                _option(asked, option, f"{at}-{stamp}", refusal)
        with st.container(horizontal=True, gap="xsmall"):
            faded = asked.question.kind is QuestionKind.FADED
            if faded:
                _button(asked, asked.options[0].name, "Still true", stamp, refusal)
            if asked.both and not any(one.flagged and not one.current for one in asked.options):
                name = "Both are true" if len(asked.options) == 2 else "All are true"  # noqa: PLR2004 - a pair
                _button(asked, BOTH, name, stamp, refusal)
            _button(asked, NONE, "No longer true" if faded else _none(asked), stamp, refusal)
            _button(asked, NOT_NOW, "Not now", stamp, refusal)


def _topic(asked: Asked) -> str:
    name = asked.attribute.replace("_", " ")
    own = asked.subject in ("", "user")
    return name if own else f"{asked.subject}: {name}" if name else asked.subject


def _none(asked: Asked) -> str:
    return "Neither" if len(asked.options) == 2 else "None of these"  # noqa: PLR2004 - a pair


def _option(asked: Asked, option: Option, stamp: str, refusal: st.delta_generator.DeltaGenerator) -> None:
    """One value: its words, its sources, and the click that chooses it."""
    head = "Remembered now" if option.current else "Says otherwise"
    rest = len(option.said) - FEW
    safe.draw(
        tag(
            "div",
            tag("div", head, cls="cm-side-head"),
            safe.words(option.said[0].text, cls="cm-statement"),
            tag("ul", *(_said(one) for one in option.said[:FEW]), cls="cm-sources"),
            *([tag("div", f"and {words.plural(rest, 'more source')}", cls="cm-muted")] if rest > 0 else []),
            cls=f"cm-side {'cm-old' if option.current else 'cm-new'}",
        )
    )
    if option.flagged and not option.current:
        widgets.muted("It could do harm if it were false: to take it in, answer on the Review page.")
        return
    if asked.question.kind is not QuestionKind.FADED:  # its answers stand in one row
        _button(asked, option.name, "This is true", stamp, refusal)


def _said(one: Said) -> Html:
    origins = f", {words.plural(one.origins, 'independent source')}" if one.origins > 1 else ""
    source = widgets.source_line(one.source_kind, one.source_ref, one.title)
    when = f"{words.age(one.at, widgets.now())} ({words.moment(one.at)})"
    return tag("li", tag("span", source), tag("span", f"{when}, trust {one.trust:.2f}{origins}", cls="cm-muted"))


def _keys(asked: Asked, stamp: str, refusal: st.delta_generator.DeltaGenerator) -> None:
    rows = [
        (
            option.value.replace("_", " "),
            "; ".join(dict.fromkeys(one.text for one in option.said)) or "nothing current",
        )
        for option in asked.options
    ]
    safe.draw(widgets.facts(rows))
    with st.container(horizontal=True, gap="xsmall"):
        _button(asked, asked.options[0].name, "Yes, the same", stamp, refusal)
        _button(asked, NONE, "No, they differ", stamp, refusal)
        _button(asked, NOT_NOW, "Not now", stamp, refusal)


def _button(asked: Asked, choice: str, name: str, stamp: str, refusal: st.delta_generator.DeltaGenerator) -> None:
    if st.button(safe.label(name), key=f"answer-{choice if choice in DONE else 'this'}-{stamp}"):
        with refusal:
            _answer(asked, choice)


def _answer(asked: Asked, choice: str) -> None:
    actor = session.current_actor()
    desk = session.layer().questions
    version = asked.question.version
    if widgets.done(lambda: desk.answer(actor, asked.question_id, choice, seen_version=version)):
        widgets.flash(_done(asked, choice))
        st.rerun()


def _done(asked: Asked, choice: str) -> str:
    if asked.question.kind is QuestionKind.SAME_KEY and choice not in DONE:
        return "They are one from now on."
    return DONE.get(choice, "Noted: you stand behind it now.")


def under_an_answer(memory_ids: Sequence[str]) -> None:
    """The open questions about what an answer was built on, under the answer itself."""
    if not memory_ids:
        return
    actor = session.current_actor(touch=False)
    try:
        found = session.layer().questions.touching(actor, memory_ids)
    except Unavailable:  # the conversation is readable without the store; the question waits on its own page too
        return
    for one in found[:1]:
        card(one, where="chat")


__all__ = ["card", "under_an_answer"]
