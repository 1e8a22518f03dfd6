"""The drawer that answers "Why is this remembered?". Chat and Memories open it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from console import evidence, keeping, safe, session, sureness, terms, timeline, widgets, words
from console.safe import Html, tag
from core.errors import ChronoMemoryError
from core.lifecycle import Why
from core.model import Actor, Decision, Memory, MemoryKind, MemoryStatus

DAY = 86_400.0
SHOWN_DIGITS = 12  # of a digest: enough to compare by eye


@st.dialog("Why this is remembered", width=620, position="right", on_dismiss=widgets.close_dialog)
def why(memory_id: str, run_id: str = "") -> None:
    """Everything behind one memory of the signed-in person; with `run_id`, its score in that answer too."""
    try:
        actor = session.current_actor(touch=False)
        found = session.layer().memories.why(actor, memory_id)
        names = session.layer().audit_desk.names(actor)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    memory = found.memory
    chips = [widgets.status_chip(memory.status), widgets.chip(memory.kind.value.capitalize())]
    chips += [widgets.chip("Pinned", "info")] if memory.pinned or memory.kind is MemoryKind.PINNED else []
    chips += [widgets.chip(terms.tier(one), "warn") for one in memory.impact]
    safe.draw(tag("div", *chips, cls="cm-chips"))
    safe.claim(memory.text)
    if run_id:
        _score(actor, memory_id, run_id)
    timeline.versions(actor, memory_id)
    _origin(found, names)
    _sure(found, names)
    _strength(found)
    if found.excerpt:
        widgets.section("In its own words", "the marked words state it")
        safe.quote(found.excerpt, found.excerpt_span)
    _links(found)
    _decisions(found.decisions, names)
    timeline.uses(actor, memory)
    if found.audit:
        with st.expander("Audit entries", icon=":material/receipt_long:"):
            safe.table(
                [
                    {
                        "No.": one.seq,
                        "When": words.moment(one.at),
                        "What": words.action(one.action),
                        "Who": name_of(one.actor, names),
                    }
                    for one in found.audit
                ]
            )
    keeping.acts(actor, memory)


def name_of(who: str, names: Mapping[str, str]) -> str:
    """A user id as a user name; other actors ("policy", "worker") as they are."""
    return names.get(who, who)


def _sure(found: Why, names: Mapping[str, str]) -> None:
    """Its confidence in the four terms it is recomputed from, and what an agent may do with it."""
    counsel, memory = found.counsel, found.memory
    if counsel.confidence is None:
        return
    widgets.section("How sure it is", sureness.LEAD)
    safe.draw(sureness.table(counsel.confidence, name_of(memory.confirmed_by or "", names)))
    if memory.status is MemoryStatus.ACTIVE:
        safe.draw(sureness.counselled(counsel, session.layer().policy))


def _strength(found: Why) -> None:
    memory = found.memory
    threshold = session.layer().policy.trust.threshold
    widgets.section("How strong it is")
    safe.draw(
        widgets.bar("Importance", memory.importance),
        widgets.bar("Freshness", found.freshness),
        widgets.bar("Strength", found.strength, limit=session.layer().policy.decay.archive_below),
        tag(
            "p",
            f"Strength {found.strength:.2f} = importance {memory.importance:.2f} × freshness {found.freshness:.2f}. "
            f"In an answer it is also multiplied by how well it fits the question. "
            f"Stated {words.age(memory.stated_at, widgets.now())}, used {words.plural(memory.access_count, 'time')}."
            f"{_half_life(memory)}",
            cls="cm-muted",
        ),
    )
    timeline.fading(memory)
    widgets.section("How far it is trusted")
    safe.draw(
        widgets.bar("At its origin", memory.effective_trust, limit=threshold),
        widgets.bar("Now", found.composite_trust, limit=threshold),
    )


def _half_life(memory: Memory) -> str:
    """A half-life of its own, if it has one; else it fades as its kind does."""
    if memory.half_life_days is None:
        return ""
    return f" It has a half-life of its own: {words.span_of(memory.half_life_days * DAY)}."


def _score(actor: Actor, memory_id: str, run_id: str) -> None:
    """Its score for the question of one answer, with every factor, so that a person can recompute it."""
    run = session.layer().chat.run(actor, run_id)
    one = next((one for one in run.detail.get("used", []) if one["memory_id"] == memory_id), None)
    if one is None:
        return
    widgets.section("In this answer", "cited" if one.get("cited") else "before the model, not cited")
    if "relevance" not in one:
        widgets.muted("It was looked up by what it is about, not by a search: it has no score here.")
        return
    factors = (("Importance", "importance"), ("Relevance", "relevance"), ("Freshness", "freshness"))
    safe.draw(
        *(widgets.bar(name, float(one[key])) for name, key in factors),
        tag("p", score_sentence(one, session.layer().policy.recall.ranker), cls="cm-muted"),
    )


def score_sentence(one: Mapping[str, Any], ranker: str) -> str:
    """The score and how it comes about."""
    near = f"Nearness in meaning {one['cosine']:.2f}, share of the question's words {one['coverage']:.2f}."
    if ranker != "product":
        return f"Score {one['score']:.2f}, by weighted similarity, recency and importance. {near}"
    return (
        f"Score {one['score']:.2f} = importance {one['importance']:.2f} × relevance {one['relevance']:.2f} × "
        f"freshness {one['freshness']:.2f}. {near}"
    )


def _links(found: Why) -> None:
    if not found.links:
        return
    widgets.section("What it is linked to")
    safe.draw(
        *(
            tag(
                "div",
                tag("span", terms.LINKS[kind], cls="cm-muted"),
                tag("span", other.text, dir="auto"),
                *([widgets.status_chip(other.status)] if other.status is not MemoryStatus.ACTIVE else []),
                cls="cm-link",
            )
            for kind, other in found.links
        )
    )


def _origin(found: Why, names: Mapping[str, str]) -> None:
    memory = found.memory
    widgets.section("Where it comes from")
    rows: list[tuple[str, str | Html]] = [
        ("Source", widgets.source_line(memory.source_kind, memory.source_ref, memory.source_title)),
        ("Stated", words.moment(memory.stated_at)),
    ]
    if memory.vouched_by:
        when = f", {words.age(memory.vouched_at, widgets.now())}" if memory.vouched_at else ""
        rows.append(("Vouched for by", f"{memory.vouched_by}{when}"))
    if memory.confirmed_by:
        when = f", {words.age(memory.confirmed_at, widgets.now())}" if memory.confirmed_at else ""
        rows.append(("Confirmed by", f"{name_of(memory.confirmed_by, names)}{when}"))
    if memory.origins > 1:
        rows.append(("Independent origins", f"{memory.origins} say the same"))
    safe.draw(widgets.facts(rows))
    if len(memory.roots) > 1:
        safe.draw(evidence.chain(memory.roots))


def _decisions(decisions: Sequence[Decision], names: Mapping[str, str]) -> None:
    widgets.section("Who decided", words.plural(len(decisions), "decision"))
    for decision in decisions:
        by = "the policy" if decision.by == "policy" else name_of(decision.by, names)
        rows: list[tuple[str, str | Html]] = [
            ("Ruling", f"{widgets.verdict(decision.verdict)} by {by}"),
            ("When", words.moment(decision.at)),
            ("Policy", decision.policy_digest[:SHOWN_DIGITS]),
        ]
        if decision.note:
            rows.append(("Reason given", decision.note))
        # a person rules on the steps that the policy took: they are not shown twice
        safe.draw(widgets.facts(rows), *([widgets.steps(decision.steps)] if decision.by == "policy" else []))
