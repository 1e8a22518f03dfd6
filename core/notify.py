"""Tells another system when items wait too long for a reviewer: a signed POST with counts and ids, never words.

Once a day and tenant while its queue is that old. The receiver is nobody's to wait for: the call is made in a thread of
its own, tried again with growing pauses, and its failures are logged and audited.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from core.enact import Enactor
from core.errors import ChronoMemoryError
from core.ports import Clock, Ids, Ledger

log = logging.getLogger(__name__)

EVENT = "review.waiting"
SIGNATURE, TIMESTAMP = "X-ChronoMemory-Signature", "X-ChronoMemory-Timestamp"
EVERY = timedelta(minutes=1)  # between looks at the queues
AGAIN = timedelta(days=1)  # between two notices of one tenant
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)  # after a failure, doubled each time
ACCEPTED = range(200, 300)

Post = Callable[[str, bytes, Mapping[str, str]], int]
"""(address, body, headers) → HTTP status; raises OSError or TimeoutError where there is none."""


@dataclass(kw_only=True, slots=True)
class Trouble:
    """Failures in a row with one tenant's notice."""

    failures: int = 0
    not_before: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Notifier:
    """A chore of the worker; does nothing without an address."""

    ledger: Ledger
    enactor: Enactor
    clock: Clock
    ids: Ids
    post: Post
    url: str
    secret: str
    after: timedelta
    _looked: dict[str, datetime] = field(default_factory=dict)  # under "at"
    _troubles: dict[str, Trouble] = field(default_factory=dict)
    _calls: list[threading.Thread] = field(default_factory=list)

    def run_once(self) -> bool:
        """Look which queues have waited too long and send what is due in the background. False: it was no step."""
        if not self.url or any(one.is_alive() for one in self._calls):
            return False
        now, last = self.clock.now(), self._looked.get("at")
        if last is not None and now - last < EVERY:
            return False
        self._looked["at"] = now
        due = [notice for tenant in self.ledger.tenants() if (notice := self._due(tenant, now)) is not None]
        self._calls.clear()
        if due:
            call = threading.Thread(target=self._send_all, args=(due,), name="notify", daemon=True)
            self._calls.append(call)
            call.start()
        return False

    def wait(self, seconds: float) -> None:
        """Give a call in progress so long to end."""
        for one in self._calls:
            one.join(timeout=seconds)

    def _due(self, tenant: str, now: datetime) -> dict[str, Any] | None:
        """The notice that a tenant is owed now."""
        trouble = self._troubles.get(tenant)
        if trouble is not None and trouble.not_before is not None and now < trouble.not_before:
            return None
        waiting = self.ledger.tally(tenant, owner=None, since=now, at=now)
        if waiting.oldest is None or now - waiting.oldest < self.after:
            return None
        sent, _ = self.ledger.audit(tenant, action="queue:notified", limit=1)
        if sent and now - sent[0].at < AGAIN:
            return None
        return {
            "event": EVENT,
            "tenant": tenant,
            "held": waiting.held,
            "oldest": f"{waiting.oldest:%Y-%m-%dT%H:%M:%SZ}",
            "at": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            "id": self.ids.new(),
        }

    def _send_all(self, notices: list[dict[str, Any]]) -> None:
        for notice in notices:
            try:
                self._send(notice)
            except ChronoMemoryError as problem:  # the ledger cannot be written: the next look tries again
                log.warning("the notice for %s is not on record: %s", notice["tenant"], type(problem).__name__)

    def _send(self, notice: dict[str, Any]) -> None:
        body = json.dumps(notice, separators=(",", ":"), sort_keys=True).encode()
        at = str(int(self.clock.now().timestamp()))
        headers = {
            "Content-Type": "application/json",
            TIMESTAMP: at,
            SIGNATURE: f"sha256={signature(self.secret, at, body)}",
        }
        try:
            status = self.post(self.url, body, headers)
        except OSError as problem:  # timeouts and refusals among them
            self._failed(notice, type(problem).__name__)
            return
        if status not in ACCEPTED:
            self._failed(notice, f"status_{status}")
            return
        self._troubles.pop(notice["tenant"], None)
        self._record("queue:notified", notice, {})

    def _failed(self, notice: dict[str, Any], why: str) -> None:
        trouble = self._troubles.setdefault(notice["tenant"], Trouble())
        pause = min(FIRST_PAUSE * 2**trouble.failures, LONGEST_PAUSE)
        trouble.failures = min(trouble.failures + 1, 16)
        trouble.not_before = self.clock.now() + pause
        log.warning("the notice for %s was not taken (%s); again in %s", notice["tenant"], why, pause)
        self._record("queue:notice_failed", notice, {"why": why})

    def _record(self, action: str, notice: dict[str, Any], more: dict[str, str]) -> None:
        about = {"id": notice["id"], "held": notice["held"], **more}
        self.enactor.note(actor="worker", action=action, tenant=notice["tenant"], owner="", about=about)


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Hex HMAC-sha256 of `timestamp.body`: what a receiver computes to know who sent it, and that it is fresh."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


__all__ = ["SIGNATURE", "TIMESTAMP", "Notifier", "Post", "signature"]
