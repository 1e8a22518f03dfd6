"""Copies of a ledger in a SQLite file: whole, verified and never put over another one (rules §8.3)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.audit import verify_chain
from core.errors import AuditBroken, BadInput, LedgerUnavailable, Misconfigured
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS
from core.ledger.keying import chain_key
from core.ledger.rows import link_of
from core.ledger.schema import recorded
from core.sql import pending


def restore(path: Path | str, target: Path | str, *, hmac_key: bytes | None = None) -> tuple[int, str]:
    """Make a new ledger at `target` out of the snapshot at `path`, once its chain verifies.

    Args:
        path: what `StoredLedger.snapshot` wrote, by this version or an older one.
        target: where no ledger is yet.
        hmac_key: the key that the snapshot's chain was made with.

    Returns:
        Head of its audit chain: a store that has witnessed a later one knows more than this snapshot.

    Raises:
        AuditBroken: the chain does not verify; nothing was written.
        BadInput: there is a ledger at `target`, or what is left of one.
        LedgerUnavailable: the snapshot cannot be read, or the copy not be written.
        Misconfigured: it is not a ledger, damaged, of a newer version, or made with another key.
    """
    path = Path(path)
    if not path.exists():
        msg = f"there is no snapshot at {path}"
        raise LedgerUnavailable(msg)
    with closing(SqliteConnection(path, named_queries(), writable=False, busy_seconds=BUSY_SECONDS)) as source:
        return copy_verified(source.copy_to, Path(target), hmac_key=hmac_key)


def copy_verified(copy_to: Callable[[Path], None], target: Path, *, hmac_key: bytes | None) -> tuple[int, str]:
    """Let a ledger be copied and verify the copy before it gets its name: no half or broken one ever bears it."""
    _refuse_existing(target)
    part = target.with_name(f"{target.name}.part")
    try:
        with _made(part):
            copy_to(part)
            with closing(SqliteConnection(part, named_queries(), writable=False, busy_seconds=BUSY_SECONDS)) as copy:
                head = _verified(copy, target, hmac_key)
            _refuse_existing(target)
            _take(target)
            part.replace(target)
    except OSError as error:
        msg = f"ledger {target}: the copy cannot be written: check the folder and the free space ({error})"
        raise LedgerUnavailable(msg) from error
    return head


@contextmanager
def _made(part: Path) -> Iterator[None]:
    """A new file, private to its owner, that is gone again if the block fails."""
    part.parent.mkdir(parents=True, exist_ok=True)
    _take(part)
    try:
        yield
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _take(path: Path) -> None:
    """Make an empty file of that name, or find that another process has."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        msg = f"{path} exists: another copy is under way, or was broken off; wait, or remove it"
        raise BadInput(msg) from error


def _refuse_existing(target: Path) -> None:
    """A log left beside the target would be played into the copy: that counts as a ledger too."""
    for found in (target, target.with_name(f"{target.name}-wal"), target.with_name(f"{target.name}-journal")):
        if found.exists():
            msg = f"{found} exists: a ledger is never overwritten; name another file, or move it away first"
            raise BadInput(msg)


def _verified(copy: SqliteConnection, target: Path, hmac_key: bytes | None) -> tuple[int, str]:
    if copy.row("has_migration_record") is None:
        msg = "this file is not a ledger: name another snapshot"
        raise Misconfigured(msg)
    pending(known_migrations(), recorded(copy))
    problem = copy.damage()
    if problem:
        msg = f"this ledger is damaged ({problem}): take an older snapshot"
        raise Misconfigured(msg)
    key = chain_key(copy, hmac_key, str(target))
    report = verify_chain((link_of(row) for row in copy.each("chain")), key=key)
    if not report.ok:
        msg = f"the audit chain is broken at entry {report.broken_seq}: {report.problem}; take an older snapshot"
        raise AuditBroken(msg)
    return report.head_seq, report.head_hash
