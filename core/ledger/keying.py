"""Whether a ledger's audit chain is made with a key, and with which: settled once, when the file is made."""

from __future__ import annotations

import hashlib
import hmac

from core.audit import link_hash
from core.errors import Misconfigured
from core.ledger.dialect import Connection
from core.ledger.rows import link_of

_LABEL = b"chronomemory: key of the audit chain"


def fingerprint(key: bytes) -> str:
    """What the file keeps of a key: enough to tell another one, nothing to make a link with."""
    return hmac.new(key, _LABEL, hashlib.sha256).hexdigest()


def settle_key(connection: Connection, key: bytes | None) -> None:
    """Record whether the chain is keyed, unless the file says so already; inside the caller's transaction.

    An older file says nothing. Its first link then shows how it was made; if neither the key given nor none fits it,
    nothing is recorded, and verifying names the first link.
    """
    if connection.row("setting", name="keyed") is not None:
        return
    made = _made_with(connection, key)
    if made is not None:
        connection.change("add_setting", name="keyed", value=made)


def chain_key(connection: Connection, key: bytes | None, name: str) -> bytes | None:
    """The key that the file's chain is made with: `key`, or none if the chain is a plain one.

    Raises:
        Misconfigured: the chain is made with another key than the one given, or with one and none was given.
    """
    row = connection.row("setting", name="keyed") if connection.row("has_settings") else None
    settled = row["value"] if row else _made_with(connection, key)
    if settled is None:
        return key
    if not settled:
        return None
    if key is None:
        msg = f"the audit chain of ledger {name} is made with a key: open it with the installation's secret"
        raise Misconfigured(msg)
    if not hmac.compare_digest(settled, fingerprint(key)):
        msg = (
            f"the audit chain of ledger {name} is made with another key: put the secret back that was there when the "
            "ledger was made (it belongs into the same backup), or name the ledger that belongs to this secret"
        )
        raise Misconfigured(msg)
    return key


def _made_with(connection: Connection, key: bytes | None) -> str | None:
    """The fingerprint of the chain's key, "" for a plain chain, None if its first link fits neither."""
    given = fingerprint(key) if key is not None else ""
    row = connection.row("chain")
    if row is None:
        return given
    first = link_of(row)
    if key is not None and first.hash == link_hash(first, key=key):
        return given
    return "" if first.hash == link_hash(first) else None
