"""A memory that is served over loopback, with a worker that reads while clients wait."""

from __future__ import annotations

import threading
from typing import Self

from tests.api.conftest import Api


class Reader:
    """The worker, at work while the client waits."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)

    def _run(self) -> None:
        while not self._done.is_set():
            if not self._api.console.layer.step():
                self._done.wait(0.02)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
