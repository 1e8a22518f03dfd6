"""Questions that a person settles: two statements that disagree, and "remember this?". Review and Chat draw them.

What is asked of the owner (rules §1.7, §1.11) is answered by the owner, whatever their role; core refuses the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from console import safe, session, versus, widgets, words
from console.safe import Html, tag
from core.errors import ChronoMemoryError, NotAuthorised
from core.model import Actor, CandidateState, HeldItem, Memory, MemoryKind, Role, Ruling, RulingKind
from core.review import OWNERS, TAKING, Outcome, QueueSummary, asked_of_owner, flags_of

_SUMMARY = "review-summary"  # key of the session state
_DRAWING_SECONDS = 2.0  # how long a drawing may take from the badge to the page
FEW = 3  # questions answered in the chat itself; more are for the review page


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One answer: what it is called and what will change."""

    kind: RulingKind
    name: str
    effect: str
    done: str


# --- what is asked ------------------------------------------------------------------------------------------------


def asked(item: HeldItem) -> bool:
    """Whether this item is a question to a person instead of a claim to be checked."""
    return item.state is CandidateState.HELD and bool(OWNERS.intersection(item.decision.reasons))


def answerable(actor: Actor, item: HeldItem, rivals: Sequence[Memory]) -> bool:
    """Whether core would take this actor's answer; a courtesy, core asks again."""
    if item.candidate.scope.owner == actor.user_id:
        return actor.role is not Role.MEMBER or asked_of_owner(item)
    if actor.role is Role.MEMBER or "ask_owner" in item.decision.reasons:
        return False
    level = session.layer().policy.trust.vouch_level
    return all(one.effective_trust <= level for one in rivals)


def answers_to(item: HeldItem, rivals: int) -> list[Answer]:
    """The answers that fit: four for two statements that disagree, else yes or no."""
    kept = "Turned down: it does not come back."
    if item.candidate.proposal.retracts:
        return [
            Answer(
                kind=RulingKind.TAKE_NEW,
                name="Yes, close it",
                effect="What is remembered is closed and becomes history.",
                done="Closed: it is history now.",
            ),
            Answer(
                kind=RulingKind.KEEP_OLD, name="No, keep it", effect="What is remembered stays as it is.", done=kept
            ),
        ]
    if not rivals:
        return [
            Answer(
                kind=RulingKind.TAKE_NEW,
                name="Yes, remember",
                effect="It is remembered, with your name to it, and used in answers from now on.",
                done="Remembered.",
            ),
            Answer(
                kind=RulingKind.KEEP_OLD,
                name="No",
                effect="It is not remembered. The words stay in the chat and nowhere else.",
                done="Not remembered.",
            ),
        ]
    old = "What is remembered" if rivals == 1 else f"All {rivals} that are remembered"
    becomes, stays, is_, it = (
        ("becomes", "stays", "is", "it is") if rivals == 1 else ("become", "stay", "are", "they are")
    )
    return [
        Answer(
            kind=RulingKind.KEEP_OLD,
            name="Keep the old",
            effect=f"{old} {stays} as {it}. The new statement is turned down and does not come back.",
            done="The old one stays.",
        ),
        Answer(
            kind=RulingKind.TAKE_NEW,
            name="Take the new",
            effect=f"The new statement is remembered, with your name to it. {old} {becomes} history.",
            done="The new one is remembered; the old one is history.",
        ),
        Answer(
            kind=RulingKind.BOTH,
            name="Both are true",
            effect="Both are remembered side by side. Nothing is replaced.",
            done="Both are remembered.",
        ),
        Answer(
            kind=RulingKind.NEITHER,
            name="Neither",
            effect=f"{old} {is_} closed and the new statement is turned down. Nothing on this stands.",
            done="Neither is remembered.",
        ),
    ]


def facts(items: Sequence[HeldItem]) -> list[HeldItem]:
    """The questions among these, without the echo of a turn's own words that its facts are asked about already."""
    found = [one for one in items if asked(one)]
    told = {one.candidate.episode_id for one in found if one.candidate.proposal.kind is not MemoryKind.EVENT}
    return [
        one
        for one in found
        if one.candidate.proposal.kind is not MemoryKind.EVENT or one.candidate.episode_id not in told
    ]


def waiting(actor: Actor) -> list[HeldItem]:
    """What waits for this person's own answer."""
    return facts(session.layer().review.questions(actor))


def summary(actor: Actor) -> QueueSummary:
    """The counts of the queue, read once for the badge and the page of one drawing.

    Raises:
        NotAuthorised: held items are for reviewers here.
    """
    kept: tuple[str, float, QueueSummary] | None = st.session_state.pop(_SUMMARY, None)
    if kept is not None and kept[0] == actor.user_id and time.monotonic() - kept[1] < _DRAWING_SECONDS:
        return kept[2]
    found = session.layer().review.summary(actor)
    st.session_state[_SUMMARY] = (actor.user_id, time.monotonic(), found)
    return found


def count(actor: Actor) -> int:
    """What waits on the review page for this person; 0 when the ledger cannot tell (the page itself says so)."""
    try:
        try:
            st.session_state.pop(_SUMMARY, None)
            return summary(actor).held
        except NotAuthorised:  # held items are for reviewers here; the questions to oneself are not
            return len(waiting(actor))
    except ChronoMemoryError:
        return 0


