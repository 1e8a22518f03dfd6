"""Maintenance that no relayed effect can express: erasing an owner, emptying the store, finding rows put in past it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.model import Scope, sha256_text
from core.sql import load_queries
from core.store.database import QUERIES, Connection, connect, speaking_plainly
from core.store.rows import genuine_memory, scope_params, storable

_QUERIES = load_queries("core.store", "keeper.sql")
_BATCH = 1000
# In the order in which the rows may go.
_OF_PERSON = ("erase_account_throttle", "erase_address_throttle", "erase_sessions", "erase_invitations", "erase_person")
_OF_OWNER = ("erase_links", "erase_embeddings", "erase_effects", "erase_sizes", "erase_memories")


class PostgresKeeper:
    """`core.ports.StoreKeeper`: one connection a call, in the keeper's role, which alone may delete across scopes."""

    def __init__(self, conninfo: str, *, mac_key: bytes) -> None:
        """Nothing is connected yet.

        Args:
            conninfo: as `PostgresStore.open` takes it; the store must have been opened once, which brings the schema.
            mac_key: the key of the rows' seals.
        """
        self._conninfo = conninfo
        self._mac_key = mac_key

    def erase(self, tenant: str, owner: str) -> int:
        """Delete every row of an owner, of every agent, in one transaction; returns the number of memories.

        Memories with their vectors and links, the list of applied effects, the account with its sessions, sign-in
        failures and invitations. Erase the owner in the ledger first, or a later relay brings the words back.

        Raises:
            StoreUnavailable: Postgres is not reachable; nothing was deleted.
        """
        params = {"tenant": storable(tenant), "owner": storable(owner)}
        with self._kept() as conn, conn.transaction():
            person = conn.execute(_QUERIES["person_to_erase"], params).fetchone()
            if person is not None:
                # The keys under which core.sessions counts failures.
                account = f"account:{sha256_text(str(person['username']).lower())}"
                of_person = params | {"username_key": person["username_key"], "account": account}
                for name in _OF_PERSON:
                    conn.execute(_QUERIES[name], of_person)
            erased = 0
            for name in _OF_OWNER:
                erased = conn.execute(_QUERIES[name], params).rowcount
        return erased

    def clear(self) -> None:
        """Empty the store of every owner's memories, links and applied effects, to relay them anew from the ledger.

        Accounts, the embedding model and the witnessed head stay: a rebuild must not hide a cut ledger (rules §8.2).

        Raises:
            StoreUnavailable: Postgres is not reachable; nothing was deleted.
        """
        with self._kept() as conn:
            conn.execute(_QUERIES["clear"])

    def reconcile(self, scope: Scope) -> list[str]:
        """Ids of the scope's rows, in any status, that do not carry this installation's seal (rules §8.1), by id.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        found: list[str] = []
        after = ""
        with self._kept() as conn:
            while True:
                params = scope_params(scope) | {"after": after, "limit": _BATCH}
                rows = conn.execute(QUERIES["sealed_rows"], params).fetchall()
                found.extend(str(row["memory_id"]) for row in rows if genuine_memory(row, self._mac_key) is None)
                if len(rows) < _BATCH:
                    return found
                after = str(rows[-1]["memory_id"])

    @contextmanager
    def _kept(self) -> Iterator[Connection]:
        with connect(self._conninfo) as conn, speaking_plainly():
            conn.execute("SET ROLE chronomemory_keeper")
            yield conn
