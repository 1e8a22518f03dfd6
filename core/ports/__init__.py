"""What the core asks of the outside: small Protocols, so that rules never meet a driver.

Synchronous throughout. Adapters live in `core.ledger`, `core.store` and `core.llm`; fakes in `tests/fakes.py` pass the
same contract suite.
"""

from __future__ import annotations

from core.ports.ledger import (
    ChainReport,
    Erasure,
    HeldFilter,
    HeldGroup,
    Input,
    Ledger,
    LedgerFile,
    LedgerReader,
    LedgerTx,
    OutboxItem,
    QueueTally,
)
from core.ports.models import (
    ChatMessage,
    ChatModel,
    Clock,
    Embedder,
    ExtractionContext,
    Extractor,
    FactLookup,
    Ids,
    Judge,
    Pair,
    Reply,
    ReplyContext,
    Responder,
)
from core.ports.people import (
    Invitation,
    People,
    Session,
    Throttle,
)
from core.ports.review import (
    Approved,
    DeskReader,
    DeskTx,
    Marking,
    Reservation,
)
from core.ports.store import (
    MemoryFilter,
    MemoryReader,
    MemoryWriter,
    StoreKeeper,
)

__all__ = [
    "Approved",
    "ChainReport",
    "ChatMessage",
    "ChatModel",
    "Clock",
    "DeskReader",
    "DeskTx",
    "Embedder",
    "Erasure",
    "ExtractionContext",
    "Extractor",
    "FactLookup",
    "HeldFilter",
    "HeldGroup",
    "Ids",
    "Input",
    "Invitation",
    "Judge",
    "Ledger",
    "LedgerFile",
    "LedgerReader",
    "LedgerTx",
    "Marking",
    "MemoryFilter",
    "MemoryReader",
    "MemoryWriter",
    "OutboxItem",
    "Pair",
    "People",
    "QueueTally",
    "Reply",
    "ReplyContext",
    "Reservation",
    "Responder",
    "Session",
    "StoreKeeper",
    "Throttle",
]
