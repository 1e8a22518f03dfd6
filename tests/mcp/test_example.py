"""The example in `examples/` does what it says."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from tests.mcp.conftest import Hall
from tests.mcp.test_stdio import environment

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "mcp_agent.py"


def test_an_agent_remembers_over_mcp(hall: Hall) -> None:
    done = threading.Event()

    def work() -> None:
        while not done.wait(0.1):
            hall.layer.drain()

    worker = threading.Thread(target=work, name="worker")
    worker.start()
    try:
        ran = subprocess.run(
            [sys.executable, str(EXAMPLE), hall.url],
            env=environment(hall, hall.key("traveller"), NO_PROXY="*"),
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    finally:
        done.set()
        worker.join(timeout=60)
    assert ran.returncode == 0, ran.stderr
    stored, *hits, advice = ran.stdout.splitlines()
    assert stored.startswith("stored as agent_turn")
    assert any("flight to Oslo" in hit for hit in hits), ran.stdout
    assert advice.split(":")[0] in {"act", "answer", "ask"}
