"""Sources and policy: how far each source is trusted, the policy in force, which model answers, the two stores."""

from __future__ import annotations

import streamlit as st

from console import draft, isolation, numbers, rolehealth, safe, session, stores, versions, widgets, words
from console.safe import Html, tag
from core.model import Actor, Role, SourceKind

NOW, CHANGE, VERSIONS, MODELS = "In force", "Change", "Versions", "Models and parts"
MEMBERS, REVIEWERS, ADMINS = (NOW, MODELS), (NOW, VERSIONS, MODELS), (NOW, CHANGE, VERSIONS, MODELS)
_PARTS = {
    "store": ("Store", "trusted memories"),
    "ledger": ("Ledger", "every text and decision"),
    "effects": ("Effects", "memory has what was decided"),
    "embedding": ("Embedding model", "search by meaning"),
    "model": ("Language model", "answers and reading"),
    "replicas": ("Replicas", "recall reads from them"),
    "worker": ("Worker", "reads what was said"),
}


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title(
        "Sources & policy", "A fact is only as trustworthy as where it came from. These numbers are in force now."
    )
    view = _view(actor)
    if view == CHANGE:
        draft.draw(actor)
    elif view == VERSIONS:
        versions.draw(actor)
    elif view == MODELS:
        _health()
        rolehealth.draw(actor)
        _fast_path()
        _models()
        stores.draw(actor)
        if actor.role is Role.ADMIN:
            isolation.draw(actor)
    else:
        _trust()
        numbers.tools()
        numbers.judgement()
        _policy(actor)


def _view(actor: Actor) -> str:
    """Which part of the page; named in the address. Core refuses what a role may not do."""
    shown = MEMBERS if actor.role is Role.MEMBER else ADMINS if actor.role is Role.ADMIN else REVIEWERS
    chosen = st.segmented_control(
        "Part of the page", shown, default=NOW, key="view", bind="query-params", label_visibility="collapsed"
    )
    return str(chosen or NOW)


def _trust() -> None:
    policy = session.layer().policy
    trust = policy.trust
    widgets.section("Base trust by source", f"below {trust.threshold:.2f} a claim is held for review")
    rows = [
        tag(
            "div",
            widgets.bar(words.source(kind).capitalize(), policy.preview_trust(kind), limit=trust.threshold),
            widgets.chip("Held for review", "warn")
            if policy.preview_trust(kind) < trust.threshold
            else widgets.chip("Admitted", "good"),
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


def _policy(actor: Actor) -> None:
    now = session.layer().governance.current(actor)
    widgets.section("Policy in force", "each decision records this digest")
    safe.code(now.digest)
    number = f"Version {now.version.number}. " if now.version else ""
    if now.digest == now.file_digest:
        widgets.muted(f"{number}The numbers are those of the policy file that the installation was started with.")
    else:
        widgets.muted(f"{number}Admins adopted {words.plural(len(now.overlay), 'change')} on top of this policy file:")
        safe.code(now.file_digest)


def _state(key: str, text: str) -> tuple[Html, str]:
    """A part's state as a chip, and what there is to add in words."""
    head, _, rest = text.partition(":")
    if text == "ok":
        return widgets.chip("Working", "good"), ""
    if head == "starting":
        return widgets.chip("Starting", "warn"), rest.strip()
    if head.startswith("none"):
        return widgets.chip("Not connected"), "rules answer"
    if head == "down":
        return widgets.chip("Down", "bad"), rest.strip()
    return widgets.chip("Connected" if key == "model" else "Working", "good"), text


def _fast_path() -> None:
    share = session.layer().fast_path()
    if share is not None:
        widgets.muted(f"Work done without a model since the start: {share:.0%}.")


def _health() -> None:
    widgets.section("Parts")
    rows = []
    for key, state in session.layer().health().items():
        name, duty = _PARTS.get(key, (key.capitalize(), ""))
        chip, detail = _state(key, state)
        said = " · ".join(part for part in (duty, detail) if part)
        rows.append(
            tag("tr", tag("td", name, cls="cm-strong"), tag("td", chip), tag("td", said, cls="cm-muted", dir="auto"))
        )
    safe.draw(tag("div", tag("table", tag("tbody", *rows), cls="cm-table"), cls="cm-scroll"))


def _models() -> None:
    model = session.layer().describe_model
    widgets.section("Language model")
    if model.startswith("none"):
        widgets.muted(
            "None is connected. Rules read, decide and answer; every number on these pages is right without a model."
        )
    else:
        safe.draw(widgets.facts([("Answers", model)]))
    servers = session.layer().local_servers()
    if not servers:
        widgets.muted(
            "No model server was found on this machine. To connect one, set OPENAI_BASE_URL; "
            "for a hosted model, OPENAI_API_KEY."
        )
        return
    widgets.section("Found on this machine", "offered, never used unasked")
    for server in servers:
        models = list(server.models)
        safe.draw(
            tag(
                "div",
                tag("div", server.name, cls="cm-strong", dir="auto"),
                tag("div", f"{server.base_url} · {', '.join(models) or 'no model loaded'}", cls="cm-muted", dir="auto"),
            )
        )
        widgets.muted("To use it, set these and restart:")
        safe.code(
            "\n".join(
                [
                    f"OPENAI_BASE_URL={server.base_url}",
                    *([f"AGENT_MODEL={models[0]}", f"BACKGROUND_MODEL={models[0]}"] if models else []),
                ]
            )
        )
    if st.button("Look again", icon=":material/refresh:", key="policy-look"):
        st.rerun()


widgets.page(draw, rebuild=stores.rebuild)
