"""What agents keep under a key, as the ledger holds it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model import Scope, aware, unit
from core.ports.ledger import LedgerReader, LedgerTx


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemPlace:
    """Where an item is: whose, which agent keeps it, under which namespace and key."""

    scope: Scope
    maker: str
    namespace: tuple[str, ...]
    key: str


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptItem:
    """An item with its episode's words, and what the gate made of them."""

    place: ItemPlace
    episode_id: str
    text: str  # the value's canonical JSON, unless words of it were taken
    digest: str  # sha256 of it as it was put
    read: bool  # it has been through the write path
    clear: bool  # nothing of it was held, rejected or taken back
    promoted: bool  # a person let some of it through
    worth: float  # trust of the weakest text that it may come from
    created_at: datetime
    updated_at: datetime

    def __post_init__(self) -> None:
        """Check the number; naive times are refused."""
        unit(self.worth, "worth")
        aware(self.created_at)
        aware(self.updated_at)


class ItemReader(LedgerReader, Protocol):
    """The reading half."""

    def kept_item(self, place: ItemPlace) -> KeptItem | None:
        """One item."""

    def kept_items(self, scope: Scope, maker: str) -> list[KeptItem]:
        """All of an agent's items, last put first."""

    def count_items(self, scope: Scope, maker: str) -> int:
        """How many an agent keeps."""


class ItemTx(LedgerTx, Protocol):
    """A ledger transaction that keeps items."""

    def put_item(self, place: ItemPlace, *, episode_id: str, digest: str, worth: float, at: datetime) -> None:
        """Keep the newest value of a key."""

    def drop_item(self, place: ItemPlace) -> bool:
        """Keep a key no more; False if there was none."""


class ItemLedger(ItemReader, Protocol):
    """The ledger as the items' desk sees it."""

    def transaction(self) -> AbstractContextManager[ItemTx]:
        """Open a write transaction."""


__all__ = ["ItemLedger", "ItemPlace", "ItemReader", "ItemTx", "KeptItem"]
