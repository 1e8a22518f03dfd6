"""Memories to rows and back.

Postgres text cannot hold U+0000 and UTF-8 cannot hold lone surrogates: both become U+FFFD at this edge, in every value
that is stored or searched for. The ledger keeps the original words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from core.model import Memory, MemoryKind, MemoryStatus, Root, Scope, SourceKind
from core.slots import normalise
from core.store.seal import is_genuine, seal
from core.store.words import marked, words_of

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SUBJECT_KEY = 200  # characters
_ATTRIBUTE_KEY = 100  # characters
_COLUMNS = tuple(field.name for field in fields(Memory) if field.name != "scope")
# A search reads some hundred rows: a look-up costs a fifth of a call of the enumeration.
_KINDS = {kind.value: kind for kind in MemoryKind}
_STATUSES = {status.value: status for status in MemoryStatus}
_SOURCES = {source.value: source for source in SourceKind}


def storable(text: str) -> str:
    """`text` with what Postgres cannot store replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def subject_key(subject: str) -> str:
    """The bounded, normalised form under which a subject is compared."""
    return storable(normalise(subject))[:_SUBJECT_KEY]


def attribute_key(attribute: str) -> str:
    """The bounded, normalised form under which an attribute is compared."""
    return storable(normalise(attribute).replace(" ", "_"))[:_ATTRIBUTE_KEY]


def slot_hash(slot_key: str) -> str:
    """Hex sha256 of a slot key: slots of any length under an index."""
    return hashlib.sha256(storable(slot_key).encode()).hexdigest()


def searchable(memory: Memory) -> str:
    """The words under which a memory can be found; the owner's own name for themself would be in every row."""
    subject = "" if memory.subject == "user" else memory.subject
    return f"{memory.text} {subject} {memory.attribute.replace('_', ' ')} {memory.value}"


def vector_literal(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(format(x, ".6g") for x in vector) + "]"


def scope_params(scope: Scope) -> dict[str, str]:
    """The three parts of a scope as query parameters."""
    return {"tenant": storable(scope.tenant), "owner": storable(scope.owner), "agent": storable(scope.agent)}


def to_row(memory: Memory, *, ledger_seq: int, mac_key: bytes | None) -> dict[str, Any]:
    """Parameters of the insert: every field of the memory, the derived keys and the seal."""
    memory = _stored(memory)
    row: dict[str, Any] = {name: getattr(memory, name) for name in _COLUMNS}
    row |= scope_params(memory.scope)
    row |= {
        "kind": memory.kind.value,
        "status": memory.status.value,
        "source_kind": memory.source_kind.value,
        "roots": json.dumps([_root_json(root) for root in memory.roots]),
        "support": json.dumps(memory.support),
        "impact": json.dumps(memory.impact),
        "origins": len(memory.support) or memory.origins,
        "subject_key": subject_key(memory.subject),
        "attribute_key": attribute_key(memory.attribute),
        "slot_hash": slot_hash(memory.slot_key),
        "words": marked(memory.scope, words_of(searchable(memory))),
        "ledger_seq": ledger_seq,
        "row_mac": seal(memory, ledger_seq=ledger_seq, key=mac_key),
    }
    return row


def from_row(row: Mapping[str, Any]) -> Memory:
    """The memory of a row; times in UTC whatever the session's zone."""
    return Memory(
        memory_id=row["memory_id"],
        scope=Scope(tenant=row["tenant"], owner=row["owner"], agent=row["agent"]),
        kind=_KINDS[row["kind"]],
        subject=row["subject"],
        attribute=row["attribute"],
        slot_key=row["slot_key"],
        value=row["value"],
        text=row["text"],
        importance=row["importance"],
        effective_trust=row["effective_trust"],
        source_kind=_SOURCES[row["source_kind"]],
        source_ref=row["source_ref"],
        source_title=row["source_title"],
        actor=row["actor"],
        episode_id=row["episode_id"],
        conversation_id=row["conversation_id"],
        serial_no=row["serial_no"],
        roots=tuple(_root(root) for root in row["roots"]),
        stated_at=row["stated_at"].astimezone(UTC),
        created_at=row["created_at"].astimezone(UTC),
        status=_STATUSES[row["status"]],
        vouched_by=row["vouched_by"],
        vouched_at=_utc(row["vouched_at"]),
        confirmed_by=row["confirmed_by"],
        confirmed_at=_utc(row["confirmed_at"]),
        valid_at=_utc(row["valid_at"]),
        invalid_at=_utc(row["invalid_at"]),
        expired_at=_utc(row["expired_at"]),
        expires_at=_utc(row["expires_at"]),
        superseded_by=row["superseded_by"],
        access_count=row["access_count"],
        origins=row["origins"],
        language=row["language"],
        version=row["version"],
        support=tuple(row["support"]),
        pinned=row["pinned"],
        half_life_days=row["half_life_days"],
        shape=row["shape"],
        impact=tuple(row["impact"]),
    )


def genuine_memory(row: Mapping[str, Any], key: bytes | None) -> Memory | None:
    """The memory of a row that carries the seal `key` gives it, None for any other; without a key, of every row."""
    if key is None:
        return from_row(row)
    try:
        memory = from_row(row)
    except (AttributeError, KeyError, TypeError, ValueError):  # no effect writes a row that cannot be read
        return None
    return memory if is_genuine(memory, ledger_seq=row["ledger_seq"], row_mac=row["row_mac"], key=key) else None


def _stored(memory: Memory) -> Memory:
    """The memory as it will be read back: without what Postgres cannot store, each origin named once."""
    texts: dict[str, Any] = {
        name: storable(value)
        for name in _COLUMNS
        if isinstance(value := getattr(memory, name), str) and not isinstance(value, Enum)
    }
    scope = Scope(**scope_params(memory.scope))
    roots = tuple(
        replace(root, episode_id=storable(root.episode_id), source_ref=storable(root.source_ref))
        for root in memory.roots
    )
    support = tuple(dict.fromkeys(map(storable, memory.support)))
    impact = tuple(map(storable, memory.impact))
    return replace(memory, **texts, scope=scope, roots=roots, support=support, impact=impact)


def _root_json(root: Root) -> dict[str, Any]:
    return {
        "episode_id": root.episode_id,
        "source_kind": root.source_kind.value,
        "source_ref": root.source_ref,
        "trust": root.trust,
    }


def _root(data: Mapping[str, Any]) -> Root:
    return Root(
        episode_id=data["episode_id"],
        source_kind=_SOURCES[data["source_kind"]],
        source_ref=data["source_ref"],
        trust=float(data["trust"]),
    )


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC)
