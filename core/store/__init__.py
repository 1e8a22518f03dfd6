"""Postgres adapter of the store."""

from core.store.embedded import EmbeddedPostgres
from core.store.insight import PostgresInsight
from core.store.isolation import PostgresIsolation
from core.store.keeper import PostgresKeeper
from core.store.keys import PostgresKeys
from core.store.operators import PostgresOperatorKeys
from core.store.people import PostgresPeople
from core.store.postgres import PostgresStore
from core.store.reader import PostgresReader
from core.store.trace import StoreLexicon, StoreTrace

__all__ = [
    "EmbeddedPostgres",
    "PostgresInsight",
    "PostgresIsolation",
    "PostgresKeeper",
    "PostgresKeys",
    "PostgresOperatorKeys",
    "PostgresPeople",
    "PostgresReader",
    "PostgresStore",
    "StoreLexicon",
    "StoreTrace",
]
