"""What the core asks of the outside: small Protocols, so that rules never meet a driver.

Synchronous throughout. Adapters live in `core.ledger`, `core.store` and `core.llm`; fakes in `tests/fakes.py` pass the
same contract suite.
"""

from __future__ import annotations

from core.ports.health import (
    RoleState,
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
    History,
    PolicyLedger,
    PolicyTx,
    PolicyVersion,
    Reruled,
    Rerulings,
)
from core.ports.proofs import (
    IsolationFacts,
    IsolationProbe,
    RoleFacts,
    TamperGround,
    Tampering,
    TamperReport,
)
from core.ports.store import (
    MemoryFilter,
    MemoryReader,
    MemoryWriter,
    StoreKeeper,
)

__all__ = [
    "AgentIdentity",
    "AgentKey",
    "AgentKeyStore",
    "ChainReport",
    "ChatMessage",
    "ChatModel",
    "Clock",
    "Embedder",
    "Erasure",
    "ExtractionContext",
    "Extractor",
    "FactLookup",
    "HeldFilter",
    "HeldGroup",
    "History",
    "Ids",
    "Input",
    "Invitation",
    "IsolationFacts",
    "IsolationProbe",
    "Judge",
    "Ledger",
    "LedgerFile",
    "LedgerReader",
    "LedgerTx",
    "MemoryFilter",
    "MemoryReader",
    "MemoryWriter",
    "OutboxItem",
    "Pair",
    "People",
    "PolicyLedger",
    "PolicyTx",
    "PolicyVersion",
    "QueueTally",
    "Reply",
    "ReplyContext",
    "Reruled",
    "Rerulings",
    "Responder",
    "RoleFacts",
    "RoleState",
    "Session",
    "StoreKeeper",
    "TamperGround",
    "TamperReport",
    "Tampering",
    "Throttle",
]
