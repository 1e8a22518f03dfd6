"""SQLite adapter of the ledger."""

from core.ledger.insight import SqliteInsight
from core.ledger.ledger import SqliteLedger
from core.ledger.reader import SqliteLedgerReader
from core.ledger.snapshot import restore
from core.ledger.trace import TracedLedger

__all__ = ["SqliteInsight", "SqliteLedger", "SqliteLedgerReader", "TracedLedger", "restore"]
