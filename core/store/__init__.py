"""Postgres adapter of the store."""

from core.store.embedded import EmbeddedPostgres
from core.store.isolation import PostgresIsolation
from core.store.keeper import PostgresKeeper
from core.store.keys import PostgresKeys
from core.store.people import PostgresPeople
from core.store.postgres import PostgresStore
from core.store.reader import PostgresReader

__all__ = [
    "EmbeddedPostgres",
    "PostgresIsolation",
    "PostgresKeeper",
    "PostgresKeys",
    "PostgresPeople",
    "PostgresReader",
    "PostgresStore",
]
