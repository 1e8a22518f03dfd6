"""A client for agents: typed, synchronous, light. Of the memory itself it imports the base of the errors, no more."""

from __future__ import annotations

from core.client.client import Client
from core.client.errors import (
    BadRequest,
    ClientError,
    Conflict,
    Garbled,
    KeyRefused,
    MemoryDown,
    NotAllowed,
    NotFound,
    RateLimited,
)
from core.client.results import (
    Ancestry,
    Asked,
    Context,
    Forgotten,
    Hit,
    Memory,
    Profile,
    Progress,
    Recalled,
    Stored,
    Why,
)

__all__ = [
    "Ancestry",
    "Asked",
    "BadRequest",
    "Client",
    "ClientError",
    "Conflict",
    "Context",
    "Forgotten",
    "Garbled",
    "Hit",
    "KeyRefused",
    "Memory",
    "MemoryDown",
    "NotAllowed",
    "NotFound",
    "Profile",
    "Progress",
    "RateLimited",
    "Recalled",
    "Stored",
    "Why",
]
