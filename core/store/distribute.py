"""Hands the tables that have an owner to the extension Citus, which spreads them over servers by owner.

Who people are stays whole on the coordinator: a sign-in knows a name or a token, and no owner yet. Everything happens
in one transaction, which ends with what the store does all day, a write and a search in the application's role: where
Citus took the tables and the product then cannot work on them, nothing is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
from psycopg import sql

from core.errors import Misconfigured
from core.sql import load_queries
from core.store.database import APP_ROLE, QUERIES, STATEMENT_TIMEOUT, Connection, connect, speaking_plainly
from core.store.partition import DISTRIBUTED, parts_of, refuse_company
from core.store.schema import check_server, migrate, migrating, recorded
from core.store.words import any_of, each_of, two_of

_QUERIES = load_queries("core.store", "distribute.sql")
_PROBE = {"tenant": "chronomemory probe", "owner": "chronomemory probe", "agent": "probe"}
_INSTEAD = "`chronomemory store partition` is what one server can do"


@dataclass(frozen=True, kw_only=True, slots=True)
class Distributed:
    """What became of a store."""

    citus: str  # version of the extension
    tables: tuple[str, ...]  # that were distributed now; none where all had been before


def obstacles(conn: Connection) -> list[str]:
    """What in this schema breaks Citus's rules, one sentence each; nothing of it is asked of Citus itself."""
    rows = conn.execute(_QUERIES["obstacles"], {"tables": list(DISTRIBUTED)}).fetchall()
    return [str(row["broken"]) for row in rows]


def distribute(conninfo: str) -> Distributed:
    """Let Citus distribute the store by owner. All of it is done, or nothing; again, it changes nothing.

    Consoles and workers must be stopped.

    Args:
        conninfo: of the coordinator, of a role that may bring migrations; past a pooler.

    Raises:
        StoreUnavailable: the server cannot be reached or went away; nothing was changed.
        Misconfigured: the server has no Citus, somebody uses the store, it is in partitions, breaks a rule of Citus,
            or does not work once it is distributed. Nothing was changed.
    """
    with connect(conninfo) as conn, speaking_plainly():
        check_server(conn)
        version = _citus(conn)
        if conn.execute("SELECT to_regclass('chronomemory.memory') AS there").fetchone() == {"there": None}:
            msg = "there is no memory store in this database yet: start the console once, it makes one"
            raise Misconfigured(msg)
        with migrating(conn):
            migrate(conn)
            placed = _placed(conn)
            wanted = [table for table in DISTRIBUTED if table not in placed]
            if not wanted:
                return Distributed(citus=version, tables=())
            if parts := parts_of(conn):
                msg = f"the store is in {parts} partitions of this server: distribute a new store, and rebuild it there"
                raise Misconfigured(msg)
            if broken := obstacles(conn):
                msg = f"the schema breaks rules of Citus: {'; '.join(broken)}"
                raise Misconfigured(msg)
            refuse_company(conn)
            try:
                with conn.transaction():
                    _spread(conn, wanted)
                    _prove(conn)
            except psycopg.DatabaseError as error:
                if isinstance(error, psycopg.OperationalError):
                    raise
                reason = (str(error).strip() or type(error).__name__).splitlines()[0]
                msg = f"Citus {version} cannot carry the store: {reason}. Nothing was changed; {_INSTEAD}"
                raise Misconfigured(msg) from error
    return Distributed(citus=version, tables=tuple(wanted))


def _citus(conn: Connection) -> str:
    row = conn.execute(_QUERIES["extension"]).fetchone() or {}
    if row.get("made"):
        return str(row["made"])
    if row.get("available"):
        msg = (
            "this server has citus, this database has not: have an administrator load it on every server "
            "(shared_preload_libraries), add the workers and run CREATE EXTENSION citus"
        )
        raise Misconfigured(msg)
    msg = f"this server has no citus: install it on this server and the workers, or stay on one. {_INSTEAD}"
    raise Misconfigured(msg)


def _placed(conn: Connection) -> set[str]:
    """Tables that are distributed already.

    Raises:
        Misconfigured: by something else than the owner, or so that one owner's rows may lie on two servers.
    """
    rows = conn.execute(_QUERIES["placed"], {"tables": list(DISTRIBUTED)}).fetchall()
    if any(row["by_column"] != "owner" for row in rows) or len({row["beside"] for row in rows}) > 1:
        told = ", ".join(f"{row['name']} by {row['by_column']} in group {row['beside']}" for row in rows)
        msg = f"tables of the store were distributed in another way ({told}): undo that with undistribute_table"
        raise Misconfigured(msg)
    return {str(row["name"]) for row in rows}


def _spread(conn: Connection, wanted: list[str]) -> None:
    """Policies without a query of their own first, then table by table; what another refers to comes before it."""
    for row in conn.execute(_QUERIES["policies_with_queries"], {"tables": list(DISTRIBUTED)}).fetchall():
        if row["name"] != "own_rows":
            msg = f"the policy {row['name']} on {row['table_name']} asks a query, which Citus refuses"
            raise Misconfigured(msg)
        plain = sql.SQL(_QUERIES["ask_plainly"]).format(table=sql.Identifier("chronomemory", row["table_name"]))
        conn.execute(plain)
    for table in wanted:
        name = "spread_first" if table == DISTRIBUTED[0] else "spread_beside"
        conn.execute(_QUERIES[name], {"table": f"chronomemory.{table}"})


def _prove(conn: Connection) -> None:
    """Write and read as the application does, for an owner who does not exist; nothing of it stays.

    Raises:
        Misconfigured: what was written is not seen by its owner, or by somebody else too.
        psycopg.DatabaseError: the server refuses one of the product's statements.
    """
    known = recorded(conn)
    length = known[1] if known else 1
    role = {"role": APP_ROLE, "statement_timeout": str(STATEMENT_TIMEOUT), "read_only": "off", "local": True}
    asked = _PROBE | {
        "vector": str([1.0] + [0.0] * (length - 1)),
        "any_word": any_of(["probe"]),
        "two_words": two_of(["probe"]),
        "each_word": each_of(["probe"]),
        "limit": 1,
        "budget": 1,
        "seeds": 1,
        "neighbours": 1,
    }
    with conn.transaction(force_rollback=True):
        now = conn.execute("SELECT now() AS at").fetchone() or {}
        conn.execute(QUERIES["begin"], role | _PROBE)
        conn.execute(QUERIES["grow_scope"], _PROBE)
        seen = conn.execute(QUERIES["spaces"], _PROBE).fetchall()
        conn.execute(QUERIES["search_exact"], asked | now)
        conn.execute(QUERIES["set_scope"], {"owner": "", "tenant": ""})
        hidden = conn.execute(QUERIES["spaces"], _PROBE).fetchall()
    if len(seen) != 1 or hidden:
        msg = (
            "row-level security does not follow to where Citus put the rows: their owner sees "
            f"{len(seen)} of 1 row, nobody sees {len(hidden)} of 0. Nothing was changed; {_INSTEAD}"
        )
        raise Misconfigured(msg)


__all__ = ["Distributed", "distribute", "obstacles"]
