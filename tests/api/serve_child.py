"""`chronomemory serve` for a test to kill: the real stores and worker, the tests' embedder, a clock moved by the test."""

from __future__ import annotations

import os
import sys
from datetime import timedelta

import uvicorn

from core.bootstrap import build_layer
from core.entrypoints.serving import make_server
from core.settings import Settings
from tests.factories import NOW, FixedClock
from tests.fakes import HashEmbedder


def main() -> None:
    """Serve until killed, on the port and with the hours that were given."""
    port, hours = int(sys.argv[1]), float(sys.argv[2])
    settings = Settings(_env_file=None)
    clock = FixedClock(NOW + timedelta(hours=hours))
    app = make_server(settings, lambda: build_layer(settings, clock=clock, embedder=HashEmbedder()))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
