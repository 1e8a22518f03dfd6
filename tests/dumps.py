"""Everything that lies in both stores, row by row, for tests that nothing may have changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import psycopg

from core.layer import MemoryLayer

TABLES = ("memory", "memory_embedding", "memory_link", "scope_stat", "applied_effect", "ledger_witness", "setting")
PEOPLE = ("person", "session", "throttle", "invitation")


def dumps(layer: MemoryLayer, database_url: str) -> dict[str, Any]:
    """Every row of both stores as it stands, with its row version where there is one."""
    found: dict[str, Any] = {}
    with psycopg.connect(database_url) as conn:
        for name in (*TABLES, *PEOPLE):
            rows = conn.execute(f"SELECT t.xmin::text, t.* FROM chronomemory.{name} t".encode())  # noqa: S608 - constants
            found[name] = sorted(map(str, rows))
    with closing(sqlite3.connect(f"file:{layer.sandbox.ledger._place.name}?mode=ro", uri=True)) as file:
        found["ledger"] = list(file.iterdump())
    return found
