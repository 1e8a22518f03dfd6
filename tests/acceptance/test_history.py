"""Versions, corrections, uses and the search by meaning, on the real layer."""

from __future__ import annotations

import pytest

from core.errors import BadInput, NotFound
from core.model import MemoryKind, MemoryStatus, Role, SourceKind
from core.ports import MemoryFilter
from tests.acceptance.life import WEB, Life, ruling

ACTIVE = MemoryFilter()


@pytest.fixture
def life(console):
    return Life(console)


def test_a_correction_supersedes_at_once_and_both_know_of_each_other(life):
    life.say("I live in Porto.")
    old = life.fact("Porto")
    life.wait(days=2)
    life.layer.memories.correct(life.who, old.memory_id, "I live in Braga.")
    assert life.row(old.memory_id).status is MemoryStatus.SUPERSEDED
    life.console.settle()
    answer = life.console.ask("Where do I live?").text
    assert "Braga" in answer
    assert "Porto" not in answer
    new = life.fact("Braga")
    for either in (old, new):
        versions = life.layer.history.versions(life.who, either.memory_id)
        assert [one.memory.memory_id for one in versions] == [old.memory_id, new.memory_id]
        assert (versions[0].by, versions[0].corrected) == (new.memory_id, True)
        assert (versions[1].by, versions[1].corrected) == ("", False)
    [echo] = [one for one in life.rows(text="Braga") if one.kind is MemoryKind.EVENT]
    assert [one.memory for one in life.layer.history.versions(life.who, echo.memory_id)] == [echo]


def test_a_second_click_on_correct_says_it_once(life):
    life.say("I live in Porto.")
    old = life.fact("Porto").memory_id
    first = life.layer.memories.correct(life.who, old, "I live in Braga.")
    again = life.layer.memories.correct(life.who, old, "I live in Braga.")
    assert first.episode_id == again.episode_id
    life.console.settle()
    assert len(life.facts(text="Braga")) == 1


def test_the_same_correction_after_a_restore_is_a_new_statement(life):
    life.say("I live in Porto.")
    old = life.fact("Porto").memory_id
    life.layer.memories.correct(life.who, old, "I live in Braga.")
    life.console.settle()
    life.layer.memories.forget(life.who, life.fact("Braga").memory_id, "no")
    life.say("I live in Porto.")
    back = life.fact("Porto").memory_id
    life.layer.memories.correct(life.who, back, "I live in Braga.")
    life.console.settle()
    assert life.facts(text="Braga")


@pytest.mark.parametrize("text", ["no", "What is it then?", "That is not right!"])
def test_words_that_state_nothing_leave_the_old_one(life, text):
    life.say("I live in Porto.")
    home = life.fact("Porto").memory_id
    with pytest.raises(BadInput, match="as a statement"):
        life.layer.memories.correct(life.who, home, text)
    assert life.row(home).status is MemoryStatus.ACTIVE
    assert life.layer.ledger.unprocessed() == 0


def test_versions_follow_the_slot_and_not_the_neighbours(life):
    for town in ("Porto", "Braga", "Faro"):
        life.say(f"I live in {town}.")
        life.wait(days=1)
    life.say("I like tea.")
    life.say("I like rain.")
    versions = life.layer.history.versions(life.who, life.fact("Faro").memory_id)
    assert [one.memory.value for one in versions] == ["Porto", "Braga", "Faro"]
    assert [one.by for one in versions] == [versions[1].memory.memory_id, versions[2].memory.memory_id, ""]
    assert len(life.layer.history.versions(life.who, life.fact("tea").memory_id)) == 1


def test_uses_name_the_chat_once_each(life):
    life.say("I live in Porto.")
    home = life.fact("Porto").memory_id
    chats = [life.layer.chat.new_id() for _ in range(2)]
    for chat in (*chats, chats[1]):
        life.console.ask("Where do I live?", conversation=chat)
    uses, total = life.layer.history.uses(life.who, home)
    assert total == 2
    assert [one.conversation_id for one in uses] == chats[::-1]
    assert life.row(home).access_count == 2


