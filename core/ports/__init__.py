"""What the core asks of the outside: small Protocols, so that rules never meet a driver.

Synchronous throughout. Adapters live in `core.ledger`, `core.store` and `core.llm`; fakes in `tests/fakes.py` pass the
same contract suite.
"""

from __future__ import annotations

from core.ports.evidence import EvidenceLedger
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
from core.ports.sandbox import Lexicon, Rights, Trace, Traced
from core.ports.store import (
    MemoryFilter,
    MemoryReader,
    MemoryWriter,
    StoreKeeper,
)

__all__ = [
    "ChainReport",
    "ChatMessage",
    "ChatModel",
    "Clock",
    "Embedder",
    "Erasure",
    "EvidenceLedger",
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
    "Lexicon",
    "MemoryFilter",
    "MemoryReader",
    "MemoryWriter",
    "OutboxItem",
    "Pair",
    "People",
    "QueueTally",
    "Reply",
    "ReplyContext",
    "Responder",
    "Rights",
    "Session",
    "StoreKeeper",
    "Throttle",
    "Trace",
    "Traced",
]
