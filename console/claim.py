"""How one held claim and its source look in the list, and what was decided on it meanwhile. Review draws it."""

from __future__ import annotations

from collections.abc import Mapping

from console import safe, widgets, words
from console.safe import Html, tag
from core.clusters import BACKGROUND
from core.model import CandidateState, HeldItem, SourceKind
from core.ports import HeldGroup

SHOWN_DIGITS = 16


def group_name(group: HeldGroup, names: Mapping[str, str]) -> str:
    """What a source is called: its title or address; who spoke, where the reference is a message's id."""
    if group.cluster.startswith(BACKGROUND):
        return f"Plain statements, {group.oldest:%B %Y}"
    if group.source_kind is SourceKind.AGENT_TURN:
        return "The assistant, in the chat"
    if group.source_kind is SourceKind.USER_TURN:
        return f"{names.get(group.owner, group.owner)}, in the chat"
    name = group.title or group.source_ref or "Untitled"
    return name if group.sources == 1 else f"{name} and {group.sources - 1} more"


def group_card(group: HeldGroup, names: Mapping[str, str]) -> Html:
    """A source in the list: what it is, how many of its claims wait, since when."""
    owner = names.get(group.owner, group.owner)
    return tag(
        "div",
        tag(
            "div",
            tag("span", group_name(group, names), cls="cm-strong cm-card-text", dir="auto"),
            tag("span", f"{group.count:,} held", cls="cm-muted"),
            cls="cm-cardline",
        ),
        tag(
            "div",
            f"{words.source(group.source_kind).capitalize()} · heard by {owner} · "
            f"{words.age(group.oldest, widgets.now())}",
            cls="cm-card-foot",
        ),
    )


def item_card(item: HeldItem) -> Html:
    """A claim in the list, with the reasons it is held for."""
    return tag(
        "div",
        tag("div", item.candidate.text, cls="cm-card-text", dir="auto"),
        tag("div", widgets.reason_chips(item.decision.reasons[:2]), cls="cm-card-foot"),
    )


def notice(item: HeldItem, names: Mapping[str, str], problem: str = "") -> None:
    """What a reviewer must know before reading on: it changed, or it is decided already and by whom."""
    if problem:
        safe.banner("This changed while you looked at it", f"{problem} What it is now is shown below.", tone="warn")
    elif item.state is not CandidateState.HELD:
        decision = item.decision
        by = "the policy" if decision.by == "policy" else names.get(decision.by, decision.by)
        said = f" Reason: {decision.note}" if decision.note else ""
        safe.banner(words.STATES[item.state], f"By {by}, {words.age(decision.at, widgets.now())}.{said}")
