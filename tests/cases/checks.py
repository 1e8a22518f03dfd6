"""What the hints of a memory case look for, over `World`: one small function a key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.model import MemoryStatus, SourceKind
from tests.cases.runner import Asked, World, holds, moment, origins_of

CHECKS: dict[str, Callable[[World, Any], None]] = {}


def check(function: Callable[[World, Any], None]) -> Callable[[World, Any], None]:
    CHECKS[function.__name__] = function
    return function


def run_checks(world: World, checks: dict[str, Any]) -> None:
    for name, wanted in checks.items():
        CHECKS[name](world, wanted)


def last(world: World) -> Asked:
    """The last recall of today, as against one of an earlier moment."""
    return next(one for one in reversed(world.asked) if one.as_of is None)


@check
def must_contain(world: World, words: list[str]) -> None:
    """The recalled facts hold each of the words, and so does what the chat answers to the same question."""
    asked = last(world)
    for one in words:
        assert any(holds(text, one) for text in asked.texts), f"{one!r} is in none of {asked.texts}"


@check
def must_not_contain(world: World, words: list[str]) -> None:
    """Neither what was recalled nor the chat's answer holds any of the words; without a recall, no memory does."""
    if not world.asked:
        for one in words:
            assert not any(holds(row.text, one) for row in world.active())
        return
    asked = last(world)
    answer = world.answer(asked.who, asked.query)
    for one in words:
        assert not any(holds(text, one) for text in asked.texts), f"{one!r} was recalled: {asked.texts}"
        assert not holds(answer, one), f"{one!r} was answered: {answer}"


@check
def must_not_contain_active(world: World, words: list[str]) -> None:
    for one in words:
        stale = [row.text for row in world.active() if holds(row.text, one)]
        assert not stale, f"{one!r} is still current: {stale}"


@check
def not_current(world: World, words: list[str]) -> None:
    """No current fact has it as its value; words that tell of the change may name it."""
    for one in words:
        stale = [
            row.text
            for row in world.facts()
            if holds(row.value, one) or (holds(row.text, one) and row.attribute != "uses")
        ]
        assert not stale, f"{one!r} is still current: {stale}"


@check
def superseded(world: World, words: list[str]) -> None:
    """History holds the old side, and no current fact does."""
    for one in words:
        assert world.superseded(one), f"{one!r} is not in the history: {[row.text for row in world.superseded()]}"


@check
def superseded_count(world: World, number: int) -> None:
    rows = [row.text for row in world.superseded()]
    assert len(rows) == number, rows


@check
def active_count(world: World, number: int) -> None:
    rows = [row.text for row in world.active()]
    assert len(rows) == number, rows


@check
def held_count(world: World, number: int) -> None:
    items = [item.candidate.text for item in world.held()]
    assert len(items) == number, items


@check
def active_count_about(world: World, numbers: dict[str, int]) -> None:
    for words, number in numbers.items():
        rows = [row.text for row in world.about(words)]
        assert len(rows) == number, rows


@check
def held(world: World, words: list[str]) -> None:
    """It waits for a person, and nothing of it is current."""
    for one in words:
        assert world.held(one), f"{one!r} is not held: {[(i.candidate.text, i.state) for i in world.ruled()]}"
        rows = [
            row.text for row in world.active() if row.source_kind is not SourceKind.USER_TURN and holds(row.text, one)
        ]
        assert not rows, rows


@check
def effective_trust_max(world: World, limit: float) -> None:
    """Of every held item; each shows the chain of what it was made from."""
    items = world.held()
    assert items
    for item in items:
        assert item.decision.evidence.effective_trust <= limit + 1e-9, item.candidate.text
    derived = [item for item in items if item.candidate.provenance.derived_from]
    for item in derived:
        kinds = {root.source_kind for root in item.decision.evidence.roots}
        assert kinds - {item.candidate.provenance.source_kind}, "the card does not show the origin"


@check
def independent_origins(world: World, number: int) -> None:
    things = [*world.active(), *world.held()]
    assert things, [(one.candidate.text, one.state.value) for one in world.ruled()]
    assert max(origins_of(one) for one in things) == number


@check
def status_active(world: World, words: list[str]) -> None:
    for one in words:
        assert world.about(one), f"{one!r} is not current"


@check
def corroboration_min(world: World, number: int) -> None:
    assert max(one.origins for one in world.facts()) >= number, [(one.text, one.origins) for one in world.facts()]


@check
def corroboration_unchanged(world: World, _wanted: object) -> None:
    assert {one.origins for one in world.active()} == {1}


@check
def reply_not(world: World, words: list[str]) -> None:
    reply = world.runs[-1].text
    for one in words:
        assert not holds(reply, one), reply


@check
def reply_says_unknown(world: World, _wanted: object) -> None:
    reply = world.runs[-1].text
    assert re.search(r"(?i)\b(?:don't|do not|haven't|have not|nothing|no memory|not told|not know)", reply), reply
    for row in world.active():
        assert row.text.rstrip(".") not in reply, f"a weak neighbour is listed: {reply}"


