"""Turns the tables that have an owner into native hash partitions by owner: what one server can do for many owners.

One transaction under the lock of migrations: the old tables step aside, new ones of the same shape are made in parts,
every row is copied, rows and their digests are compared, the old tables go. What a table is, is read from the
catalogue, so that a later migration's column, index or policy comes along. From then on a migration alters the
partitioned table and the server its parts.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from core.errors import Misconfigured
from core.sql import load_queries
from core.store.database import Connection, connect, speaking_plainly
from core.store.schema import check_server, migrate, migrating

_log = logging.getLogger(__name__)
_QUERIES = load_queries("core.store", "partition.sql")

# The tables that lead with the owner, in the order in which their rows may come. Every other table stays whole.
DISTRIBUTED = ("memory", "memory_embedding", "memory_link", "scope_stat", "applied_effect")
PARTS = 16
LEAST = 2
MOST = 256  # parts; each has eleven indexes and its statistics, which every plan that cannot prune must open
_ASIDE = "chronomemory_before"
# The keeper's match_words reads the part itself (migration 0009); nobody else is given anything past the whole table.
_READ_BY_KEEPER = "memory"


@dataclass(frozen=True, kw_only=True, slots=True)
class Parted:
    """What became of a store."""

    parts: int
    rows: dict[str, int]  # by table; nothing where it had been in these parts before
    changed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shape:
    """One table as the catalogue tells it, beside its columns and checks."""

    owner: str
    ours: bool
    columns: list[str]
    read: dict[str, list[dict[str, Any]]]  # the catalogue's rows by the query that found them
    enabled: bool
    forced: bool


def parts_of(conn: Connection) -> int:
    """In how many parts the store is kept; 0: it is not, or there is none.

    Raises:
        Misconfigured: the tables differ, so that two parts of one owner may not lie side by side.
    """
    rows = conn.execute(_QUERIES["layout"], {"tables": list(DISTRIBUTED)}).fetchall()
    found = {int(row["parts"]) if row["parted"] else 0 for row in rows}
    if len(found) > 1:
        told = ", ".join(f"{row['name']} {row['parts']}" for row in sorted(rows, key=lambda row: str(row["name"])))
        msg = f"the store's tables are in different numbers of parts ({told}): restore a backup, or rebuild the store"
        raise Misconfigured(msg)
    return found.pop() if found else 0


def size_of(conninfo: str) -> int:
    """Bytes that the tables and their indexes take: as much more is needed until they are in parts.

    Raises:
        StoreUnavailable: the server cannot be reached.
    """
    with connect(conninfo) as conn, speaking_plainly():
        row = conn.execute(_QUERIES["bytes"], {"tables": list(DISTRIBUTED)}).fetchone()
    return int(row["total"]) if row else 0


def partition(conninfo: str, *, parts: int = PARTS) -> Parted:
    """Keep the store in `parts` partitions by the hash of the owner. All of it is done, or nothing.

    Consoles and workers must be stopped. Needs as much free disk as the tables take, once more for the write-ahead log.

    Args:
        conninfo: of a role that may bring migrations; past a pooler.
        parts: `LEAST` to `MOST`.

    Raises:
        StoreUnavailable: the server cannot be reached or went away; nothing was changed.
        Misconfigured: somebody uses the store, it is in another number of parts, a table has something that cannot be
            carried over, or a row was not found again. Nothing was changed.
    """
    if not LEAST <= parts <= MOST:
        msg = f"a store is kept in {LEAST} to {MOST} parts, not in {parts}"
        raise Misconfigured(msg)
    with connect(conninfo) as conn, speaking_plainly():
        check_server(conn)
        if not conn.execute(_QUERIES["layout"], {"tables": list(DISTRIBUTED)}).fetchall():
            msg = "there is no memory store in this database yet: start the console once, it makes one"
            raise Misconfigured(msg)
        with migrating(conn):
            migrate(conn)
            if (known := parts_of(conn)) == parts:
                return Parted(parts=parts, rows={}, changed=False)
            if known:
                msg = (
                    f"the store is in {known} parts: another number needs a new store. Name an empty database, "
                    "partition it and let `chronomemory rebuild` fill it from the ledger"
                )
                raise Misconfigured(msg)
            refuse_company(conn)
            with conn.transaction():
                rows = _convert(conn, parts)
    _log.info("the store is in %d parts", parts)
    return Parted(parts=parts, rows=rows, changed=True)


def refuse_company(conn: Connection) -> None:
    """Refuse while anybody else is connected to the database.

    Raises:
        Misconfigured: somebody is.
    """
    row = conn.execute(_QUERIES["others"]).fetchone()
    if row and row["total"]:
        msg = f"{row['total']} other connections use this database: stop every console and worker first"
        raise Misconfigured(msg)


def _convert(conn: Connection, parts: int) -> dict[str, int]:
    conn.execute("SET LOCAL row_security = off")  # a row that a policy would hide is an error, not a row less
    for table in DISTRIBUTED:
        conn.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(_here(table)))
    shapes = {table: _shape(conn, table) for table in DISTRIBUTED}
    before = _set_aside(conn)
    for table, shape in shapes.items():
        _make(conn, table, parts)
        columns = sql.SQL(", ").join(map(sql.Identifier, shape.columns))
        copy = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}")
        conn.execute(copy.format(_here(table), columns, columns, sql.Identifier(_ASIDE, table)))
        _index(conn, table, shape)
    for table, shape in shapes.items():
        _add_constraints(conn, table, shape.read["references"])
    after = {table: _digest(conn, table) for table in DISTRIBUTED}
    if lost := [table for table in DISTRIBUTED if before[table] != after[table]]:
        msg = f"the rows of {', '.join(lost)} were not found again as they had been: nothing was changed"
        raise Misconfigured(msg)
    for table, shape in shapes.items():
        _guard(conn, table, shape, parts)
    _drop_aside(conn)
    for table in DISTRIBUTED:  # of a partitioned table the server takes no statistics by itself
        conn.execute(sql.SQL("ANALYZE {}").format(_here(table)))
    return {table: rows for table, (rows, _) in after.items()}


def _set_aside(conn: Connection) -> dict[str, tuple[int, str]]:
    """Move the old tables out of the way; what lies in them, by table."""
    before = {}
    conn.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(_ASIDE)))
    for table in DISTRIBUTED:
        conn.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(_here(table)))
        before[table] = _digest(conn, table)
        # Not a new name: so the indexes' and constraints' names are free again, and later migrations find them.
        conn.execute(sql.SQL("ALTER TABLE {} SET SCHEMA {}").format(_here(table), sql.Identifier(_ASIDE)))
    return before


def _drop_aside(conn: Connection) -> None:
    """Nothing else goes with it: what depends on an old table, a view for one, is an error and undoes everything."""
    old = sql.SQL(", ").join(sql.Identifier(_ASIDE, table) for table in DISTRIBUTED)
    conn.execute(sql.SQL("DROP TABLE {}").format(old))
    conn.execute(sql.SQL("DROP SCHEMA {}").format(sql.Identifier(_ASIDE)))


def _shape(conn: Connection, table: str) -> _Shape:
    named = {"table": table}
    if rows := conn.execute(_QUERIES["uncarried"], named).fetchall():
        msg = f"{table} has {', '.join(str(row['what']) for row in rows)}, which would be lost: take it away first"
        raise Misconfigured(msg)
    parts = ("samples", "keys", "references", "indexes", "triggers", "policies", "grants")
    owned = conn.execute(_QUERIES["owned_by"], named).fetchone() or {}
    security = conn.execute(_QUERIES["security"], named).fetchone() or {}
    return _Shape(
        owner=str(owned["name"]),
        ours=bool(owned["ours"]),
        columns=[str(row["name"]) for row in conn.execute(_QUERIES["columns"], named)],
        read={part: conn.execute(_QUERIES[part], named).fetchall() for part in parts},
        enabled=bool(security["enabled"]),
        forced=bool(security["forced"]),
    )


def _digest(conn: Connection, table: str) -> tuple[int, str]:
    """How many rows, and the sum of the first 64 bits of each one's sha256, seal and vector included; in no order."""
    of_row = "('x' || left(encode(sha256(record_send(t)), 'hex'), 16))::bit(64)::bigint"
    query = sql.SQL(f"SELECT count(*) AS rows, coalesce(sum({of_row}), 0)::text AS sum FROM {{}} t")  # noqa: S608 - ours
    row = conn.execute(query.format(_here(table))).fetchone()
    return (int(row["rows"]), str(row["sum"])) if row else (0, "")


