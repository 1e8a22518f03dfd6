"""The seal on each row: a MAC over what no lawful effect changes, which only the installation can make (rules §8.1).

A seal names its version, so that a later one covers more and leaves the rows sealed before as good as they were. The
first version bears no name and knew neither impact nor an own decay: a row under it that has any is not genuine. The
third is that of a row which a named person confirmed: the effect that says so seals the row anew.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.model import Memory, ScoredMemory

_SECOND, _THIRD = "2:", "3:"
_CANONICAL = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedMemory(ScoredMemory):
    """A search's row with what its seal is checked by, so that only the rows that are used cost a check."""

    ledger_seq: int = field(default=0, repr=False)
    row_mac: str = field(default="", repr=False)


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
    return None if at is None else at.astimezone(UTC).isoformat(timespec="microseconds")


def _mac(parts: list[Any], key: bytes) -> str:
    return hmac.digest(key, _CANONICAL.encode(parts).encode("ascii"), "sha256").hex()
