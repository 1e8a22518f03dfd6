"""Who watches the work: told of its duration and outcome, never of a word, an owner or an id of a memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol


class Laps(Protocol):
    """One recall as it is timed."""

    def part(self, name: str) -> AbstractContextManager[None]:
        """Time spent inside counts to "embed", "query" or "rank"; several times add up."""

    def found(self, count: int) -> None:
        """How many memories were given."""


class Observer(Protocol):
    """Counts and times. Safe from any thread; whatever happens inside a context passes through unchanged."""

    def recall(self) -> AbstractContextManager[Laps]:
        """One recall, from beginning to end."""

    def text(self, episode_id: str) -> AbstractContextManager[Callable[[str], None]]:
        """One text in the worker's hands; what is given takes its outcome.

        The outcome is "done", "postponed", "given_up" or "taken_over"; an error that passes through leaves "postponed".
        """

    def request(self, method: str, headers: Mapping[str, str]) -> AbstractContextManager[Callable[[str, int], None]]:
        """One HTTP request, continued from its `traceparent`; what is given takes its route's template and status."""