def _make(conn: Connection, table: str, parts: int) -> None:
    """The empty table and its parts: columns, checks, defaults and storage of the old one, without any index yet."""
    like = sql.SQL("CREATE TABLE {} (LIKE {} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (owner)")
    conn.execute(like.format(_here(table), sql.Identifier(_ASIDE, table)))
    part = sql.SQL("CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {})")
    for number, each in enumerate(_each(table, parts)[1:]):
        conn.execute(part.format(_here(each), _here(table), sql.Literal(parts), sql.Literal(number)))


def _index(conn: Connection, table: str, shape: _Shape) -> None:
    """Sampling, keys and indexes, once the rows are in; each reaches the parts through the whole table."""
    for row in shape.read["samples"]:
        target = sql.SQL("ALTER TABLE {} ALTER COLUMN {} SET STATISTICS {}")
        conn.execute(target.format(_here(table), sql.Identifier(row["name"]), sql.Literal(row["target"])))
    _add_constraints(conn, table, shape.read["keys"])
    for row in shape.read["indexes"]:
        conn.execute(str(row["definition"]).encode())


def _add_constraints(conn: Connection, table: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        add = sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} ").format(_here(table), sql.Identifier(row["name"]))
        conn.execute(add.as_bytes(conn) + str(row["definition"]).encode())


