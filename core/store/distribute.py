"""Hands the tables that have an owner to Citus, which spreads them over servers by owner."""

from __future__ import annotations

from core.sql import load_queries
from core.store.database import Connection
from core.store.partition import DISTRIBUTED

_QUERIES = load_queries("core.store", "distribute.sql")


def obstacles(conn: Connection) -> list[str]:
    """What in this schema breaks Citus's rules, one sentence each; nothing of it is asked of Citus itself."""
    rows = conn.execute(_QUERIES["obstacles"], {"tables": list(DISTRIBUTED)}).fetchall()
    return [str(row["broken"]) for row in rows]
