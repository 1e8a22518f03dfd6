"""Two processes of one installation: an answer that one gives is stopped, found dead or erased from the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from core.bootstrap import build_layer
from core.errors import NotAuthorised, NotFound
from core.layer import MemoryLayer
from core.model import Role, RunState
from core.runs import BEAT_SECONDS, STALE_SECONDS
from core.settings import Settings
from tests.conftest import Console, MakeConsole
from tests.model_server import Answer, ModelServer

SLOW = Answer(pieces=[f"word{n} " for n in range(400)], pause=0.05)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(SLOW) as server:
        yield server


@pytest.fixture
def one(make_console: MakeConsole, model: ModelServer) -> Console:
    """The first console, whose answers come slowly."""
    return make_console(openai_base_url=model.base_url, openai_api_key="key", agent_model="big")


@pytest.fixture
def other(one: Console, database_url: str, tmp_path: Any, embedder: Any) -> Iterator[MemoryLayer]:
    """A second console on the same two stores, at the same time of day."""
    settings = Settings(
        _env_file=None,
        chronomemory_data=tmp_path / "data",
        database_url=database_url,
        chronomemory_worker=False,
    )
    layer = build_layer(settings, clock=one.clock, embedder=embedder)
    layer.start()
    until(lambda: layer.health()["store"] == "ok")
    yield layer
    layer.close()


def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def begun(console: Console, actor: Any = None) -> Any:
    """An answer of which some has arrived."""
    chat, who = console.layer.chat, actor or console.admin
    run = chat.ask(who, chat.new_id(), "tell me everything")

    def grown() -> bool:
        console.clock.forward(seconds=1)  # the answer is saved by the clock's seconds
        return bool(chat.run(who, run.run_id).text)

    until(grown)
    return run


def test_the_other_console_shows_what_has_arrived_and_does_not_take_it_for_dead(one, other):
    run = begun(one)
    one.clock.forward(seconds=STALE_SECONDS + 1)
    time.sleep(2 * BEAT_SECONDS)  # the first one shows a sign of life, however silent its model is
    seen = other.chat.run(one.admin, run.run_id)
    assert (seen.state, seen.text[:5]) == (RunState.RUNNING, "word0")
    one.layer.chat.stop(one.admin, run.run_id)


def test_an_answer_is_stopped_from_the_other_console(one, other):
    run = begun(one)
    other.chat.stop(one.admin, run.run_id)
    until(lambda: not one.layer.chat.runs.end(run.run_id))  # nobody gives it any more
    kept = one.layer.chat.run(one.admin, run.run_id)
    assert kept.state is RunState.STOPPED
    assert kept.text.startswith("word0")
    assert "word399" not in kept.text
    assert other.chat.thread(one.admin, run.conversation_id)[-1].text == kept.text


def test_a_silent_model_is_cut_off_from_the_other_console(one, other, model):
    model.script(Answer(pieces=["word0 ", "never "], pause=60))
    chat = one.layer.chat
    run = chat.ask(one.admin, chat.new_id(), "tell me everything")
    time.sleep(1.0)
    other.chat.stop(one.admin, run.run_id)
    until(lambda: not chat.runs.end(run.run_id), seconds=5 * BEAT_SECONDS)
    assert chat.run(one.admin, run.run_id).state is RunState.STOPPED


def test_the_saved_part_of_a_dead_console_shows_as_interrupted(one, other):
    run = begun(one)
    one.layer.chat.runs.end(run.run_id)
    until(lambda: not one.layer.chat.runs.end(run.run_id))
    with one.layer.ledger.transaction() as tx:  # as a kill would have left it
        left = one.layer.ledger.run(run.run_id)
        tx.put_run(replace(left, state=RunState.RUNNING, updated_at=one.clock.now()))
    one.clock.forward(seconds=STALE_SECONDS + 1)
    seen = other.chat.run(one.admin, run.run_id)
    assert (seen.state, seen.text) == (RunState.FAILED, left.text)
    assert "interrupted" in seen.error


def test_an_erasure_elsewhere_ends_it_and_nothing_of_it_is_written_afterwards(one, other):
    bea = one.person("bea", Role.MEMBER)
    run = begun(one, bea)
    other.lifecycle.erase(one.admin, bea.user_id)
    until(lambda: not one.layer.chat.runs.end(run.run_id))
    assert one.layer.ledger.run(run.run_id) is None
    with pytest.raises(NotAuthorised):
        one.layer.chat.runs.begin(run)
    with pytest.raises((NotAuthorised, NotFound)):
        one.layer.chat.run(bea, run.run_id)
