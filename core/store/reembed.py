"""Recomputing every vector when the embedding model changes: batches into a second column, then one switch.

Interrupted, it goes on where it stopped: the second column and the model it is for are kept. Reads go on meanwhile
with the
old vectors; processes that still use the old model are refused after the switch.
"""

from __future__ import annotations

import logging

from psycopg import sql

from core.errors import Misconfigured
from core.ports import Embedder
from core.store.database import Connection, connect, speaking_plainly
from core.store.rows import vector_literal
from core.store.schema import MAX_DIMENSIONS, build_index, check_server, migrate, record

_log = logging.getLogger(__name__)

BATCH = 256  # texts embedded at a time

_NEXT_BATCH = """
SELECT m.owner, m.memory_id, m.text FROM memory m
LEFT JOIN memory_embedding e ON e.owner = m.owner AND e.memory_id = m.memory_id
WHERE e.embedding_next IS NULL AND (m.owner, m.memory_id) > (%(owner)s, %(memory_id)s)
ORDER BY m.owner, m.memory_id LIMIT %(limit)s
"""
# A memory that lost its vector, or never had one, gets its row here; the old column is filled by the switch.
_FILL = """
UPDATE memory_embedding SET embedding_next = %(vector)s::halfvec
WHERE owner = %(owner)s AND memory_id = %(memory_id)s
"""
_INSERT = """
INSERT INTO memory_embedding (owner, memory_id, tenant, agent, active, not_after, embedding, embedding_next)
SELECT owner, memory_id, tenant, agent, status = 'active', least(expires_at, invalid_at), %(old)s::halfvec,
%(vector)s::halfvec
FROM memory WHERE owner = %(owner)s AND memory_id = %(memory_id)s
"""
_RECOUNT = """
INSERT INTO scope_stat (owner, agent, tenant, memories)
SELECT owner, agent, min(tenant), count(*) FROM memory_embedding GROUP BY owner, agent
ON CONFLICT (owner, agent) DO UPDATE SET memories = excluded.memories
"""


def reembed(conninfo: str, embedder: Embedder) -> int:
    """Make `embedder` the store's model. Returns how many vectors were computed in this run.

    Raises:
        StoreUnavailable: Postgres cannot be reached or went away.
        ModelUnavailable: the embedder went away.
        Misconfigured: the model has too many dimensions, or there is no store in this database.
    """
    if not 1 <= embedder.dimensions <= MAX_DIMENSIONS:
        msg = f"the embedding model gives {embedder.dimensions} dimensions; the store takes 1 to {MAX_DIMENSIONS}"
        raise Misconfigured(msg)
    with connect(conninfo) as conn, speaking_plainly():
        check_server(conn)
        migrate(conn)
        _begin(conn, embedder)
        count = _fill(conn, embedder)
        with conn.transaction():
            # Writers stop here, so that no vector of the old model slips in behind the last batch.
            conn.execute("LOCK TABLE memory, memory_embedding IN ACCESS EXCLUSIVE MODE")
            count += _fill(conn, embedder)
            _switch(conn, embedder)
        conn.execute("ANALYZE memory_embedding")
    _log.info("recomputed %d vectors with %s", count, embedder.identity)
    return count


def _begin(conn: Connection, embedder: Embedder) -> None:
    with conn.transaction():
        row = conn.execute("SELECT value FROM setting WHERE key = 'reembed_identity'").fetchone()
        if row is not None and row["value"] == embedder.identity:
            return
        conn.execute("ALTER TABLE memory_embedding DROP COLUMN IF EXISTS embedding_next")
        conn.execute(
            sql.SQL("ALTER TABLE memory_embedding ADD COLUMN embedding_next halfvec({})").format(
                sql.Literal(embedder.dimensions)
            )
        )
        conn.execute(
            "ALTER TABLE memory_embedding ALTER COLUMN embedding_next SET STORAGE PLAIN, "
            "ALTER COLUMN embedding_next SET STATISTICS 0"
        )
        conn.execute(
            "INSERT INTO setting (key, value) VALUES ('reembed_identity', %s) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (embedder.identity,),
        )


def _fill(conn: Connection, embedder: Embedder) -> int:
    count = 0
    after = {"owner": "", "memory_id": ""}
    while True:
        with conn.transaction():
            # The keeper's policies see all owners; nothing else does, the tables' owner included.
            conn.execute("SET LOCAL ROLE chronomemory_keeper")
            rows = conn.execute(_NEXT_BATCH, {**after, "limit": BATCH}).fetchall()
            conn.execute("RESET ROLE")  # SET LOCAL outlives a savepoint
        if not rows:
            return count
        vectors = embedder.embed([str(row["text"]) for row in rows])
        with conn.transaction():
            conn.execute("SET LOCAL ROLE chronomemory_keeper")
            for row, vector in zip(rows, vectors, strict=True):
                params = {"owner": row["owner"], "memory_id": row["memory_id"], "vector": vector_literal(vector)}
                if conn.execute(_FILL, params).rowcount == 0:
                    conn.execute(_INSERT, params | {"old": _placeholder(conn)})
            conn.execute("RESET ROLE")
        count += len(rows)
        after = {"owner": rows[-1]["owner"], "memory_id": rows[-1]["memory_id"]}


def _placeholder(conn: Connection) -> str:
    row = conn.execute(
        "SELECT a.atttypmod AS dimensions FROM pg_attribute a "
        "WHERE a.attrelid = 'memory_embedding'::regclass AND a.attname = 'embedding'"
    ).fetchone()
    length = max(int(row["dimensions"]), 1) if row else 1
    return vector_literal([1.0] + [0.0] * (length - 1))


def _switch(conn: Connection, embedder: Embedder) -> None:
    conn.execute("DROP INDEX IF EXISTS memory_embedding_hnsw")
    conn.execute("ALTER TABLE memory_embedding DROP COLUMN embedding")
    conn.execute("ALTER TABLE memory_embedding RENAME COLUMN embedding_next TO embedding")
    conn.execute("ALTER TABLE memory_embedding ALTER COLUMN embedding SET NOT NULL")
    build_index(conn)
    record(conn, dimensions=embedder.dimensions, identity=embedder.identity)
    conn.execute("DELETE FROM setting WHERE key = 'reembed_identity'")
    conn.execute("SET LOCAL ROLE chronomemory_keeper")
    conn.execute(_RECOUNT)
    conn.execute("RESET ROLE")
