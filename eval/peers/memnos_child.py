"""memnos (PyPI: memnos): its engine `core.service.MemnosMemory`, in its mode without an LLM, on the shared Postgres.

Its own local embedder and reranker are downloaded when first used. The engine takes the embedder as an argument: it
gets the packaged model, of the same 384 dimensions; the reranker is switched off as documented (MEMNOS_RERANK=0).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from wire import Cannot, model_folder, serve, version_of

DIMENSIONS = 384


class Memnos:
    """One engine."""

    def __init__(self) -> None:
        """Nothing is opened yet."""
        self._memory: Any = None
        self._model: Any = None

    def about(self) -> dict[str, str]:
        """Name and set-up."""
        return {
            "name": "memnos",
            "version": version_of("memnos"),
            "setup": "MemnosMemory.remember/recall, a namespace a user, packaged embedder, no reranker, no LLM",
        }

    def open(self, folder: Path, dsn: str) -> None:
        """Open the engine and make its schema."""
        folder.mkdir(parents=True, exist_ok=True)
        os.environ |= {"MEMNOS_RERANK": "0"}  # noqa: TID251 - read by memnos
        import psycopg  # noqa: PLC0415
        from core.control import Control  # noqa: PLC0415 - this and the next read the variable above when imported
        from core.service import MemnosMemory  # noqa: PLC0415
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415

        self._model = SentenceTransformer(model_folder(), device="cpu")
        with psycopg.connect(dsn, autocommit=True, row_factory=psycopg.rows.dict_row) as connection:
            Control.init(connection)  # its registry of namespaces, which its server makes at the start
        self._memory = MemnosMemory(dsn, self._embed, dim=DIMENSIONS, ensure_schema=True)

    def add(self, user: str, text: str) -> None:
        """Stored as a turn when it returns; facts would need an LLM."""
        self._memory.remember(f"user:{user}", text, speaker="user")

    def settle(self) -> None:
        """Nothing is done later."""

    def search(self, user: str, query: str, k: int) -> list[str]:
        """The first k of what recall gives."""
        found = self._memory.recall(f"user:{user}", query)
        return [one["content"] for one in found[:k]]

    def listed(self, user: str) -> list[str]:
        """No such call."""
        msg = f"the engine has no call that lists the turns of {user!r}"
        raise Cannot(msg)

    def close(self) -> None:
        """Its connection ends with the process."""

    def _embed(self, text: str) -> list[float]:
        vector: list[float] = self._model.encode(text, normalize_embeddings=True).tolist()
        return vector


if __name__ == "__main__":
    sys.exit(serve(Memnos))
