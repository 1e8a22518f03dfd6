"""One audit entry in full: who, what, about what, with every id and digest, and its place in the chain."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import streamlit as st

from console import drawer, safe, widgets, words
from core.model import AuditEntry


def draw(entries: Sequence[AuditEntry], names: Mapping[str, str]) -> None:
    """Choose an entry of the page by its number; the address keeps it."""
    number = st.text_input(
        "Open an entry", placeholder="Its number in the list above", key="entry", bind="query-params", width=260
    )
    typed = (number or "").strip()
    if not typed:
        return
    found = next((one for one in entries if str(one.seq) == typed), None)
    if found is None:
        widgets.muted("There is no entry of that number on this page of the list.")
        return
    with st.container(border=True, key="audit-entry"):
        safe.draw(
            widgets.facts(
                [
                    ("Entry", f"{found.seq:,}"),
                    ("When", words.moment(found.at)),
                    ("Who", _known(found.actor, names)),
                    ("How sure", _GRADES.get(found.attestation, found.attestation)),
                    ("What", f"{words.action(found.action)} ({found.action})"),
                    ("Whose memory", _known(found.owner, names) if found.owner else "nobody's"),
                    *((key.replace("_", " ").capitalize(), _value(value)) for key, value in found.about.items()),
                    ("Hash before", found.prev_hash or "none: it is the first"),
                    ("Its own hash", found.hash),
                ]
            )
        )


_GRADES = {
    "none": "recorded by the product itself",
    "declared": "a signed-in person or a named model",
    "config-hash": "the policy with the digest below",
}


def _known(who: str, names: Mapping[str, str]) -> str:
    shown = drawer.name_of(who, names)
    return f"{shown} ({who})" if shown != who else who


def _value(value: object) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
