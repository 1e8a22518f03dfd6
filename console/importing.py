"""Bringing in outside files: choose, look, take in; then how far it is and what became of each entry. For Memories."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import streamlit as st

from console import importwords, safe, session, widgets, words
from console.safe import Html, tag
from core.errors import NotFound
from core.imports import ClassCount, Preview, Upload
from core.model import Actor
from core.ports import ImportRun, ImportState, Outcome, Source

FILE, SEEN, SHOWN = "bring-upload", "bring-preview", "bring-run"  # keys of the session state
RECOGNISE = "recognise"
PAGE, TABLE_PIXELS = 50, 260
REPORT_ROWS = 1000  # read at a time for the downloaded report
_LOOK_SECONDS = 1.0
KINDS = tuple(Outcome)
_OPEN = (ImportState.WAITING, ImportState.RUNNING)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@st.dialog("Bring in notes, mail or chats", width="large", on_dismiss=widgets.close_dialog)
def bring_in() -> None:
    """Choose a file, see what it holds and what each part would count as, and take it in. Looking writes nothing."""
    imports = session.layer().imports
    formats = {one.key: one for one in imports.formats()}
    with st.container(horizontal=True, gap="small", key="bring-how"):
        chosen = st.selectbox(
            "Format",
            (RECOGNISE, *formats),
            format_func=lambda key: safe.label(formats[key].name if key in formats else "Recognise it"),
            key="bring-format",
        )
        name = st.text_input(
            "Called",
            key="bring-name",
            max_chars=120,
            placeholder="As the file",
            help="Notes and rows are known again by this name: keep it when you bring in a newer copy.",
        )
    kind = chosen if chosen in formats else None
    widgets.muted(formats[kind].takes.capitalize() if kind else importwords.ANY)
    file = st.file_uploader(
        "File",
        type=sorted({ending.removeprefix(".") for one in formats.values() for ending in one.suffixes}),
        key="bring-file",
        max_upload_size=imports.upload_megabytes,
    )
    if file is None:
        _forget()
        return
    upload = _kept(file.file_id, file.name, file)
    if upload is None:
        return
    seen = _looked(upload, kind, (name or "").strip())
    if seen is not None:
        _preview(upload, seen, kind, (name or "").strip())


def _kept(file_id: str, filename: str, stream: io.BytesIO) -> Upload | None:
    """The file as it is kept for the worker; written once, however often the dialog is drawn."""
    known = st.session_state.get(FILE)
    if known is not None and known[0] == file_id:
        kept: Upload = known[1]
        return kept
    _forget()
    actor = session.current_actor()
    stream.seek(0)
    made = widgets.attempt(lambda: session.layer().imports.keep(actor, filename, stream))
    if made is not None:
        st.session_state[FILE] = (file_id, made)
    return made


def _forget() -> None:
    """Delete the file that was looked at and not taken in."""
    known = st.session_state.pop(FILE, None)
    st.session_state.pop(SEEN, None)
    if known is not None:
        actor = session.current_actor()
        try:
            session.layer().imports.discard(actor, known[1])
        except NotFound:  # it was taken in, or swept
            return


def _looked(upload: Upload, kind: str | None, name: str) -> Preview | None:
    """The preview of a file, made once for one format and name."""
    key = (upload.upload_id, kind, name)
    known = st.session_state.get(SEEN)
    if known is not None and known[0] == key:
        seen: Preview = known[1]
        return seen
    actor, imports = session.current_actor(), session.layer().imports
    source: Source | None = widgets.attempt(lambda: imports.open_upload(actor, upload, format=kind, name=name))
    if source is None:
        return None
    bar = st.progress(0.0, text="Looking through it")

    def count(entries: int) -> None:
        bar.progress(value=min(0.95, entries / (entries + 2000)), text=safe.label(f"{entries:,} entries looked at"))

    made = widgets.attempt(lambda: imports.preview(actor, source, progress=count))
    bar.empty()
    if made is not None:
        st.session_state[SEEN] = (key, made)
    return made


def _preview(upload: Upload, seen: Preview, kind: str | None, name: str) -> None:
    safe.draw(tag("p", f"{seen.format.name}: “{seen.source}”", cls="cm-strong", dir="auto"))
    widgets.strip(
        [
            ("New", f"{seen.new:,}", "not seen before"),
            ("Changed", f"{seen.changed:,}", "say something else now"),
            ("Known", f"{seen.unchanged:,}", "nothing to do"),
            ("Broken", f"{seen.broken:,}", "left out, the rest goes on"),
        ]
    )
    if seen.by_class:
        safe.draw(_classes(seen.by_class))
    if seen.sample:
        safe.table(
            [
                {
                    "State": importwords.OUTCOMES[one.state],
                    "Title": one.title,
                    "Text": one.text,
                    "Dated": f"{one.dated_at:%Y-%m-%d}" if one.dated_at else "–",
                    "By, as it claims": one.author or "–",
                    "Trust": f"{one.trust:.2f}",
                }
                for one in seen.sample
            ],
            height=TABLE_PIXELS,
            wraps="Text",
        )
        if seen.total - seen.broken > len(seen.sample):
            widgets.muted(f"The first {len(seen.sample)} of {seen.total - seen.broken:,}.")
    if seen.problems:
        with st.expander(safe.label(f"{words.plural(seen.broken, 'broken entry', 'broken entries')}")):
            safe.table(
                [{"Where": one.place, "What to do": one.reason} for one in seen.problems],
                height=TABLE_PIXELS,
                wraps="What to do",
            )
    _take_in(upload, seen, kind, name)


def _classes(found: Mapping[str, ClassCount]) -> Html:
    """What each part counts as, with its trust against the limit, in words beside the bars."""
    limit = session.layer().policy.trust.threshold
    rows = [
        tag(
            "div",
            widgets.bar(f"{importwords.PARTS[part]}, {one.count:,}", one.trust, limit=limit),
            tag("span", f"counts as: {words.source(one.source_kind)}", cls="cm-muted"),
            widgets.chip("Held for review", "warn") if one.held else widgets.chip("Goes through the gate", "good"),
            cls="cm-source",
        )
        for part, one in found.items()
    ]
    return tag("div", *rows, cls="cm-card")


def _take_in(upload: Upload, seen: Preview, kind: str | None, name: str) -> None:
    count = seen.new + seen.changed
    if not count:
        widgets.muted("There is nothing in it that is not known already.")
        return
    if any(one.held for one in seen.by_class.values()):
        widgets.muted(importwords.HELD)
    if st.button(safe.label(f"Take in {words.plural(count, 'item')}"), type="primary", key="bring-yes"):
        actor, imports = session.current_actor(), session.layer().imports
        run = widgets.attempt(lambda: imports.begin(actor, upload, format=kind, name=name, total=seen.total))
        if run is not None:
            st.session_state[SHOWN] = run.run_id
            st.session_state.pop(FILE, None)
            st.session_state.pop(SEEN, None)
            widgets.close_dialog()
            st.rerun()


# --- after ----------------------------------------------------------------------------------------------------------


def shown() -> None:
    """The import that goes on, or the one that was begun here and is done, until it is closed."""
    actor = session.current_actor()
    run = _run(actor)
    if run is None:
        return
    if run.state in _OPEN:
        st.session_state[SHOWN] = run.run_id  # it stays here when it is done
        st.fragment(_watch, run_every=_LOOK_SECONDS)()
    else:
        with st.container(border=True, key="bring-done"):
            _ended(actor, run)


def _run(actor: Actor) -> ImportRun | None:
    latest = session.layer().imports.runs(actor, limit=5)
    named = st.session_state.get(SHOWN)
    going = (one for one in latest if one.state in _OPEN and one.upload)
    return next(going, None) or next((one for one in latest if one.run_id == named), None)


def _watch() -> None:
    actor = session.current_actor(touch=False)
    run = _run(actor)
    if run is None or run.state not in _OPEN:
        st.rerun()
    with st.container(border=True, key="bring-going"):
        share = run.done / run.total if run.total else 0.0
        said = f"{run.done:,} of {run.total:,} entries of {run.name}" if run.total else f"{run.done:,} entries"
        safe.draw(tag("p", "Bringing in a file", cls="cm-strong"))
        st.progress(value=min(1.0, share), text=safe.label(said))
        widgets.muted("It goes on if you leave this page, and after a restart. What is in is read by and by.")
        if st.button("Stop", key="bring-stop", icon=":material/stop:"):
            widgets.attempt(lambda: session.layer().imports.stop(actor, run.run_id))
            st.rerun()


def _ended(actor: Actor, run: ImportRun) -> None:
    word, tone = importwords.ENDS[run.state]
    safe.banner(word, run.problem or importwords.said(run), tone=tone)
    widgets.strip([(importwords.OUTCOMES[one], f"{run.counts.get(one, 0):,}", "") for one in Outcome])
    only = st.segmented_control(
        "Show",
        KINDS,
        format_func=_outcome,
        default=Outcome.BROKEN if run.counts.get(Outcome.BROKEN) else None,
        key="bring-only",
        help="Nothing chosen: every entry.",
    )
    wanted = Outcome(only) if only else None
    page = st.session_state.get("bring-page", 1)
    offset = (page - 1) * PAGE if isinstance(page, int) else 0
    imports = session.layer().imports
    rows, total = imports.results(actor, run.run_id, only=wanted, limit=PAGE, offset=offset)
    if not rows and total:
        st.session_state["bring-page"] = 1
        rows, total = imports.results(actor, run.run_id, only=wanted, limit=PAGE, offset=0)
    if rows:
        safe.table(
            [
                {
                    "No.": f"{one.number:,}",
                    "Result": importwords.OUTCOMES[one.outcome],
                    "Where": one.place,
                    "Title": one.title or "–",
                    "What to do": one.reason or "–",
                }
                for one in rows
            ],
            height=TABLE_PIXELS,
            wraps="What to do",
        )
    else:
        widgets.muted("None of this sort.")
    widgets.pages(total, PAGE, "bring-page")
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download the report",
            lambda: report(run.run_id),
            file_name="import-report.csv",
            mime="text/csv",
            icon=":material/download:",
            key="bring-report",
            on_click="ignore",
        )
        if st.button("Close", key="bring-close"):
            st.session_state.pop(SHOWN, None)
            st.rerun()


def _outcome(one: str) -> str:
    return safe.label(importwords.OUTCOMES[Outcome(one)])


def report(run_id: str) -> bytes:
    """Every entry of an import as CSV. No cell begins a formula: a table program would run what a file's title says."""
    actor, imports = session.current_actor(), session.layer().imports
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(["number", "result", "where", "title", "what to do"])
    offset, total = 0, 1
    while offset < total:
        rows, total = imports.results(actor, run_id, limit=REPORT_ROWS, offset=offset)
        offset += REPORT_ROWS
        table.writerows(
            [one.number, one.outcome.value, _cell(one.place), _cell(one.title), _cell(one.reason)] for one in rows
        )
    return written.getvalue().encode("utf-8-sig")


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
