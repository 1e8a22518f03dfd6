"""Hindsight (PyPI: hindsight-api-slim[embedded-db]): its `MemoryEngine` in process, no LLM, its own Postgres.

HINDSIGHT_API_LLM_PROVIDER=none is its documented mode without an LLM: what is retained is kept in chunks. Its
reranker has to be downloaded, so ranking is by its documented `rrf`. Its migrations fail on a Postgres without
pg_trgm, as the shared one is; its own embedded one (pg0) has it, and lies in this child's folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from wire import model_folder, serve, version_of

ALL = 100_000
NOBODY = 65534


class Hindsight:
    """One engine and the loop that it lives in."""

    def __init__(self) -> None:
        """Start the loop; nothing is opened yet."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="engine", daemon=True).start()
        self._engine: Any = None
        self._context: Any = None
        self._folder: Path | None = None

    def about(self) -> dict[str, str]:
        """Name and set-up."""
        return {
            "name": "Hindsight",
            "version": version_of("hindsight-api-slim"),
            "setup": "retain_async/recall_async, a bank a user, no LLM (chunks), local embedder, rrf, own Postgres",
        }

    def open(self, folder: Path, dsn: str) -> None:  # noqa: ARG002 - the shared server is of no use to it
        """Open the engine; makes its tables."""
        address = self._server(folder)
        os.environ |= {  # noqa: TID251 - read by hindsight
            "HINDSIGHT_API_LLM_PROVIDER": "none",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "local",
            "HINDSIGHT_API_EMBEDDINGS_LOCAL_MODEL": model_folder(),
            "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
            "HINDSIGHT_API_DATABASE_URL": address,
        }
        from hindsight_api.engine.memory_engine import MemoryEngine  # noqa: PLC0415 - reads the variables above
        from hindsight_api.models import RequestContext  # noqa: PLC0415

        self._context = RequestContext()
        self._engine = MemoryEngine(db_url=address)
        self._run(self._engine.initialize())

    def add(self, user: str, text: str) -> None:
        """Retained when it returns."""
        self._run(self._engine.retain_async(bank_id=user, content=text, request_context=self._context))

    def settle(self) -> None:
        """Nothing that a recall waits for is done later."""

    def search(self, user: str, query: str, k: int) -> list[str]:
        """The first k of what recall gives."""
        found = self._run(self._engine.recall_async(bank_id=user, query=query, request_context=self._context))
        return [one.text for one in found.results[:k]]

    def listed(self, user: str) -> list[str]:
        """Every memory unit of the bank."""
        found = self._run(self._engine.list_memory_units(bank_id=user, limit=ALL, request_context=self._context))
        return [one["text"] for one in found["items"]]

    def close(self) -> None:
        """Close the engine."""
        if self._engine is not None:
            self._run(self._engine.close())
        if self._folder is not None:
            self._pg0("stop")

    def _server(self, folder: Path) -> str:
        """Its embedded Postgres, with the folder as its home; started unless it runs already."""
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        self._folder = folder
        found = json.loads(self._pg0("info", "-o", "json") or "{}")
        if not found.get("running"):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            self._pg0("start", "--port", str(port))
            found = json.loads(self._pg0("info", "-o", "json"))
        return str(found["uri"])

    def _pg0(self, verb: str, *more: str) -> str:
        """The program of the package, as another account if we are root: Postgres refuses to run as root."""
        import pg0  # noqa: PLC0415

        program = Path(pg0.__file__).parent / "bin" / "pg0"
        done = subprocess.run(
            [str(program), verb, "--name", "peers", *more],
            env={"HOME": str(self._folder), "PATH": "/usr/bin:/bin"},
            cwd=self._folder,
            user=NOBODY if os.geteuid() == 0 else None,
            group=NOBODY if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode and verb == "start":
            msg = f"pg0 did not start: {(done.stderr or done.stdout)[-300:]}"
            raise RuntimeError(msg)
        return done.stdout

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


if __name__ == "__main__":
    sys.exit(serve(Hindsight))
