"""Stand-ins that behave like the real parts, without their cost."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Unit vectors from the words of a text: texts that share words lie near each other. Loads and downloads nothing."""

    def __init__(self, *, dimensions: int = 384) -> None:
        self.dimensions = dimensions
        self.identity = f"hashed-words-{dimensions}"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        values = [0.0] * self.dimensions
        for word in [*_WORD.findall(text.casefold()), "\x00"]:  # the last one, so that no vector is zero
            digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            for half in (digest[:4], digest[4:]):
                number = int.from_bytes(half, "big")
                values[number % self.dimensions] += 1.0 if number & 0x80000000 else -1.0
        values[0] += 0.01  # opposite words may cancel out
        length = math.sqrt(sum(value * value for value in values))
        return [value / length for value in values]
