"""Held items that nobody decided for months are let go: by the policy, never into memory (console.md §3).

A queue that only grows is not read. What expires is rejected like any other item, with a reason of its own; it is not
remembered as something that a person turned down, so the same words may come again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.enact import Enactor
from core.errors import StaleReview
from core.model import Decision, HeldItem, Verdict
from core.policy import Policy
from core.ports import Clock, Ids, Ledger

EVERY = timedelta(minutes=1)  # between looks: nothing hangs on the minute
BATCH = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Expiry:
    """A chore of the worker."""

    ledger: Ledger
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    _looked: dict[str, datetime] = field(default_factory=dict)  # under "at"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run_once(self) -> bool:
        """Let one batch go; False if there was nothing to do, or it is not time to look yet.

        Raises:
            LedgerUnavailable: what was not written yet is left for the next call.
        """
        days, now = self.policy.review.expire_after_days, self.clock.now()
        with self._lock:
            last = self._looked.get("at")
            if not days or (last is not None and now - last < EVERY):
                return False
            items = self.ledger.overdue(now - timedelta(days=days), now=now, limit=BATCH)
            for item in items:
                self._let_go(item, now)
            if len(items) < BATCH:
                self._looked["at"] = now
        return bool(items)

    def _let_go(self, item: HeldItem, at: datetime) -> None:
        decision: Decision = replace(
            item.decision,
            decision_id=self.ids.new(),
            verdict=Verdict.REJECT,
            reasons=("expired",),
            effects=(),
            policy_digest=self.policy.digest,
            by="policy",
            at=at,
            note="",
        )
        try:
            self.enactor.expire(item, decision)
        except StaleReview:  # somebody decided it at this moment
            return


__all__ = ["Expiry"]