@check
def provenance_shown(world: World, word: str) -> None:
    """Whatever is kept of an agent's own words says so; held, it says so on the card."""
    rows = [one.source_kind.value for one in world.active()]
    cards = [one.candidate.provenance.source_kind.value for one in world.held()]
    assert rows + cards
    assert all(one.startswith(word) for one in rows + cards), (rows, cards)


@check
def conflict_flagged(world: World, _wanted: object) -> None:
    """A card or a question says that two things clash."""
    assert [item for item in world.held() if "conflict" in item.decision.reasons], [one.text for one in world.facts()]


@check
def conflict_pair(world: World, words: list[str]) -> None:
    """The card names the other statement by id and text, as a contradiction and not as something similar."""
    new = world.held(words[1])
    assert new, [(item.candidate.text, item.state.value) for item in world.ruled()]
    item = new[0]
    assert "conflict" in item.decision.reasons, item.decision.reasons
    others = world.console.layer.review.contradicted(world.console.admin, item.candidate.candidate_id)
    assert [one for one in others if holds(one.text, words[0])], [one.text for one in others]


@check
def as_of_contains(world: World, words: list[str]) -> None:
    asked = next(one for one in world.asked if one.as_of is not None)
    for one in words:
        assert any(holds(text, one) for text in asked.texts), asked.texts


@check
def first_contains(world: World, words: list[str]) -> None:
    assert all(holds(last(world).texts[0], one) for one in words), last(world).texts


@check
def last_first_contains(world: World, words: list[str]) -> None:
    """Of the last recall, the first hit."""
    first_contains(world, words)


@check
def created_at(world: World, text: str) -> None:
    rows = world.active()
    assert rows
    for row in rows:
        assert row.created_at == moment(text), row.created_at
        assert row.stated_at == moment(text), row.stated_at
        assert row.stated_at.utcoffset() is not None


@check
def result_count(world: World, number: int) -> None:
    assert len(last(world).found.hits) == number, last(world).texts


@check
def miss_reason_shown(world: World, _wanted: object) -> None:
    """Nothing found and nothing saved are two things: what fell below the floor is named, with its signals and why."""
    asked = last(world)
    if not asked.found.hits:
        assert asked.found.below, "nothing says that something was near"
        hit, why = asked.found.below[0]
        assert why
        assert hit.cosine
    nobody = world.recall("another", asked.query)
    assert not nobody.found.hits
    assert not nobody.found.below


@check
def subject_not_user(world: World, words: list[str]) -> None:
    """No fact on the user holds it, and asked about the user the chat knows nothing."""
    for one in words:
        rows = [(row.subject, row.text) for row in world.facts() if row.subject == "user" and holds(row.text, one)]
        assert not rows, rows
    answer = world.answer(last(world).who, last(world).query)
    assert not re.match(r"(?i)(?:yes|no)\b|you (?:like|hate|dislike)", answer), answer


@check
def no_provenance(world: World, given: dict[str, list[str]]) -> None:
    for kind, words in given.items():
        for one in words:
            rows = [
                row.text for row in world.active() if row.source_kind.value.startswith(kind) and holds(row.text, one)
            ]
            assert not rows, rows
    for row in world.active():
        assert row.subject != "user", row.text


@check
def audit_valid(world: World, wanted: object) -> None:
    assert world.audit_ok() is wanted


@check
def current_count(world: World, numbers: dict[str, int]) -> None:
    """At most so many current values of the slot."""
    attributes = {"residence": {"home", "address", "current_location"}}
    for name, number in numbers.items():
        rows = [row.text for row in world.facts() if row.attribute in attributes.get(name, {name})]
        assert len(rows) <= number, rows
        assert rows


@check
def owner_correct(world: World, _wanted: object) -> None:
    for name, actor in world.people.items():
        for row in world.memories(name, *MemoryStatus):
            assert row.scope == actor.scope
    assert world.notes["rows"]


@check
def queue_len(world: World, number: int) -> None:
    assert world.notes["queue"] == number
    assert world.held(), "there was nothing to hide"


@check
def audit_actions(world: World, words: list[str]) -> None:
    for one in words:
        assert any(one in action for action in world.notes["tail"]), world.notes["tail"][:20]


@check
def after_import_absent(world: World, _wanted: object) -> None:
    first = world.asked[0]
    assert not first.texts, first.texts


@check
def after_user_present(world: World, _wanted: object) -> None:
    assert last(world).texts


@check
def ui_shows(world: World, words: str) -> None:
    """The turn says that nothing was remembered: read, and nothing in it."""
    learned = world.learned(world.runs[-1])
    assert learned.processed
    assert not learned.admitted
    assert not learned.held


@check
def grep_hits(world: World, number: int) -> None:
    """In every file of the installation and every row of the store, words and numbers."""
    found = world.notes["storage"]().count(world.notes["grep"])
    assert found == number, found


@check
def sensitive_flag(world: World, words: list[str]) -> None:
    """A sensitive fact of the owner's waits for the owner's yes: nothing of it is current before."""
    for one in words:
        rows = [row.text for row in world.active() if holds(row.text, one)]
        assert not rows, f"kept without asking: {rows}"
