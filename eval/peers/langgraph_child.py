"""LangGraph's store (PyPI: langgraph-checkpoint-postgres) as its documentation shows it for long-term memory.

`PostgresStore` with a semantic index over the packaged model; a memory is `put((user, "memories"), uuid, …)`. With
LANGGRAPH_STORE=memory it is the `InMemoryStore` of langgraph instead, which keeps nothing between processes.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from wire import Cannot, model_folder, serve, version_of

DIMENSIONS = 384
ALL = 100_000
IN_MEMORY = os.environ.get("LANGGRAPH_STORE") == "memory"  # noqa: TID251 - the parent's word to this child


class LangGraph:
    """One store."""

    def __init__(self) -> None:
        """Nothing is opened yet."""
        self._store: Any = None
        self._model: Any = None
        self._stack = ExitStack()

    def about(self) -> dict[str, str]:
        """Name and set-up."""
        if IN_MEMORY:
            return {
                "name": "LangGraph InMemoryStore",
                "version": version_of("langgraph"),
                "setup": "semantic index on `text`, namespace (user, 'memories'), nothing is kept on disk",
            }
        return {
            "name": "LangGraph PostgresStore",
            "version": version_of("langgraph", "langgraph-checkpoint-postgres"),
            "setup": "semantic index on `text` (hnsw, default), namespace (user, 'memories'), one put a statement",
        }

    def open(self, folder: Path, dsn: str) -> None:
        """Open the store and set up its tables."""
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - slow: when first needed

        self._model = SentenceTransformer(model_folder(), device="cpu")
        index = {"dims": DIMENSIONS, "embed": self._embed, "fields": ["text"]}
        if IN_MEMORY:
            from langgraph.store.memory import InMemoryStore  # noqa: PLC0415

            if folder.exists():
                msg = "InMemoryStore keeps nothing when its process ends"
                raise Cannot(msg)
            folder.mkdir(parents=True)
            self._store = InMemoryStore(index=index)  # type: ignore[arg-type]
            return
        from langgraph.store.postgres import PostgresStore  # noqa: PLC0415

        self._store = self._stack.enter_context(PostgresStore.from_conn_string(dsn, index=index))  # type: ignore[arg-type]
        self._store.setup()

    def add(self, user: str, text: str) -> None:
        """Stored and indexed when it returns."""
        self._store.put((user, "memories"), str(uuid.uuid4()), {"text": text})  # noqa: TID251 - as documented

    def settle(self) -> None:
        """Nothing is done later."""

    def search(self, user: str, query: str, k: int) -> list[str]:
        """Semantic search in the user's namespace."""
        found = self._store.search((user, "memories"), query=query, limit=k)
        return [one.value["text"] for one in found]

    def listed(self, user: str) -> list[str]:
        """Every memory in the user's namespace."""
        return [one.value["text"] for one in self._store.search((user, "memories"), limit=ALL)]

    def close(self) -> None:
        """Close the connection."""
        self._stack.close()

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._model.encode(list(texts), normalize_embeddings=True).tolist()
        return vectors


if __name__ == "__main__":
    sys.exit(serve(LangGraph))
