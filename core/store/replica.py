"""One streaming replica: what it may answer, how old what it holds is at most, and when it is left alone.

Two bounds (docs/adr/0019). Of an owner whose recall it is to answer it must have replayed the last effect that the
ledger holds: every transaction asks it, so that a forgotten or replaced fact comes from no replica that has yet to hear
of it. And whatever is no effect may be as old as the bound on staleness: a watch compares its position with the
primary's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum

import psycopg
from psycopg.rows import DictRow, dict_row

from core.errors import ChronoMemoryError
from core.store.database import CONNECT_TIMEOUT, Database
from core.store.position import Marks, Position, ask_position, place_of
from core.store.reader import PostgresReader
from core.store.replicapool import ReplicaDatabase, shut

log = logging.getLogger(__name__)

PATIENCE = 5.0  # seconds that a replica may take for one transaction before its connection is cut
LONGEST_PAUSE = 10.0  # seconds between looks at a replica that is away, and that one which failed is left alone
LONGEST_LOOK = 1.0  # seconds between looks at one that answers
LOOKS = 5  # within the bound on staleness


class Condition(StrEnum):
    """What a replica is good for, as its last look found it."""

    UNSEEN = "not looked at yet"
    FRESH = "in use"
    BEHIND = "behind"
    DOWN = "down"
    REFUSED = "refused"


class Replica:
    """A replica with its pool, its watch and what the watch found."""

    def __init__(
        self,
        number: int,
        conninfo: str,
        *,
        reader: Callable[[Database], PostgresReader],
        primary: Callable[[], Position],
        staleness: float,
    ) -> None:
        """Nothing is connected yet.

        Args:
            number: from 1: by which health speaks of it.
            conninfo: as `completed` gives it.
            reader: makes the reader over the pool.
            primary: how far the primary has come; may raise StoreUnavailable.
            staleness: seconds that what it holds may be old.
        """
        self.number, self.place = number, place_of(conninfo)
        self.condition, self.why = Condition.UNSEEN, ""
        self.age: float | None = None  # seconds, at most, at the last look; None: not known
        self.busy, self.turn = 0, 0  # reads under way, reads in all
        self.database = ReplicaDatabase(conninfo)
        self.reader = reader(self.database)
        self._conninfo, self._primary, self._staleness = conninfo, primary, staleness
        self._marks = Marks()
        self._fresh_until = 0.0  # by the monotonic clock
        self._left_until = 0.0  # after a failure
        self._failures = 0
        self._pause = 0.0
        self._probe: psycopg.Connection[DictRow] | None = None
        self._asking_since: float | None = None
        self._closing, self._look_now = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name=f"replica-{number}", daemon=True)

    # --- what is read -------------------------------------------------------------------------------------------

    @property
    def usable(self) -> bool:
        """Whether it may be asked at this moment."""
        now = time.monotonic()
        return now < self._fresh_until and now >= self._left_until

    def failed(self, problem: Exception) -> None:
        """A read failed: it is left alone for a while, twice as long each time, and looked at."""
        self._failures += 1
        self._left_until = time.monotonic() + min(LONGEST_PAUSE, 0.25 * 2 ** min(self._failures, 10))
        log.info("replica %d did not answer a recall, the primary does: %s", self.number, first_line(problem))
        self._look_now.set()

    def answered(self) -> None:
        """A read went well."""
        self._failures = 0

    # --- the watch ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and close every connection."""
        self._closing.set()
        self._look_now.set()
        self._cut_probe(0.0)
        if self._thread.is_alive():
            self._thread.join(timeout=CONNECT_TIMEOUT + 1)
        self.database.close()

    def guard(self) -> None:
        """Cut what hangs: a stopped server neither answers nor closes."""
        self.database.cut(PATIENCE)
        self._cut_probe(PATIENCE)
        self.reader.age()

    def look(self) -> None:
        """Compare its position with the primary's."""
        at = time.monotonic()
        try:
            primary = self._primary()
        except (ChronoMemoryError, psycopg.Error) as problem:
            # Nothing can be said of it: what was said runs out by itself.
            if time.monotonic() >= self._fresh_until:
                self._found(Condition.UNSEEN, f"the primary does not say how far it is: {first_line(problem)}")
            return
        self._marks.note(at, primary.lsn)
        try:
            here = self._ask()
        except psycopg.Error as problem:
            self._found(Condition.DOWN, first_line(problem))
            return
        if not here.standby:
            self._found(Condition.REFUSED, "it replays nothing: it was promoted, or it is the primary")
        elif here.server != primary.server:
            self._found(Condition.REFUSED, "it is no replica of the store's server and database")
        else:
            self._compare(here)

    def _compare(self, here: Position) -> None:
        since = self._marks.covered(here.lsn)
        self.age = None if since is None else time.monotonic() - since
        if since is not None and self.age is not None and self.age < self._staleness:
            self._fresh_until = since + self._staleness
            self._found(Condition.FRESH, "")
        else:
            known = "by more than is known" if self.age is None else f"by up to {self.age:.1f} s"
            self._found(Condition.BEHIND, f"{known}; {self._staleness:g} s are allowed")

    def _found(self, condition: Condition, why: str) -> None:
        if condition is not Condition.FRESH:
            self._fresh_until = 0.0
        if condition is not self.condition:
            level = logging.INFO if condition is Condition.FRESH else logging.WARNING
            log.log(level, "replica %d (%s) is %s%s", self.number, self.place, condition, f": {why}" if why else "")
        self.condition, self.why = condition, why

    def _ask(self) -> Position:
        self._asking_since = time.monotonic()
        try:
            if self._probe is None or self._probe.closed:
                self._probe = psycopg.connect(
                    self._conninfo, autocommit=True, row_factory=dict_row, prepare_threshold=None
                )
            return ask_position(self._probe)
        except psycopg.Error:
            if self._probe is not None:
                self._probe.close()
                self._probe = None
            raise
        finally:
            self._asking_since = None

    def _cut_probe(self, longer_than: float) -> None:
        probe, since = self._probe, self._asking_since
        if probe is not None and since is not None and time.monotonic() - since > longer_than:
            shut(probe)

    def _watch(self) -> None:
        often = min(LONGEST_LOOK, self._staleness / LOOKS)
        while not self._closing.is_set():
            try:
                self.look()
            except Exception:  # the thread's outermost edge: a fault in it must not leave what was found for ever
                log.exception("replica %d could not be looked at", self.number)
                self._found(Condition.DOWN, "it could not be looked at")
            away = self.condition in (Condition.DOWN, Condition.REFUSED)
            self._pause = min(LONGEST_PAUSE, max(often, 2 * self._pause)) if away else often
            self._look_now.wait(self._pause)
            self._look_now.clear()
        if self._probe is not None:
            self._probe.close()


def first_line(problem: Exception) -> str:
    """What a driver says, on one line."""
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


__all__ = ["Condition", "Replica", "first_line"]
