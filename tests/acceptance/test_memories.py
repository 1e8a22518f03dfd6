"""Looking at memories, asking why, forgetting, restoring; reading the audit."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import BadInput, NotAuthorised, NotFound
from core.model import MemoryStatus, Role


def facts(console):
    return [one for one in console.layer.memories.list(console.admin)[0] if one.kind.value != "event"]


def of(console, word):
    return next(one for one in facts(console) if word in one.text)


def test_why_names_numbers_decisions_and_the_very_words(console):
    console.ask("I'm allergic to penicillin. I live in Porto.")
    why = console.layer.memories.why(console.admin, of(console, "penicillin").memory_id)
    assert why.freshness == 1.0
    assert why.strength == why.memory.importance
    assert why.composite_trust == 1.0
    assert [one.by for one in why.decisions] == ["policy"]
    assert why.excerpt_span is not None
    assert "allergic to penicillin" in why.excerpt_span.of(why.excerpt)
    assert {"candidate:admitted", "effect:applied"} <= {one.action for one in why.audit}


def test_forgetting_is_at_once_and_can_be_undone(console):
    console.ask("I live in Porto.")
    home = of(console, "Porto")
    desk = console.layer.memories
    with pytest.raises(BadInput, match="Say why"):
        desk.forget(console.admin, home.memory_id, " ")
    desk.forget(console.admin, home.memory_id, "moved")
    assert "Porto" not in console.ask("where do I live?").text
    assert desk.count(console.admin)[MemoryStatus.DELETED] >= 1
    with pytest.raises(BadInput, match="already"):
        desk.forget(console.admin, home.memory_id, "again")
    desk.restore(console.admin, home.memory_id)
    assert "Porto" in console.ask("where do I live?").text
    with pytest.raises(BadInput, match="only a forgotten or archived one"):
        desk.restore(console.admin, home.memory_id)


def test_a_corrected_value_is_out_of_recall_with_its_echo(console):
    console.ask("I live in Porto.")
    console.clock.forward(days=3)
    console.ask("Actually, I no longer live in Porto, I live in Braga now.")
    answer = console.ask("where do I live?").text
    assert "Braga" in answer
    assert "Porto" not in answer
    old, _ = console.layer.memories.list(console.admin, text="Porto", statuses=(MemoryStatus.SUPERSEDED,))
    assert any(one.attribute == "home" for one in old)


def test_others_memories_do_not_exist_for_me(console):
    console.ask("I live in Porto.")
    home = of(console, "Porto")
    mia = console.person("mia", Role.MEMBER)
    assert console.layer.memories.list(mia) == ([], 0)
    for act in (
        lambda: console.layer.memories.why(mia, home.memory_id),
        lambda: console.layer.memories.forget(mia, home.memory_id, "mine now"),
        lambda: console.layer.memories.restore(mia, home.memory_id),
    ):
        with pytest.raises(NotFound):
            act()
    assert "Porto" not in console.ask("where do I live?", actor=mia).text


def test_members_read_their_own_audit_and_a_reviewers_look_is_audited(console):
    layer = console.layer
    mia = console.person("mia", Role.MEMBER)
    console.ask("I live in Porto.")
    layer.chat.attach_page(mia, layer.chat.new_id(), address="https://m.example", text="The bus leaves at nine.")
    console.settle()
    own, _ = layer.audit_desk.entries(mia, limit=500)
    assert {one.owner for one in own} == {mia.user_id}
    [held], _ = layer.review.pending(console.admin, owner=mia.user_id)
    layer.review.item(console.admin, held.candidate.candidate_id)
    looks, _ = layer.audit_desk.entries(console.admin, action="candidate:read")
    assert [(one.actor, one.owner) for one in looks] == [(console.admin.user_id, mia.user_id)]
    assert layer.audit_desk.names(console.admin)[mia.user_id] == "mia"
    assert layer.audit_desk.head(console.admin)[0] == layer.audit_desk.verify(console.admin).head_seq


def test_a_report_on_the_chain_serves_everybody_for_a_while_and_says_how_old_it_is(console):
    desk, minutes = console.layer.audit_desk, timedelta(minutes=5)
    mia = console.person("mia", Role.MEMBER)
    first, at = desk.verified(console.admin, within=minutes)
    assert first.ok
    console.clock.forward(minutes=4)
    console.person("noa", Role.MEMBER)  # an entry more
    assert desk.verified(mia, within=minutes) == (first, at)
    console.clock.forward(minutes=2)
    later, when = desk.verified(mia, within=minutes)
    assert later.entries > first.entries
    assert when == console.clock.now()
    console.layer.accounts.disable(console.admin, mia.user_id)
    with pytest.raises(NotAuthorised):
        desk.verified(mia, within=minutes)


def test_an_ended_session_may_do_nothing(console):
    mia = console.person("mia", Role.MEMBER)
    console.layer.accounts.disable(console.admin, mia.user_id)
    for act in (
        lambda: console.layer.chat.ask(mia, console.layer.chat.new_id(), "hello"),
        lambda: console.layer.chat.conversations(mia),
        lambda: console.layer.memories.list(mia),
        lambda: console.layer.review.summary(mia),
        lambda: console.layer.audit_desk.entries(mia),
    ):
        with pytest.raises(NotAuthorised):
            act()
