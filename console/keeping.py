"""What a person does with one memory: pin, archive, correct, forget, restore; and a reviewer's taking back.

The drawer and the chat open these. Each act authorises itself in core.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from console import correcting, safe, session, widgets, words
from core.errors import ChronoMemoryError
from core.model import Actor, HeldItem, Memory, MemoryStatus, Role

REASONS = ("It is wrong", "It is out of date", "It is private", "Other")
FEW = 5  # derived memories named in full; more are counted


def acts(actor: Actor, memory: Memory) -> None:
    """The acts that this memory's status allows."""
    if memory.status in (MemoryStatus.DELETED, MemoryStatus.ARCHIVED):
        if st.button("Restore this memory", icon=":material/undo:", key=f"drawer-restore-{memory.memory_id}"):
            _do(lambda: session.layer().memories.restore(actor, memory.memory_id), "Restored: it is recalled again.")
        if memory.status is MemoryStatus.DELETED:
            return
    if memory.status is MemoryStatus.SUPERSEDED:
        return
    if memory.status is MemoryStatus.ACTIVE:
        _pin_and_archive(actor, memory)
        with st.expander("Correct it", icon=":material/edit:"):
            correcting.form(memory.memory_id, "drawer")
    with st.expander("Forget this memory", icon=":material/delete:"):
        _forget_form(memory.memory_id, "drawer")
    if memory.vouched_by and actor.role in (Role.REVIEWER, Role.ADMIN):
        with st.expander("Take the promotion back", icon=":material/verified_user:"):
            _revoke(actor, memory)


def _do(act: Callable[[], object], message: str) -> None:
    """Carry out an act of the drawer, close it, and draw the page anew."""
    if widgets.done(act):
        widgets.close_dialog()
        widgets.flash(message)
        st.rerun()


def _pin_and_archive(actor: Actor, memory: Memory) -> None:
    memories, mid = session.layer().memories, memory.memory_id
    with st.container(horizontal=True, gap="xsmall"):
        if memory.pinned:
            if st.button("Unpin", icon=":material/keep_off:", key=f"drawer-unpin-{mid}"):
                _do(lambda: memories.unpin(actor, mid), "Unpinned: it fades like any other.")
        elif st.button("Pin", icon=":material/keep:", key=f"drawer-pin-{mid}"):
            _do(lambda: memories.pin(actor, mid), "Pinned: it is in every prompt and does not fade.")
        if st.button("Archive", icon=":material/archive:", key=f"drawer-archive-{mid}"):
            _do(lambda: memories.archive(actor, mid), "Archived: out of answers, and restorable.")
    widgets.muted("A pinned memory is in every prompt and does not fade. An archived one is out of answers.")


def _revoke(actor: Actor, memory: Memory) -> None:
    """A reviewer's taking back of a promotion, with what goes along."""
    mid = memory.memory_id
    try:
        along = session.layer().review.along(actor, mid)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    widgets.muted("It leaves memory and waits for review again. What it replaced comes back.")
    _named(along)
    why = st.text_input("Why", key=f"revoke-why-{mid}", max_chars=300, placeholder="Kept in the audit")
    if st.button("Take it back", type="primary", key=f"revoke-{mid}"):
        _do(lambda: session.layer().review.revoke(actor, mid, why or ""), "The promotion is taken back.")


def _named(along: list[HeldItem]) -> None:
    if not along:
        widgets.muted("Nothing else was derived from it.")
        return
    widgets.muted(f"{words.plural(len(along), 'memory', 'memories')} derived from it go along:")
    safe.table([{"Derived": one.candidate.text} for one in along[:FEW]])
    if len(along) > FEW:
        widgets.muted(f"and {len(along) - FEW:,} more.")


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
        _do(
            lambda: session.layer().memories.forget(actor, memory_id, said),
            "Forgotten: it is in no answer from now on.",
        )
