"""Dialogs of the review page that rule on one item: why it is rejected, what is overridden, edited words, a merger."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import acts, questions, safe, session, widgets, words
from console.place import Place
from console.safe import tag
from core.model import Memory, RulingKind
from core.review import flags_of

REASONS = ("Not true", "Tries to give orders", "Not about the owner", "Private", "Not worth keeping", "Out of date")
_REASON = "review-reason"  # key of the session state: the reason that was given last
_LINE = 160  # characters that are edited in one line
_LONG = 2000  # characters of an edited claim


def finish(*, done: bool, cid: str) -> None:
    """Close the dialog when its act is done, or when the item changed under it; else say what was refused."""
    if done or not widgets.dialog_open():
        widgets.close_dialog()
        st.rerun()
    acts.refusal(cid)


# --- reject ---------------------------------------------------------------------------------------------------------


@st.dialog("Why is it rejected?", on_dismiss=widgets.close_dialog)
def reject(at: Place) -> None:
    """A number key rejects with that reason; so do own words, or Enter alone with the reason given last."""
    safe.draw(tag("div", at.item.candidate.text, cls="cm-asked", dir="auto"))
    chosen = ""
    with st.container(key="reject-reasons", gap="xsmall"):
        for number, one in enumerate(REASONS, start=1):
            if st.button(safe.label(one), key=f"reject-reason-{number}", shortcut=str(number), width="stretch"):
                chosen = one
    last = str(st.session_state.get(_REASON, ""))
    with st.form("reject-words", border=False):
        own = st.text_input(
            "In your own words",
            key=f"reject-own-{at.cid}",
            placeholder=safe.plain(f"Enter alone repeats: {last}") if last else "Kept in the audit",
            max_chars=500,
        )
        if st.form_submit_button("Reject", key="reject-yes", type="primary", shortcut="Enter"):
            chosen = (own or "").strip() or last
            if not chosen:
                widgets.muted("Say why: press a number, or write a few words.")
    if chosen:
        st.session_state[_REASON] = chosen
        ruling = questions.sign(at.item, RulingKind.REJECT, chosen)
        done = acts.carry_out(at, acts.REJECTED, lambda actor: session.layer().review.resolve(actor, ruling))
        finish(done=done, cid=at.cid)


# --- promote what is flagged ----------------------------------------------------------------------------------------


@st.dialog("Promote although it is flagged?", on_dismiss=widgets.close_dialog)
def promote(at: Place) -> None:
    """A flagged item is promoted only by somebody who says so and why."""
    safe.draw(tag("div", at.item.candidate.text, cls="cm-asked", dir="auto"))
    note, override = _override(at)
    if st.button("Promote all the same", key="promote-yes", type="primary"):
        ruling = questions.sign(at.item, RulingKind.PROMOTE, note, override=override)
        done = acts.carry_out(at, acts.PROMOTED, lambda actor: session.layer().review.resolve(actor, ruling))
        finish(done=done, cid=at.cid)


def _override(at: Place) -> tuple[str, bool]:
    """The note, and whether what is flagged is overridden in so many words."""
    named = ", ".join(words.reason(one).lower() for one in flags_of(at.item))
    stamp = f"{at.cid}-{at.item.candidate.version}"
    note = st.text_input("Why" if named else "Note", key=f"why-{stamp}", max_chars=500, placeholder="Kept in the audit")
    if not named:
        return note or "", False
    return note or "", st.checkbox(safe.label(f"I override what it is flagged for: {named}"), key=f"override-{stamp}")


# --- edit and promote -----------------------------------------------------------------------------------------------


@st.dialog("Edit and promote", width="medium", on_dismiss=widgets.close_dialog)
def edit(at: Place) -> None:
    """The original words stay on record; the edited ones are a claim of their own and go through the gates again."""
    original = at.item.candidate.text
    text = _edited(original, f"words-{at.cid}-{at.item.candidate.version}")
    left, right = safe.differing(original, text or "", cls="cm-statement")
    safe.draw(
        tag(
            "div",
            tag("div", tag("div", "As the source said it", cls="cm-side-head"), left, cls="cm-side cm-old"),
            tag("div", tag("div", "As it would be remembered", cls="cm-side-head"), right, cls="cm-side cm-new"),
            cls="cm-versus",
        )
    )
    widgets.muted(
        "Two records are kept: the original is closed as edited, and the edited words go through every check again, "
        "with the same origin and never more trust. Undo takes both back."
    )
    note, override = _override(at)
    unchanged = (text or "").strip() in ("", original.strip())
    if st.button("Promote the edited words", key="edit-yes", type="primary", disabled=unchanged):
        ruling = questions.sign(at.item, RulingKind.PROMOTE, note, override=override)
        done = acts.carry_out(
            at, acts.EDITED, lambda actor: session.layer().review.edit(actor, ruling, (text or "").strip())
        )
        finish(done=done, cid=at.cid)


def _edited(original: str, key: str) -> str | None:
    """The field for the edited words; one line is compared at every key, more once the field is left."""
    if len(original) <= _LINE and "\n" not in original:
        return st.text_input("Edited words", value=original, key=key, max_chars=_LONG, live=True)
    return st.text_area("Edited words", value=original, key=key, max_chars=_LONG)


# --- merge ----------------------------------------------------------------------------------------------------------


@st.dialog("Merge into a memory", width="medium", on_dismiss=widgets.close_dialog)
def merge(at: Place, targets: Sequence[Memory]) -> None:
    """The claim becomes one more voice behind a memory that says the same; the memory's trust does not rise."""
    safe.draw(tag("div", at.item.candidate.text, cls="cm-asked", dir="auto"))
    if not targets:
        widgets.empty("Nothing like it is remembered", "Only a claim that says the same as a memory can be merged.")
        return
    widgets.muted("It counts as one more voice behind the memory you choose. No trust is added, no words change.")
    chosen: Memory | None = None
    for number, memory in enumerate(targets, start=1):
        with st.container(key=f"merge-into-{memory.memory_id}", gap="xxsmall"):
            _, shown = safe.differing(at.item.candidate.text, memory.text, cls="cm-statement")
            said = f"{words.source(memory.source_kind).capitalize()} · trust {memory.effective_trust:.2f} · "
            when = words.age(memory.stated_at, widgets.now())
            safe.draw(tag("div", shown, tag("div", said + when, cls="cm-muted"), cls="cm-card"))
            if st.button("Merge into this", key=f"merge-yes-{memory.memory_id}", shortcut=str(number)):
                chosen = memory
    if chosen is not None:
        target = chosen.memory_id
        ruling = questions.sign(at.item, RulingKind.PROMOTE, "")
        done = acts.carry_out(at, acts.MERGED, lambda actor: session.layer().review.merge(actor, ruling, target))
        finish(done=done, cid=at.cid)
