"""Looks at a store without bringing it up to date: what a health check and a verifier need. Reads only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.sql import load_migrations, load_queries
from core.store.database import QUERIES, connect, speaking_plainly
from core.store.embedded import EmbeddedPostgres
from core.store.partition import parts_of
from core.store.rows import storable
from core.store.schema import MIN_SERVER, MIN_VECTOR

_QUERIES = load_queries("core.store", "survey.sql")


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What a store is."""

    server: str  # version, as it names itself
    server_fits: bool
    vector: str  # version of the extension; "" if it is not there
    vector_fits: bool
    migrated: int  # migrations that it has had
    known: int  # migrations that this program brings
    embedding: str  # identity of the model its vectors are of; "" before the first start
    witness: tuple[int, str]
    parts: int = 0  # partitions by owner; 0: it is in one piece


@contextmanager
def reached(database_url: str, postgres_path: Path) -> Iterator[str | None]:
    """How the store is reached if it runs, None if the embedded one does not; none is started for this."""
    server = EmbeddedPostgres(postgres_path)
    if database_url:
        yield database_url
    elif not (server.cluster / "PG_VERSION").exists() or server.pid() is None:
        yield None
    else:
        try:
            yield server.start()  # takes a share of it, so that it is not stopped meanwhile
        finally:
            server.stop()


def survey(conninfo: str) -> Survey:
    """Look at a store.

    Raises:
        StoreUnavailable: it cannot be reached.
        Misconfigured: the connecting role may not look.
    """
    with speaking_plainly(), connect(conninfo) as conn:
        found = conn.execute(_QUERIES["server"]).fetchone() or {}
        made = bool(conn.execute(_QUERIES["made"]).fetchone())
        migrated = conn.execute(_QUERIES["migrated"]).fetchone() if made else None
        identity = conn.execute(QUERIES["embedding_identity"]).fetchone() if migrated and migrated["total"] else None
        witness = conn.execute(QUERIES["witness"]).fetchone() if migrated and migrated["total"] else None
        parts = parts_of(conn)
    vector = str(found.get("vector") or "")
    version = tuple(int(one) for one in vector.split(".")[:2] if one.isdigit())
    return Survey(
        server=str(found.get("server", "")),
        server_fits=int(found.get("number", 0)) >= MIN_SERVER,
        vector=vector,
        vector_fits=version >= MIN_VECTOR,
        migrated=int(migrated["total"]) if migrated else 0,
        known=len(load_migrations("core.store")),
        embedding=str(identity["value"]) if identity else "",
        witness=(int(witness["ledger_seq"]), str(witness["ledger_head"])) if witness else (0, ""),
        parts=parts,
    )


def lacking(conninfo: str, effects: Sequence[tuple[str, str]]) -> set[str]:
    """Of effects of any owners, each (owner, effect id), the ids of those that the store does not have.

    Raises:
        StoreUnavailable: it cannot be reached.
        Misconfigured: the connecting role may not act as the keeper.
    """
    if not effects:
        return set()
    owners, ids = zip(*effects, strict=True)
    params = {"owners": [storable(one) for one in owners], "ids": [storable(one) for one in ids]}
    with speaking_plainly(), connect(conninfo) as conn:
        if not conn.execute(_QUERIES["made"]).fetchone():
            return set(ids)
        conn.execute("SET ROLE chronomemory_keeper")
        return {str(row["effect_id"]) for row in conn.execute(_QUERIES["lacking"], params)}


__all__ = ["Survey", "lacking", "reached", "survey"]
