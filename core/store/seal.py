"""The seal on each row: a MAC over what no lawful effect changes, which only the installation can make (rules §8.1).

A seal names its version, so that a later one covers more and leaves the rows sealed before as good as they were. The
first version bears no name and knew neither impact nor an own decay: a row under it that has any is not genuine. The
third is that of a row which a named person confirmed: the effect that says so seals the row anew.
"""

from __future__ import annotations

import hmac
import json
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from core.model import Memory

_SECOND, _THIRD = "2:", "3:"
_CANONICAL = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def seal(memory: Memory, *, ledger_seq: int, key: bytes | None) -> str:
    """The seal of a memory in the form in which it is stored; '' without a key."""
    if key is None:
        return ""
    if memory.confirmed_by is None and memory.confirmed_at is None:
        return _SECOND + _mac([2, *_first(memory, ledger_seq), *_second(memory)], key)
    confirmed = [memory.confirmed_by, _time(memory.confirmed_at)]
    return _THIRD + _mac([3, *_first(memory, ledger_seq), *_second(memory), *confirmed], key)


def is_genuine(memory: Memory, *, ledger_seq: int, row_mac: str, key: bytes) -> bool:
    """Whether a row, as it was read, carries the seal that `key` gives it."""
    if row_mac.startswith((_SECOND, _THIRD)):
        return hmac.compare_digest(row_mac.encode(), seal(memory, ledger_seq=ledger_seq, key=key).encode())
    later = (memory.half_life_days, memory.shape, memory.confirmed_by, memory.confirmed_at)
    if memory.impact or any(one is not None for one in later):
        return False
    return hmac.compare_digest(row_mac.encode(), _mac(_first(memory, ledger_seq), key).encode())


def _first(memory: Memory, ledger_seq: int) -> list[Any]:
    scope = memory.scope
    return [
        scope.tenant,
        scope.owner,
        scope.agent,
        memory.memory_id,
        memory.kind.value,
        memory.subject,
        memory.attribute,
        memory.value,
        memory.text,
        float(memory.effective_trust),
        memory.source_kind.value,
        memory.source_ref,
        memory.source_title,
        memory.actor,
        memory.episode_id,
        memory.conversation_id,
        memory.serial_no,
        memory.vouched_by,
        ledger_seq,
        [
            {
                "episode_id": root.episode_id,
                "source_kind": root.source_kind.value,
                "source_ref": root.source_ref,
                "trust": float(root.trust),
            }
            for root in memory.roots
        ],
    ]


def _second(memory: Memory) -> list[Any]:
    return [
        memory.slot_key,
        float(memory.importance),
        _time(memory.created_at),
        _time(memory.valid_at),
        _time(memory.expires_at),
        list(memory.impact),
        None if memory.half_life_days is None else float(memory.half_life_days),
        None if memory.shape is None else float(memory.shape),
    ]


def _time(at: datetime | None) -> str | None:
    if at is None:
        return None
    return (at if at.tzinfo is UTC else at.astimezone(UTC)).isoformat(timespec="microseconds")


def _mac(parts: list[Any], key: bytes) -> str:
    made = _begun(key).copy()
    made.update(_CANONICAL.encode(parts).encode("ascii"))
    return made.hexdigest()


@lru_cache(maxsize=8)
def _begun(key: bytes) -> hmac.HMAC:
    """A MAC begun with a key, to be copied.

    A search checks some hundred rows. The one-shot `hmac.digest` lets go of the interpreter's lock at each, and under
    load gets it back after every other thread has had its turn.
    """
    return hmac.new(key, digestmod="sha256")
