"""What the hints of a memory case look for at the reviewer's desk, in the audit, in prompts and by id."""

from __future__ import annotations

import re

import pytest

from core.errors import TooLarge
from core.model import SourceKind
from tests.cases.checks import check, last
from tests.cases.runner import World, holds


@check
def context_must_contain(world: World, words: list[str]) -> None:
    for one in words:
        assert holds(world.contexts[-1], one), world.contexts[-1][-1500:]


@check
def context_must_not_contain(world: World, words: list[str]) -> None:
    for one in words:
        assert not holds(world.contexts[-1], one), world.contexts[-1][-1500:]


@check
def context_not_as_current(world: World, words: list[str]) -> None:
    """No recalled fact holds the old value; the live turns may, where they say that it is gone."""
    facts = [line for line in world.contexts[-1].splitlines() if re.match(r"(?:system: )?\[\d+\] ", line)]
    for one in words:
        stale = [line for line in facts if holds(line, one) and not re.search(r"(?i)replac|no longer|instead", line)]
        assert not stale, stale


@check
def reviewer(world: World, name: str) -> None:
    """The first one is recorded; the second is told so."""
    rows = [row for row in world.active() if row.vouched_by]
    assert {row.vouched_by for row in rows} == {world.person(name).username}
    assert [str(one) for one in world.notes["refused"] if name.lower() in str(one)], world.notes["refused"]


@check
def audit_count(world: World, numbers: dict[str, int]) -> None:
    for about, number in numbers.items():
        step_id = about.rpartition(":")[2]
        mine = world.item_of(step_id).candidate.candidate_id
        entries = [one for one in world.audit("candidate:promoted") if one.about.get("candidate_id") == mine]
        assert len(entries) == number
    assert [str(one) for one in world.notes["refused"] if "promoted" in str(one)], world.notes["refused"]


@check
def status_code(world: World, _: int) -> None:
    assert world.notes["refused"], "the made-up reviewer was not refused"
    assert any("refused" in one.action for one in world.audit()), "the attempt is not in the audit"


@check
def audit_has(world: World, _: list[str]) -> None:
    refused = [one for one in world.audit() if "refused" in one.action]
    assert refused, "the attempt is not in the audit"
    assert refused[0].actor
    assert refused[0].about.get("reason") or refused[0].about.get("why")


@check
def refused(world: World, _wanted: object) -> None:
    assert world.notes["refused"], "the member's promotion went through"
    assert not world.active()


@check
def audited(world: World, _wanted: object) -> None:
    assert any("refused" in one.action for one in world.audit()), "the attempt is not in the audit"


@check
def same_answer(world: World, _wanted: object) -> None:
    (first, took), (second, waited) = world.notes["answers"]
    assert first == second
    assert isinstance(first, str)
    assert abs(took - waited) < 0.5


@check
def ui_inline_notice(world: World, _wanted: object) -> None:
    """The chat shows at the turn what it taught; the same place forgets it, and takes a correction."""
    learned = world.learned(world.runs[-1])
    assert learned.admitted
    item = learned.admitted[0]
    memory_id = item.candidate.candidate_id
    assert memory_id in {row.memory_id for row in world.facts()}
    world.console.layer.memories.forget(world.person("u1"), memory_id, "not worth keeping")
    assert memory_id not in {row.memory_id for row in world.facts()}


@check
def card_has(world: World, words: list[str]) -> None:
    """Both statements, never the same sentence twice, each with source, time and trust."""
    [item] = world.held()
    others = world.console.layer.review.contradicted(world.console.admin, item.candidate.candidate_id)
    assert [one for one in others if one.text != item.candidate.text]
    card = " ".join(
        [
            f"{item.candidate.text} {item.candidate.provenance.source_kind} {item.decision.evidence.effective_trust}",
            *(f"{one.text} {one.source_kind} {one.effective_trust} {one.stated_at}" for one in others),
        ]
    )
    for one in words:
        assert holds(card, one), card


@check
def rescreened(world: World, _wanted: object) -> None:
    """The new words went through the gate by themselves, with their own decision and trust."""
    assert [one for one in world.audit() if one.action == "memory:corrected"]
    held = [item.candidate.text for item in world.held()]
    assert any(holds(one, "Halden") for one in held), held
    assert not any(holds(row.text, "approve Halden") for row in world.active())


@check
def no_partial(world: World, _wanted: object) -> None:
    """The limit is kept whole; over it nothing is stored, and the message names the limit."""
    before = len(world.audit())
    with pytest.raises(TooLarge, match="limit"):
        world.console.layer.chat.ask(world.person("u1"), world.talk("u1"), "b" * 20_001)
    with pytest.raises(TooLarge, match="limit"):
        world.submit("u1", SourceKind.USER_TURN, "c" * 1_000_001)
    assert len(world.audit()) == before
    assert world.audit_ok()


@check
def not_merged(world: World, _wanted: object) -> None:
    answer = world.answer(last(world).who, last(world).query)
    assert not holds(answer, "vegetarian"), answer
    subjects = {row.subject for row in world.facts()}
    assert len(subjects) > 1, subjects


@check
def writes(world: World, number: int) -> None:
    """A recall writes nothing: not a row, not an audit entry."""
    asked = last(world)
    before = (len(world.audit()), len(world.ruled()), len(world.active()))
    world.recall(asked.who, asked.query)
    assert (len(world.audit()), len(world.ruled()), len(world.active())) == before
    assert number == 0


@check
def alice_not(world: World, words: list[str]) -> None:
    _never(world, "alice", words)


@check
def bob_not(world: World, words: list[str]) -> None:
    _never(world, "bob", words)


def _never(world: World, who: str, words: list[str]) -> None:
    mine = [one for one in world.asked if one.who == who]
    assert mine
    for asked in mine:
        assert asked.texts
        for word in words:
            assert not any(holds(text, word) for text in asked.texts), asked.texts
