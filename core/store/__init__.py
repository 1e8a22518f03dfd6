"""Postgres adapter of the store."""

from core.store.embedded import EmbeddedPostgres
from core.store.people import PostgresPeople
from core.store.postgres import PostgresStore
from core.store.reader import PostgresReader

__all__ = ["EmbeddedPostgres", "PostgresPeople", "PostgresReader", "PostgresStore"]
