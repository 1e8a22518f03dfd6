"""The sandbox for tests of the page: the real one, over stores in RAM and an extractor that reads what it is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.errors import StoreUnavailable
from core.model import Extraction, Person
from core.sandbox import Sandbox
from tests.console.desk_base import NOW
from tests.factories import FixedClock
from tests.fakes_stores import RamLedger, RamStore, SentenceExtractor, ram_sandbox

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskExtractor:
    """Reads sentences; with hostile words, every claim says them."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.inner = desk, SentenceExtractor()

    def extract(self, episode: Any, context: Any) -> Extraction:
        found = self.inner.extract(episode, context)
        if self.desk.evil is None:
            return found
        return replace(
            found,
            extractor=self.desk.evil,
            proposals=tuple(
                replace(one, statement=f"{one.statement} {self.desk.evil}", value=self.desk.evil)
                for one in found.proposals
            ),
        )


def desk_sandbox(desk: Desk) -> Sandbox:
    """Over the memories and the held items that the other desks show."""
    store = RamStore(desk.memories.rows.values())
    ledger = RamLedger(items=[] if desk.empty else desk.review.items)
    inner = ram_sandbox(store, ledger, role=desk.actor.role, extractor=DeskExtractor(desk), policy=desk.policy)

    def authorise(actor: Any, *roles: Any) -> Person:
        if desk.down:
            msg = "the store is not reachable; start Postgres and this page comes back"
            raise StoreUnavailable(msg)
        return replace(inner.authorise(actor, *roles), display_name=desk.w("Ada"))

    return replace(inner, authorise=authorise, clock=FixedClock(NOW))
