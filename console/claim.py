"""How one held claim and its source look: in the list, and as evidence on the card. The review page draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console import drawer, safe, widgets, words
from console.safe import Html, tag
from core.model import CandidateState, HeldItem, Memory, SourceKind
from core.ports import HeldGroup

SHOWN_DIGITS = 16


def group_card(group: HeldGroup, names: Mapping[str, str]) -> Html:
    """A source in the list: what it is, how many of its claims wait, since when."""
    owner = names.get(group.owner, group.owner)
    return tag(
        "div",
        tag(
            "div",
            tag("span", group.title or group.source_ref or "Untitled", cls="cm-strong cm-card-text", dir="auto"),
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


def touches(live: Sequence[Memory]) -> None:
    """The live memories that a promotion would replace, or be refused for."""
    widgets.section("What it would change")
    if not live:
        widgets.muted("Nothing that is remembered says otherwise; it would be added.")
        return
    for memory in live:
        safe.draw(
            tag(
                "div",
                tag("div", "Remembered now", cls="cm-muted"),
                tag("div", memory.text, cls="cm-strong", dir="auto"),
                tag(
                    "div",
                    f"{words.source(memory.source_kind).capitalize()} · trust {memory.effective_trust:.2f} · "
                    f"{words.age(memory.stated_at, widgets.now())}",
                    cls="cm-muted",
                ),
                cls="cm-card",
            )
        )
    widgets.muted("A promotion replaces it, unless the owner said it in own words: then only the owner can correct it.")


def provenance(item: HeldItem, names: Mapping[str, str]) -> None:
    """Where the claim comes from, and through which hops."""
    candidate, origin = item.candidate, item.candidate.provenance
    own = origin.source_kind in (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
    rows: list[tuple[str, str | Html]] = [("Source", words.source(origin.source_kind).capitalize())]
    if origin.title and origin.title != origin.source_ref:
        rows.append(("Title", origin.title))
    if not own:
        rows.append(("Address or file", origin.source_ref))
    rows += [
        ("Heard by", names.get(candidate.scope.owner, candidate.scope.owner)),
        ("Heard", f"{words.moment(origin.observed_at)} ({words.age(origin.observed_at, widgets.now())})"),
        ("Trust", f"{item.decision.evidence.effective_trust:.2f}"),
        ("Read by", candidate.extractor),
        ("Text's sha256", f"{origin.digest[:SHOWN_DIGITS]}…"),
    ]
    widgets.section("Where it comes from")
    safe.draw(widgets.facts(rows))
    if len(item.decision.evidence.roots) > 1:
        safe.draw(drawer.chain(item.decision.evidence.roots))
