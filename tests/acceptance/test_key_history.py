"""The history of a key, told from the ledger: order, rulings, what was current when, and who may read what."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import BadInput, NotFound
from core.model import CandidateState, Role
from tests.acceptance.life import WEB, Life
from tests.conftest import Console
from tests.factories import NOW


@pytest.fixture
def life(console: Console) -> Life:
    return Life(console)


def test_statements_rulings_and_what_was_current(life: Life) -> None:
    life.say("I live in Leiden.")
    life.wait(days=1)
    life.say("I moved to Utrecht.")
    fact = life.fact("Utrecht")
    life.wait(days=1)
    life.layer.memories.forget(life.who, fact.memory_id, "not for you")
    life.console.settle()
    told = life.layer.key_histories.of_key(life.who, fact.subject, fact.attribute)
    assert [one.act for one in told.events] == ["admit", "admit", "memory:forgotten"]
    assert ["Leiden" in one.text for one in told.events] == [True, False, False]
    assert [[("Leiden" in text, "Utrecht" in text) for _, text in one.current] for one in told.events] == [
        [(True, False)],
        [(False, True)],
        [],
    ]
    assert told.events[0].policy_digest == life.layer.policy.digest
    assert told.events[2].by == life.who.user_id
    same = life.layer.key_histories.of_item(life.who, fact.memory_id)
    assert same.events == told.events


def test_who_may_read_what(life: Life) -> None:
    ben, rita = (
        life.of(life.console.person(name, role)) for name, role in (("ben", Role.MEMBER), ("rita", Role.REVIEWER))
    )
    ben.say("I live in Leiden.")
    episode = ben.say("Ben lives in Groningen.", channel=WEB, source_ref="https://town.example/people")
    item = next(one for one in ben.items(episode) if one.state is CandidateState.HELD)
    mine = ben.fact("Leiden")
    told = life.layer.key_histories.of_item(rita.who, item.candidate.candidate_id)
    assert {one.text for one in told.events if one.item_id == item.candidate.candidate_id} == {item.candidate.text}
    assert {one.text for one in told.events if one.item_id == mine.memory_id} <= {""}
    assert [one.actor for one in life.audit("candidate:read")] == [rita.who.user_id]
    own = life.layer.key_histories.of_item(ben.who, mine.memory_id)
    assert any("Leiden" in one.text for one in own.events)
    with pytest.raises(NotFound):
        life.layer.key_histories.of_item(life.of(life.console.person("mem", Role.MEMBER)).who, mine.memory_id)
    with pytest.raises(NotFound):
        life.layer.key_histories.of_item(rita.who, "nothing")
    with pytest.raises(BadInput):
        life.layer.key_histories.of_key(rita.who, "user", " ")
    assert not life.layer.key_histories.of_key(rita.who, mine.subject, mine.attribute).events, "her own memory has none"


def test_the_audit_is_filtered_by_who_and_when(life: Life) -> None:
    life.say("I live in Leiden.")
    life.wait(days=2)
    life.say("I keep bees behind the workshop.")
    desk, admin, day = life.layer.audit_desk, life.console.admin, timedelta(days=1)
    entries, total = desk.entries(admin, by="policy")
    assert total == len(entries) > 0
    assert {one.actor for one in entries} == {"policy"}
    early, count = desk.entries(admin, until=NOW + day)
    late, rest = desk.entries(admin, since=NOW + day)
    assert count + rest == desk.entries(admin)[1]
    assert max(one.at for one in early) < NOW + day <= min(one.at for one in late)
