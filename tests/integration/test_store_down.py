"""Postgres is away: at the start, in the middle of an answer, for good. The ledger takes what comes; nothing needs a restart."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.bootstrap import build_layer
from core.errors import StoreUnavailable
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import Actor, Run, RunState, Scope, SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres
from tests.fakes import HashEmbedder

PASSWORD = "correct horse battery"
SCOPE = Scope(tenant="t1", owner="ada")
PATIENCE = 90.0  # seconds, on a busy machine; a wait ends as soon as it can


@pytest.fixture
def server() -> Iterator[EmbeddedPostgres]:
    """A server of this test's own, to be stopped and killed."""
    with tempfile.TemporaryDirectory(prefix="chronomemory-tests-", ignore_cleanup_errors=True) as folder:
        made = EmbeddedPostgres(Path(folder) / "postgres")
        made.start()
        yield made
        made.stop()


@contextmanager
def layer_on(data: Path, conninfo: str, *, worker: bool = False, **parts: object) -> Iterator[MemoryLayer]:
    settings = Settings(_env_file=None, chronomemory_data=data, database_url=conninfo, chronomemory_worker=worker)
    layer = build_layer(settings, **({"embedder": HashEmbedder(), "pause": lambda _seconds: None} | parts))
    layer.start()
    try:
        yield layer
    finally:
        layer.close()


def until(what: Callable[[], object]) -> None:
    """Wait until something holds, or fail."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def sign_in(layer: MemoryLayer) -> Actor:
    until(lambda: layer.health()["store"] == "ok")
    layer.accounts.create_first_admin(layer.accounts.setup_token(), "ada", "Ada", PASSWORD)
    _session, token = layer.accounts.sign_in("ada", PASSWORD, "127.0.0.1", "tests")
    actor = layer.accounts.resolve(token)
    assert actor is not None
    return actor


def turn(text: str, scope: Scope = SCOPE) -> Submission:
    return Submission(scope=scope, conversation_id="c1", channel=SourceKind.USER_TURN, text=text, actor=scope.owner)


def kill(server: EmbeddedPostgres) -> None:
    """As the kernel does when memory runs out."""
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: server.pid() is None)


def ended(layer: MemoryLayer, run: Run) -> Run:
    """The run as the ledger has it once it ended; the store is not asked."""
    until(lambda: layer.ledger.run(run.run_id).state is not RunState.RUNNING)
    return layer.ledger.run(run.run_id)


def test_a_store_that_comes_up_late_is_taken_up_without_a_restart(server, tmp_path):
    conninfo = server.start()
    server.stop()
    with layer_on(tmp_path, conninfo, worker=True) as layer:
        until(lambda: layer.health()["store"].startswith("down: "))
        assert "Postgres" in layer.health()["store"]
        assert layer.health()["ledger"] == "ok"
        episode = layer.agent.submit(turn("I'm allergic to penicillin."))
        assert layer.ledger.episode(episode.episode_id).text == "I'm allergic to penicillin."
        with pytest.raises(StoreUnavailable, match=r"not reachable.*Nothing is lost"):
            layer.agent.recall("What am I allergic to?", SCOPE)
        with pytest.raises(StoreUnavailable):
            layer.accounts.needs_setup()
        assert not layer.ledger.processed(episode.episode_id)

        server.start()
        until(lambda: layer.health()["store"] == "ok")
        until(lambda: layer.ledger.processed(episode.episode_id) and not layer.ledger.outbox())
        found = layer.agent.recall("What am I allergic to?", SCOPE)
        assert "penicillin" in found.hits[0].memory.text
        actor = sign_in(layer)
        run = layer.chat.ask(actor, layer.chat.new_id(), "I live in Lisbon.")
        assert ended(layer, run).state is RunState.DONE
        assert layer.audit_desk.verify(actor).ok


class GatedEmbedder(HashEmbedder):
    """Holds an answer between the stored turn and the search, when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go_on = threading.Event(), threading.Event()
        self.text = ""

    def embed(self, texts):
        if self.text and self.text in texts:
            self.reached.set()
            assert self.go_on.wait(PATIENCE)
        return super().embed(texts)


def test_a_store_killed_before_the_search_fails_the_answer_and_keeps_the_message(server, tmp_path):
    gate = GatedEmbedder()
    with layer_on(tmp_path, server.start(), embedder=gate) as layer:
        actor = sign_in(layer)
        conversation = layer.chat.new_id()
        gate.text = "I'm allergic to penicillin."
        run = layer.chat.ask(actor, conversation, gate.text)
        assert gate.reached.wait(PATIENCE)
        kill(server)
        gate.go_on.set()
        failed = ended(layer, run)
        assert failed.state is RunState.FAILED
        assert "memory store" in failed.error
        assert "penicillin" not in failed.error
        assert layer.ledger.episode(run.question_id).text == gate.text
        with pytest.raises(StoreUnavailable):
            layer.chat.ask(actor, conversation, "And now?")
        with pytest.raises(StoreUnavailable):
            layer.drain()

        recovered(layer, server, actor)
        assert layer.chat.thread(actor, conversation)[0].text == gate.text
        run = layer.chat.ask(actor, conversation, "What am I allergic to?")
        assert "penicillin" in ended(layer, run).text
        assert layer.audit_desk.verify(actor).ok


def test_a_store_killed_while_the_answer_streams_costs_no_word_of_it(server, tmp_path):
    streaming, go_on = threading.Event(), threading.Event()

    def pause(_seconds: float) -> None:
        streaming.set()
        assert go_on.wait(PATIENCE)

    with layer_on(tmp_path, server.start(), pause=pause) as layer:
        actor = sign_in(layer)
        conversation = layer.chat.new_id()
        run = layer.chat.ask(actor, conversation, "I live in Lisbon.")
        assert streaming.wait(PATIENCE)
        kill(server)
        with pytest.raises(StoreUnavailable, match="memory store"):
            layer.chat.run(actor, run.run_id)
        go_on.set()
        done = ended(layer, run)
        assert done.state is RunState.DONE
        assert "Lisbon" in done.text

        recovered(layer, server, actor)
        [question, answer] = layer.chat.thread(actor, conversation)
        assert question.text == "I live in Lisbon."
        assert question.learned.admitted
        assert answer.text == done.text
        assert "Lisbon" in layer.agent.recall("Where do I live?", actor.scope).hits[0].memory.text


def recovered(layer: MemoryLayer, server: EmbeddedPostgres, actor: Actor) -> None:
    """The server is started again by whoever runs it; the layer goes on by itself."""
    assert layer.health()["store"].startswith("down: ")
    server.start()
    until(lambda: layer.health()["store"] == "ok")
    layer.drain()
    assert layer.ledger.unprocessed() == 0
    assert layer.ledger.outbox() == []
    assert layer.accounts.authorise(actor).username == "ada"


def test_an_embedded_store_that_is_killed_is_started_again(tmp_path):
    with tempfile.TemporaryDirectory(prefix="chronomemory-tests-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        with layer_on(data, "", worker=True) as layer:
            actor = sign_in(layer)
            kill(EmbeddedPostgres(data / "postgres"))
            episode = layer.agent.submit(turn("I'm allergic to penicillin.", actor.scope))
            until(lambda: layer.health()["store"] == "ok")
            until(lambda: layer.ledger.processed(episode.episode_id) and not layer.ledger.outbox())
            found = layer.agent.recall("What am I allergic to?", actor.scope)
            assert "penicillin" in found.hits[0].memory.text
