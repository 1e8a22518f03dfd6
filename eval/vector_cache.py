"""Vectors kept on disk from run to run, so that what was embedded once is not embedded again.

A folder a model; in it each run writes a pair of files of its own, so that runs may go on side by side: `*.texts` (a
sha256 a line) and `*.vectors` (float32, as many rows). A torn last row is left out.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.llm.embedder import PackagedEmbedder
from core.ports import Embedder


class DiskCachedEmbedder:
    """`core.ports.Embedder` over another one, with its vectors in a folder."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        """Read what is there."""
        self._inner = inner
        place = folder / hashlib.sha256(inner.identity.encode()).hexdigest()[:16]
        place.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._known: dict[str, np.ndarray] = {}
        for texts in sorted(place.glob("*.texts")):
            names = texts.read_text(encoding="ascii").split()
            rows = np.fromfile(texts.with_suffix(".vectors"), dtype=np.float32)
            whole = rows[: rows.size // inner.dimensions * inner.dimensions].reshape(-1, inner.dimensions)
            self._known |= dict(zip(names, whole, strict=False))
        self._texts = place / f"{os.getpid()}-{time.time_ns()}.texts"
        self._vectors = self._texts.with_suffix(".vectors")

    @property
    def identity(self) -> str:
        """The inner one's."""
        return self._inner.identity

    @property
    def dimensions(self) -> int:
        """The inner one's."""
        return self._inner.dimensions

    def warm(self) -> None:
        """Nothing to load: a run may need no new vector at all."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in order; new ones are made and kept."""
        names = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        with self._lock:
            new = {name: text for name, text in zip(names, texts, strict=True) if name not in self._known}
            if new:
                rows = np.asarray(self._inner.embed(list(new.values())), dtype=np.float32)
                with self._vectors.open("ab") as vectors, self._texts.open("a", encoding="ascii") as known:
                    rows.tofile(vectors)
                    known.writelines(f"{name}\n" for name in new)
                self._known |= dict(zip(new, rows, strict=True))
            return [self._known[name].tolist() for name in names]


def embedder(folder: Path | None) -> Embedder:
    """The packaged model, with its vectors in `folder` if there is one."""
    packaged = PackagedEmbedder()
    return DiskCachedEmbedder(packaged, folder) if folder else packaged
