"""The focus card of the review page: one held claim or question, what speaks for it, and the ruling on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from console import claim, evidence, place, questions, safe, session, sweep, versus, widgets, words
from console.place import Place
from console.safe import tag
from core.errors import StaleReview
from core.model import Actor, CandidateState, HeldItem, Memory, Role, Ruling, RulingKind
from core.review import Outcome, flags_of

RULERS = (Role.REVIEWER, Role.ADMIN)
NOTICE, LOOKED = "review-notice", "review-looked"  # keys of the session state


def draw(actor: Actor, at: Place, names: Mapping[str, str]) -> None:
    """The whole card."""
    item = at.item
    review, candidate, held = session.layer().review, item.candidate, item.state is CandidateState.HELD
    claim.notice(item, names, st.session_state.pop(NOTICE, ""))
    _top(at, held=held)
    rivals = review.contradicted(actor, candidate.candidate_id)
    asked = questions.asked(item)
    if asked:
        versus.head(item, rivals, names)
        _question(actor, at, rivals, names)
    else:
        safe.claim(candidate.text)
    digest = candidate.digest[: claim.SHOWN_DIGITS]
    widgets.muted(f"A {'yes' if asked else 'promotion'} signs exactly these words: sha256 {digest}…")
    evidence.source(item)
    widgets.section("Why it is held" if held else "Why it was held")
    safe.draw(tag("p", words.why(item.decision), cls="cm-lead-in"))
    evidence.warnings(item)
    safe.draw(widgets.steps(item.decision.steps))
    if not asked:
        evidence.touches(rivals)
    evidence.provenance(
        item, names, review.origins(actor, candidate.candidate_id), review.repeats(actor, candidate.candidate_id)
    )
    rules = held and actor.role in RULERS and not (asked and questions.answerable(actor, item, rivals))
    with st.container(key="review-verdict" if rules else "review-moves", gap="small"):
        if rules:
            _verdict(actor, at, promotes=not (asked and rivals))
        else:
            _moves(at, own=held and not asked)


def _top(at: Place, *, held: bool) -> None:
    where = f"{at.index + 1} of {len(at.items)} from this source" if at.index is not None else ""
    chips = widgets.reason_chips(at.item.decision.reasons) if held else widgets.status_chip(at.item.state)
    safe.draw(tag("div", tag("span", chips), tag("span", where, cls="cm-muted"), cls="cm-cardline"))


def _moves(at: Place, *, own: bool) -> None:
    if own:
        widgets.muted("A reviewer decides on this. You see it because it was said in one of your chats.")
    with st.container(horizontal=True, gap="small"):
        place.buttons(at)


# --- a question ---------------------------------------------------------------------------------------------------


def question(actor: Actor, item: HeldItem, names: Mapping[str, str]) -> None:
    """A question on its own, without a queue around it."""
    rivals = session.layer().review.contradicted(actor, item.candidate.candidate_id)
    versus.head(item, rivals, names)
    evidence.source(item)
    _question(actor, Place(item=item, items=(), groups=()), rivals, names)


def _question(actor: Actor, at: Place, rivals: Sequence[Memory], names: Mapping[str, str]) -> None:
    item = at.item
    if not questions.answerable(actor, item, rivals):
        owner = names.get(item.candidate.scope.owner, item.candidate.scope.owner)
        widgets.muted(f"The owner's own words are at stake: {owner} is asked, and only {owner} can settle it.")
        return
    refusal = st.container()
    said = questions.answers(item, len(rivals))
    if said is not None:
        ruling, answer = said
        with refusal:
            _carry_out(at, lambda: questions.settle(actor, ruling), done=answer.done)


# --- a claim ------------------------------------------------------------------------------------------------------


def _verdict(actor: Actor, at: Place, *, promotes: bool) -> None:
    candidate = at.item.candidate
    stamp = f"{candidate.candidate_id}-{candidate.version}"
    left, right = st.columns([0.4, 0.6], wrap=False)
    quick = left.selectbox(
        "Reason",
        sweep.REASONS,
        index=None,
        placeholder="Reason",
        key="review-quick",
        persist_state="page",
        label_visibility="collapsed",
    )
    note = right.text_input(
        "Note", placeholder="Note, kept in the audit", key=f"note-{stamp}", max_chars=500, label_visibility="collapsed"
    )
    override = promotes and _override(at.item, stamp)
    said = ". ".join(part for part in (quick, note) if part)
    refusal = st.container()
    with st.container(horizontal=True, gap="xsmall"):
        promote = promotes and st.button(
            "Promote", key=f"promote-{stamp}", type="primary", icon=":material/check:", shortcut="P"
        )
        reject = st.button("Reject", key=f"reject-{stamp}", icon=":material/block:", shortcut="X")
        place.buttons(at)
    with refusal:
        if promote:
            _resolve(actor, at, questions.sign(at.item, RulingKind.PROMOTE, note or "", override=override))
        elif reject:
            _resolve(actor, at, questions.sign(at.item, RulingKind.REJECT, said))


def _override(item: HeldItem, stamp: str) -> bool:
    """A flagged item is promoted only by somebody who says so and why."""
    flagged = flags_of(item)
    if not flagged:
        return False
    named = ", ".join(words.reason(one).lower() for one in flagged)
    return st.checkbox(
        safe.label(f"Promote although it is flagged ({named}); my note says why"), key=f"override-{stamp}"
    )


def _resolve(actor: Actor, at: Place, ruling: Ruling) -> None:
    _carry_out(at, lambda: session.layer().review.resolve(actor, ruling))


def _carry_out(at: Place, act: Callable[[], Outcome], *, done: str = "") -> None:
    """Carry out a ruling and show what comes next; a change that came first is shown instead."""
    try:
        outcome = widgets.attempt(act, let=StaleReview)
    except StaleReview as problem:
        st.session_state[NOTICE] = str(problem)
        st.session_state.pop(LOOKED, None)
        place.go(at.item)
    if outcome is not None and outcome.ok:
        widgets.flash(done or outcome.message)
        place.go(*place.after(at))
    elif outcome is not None:
        safe.banner("Not done", outcome.message, tone="warn")
