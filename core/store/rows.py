"""Memories to rows and back, and the seal on each row.

Postgres text cannot hold U+0000 and UTF-8 cannot hold lone surrogates: both become U+FFFD at this edge, in every
value that
is stored or searched for. The ledger keeps the original words.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.model import Memory, MemoryKind, MemoryStatus, Root, Scope, SourceKind
from core.slots import normalise
from core.store.words import marked, words_of

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SUBJECT_KEY = 200  # characters
_ATTRIBUTE_KEY = 100  # characters


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
    row: dict[str, Any] = {
        "memory_id": memory.memory_id,
        "kind": memory.kind.value,
        "status": memory.status.value,
        "subject": memory.subject,
        "attribute": memory.attribute,
        "slot_key": memory.slot_key,
        "value": memory.value,
        "text": memory.text,
        "importance": memory.importance,
        "effective_trust": memory.effective_trust,
        "source_kind": memory.source_kind.value,
        "source_ref": memory.source_ref,
        "source_title": memory.source_title,
        "actor": memory.actor,
        "episode_id": memory.episode_id,
        "conversation_id": memory.conversation_id,
        "serial_no": memory.serial_no,
        "roots": json.dumps([_root_json(root) for root in memory.roots]),
        "stated_at": memory.stated_at,
        "created_at": memory.created_at,
        "vouched_by": memory.vouched_by,
        "vouched_at": memory.vouched_at,
        "valid_at": memory.valid_at,
        "invalid_at": memory.invalid_at,
        "expired_at": memory.expired_at,
        "expires_at": memory.expires_at,
        "superseded_by": memory.superseded_by,
        "access_count": memory.access_count,
        "origins": memory.origins,
        "language": memory.language,
        "version": memory.version,
    }
    row = {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}
    row |= scope_params(memory.scope)
    row |= {
        "subject_key": subject_key(memory.subject),
        "attribute_key": attribute_key(memory.attribute),
        "slot_hash": slot_hash(memory.slot_key),
        "words": marked(memory.scope, words_of(storable(searchable(memory)))),
        "ledger_seq": ledger_seq,
    }
    row["row_mac"] = seal(row, mac_key)
    return row


def from_row(row: Mapping[str, Any]) -> Memory:
    """The memory of a row; times in UTC whatever the session's zone."""
    return Memory(
        memory_id=row["memory_id"],
        scope=Scope(tenant=row["tenant"], owner=row["owner"], agent=row["agent"]),
        kind=MemoryKind(row["kind"]),
        subject=row["subject"],
        attribute=row["attribute"],
        slot_key=row["slot_key"],
        value=row["value"],
        text=row["text"],
        importance=row["importance"],
        effective_trust=row["effective_trust"],
        source_kind=SourceKind(row["source_kind"]),
        source_ref=row["source_ref"],
        source_title=row["source_title"],
        actor=row["actor"],
        episode_id=row["episode_id"],
        conversation_id=row["conversation_id"],
        serial_no=row["serial_no"],
        roots=tuple(_root(root) for root in row["roots"]),
        stated_at=row["stated_at"].astimezone(UTC),
        created_at=row["created_at"].astimezone(UTC),
        status=MemoryStatus(row["status"]),
        vouched_by=row["vouched_by"],
        vouched_at=_utc(row["vouched_at"]),
        valid_at=_utc(row["valid_at"]),
        invalid_at=_utc(row["invalid_at"]),
        expired_at=_utc(row["expired_at"]),
        expires_at=_utc(row["expires_at"]),
        superseded_by=row["superseded_by"],
        access_count=row["access_count"],
        origins=row["origins"],
        language=row["language"],
        version=row["version"],
    )


# What a seal covers: words, provenance, scope and audit position; nothing that later effects may change (rules §8.1).
_SEALED = (
    "tenant",
    "owner",
    "agent",
    "memory_id",
    "kind",
    "subject",
    "attribute",
    "value",
    "text",
    "effective_trust",
    "source_kind",
    "source_ref",
    "source_title",
    "actor",
    "episode_id",
    "conversation_id",
    "serial_no",
    "vouched_by",
    "ledger_seq",
)


def seal(row: Mapping[str, Any], key: bytes | None) -> str:
    """Hex HMAC-SHA256 over a row's text, provenance, scope and audit sequence; '' without a key (rules §8.1)."""
    if key is None:
        return ""
    roots = row["roots"]
    sealed = [row[name] for name in _SEALED]
    sealed.append(json.loads(roots) if isinstance(roots, str) else roots)
    canonical = json.dumps(sealed, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return hmac.new(key, canonical.encode("ascii"), hashlib.sha256).hexdigest()


def is_sealed(row: Mapping[str, Any], key: bytes) -> bool:
    """Whether a row carries the seal that `key` gives it."""
    return hmac.compare_digest(row["row_mac"], seal(row, key))


def _root_json(root: Root) -> dict[str, Any]:
    return {
        "episode_id": storable(root.episode_id),
        "source_kind": root.source_kind.value,
        "source_ref": storable(root.source_ref),
        "trust": root.trust,
    }


def _root(data: Mapping[str, Any]) -> Root:
    return Root(
        episode_id=data["episode_id"],
        source_kind=SourceKind(data["source_kind"]),
        source_ref=data["source_ref"],
        trust=float(data["trust"]),
    )


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC)
