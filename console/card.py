"""The focus card of the review page: one held claim or question, what speaks for it, and the ruling on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from console import (
    acts,
    ahead,
    atwork,
    claim,
    evidence,
    narrow,
    questions,
    safe,
    session,
    verbs,
    versus,
    widgets,
    words,
)
from console.place import Place
from console.safe import tag
from core.errors import ChronoMemoryError
from core.model import Actor, CandidateState, HeldItem, Memory, Role, Ruling
from core.review import TAKING, WouldChange

RULERS = (Role.REVIEWER, Role.ADMIN)
SIBLINGS = 3  # other claims of the same source that the card names


def draw(actor: Actor, at: Place, names: Mapping[str, str]) -> None:
    """The whole card: evidence before score, what it would change, and the verbs at its foot."""
    item, review = at.item, session.layer().review
    held = item.state is CandidateState.HELD
    claim.notice(item, names, _problem(at))
    _top(at, held=held)
    if held:
        atwork.at_work(actor, at, names)
    asked = questions.asked(item)
    rivals: Sequence[Memory] = review.contradicted(actor, at.cid) if asked else ()
    with st.container(key="review-card", gap="small"):
        against = _statement(actor, at, rivals, names, asked=asked)
        with st.container(key="review-evidence"):
            with st.container(gap="small"):
                _why(item, held=held)
                changes = st.container(gap="small")
                if held:
                    _together(actor, at)
            with st.container(gap="small"):
                evidence.provenance(item, names, review.origins(actor, at.cid), review.repeats(actor, at.cid))
    # what it would change is judged anew by meaning, which takes longest: the claim is on the screen before that
    would = ahead.would_change(actor, at) if held else WouldChange()
    if held and not asked:
        rivals = _rivals(actor, at, would)
        with against:
            _differs(item, rivals, names)
    if held and not (asked and rivals):
        with changes:
            evidence.changes(would, rivals)
    rules = held and actor.role in RULERS and not (asked and questions.answerable(actor, item, rivals))
    with st.container(key="review-verdict" if rules else "review-moves", gap="xsmall"):
        if rules:
            verbs.bar(actor, at, would, promotes=not (asked and rivals))
        else:
            acts.refusal(at.cid)
            if held and not asked:
                widgets.muted("A reviewer decides on this. You see it because it was said in one of your chats.")
            with st.container(horizontal=True, gap="small"):
                verbs.moves(at)
    acts.saw(item)
    ahead.prepare(actor, at)


def _rivals(actor: Actor, at: Place, would: WouldChange) -> Sequence[Memory]:
    """What the item contradicts; nothing else is asked for when what it would change tells it already."""
    if would.asks_owner or would.stays_history or at.item.candidate.proposal.retracts:
        return session.layer().review.contradicted(actor, at.cid)
    return would.supersedes


def _problem(at: Place) -> ChronoMemoryError | None:
    """What stood against the last act on this item, said once."""
    kept = st.session_state.pop(acts.NOTICE, None)
    return kept[1] if kept is not None and kept[0] == at.cid else None


def _top(at: Place, *, held: bool) -> None:
    chips = [widgets.reason_chips(at.item.decision.reasons) if held else widgets.status_chip(at.item.state)]
    if held and at.look.declined_before:
        chips.append(widgets.chip("Declined before", "bad"))
    where = [f"{at.offset + at.index + 1:,} of {at.total:,}"] if at.index is not None else []
    if held and at.look.expires_at is not None:
        where.append(f"expires {words.age(at.look.expires_at, widgets.now())}")
    line = tag("span", *chips, cls="cm-chips")
    safe.draw(tag("div", line, tag("span", " · ".join(where), cls="cm-muted"), cls="cm-cardline"))


def _statement(
    actor: Actor, at: Place, rivals: Sequence[Memory], names: Mapping[str, str], *, asked: bool
) -> DeltaGenerator:
    """The exact words and what the source says around them; the place for what they contradict."""
    if asked:
        versus.head(at.item, rivals, names)
        _question(actor, at, rivals, names)
    else:
        safe.claim(at.item.candidate.text)
    against = st.container(gap="small")
    digest = at.item.candidate.digest[: claim.SHOWN_DIGITS]
    widgets.muted(f"A {'yes' if asked else 'promotion'} signs exactly these words: sha256 {digest}…")
    evidence.source(at.item)
    return against


def _differs(item: HeldItem, rivals: Sequence[Memory], names: Mapping[str, str]) -> None:
    """The live facts that the claim contradicts, the words marked in which they differ."""
    sides = versus.sides_of(item, rivals, names) if rivals else []
    if sides:
        widgets.muted("Against what is remembered; the words in which they differ are marked.")
        safe.draw(versus.pair(item, sides, names))


def _why(item: HeldItem, *, held: bool) -> None:
    widgets.section("Why it is held" if held else "Why it was held")
    safe.draw(tag("p", words.why(item.decision), cls="cm-lead-in"))
    evidence.warnings(item)
    safe.draw(widgets.steps(item.decision.steps))


# --- what is decided together ---------------------------------------------------------------------------------------


def _together(actor: Actor, at: Place) -> None:
    """Near-duplicates and other claims of the same source, with the way to decide on all of them."""
    item = at.item
    cluster, origin = item.decision.evidence.cluster, item.candidate.provenance
    others, total = session.layer().review.pending(
        actor,
        cluster=cluster or None,
        source_ref=None if cluster else origin.source_ref,
        source_kind=None if cluster else origin.source_kind,
        owner=item.candidate.scope.owner,
        limit=SIBLINGS + 1,
    )
    alike = at.look.alike_count
    if alike < 2 and total < 2:  # noqa: PLR2004 - itself and nothing else
        return
    widgets.section("Held together with it")
    rest = [one for one in others if one.candidate.candidate_id != at.cid][:SIBLINGS]
    if rest:
        rows = [tag("li", one.candidate.text, dir="auto") for one in rest]
        safe.draw(tag("ul", *rows, cls="cm-siblings"))
    with st.container(horizontal=True, gap="small"):
        if alike > 1:
            st.button(
                safe.label(f"{alike:,} say the same: decide for all {alike:,}"),
                key="review-alike",
                icon=":material/stacks:",
                on_click=_all,
                args=(item, narrow.ALIKE),
            )
        if total > 1:
            st.button(
                safe.label(f"All {total:,} from this source"),
                key="review-siblings",
                type="tertiary",
                on_click=_all,
                args=(item, narrow.SOURCE),
            )


def _all(item: HeldItem, by: str) -> None:
    """Open the group that an item belongs to."""
    narrow.show(narrow.BULK)
    narrow.regroup(by)
    st.query_params["of"] = item.candidate.candidate_id


# --- a question -----------------------------------------------------------------------------------------------------


def question(actor: Actor, item: HeldItem, names: Mapping[str, str]) -> None:
    """A question on its own, without a queue around it."""
    rivals = session.layer().review.contradicted(actor, item.candidate.candidate_id)
    claim.notice(item, names, _problem(Place(item=item)))
    versus.head(item, rivals, names)
    evidence.source(item)
    _question(actor, Place(item=item), rivals, names)
    acts.refusal(item.candidate.candidate_id)


def _question(actor: Actor, at: Place, rivals: Sequence[Memory], names: Mapping[str, str]) -> None:
    item = at.item
    if not questions.answerable(actor, item, rivals):
        owner = names.get(item.candidate.scope.owner, item.candidate.scope.owner)
        widgets.muted(f"The owner's own words are at stake: {owner} is asked, and only {owner} can settle it.")
        return
    questions.answers(item, len(rivals), lambda ruling, answer: _answered(at, ruling, answer))


def _answered(at: Place, ruling: Ruling, answer: questions.Answer) -> None:
    if not acts.bounced(at.item):
        verb = acts.PROMOTED if ruling.kind in TAKING else acts.REJECTED
        acts.carry_out(at, verb, lambda actor: questions.settle(actor, ruling), said=answer.done)
