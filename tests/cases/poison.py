"""The adversarial stories: each message by its channel, and what must hold of memory, queue, audit and recall."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from core.model import MemoryStatus, SourceKind
from tests.cases.runner import CHANNELS, TODAY, World, holds, origins_of

Step = dict[str, Any]
Check = dict[str, Any]
CHECKS: dict[tuple[str, str], Callable[[World, Check], None]] = {}
NAMES = {"alice": "alice", "mallory": "mallory"}


def check(where: str, op: str) -> Callable[[Callable[[World, Check], None]], Callable[[World, Check], None]]:
    def register(function: Callable[[World, Check], None]) -> Callable[[World, Check], None]:
        CHECKS[where, op] = function
        return function

    return register


def owner_of(steps: list[Step]) -> str:
    """Whose assistant it is: the user of the story, or alice."""
    users = [one["actor"].partition(":")[2] for one in steps if one["role"] == "user"]
    return users[0] if users else "alice"


def run_story(world: World, steps: list[Step]) -> None:
    """Every message in order; another session is another conversation on another day.

    An agent's turn gets no list of inputs here: what was in its context is for the server to know.
    """
    who = owner_of(steps)
    world.notes["who"] = who
    world.person(who)
    for number, step in enumerate(steps):
        world.at(TODAY + timedelta(days=step["session"], minutes=number))
        world.session = step["session"]
        kind, _, name = step["actor"].partition(":")
        channel = CHANNELS[step["role"]] if step["role"] in CHANNELS else CHANNELS[step["provenance"]]
        if channel is SourceKind.USER_TURN:
            world.say(who, step["text"])
            continue
        if step.get("imported_from") or name.startswith("peer"):
            channel = SourceKind.THIRD_PARTY  # another installation's agent is not this one's
        claims = [f"{key}={value}" for key, value in step.get("metadata", {}).items()]
        claims += [f"provenance={step['claimed_provenance']}"] if "claimed_provenance" in step else []
        world.submit(
            who,
            channel,
            step["text"],
            source_ref=name if kind in {"url", "file", "mail"} else step["actor"],
            actor=step["actor"],
            tool=name if channel is SourceKind.TOOL_OUTPUT else "",
            claimed=tuple(claims),
        )


def run_checks(world: World, checks: list[Check]) -> None:
    for one in checks:
        CHECKS[one["where"], one["op"]](world, one)


def trusted(world: World, check: Check) -> list[str]:
    """What is recalled as true, by the owner; of the shared scope nothing is written without a promotion."""
    if check.get("scope") == "shared":
        return [row.text for row in world.memories("somebody-else")]
    return [row.text for row in world.active()]


@check("trusted", "absent")
def trusted_absent(world: World, check: Check) -> None:
    rows = [text for text in trusted(world, check) if holds(text, check["value"])]
    assert not rows, rows


@check("trusted", "present")
def trusted_present(world: World, check: Check) -> None:
    rows = trusted(world, check)
    assert any(holds(text, check["value"]) for text in rows), (rows, [one.candidate.text for one in world.held()])


@check("trusted", "current")
def trusted_current(world: World, check: Check) -> None:
    rows = [row.text for row in world.facts() if holds(row.text, check["value"])]
    assert rows, [row.text for row in world.active()]


@check("history", "present")
def history_present(world: World, check: Check) -> None:
    rows = world.superseded(check["value"])
    assert rows, [row.text for row in world.superseded()]
    assert all(row.expired_at or row.invalid_at or row.superseded_by for row in rows)


@check("quarantine", "present")
def held_present(world: World, check: Check) -> None:
    assert world.held(check["value"]), [(one.candidate.text, one.state.value) for one in world.ruled()]


@check("quarantine", "effective_trust_le")
def held_trust(world: World, check: Check) -> None:
    assert world.held()
    for item in world.held():
        evidence = item.decision.evidence
        assert evidence.effective_trust <= check["value"] + 1e-9, (item.candidate.text, evidence.effective_trust)
        if item.candidate.provenance.source_kind is SourceKind.AGENT_TURN:
            assert SourceKind.WEB_CONTENT in {root.source_kind for root in evidence.roots}


@check("quarantine", "composite_trust_le")
def held_composite(world: World, check: Check) -> None:
    held_trust(world, check)


@check("quarantine", "independent_origins")
def held_origins(world: World, check: Check) -> None:
    assert world.held()
    assert {origins_of(item) for item in world.held()} == {check["value"]}


@check("quarantine", "independent_origins_le")
def held_origins_at_most(world: World, check: Check) -> None:
    assert world.held()
    assert max(origins_of(item) for item in world.held()) <= check["value"]


@check("quarantine", "count_le")
def held_count(world: World, check: Check) -> None:
    items = world.held(check["match"])
    assert len(items) <= check["value"], [one.candidate.text for one in items]


@check("conflicts", "present")
def conflict_present(world: World, check: Check) -> None:
    items = world.held(check["value"])
    assert items
    assert any("conflict" in item.decision.reasons for item in items), [item.decision.reasons for item in items]


@check("any", "no_fact")
def no_fact(world: World, check: Check) -> None:
    """Neither in memory nor in the queue does such a fact stand."""
    wanted = check["value"]
    rows = [
        row.text
        for row in world.active()
        if row.subject == wanted["subject"] and holds(row.text, wanted["object_contains"])
    ]
    rows += [
        item.candidate.text
        for item in world.ruled(wanted["object_contains"])
        if item.candidate.proposal.subject == wanted["subject"]
    ]
    assert not rows, rows


@check("any_fact", "absent")
def any_fact_absent(world: World, check: Check) -> None:
    rows = [one.candidate.text for one in world.ruled() if check["value"] in one.candidate.text]
    rows += [
        row.text for name in world.people for row in world.memories(name, *MemoryStatus) if check["value"] in row.text
    ]
    assert not rows, rows


@check("retrieval", "absent")
def retrieval_absent(world: World, check: Check) -> None:
    who = world.notes["who"]
    asked = world.recall(who, check["query"], k=50)
    assert not [text for text in asked.texts if holds(text, check["value"])], asked.texts
    answer = world.answer(who, check["query"])
    assert not holds(answer, check["value"]), answer


@check("audit", "event")
def audit_event(world: World, check: Check) -> None:
    actions = {one.action for one in world.audit()}
    assert any(check["value"] in action for action in actions), sorted(actions)


def _findings(world: World) -> list[str]:
    return [f"{one.detector} {one.note}" for item in world.ruled() for one in item.decision.evidence.findings]


@check("review_ui", "flag")
def card_flag(world: World, check: Check) -> None:
    wanted = {"hidden_characters": "hidden|invisible", "mixed_script": "alike|mixed|look-alike"}
    found = _findings(world)
    assert any(holds(one, wanted.get(check["value"], check["value"])) for one in found), found


@check("review_ui", "no_flag")
def card_no_flag(world: World, check: Check) -> None:
    found = [one for one in _findings(world) if holds(one, "hidden|invisible")]
    assert not found, found


@check("review_ui", "shows")
def card_shows(world: World, check: Check) -> None:
    """What the review page prints for the card's words (console.safe)."""
    from console import safe  # noqa: PLC0415

    shown = " ".join(_findings(world)) + " ".join(str(safe.words(one.candidate.text)) for one in world.ruled())
    assert check["value"] in shown, shown[:600]
