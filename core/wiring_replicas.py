"""Says where recall reads: the store, or its streaming replicas with the store behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.errors import Misconfigured
from core.model import Scope
from core.ports import Clock, Embedder, RecallReader
from core.settings import Settings
from core.store.database import Database
from core.store.position import Position, completed, position_of
from core.store.reader import PostgresReader
from core.store.replica import Replica
from core.store.replicas import ReplicatedRecall


def _nothing() -> None:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallPlace:
    """Where recall reads, with what the layer does about it at its start and end."""

    store: RecallReader
    parts: Mapping[str, Callable[[], str]] = field(default_factory=dict)  # for health
    start: Callable[[], None] = _nothing
    close: Callable[[], None] = _nothing


def build_recall_place(
    settings: Settings,
    *,
    store: RecallReader,
    database: Callable[[], Database],
    last_effect: Callable[[Scope], str],
    embedder: Embedder,
    mac_key: bytes,
    clock: Clock,
) -> RecallPlace:
    """The store itself unless replicas are named. Nothing is connected yet, and a replica that is away stops nothing.

    Args:
        settings: name the replicas.
        store: the primary's.
        database: the primary's pool; may raise StoreUnavailable while it is not up.
        last_effect: id of an owner's last effect in the ledger; "" if there is none.
        embedder: whose vectors are compared.
        mac_key: rows without its seal are not served, from a replica as from the primary.
        clock: what "unexpired" means.

    Raises:
        Misconfigured: an address that libpq cannot read.
    """
    if not settings.read_urls:
        return RecallPlace(store=store)

    def reader(pool: Database) -> PostgresReader:
        return PostgresReader(
            pool,
            dimensions=embedder.dimensions,
            embedding_identity=embedder.identity,
            clock=clock,
            mac_key=mac_key,
        )

    def primary() -> Position:
        return position_of(database())

    replicas = []
    for number, address in enumerate(settings.read_urls, start=1):
        try:
            conninfo = completed(address)
        except Misconfigured as problem:
            msg = f"address {number} of DATABASE_READ_URLS {problem}"
            raise Misconfigured(msg) from None
        replicas.append(
            Replica(
                number,
                conninfo,
                reader=reader,
                primary=primary,
                staleness=settings.database_read_staleness_seconds,
            )
        )
    recall = ReplicatedRecall(store, replicas, last_effect=last_effect)
    return RecallPlace(store=recall, parts={"replicas": recall.state}, start=recall.start, close=recall.close)


__all__ = ["RecallPlace", "build_recall_place"]
