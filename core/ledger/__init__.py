"""The ledger, and its SQLite adapter."""

from core.ledger.file import SqliteFile, SqliteInsight, SqliteLedger, SqliteLedgerReader
from core.ledger.insight import StoredInsight
from core.ledger.ledger import StoredLedger
from core.ledger.reader import StoredLedgerReader
from core.ledger.snapshot import restore
from core.ledger.trace import TracedLedger

__all__ = [
    "SqliteFile",
    "SqliteInsight",
    "SqliteLedger",
    "SqliteLedgerReader",
    "StoredInsight",
    "StoredLedger",
    "StoredLedgerReader",
    "TracedLedger",
    "restore",
]
