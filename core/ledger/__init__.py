"""SQLite adapter of the ledger."""

from core.ledger.ledger import SqliteLedger
from core.ledger.reader import SqliteLedgerReader

__all__ = ["SqliteLedger", "SqliteLedgerReader"]
