"""What a person does with all their memories: export, import, forget everything, remove for good. Memories opens it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from console import safe, session, widgets, words
from console.safe import tag
from core.errors import BadInput
from core.lifecycle import EXPORT_FORMAT
from core.model import CandidateState, HeldItem, MemoryStatus, SourceKind

MENU = "own-data"  # key of the menu
TAKEN = "import-taken"  # key of the session state: what was taken in, as (text, episode id)
FORGET_WORDS = "forget everything"
PREVIEW_PIXELS, MANY = 260, 1000
_LOOK_SECONDS = 1.0


def menu(counts: Mapping[MemoryStatus, int]) -> None:
    """The acts on everything, behind one button."""
    gone = counts.get(MemoryStatus.DELETED, 0) + counts.get(MemoryStatus.SUPERSEDED, 0)
    active = counts.get(MemoryStatus.ACTIVE, 0)
    with st.popover("Your data", icon=":material/database:", key=MENU, on_change="rerun"):
        st.download_button(
            "Export as JSON",
            _export,
            file_name="memories.json",
            mime="application/json",
            icon=":material/download:",
            key="own-export",
            on_click="ignore",
            width="stretch",
        )
        st.button(
            "Import an earlier export",
            icon=":material/upload:",
            key="own-import",
            width="stretch",
            on_click=widgets.open_over,
            args=(MENU, "take_in"),
        )
        st.button(
            "Bring in notes, mail or chats",
            icon=":material/move_to_inbox:",
            key="own-bring",
            width="stretch",
            on_click=widgets.open_over,
            args=(MENU, "bring_in"),
        )
        st.button(
            "Remove for good",
            icon=":material/delete_forever:",
            key="own-purge",
            width="stretch",
            disabled=not gone,
            on_click=widgets.open_over,
            args=(MENU, "purge", gone),
        )
        st.button(
            "Forget everything",
            icon=":material/delete_sweep:",
            key="own-forget",
            width="stretch",
            disabled=not active,
            on_click=widgets.open_over,
            args=(MENU, "forget_all", active),
        )


def _export() -> bytes:
    actor = session.current_actor()
    return json.dumps(session.layer().memories.export(actor), ensure_ascii=False, indent=2).encode()


# --- import -------------------------------------------------------------------------------------------------------


def rows_of(data: bytes) -> list[Mapping[str, Any]]:
    """The rows of an export.

    Raises:
        BadInput: it is no such file; the message says what is wrong.
    """
    try:
        whole = json.loads(data)
    except ValueError as problem:
        msg = "this file is not JSON: choose a file that was exported on this page"
        raise BadInput(msg) from problem
    rows = whole.get("memories") if isinstance(whole, dict) else None
    if not isinstance(rows, list) or whole.get("format") != EXPORT_FORMAT:
        msg = f"this file is not in the format {EXPORT_FORMAT}: choose a file that was exported on this page"
        raise BadInput(msg)
    if not all(isinstance(one, dict) for one in rows):
        msg = "a row of this file is not an object with a text"
        raise BadInput(msg)
    if len(rows) > MANY:
        msg = f"this file has {len(rows):,} rows; the limit is {MANY:,}. Split it."
        raise BadInput(msg)
    return rows


def _counts_as(row: Mapping[str, Any]) -> SourceKind:
    return SourceKind.WEB_CONTENT if row.get("source_kind") == SourceKind.WEB_CONTENT else SourceKind.EXTERNAL_DOC


@st.dialog("Import memories", width="medium", on_dismiss=widgets.close_dialog)
def take_in() -> None:
    """Show what a file holds and what it would count as; take it in when asked."""
    widgets.muted(
        "Each row is taken as what a document says, whatever trust it names for itself, and goes through the gate. "
        "Choosing a file writes nothing."
    )
    file = st.file_uploader("A file exported on this page", type=["json"], key="import-file")
    if file is None:
        return
    rows = widgets.attempt(lambda: rows_of(file.getvalue()))
    if rows is None:
        return
    if not rows:
        widgets.muted("The file holds no memories.")
        return
    policy = session.layer().policy
    safe.table([_preview(row) for row in rows], height=PREVIEW_PIXELS, wraps="Text")
    low = sum(policy.preview_trust(_counts_as(row)) < policy.trust.threshold for row in rows)
    if low:
        widgets.muted(f"{words.plural(low, 'row')} will wait for review: a document is not trusted enough by itself.")
    if st.button(safe.label(f"Take in {words.plural(len(rows), 'row')}"), type="primary", key="import-yes"):
        actor = session.current_actor()
        taken = widgets.attempt(lambda: session.layer().memories.import_rows(actor, rows, source=file.name))
        if taken is not None:
            st.session_state[TAKEN] = [
                (str(row["text"]), one.episode_id) for row, one in zip(rows, taken, strict=False)
            ]
            widgets.close_dialog()
            st.rerun()


def _preview(row: Mapping[str, Any]) -> dict[str, object]:
    kind = _counts_as(row)
    text = row.get("text")
    return {
        "Text": text if isinstance(text, str) and text.strip() else "(no text: the file will be refused)",
        "Counts as": words.source(kind).capitalize(),
        "Trust": f"{session.layer().policy.preview_trust(kind):.2f}",
    }


def taken() -> None:
    """What became of each row of the last import, until it is closed; it looks again while rows are being read."""
    if not st.session_state.get(TAKEN):
        return
    if _waiting(_results()):
        st.fragment(_watch, run_every=_LOOK_SECONDS)()
        return
    found = _results()
    safe.banner("The import is read", f"{words.plural(len(found), 'row')}: the list says what became of each.")
    _list(found)
    if st.button("Close", key="import-close"):
        st.session_state.pop(TAKEN)
        st.rerun()


def _results() -> list[tuple[str, Sequence[HeldItem] | None]]:
    actor, memories = session.current_actor(touch=False), session.layer().memories
    return [(text, memories.learned(actor, one)) for text, one in st.session_state[TAKEN]]


def _waiting(found: Sequence[tuple[str, Sequence[HeldItem] | None]]) -> int:
    return sum(items is None for _, items in found)


def _watch() -> None:
    found = _results()
    waiting = _waiting(found)
    if not waiting:
        st.rerun()
    safe.banner("The import is being read", f"{words.plural(waiting, 'row')} to go.")
    _list(found)


def _list(found: Sequence[tuple[str, Sequence[HeldItem] | None]]) -> None:
    with st.expander("Result of each row", icon=":material/list:", expanded=True):
        safe.table([{"Text": text, "Result": _result(items)} for text, items in found], height=PREVIEW_PIXELS)


def _result(items: Sequence[HeldItem] | None) -> str:
    if items is None:
        return "Being read"
    if not items:
        return "States nothing that can be remembered"
    said = dict.fromkeys(
        f"{words.STATES[one.state]}: {words.reason(one.decision.reasons[0]).lower()}"
        if one.state is not CandidateState.ADMITTED
        else words.STATES[one.state]
        for one in items
    )
    return "; ".join(said)


# --- forgetting ---------------------------------------------------------------------------------------------------


@st.dialog("Forget everything?", on_dismiss=widgets.close_dialog)
def forget_all(active: int) -> None:
    """Ask for the words and the reason, then forget every active memory."""
    widgets.muted(
        f"{words.plural(active, 'memory', 'memories')} will be out of every answer at once. "
        "They stay under Forgotten, where each can be restored until it is removed for good."
    )
    reason = st.text_input("Why", key="forget-all-why", max_chars=300, placeholder="Kept with each of them")
    said = st.text_input("Type: forget everything", key="forget-all-words")
    if st.button("Forget everything", type="primary", key="forget-all-yes"):
        if (said or "").strip().lower() != FORGET_WORDS:
            safe.banner("Nothing was forgotten", f"Type the words “{FORGET_WORDS}” to go on.", tone="warn")
            return
        actor = session.current_actor()
        count = widgets.attempt(lambda: session.layer().memories.forget_all(actor, reason or ""))
        if count is not None:
            widgets.close_dialog()
            widgets.flash(f"{words.plural(count, 'memory', 'memories')} forgotten.")
            st.rerun()


@st.dialog("Remove for good?", on_dismiss=widgets.close_dialog)
def purge(gone: int) -> None:
    """Remove what is forgotten or replaced; at once only when asked."""
    days = session.layer().policy.lifecycle.purge_after_days
    widgets.muted(
        f"{words.plural(gone, 'memory', 'memories')} are forgotten or replaced. Their words leave both stores; "
        f"nothing brings them back. Without a tick, only those go that have been so for {days:.0f} days."
    )
    at_once = st.checkbox("All of them, at once", key="purge-now")
    if st.button("Remove for good", type="primary", key="purge-yes"):
        actor = session.current_actor()
        count = widgets.attempt(lambda: session.layer().memories.purge(actor, at_once=at_once))
        if count is not None:
            widgets.close_dialog()
            widgets.flash(
                f"{words.plural(count, 'memory', 'memories')} removed for good."
                if count
                else "Nothing has waited that long."
            )
            st.rerun()


def as_of_banner(day: str) -> None:
    """Say that the list is of an earlier day, and what that leaves out."""
    safe.draw(
        tag(
            "p",
            f"As it stood at the end of {day}. What was forgotten since is left out.",
            cls="cm-aside",
        )
    )
