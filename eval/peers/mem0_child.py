"""mem0 (PyPI: mem0ai) as its documentation sets it up, with texts stored as they are (`infer=False`): no LLM is asked.

Set-up: `Memory.from_config` with the huggingface embedder on the packaged model's folder and the pgvector store. The
client of its default LLM wants a key to be built; it gets a word and is never called.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from wire import model_folder, serve, version_of

DIMENSIONS = 384
ALL = 100_000


class Mem0:
    """One `Memory`."""

    def __init__(self) -> None:
        """Nothing is opened yet."""
        self._memory: Any = None

    def about(self) -> dict[str, str]:
        """Name and set-up."""
        return {
            "name": "mem0",
            "version": version_of("mem0ai"),
            "setup": "add(infer=False), huggingface embedder, pgvector (hnsw, default), SQLite history, no spaCy",
        }

    def open(self, folder: Path, dsn: str) -> None:
        """Open the collection and the history."""
        folder.mkdir(parents=True, exist_ok=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "unused"}  # noqa: TID251 - read by mem0
        from mem0 import Memory  # noqa: PLC0415 - reads the variables above when imported

        self._memory = Memory.from_config(
            {
                "embedder": {
                    "provider": "huggingface",
                    "config": {"model": model_folder(), "embedding_dims": DIMENSIONS},
                },
                "vector_store": {
                    "provider": "pgvector",
                    "config": {
                        "connection_string": dsn,
                        "collection_name": "memories",
                        "embedding_model_dims": DIMENSIONS,
                    },
                },
                "history_db_path": str(folder / "history.db"),
            }
        )

    def add(self, user: str, text: str) -> None:
        """Stored as it is; searchable when it returns."""
        self._memory.add(text, user_id=user, infer=False)

    def settle(self) -> None:
        """Nothing is done later."""

    def search(self, user: str, query: str, k: int) -> list[str]:
        """The documented search, with its default threshold."""
        return [one["memory"] for one in self._memory.search(query, filters={"user_id": user}, top_k=k)["results"]]

    def listed(self, user: str) -> list[str]:
        """Every memory of the user."""
        return [one["memory"] for one in self._memory.get_all(filters={"user_id": user}, top_k=ALL)["results"]]

    def close(self) -> None:
        """Close the history."""
        if self._memory is not None:
            self._memory.close()


if __name__ == "__main__":
    sys.exit(serve(Mem0))
