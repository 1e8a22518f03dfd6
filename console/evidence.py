"""What speaks for and against one held claim: its chain of origin, its tiers, findings and gaps. The card draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console import safe, terms, widgets, words
from console.claim import SHOWN_DIGITS
from console.safe import Html, tag
from core.model import Evidence, Finding, HeldItem, Memory, Pasted, Provenance, Relation, Root, SourceKind
from core.review import AnswerTouched, WouldChange

OWN = frozenset({SourceKind.USER_TURN, SourceKind.AGENT_TURN})  # their references are message ids
_MEMORY = "memory:"  # what an origin begins with that is itself a memory


# --- where it comes from ------------------------------------------------------------------------------------------


def chain(roots: Sequence[Root], known: Mapping[str, Provenance] | None = None) -> Html:
    """The provenance chain, hop by hop, the text itself first; the hop that decides is marked."""
    weakest = min((root.trust for root in roots), default=1.0)
    marked = len({root.trust for root in roots}) > 1
    decides = next((at for at, root in enumerate(roots) if marked and root.trust == weakest), None)
    hops = [_hop(root, (known or {}).get(root.episode_id), weakest=at == decides) for at, root in enumerate(roots)]
    return tag("ol", *hops, cls="cm-chain")


def _hop(root: Root, origin: Provenance | None, *, weakest: bool) -> Html:
    name = "A memory" if root.episode_id.startswith(_MEMORY) else words.source(root.source_kind).capitalize()
    if not root.trust:
        name = "A text that cannot be found"
    ref = "" if root.source_kind in OWN else (origin.source_ref if origin else root.source_ref)
    title = origin.title if origin and origin.title != ref else ""
    tool = f"tool {origin.tool}" if origin and origin.tool else ""
    heard = words.age(origin.observed_at, widgets.now()) if origin else ""
    detail = " · ".join(part for part in (title, tool, ref, heard) if part)
    return tag(
        "li",
        tag(
            "div",
            tag("span", name, cls="cm-strong"),
            tag("span", f"trust {root.trust:.2f}", cls="cm-muted"),
            *([widgets.chip("Weakest: this one decides", "warn")] if weakest else []),
            cls="cm-hop",
        ),
        *([tag("div", detail, cls="cm-muted", dir="auto")] if detail else []),
        cls="cm-weakest" if weakest else "",
    )


def provenance(item: HeldItem, names: Mapping[str, str], known: Mapping[str, Provenance], repeats: int) -> None:
    """Where the claim comes from, through which hops, and with what right its source speaks."""
    candidate, origin, found = item.candidate, item.candidate.provenance, item.decision.evidence
    owner = names.get(candidate.scope.owner, candidate.scope.owner)
    rows: list[tuple[str, str | Html]] = [("Source", words.source(origin.source_kind).capitalize())]
    if origin.tool:
        rows.append(("Tool", origin.tool))
    if origin.title and origin.title != origin.source_ref:
        rows.append(("Title", origin.title))
    if origin.source_kind not in OWN:
        rows.append(("Address or file", origin.source_ref))
    rows += [
        ("Heard by", owner),
        ("Heard", f"{words.moment(origin.observed_at)} ({words.age(origin.observed_at, widgets.now())})"),
        ("Trust", f"{found.effective_trust:.2f}"),
        ("Its right to say so", terms.STANDINGS[found.standing]),
        ("Read by", candidate.extractor),
        ("Text's sha256", f"{origin.digest[:SHOWN_DIGITS]}…"),
    ]
    if repeats:
        rows.append(("Said again", f"{words.plural(repeats, 'time')} by the same source while it waited"))
    if len(found.supporters) > 1:
        rows.append(("Independent origins", f"{len(found.supporters)} say the same"))
    if origin.claimed:
        rows.append(("Claimed about itself", "its own source or trust; it has no effect"))
    widgets.section("Where it comes from")
    safe.draw(widgets.facts(rows))
    part = _part_of(item)
    if part is not None:
        safe.draw(_pasted(part, owner, known))
    if len(found.roots) > 1:
        widgets.section("Through which hops", "the text itself first; trust is never above the weakest hop's")
        safe.draw(chain(found.roots, known))


def _part_of(item: HeldItem) -> Pasted | None:
    """The pasted part of a turn that the claim stands in."""
    span = item.candidate.proposal.span
    overlapping = (part for part in item.candidate.provenance.pasted if part.start < span.end and span.start < part.end)
    return next(overlapping, None)


def _pasted(part: Pasted, owner: str, known: Mapping[str, Provenance]) -> Html:
    seen = known.get(part.matched)
    before = f"Seen before on {widgets.source_line(seen.source_kind, seen.source_ref, seen.title)}." if seen else ""
    said = f"Pasted by {owner}, not typed. {terms.PASTES.get(part.why, 'It stands in a pasted part')}."
    worth = f"It counts as a {words.source(part.source_kind)}."
    return tag("p", " ".join(one for one in (said, before, worth) if one), cls="cm-aside", dir="auto")


# --- what speaks against it ---------------------------------------------------------------------------------------


def warnings(item: HeldItem) -> None:
    """Tiers, findings and gaps: what a reviewer must have seen before a promotion. Quiet when there is nothing."""
    found = item.decision.evidence
    blocks = [*_impact(found), *(_finding(one) for one in found.findings), *_unjudged(found)]
    if blocks:
        safe.draw(tag("div", *blocks, cls="cm-warnings"))


def _impact(found: Evidence) -> list[Html]:
    if not found.impact:
        return []
    chips = [widgets.chip(terms.tier(one), "bad") for one in found.impact]
    return [_line(tag("span", *chips, cls="cm-chips"), terms.harm(found.impact))]


def _finding(one: Finding) -> Html:
    word, tone = terms.severity(one.severity)
    head = widgets.chip(terms.detector(one.detector), tone)
    return _line(head, tag("span", one.note, dir="auto"), f"{word}, {one.severity:.1f}")


def _unjudged(found: Evidence) -> list[Html]:
    lines = [_line(widgets.chip("Not judged", "warn"), f"{terms.gap(gap).capitalize()}.") for gap in found.gaps]
    if found.not_judged:
        near = words.plural(found.not_judged, "similar memory", "similar memories")
        said = f"No model is connected, so {near} were compared by the rules only: subject, value and numbers."
        lines.append(_line(widgets.chip("Not judged"), said.replace("memory were", "memory was")))
    lines += [
        _line(
            widgets.chip("A model's opinion"),
            tag("span", f"{one.judge}: it {terms.RELATIONS[one.relation]}: “{one.text}”", dir="auto"),
        )
        for one in found.opinions
        if one.relation is not Relation.NEUTRAL
    ]
    return lines


def _line(head: Html, text: Html | str, note: str = "") -> Html:
    return tag("div", head, tag("div", text), *([tag("div", note, cls="cm-muted")] if note else []), cls="cm-warning")


def changes(would: WouldChange, live: Sequence[Memory]) -> None:
    """What a promotion would change: what it replaces, which answers cited that, who else must agree."""
    widgets.section("What it would change")
    replaced = would.supersedes or (() if would.asks_owner or would.stays_history else tuple(live))
    lines = [_line(widgets.chip("Becomes history", "warn"), tag("span", one.text, dir="auto")) for one in replaced]
    lines += [_line(widgets.chip("An answer cited it"), *_answer(one)) for one in would.answers]
    if would.asks_owner:
        lines.append(
            _line(widgets.chip("Goes to the owner", "warn"), "It contradicts the owner's own words: they settle it.")
        )
    if would.stays_history:
        lines.append(
            _line(widgets.chip("Comes in as history"), "A later statement is remembered; that one stays current.")
        )
    if would.needs_second:
        lines.append(_line(widgets.chip("Needs two people", "warn"), "A second person must confirm the same words."))
    if not lines:
        widgets.muted("Nothing that is remembered says otherwise; it would be added.")
        return
    safe.draw(tag("div", *lines, cls="cm-warnings"))


def _answer(touched: AnswerTouched) -> tuple[Html | str, str]:
    words_of = tag("span", f"“{touched.question}”", dir="auto") if touched.question else "A question of the owner's."
    return words_of, words.age(touched.at, widgets.now())


def source(item: HeldItem) -> None:
    """The words around the claim; when they are the claim itself they are not said twice."""
    span = item.excerpt_span
    alone = not (item.excerpt[: span.start] + item.excerpt[span.end :]).strip()
    if alone and span.of(item.excerpt).strip() in item.candidate.text:
        widgets.muted("The source says these words and nothing around them.")
        return
    widgets.section("What the source says", "the claim is marked")
    safe.quote(item.excerpt, item.excerpt_span)
