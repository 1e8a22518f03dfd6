"""Two statements side by side: who said each, through what, when, and the words in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console import safe, session, terms, widgets, words
from console.safe import Html, tag
from core.conflict import rivals_of
from core.gate import closed_by
from core.model import HeldItem, Incumbent, Memory, SourceKind
from core.policy import ranking_trust


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One of the statements: its words, who said them through what, when, and how far they are trusted."""

    text: str
    said: str
    when: str
    trust: float
    vouched: str = ""


def _who(kind: SourceKind, who: str, ref: str, title: str) -> str:
    if kind is SourceKind.USER_TURN:
        return f"{who}, in own words"
    line = widgets.source_line(kind, ref, title)
    return f"{line[:1].upper()}{line[1:]}"


def _of_memory(memory: Memory, names: Mapping[str, str]) -> Side:
    return Side(
        text=memory.text,
        said=_who(
            memory.source_kind, names.get(memory.actor, memory.actor) or "Owner", memory.source_ref, memory.source_title
        ),
        when=words.age(memory.stated_at, widgets.now()),
        trust=ranking_trust(memory, session.layer().policy),
        vouched=memory.vouched_by or "",
    )


def _of_incumbent(held: Incumbent) -> Side:
    return Side(
        text=held.text,
        said=words.source(held.source_kind).capitalize(),
        when=words.age(held.stated_at, widgets.now()) if held.stated_at else "",
        trust=held.ranking_trust,
    )


def _of_candidate(item: HeldItem, names: Mapping[str, str]) -> Side:
    origin = item.candidate.provenance
    return Side(
        text=item.candidate.text,
        said=_who(
            origin.source_kind, names.get(origin.actor, origin.actor) or "Owner", origin.source_ref, origin.title
        ),
        when=words.age(origin.observed_at, widgets.now()),
        trust=item.decision.evidence.effective_trust,
    )


def sides_of(item: HeldItem, rivals: Sequence[Memory] | None, names: Mapping[str, str]) -> list[Side]:
    """What is remembered against the item, each sentence once; without a look at the store, as the gate saw it."""
    if rivals is None or item.candidate.proposal.retracts:
        found = [_of_incumbent(one) for one in opposed(item)]
    else:
        found = [_of_memory(one, names) for one in rivals]
    return list({one.text: one for one in found if one.text != item.candidate.text}.values())


def opposed(item: HeldItem) -> Sequence[Incumbent]:
    """What the item contradicts or would close, as it was when the gate looked."""
    found = item.decision.evidence
    if item.candidate.proposal.retracts:
        return closed_by(item.candidate, found)
    return rivals_of(item.candidate, found, session.layer().policy.conflict)


def _side(head: str, side: Side, statement: Html, cls: str) -> Html:
    vouched = [("Vouched for by", side.vouched)] if side.vouched else []
    return tag(
        "div",
        tag("div", head, cls="cm-side-head"),
        statement,
        tag(
            "div",
            widgets.facts([("Said by", side.said), *([("When", side.when)] if side.when else []), *vouched]),
            widgets.bar("Trust", side.trust, limit=session.layer().policy.trust.threshold),
            cls="cm-side-foot",
        ),
        cls=f"cm-side {cls}",
    )


def pair(item: HeldItem, sides: Sequence[Side], names: Mapping[str, str]) -> Html:
    """Both statements side by side, the words marked in which they differ."""
    mine = _of_candidate(item, names)
    left, right = safe.differing(sides[0].text, mine.text, cls="cm-statement")
    old = [
        _side("Remembered now" if not at else "Remembered as well", side, shown, "cm-old")
        for at, (side, shown) in enumerate(
            (side, left if not at else safe.words(side.text, cls="cm-statement")) for at, side in enumerate(sides)
        )
    ]
    return tag("div", tag("div", *old), tag("div", _side("Says otherwise", mine, right, "cm-new")), cls="cm-versus")


def heading(item: HeldItem, sides: Sequence[Side]) -> tuple[str, str]:
    """What is asked, and why it is asked, in a sentence each."""
    why = " ".join(terms.ASKED[one] for one in item.decision.evidence.asks_owner if one in terms.ASKED)
    if item.candidate.proposal.retracts:
        return "Take this back?", "Somebody else says that this does not hold any more."
    if sides:
        lead = "Only one of them can hold, unless both are true. The words in which they differ are marked."
        return "Two statements disagree", f"{lead} {why}".strip()
    if "conflict" in item.decision.reasons:
        return "Remember this?", "What it contradicted is not remembered any more."
    return "Remember this?", why or words.why(item.decision)


def head(item: HeldItem, rivals: Sequence[Memory], names: Mapping[str, str]) -> None:
    """The question and its statements, as the review page shows them."""
    sides = sides_of(item, rivals, names)
    title, lead = heading(item, sides)
    safe.draw(tag("h2", title, cls="cm-question"), tag("p", lead, cls="cm-muted"))
    if not sides:
        safe.claim(item.candidate.text)
    else:
        safe.draw(pair(item, sides, names))
