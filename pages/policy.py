"""Sources and policy: how far each source is trusted, the policy in force, and which model answers. Read only."""

from __future__ import annotations

import streamlit as st

from console import safe, session, widgets, words
from console.safe import Html, tag
from core.model import SourceKind

_PARTS = {
    "store": ("Store", "trusted memories"),
    "ledger": ("Ledger", "every text and decision"),
    "embedding": ("Embedding model", "search by meaning"),
    "model": ("Language model", "answers and reading"),
    "worker": ("Worker", "reads what was said"),
}


def draw() -> None:
    """The whole page."""
    session.current_actor()
    widgets.title("Sources & policy", "A fact is only as trustworthy as where it came from. These numbers are in force now.")
    _trust()
    _policy()
    _health()
    _models()


def _trust() -> None:
    trust = session.layer().policy.trust
    widgets.section("Base trust by source", f"below {trust.threshold:.2f} a claim is held for review")
    rows = [
        tag(
            "div",
            widgets.bar(words.source(kind).capitalize(), trust.base(kind), limit=trust.threshold),
            widgets.chip("Held for review", "warn") if trust.base(kind) < trust.threshold else widgets.chip("Admitted", "good"),
            cls="cm-source",
        )
        for kind in SourceKind
    ]
    safe.draw(
        tag("div", *rows, cls="cm-card"),
        tag(
            "p",
            f"A claim that a person promotes counts with {trust.vouch_level:.2f} and keeps its origin on record. "
            "The channel sets the source; nothing in a text can raise its own trust.",
            cls="cm-muted",
        ),
    )


def _policy() -> None:
    policy = session.layer().policy
    widgets.section("Policy in force", "each decision records this digest")
    safe.code(policy.digest)
    widgets.muted("The numbers live in a file. To change them, point CHRONOMEMORY_POLICY at a copy and restart.")


def _state(text: str) -> Html:
    if text == "ok":
        return widgets.chip("Working", "good")
    if text == "starting":
        return widgets.chip("Starting", "warn")
    if text.startswith("none"):
        return widgets.chip("Not connected")
    return widgets.chip("Down", "bad")


def _health() -> None:
    widgets.section("Parts")
    rows = []
    for key, state in session.layer().health().items():
        name, duty = _PARTS.get(key, (key.capitalize(), ""))
        detail = state.partition(":")[2].strip() if ":" in state else ("rules answer" if state.startswith("none") else "")
        rows.append(
            tag("tr", tag("td", name, cls="cm-strong"), tag("td", _state(state)), tag("td", " · ".join(x for x in (duty, detail) if x), cls="cm-muted", dir="auto"))
        )
    safe.draw(tag("div", tag("table", tag("tbody", *rows), cls="cm-table"), cls="cm-scroll"))


def _models() -> None:
    settings = session.layer().settings
    widgets.section("Language model")
    if settings.has_model:
        safe.draw(
            widgets.facts(
                [
                    ("Answers", settings.agent_model),
                    ("Reads and judges", settings.background_model),
                    ("Endpoint", settings.openai_base_url or "the provider's own"),
                ]
            )
        )
    else:
        widgets.muted("None is connected. Rules read, decide and answer; every number on these pages is right without a model.")
    servers = session.layer().local_servers()
    if not servers:
        widgets.muted("No model server was found on this machine. To connect one, set OPENAI_BASE_URL, or OPENAI_API_KEY for a hosted one.")
        return
    widgets.section("Found on this machine", "offered, never used unasked")
    for server in servers:
        models = list(server.models)
        safe.draw(
            tag("div", tag("div", server.name, cls="cm-strong", dir="auto"), tag("div", f"{server.base_url} · {', '.join(models) or 'no model loaded'}", cls="cm-muted", dir="auto"))
        )
        widgets.muted("To use it, set these and restart:")
        safe.code("\n".join([f"OPENAI_BASE_URL={server.base_url}", *([f"AGENT_MODEL={models[0]}", f"BACKGROUND_MODEL={models[0]}"] if models else [])]))
    if st.button("Look again", icon=":material/refresh:", key="policy-look"):
        st.rerun()


widgets.page(draw)
