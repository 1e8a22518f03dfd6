"""How one held claim and its source look in the list, and what was decided on it meanwhile. Review draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console import safe, widgets, words
from console.safe import Html, tag
from core.clusters import BACKGROUND, PATTERNS
from core.errors import ChronoMemoryError, Reserved
from core.model import CandidateState, HeldItem, SourceKind
from core.ports import HeldGroup
from core.review import Look

SHOWN_DIGITS = 16


def group_name(group: HeldGroup, names: Mapping[str, str]) -> str:
    """What a source is called: its title or address; who spoke, where the reference is a message's id."""
    if group.cluster.startswith(BACKGROUND):
        return f"Plain statements, {group.oldest:%B %Y}"
    if group.cluster == PATTERNS:
        return f"Patterns in what {names.get(group.owner, group.owner)} told and did"
    if group.source_kind is SourceKind.AGENT_TURN:
        return "The assistant, in the chat"
    if group.source_kind is SourceKind.USER_TURN:
        return f"{names.get(group.owner, group.owner)}, in the chat"
    name = group.title or group.source_ref or "Untitled"
    return name if group.sources == 1 else f"{name} and {group.sources - 1} more"


def group_card(group: HeldGroup, names: Mapping[str, str], reasons: Sequence[str] = ()) -> Html:
    """A group in the list: what it says or where it is from, how many wait, why, since when, how many are flagged."""
    alike = bool(group.alike)
    head = group.sample if alike and group.sample else group_name(group, names)
    count = f"{group.count:,} {'say the same' if alike and group.count > 1 else 'held'}"
    sample = tag("div", group.sample, cls="cm-card-sample", dir="auto") if group.sample and not alike else Html("")
    flagged = widgets.chip(f"{group.flagged:,} flagged", "bad") if group.flagged else Html("")
    owner = names.get(group.owner, group.owner)
    where = f"{group_name(group, names)} · " if alike else ""
    return tag(
        "div",
        tag(
            "div",
            tag("span", head, cls="cm-strong cm-card-text", dir="auto"),
            tag("span", count, cls="cm-muted"),
            cls="cm-cardline",
        ),
        sample,
        tag("div", widgets.reason_chips(reasons[:2]), flagged, cls="cm-card-foot") if reasons or flagged else Html(""),
        tag(
            "div",
            tag(
                "span",
                f"{where}{words.source(group.source_kind).capitalize()} · heard by {owner} · "
                f"{words.age(group.oldest, widgets.now())}",
                dir="auto",
            ),
            cls="cm-card-foot",
        ),
    )


def item_card(item: HeldItem, look: Look | None = None, names: Mapping[str, str] | None = None) -> Html:
    """A claim in the list: why it is held, where it is from, since when, and who is at it."""
    origin = item.candidate.provenance
    foot = f"{words.source(origin.source_kind).capitalize()} · {words.age(origin.observed_at, widgets.now())}"
    return tag(
        "div",
        tag("div", item.candidate.text, cls="cm-card-text", dir="auto"),
        tag(
            "div",
            widgets.reason_chips(item.decision.reasons[:2]),
            *_people(look, names or {}),
            tag("span", foot),
            cls="cm-card-foot",
        ),
    )


def _people(look: Look | None, names: Mapping[str, str]) -> list[Html]:
    if look is None:
        return []
    chips = []
    if look.reserved_by:
        chips.append(widgets.chip(f"{look.reserved_by} is looking", "info"))
    if look.assigned_to:
        chips.append(widgets.chip(f"Asked: {names.get(look.assigned_to, look.assigned_to)}", "info"))
    if look.approvals:
        chips.append(widgets.chip("First yes given", "good"))
    if look.snoozed_until:
        chips.append(widgets.chip(f"Until {look.snoozed_until:%d %b}"))
    return chips


def notice(item: HeldItem, names: Mapping[str, str], problem: ChronoMemoryError | None = None) -> None:
    """What a reviewer must know before reading on: it changed, or it is decided already and by whom."""
    if isinstance(problem, Reserved):
        safe.banner("Somebody else is looking at this", str(problem), tone="warn")
    elif problem is not None:
        safe.banner("This changed while you looked at it", f"{problem} What it is now is shown below.", tone="warn")
    elif item.state is not CandidateState.HELD:
        decision = item.decision
        by = "the policy" if decision.by == "policy" else names.get(decision.by, decision.by)
        said = f" Reason: {decision.note}" if decision.note else ""
        safe.banner(words.STATES[item.state], f"By {by}, {words.age(decision.at, widgets.now())}.{said}")
