"""The audit chain: how an entry is hashed and how a chain is verified (rules §8). Pure.

A `Link` is an entry exactly as it is stored, every field as its text. The hash covers those texts and not their parsed
meaning, so that a change of a single stored byte shows, even one that would parse to the same value.

Verifying finds an entry out of sequence, one whose `prev_hash` is not its predecessor's hash, one whose hash is not
that of its content and, against a head witnessed elsewhere, a cut tail and a rewritten chain (rules §8.2).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.errors import BadInput
from core.model import AuditEntry, aware
from core.ports import ChainReport

GENESIS = ""  # prev_hash of the first entry
ATTESTATIONS = ("none", "declared", "config-hash", "behavioural", "weight-fingerprint")  # rules §8.1
MAX_REFERENCE = 256  # characters of one string in `about`: room for an id, a digest, a model's name; not for a text
_ACTION = re.compile(r"[a-z0-9_.-]+:[a-z0-9_.:-]+")
_SHAPE = 1  # version of the hashed form; a change of the form is a new number, old links keep theirs


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """One entry as stored. `at` is UTC with microseconds, `about` canonical JSON, hashes hex sha256."""

    seq: int
    at: str
    actor: str
    attestation: str
    action: str
    about: str
    tenant: str
    owner: str
    prev_hash: str
    hash: str = ""


def stamp(at: datetime) -> str:
    """A time as the ledger writes it: UTC, always with microseconds, so that text order is time order.

    Raises:
        ValueError: `at` is naive.
    """
    return aware(at).astimezone(UTC).isoformat(timespec="microseconds")


def canonical(about: Mapping[str, Any]) -> str:
    """The one JSON text of `about`: sorted keys, no spaces, ASCII only.

    Raises:
        BadInput: a value is not an id, digest, number, flag, or list or map of these; or a string is so long that it
            could only be content, which an audit entry must never hold (rules §8.1).
    """
    _refuse_words(about)
    try:
        return json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        msg = f"an audit entry holds ids, digests and numbers only: {error}"
        raise BadInput(msg) from error


def _refuse_words(value: Any) -> None:
    if isinstance(value, str):
        if len(value) > MAX_REFERENCE:
            msg = f"an audit entry names things by id or digest, not by {len(value)} characters of text"
            raise BadInput(msg)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                msg = "the keys of an audit entry's `about` are strings"
                raise BadInput(msg)
            _refuse_words(key)
            _refuse_words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_words(inner)


def make_link(  # noqa: PLR0913 - an entry has that many parts
    head: tuple[int, str],
    *,
    at: datetime,
    actor: str,
    action: str,
    tenant: str,
    owner: str,
    about: Mapping[str, Any],
    attestation: str = "none",
    key: bytes | None = None,
) -> Link:
    """The next link after `head`, sealed.

    Args:
        head: (sequence, hash) of the chain's last entry; (0, "") for an empty chain.
        at: when it happened.
        actor: who did it: "policy", "worker", a person's user id, a model's id.
        action: "subject:verb".
        tenant: whose installation part it concerns; "" for the system itself.
        owner: whose memory it concerns; "" for nobody's.
        about: ids, digests and numbers.
        attestation: how far the actor's identity is proven, one of `ATTESTATIONS`.
        key: the HMAC key of this ledger, if it has one.

    Raises:
        BadInput: the action, attestation or `about` is malformed.
    """
    if not _ACTION.fullmatch(action):
        msg = f"an audit action reads 'subject:verb', not {action!r}"
        raise BadInput(msg)
    if attestation not in ATTESTATIONS:
        msg = f"attestation is one of {', '.join(ATTESTATIONS)}, not {attestation!r}"
        raise BadInput(msg)
    seq, prev_hash = head
    link = Link(
        seq=seq + 1,
        at=stamp(at),
        actor=actor,
        attestation=attestation,
        action=action,
        about=canonical(about),
        tenant=tenant,
        owner=owner,
        prev_hash=prev_hash,
    )
    return replace(link, hash=link_hash(link, key=key))


def link_hash(link: Link, *, key: bytes | None = None) -> str:
    """Hex sha256, or HMAC-sha256 under `key`, of every field but the hash itself."""
    fields = {
        "about": link.about,
        "action": link.action,
        "actor": link.actor,
        "at": link.at,
        "attestation": link.attestation,
        "owner": link.owner,
        "prev_hash": link.prev_hash,
        "seq": link.seq,
        "shape": _SHAPE,
        "tenant": link.tenant,
    }
    payload = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    if key is None:
        return hashlib.sha256(payload).hexdigest()
    return hmac.new(key, payload, hashlib.sha256).hexdigest()


def entry_of(link: Link) -> AuditEntry:
    """The entry a link stands for."""
    return AuditEntry(
        seq=link.seq,
        at=datetime.fromisoformat(link.at),
        actor=link.actor,
        attestation=link.attestation,
        action=link.action,
        about=json.loads(link.about),
        tenant=link.tenant,
        owner=link.owner,
        prev_hash=link.prev_hash,
        hash=link.hash,
    )


def verify_chain(
    links: Iterable[Link], *, key: bytes | None = None, witnessed: tuple[int, str] | None = None
) -> ChainReport:
    """Recompute a chain from its first link.

    1. Each link's sequence is its predecessor's plus one, from 1.
    2. Its `prev_hash` is its predecessor's hash.
    3. Its hash is that of its content.
    4. The link at the witnessed sequence exists and has the witnessed hash.

    Args:
        links: every link, in order of sequence.
        key: the HMAC key the chain was made with.
        witnessed: (sequence, hash) of a head that was kept elsewhere; (0, "") says nothing.

    Returns:
        A report whose `broken_seq` is the first sequence number that cannot be relied on. Its head is the last link
        that was sound.
    """
    seq, head = 0, GENESIS
    for link in links:
        problem = _flaw(link, seq, head, key)
        if problem:
            return _broken(seq, head, seq + 1, problem)
        seq, head = link.seq, link.hash
        if witnessed is not None and seq == witnessed[0] and not hmac.compare_digest(head, witnessed[1]):
            problem = f"entry {seq} is not the one that was witnessed: the chain was rewritten at or before it"
            return _broken(seq - 1, link.prev_hash, seq, problem)
    if witnessed is not None and witnessed[0] > seq:
        problem = f"the chain ends at {seq}, but entry {witnessed[0]} was witnessed: its tail was cut off"
        return _broken(seq, head, seq + 1, problem)
    return ChainReport(ok=True, entries=seq, head_seq=seq, head_hash=head)


def _flaw(link: Link, seq: int, head: str, key: bytes | None) -> str:
    """What is wrong with the link after (seq, head); "" if nothing."""
    if link.seq != seq + 1:
        return f"entry {seq + 1} is missing: {link.seq} follows {seq}"
    if link.prev_hash != head:
        return f"entry {link.seq} does not follow from the entry before it"
    if link.hash != link_hash(link, key=key):
        return f"entry {link.seq} was changed after it was written"
    return ""


def _broken(sound_seq: int, sound_hash: str, broken_seq: int, problem: str) -> ChainReport:
    return ChainReport(
        ok=False,
        entries=sound_seq,
        head_seq=sound_seq,
        head_hash=sound_hash,
        broken_seq=broken_seq,
        problem=problem,
    )