def settle(actor: Actor, ruling: Ruling) -> Outcome:
    """Carry out an answer; the echo of the turn's words goes the same way once nothing else of the turn is open.

    It is taken in only if this answer takes its fact in and no fact of the turn was turned down before.
    """
    review = session.layer().review
    item = next((one for one in review.questions(actor) if one.candidate.candidate_id == ruling.candidate_id), None)
    outcome = review.settle(actor, ruling)
    if item is None or not outcome.ok:
        return outcome
    rest = [one for one in review.questions(actor) if one.candidate.episode_id == item.candidate.episode_id]
    if all(one.candidate.proposal.kind is MemoryKind.EVENT for one in rest):
        kind = RulingKind.TAKE_NEW if ruling.kind in TAKING and not _turned_down(actor, item) else RulingKind.KEEP_OLD
        for echo in rest:
            try:
                review.settle(actor, sign(echo, kind, ruling.note, override=ruling.override))
            except ChronoMemoryError:  # it stays a question of its own
                continue
    return outcome


def _turned_down(actor: Actor, item: HeldItem) -> bool:
    """Whether the person turned a fact of the same turn down."""
    learned = session.layer().memories.learned(actor, item.candidate.episode_id) or ()
    return any(one.state is CandidateState.REJECTED and one.decision.by == actor.user_id for one in learned)


# --- the answers --------------------------------------------------------------------------------------------------


def answers(item: HeldItem, rivals: int, settled: Callable[[Ruling, Answer], None]) -> None:
    """Draw the answers, each with what will change; `settled` is called with the one that is pressed."""
    candidate = item.candidate
    stamp = f"{candidate.candidate_id}-{candidate.version}"
    flagged = [one for one in flags_of(item) if one != "ask_owner"]
    choices = answers_to(item, rivals)
    with st.container(key=f"answers-{stamp}", gap="small"):
        note, override = _note(stamp, flagged)
        for at in range(0, len(choices), 2):
            for column, one in zip(st.columns(2, gap="small"), choices[at : at + 2], strict=False):
                with column, st.container(key=f"answer-{one.kind.value}-{stamp}", gap="xxsmall"):
                    st.button(
                        safe.label(one.name),
                        key=f"say-{one.kind.value}-{stamp}",
                        width="stretch",
                        shortcut=None if widgets.dialog_open() else str(choices.index(one) + 1),
                        on_click=settled,
                        args=(sign(item, one.kind, note, override=override), one),
                    )
                    widgets.muted(one.effect)


def _note(stamp: str, flagged: Sequence[str]) -> tuple[str, bool]:
    if not flagged:
        return "", False
    names = ", ".join(words.reason(one).lower() for one in flagged)
    override = st.checkbox(safe.label(f"Take it in although it is flagged: {names}"), key=f"override-{stamp}")
    note = st.text_input(
        "Why", placeholder="Why it is taken in all the same; kept in the audit", key=f"note-{stamp}", max_chars=500
    )
    return note or "", override


def sign(item: HeldItem, kind: RulingKind, note: str, *, override: bool = False) -> Ruling:
    """A ruling on exactly what is shown."""
    candidate = item.candidate
    return Ruling(
        candidate_id=candidate.candidate_id,
        kind=kind,
        seen_version=candidate.version,
        digest=candidate.digest,
        note=note,
        override=override,
    )


# --- in the chat --------------------------------------------------------------------------------------------------


def notices(items: Sequence[HeldItem]) -> None:
    """Under a turn: what it left open for its owner, answered in place."""
    for item in items[:FEW]:
        _notice(item)
    if len(items) > FEW:
        widgets.muted(f"{words.plural(len(items) - FEW, 'more question')} from this turn on the Review page.")


def _notice(item: HeldItem) -> None:
    candidate = item.candidate
    sides = versus.sides_of(item, None, {})
    lead = versus.heading(item, sides)[1]
    rows = [
        tag("div", "This needs your answer" if sides else "This needs your yes", cls="cm-strong"),
        *(_said("Remembered now", one.text) for one in sides[:1]),
        _said("Says otherwise" if sides else "", candidate.text),
        *([] if sides else [tag("div", lead, cls="cm-muted")]),
    ]
    choices = answers_to(item, len(sides))
    flagged = any(one != "ask_owner" for one in flags_of(item))
    with st.container(border=True, key=f"ask-{candidate.candidate_id}", gap="small"):
        safe.draw(tag("div", *rows, cls="cm-ask"))
        refusal = st.container()
        with st.container(horizontal=True, gap="xsmall"):
            for one in choices:
                if flagged and one.kind in TAKING:
                    continue
                if st.button(safe.label(one.name), key=f"say-{one.kind.value}-{candidate.candidate_id}"):
                    with refusal:
                        _answer(item, one)
        if flagged:
            widgets.muted("It is flagged: to take it in all the same, answer on the Review page.")


def _said(head: str, text: str) -> Html:
    return tag(
        "div",
        *([tag("span", head, cls="cm-ask-head")] if head else []),
        tag("span", text, dir="auto"),
        cls="cm-ask-row",
    )


def _answer(item: HeldItem, answer: Answer) -> None:
    actor = session.current_actor()
    if widgets.done(lambda: settle(actor, sign(item, answer.kind, ""))):
        widgets.flash(answer.done)
        st.rerun()
