"""Damages a copy of the audit chain in memory and verifies it: the ledger's own file is only read."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from core.audit import Link, link_hash, verify_chain
from core.errors import BadInput
from core.ledger.dialect import Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import link_of
from core.ports import Tampering, TamperReport

LEAST = 4  # entries that a chain needs before something can be taken out of it
CUT = 3  # entries that are cut off, at most
_FIELDS = ("seq", "at", "actor", "attestation", "action", "about", "tenant", "owner", "prev_hash", "hash")
_TABLE = """
CREATE TABLE audit (seq INTEGER PRIMARY KEY, at, actor, attestation, action, about, tenant, owner, prev_hash, hash)
"""
_INSERT = "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class StoredTamperGround(StoredHandle):
    """Implements `core.ports.TamperGround`."""

    def tamper_with_copy(self, how: Tampering, *, witnessed: tuple[int, str] | None) -> TamperReport:
        """Copy the audit rows into memory, damage the copy as somebody with the file could, verify it three ways.

        Raises:
            BadInput: the chain is too short to show it.
        """
        with closing(sqlite3.connect(":memory:")) as copy:
            copy.row_factory = sqlite3.Row
            copy.execute(_TABLE)
            rows = self._rows("chain")
            if len(rows) < LEAST:
                msg = f"The chain has {len(rows)} entries; {LEAST} are needed to show this. Use the product a little."
                raise BadInput(msg)
            copy.executemany(_INSERT, [tuple(row[name] for name in _FIELDS) for row in rows])
            head = link_of(rows[-1])
            changed = self._damage(copy, how, head.seq)
            heads = (None, witnessed, (head.seq, head.hash))
            reports = [verify_chain(_links(copy), key=self._hmac_key, witnessed=one) for one in heads]
        return TamperReport(
            how=how,
            entries=len(rows),
            changed_seq=changed,
            alone=reports[0],
            with_store=reports[1],
            with_copy=reports[2],
            digest_before=_digest(rows),
            digest_after=_digest(self._rows("chain")[: len(rows)]),  # entries that came meanwhile are no change
        )

    def _damage(self, copy: sqlite3.Connection, how: Tampering, last: int) -> int:
        """Do it; gives the first entry that is touched."""
        middle = last // 2
        if how is Tampering.CUT:
            first = max(2, last - CUT + 1)
            copy.execute("DELETE FROM audit WHERE seq >= ?", (first,))
            return first
        if how is Tampering.REMOVE:
            copy.execute("DELETE FROM audit WHERE seq = ?", (middle,))
            return middle
        link = link_of(copy.execute("SELECT * FROM audit WHERE seq = ?", (middle,)).fetchone())
        if how is Tampering.BYTE:
            copy.execute("UPDATE audit SET at = ? WHERE seq = ?", (_flipped(link.at), middle))
        else:
            self._rewrite(copy, replace(link, actor="somebody else"))
        return middle

    def _rewrite(self, copy: sqlite3.Connection, first: Link) -> None:
        """The worst case: whoever does this holds the installation's secret, and makes every later hash anew."""
        head = first.prev_hash
        for link in [first, *(one for one in list(_links(copy)) if one.seq > first.seq)]:
            made = replace(link, prev_hash=head)
            head = link_hash(made, key=self._hmac_key)
            said = (made.actor.encode(), made.prev_hash.encode(), head.encode(), made.seq)
            copy.execute("UPDATE audit SET actor = ?, prev_hash = ?, hash = ? WHERE seq = ?", said)


def _links(copy: sqlite3.Connection) -> Iterator[Link]:
    for row in copy.execute("SELECT * FROM audit ORDER BY seq"):
        yield link_of(row)


def _flipped(text: str) -> bytes:
    """The text with the lowest bit of its last byte turned over."""
    raw = text.encode()
    return raw[:-1] + bytes([raw[-1] ^ 1])


def _digest(rows: list[Row]) -> str:
    """Hex sha256 over the stored bytes of these links, each field with its length."""
    found = hashlib.sha256()
    for row in rows:
        for name in _FIELDS:
            raw = row[name] if isinstance(row[name], bytes) else str(row[name]).encode()
            found.update(len(raw).to_bytes(8, "big") + raw)
    return found.hexdigest()
