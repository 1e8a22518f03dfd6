"""A model that notes when it last answered and what last went wrong: what the policy page says of its health."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.errors import ChronoMemoryError
from core.llm.stream import Stream
from core.ports import ChatMessage, ChatModel, Clock


class WatchedModel:
    """A ChatModel around another one; its answers and errors pass through unchanged."""

    def __init__(self, inner: ChatModel, clock: Clock) -> None:
        """Nothing is called."""
        self._inner = inner
        self._clock = clock
        self._lock = threading.Lock()
        self._answered: datetime | None = None
        self._failed: tuple[str, datetime] | None = None
        self._answers = self._errors = 0

    @property
    def model_id(self) -> str:
        """The inner one's."""
        return self._inner.model_id

    @property
    def answered_at(self) -> datetime | None:
        """When it last answered."""
        with self._lock:
            return self._answered

    @property
    def failed(self) -> tuple[str, datetime] | None:
        """What last went wrong and when; the message names model and status, never a prompt."""
        with self._lock:
            return self._failed

    @property
    def calls(self) -> tuple[int, int]:
        """How many calls were answered, and how many ended in an error; an answer that broke off is both."""
        with self._lock:
            return self._answers, self._errors

    def stream(self, messages: Sequence[ChatMessage]) -> Stream:
        """The inner one's pieces."""
        return Stream(lambda stream: self._pieces(messages, stream))

    def complete_json(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The inner one's reply."""
        try:
            reply = self._inner.complete_json(messages, schema)
        except ChronoMemoryError as problem:
            self._note(problem)
            raise
        self._note(None)
        return reply

    def _pieces(self, messages: Sequence[ChatMessage], stream: Stream) -> Iterator[str]:
        pieces = self._inner.stream(messages)
        stream.attach(getattr(pieces, "close", lambda: None))
        first = True
        try:
            for piece in pieces:
                if first:
                    self._note(None)
                    first = False
                yield piece
        except ChronoMemoryError as problem:
            self._note(problem)
            raise

    def _note(self, problem: ChronoMemoryError | None) -> None:
        now = self._clock.now()
        with self._lock:
            if problem is None:
                self._answered = now
                self._answers += 1
            else:
                self._failed = (str(problem), now)
                self._errors += 1
