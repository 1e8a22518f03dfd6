"""What the core asks of the outside: small Protocols, so that rules never meet a driver.

Synchronous throughout. Adapters live in `core.ledger`, `core.store` and `core.llm`; fakes in `tests/fakes.py` pass the
same contract suite.
"""

from __future__ import annotations

from core.ports.evidence import EvidenceLedger
from core.ports.health import (
    RoleState,
)
from core.ports.insight import (
    Dot,
    Ended,
    Fading,
    Kept,
    KindFading,
    LedgerInsight,
    Proposed,
    SourceCount,
    Spell,
    StoreInsight,
    StoreNumbers,
    StrengthCell,
    TrustBin,
)
from core.ports.keys import (
    AgentIdentity,
    AgentKey,
    AgentKeyStore,
)
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
from core.ports.policy import (
    PolicyLedger,
    PolicyTx,
    PolicyVersion,
)
from core.ports.proofs import (
    IsolationFacts,
    IsolationProbe,
    RoleFacts,
    TamperGround,
    Tampering,
    TamperReport,
)
from core.ports.review import (
    Approved,
    DeskReader,
    DeskTx,
    Marking,
    Reservation,
)
from core.ports.sandbox import Lexicon, Rights, Trace, Traced
from core.ports.store import (
    MemoryFilter,
    MemoryReader,
    MemoryWriter,
    StoreKeeper,
)
from core.ports.transfer import Codec, OwnerRecords, Plain, Signer, TransferLedger, TransferTx

__all__ = [
    "AgentIdentity",
    "AgentKey",
    "AgentKeyStore",
    "Approved",
    "ChainReport",
    "ChatMessage",
    "ChatModel",
    "Clock",
    "Codec",
    "DeskReader",
    "DeskTx",
    "Dot",
    "Embedder",
    "Ended",
    "Erasure",
    "EvidenceLedger",
    "ExtractionContext",
    "Extractor",
    "FactLookup",
    "Fading",
    "HeldFilter",
    "HeldGroup",
    "Ids",
    "Input",
    "Invitation",
    "IsolationFacts",
    "IsolationProbe",
    "Judge",
    "Kept",
    "KindFading",
    "Ledger",
    "LedgerFile",
    "LedgerInsight",
    "LedgerReader",
    "LedgerTx",
    "Lexicon",
    "Marking",
    "MemoryFilter",
    "MemoryReader",
    "MemoryWriter",
    "OutboxItem",
    "OwnerRecords",
    "Pair",
    "People",
    "Plain",
    "PolicyLedger",
    "PolicyTx",
    "PolicyVersion",
    "Proposed",
    "QueueTally",
    "Reply",
    "ReplyContext",
    "Reservation",
    "Responder",
    "Rights",
    "RoleFacts",
    "RoleState",
    "Session",
    "Signer",
    "SourceCount",
    "Spell",
    "StoreInsight",
    "StoreKeeper",
    "StoreNumbers",
    "StrengthCell",
    "TamperGround",
    "TamperReport",
    "Tampering",
    "Throttle",
    "Trace",
    "Traced",
    "TransferLedger",
    "TransferTx",
    "TrustBin",
]
