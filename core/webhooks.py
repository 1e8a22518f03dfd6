"""Tells another system what happened: chosen audit entries, each a signed POST with ids and digests, never words.

The audit chain itself is the outbox: how far it was told is noted in the ledger after each entry that was taken, so a
crash tells one again rather than none. An event's id is its entry's hash; who hears it twice knows it again. Entries
go out in their order: one that is not taken is tried again with growing pauses and holds up those behind it.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.enact import Enactor
from core.errors import ChronoMemoryError
from core.model import AuditEntry, sha256_text
from core.notify import ACCEPTED, FIRST_PAUSE, LONGEST_PAUSE, SIGNATURE, TIMESTAMP, Post, signature
from core.ports import Clock, Ledger

log = logging.getLogger(__name__)

EVENT_ID = "X-ChronoMemory-Event-Id"
BATCH = 200  # entries read at once
_TARGET = 32  # hex digits of an address's digest


@dataclass(kw_only=True, slots=True)
class State:
    """What one process knows beside the ledger: failures in a row, and when the next try is due."""

    failures: int = 0
    not_before: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Webhooks:
    """A chore of the worker; does nothing without an address and kinds of events."""

    ledger: Ledger
    enactor: Enactor
    clock: Clock
    post: Post
    url: str
    secret: str
    kinds: tuple[str, ...]  # beginnings of actions: "candidate:", "policy:adopted"
    _state: State = field(default_factory=State)
    _calls: list[threading.Thread] = field(default_factory=list)
    _closing: threading.Event = field(default_factory=threading.Event)

    def run_once(self) -> bool:
        """Send what is due in the background, if nothing is on its way. False: it was no step."""
        if not (self.url and self.kinds) or any(one.is_alive() for one in self._calls):
            return False
        due = self._state.not_before
        if due is not None and self.clock.now() < due:
            return False
        seq = self._cursor()
        found = self.ledger.audit_after(seq, limit=BATCH) if seq is not None else []
        if not found:
            return False
        if not any(map(self._wanted, found)):
            self.enactor.note_read(self._name, found[-1].seq)
            return len(found) == BATCH  # there may be more
        self._calls.clear()
        call = threading.Thread(target=self._send_all, args=(found,), name="webhooks", daemon=True)
        self._calls.append(call)
        call.start()
        return False

    def wait(self, seconds: float) -> None:
        """Let a call in progress end, and begin no other."""
        self._closing.set()
        for one in self._calls:
            one.join(timeout=seconds)

    @property
    def reader(self) -> str:
        """The reader of the chain that this address is; "" where nobody is told."""
        return self._name if self.url and self.kinds else ""

    @property
    def _name(self) -> str:
        """The reader of the chain that this address is; another address begins anew."""
        return f"webhook:{sha256_text(self.url)[:_TARGET]}"

    def _cursor(self) -> int | None:
        """The last entry that was dealt with; an address that is new hears of what comes from now on."""
        seq = self.ledger.cursor(self._name)
        if seq:
            return seq
        head, _ = self.ledger.head()
        if head:
            self.enactor.note_read(self._name, head)
        return None

    def _wanted(self, entry: AuditEntry) -> bool:
        return entry.action.startswith(self.kinds)

    def _send_all(self, entries: Sequence[AuditEntry]) -> None:
        """In order, until one is not taken. What was taken is noted at once."""
        try:
            for one in entries:
                if self._closing.is_set() or (self._wanted(one) and not self._send(one)):
                    return
                if self._wanted(one) or one is entries[-1]:
                    self.enactor.note_read(self._name, one.seq)
        except ChronoMemoryError as problem:  # the ledger cannot be written: the event is told again
            log.warning("how far the events were told is not on record: %s", type(problem).__name__)

    def _send(self, entry: AuditEntry) -> bool:
        body = json.dumps(event_of(entry), separators=(",", ":"), sort_keys=True).encode()
        at = str(int(self.clock.now().timestamp()))
        headers = {
            "Content-Type": "application/json",
            EVENT_ID: entry.hash,
            TIMESTAMP: at,
            SIGNATURE: f"sha256={signature(self.secret, at, body)}",
        }
        try:
            status = self.post(self.url, body, headers)
        except OSError as problem:  # timeouts and refusals among them
            why = type(problem).__name__
        else:
            if status in ACCEPTED:
                self._state.failures, self._state.not_before = 0, None
                return True
            why = f"status {status}"
        pause = min(FIRST_PAUSE * 2**self._state.failures, LONGEST_PAUSE)
        self._state.failures = min(self._state.failures + 1, 16)
        self._state.not_before = self.clock.now() + pause
        log.warning("event %d was not taken (%s); again in %s", entry.seq, why, pause)
        return False


def event_of(entry: AuditEntry) -> dict[str, Any]:
    """An entry as it is told: who did what to which ids."""
    return {
        "id": entry.hash,
        "event": entry.action,
        "seq": entry.seq,
        "at": f"{entry.at:%Y-%m-%dT%H:%M:%S.%fZ}",
        "tenant": entry.tenant,
        "owner": entry.owner,
        "actor": entry.actor,
        "about": dict(entry.about),
    }


__all__ = ["EVENT_ID", "Webhooks", "event_of"]
