"""`chronomemory recall` and `why`: what memory answers, and what stands behind it. Nothing is counted as used."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.advice import for_an_agent
from core.confidence import reason as reason_of
from core.entrypoints.cli.frame import As, AsJson, acting
from core.entrypoints.cli.screen import Screen, jsonable
from core.errors import BadInput
from core.history import Version
from core.lifecycle import Why
from core.model import Actor, Confidence, Hit, Memory

if TYPE_CHECKING:
    from core.layer import MemoryLayer

Question = Annotated[str, typer.Argument(help="In your own words.")]


def recall(
    question: Question,
    who: As,
    *,
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many at most.")] = 5,
    as_of: Annotated[str, typer.Option("--as-of", help="What was current then: 2026-03-02, or with a time.")] = "",
    archived: Annotated[bool, typer.Option("--include-archived", help="Faded memories too.")] = False,
    as_json: AsJson = False,
) -> None:
    """The memories that answer a question, each with the factors of its score."""
    screen, then = Screen(as_json=as_json), _time(as_of)
    with acting(screen, who, embeds=True) as (layer, actor):
        found = layer.agent.recaller.recall(question, actor.scope, k=k, as_of=then, include_archived=archived)
        told = for_an_agent(found.counsel, layer.ledger, layer.chat.clock.now(), layer.policy)
    counsel = {"advice": told.advice.value, "reason": reason_of(told)}
    hits = [_hit(one) for one in found.hits]
    screen.data({"question": question, "candidates": found.candidates, "counsel": counsel, "hits": hits})
    if not found.hits:
        screen.say(f"Nothing in memory answers this ({found.candidates} looked at).")
    for number, hit in enumerate(found.hits, start=1):
        memory = hit.memory
        screen.say(f"[{number}] {memory.text}")
        screen.say(
            f"    score {hit.score:.3f} = importance {memory.importance:.2f} × relevance {hit.relevance:.2f} "
            f"× freshness {hit.freshness:.2f}"
        )
        mark = "  needs confirmation" if hit.needs_confirmation else ""
        screen.say(f"    trust {hit.composite_trust:.2f}  {_source(memory)}  {hit.age_days:.0f} days{mark}")
        if hit.confidence is not None:
            screen.say(f"    {_sure(hit.confidence)}")
        screen.say(f"    id {memory.memory_id}")
    screen.say(f"An agent may {told.advice.value}: {reason_of(told)}")


def why(question: Question, who: As, *, as_json: AsJson = False) -> None:
    """The answer to a question and everything behind it: sources, roots, gate steps, and what it replaced."""
    screen = Screen(as_json=as_json)
    with acting(screen, who, embeds=True) as (layer, actor):
        side = layer.sides.compare(actor, question).governed
        lineage = [(one.number, *_lineage(layer, actor, one.memory)) for one in side.cited]
    screen.data(
        {
            "question": question,
            "answer": side.text,
            "behind": [
                {"number": number, "why": jsonable(reason), "versions": jsonable(versions)}
                for number, reason, versions in lineage
            ],
        }
    )
    screen.say(side.text)
    for number, reason, versions in lineage:
        screen.say()
        _tell(screen, number, reason, versions)


def _lineage(layer: MemoryLayer, actor: Actor, memory: Memory) -> tuple[Why, tuple[Version, ...]]:
    return layer.memories.why(actor, memory.memory_id), layer.history.versions(actor, memory.memory_id)


def _tell(screen: Screen, number: int, reason: Why, versions: tuple[Version, ...]) -> None:
    memory = reason.memory
    screen.say(f"[{number}] {memory.text}")
    screen.say(f"  trust {reason.composite_trust:.2f} (effective {memory.effective_trust:.2f}), {_source(memory)}")
    if reason.counsel is not None and reason.counsel.confidence is not None:
        screen.say(f"  {_sure(reason.counsel.confidence)}")
        screen.say(f"  may be used to {reason.counsel.advice.value}: {reason_of(reason.counsel)}")
    if memory.vouched_by:
        screen.say(f"  vouched for by {memory.vouched_by}, {_day(memory.vouched_at)}")
    screen.say(f"  stated {_day(memory.stated_at)}, freshness {reason.freshness:.2f}, {memory.origins} origin(s)")
    if reason.excerpt_span is not None:
        screen.say(f"  its words: “{reason.excerpt_span.of(reason.excerpt)}”")
    for root in memory.roots:
        screen.say(f"  root: {root.source_kind.value} {root.source_ref}, trust {root.trust:.2f}")
    for decision in reason.decisions:
        by = "the policy" if decision.by == "policy" else decision.by
        screen.say(f"  {decision.verdict.value} by {by}, {_day(decision.at)}: {', '.join(decision.reasons)}")
        screen.table(
            (
                ("✓" if step.passed else "✗", step.name, f"{step.value} (limit: {step.limit})")
                for step in decision.steps
            ),
            indent="    ",
        )
    for kind, other in reason.links:
        screen.say(f"  {kind.value.replace('_', ' ')}: {other.text}")
    for version in versions:
        if version.memory.memory_id == memory.memory_id:
            continue
        how = "corrected" if version.corrected else version.memory.status.value
        screen.say(f"  {how}: {version.memory.text} ({_source(version.memory)}, {_day(version.memory.stated_at)})")


def _sure(found: Confidence) -> str:
    """A confidence with the products that add up to it (rules §5.1)."""
    terms = " + ".join(f"{one.product:.3f} {one.name.replace('_', '-')}" for one in found.terms)
    return f"confidence {found.value:.3f} = {terms}"


def _hit(hit: Hit) -> dict[str, Any]:
    whole: dict[str, Any] = jsonable(hit)
    return whole


def _source(memory: Memory) -> str:
    place = memory.source_title or memory.source_ref
    return f"{memory.source_kind.value.replace('_', ' ')}{f' · {place}' if place else ''}"


def _day(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def _time(text: str) -> datetime | None:
    """A time as it was typed; without a zone it is UTC, without a clock time the end of that day.

    Raises:
        BadInput: it is none.
    """
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as problem:
        msg = f"{text} is no time: write 2026-03-02 or 2026-03-02T15:00."
        raise BadInput(msg) from problem
    if "T" not in text and " " not in text:
        at = at.replace(hour=23, minute=59, second=59)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


__all__ = ["recall", "why"]
