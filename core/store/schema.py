"""Brings a database up to date before it is used: server, roles, migrations, embedding model. In this order.

1. The server and its vector extension are new enough.
2. Under an advisory lock: the pending migrations, each in one transaction with its checksum.
3. The roles are what row-level security relies on: no superuser, no bypass, and the connecting role may take them on.
4. The embedding model is the recorded one; a new database records it and sets the vectors' dimension.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql

from core.errors import Misconfigured
from core.sql import load_migrations, pending
from core.store.database import APP_ROLE, READER_ROLE, Connection, connect, speaking_plainly

_log = logging.getLogger(__name__)

MIN_SERVER = 150000  # version 15
MIN_VECTOR = (0, 8)  # iterative index scans
MAX_DIMENSIONS = 4000  # the limit of an HNSW index on halfvec
REEMBED = "python -m core.entrypoints.reembed"
_LOCK = 0x6368726F6E6F  # "chrono": one migrating process at a time in a database

_ENSURE = """
CREATE SCHEMA IF NOT EXISTS chronomemory;
CREATE TABLE IF NOT EXISTS chronomemory.schema_migration (
    number     integer     PRIMARY KEY,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""
_INDEX = (
    "CREATE INDEX memory_embedding_hnsw ON memory_embedding USING hnsw (embedding halfvec_cosine_ops) "
    "WITH (m = 16, ef_construction = 128)"
)


def prepare(conninfo: str, *, dimensions: int, embedding_identity: str) -> None:
    """Make the database ready, or refuse it.

    Raises:
        StoreUnavailable: the server cannot be reached.
        Misconfigured: see the module's order; the message names what mends it.
    """
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        msg = (
            f"the embedding model gives {dimensions} dimensions; the store takes 1 to {MAX_DIMENSIONS}: choose another "
            "model"
        )
        raise Misconfigured(msg)
    with connect(conninfo) as conn, speaking_plainly():
        check_server(conn)
        _refuse_ledger(conn)
        with migrating(conn):
            migrate(conn)
            check_roles(conn)
            _check_embedding(conn, dimensions=dimensions, identity=embedding_identity)


@contextmanager
def migrating(conn: Connection) -> Iterator[None]:
    """Hold the lock under which the schema is changed; locks on tables are waited for half a minute."""
    conn.execute("SET lock_timeout = '30s'")
    conn.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
    try:
        yield
    finally:
        if not conn.broken:
            conn.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def _refuse_ledger(conn: Connection) -> None:
    """Held facts are kept physically apart from trusted memory; the ledger looks for the store likewise."""
    if conn.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'ledger' AND tablename = 'migration'").fetchone():
        msg = (
            "this database holds a ledger: held facts are kept physically apart from trusted memory. Name a database "
            "of its own in DATABASE_URL"
        )
        raise Misconfigured(msg)


def check_server(conn: Connection) -> None:
    """Refuse an old server or vector extension.

    Raises:
        Misconfigured: with the version that is needed.
    """
    if conn.info.server_version < MIN_SERVER:
        msg = (
            f"Postgres {MIN_SERVER // 10000} or newer is needed, not {conn.info.server_version // 10000}: upgrade the "
            "server"
        )
        raise Misconfigured(msg)
    found = conn.execute(
        "SELECT coalesce(i.extversion, a.default_version) AS version FROM pg_available_extensions a "
        "LEFT JOIN pg_extension i ON i.extname = a.name WHERE a.name = 'vector'"
    ).fetchone()
    if found is None:
        msg = "the server lacks the pgvector extension: install pgvector 0.8 or newer, or unset DATABASE_URL"
        raise Misconfigured(msg)
    version = str(found["version"])
    if tuple(int(part) for part in version.split(".")[:2]) < MIN_VECTOR:
        msg = f"pgvector 0.8 or newer is needed, not {version}: install it and run ALTER EXTENSION vector UPDATE"
        raise Misconfigured(msg)


def migrate(conn: Connection) -> None:
    """Run the pending migrations.

    Raises:
        Misconfigured: a recorded migration was edited or is unknown, or the role may not create what is needed.
    """
    conn.execute(_ENSURE)
    try:
        conn.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
    except psycopg.errors.InsufficientPrivilege as error:
        msg = (
            "the connecting role may not create the pgvector extension: have an administrator run CREATE EXTENSION "
            "vector"
        )
        raise Misconfigured(msg) from error
    applied = {
        int(row["number"]): str(row["checksum"])
        for row in conn.execute("SELECT number, checksum FROM schema_migration").fetchall()
    }
    for migration in pending(load_migrations("core.store"), applied):
        with conn.transaction():
            conn.execute(migration.sql.encode())
            conn.execute(
                "INSERT INTO schema_migration (number, name, checksum) VALUES (%s, %s, %s)",
                (migration.number, migration.name, migration.checksum),
            )
        _log.info("applied store migration %04d_%s", migration.number, migration.name)


def check_roles(conn: Connection) -> None:
    """Refuse roles that row-level security would not bind.

    Raises:
        Misconfigured: with the statement that mends it.
    """
    rows = conn.execute(
        "SELECT rolname, rolsuper OR rolbypassrls AS unbound FROM pg_roles WHERE rolname = ANY(%s)",
        ([APP_ROLE, READER_ROLE],),
    ).fetchall()
    for row in rows:
        if row["unbound"]:
            msg = (
                f"the role {row['rolname']} bypasses row-level security: ALTER ROLE {row['rolname']} NOSUPERUSER "
                "NOBYPASSRLS"
            )
            raise Misconfigured(msg)
    for role in (APP_ROLE, READER_ROLE):
        try:
            with conn.transaction():
                conn.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
        except psycopg.errors.InsufficientPrivilege as error:
            me = conn.info.user
            msg = f'the connecting role may not act as {role}: have an administrator run GRANT {role} TO "{me}"'
            raise Misconfigured(msg) from error


def recorded(conn: Connection) -> tuple[str, int] | None:
    """Identity and dimension of the model that made the stored vectors; None in a new database."""
    rows = conn.execute("SELECT key, value FROM setting WHERE key LIKE 'embedding_%%'", ()).fetchall()
    found = {str(row["key"]): str(row["value"]) for row in rows}
    if "embedding_identity" not in found:
        return None
    return found["embedding_identity"], int(found["embedding_dimensions"])


def record(conn: Connection, *, dimensions: int, identity: str) -> None:
    """Write down which model makes the vectors."""
    conn.execute(
        "INSERT INTO setting (key, value) VALUES ('embedding_identity', %s), ('embedding_dimensions', %s) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (identity, str(dimensions)),
    )


def set_dimension(conn: Connection, column: str, dimensions: int) -> None:
    """Fix the length of the vectors in `column`."""
    conn.execute(
        sql.SQL("ALTER TABLE memory_embedding ALTER COLUMN {} TYPE halfvec({})").format(
            sql.Identifier(column), sql.Literal(dimensions)
        )
    )


def build_index(conn: psycopg.Connection[Any]) -> None:
    """The approximate index over all vectors."""
    conn.execute(_INDEX)


def _check_embedding(conn: Connection, *, dimensions: int, identity: str) -> None:
    known = recorded(conn)
    if known is None:
        with conn.transaction():
            set_dimension(conn, "embedding", dimensions)
            build_index(conn)
            record(conn, dimensions=dimensions, identity=identity)
        return
    if known != (identity, dimensions):
        msg = (
            f"the stored vectors were made by {known[0]} ({known[1]} dimensions), the configured model is {identity} "
            f"({dimensions}): set the former model again, or recompute every vector with `{REEMBED}`"
        )
        raise Misconfigured(msg)
