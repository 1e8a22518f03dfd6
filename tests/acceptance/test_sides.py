"""Ask side by side, on the real layer: two answers, nothing written; held words only before eyes that may see them."""

from __future__ import annotations

import pytest

from core.errors import BadInput, NotAuthorised, NotFound, TooLarge
from core.model import Role
from tests.acceptance.life import WEB, Life, bytes_of_ledger, words_of_store
from tests.model_server import Answer, ModelServer

PAGE = "The launch is on 30 April. The venue has step-free access."


@pytest.fixture
def life(console):
    life = Life(console)
    life.say("Our launch is on 12 March.")
    life.say(PAGE, channel=WEB, source_ref="https://venue.example/visit")
    return life


def test_the_page_wins_without_a_gate_and_waits_with_one(life):
    found = life.layer.sides.compare(life.who, "When is our launch?")
    assert "12 March" in found.governed.text
    assert "30 April" not in found.governed.text
    assert "30 April" in found.plain.text
    assert not found.same
    assert [one.held for one in found.governed.cited] == [False]
    [page] = [one for one in found.plain.cited if one.held]
    assert page.memory.source_ref == "https://venue.example/visit"
    assert page.item is not None
    assert "low_trust" in page.item.decision.reasons
    assert found.held >= 2


def test_where_no_outsider_spoke_both_say_the_same(life):
    life.say("I am allergic to penicillin.")
    found = life.layer.sides.compare(life.who, "What am I allergic to?")
    assert found.same
    assert "penicillin" in found.governed.text


def test_it_writes_nothing(life, tmp_path, database_url):
    life.console.settle()
    before = (bytes_of_ledger(tmp_path / "data"), words_of_store(database_url), life.layer.ledger.head())
    for question in ("When is our launch?", "Does the venue have step-free access?", "I live in Porto."):
        life.layer.sides.compare(life.who, question)
    assert life.layer.drain() == 0
    assert before == (bytes_of_ledger(tmp_path / "data"), words_of_store(database_url), life.layer.ledger.head())
    assert life.facts(text="launch")[0].access_count == 0
    assert life.layer.chats.page(life.who) == ([], 0)


def test_with_a_model_held_words_reach_no_prompt(make_console):
    with ModelServer(Answer(text="The launch is on 12 March [1].")) as model:
        console = make_console(openai_base_url=model.base_url, openai_api_key="key", model_deadline_seconds=5.0)
        assert not console.layer.describe_model.startswith("none")
        life = Life(console)
        life.say("Our launch is on 12 March.")
        life.say(PAGE, channel=WEB, source_ref="https://venue.example/visit")
        assert model.chats  # the background role was asked to read
        model.requests.clear()
        found = life.layer.sides.compare(life.who, "When is our launch?")
        assert found.plain.text
        assert model.chats == []


def test_a_follow_up_is_understood_from_what_came_before_it(life):
    chat = life.layer.chat.new_id()
    life.console.ask("When is our launch?", conversation=chat)
    run = life.console.ask("And does the venue have step-free access?", conversation=chat)
    found = life.layer.sides.compare(
        life.who, "And does the venue have step-free access?", conversation_id=chat, asked_id=run.question_id
    )
    assert "step-free" in found.plain.text


def test_what_was_forgotten_comes_back_on_neither_side(life):
    life.say("I live in Porto.")
    life.layer.memories.forget(life.who, life.fact("Porto").memory_id, "private")
    life.console.settle()
    found = life.layer.sides.compare(life.who, "Where do I live?")
    assert "Porto" not in found.governed.text + found.plain.text
    life.layer.memories.purge(life.who, at_once=True)
    found = life.layer.sides.compare(life.who, "Where do I live?")
    assert "Porto" not in found.governed.text + found.plain.text
    assert "purged" not in found.plain.text


def test_a_member_who_may_not_see_held_items_does_not_see_them_here(make_console):
    console = make_console(chronomemory_members_see_held=False)
    ben = Life(console).of(console.person("ben", Role.MEMBER))
    ben.say("Our launch is on 12 March.")
    ben.say(PAGE, channel=WEB, source_ref="https://venue.example/visit")
    found = ben.layer.sides.compare(ben.who, "When is our launch?")
    assert not found.sees_held
    assert "30 April" not in found.plain.text
    assert found.held == 0


def test_a_member_sees_their_own_held_items_where_the_installation_says_so(console):
    ben = Life(console).of(console.person("ben", Role.MEMBER))
    ben.say("Our launch is on 12 March.")
    ben.say(PAGE, channel=WEB, source_ref="https://venue.example/visit")
    assert "30 April" in ben.layer.sides.compare(ben.who, "When is our launch?").plain.text
    ada = console.layer.sides.compare(console.admin, "When is our launch?")
    assert "30 April" not in ada.plain.text  # an admin compares over their own memory, not over another's


def test_an_ended_session_a_strange_chat_and_no_question_are_refused(life):
    ben = life.console.person("ben", Role.MEMBER)
    theirs = life.layer.chat.new_id()
    life.console.ask("I live in Porto.", actor=ben, conversation=theirs)
    sides = life.layer.sides
    with pytest.raises(NotFound):
        sides.compare(life.who, "And when?", conversation_id=theirs)
    with pytest.raises(BadInput, match="Type the question"):
        sides.compare(life.who, "  ")
    with pytest.raises(TooLarge, match="limit"):
        sides.compare(life.who, "x" * 2001)
    life.layer.accounts.end_sessions(life.console.admin, ben.user_id)
    with pytest.raises(NotAuthorised):
        sides.compare(ben, "Where do I live?")
