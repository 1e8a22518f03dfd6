"""The write path: `submit` makes a text durable, the worker takes it through extract, assess, decide and enact."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from core.assess import Assessor
from core.distil import MAX_CHARS, Distiller, Submission, turn_of
from core.enact import Enactor
from core.errors import ChronoMemoryError, LeaseLost, Outdated
from core.model import Candidate, Decision, Episode
from core.observing import UNOBSERVED, known_as
from core.policy import Policy
from core.ports import Clock, Embedder, Extractor, Ids, Ledger, MemoryReader, Observer

log = logging.getLogger(__name__)

LEASE_SECONDS = 30.0  # renewed while the work goes on; a dead worker's episode is taken over after it
RETRY_SECONDS = 5.0  # first wait after a failure; doubles up to RETRY_CAP_SECONDS
RETRY_CAP_SECONDS = 60.0
MAX_ATTEMPTS = 4  # of a text that no worker can read; trouble that passes is waited out however long
RACES = 5  # times that one episode is judged again because the owner's memories changed meanwhile


@dataclass(frozen=True, kw_only=True, slots=True)
class Intake:
    """Submission and the worker's step."""

    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    assessor: Assessor
    extractor: Extractor
    embedder: Embedder
    policy: Policy
    clock: Clock
    ids: Ids
    observer: Observer = UNOBSERVED

    @property
    def distiller(self) -> Distiller:
        """What rules on an episode, with the same parts; reads only."""
        return Distiller(
            ledger=self.ledger,
            store=self.store,
            assessor=self.assessor,
            extractor=self.extractor,
            embedder=self.embedder,
            policy=self.policy,
            clock=self.clock,
            ids=self.ids,
        )

    def submit(self, submission: Submission) -> Episode:
        """Make a text durable and put it before the worker; once this returns it is never lost.

        Raises:
            BadInput: the text is empty or not valid Unicode.
            TooLarge: it is over MAX_CHARS.
            LedgerUnavailable: nothing was stored.
        """
        episode = self.distiller.episode(submission)
        return self.enactor.receive(episode, idempotency_key=submission.idempotency_key, inbox=submission.distil)

    def preview(self, submission: Submission) -> list[tuple[Candidate, Decision]]:
        """What would become of a text; writes nothing.

        Raises:
            BadInput, TooLarge: it would not be taken.
        """
        return self.distiller.rule(self.distiller.episode(submission))[0]

    def run_once(self, worker: str) -> bool:
        """Relay what waits, then take one episode through the write path; False when there was nothing to do.

        Raises:
            StoreUnavailable, LedgerUnavailable, ModelUnavailable: wait and call again; nothing is lost.
        """
        relayed = self.enactor.relay()
        episode = self.ledger.claim(worker=worker, now=self.clock.now(), lease_seconds=LEASE_SECONDS)
        if episode is None:
            return relayed > 0
        with known_as(episode.episode_id), self.observer.text(episode.episode_id) as became:
            became(self._worked_on(episode, worker))
        self.enactor.relay()
        return True

    def _worked_on(self, episode: Episode, worker: str) -> str:
        """Take a leased episode through the write path; what became of it.

        Raises:
            StoreUnavailable, LedgerUnavailable, ModelUnavailable: it was put back.
        """
        try:
            with self._leased(episode, worker):
                self._rule_and_commit(episode, worker)
        except LeaseLost:
            log.warning("episode %s was taken over by another worker", episode.episode_id)
            return "taken_over"
        except ChronoMemoryError as problem:
            became = self._put_back(episode, worker, problem)
            if problem.retry:
                raise
            return became
        except Exception as problem:  # the worker's loop: one text that cannot be read must not stop all others
            log.exception("episode %s could not be read", episode.episode_id)
            return self._put_back(episode, worker, problem)
        return "done"

    def _rule_and_commit(self, episode: Episode, worker: str) -> None:
        """Judge and commit; whoever lost the race for one key is judged again on what is there now (rules §3.6)."""
        for attempt in range(RACES):
            if self.ledger.waiting(episode.scope):  # the store must hold what was decided before it is read
                self.enactor.relay()
            rulings, extractor = self.rule(episode)
            try:
                self.enactor.commit_episode(episode, rulings, worker=worker, extractor=extractor)
            except Outdated:
                if attempt == RACES - 1:
                    raise
            else:
                return

    @contextmanager
    def _leased(self, episode: Episode, worker: str) -> Iterator[None]:
        """Renew the lease from a thread of its own while a slow model reads."""
        done = threading.Event()

        def renew() -> None:
            while not done.wait(LEASE_SECONDS / 3):
                try:
                    self.ledger.renew(
                        episode.episode_id, worker=worker, now=self.clock.now(), lease_seconds=LEASE_SECONDS
                    )
                except ChronoMemoryError as problem:  # the commit finds out whether the lease was lost
                    log.warning("the lease of %s was not renewed: %s", episode.episode_id, type(problem).__name__)

        keeper = threading.Thread(target=renew, name="lease", daemon=True)
        keeper.start()
        try:
            yield
        finally:
            done.set()
            keeper.join()

    def _put_back(self, episode: Episode, worker: str, problem: Exception) -> str:
        """Try again later; what is nobody's passing trouble is given up after MAX_ATTEMPTS, words kept. Says which."""
        why, attempts = type(problem).__name__, self.ledger.attempts(episode.episode_id)
        passing = isinstance(problem, ChronoMemoryError) and problem.retry
        if attempts >= MAX_ATTEMPTS and not passing:
            self.enactor.give_up(episode, worker=worker, why=why)
            return "given_up"
        # The worker's loop waits out what passes; a text that breaks its reader waits here.
        wait = 0.0 if passing else min(RETRY_SECONDS * 2 ** min(attempts - 1, 10), RETRY_CAP_SECONDS)
        log.warning("episode %s goes back for %.0f s: %s", episode.episode_id, wait, why)
        self.ledger.release(episode.episode_id, worker=worker, retry_at=self.clock.now() + timedelta(seconds=wait))
        return "postponed"

    def rule(self, episode: Episode) -> tuple[list[tuple[Candidate, Decision]], str]:
        """Extract, assess and decide; writes nothing. Also the preview that a no-model answer is made from."""
        return self.distiller.rule(episode)


__all__ = ["MAX_CHARS", "Intake", "Submission", "turn_of"]
