"""Keys seen lately, so that a call can be passed on to the model while the store, which knows the keys, is down."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from core.ports import AgentIdentity

KEPT_SECONDS = 900.0  # a key that was revoked elsewhere right before the store failed opens no longer than this
MOST = 1_000


class KnownKeys:
    """Opens no memory: without the store there is none. Holds digests, no tokens. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """No key was seen yet; `clock` gives seconds."""
        self._clock = clock
        self._seen: OrderedDict[bytes, tuple[AgentIdentity, float]] = OrderedDict()
        self._lock = threading.Lock()

    def saw(self, token: str, who: AgentIdentity) -> None:
        """The store knew this key."""
        with self._lock:
            self._seen[_digest(token)] = (who, self._clock())
            self._seen.move_to_end(_digest(token))
            while len(self._seen) > MOST:
                self._seen.popitem(last=False)

    def drop(self, token: str) -> None:
        """The store does not know this key, or not any more."""
        with self._lock:
            self._seen.pop(_digest(token), None)

    def lately(self, token: str) -> AgentIdentity | None:
        """Whose key it was, if the store knew it lately."""
        with self._lock:
            who, seen = self._seen.get(_digest(token), (None, 0.0))
        return who if who is not None and self._clock() - seen <= KEPT_SECONDS else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
