"""A worker of its own: `python -m core.entrypoints.worker`. Leases keep it and others from doing work twice."""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

from core.bootstrap import build_layer
from core.settings import Settings


def main() -> None:
    """Work until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    layer = build_layer(Settings(chronomemory_worker=True))
    done = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        done.set()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    layer.start()
    done.wait()
    layer.close()


if __name__ == "__main__":
    main()
