"""Asks the database, in the role that can only read, for rows of another owner: row-level security alone answers."""

from __future__ import annotations

from core.model import Scope
from core.ports import IsolationFacts, RoleFacts
from core.sql import load_queries
from core.store.database import APP_ROLE, QUERIES, READER_ROLE, Connection, connect, speaking_plainly
from core.store.rows import scope_params

_QUERIES = load_queries("core.store", "isolation.sql")
MOST = 1000  # ids that are asked for


class PostgresIsolation:
    """Implements `core.ports.IsolationProbe`; a connection of its own, so that nothing of the pool's state helps it."""

    def __init__(self, conninfo: str) -> None:
        """Nothing is connected yet."""
        self._conninfo = conninfo

    def probe(self, asker: Scope, other: Scope) -> IsolationFacts:
        """Ids of the other's memories, asked for as the asker, as nobody and as the other.

        The asking statement names ids only: no owner stands in it, so nothing but the policies on the table can keep
        rows back.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        with connect(self._conninfo) as conn, speaking_plainly():
            roles = conn.execute(_QUERIES["role_facts"], {"roles": [READER_ROLE, APP_ROLE]}).fetchall()
            forced = conn.execute(_QUERIES["forced"]).fetchone()
            conn.execute(f"SET ROLE {READER_ROLE}")  # ours, not an outside word
            conn.execute("SET default_transaction_read_only = on")
            with conn.transaction():
                conn.execute(QUERIES["set_scope"], scope_params(other))
                rows = conn.execute(_QUERIES["ids_in_scope"], {"limit": MOST}).fetchall()
                me = conn.execute(_QUERIES["acting_as"]).fetchone()
            ids = [str(row["memory_id"]) for row in rows]
            return IsolationFacts(
                roles=tuple(
                    RoleFacts(
                        name=row["rolname"],
                        superuser=row["rolsuper"],
                        bypasses=row["rolbypassrls"],
                        reads=row["reads"],
                        writes=row["writes"],
                    )
                    for row in roles
                ),
                acting_as=str(me["name"]) if me else "",
                forced=bool(forced and forced["forced"]),
                asked=len(ids),
                as_self=_seen(conn, asker, ids),
                as_nobody=_seen(conn, None, ids),
                as_owner=_seen(conn, other, ids),
            )


def _seen(conn: Connection, scope: Scope | None, ids: list[str]) -> int:
    with conn.transaction():
        if scope is not None:
            conn.execute(QUERIES["set_scope"], scope_params(scope))
        row = conn.execute(_QUERIES["count_by_id"], {"ids": ids}).fetchone()
    return int(row["total"]) if row else 0
