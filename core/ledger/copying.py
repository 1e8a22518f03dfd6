"""Carries a ledger row by row from one place into another, empty one, and verifies what came over."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from core.audit import verify_chain
from core.errors import AuditBroken, BadInput, LedgerUnavailable, Misconfigured
from core.ledger.codec import to_json
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS, Connection, Place, Row
from core.ledger.keying import chain_key
from core.ledger.rows import link_of
from core.ledger.schema import migrate, recorded
from core.sql import pending

# Every table that is written, with its key: parents before children, the chain in its order. The references of the
# audit are left out: the chain's own trigger makes them again.
TABLES: tuple[tuple[str, str], ...] = (
    ("setting", "name"),
    ("owner_key", "tenant, owner"),
    ("conversation", "conversation_id"),
    ("episode", "serial_no"),
    ("candidate", "queue_no"),
    ("candidate_search", "queue_no"),
    ("decision", "decision_no"),
    ("decision_reason", "reason, decision_no"),
    ("outbox", "outbox_no"),
    ("run", "run_id"),
    ("audit", "seq"),
    ("mark_owner", "owner_no"),
    ("mark", "owner_no, mark, serial_no"),
    ("candidate_root", "root, queue_no"),
    ("decision_quote", "memory_id, decision_no"),
    ("reservation", "candidate_id"),
    ("desk_note", "candidate_id, kind"),
    ("approval", "candidate_id, version, user_id"),
    ("rewording", "candidate_id"),
    ("policy_version", "tenant, number"),
    ("question", "question_id"),
    ("key_alias", "tenant, owner, slot_key"),
    ("audit_cursor", "name"),
    ("pattern", "pattern_id"),
    ("pattern_mark", "tenant, owner, agent"),
    ("import_run", "run_id"),
    ("import_result", "run_id, number"),
    ("imported_item", "tenant, owner, agent, connector, namespace, item_id"),
    ("kept_item", "tenant, owner, agent, maker, namespace, key"),
)


def carry_over(source: Connection, place: Place, *, hmac_key: bytes | None) -> tuple[int, str]:
    """Copy a whole ledger into the empty one at `place`, in one transaction there: a kill leaves it empty.

    Args:
        source: inside a transaction, so that it stands still.
        place: where no ledger was written yet.
        hmac_key: the key that the source's chain was made with.

    Returns:
        Head of the audit chain that was carried over.

    Raises:
        BadInput: the ledger at `place` holds something.
        AuditBroken: the source's chain does not verify, or did not come over as it was.
        LedgerUnavailable: `place` cannot be written, or a row did not come over as it was.
        Misconfigured: either is of another version, or the chain was made with another key.
    """
    pending(known_migrations(), recorded(source))
    place.make()
    with closing(place.connect(writable=True, busy_seconds=BUSY_SECONDS)) as target:
        migrate(target, place.migrations())
        with target.transaction(writes=True):
            _refuse_full(target, place)
            copy_rows(source, target)
            return _same_head(source, target, place.name, hmac_key)


def arrived(source: Connection, place: Place) -> tuple[int, str] | None:
    """The head of the source's chain, if the ledger at `place` is at that very head: a copy that was cut off late."""
    head = source.row("head")
    there = None
    with closing(place.connect(writable=False, busy_seconds=BUSY_SECONDS)) as target, target.transaction(writes=False):
        if target.row("has_migration_record"):
            there = target.row("head")
    if head is None or there is None or (head["seq"], head["hash"]) != (there["seq"], there["hash"]):
        return None
    return head["seq"], head["hash"]


def copy_to_file(source: Connection, path: Path) -> None:
    """Copy a ledger into a new SQLite file, whole and without a log beside it."""
    with closing(SqliteConnection(path, named_queries(), writable=True, busy_seconds=BUSY_SECONDS)) as target:
        migrate(target, known_migrations())
        with target.transaction(writes=True):
            copy_rows(source, target)


def copy_rows(source: Connection, target: Connection) -> None:
    """Copy every row and the numbers to go on from, inside the transactions of both; each table is read back."""
    target.defer_references()
    for table, order in TABLES:
        columns = target.columns(table)
        if set(columns) != set(source.columns(table)):
            msg = f"the table {table} differs between the two: bring both to one version first (start it once)"
            raise Misconfigured(msg)
        read = hashlib.sha256()
        target.fill(table, columns, _through(read, source.dump(table, columns, order=order)))
        written = hashlib.sha256()
        for _ in _through(written, target.dump(table, columns, order=order)):
            pass
        if read.digest() != written.digest():
            msg = f"the rows of {table} did not come over as they were: nothing was kept, the source is unchanged"
            raise LedgerUnavailable(msg)
    last = source.numbers()
    for table in target.numbers():
        target.number_on(table, last.get(table, 0))


def _through(digest: hashlib._Hash, rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        values = [row[name] for name in row.keys()]  # noqa: SIM118 - a Row is no mapping
        digest.update(to_json([one.hex() if isinstance(one, bytes) else one for one in values]).encode())
        yield row


def _refuse_full(target: Connection, place: Place) -> None:
    for table, order in TABLES:
        if next(target.dump(table, target.columns(table), order=order), None) is not None:
            msg = f"the ledger at {place.name} is in use (table {table}): name an empty database"
            raise BadInput(msg)


def _same_head(source: Connection, target: Connection, name: str, hmac_key: bytes | None) -> tuple[int, str]:
    key = chain_key(target, hmac_key, name)
    report = verify_chain((link_of(row) for row in target.each("chain")), key=key)
    if not report.ok:
        msg = f"the audit chain is broken at entry {report.broken_seq}: {report.problem}; nothing was carried over"
        raise AuditBroken(msg)
    head = source.row("head")
    if head is not None and (head["seq"], head["hash"]) != (report.head_seq, report.head_hash):
        msg = "the audit chain did not come over whole: nothing was kept, the source is unchanged"
        raise AuditBroken(msg)
    return report.head_seq, report.head_hash
