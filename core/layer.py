"""The front door: one object that screens, routes and scripts talk to.

Two faces. `agents` is all that an agent's route ever gets: it submits and asks, and no agent approves its own memory.
The rest (review, memories, audit, accounts) is for people and authorises each act itself.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Protocol

from core.accounts import Accounts
from core.agentapi import AgentApi, Consulted
from core.agents import AgentDesk
from core.chat import Chat
from core.chats import Chats
from core.enact import Enactor
from core.erasure import Lifecycle
from core.errors import ChronoMemoryError, LedgerUnavailable, StoreUnavailable
from core.evidence import Auditor, Observed, QuestionDesk
from core.governance import PolicyDesk
from core.history import History
from core.imports import Imports
from core.insight import Insight
from core.intake import Intake
from core.items import Items
from core.keyhistory import KeyHistories
from core.keys import AgentKeys
from core.lifecycle import AuditDesk, Memories
from core.modeldesk import ModelDesk
from core.moving import Moving
from core.observing import UNOBSERVED
from core.operatorkeys import OperatorKeys
from core.patterndesk import PatternDesk
from core.patterning import Patterning
from core.policy import Policy
from core.ports import Ledger, MemoryReader, Observer
from core.proofs import Proofs
from core.rejudge import Rejudge
from core.renewal import renewed
from core.review import Review
from core.sandbox import Sandbox
from core.sides import Sides
from core.upkeep import Upkeep

log = logging.getLogger(__name__)

IDLE_SECONDS = 0.5  # the worker looks again after this, or at once when woken
TROUBLE_SECONDS = 3.0  # and after this when a part it needs is down


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalServer:
    """A model server that answers on its usual local port; offered on the policy page, never used unasked."""

    name: str
    base_url: str
    models: tuple[str, ...]


class Chore(Protocol):
    """Something that the worker sees to from time to time."""

    def run_once(self) -> bool:
        """Do a bounded piece of it; False if there was nothing to do."""


@dataclass(kw_only=True, slots=True)
class MemoryLayer:
    """One installation's memory. Built by `core.bootstrap`; usable at once, ready when `health()` says so."""

    policy: Policy
    agent: AgentApi
    agents: AgentDesk
    items: Items
    chat: Chat
    chats: Chats
    sides: Sides
    review: Review
    questions: QuestionDesk
    auditor: Auditor
    observed: Observed
    sandbox: Sandbox
    memories: Memories
    imports: Imports
    history: History
    audit_desk: AuditDesk
    insight: Insight
    lifecycle: Lifecycle
    patterns: PatternDesk
    patterning: Patterning
    moving: Moving
    upkeep: Upkeep
    governance: PolicyDesk
    rejudge: Rejudge
    keys: AgentKeys
    operator_keys: OperatorKeys
    proofs: Proofs
    model_desk: ModelDesk
    key_histories: KeyHistories
    accounts: Accounts
    intake: Intake
    enactor: Enactor
    ledger: Ledger
    store: MemoryReader
    wake_worker: threading.Event
    describe_model: str
    parts: Mapping[str, Callable[[], str]]
    local_servers: Callable[[], Sequence[LocalServer]]
    fast_path: Callable[[], float | None]  # share of the work done without a model, in [0, 1] (rules §7.4)
    on_start: Callable[[], None]
    on_close: Callable[[], None]
    run_worker: bool
    chores: tuple[Chore, ...]  # what the worker sees to when nothing else is to do
    worker: str  # this process's name on its leases
    metrics: Callable[[], bytes]  # in Prometheus' text format, read at each call; no part that is away fails it
    observer: Observer = UNOBSERVED
    demo: bool = False  # everything in it is made up, and every page says so
    _closing: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _adopting: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Hear of every policy that comes into force."""
        self.governance.on_change(self.adopt)

    def adopt(self, policy: Policy) -> None:
        """Put a policy into every part. A call that is under way ends by the policy it began with.

        Each part is made anew with all that it is made of and takes the place of the old one in one step, so that no
        single act is ever judged by two policies.
        """
        with self._adopting:
            made: dict[int, object] = {id(self.governance): self.governance}  # it knows the file's policy too
            parts = {one.name: getattr(self, one.name) for one in fields(self)}
            fresh = {name: renewed(part, policy, made) for name, part in parts.items()}
            for name, part in fresh.items():
                if part is not parts[name]:
                    setattr(self, name, part)

    def follow(self) -> bool:
        """Take up a policy that another process adopted; whether there was one.

        Raises:
            AuditBroken: the newest version is not what the audit chain recorded.
            LedgerUnavailable: the ledger cannot be read.
        """
        return self.governance.follow()

    def start(self) -> None:
        """Bring up the store, the embedding model and the worker in the background; returns at once."""
        if self._threads:
            return
        starter = threading.Thread(target=self.on_start, name="start-up", daemon=True)
        self._threads.append(starter)
        starter.start()
        if self.run_worker:
            worker = threading.Thread(target=self._work, name="worker", daemon=True)
            self._threads.append(worker)
            worker.start()

    def health(self) -> dict[str, str]:
        """State of each part: "ok", "starting", "none (rules)" or "down: …"."""
        return {name: probe() for name, probe in self.parts.items()}

    def drain(self, *, limit: int = 10_000) -> int:
        """Work until nothing is left, in this thread; for scripts and tests. Returns the steps taken."""
        steps = 0
        while steps < limit and self.step():
            steps += 1
        return steps

    def step(self) -> bool:
        """One step of the worker: an episode of the write path, else what recall left to do; False if nothing was."""
        self.follow()
        if self.intake.run_once(self.worker):
            return True
        if self.upkeep.run_once():
            self.enactor.relay()
            return True
        chores: tuple[Chore, ...] = (self.imports, self.auditor, *self.chores, self.patterning)
        return any(chore.run_once() for chore in chores)

    def _work(self) -> None:
        while not self._closing.is_set():
            try:
                busy = self.step()
            except (StoreUnavailable, LedgerUnavailable) as problem:
                log.info("the worker waits: %s", type(problem).__name__)
                self._closing.wait(TROUBLE_SECONDS)
            except ChronoMemoryError:
                log.exception("the worker met a problem")
                self._closing.wait(TROUBLE_SECONDS)
            except Exception:  # the loop's outermost edge: an unknown fault must not end all work
                log.exception("the worker met a fault")
                self._closing.wait(TROUBLE_SECONDS)
            else:
                if not busy:
                    self.wake_worker.wait(IDLE_SECONDS)
                    self.wake_worker.clear()

    def close(self) -> None:
        """Stop the worker and answers, and close both stores."""
        self._closing.set()
        self.wake_worker.set()
        self.chat.close()
        for thread in self._threads:
            thread.join(timeout=10)
        self.on_close()


__all__ = ["AgentApi", "Chore", "Consulted", "LocalServer", "MemoryLayer"]
