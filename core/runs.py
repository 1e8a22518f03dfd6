"""Answers in progress as every process sees them: kept as they grow, stopped from anywhere, found dead."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.errors import ChronoMemoryError, NotAuthorised
from core.model import Conversation, Run, RunState
from core.ports import Clock, Ledger

log = logging.getLogger(__name__)

BEAT_SECONDS = 2.0  # between two signs of life of a process's answers; also how soon a stop from elsewhere is heard
STALE_SECONDS = 30.0  # a running answer without a sign of life for this long is nobody's any more
INTERRUPTED = "The answer was interrupted. Your message is kept; send it again."


@dataclass(kw_only=True, slots=True)
class Held:
    """One answer that this process is giving."""

    stop: threading.Event = field(default_factory=threading.Event)
    cut: Callable[[], None] | None = None  # ends a model's stream while it is silent
    done: Future[None] | None = None

    def end(self) -> None:
        """Let it end with what has arrived."""
        self.stop.set()
        if self.cut is not None:
            self.cut()


@dataclass(frozen=True, kw_only=True, slots=True)
class Runs:
    """The answers of an installation, and which of them this process gives."""

    ledger: Ledger
    clock: Clock
    _held: dict[str, Held] = field(default_factory=dict)
    _closing: threading.Event = field(default_factory=threading.Event)
    _beats: list[threading.Thread] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, run: Run) -> Held:
        """This process gives the answer; it shows signs of life until `let_go`."""
        held = self._held[run.run_id] = Held()
        with self._lock:
            if not self._beats:
                beat = threading.Thread(target=self._beat, name="answers-alive", daemon=True)
                self._beats.append(beat)
                beat.start()
        return held

    def let_go(self, run_id: str) -> None:
        """The answer is given."""
        self._held.pop(run_id, None)

    def begin(self, run: Run, conversation: Conversation | None = None) -> None:
        """Keep a new answer, and the conversation that it belongs to.

        Raises:
            NotAuthorised: its owner is being erased, or was.
        """
        with self.ledger.transaction() as tx:
            self._refuse_erased(tx.erasing(run.scope.tenant, run.scope.owner))
            if conversation is not None:
                tx.put_conversation(conversation)
            tx.put_run(run)

    def put(self, run: Run) -> Run:
        """Keep how far an answer got. One that was stopped elsewhere does not go on: its giver is told to end.

        Raises:
            NotAuthorised: its owner is being erased, or was: nothing of it is written any more.
        """
        run = replace(run, updated_at=self.clock.now())
        with self.ledger.transaction() as tx:
            self._refuse_erased(tx.erasing(run.scope.tenant, run.scope.owner))
            going_on = run.state is not RunState.RUNNING or tx.beat_run(run.run_id, at=run.updated_at)
            if going_on:
                tx.put_run(run)
        if not going_on:
            self.end(run.run_id)
        return run

    def end(self, run_id: str) -> bool:
        """Let an answer of this process end; False if it is none of its."""
        held = self._held.get(run_id)
        if held is not None:
            held.end()
        return held is not None

    def stop(self, run: Run) -> None:
        """Stop an answer, whichever process gives it: another one hears of it within BEAT_SECONDS."""
        if not self.end(run.run_id):
            with self.ledger.transaction() as tx:
                tx.stop_run(run.run_id, at=self.clock.now())

    def end_of(self, tenant: str, owner: str) -> None:
        """Stop an owner's answers in this process and wait for them. Others' are refused by `put` from then on."""
        ending: list[Future[None]] = []
        for run_id, held in list(self._held.items()):
            run = self.ledger.run(run_id)
            if run is not None and (run.scope.tenant, run.scope.owner) == (tenant, owner):
                held.end()
                if held.done is not None:
                    ending.append(held.done)
        wait(ending, timeout=STALE_SECONDS)

    def settled(self, run: Run) -> Run:
        """An answer whose process died shows as interrupted, with the text that had arrived."""
        if run.state is not RunState.RUNNING or run.run_id in self._held:
            return run
        if self.clock.now() - run.updated_at < timedelta(seconds=STALE_SECONDS):
            return run
        ended = replace(run, state=RunState.FAILED, error=INTERRUPTED)
        with self.ledger.transaction() as tx:
            tx.put_run(ended)
        return ended

    def close(self) -> None:
        """Let every answer end with what has arrived."""
        self._closing.set()
        for held in list(self._held.values()):
            held.end()

    def _beat(self) -> None:
        while not self._closing.wait(BEAT_SECONDS):
            try:
                self._show_life(list(self._held))
            except ChronoMemoryError as problem:
                log.info("answers cannot show a sign of life: %s", type(problem).__name__)

    def _show_life(self, run_ids: Iterable[str]) -> None:
        """Of all answers at once; those that were ended elsewhere are told so."""
        ids = list(run_ids)
        if not ids:
            return
        with self.ledger.transaction() as tx:
            ended = [run_id for run_id in ids if not tx.beat_run(run_id, at=self.clock.now())]
        for run_id in ended:
            self.end(run_id)

    @staticmethod
    def _refuse_erased(erased: bool) -> None:  # noqa: FBT001 - the one answer that there is
        if erased:
            msg = "This person's memory was erased: nothing is taken in for them any more."
            raise NotAuthorised(msg)


__all__ = ["BEAT_SECONDS", "INTERRUPTED", "STALE_SECONDS", "Held", "Runs"]