def _guard(conn: Connection, table: str, shape: _Shape, parts: int) -> None:
    """Policies, owner, rights and triggers; the parts get the first two, so nothing past the whole table is open."""
    for each in _each(table, parts):
        for row in shape.read["policies"]:
            conn.execute(_policy(conn, each, row))
        if shape.enabled:
            conn.execute(sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(_here(each)))
        if shape.forced:
            conn.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(_here(each)))
    _grant(conn, table, shape)
    if table == _READ_BY_KEEPER:
        for each in _each(table, parts)[1:]:
            conn.execute(sql.SQL("GRANT SELECT ON {} TO chronomemory_keeper").format(_here(each)))
    for row in shape.read["triggers"]:
        conn.execute(str(row["definition"]).encode())
    if not shape.ours:  # last: from here on the table is somebody else's
        for each in _each(table, parts):
            conn.execute(sql.SQL("ALTER TABLE {} OWNER TO {}").format(_here(each), sql.Identifier(shape.owner)))


def _policy(conn: Connection, table: str, row: dict[str, Any]) -> bytes:
    """The statement that makes a policy as pg_policies tells it."""
    roles = [sql.SQL("PUBLIC") if role == "public" else sql.Identifier(role) for role in row["roles"]]
    head = sql.SQL("CREATE POLICY {} ON {} AS {} FOR {} TO {}").format(
        sql.Identifier(row["name"]),
        _here(table),
        sql.SQL(row["permissive"]),
        sql.SQL(row["cmd"]),
        sql.SQL(", ").join(roles),
    )
    made = head.as_bytes(conn)
    if row["qual"] is not None:
        made += f" USING ({row['qual']})".encode()
    if row["with_check"] is not None:
        made += f" WITH CHECK ({row['with_check']})".encode()
    return made


def _grant(conn: Connection, table: str, shape: _Shape) -> None:
    for row in shape.read["grants"]:
        column = sql.SQL("") if row["of_column"] is None else sql.SQL(" ({})").format(sql.Identifier(row["of_column"]))
        grant = sql.SQL("GRANT {}{} ON {} TO {}{}").format(
            sql.SQL(row["privilege"]),
            column,
            _here(table),
            sql.SQL("PUBLIC") if row["grantee"] is None else sql.Identifier(row["grantee"]),
            sql.SQL(" WITH GRANT OPTION" if row["passes"] else ""),
        )
        conn.execute(grant)


def _each(table: str, parts: int) -> list[str]:
    """The whole table and its parts by name."""
    width = len(str(parts - 1))
    return [table, *(f"{table}_p{number:0{width}}" for number in range(parts))]


def _here(table: str) -> sql.Identifier:
    return sql.Identifier("chronomemory", table)


__all__ = ["DISTRIBUTED", "MOST", "PARTS", "Parted", "partition", "parts_of", "refuse_company", "size_of"]
