"""Records without what belongs to one installation only: whose they are, serial numbers, epochs. Pure.

On the way out the owner's id becomes a mark, serial numbers become ranks among the owner's own texts, and a scope keeps
its agent. On the way in the mark becomes the new owner's id and ranks the new serial numbers. People's words are never
touched.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from core.model import Scope

OWNER = "«owner»"
_WORDS = frozenset(
    {
        *("text", "value", "statement", "subject", "attribute", "slot_key", "title", "source_title"),
        *("note", "reason", "claimed", "limit"),
    }
)
_SCOPE = frozenset({"tenant", "owner", "agent"})
_MARKS = re.compile(f"««|{OWNER}")


def leaving(value: Any, *, owner: str, serials: Sequence[int], key: str = "") -> Any:
    """A record as it goes into a file."""
    if isinstance(value, dict):
        kept = {"agent": value["agent"]} if set(value) == _SCOPE else value
        return {name: leaving(inner, owner=owner, serials=serials, key=name) for name, inner in kept.items()}
    if isinstance(value, list):
        return [leaving(inner, owner=owner, serials=serials, key=key) for inner in value]
    if isinstance(value, int) and key in ("serial_no", "epoch"):  # an epoch says nothing elsewhere
        return _rank(serials, value) if key == "serial_no" else 0
    if isinstance(value, str) and key not in _WORDS:
        return value.replace("«", "««").replace(owner, OWNER)
    return value


def arriving(value: Any, *, scope: Scope, serials: Sequence[int], key: str = "") -> Any:
    """A record of a file as this installation keeps it; a rank that no text of the file has becomes 0."""
    if isinstance(value, dict):
        whose = {"tenant": scope.tenant, "owner": scope.owner} if set(value) == {"agent"} else {}
        plain = {name: arriving(inner, scope=scope, serials=serials, key=name) for name, inner in value.items()}
        return whose | plain
    if isinstance(value, list):
        return [arriving(inner, scope=scope, serials=serials, key=key) for inner in value]
    if key == "serial_no" and isinstance(value, int):
        return serials[value - 1] if 0 < value <= len(serials) else 0
    if isinstance(value, str) and key not in _WORDS:
        return _MARKS.sub(lambda found: "«" if found[0] == "««" else scope.owner, value)
    return value


def _rank(serials: Sequence[int], number: int) -> int:
    at = bisect_left(serials, number)
    return at + 1 if at < len(serials) and serials[at] == number else 0


__all__ = ["OWNER", "arriving", "leaving"]
