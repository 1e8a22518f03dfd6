"""Postgres adapter of the ledger, in a database of its own."""

from core.ledger_pg.ledger import PostgresDatabase, PostgresLedger, PostgresLedgerReader

__all__ = ["PostgresDatabase", "PostgresLedger", "PostgresLedgerReader"]
