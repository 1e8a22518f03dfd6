"""An answer as it is being written, with a Stop that works from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self


class Stream(Iterator[str]):
    """Pieces of an answer. `close()` works from any thread, also while another one waits for the next piece."""

    def __init__(self, pieces: Callable[[Stream], Iterator[str]]) -> None:
        """Make the stream from its generator, which is given the stream to attach its connections to."""
        self.closed = threading.Event()
        self._cut: Callable[[], None] = lambda: None
        self._pieces = pieces(self)

    def __next__(self) -> str:
        """The next piece."""
        return next(self._pieces)

    def __enter__(self) -> Self:
        """Use as a context manager to be sure that the connection ends with the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Close."""
        self.close()

    def attach(self, cut: Callable[[], None]) -> None:
        """Take what ends the present attempt: called by `close`, and at once if the stream is closed already."""
        self._cut = cut
        if self.closed.is_set():
            cut()

    def close(self) -> None:
        """End the answer: the connection is shut at once and no further piece comes."""
        self.closed.set()
        self._cut()
        try:
            getattr(self._pieces, "close", lambda: None)()
        except ValueError:  # "generator already executing": its thread wakes from the cut connection and ends by itself
            return
