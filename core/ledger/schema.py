"""Brings a ledger's schema up to date, whatever kind of database it is in."""

from __future__ import annotations

from core.ledger.dialect import Connection
from core.sql import Migration, pending


def migrate(connection: Connection, migrations: list[Migration]) -> None:
    """Bring the schema up to date, each migration in one transaction, safe against a second process doing the same.

    Raises:
        Misconfigured: see `core.sql.pending`; nothing was run.
    """
    with connection.transaction(writes=True):
        connection.change("create_migration_record")
        missing = pending(migrations, recorded(connection))
    for migration in missing:
        with connection.transaction(writes=True):
            if migration.number in recorded(connection):
                continue
            connection.script(migration.sql)
            connection.change(
                "record_migration", number=migration.number, name=migration.name, checksum=migration.checksum
            )


def recorded(connection: Connection) -> dict[int, str]:
    """Number → checksum of the migrations that the ledger has had."""
    return {row["number"]: row["checksum"] for row in connection.rows("recorded_migrations")}
