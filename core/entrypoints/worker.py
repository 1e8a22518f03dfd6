"""A worker of its own: `python -m core.entrypoints.worker`. Leases keep it and others from doing work twice."""

from __future__ import annotations

import signal
import threading
from types import FrameType

from core.bootstrap import build_layer
from core.entrypoints.metrics import WorkerPort
from core.layer import MemoryLayer
from core.settings import Settings
from core.telemetry.logs import configure


def main() -> None:
    """Work until SIGINT or SIGTERM."""
    settings = Settings(chronomemory_worker=True)
    configure(settings.chronomemory_log)
    made: list[MemoryLayer] = []
    port = (
        WorkerPort(settings, lambda: made[0] if made else None) if settings.chronomemory_worker_metrics_port else None
    )
    layer = build_layer(settings)
    made.append(layer)
    done = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        done.set()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        if port is not None:
            port.start()
        layer.start()
        done.wait()
    finally:
        if port is not None:
            port.stop()
        layer.close()


if __name__ == "__main__":
    main()
