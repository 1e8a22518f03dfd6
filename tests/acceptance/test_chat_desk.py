"""The chat's list, what an answer left out and why, tool results, and trying an answer again."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.errors import BadInput, ModelUnavailable, NotFound, TooLarge
from core.model import CandidateState, Role, RunState
from tests.acceptance.life import WEB, Life


@pytest.fixture
def life(console):
    return Life(console)


def why(run, text: str) -> set[str]:
    rows = [*run.detail["unused"], *run.detail["gone"]]
    return {one["why"] for one in rows if text in one["text"]}


def test_an_answer_names_what_was_superseded_expired_decayed_and_taken_back(life):
    life.say("I live in Porto.")
    life.wait(days=1)
    life.say("I live in Braga.")
    assert "superseded" in why(life.console.ask("Where do I live?"), "Porto")
    life.say("I no longer live in Braga.")
    assert "taken back" in why(life.console.ask("Where do I live?"), "Braga")
    life.say("This week I am staying at the Lakeside hotel.")
    life.wait(days=30)
    assert "expired" in why(life.console.ask("Am I staying at the Lakeside hotel?"), "Lakeside")
    life.say("I play the cello.")
    life.layer.memories.archive(life.who, life.fact("cello").memory_id)
    life.say("I play chess with my cello teacher.")
    assert "decayed" in why(life.console.ask("Do I play the cello?"), "play the cello.")


def test_nothing_forgotten_is_named_as_left_out(life):
    life.say("I live in Porto.")
    life.layer.memories.forget(life.who, life.fact("Porto").memory_id, "private")
    run = life.console.ask("Where do I live?")
    assert why(run, "Porto") == set()


def test_held_facts_are_counted_with_ids_and_a_word_that_finds_them(life):
    page = life.say("The venue has step-free access.", channel=WEB)
    run = life.console.ask("Does the venue have step-free access?")
    held = life.held(page)
    assert run.detail["withheld"] == 1
    assert run.detail["withheld_ids"] == [held.candidate.candidate_id]
    word = run.detail["withheld_word"]
    assert word
    assert [one.candidate.candidate_id for one in life.layer.review.pending(life.who, text=word)[0]] == [
        held.candidate.candidate_id
    ]
    assert "step-free access." not in str(run.detail["prompt"])


def test_chats_are_found_renamed_and_keep_their_name(life):
    chats = life.layer.chats
    ids = [life.layer.chat.new_id() for _ in range(3)]
    for chat, text in zip(ids, ("Dinner on Friday", "旅行去里斯本", "رحلة إلى لشبونة"), strict=True):
        life.console.ask(text, conversation=chat)
        life.console.clock.forward(minutes=1)
    page, total = chats.page(life.who, limit=2)
    assert ([one.conversation_id for one in page], total) == (ids[:0:-1], 3)
    assert [one.conversation_id for one in chats.page(life.who, text="里斯本")[0]] == [ids[1]]
    assert [one.conversation_id for one in chats.page(life.who, text="friday DINNER")[0]] == [ids[0]]
    assert chats.page(life.who, text="nothing like it") == ([], 0)
    chats.rename(life.who, ids[0], "  Supper \n plans ")
    life.console.ask("And dessert?", conversation=ids[0])
    assert [one.title for one in chats.page(life.who, text="supper")[0]] == ["Supper plans"]
    with pytest.raises(BadInput, match="name"):
        chats.rename(life.who, ids[0], " ")
    with pytest.raises(BadInput, match="limit"):
        chats.rename(life.who, ids[0], "x" * 121)
    ben = life.console.person("ben", Role.MEMBER)
    with pytest.raises(NotFound):
        chats.rename(ben, ids[0], "mine")
    renamed = life.audit("conversation:renamed")
    assert [one.about for one in renamed] == [{"conversation_id": ids[0]}]


def test_renaming_keeps_the_place_in_the_list(life):
    ids = [life.layer.chat.new_id() for _ in range(2)]
    for chat in ids:
        life.console.ask("Hello", conversation=chat)
        life.console.clock.forward(minutes=1)
    life.layer.chats.rename(life.who, ids[0], "First")
    assert [one.conversation_id for one in life.layer.chats.page(life.who)[0]] == ids[::-1]


def test_a_tool_result_is_worth_what_the_registry_says(life):
    chat = life.layer.chat
    known, unknown = chat.preview_tool("inventory"), chat.preview_tool("something else")
    assert (known, unknown) == (life.layer.policy.tools.records, life.layer.policy.trust.unregistered_tool)
    one = chat.attach_tool(life.who, chat.new_id(), tool="something else", text="The warehouse has 14 lamps.")
    life.console.settle()
    items = life.items(one)
    assert items
    assert all(item.state is not CandidateState.ADMITTED for item in items)
    assert one.provenance.tool == "something else"
    with pytest.raises(BadInput, match="name the tool"):
        chat.attach_tool(life.who, "c", tool=" ", text="x")
    with pytest.raises(BadInput, match="paste"):
        chat.attach_tool(life.who, "c", tool="inventory", text=" ")
    with pytest.raises(TooLarge, match="limit"):
        chat.attach_tool(life.who, "c", tool="inventory", text="x" * 400_001)


def test_a_failed_answer_is_tried_again_without_saying_the_turn_again(life):
    life.say("I live in Porto.")
    chat = life.layer.chat.new_id()
    run = life.console.ask("Where do I live?", conversation=chat)
    with pytest.raises(BadInput, match="failed or was stopped"):
        life.layer.chat.retry(life.who, run.run_id)
    with life.layer.ledger.transaction() as tx:
        tx.put_run(replace(run, state=RunState.FAILED, text="", error="broken"))
    again = life.layer.chat.retry(life.who, run.run_id)
    deadline = time.monotonic() + 30
    while again.state is RunState.RUNNING and time.monotonic() < deadline:
        time.sleep(0.02)
        again = life.layer.chat.run(life.who, again.run_id)
    assert "Porto" in again.text
    lines = life.layer.chat.thread(life.who, chat)
    assert [one.role for one in lines] == ["user", "assistant"]
    assert lines[1].run.run_id == again.run_id
    with pytest.raises(BadInput):
        life.layer.chat.retry(life.who, run.run_id)


def test_what_cannot_be_looked_up_is_said_with_the_answer(life, monkeypatch):
    def down(*_args, **_rest):
        raise ModelUnavailable("the embedding model does not answer")

    monkeypatch.setattr(type(life.layer.chat.answerer), "left_out", down)
    run = life.console.ask("Where do I live?")
    assert run.state is RunState.DONE
    assert run.detail["gone_unknown"] is True


def test_what_is_stated_and_not_kept_is_named_but_questions_are_not(life):
    life.say("I live in Porto.")
    life.layer.memories.forget(life.who, life.fact("Porto").memory_id, "private")
    page = life.say("The office plant is a fern.", channel=WEB)
    question = life.say("What is the office plant?")
    learned = life.layer.chat.learned
    assert learned(page).held
    assert learned(question).dropped == []
    gone = life.say("I never owned a submarine, forget my submarine.")
    assert all(one.state is CandidateState.REJECTED for one in learned(gone).dropped)
