"""Texts that wait in this process for a memory that is down. Bounded, and gone with the process: no durability."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One request that puts a text in, with the key that stores it once."""

    path: str
    body: dict[str, Any]
    idempotency_key: str


class Pending:
    """First in, first out; one thread sends at a time. Safe to share between threads."""

    def __init__(self, limit: int) -> None:
        """Hold at most `limit` texts; 0 holds none."""
        self._limit = limit
        self._waiting: deque[Waiting] = deque()
        self._lock = threading.Lock()
        self.sending = threading.Lock()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def add(self, one: Waiting) -> bool:
        """Keep a text; False when there is no room for it."""
        with self._lock:
            if len(self._waiting) >= self._limit:
                return False
            self._waiting.append(one)
            return True

    def first(self) -> Waiting | None:
        """The one that waits longest."""
        with self._lock:
            return self._waiting[0] if self._waiting else None

    def drop(self, one: Waiting) -> None:
        """It was sent, or it never can be."""
        with self._lock:
            if self._waiting and self._waiting[0] is one:
                self._waiting.popleft()