def test_by_meaning_finds_without_a_shared_word_and_by_filter(life):
    life.say("I work as a nurse.")
    life.say("I live in Porto.")
    found, more = life.layer.history.by_meaning(life.who, "my profession at the hospital", ACTIVE)
    assert found[0].memory.value == "nurse"
    assert not more
    assert found == sorted(found, key=lambda one: -one.cosine)
    events = MemoryFilter(kinds=(MemoryKind.EVENT.value,))
    assert all(
        one.memory.kind is MemoryKind.EVENT for one in life.layer.history.by_meaning(life.who, "hospital", events)[0]
    )
    web = MemoryFilter(source_kinds=(SourceKind.WEB_CONTENT,))
    assert life.layer.history.by_meaning(life.who, "nurse", web)[0] == []


def test_by_meaning_reaches_history_and_earlier_days_but_nothing_forgotten(life):
    life.say("I work as a nurse.")
    then = life.console.clock.now()
    life.wait(days=3)
    life.say("I work as a teacher now.")
    history = life.layer.history
    gone = MemoryFilter(statuses=(MemoryStatus.SUPERSEDED,), kinds=(MemoryKind.FACT.value,))
    assert [one.memory.value for one in history.by_meaning(life.who, "nurse", gone)[0]] == ["nurse"]
    before, _ = history.by_meaning(life.who, "my job", ACTIVE, then=then)
    assert "nurse" in {one.memory.value for one in before}
    assert not any("teacher" in one.memory.value for one in before)
    life.layer.memories.forget(life.who, life.fact("teacher").memory_id, "private")
    everything = MemoryFilter(statuses=tuple(MemoryStatus))
    assert not any("teacher" in one.memory.text for one in history.by_meaning(life.who, "teacher", everything)[0])


def test_filters_of_the_list_reach_the_store(life):
    life.say("I work as a nurse.")
    item = life.held(life.say("The invoices are paid to account DE02 1203 0000 0000 2020 51.", channel=WEB))
    life.layer.review.resolve(life.who, ruling(item, override=True))
    life.console.clock.forward(minutes=11)  # what could harm needs a second yes; who is alone gives it later
    life.layer.review.resolve(life.who, ruling(item, override=True))
    life.console.settle()
    desk = life.layer.memories
    harm, total = desk.list(life.who, impact="any")
    assert total == len(harm) >= 1
    assert all(one.impact for one in harm)
    tier = harm[0].impact[0]
    assert desk.list(life.who, impact=tier)[1] >= 1
    assert desk.list(life.who, impact="no_such_tier")[1] == 0
    facts, _ = desk.list(life.who, kinds=(MemoryKind.EVENT.value,))
    assert {one.kind for one in facts} == {MemoryKind.EVENT}


def test_a_selection_is_forgotten_at_once_or_not_at_all(life):
    life.say("I work as a nurse.")
    life.say("I live in Porto.")
    chosen = [life.fact("nurse").memory_id, life.fact("Porto").memory_id]
    desk = life.layer.memories
    with pytest.raises(NotFound):
        desk.forget_some(life.who, [*chosen, "nobody's"], "tidy")
    with pytest.raises(BadInput, match="Say why"):
        desk.forget_some(life.who, chosen, " ")
    assert life.facts(text="Porto")
    assert desk.forget_some(life.who, chosen, "tidy") == 2
    assert desk.forget_some(life.who, chosen, "tidy") == 0
    assert life.facts(text="Porto") == life.facts(text="nurse") == []
    assert life.recall("Where do I live?") == []


def test_others_have_no_history_for_me(life):
    life.say("I live in Porto.")
    home = life.fact("Porto").memory_id
    ben = life.console.person("ben", Role.MEMBER)
    for look in (life.layer.history.versions, life.layer.history.uses):
        with pytest.raises(NotFound):
            look(ben, home)
    assert life.layer.history.by_meaning(ben, "Porto", ACTIVE)[0] == []
