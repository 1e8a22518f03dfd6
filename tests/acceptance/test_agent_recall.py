"""Recall as an agent's key gets it, on the real store: its own rules, and an index that keeps up with every change."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

import psycopg
import pytest

from core.agents import Said
from core.model import SourceKind
from core.policy import Policy
from tests.acceptance.life import Life

FILE = resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8")
HOME = "Where do I live?"


@pytest.fixture
def life(console):
    return Life(console)


def indexed(database_url: str) -> dict[str, bool]:
    """Every vector's memory, and whether a search compares it."""
    with psycopg.connect(database_url) as conn:
        rows = conn.execute("SELECT memory_id, active FROM chronomemory.memory_embedding").fetchall()
    return {str(name): bool(active) for name, active in rows}


def test_the_index_keeps_up_with_what_is_restated_corrected_forgotten_and_restored(life, database_url):
    life.say("I live in Leiden.")
    first = life.fact("Leiden").memory_id
    assert indexed(database_url)[first]
    vectors = len(indexed(database_url))

    life.say("I live in Leiden.")  # restated: the same key, no second vector of the fact
    assert life.fact("Leiden").memory_id == first
    found = [hit.memory.memory_id for hit in life.layer.agent.recall(HOME, life.who.scope, k=20).hits]
    assert found.count(first) == 1
    assert indexed(database_url)[first]
    assert len(indexed(database_url)) == vectors + 1  # of the turn itself

    life.layer.memories.correct(life.who, first, "I live in Utrecht.")
    life.console.settle()
    second = life.fact("Utrecht").memory_id
    assert any("Utrecht" in one for one in life.recall(HOME))
    assert not any("Leiden" in one for one in life.recall(HOME))
    assert indexed(database_url)[second]
    assert not indexed(database_url)[first]

    life.layer.memories.forget(life.who, second, "moved away")
    life.console.settle()
    assert life.recall(HOME) == []
    assert not indexed(database_url)[second]

    life.layer.memories.restore(life.who, second)
    life.console.settle()
    assert any("Utrecht" in one for one in life.recall(HOME))
    assert indexed(database_url)[second]


def test_the_rules_of_the_keys_agent_count_whatever_memory_it_opens(life):
    _, token = life.layer.keys.create(life.who, "planner", channel=SourceKind.USER_TURN, shared=True)
    planner = life.layer.keys.resolve(token)
    for text in ("My sister is called Ida.", "I live in Leiden.", "I am allergic to nuts.", "I play the cello."):
        life.layer.agents.submit(planner, Said(text=text))
    life.console.settle()
    known = {hit.memory.text for hit in life.layer.agents.recall(planner, "Tell me all", k=50).hits}

    life.layer.adopt(Policy.from_toml(f"{FILE}\n[agents.planner.recall]\nenabled = false\n"))
    told = life.layer.agents.recall(planner, "What is the weather like?").hits
    assert len(told) == life.layer.agents.memories(planner)[1] > len(known)
    assert {hit.memory.scope for hit in told} == {planner.scope}
    assert [hit.memory.importance for hit in told] == sorted((hit.memory.importance for hit in told), reverse=True)
    context = life.layer.agents.context(planner, "What is the weather like?")
    assert {one.memory_id for one in context.used} == {hit.memory.memory_id for hit in told}
    tight = life.layer.agents.context(planner, "What is the weather like?", budget_tokens=60)
    assert 0 < len(tight.used) < len(context.used)

    other = replace(planner, agent="critic")
    assert len(life.layer.agents.recall(other, HOME).hits) <= life.layer.policy.recall.top_k
    life.layer.adopt(Policy.from_toml(f"{FILE}\n[agents.planner.recall]\ntop_k = 1\n"))
    assert len(life.layer.agents.recall(planner, HOME).hits) == 1
