"""What work is known by in the log, and the observer of an installation that is not watched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from core.ports import Laps, Observer

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_current: ContextVar[str] = ContextVar("chronomemory_request_id", default="")


def well_formed(identifier: str) -> bool:
    """Whether somebody else's name for a request can stand in a log: up to 64 letters, digits, dots, dashes, lines."""
    return _WELL_FORMED.fullmatch(identifier) is not None


def request_id() -> str:
    """What the work of this thread or task is known by: a request's id, or an episode's in the worker; "" for none."""
    return _current.get()


@contextmanager
def known_as(identifier: str) -> Iterator[None]:
    """Whatever is logged inside bears this id."""
    token = _current.set(identifier)
    try:
        yield
    finally:
        _current.reset(token)


class _Untimed:
    def part(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002 - the port's signature
        return nullcontext()

    def found(self, count: int) -> None:
        pass


class _Unobserved:
    """Counts nothing."""

    def recall(self) -> AbstractContextManager[Laps]:
        return nullcontext(_Untimed())

    def text(self, episode_id: str) -> AbstractContextManager[Callable[[str], None]]:  # noqa: ARG002 - the port's
        return nullcontext(lambda _outcome: None)

    def request(
        self,
        method: str,  # noqa: ARG002 - the port's signature
        headers: Mapping[str, str],  # noqa: ARG002
    ) -> AbstractContextManager[Callable[[str, int], None]]:
        return nullcontext(lambda _route, _status: None)


UNOBSERVED: Observer = _Unobserved()

__all__ = ["UNOBSERVED", "known_as", "request_id", "well_formed"]
