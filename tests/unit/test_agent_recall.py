"""What an agent's own section of the policy changes in its recall (rules §6.3)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from importlib import resources
from typing import Any

import pytest

from console import settingwords
from core.amend import amended, body_of, policy_of, settings_of
from core.confidence import NOTHING
from core.errors import Misconfigured
from core.model import MemoryKind, MemoryStatus, Scope, ScoredMemory
from core.policy import Policy
from core.recall import Recaller
from tests.factories import NOW, POLICY, SCOPE, FixedClock, memory

FILE = resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8")
PLANNER = "\n[agents.planner.recall]\ntop_k = 2\n[agents.critic.recall]\nscore_threshold = 0.5\n"
OFF = "\n[agents.planner.recall]\nenabled = false\n"


def scored(name: str, cosine: float, **rest: Any) -> ScoredMemory:
    return ScoredMemory(memory=memory(memory_id=name, **rest), cosine=cosine, lexical=0.0)


class Shelf:
    """A store that answers every search with all that it has, and lists it."""

    def __init__(self, *found: ScoredMemory) -> None:
        self.found = list(found)

    def search(self, scope: Scope, **_asked: Any) -> list[ScoredMemory]:
        return self.found

    def slot(self, scope: Scope, slot_key: str) -> list[Any]:
        return []

    def genuine(self, one: ScoredMemory) -> bool:
        return True

    def list(self, scope: Scope, where: Any, *, limit: int, offset: int = 0) -> tuple[list[Any], int]:
        rows = [one.memory for one in self.found if one.memory.status in where.statuses]
        return rows[offset : offset + limit], len(rows)


class Model:
    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] for _ in texts]


class NoModel:
    def embed(self, texts: list[str]) -> list[list[float]]:
        raise AssertionError(texts)


def recaller(policy: Policy, *found: ScoredMemory, model: Any = None) -> Recaller:
    store: Any = Shelf(*found)
    return Recaller(store=store, embedder=model or Model(), policy=policy, clock=FixedClock())


def ids(found: Any) -> list[str]:
    return [hit.memory.memory_id for hit in found.hits]


FOUND = tuple(scored(f"m{n}", 0.9 - n / 20) for n in range(8))


def test_an_agent_that_is_not_named_goes_by_the_rules_for_all() -> None:
    policy = Policy.from_toml(FILE + PLANNER)
    assert policy.recall_of("somebody") is policy.recall
    assert len(recaller(policy, *FOUND).recall("a question", SCOPE).hits) == policy.recall.top_k == 5


def test_what_a_section_leaves_out_is_as_for_all() -> None:
    policy = Policy.from_toml(FILE + PLANNER)
    assert policy.recall_of("planner") == replace(policy.recall, top_k=2)
    assert policy.recall_of("critic") == replace(policy.recall, score_threshold=0.5)


def test_the_number_and_the_least_score_are_the_agents_own() -> None:
    here = recaller(Policy.from_toml(FILE + PLANNER), *FOUND)
    assert ids(here.recall("a question", SCOPE, agent="planner")) == ["m0", "m1"]
    assert len(here.recall("a question", SCOPE, agent="planner", k=4).hits) == 4
    critic = here.recall("a question", SCOPE, agent="critic")
    assert critic.hits
    assert all(hit.score >= 0.5 for hit in critic.hits)
    assert len(critic.hits) < 5


def test_without_a_name_the_scopes_agent_counts() -> None:
    scope = replace(SCOPE, agent="planner")
    found = [scored(f"m{n}", 0.9 - n / 20, scope=scope) for n in range(8)]
    here = recaller(Policy.from_toml(FILE + PLANNER), *found)
    assert len(here.recall("a question", scope).hits) == 2
    assert len(here.recall("a question", scope, agent="somebody").hits) == 5


def test_with_recall_off_all_that_is_current_comes_in_a_fixed_order_and_nothing_is_embedded() -> None:
    other = Scope(tenant=SCOPE.tenant, owner="somebody-else", agent=SCOPE.agent)
    found = (
        scored("plain", 0.0, importance=0.4, serial_no=1),
        scored("later", 0.0, importance=0.4, serial_no=2),
        scored("weighty", 0.0, importance=0.9, serial_no=3),
        scored("unsure", 0.0, importance=1.0, effective_trust=0.3, serial_no=4),
        scored("another's", 0.9, importance=1.0, scope=other),
        scored("expired", 0.9, importance=1.0, expires_at=NOW - timedelta(seconds=1)),
        scored("ended", 0.9, importance=1.0, invalid_at=NOW - timedelta(seconds=1)),
        scored("faded", 0.9, importance=1.0, status=MemoryStatus.ARCHIVED),
        scored("passing", 0.9, importance=1.0, kind=MemoryKind.WORKING, conversation_id="elsewhere"),
    )
    here = recaller(Policy.from_toml(FILE + OFF), *found, model=NoModel())
    told = here.recall("a question", SCOPE, agent="planner", conversation_id="here")
    assert ids(told) == ["weighty", "later", "plain", "unsure"]
    assert told.hits[-1].needs_confirmation
    assert all(hit.confidence is not None for hit in told.hits)
    assert told.counsel == NOTHING  # nobody looked which of them answers
    assert ids(here.recall("another question", SCOPE, agent="planner", conversation_id="here")) == ids(told)
    few = here.recall("a question", SCOPE, agent="planner", conversation_id="here", k=1)
    assert (ids(few), len(few.below)) == (["weighty"], 3)
    faded = here.recall("a question", SCOPE, agent="planner", conversation_id="here", include_archived=True)
    assert "faded" in ids(faded)


def test_recall_can_be_off_for_all() -> None:
    policy = Policy.from_toml(FILE.replace("enabled = true  ", "enabled = false ", 1))
    assert not policy.recall.enabled
    assert len(recaller(policy, *FOUND, model=NoModel()).recall("a question", SCOPE).hits) == len(FOUND)


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("[agents.planner.recall]\ntop_k = 0", "planner.*recall.top_k is 0; it must be a whole number from 1 to 100"),
        ("[agents.planner.recall]\ntop_k = 2.5", "whole number"),
        ("[agents.planner.recall]\nscore_threshold = 2", "from 0 to 1"),
        ('[agents.planner.recall]\nenabled = "no"', "true or false"),
        ("[agents.planner.recall]\ntrust = 1.0", "has no 'trust'"),
        ("[agents.planner.trust]\nuser_turn = 1.0", r"give it the section \[agents.planner.recall\]"),
        ("[agents.planner]\ntop_k = 3", r"give it the section \[agents.planner.recall\]"),
        ('[agents."The Planner".recall]\ntop_k = 3', "name an agent as its key does"),
    ],
)
def test_a_section_that_does_not_fit_is_refused_by_name(section: str, told: str) -> None:
    with pytest.raises(Misconfigured, match=told):
        Policy.from_toml(f"{FILE}\n{section}\n")


def test_a_policy_keeps_its_agents_on_record_and_older_ones_have_none() -> None:
    policy = Policy.from_toml(FILE + PLANNER)
    assert policy_of(body_of(policy)) == policy
    assert policy_of(body_of(policy)).digest == policy.digest != POLICY.digest
    older = {name: rules for name, rules in json.loads(body_of(POLICY)).items() if name != "agents"}
    del older["recall"]["enabled"]
    assert policy_of(json.dumps(older)) == POLICY


def test_an_agents_rules_are_a_setting_of_the_policy_in_words() -> None:
    policy = Policy.from_toml(FILE + OFF)
    own = settings_of(policy)["agents.planner.recall"]
    assert own == {"top_k": 5, "score_threshold": 0.0, "enabled": False}
    assert settingwords.name("agents.planner.recall") == "Recall of the agent planner"
    assert settingwords.value(own) == "top k 5, score threshold 0, enabled no"
    changed = amended(policy, {"agents.planner.recall": own | {"top_k": 9}})
    assert changed.recall_of("planner").top_k == 9
