"""The policy's versions: which numbers were in force when, by whose wish, and what each of them changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from console import draft, drawer, safe, session, settingwords, widgets, words
from console.safe import tag
from core.amend import Difference
from core.model import Actor
from core.ports import PolicyVersion

SHOWN = 20


def draw(actor: Actor) -> None:
    """The list, newest first, and the rule of which number wins."""
    layer = session.layer()
    now = layer.governance.current(actor)
    found = layer.governance.history(actor, limit=SHOWN)
    widgets.section("Where the numbers come from")
    safe.draw(
        widgets.facts(
            [
                ("In force", now.digest),
                ("Policy file", "the same" if now.file_digest == now.digest else now.file_digest),
                ("Adopted on top", _overlay(now.overlay)),
            ]
        ),
        tag(
            "p",
            "What was adopted here lies over the policy file. Where both name a number the adopted one holds; every "
            "other number follows the file, also when it is another file at the next start. Adopting the file's own "
            "value again takes a change back.",
            cls="cm-aside",
        ),
    )
    widgets.section("Versions", "every policy that was in force, newest first")
    if not found:
        widgets.empty("No version yet", "The first one is recorded once the store is up.")
        return
    names = layer.audit_desk.names(actor)
    for version, changes in found:
        _version(version, changes, names)


def _overlay(overlay: Mapping[str, object]) -> str:
    if not overlay:
        return "nothing: the file's numbers are in force"
    return ", ".join(f"{settingwords.name(key)} {settingwords.value(value)}" for key, value in overlay.items())


def _version(version: PolicyVersion, changes: Sequence[Difference], names: Mapping[str, str]) -> None:
    loaded = version.kind == "loaded"
    who = "found at start" if loaded else f"adopted by {drawer.name_of(version.by, names)}"
    with st.container(border=True, key=f"policy-version-{version.number}"):
        safe.draw(
            tag(
                "div",
                tag("span", f"Version {version.number}", cls="cm-strong"),
                widgets.chip("Policy file" if loaded else "Adopted", "plain" if loaded else "info"),
                tag(
                    "span",
                    f"{who} · {words.moment(version.at)} · audit entry {version.audit_seq}",
                    cls="cm-muted",
                    dir="auto",
                ),
            ),
            *([safe.words(version.note)] if version.note else []),
            tag("div", f"Digest {version.digest}", cls="cm-muted cm-digest"),
        )
        if changes:
            safe.table(draft.compared(changes))
        else:
            widgets.muted(
                "The numbers that the installation began with." if version.number == 1 else "No number changed."
            )
