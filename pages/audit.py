"""Audit: the hash-chained log of every decision, its verification, and its export."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import streamlit as st

from console import drawer, entry, replayed, safe, session, tamper, widgets, words
from core.model import Actor, AuditEntry, Role

PAGE = 50
EXPORT = 5000  # entries in one file
FRESH = timedelta(minutes=5)  # a report on the chain that is older is made anew
CUT = 40  # characters of a value that is not an id
ACTIONS = ("candidate", "episode", "effect", "memory", "conversation", "person", "key", "policy", "embedding")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that begins so is a formula to a spreadsheet


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Audit",
        "Who decided what, and when. Each entry carries the hash of the one before; none can be changed unseen.",
    )
    _chain(actor)
    names = session.layer().audit_desk.names(actor)
    tamper.draw(actor)
    replayed.draw(actor, names)
    where = _filters(names)
    entries, total = session.layer().audit_desk.entries(actor, **where, limit=PAGE, offset=_offset())
    if not entries:
        if where:
            widgets.empty("Nothing fits these filters", "Take a filter away to see the other entries.")
        else:
            widgets.empty("No entries yet", "Every text that is received and every decision on it is recorded here.")
        return
    safe.table([_row(one, names) for one in entries], height=640, wraps="About")
    entry.draw(entries, names)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        widgets.pages(total, PAGE, "audit-page")
        _export(actor, where, names, total)


def _offset() -> int:
    page = st.session_state.get("audit-page", 1)
    return (page - 1) * PAGE if isinstance(page, int) else 0


def _chain(actor: Actor) -> None:
    """The banner: verified whenever asked and every few minutes, since it reads the whole chain."""
    banner, button = st.columns([0.82, 0.18], vertical_alignment="center")
    again = button.button("Verify now", icon=":material/verified:", key="audit-verify", width="stretch")
    with banner, st.spinner("Verifying the chain"):
        if again:
            session.layer().audit_desk.verify(actor)
        report, at = session.layer().audit_desk.verified(actor, within=FRESH)
    when = words.age(at, widgets.now())
    with banner:
        if report.ok:
            safe.banner(
                "The chain is whole",
                f"{words.plural(report.entries, 'entry', 'entries')} verified {when}.",
                tone="good",
            )
        else:
            safe.banner(
                f"The chain is broken at entry {report.broken_seq}", f"{report.problem} (verified {when})", tone="bad"
            )
    if report.head_hash:
        widgets.muted(
            f"Head, entry {report.head_seq}. Keep a copy elsewhere: a chain that was cut or rewritten no longer has it."
        )
        safe.code(report.head_hash)


def _filters(names: Mapping[str, str]) -> dict[str, Any]:
    """What is shown, as the address names it: what, who, about which id, from and to which day."""
    with st.container(horizontal=True, gap="small", key="audit-filters"):
        action = st.selectbox(
            "What",
            ACTIONS,
            index=None,
            format_func=str.capitalize,
            placeholder="Anything",
            key="what",
            bind="query-params",
            width=170,
        )
        who = st.text_input("Who", placeholder="A user name, policy …", key="who", bind="query-params", width=210)
        about = st.text_input(
            "About", placeholder="The id of a memory, an item or a text", key="about", bind="query-params", width=300
        )
        since = st.text_input("From", placeholder="2026-03-01", key="from", bind="query-params", width=130)
        until = st.text_input("To, with that day", placeholder="2026-03-31", key="to", bind="query-params", width=150)
    given: dict[str, Any] = {
        "action": f"{action}:" if action else None,
        "by": _actor_of(who, names),
        "about": about.strip() if about else None,
        "since": _day(since, 0),
        "until": _day(until, 1),
    }
    return {name: value for name, value in given.items() if value}


def _actor_of(who: str | None, names: Mapping[str, str]) -> str | None:
    """A typed user name as the id that entries hold; others ("policy", "worker") as they are."""
    typed = (who or "").strip()
    return next((key for key, name in names.items() if name == typed.lower()), typed) or None


def _day(text: str | None, later: int) -> datetime | None:
    """The beginning of a day in UTC, `later` days on; a day that cannot be read is said and filters nothing."""
    typed = (text or "").strip()
    if not typed:
        return None
    try:
        return datetime.combine(date.fromisoformat(typed), time.min, UTC) + timedelta(days=later)
    except (ValueError, OverflowError):
        safe.banner("This is not a day", "Write it as year, month and day: 2026-03-01.", tone="warn")
        return None


def _about(about: Mapping[str, Any]) -> str:
    """What an entry names, in one line: ids in full (they can be filtered by), digests and lists cut."""
    parts = []
    for key, value in about.items():
        name = key.removesuffix("_id").replace("_", " ")
        if isinstance(value, list):
            shown = ", ".join(str(one) for one in value) if len(value) == 1 else str(len(value))
        else:
            shown = str(value)
        cut = shown if key.endswith("_id") or len(shown) <= CUT else f"{shown[:CUT]}…"
        parts.append(f"{name} {cut}")
    return " · ".join(parts)


def _row(entry: AuditEntry, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "No.": entry.seq,
        "When": words.moment(entry.at),
        "Who": drawer.name_of(entry.actor, names),
        "What": words.action(entry.action),
        "About": _about(entry.about),
        "Whose": drawer.name_of(entry.owner, names),
        "Hash": entry.hash[:16],
    }


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _file(entries: Sequence[AuditEntry], names: Mapping[str, str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        ["seq", "at", "actor", "actor_name", "attestation", "action", "owner", "about", "prev_hash", "hash"]
    )
    for one in entries:
        row = [
            one.seq,
            one.at.isoformat(),
            one.actor,
            names.get(one.actor, ""),
            one.attestation,
            one.action,
            one.owner,
            json.dumps(one.about, sort_keys=True),
            one.prev_hash,
            one.hash,
        ]
        writer.writerow([_cell(value) for value in row])
    return out.getvalue().encode()


def _lines(entries: Sequence[AuditEntry]) -> bytes:
    """One JSON object a line; a program reads it, so no cell needs to be defused."""
    rows = (asdict(one) | {"at": one.at.isoformat(timespec="microseconds")} for one in entries)
    return "".join(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows).encode()


def _export(actor: Actor, where: Mapping[str, Any], names: Mapping[str, str], total: int) -> None:
    def made() -> bytes:
        entries, _ = session.layer().audit_desk.entries(session.current_actor(), **where, limit=EXPORT)
        return _file(entries, names)

    def lines() -> bytes:
        entries, _ = session.layer().audit_desk.entries(session.current_actor(), **where, limit=EXPORT)
        return _lines(entries)

    whose = "your own entries" if actor.role is Role.MEMBER else "these entries"
    note = f"The newest {EXPORT:,} of {whose}" if total > EXPORT else f"All {total:,} of {whose}"
    st.download_button(
        "Download CSV",
        made,
        file_name="audit.csv",
        mime="text/csv",
        icon=":material/download:",
        help=safe.label(note),
        key="audit-csv",
        on_click="ignore",
    )
    st.download_button(
        "Download JSON lines",
        lines,
        file_name="audit.jsonl",
        mime="application/x-ndjson",
        icon=":material/download:",
        help=safe.label(f"{note}, every field as the chain holds it"),
        key="audit-jsonl",
        on_click="ignore",
    )


widgets.page(draw)
