"""The moving desk: the way out and the way in under one name."""

from __future__ import annotations

from dataclasses import dataclass

from core.moving.inward import Inward


@dataclass(frozen=True, kw_only=True, slots=True)
class Moving(Inward):
    """An owner's whole memory, out of this installation and into it. Each act authorises its actor itself."""


__all__ = ["Moving"]
