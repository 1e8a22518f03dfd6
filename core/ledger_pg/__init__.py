"""Postgres adapter of the ledger, in a database of its own."""

from core.ledger_pg.ledger import PostgresInsight, PostgresLedger, PostgresLedgerReader

__all__ = ["PostgresInsight", "PostgresLedger", "PostgresLedgerReader"]
