"""Whether the store still has what the ledger decided: looked at by the worker, told to health.

A fail-over to a standby that had not received the last transactions takes back effects (`core.lost`) and erasures.
Effects are looked for before each relay; this looks where nothing is relayed, and carries out again the erasures of
late, which leave nothing behind that could be compared.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.enact import Enactor
from core.erasure import Lifecycle
from core.errors import ChronoMemoryError
from core.lost import Lost
from core.ports import Clock

EVERY = timedelta(minutes=1)
SOON = timedelta(seconds=5)  # and after a look that failed
LATE = timedelta(hours=1)  # erasures as old as that are carried out again; at a start, of a day
LATE_AT_START = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class LostWatch:
    """A chore of the worker, and a part of health."""

    enactor: Enactor
    lifecycle: Lifecycle
    clock: Clock
    _looked: dict[str, datetime] = field(default_factory=dict)  # under "work" and "health"
    _found: dict[str, Lost] = field(default_factory=dict)  # under "last"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run_once(self) -> bool:
        """Look, and let what was lost be applied again; False if nothing was, or it is not time to look yet.

        Raises:
            StoreUnavailable, LedgerUnavailable: it is looked at again by the next call.
        """
        now = self.clock.now()
        with self._lock:
            last = self._looked.get("work")
            if last is not None and now - last < EVERY:
                return False
            lost = self.enactor.find_lost()
            self._found["last"] = lost
            again = self.lifecycle.erase_again(now - (LATE_AT_START if last is None else LATE))
            put_back = self.enactor.put_back(lost)
            self._looked["work"] = now
        if put_back:
            self.enactor.relay()
        return bool(put_back or again)

    def state(self) -> str:
        """For health: "ok", or what only a rebuild mends. Looks once a minute, whoever works."""
        now = self.clock.now()
        with self._lock:
            last = max(self._looked.values(), default=None)
            if last is None or now - last >= EVERY:
                try:
                    self._found["last"] = self.enactor.find_lost()
                    self._looked["health"] = now
                except ChronoMemoryError as problem:
                    self._looked["health"] = now - EVERY + SOON
                    return f"down: store and ledger cannot be compared ({type(problem).__name__})"
            found = self._found.get("last", Lost())
        if not found.covered:
            return "ok"
        return (
            f"down: the store lost {len(found.covered)} effects of {len(found.covered_owners)} owners and has later "
            "ones of theirs: run `chronomemory rebuild`"
        )


__all__ = ["LostWatch"]
