"""The drawer that answers "Why is this remembered?", and the dialog that forgets. Chat and Memories open them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from console import safe, session, widgets, words
from console.safe import Html, tag
from core.errors import ChronoMemoryError
from core.lifecycle import Why
from core.model import Decision, Memory, MemoryStatus, Root

REASONS = ("It is wrong", "It is out of date", "It is private", "Other")
SHOWN_DIGITS = 12  # of a digest: enough to compare by eye


@st.dialog("Why this is remembered", width=620, position="right", on_dismiss=widgets.close_dialog)
def why(memory_id: str) -> None:
    """Everything behind one memory of the signed-in person."""
    try:
        actor = session.current_actor(touch=False)
        found = session.layer().memories.why(actor, memory_id)
        names = session.layer().audit_desk.names(actor)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    memory = found.memory
    safe.draw(tag("div", widgets.status_chip(memory.status), widgets.chip(memory.kind.value.capitalize())))
    safe.claim(memory.text)
    _strength(found)
    _origin(found)
    if found.excerpt:
        widgets.section("In its own words", "the marked words state it")
        safe.quote(found.excerpt, found.excerpt_span)
    _decisions(found.decisions, names)
    if found.audit:
        with st.expander("Audit entries", icon=":material/receipt_long:"):
            safe.table(
                [
                    {
                        "No.": one.seq,
                        "When": words.moment(one.at),
                        "What": words.action(one.action),
                        "Who": name_of(one.actor, names),
                    }
                    for one in found.audit
                ]
            )
    _acts(memory)


def name_of(who: str, names: Mapping[str, str]) -> str:
    """A user id as a user name; other actors ("policy", "worker") as they are."""
    return names.get(who, who)


def _strength(found: Why) -> None:
    memory = found.memory
    threshold = session.layer().policy.trust.threshold
    widgets.section("How strong it is")
    safe.draw(
        widgets.bar("Importance", memory.importance),
        widgets.bar("Freshness", found.freshness),
        widgets.bar("Strength", found.strength, limit=session.layer().policy.decay.archive_below),
        tag(
            "p",
            f"Strength {found.strength:.2f} = importance {memory.importance:.2f} × freshness {found.freshness:.2f}. "
            f"In an answer it is also multiplied by how well it fits the question. "
            f"Stated {words.age(memory.stated_at, widgets.now())}, used {words.plural(memory.access_count, 'time')}.",
            cls="cm-muted",
        ),
    )
    widgets.section("How far it is trusted")
    safe.draw(
        widgets.bar("At its origin", memory.effective_trust, limit=threshold),
        widgets.bar("Now", found.composite_trust, limit=threshold),
    )


def chain(roots: Sequence[Root]) -> Html:
    """The provenance chain, hop by hop, the text itself first."""
    hops = [
        tag(
            "li",
            tag("span", words.source(root.source_kind).capitalize(), cls="cm-strong"),
            tag("span", f" · trust {root.trust:.2f}", cls="cm-muted"),
            *([tag("div", root.source_ref, cls="cm-muted")] if root.source_ref else []),
        )
        for root in roots
    ]
    return tag("ol", *hops, cls="cm-chain")


def _origin(found: Why) -> None:
    memory = found.memory
    widgets.section("Where it comes from")
    rows: list[tuple[str, str | Html]] = [
        ("Source", widgets.source_line(memory.source_kind, memory.source_ref, memory.source_title)),
        ("Stated", words.moment(memory.stated_at)),
    ]
    if memory.vouched_by:
        when = f", {words.age(memory.vouched_at, widgets.now())}" if memory.vouched_at else ""
        rows.append(("Vouched for by", f"{memory.vouched_by}{when}"))
    if memory.superseded_by:
        rows.append(("Replaced by", memory.superseded_by))
    safe.draw(widgets.facts(rows), chain(memory.roots))


def _decisions(decisions: Sequence[Decision], names: Mapping[str, str]) -> None:
    widgets.section("Who decided", words.plural(len(decisions), "decision"))
    for decision in decisions:
        by = "the policy" if decision.by == "policy" else name_of(decision.by, names)
        rows: list[tuple[str, str | Html]] = [
            ("Ruling", f"{widgets.verdict(decision.verdict)} by {by}"),
            ("When", words.moment(decision.at)),
            ("Policy", decision.policy_digest[:SHOWN_DIGITS]),
        ]
        if decision.note:
            rows.append(("Reason given", decision.note))
        safe.draw(widgets.facts(rows), widgets.steps(decision.steps))


def _acts(memory: Memory) -> None:
    if memory.status is MemoryStatus.DELETED:
        if st.button("Restore this memory", icon=":material/undo:", key=f"drawer-restore-{memory.memory_id}"):
            restore(memory.memory_id)
        return
    if memory.status is MemoryStatus.SUPERSEDED:
        return
    with st.expander("Forget this memory", icon=":material/delete:"):
        _forget_form(memory.memory_id, "drawer")


def restore(memory_id: str) -> None:
    """Bring a forgotten memory back and draw the page anew."""
    actor = session.current_actor()
    if widgets.done(lambda: session.layer().memories.restore(actor, memory_id)):
        widgets.close_dialog()
        widgets.flash("Restored: it is recalled again.")
        st.rerun()


@st.dialog("Forget this memory", on_dismiss=widgets.close_dialog)
def forget(memory_id: str, text: str) -> None:
    """Ask why, then forget."""
    safe.text(text)
    _forget_form(memory_id, "dialog")


def _forget_form(memory_id: str, where: str) -> None:
    widgets.muted("It is taken out of every answer at once. You can restore it on the Memories page.")
    reason = st.selectbox("Why", REASONS, key=f"{where}-why-{memory_id}")
    more = st.text_input("More, if you like", key=f"{where}-more-{memory_id}", max_chars=300)
    if st.button("Forget", type="primary", key=f"{where}-forget-{memory_id}"):
        actor = session.current_actor()
        said = f"{reason}: {more}" if more else str(reason)
        if widgets.done(lambda: session.layer().memories.forget(actor, memory_id, said)):
            widgets.close_dialog()
            widgets.flash("Forgotten: it is in no answer from now on.")
            st.rerun()
