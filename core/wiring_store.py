"""The store's upkeep from the command line: how it is reached, whichever server it is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.demo_folder import check_folder
from core.settings import Settings
from core.store import EmbeddedPostgres
from core.store.distribute import Distributed, distribute
from core.store.partition import Parted, partition, size_of


def store_size(settings: Settings) -> int:
    """Bytes that those tables take which have an owner.

    Raises:
        StoreUnavailable: the server cannot be reached.
    """
    with _way(settings) as conninfo:
        return size_of(conninfo)


def partition_store(settings: Settings, parts: int) -> Parted:
    """Put the store in partitions by owner.

    Raises:
        StoreUnavailable, Misconfigured: as `core.store.partition.partition`; nothing was changed.
    """
    with _way(settings) as conninfo:
        return partition(conninfo, parts=parts)


def distribute_store(settings: Settings) -> Distributed:
    """Let Citus spread the store by owner.

    Raises:
        StoreUnavailable, Misconfigured: as `core.store.distribute.distribute`; nothing was changed.
    """
    with _way(settings) as conninfo:
        return distribute(conninfo)


@contextmanager
def _way(settings: Settings) -> Iterator[str]:
    """Past a pooler, or to the embedded server, which is started for it."""
    check_folder(settings.chronomemory_data, demo=settings.chronomemory_demo, database_url=settings.databases)
    if settings.database_url:
        yield settings.database_direct_url or settings.database_url
        return
    server = EmbeddedPostgres(settings.postgres_path)
    try:
        yield server.start()
    finally:
        server.stop()


__all__ = ["distribute_store", "partition_store", "store_size"]
