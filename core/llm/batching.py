"""One model, many callers: those who wait at the same time share one step of it.

The model works for one caller at a time. Whoever finds it free is the leader and goes ahead at once, so that a lone
caller waits for nobody. Whoever comes meanwhile waits, and when the model is free again the first of them leads all of
them through one step together: sixteen short texts cost little more than three.

Short calls go first; a call with many texts (an import, the worker) is cut into slices and takes its turn between.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence

from core.errors import ModelUnavailable
from core.ports import Embedder

MOST = 32  # texts a step of a large call
# Texts a step that short calls share. A step of 32 costs no less a text, and sends all its callers to the store at once
# while the model waits for them: with 8, 32 clients get a seventh more answers.
SHARED = 8
PADDED = 4_096  # characters a step, each text counted as the longest: a model pads them to one length
SHORT = 4  # texts a call up to which it goes before larger ones
TURNS = 4  # steps of short calls after which a slice that waits has its turn


class _Job:
    """Texts of one caller that are embedded together."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.longest = max(map(len, texts))
        self.vectors: list[list[float]] | None = None
        self.error: BaseException | None = None
        self.leads = False
        self.told = threading.Event()  # done, or to lead

    @property
    def done(self) -> bool:
        return self.vectors is not None or self.error is not None


class BatchingEmbedder:
    """Shares the steps of a local model between threads. Implements `core.ports.Embedder`.

    An endpoint needs none of this: its server sees to many callers itself.
    """

    def __init__(self, inner: Embedder) -> None:
        """Wrap `inner`; it is called by one thread at a time."""
        self._inner = inner
        self._lock = threading.Lock()
        self._busy = False
        self._short: deque[_Job] = deque()
        self._slices: deque[_Job] = deque()
        self._passed = 0  # steps of short calls since a slice had its turn

    @property
    def identity(self) -> str:
        """The inner one's."""
        return self._inner.identity

    @property
    def dimensions(self) -> int:
        """The inner one's."""
        return self._inner.dimensions

    def warm(self) -> None:
        """Warm the inner one, if it can be."""
        warm = getattr(self._inner, "warm", None)
        if warm is not None:
            warm()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order; what the inner one gives, within the rounding of a padded batch.

        Raises:
            Whatever the inner one raises for these texts. Trouble with another caller's texts stays with that caller.
        """
        if len(texts) <= SHORT:
            return self._embedded(texts, self._short) if texts else []
        vectors: list[list[float]] = [[]] * len(texts)
        for places in _sliced(texts):
            found = self._embedded([texts[at] for at in places], self._slices)
            for at, vector in zip(places, found, strict=True):
                vectors[at] = vector
        return vectors

    def _embedded(self, texts: Sequence[str], lane: deque[_Job]) -> list[list[float]]:
        job = _Job(texts)
        try:
            with self._lock:
                lane.append(job)
                if not self._busy:
                    self._busy = job.leads = True
            if not job.leads:
                job.told.wait()
            while not job.done:
                self._step()
        finally:
            self._leave(job, lane)
        if job.error is not None:
            raise job.error
        return job.vectors or []

    def _step(self) -> None:
        """One step of the model, for the first that wait; called by the leader only."""
        batch: list[_Job] = []
        try:
            with self._lock:
                batch = self._taken()
            self._run(batch)
        finally:
            for job in batch:
                if not job.done:  # the leader's thread was ended from outside: nobody else hears why
                    job.error = ModelUnavailable("the embedding model was interrupted; try again")
                job.told.set()

    def _taken(self) -> list[_Job]:
        """Who goes next: short calls together, or a slice that has let enough of them pass."""
        if self._slices and (not self._short or self._passed >= TURNS):
            self._passed = 0
            return [self._slices.popleft()]
        self._passed += 1 if self._slices else 0
        batch: list[_Job] = []
        count = longest = 0
        while self._short:
            job = self._short[0]
            count, longest = count + len(job.texts), max(longest, job.longest)
            if batch and (count > SHARED or count * longest > PADDED):
                break
            batch.append(self._short.popleft())
        return batch

    def _run(self, batch: Sequence[_Job]) -> None:
        """Embed a batch; where that fails, its halves, so that a text which cannot be embedded fails alone."""
        asked = list(dict.fromkeys(text for job in batch for text in job.texts))
        try:
            found = dict(zip(asked, self._inner.embed(asked), strict=True))
        except Exception as error:  # noqa: BLE001 - handed to whoever asked
            if len(batch) == 1 or isinstance(error, ModelUnavailable):  # away for every text alike
                for job in batch:
                    job.error = error
                return
            middle = len(batch) // 2
            self._run(batch[:middle])
            self._run(batch[middle:])
            return
        for job in batch:
            job.vectors = [list(found[text]) for text in job.texts]

    def _leave(self, job: _Job, lane: deque[_Job]) -> None:
        """Let the next one lead; also when this caller was ended from outside while it waited."""
        with self._lock:
            if not job.done and job in lane:
                lane.remove(job)
            if not job.leads:
                return
            job.leads = False
            first = self._short or self._slices
            if first:
                first[0].leads = True
                first[0].told.set()
            else:
                self._busy = False


def _sliced(texts: Sequence[str]) -> Iterator[list[int]]:
    """Places of the texts, in slices of similar length: padding to the longest is what costs."""
    places: list[int] = []
    for at in sorted(range(len(texts)), key=lambda at: len(texts[at])):
        if places and (len(places) == MOST or (len(places) + 1) * len(texts[at]) > PADDED):
            yield places
            places = []
        places.append(at)
    if places:
        yield places


__all__ = ["BatchingEmbedder"]
