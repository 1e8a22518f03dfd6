"""`chronomemory review`: a signed-in person's rulings on held items, on the very bytes they were shown."""

from __future__ import annotations

from typing import Annotated

import typer

from core.entrypoints.cli.frame import REFUSED, As, AsJson, Guarded, Yes, acting, asked
from core.entrypoints.cli.screen import Screen, jsonable
from core.errors import BadInput, StaleReview
from core.model import HeldItem, Ruling, RulingKind
from core.review.values import ANSWERS, Outcome

app = typer.Typer(cls=Guarded, no_args_is_help=True, help="Look at what is held, and decide on it.")
Item = Annotated[str, typer.Argument(metavar="ID", help="As `review list` shows it.")]
Digest = Annotated[str, typer.Option("--digest", help="Of the words that were shown; none: they are shown first.")]
Because = Annotated[str, typer.Option("--because", help="Why; kept with the ruling.")]
Override = Annotated[bool, typer.Option("--override", help="Promote in spite of a flag; needs --because.")]
_FIRST = 12  # digits of a digest that a person reads


@app.command("list")
def listed(
    who: As,
    *,
    text: Annotated[str, typer.Option("--text", help="Only what holds these words.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, max=500)] = 50,
    as_json: AsJson = False,
) -> None:
    """Held items, the oldest first."""
    screen = Screen(as_json=as_json)
    with acting(screen, who) as (layer, actor):
        items, total = layer.review.pending(actor, text=text or None, limit=limit)
    screen.data({"total": total, "items": [jsonable(one) for one in items]})
    screen.say(f"{total:,} held." if total else "Nothing is held.")
    for item in items:
        candidate = item.candidate
        screen.say(f"{candidate.candidate_id}  {', '.join(item.decision.reasons)}")
        screen.say(f"  {candidate.text}")
        screen.say(f"  {candidate.provenance.source_kind.value} · {candidate.provenance.source_ref}")


@app.command()
def show(item_id: Item, who: As, *, as_json: AsJson = False) -> None:
    """One item in full: its words, where they stand, and every step of the gate."""
    screen = Screen(as_json=as_json)
    with acting(screen, who) as (layer, actor):
        item = layer.review.item(actor, item_id)
    screen.data(jsonable(item) | {"digest": item.candidate.digest})
    _tell(screen, item)


@app.command()
def promote(
    item_id: Item,
    who: As,
    *,
    digest: Digest = "",
    because: Because = "",
    override: Override = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take an item into memory: a person vouches for exactly these words."""
    _rule(RulingKind.PROMOTE, item_id, who, Words(digest, because, override=override, yes=yes), as_json=as_json)


@app.command()
def reject(
    item_id: Item, who: As, because: Because, *, digest: Digest = "", yes: Yes = False, as_json: AsJson = False
) -> None:
    """Turn an item down; the same words are not taken up again from others."""
    _rule(RulingKind.REJECT, item_id, who, Words(digest, because, override=False, yes=yes), as_json=as_json)


@app.command()
def settle(
    item_id: Item,
    answer: Annotated[RulingKind, typer.Argument(help="keep_old, take_new, both or neither.")],
    who: As,
    *,
    digest: Digest = "",
    because: Because = "",
    override: Override = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Answer a conflict, or a “remember this?”."""
    if answer not in ANSWERS:
        msg = "Answer with keep_old, take_new, both or neither."
        raise typer.BadParameter(msg)
    _rule(answer, item_id, who, Words(digest, because, override=override, yes=yes), as_json=as_json)


@app.command()
def undo(item_id: Item, who: As, *, yes: Yes = False, as_json: AsJson = False) -> None:
    """Take one's last ruling on an item back, while that is possible."""
    screen = Screen(as_json=as_json)
    with acting(screen, who, embeds=True) as (layer, actor):
        asked(f"Take the ruling on {item_id} back?", yes=yes)
        outcome = layer.review.undo(actor, item_id)
    _said(screen, outcome)


class Words:
    """What a person gave with a ruling."""

    def __init__(self, digest: str, because: str, *, override: bool, yes: bool) -> None:
        """As the options say."""
        self.digest = digest.strip().lower()
        self.because = because
        self.override = override
        self.yes = yes


def _rule(kind: RulingKind, item_id: str, who: str, given: Words, *, as_json: bool) -> None:
    """Rule on the bytes that were shown: in an earlier call, named by their digest, or in this one."""
    screen = Screen(as_json=as_json)
    if (given.yes or as_json) and not (given.yes and given.digest):
        msg = "--yes and --json need --yes with --digest: the digest of the words that `review show` showed."
        raise BadInput(msg)
    with acting(screen, who, embeds=True) as (layer, actor):
        item = layer.review.item(actor, item_id)
        if given.digest and given.digest != item.candidate.digest:
            msg = "The words are not those that were shown any more. Look again: chronomemory review show ID"
            raise StaleReview(msg)
        if not given.yes:
            _tell(screen, item)
            asked(f"{kind.value.replace('_', ' ').capitalize()} these words?", yes=False)
        ruling = Ruling(
            candidate_id=item_id,
            kind=kind,
            seen_version=item.candidate.version,
            digest=item.candidate.digest,
            note=given.because,
            override=given.override,
        )
        desk = layer.review
        outcome = desk.settle(actor, ruling) if kind in ANSWERS else desk.resolve(actor, ruling)
    _said(screen, outcome)


def _tell(screen: Screen, item: HeldItem) -> None:
    candidate, decision = item.candidate, item.decision
    origin, span = candidate.provenance, item.excerpt_span
    screen.say(f"{candidate.candidate_id}  version {candidate.version}, {item.state.value}")
    screen.say(f"  words:  {candidate.text}")
    screen.say(f"  digest: {candidate.digest}")
    screen.say(f"  from:   {origin.source_kind.value} · {origin.source_ref}, by {origin.actor}")
    screen.say(f"  text:   {item.excerpt[: span.start]}⟦{span.of(item.excerpt)}⟧{item.excerpt[span.end :]}")
    screen.say(f"  why:    {', '.join(decision.reasons)}")
    screen.table(
        (("✓" if step.passed else "✗", step.name, f"{step.value} (limit: {step.limit})") for step in decision.steps),
        indent="    ",
    )
    for finding in decision.evidence.findings:
        screen.say(f"    {finding.detector} {finding.severity:.1f}: {finding.note}")
    for held in decision.evidence.incumbents:
        screen.say(f"  in memory: {held.text} (trust {held.ranking_trust:.2f})")


def _said(screen: Screen, outcome: Outcome) -> None:
    screen.data(outcome)
    screen.say(outcome.message)
    if not outcome.ok:
        raise typer.Exit(REFUSED)


__all__ = ["app"]
