"""The import desk: every part under one name."""

from __future__ import annotations

from dataclasses import dataclass

from core.imports.running import Running


@dataclass(frozen=True, kw_only=True, slots=True)
class Imports(Running):
    """Imports of the signed-in person into their own memory."""
