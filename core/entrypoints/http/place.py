"""What the routes stand on: the layer, once it is there, and the limits of one installation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from fastapi import Request

from core.errors import StoreUnavailable
from core.layer import MemoryLayer
from core.settings import Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Made by whoever serves. `layer_of` gives None while the layer is being made."""

    settings: Settings
    layer_of: Callable[[], MemoryLayer | None]

    def layer(self) -> MemoryLayer:
        """The layer.

        Raises:
            StoreUnavailable: it is not there yet.
        """
        found = self.layer_of()
        if found is None:
            msg = "The memory is starting. Try again in some seconds."
            raise StoreUnavailable(msg)
        return found


def place_of(request: Request) -> Place:
    """The place of the application that this request came to."""
    return cast("Place", request.app.state.place)


def layer_of(request: Request) -> MemoryLayer:
    """The layer of the application that this request came to.

    Raises:
        StoreUnavailable: it is not there yet.
    """
    return place_of(request).layer()
