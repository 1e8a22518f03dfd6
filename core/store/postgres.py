"""The store: what `core.enact` relays to and everything reads from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import BadInput, Misconfigured
from core.model import Effect, EffectKind, Scope
from core.ports import Clock, Embedder, OutboxItem
from core.store.database import APP_ROLE, QUERIES, Connection, Database
from core.store.reader import PostgresReader
from core.store.reembed import reembed
from core.store.rows import genuine_memory, scope_params, storable, to_row, vector_literal
from core.store.schema import REEMBED, prepare
from core.store.seal import seal

_CHANGES = {
    EffectKind.SUPERSEDE: "supersede",
    EffectKind.RETRACT: "retract",
    EffectKind.CONFIRM: "confirm",
    EffectKind.UNCONFIRM: "unconfirm",
    EffectKind.REINFORCE: "reinforce",
    EffectKind.ARCHIVE: "archive",
    EffectKind.TOMBSTONE: "tombstone",
    EffectKind.RESTORE: "restore",
    EffectKind.LINK: "link",
    EffectKind.PIN: "pin",
    EffectKind.UNPIN: "unpin",
}
_ATTESTS = {EffectKind.ATTEST: "attest", EffectKind.UNATTEST: "unattest"}
_UNMIRRORED = {EffectKind.REINFORCE, EffectKind.LINK, EffectKind.PIN, EffectKind.UNPIN}  # status and end stay


class PostgresStore(PostgresReader):
    """`core.ports.MemoryReader`, `FactLookup` and `MemoryWriter` on Postgres with pgvector."""

    def __init__(
        self,
        database: Database,
        *,
        dimensions: int,
        embedding_identity: str,
        mac_key: bytes | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Use `open`."""
        super().__init__(
            database, dimensions=dimensions, embedding_identity=embedding_identity, clock=clock, mac_key=mac_key
        )

    @classmethod
    def open(
        cls,
        conninfo: str,
        *,
        dimensions: int,
        embedding_identity: str,
        mac_key: bytes | None = None,
        clock: Clock | None = None,
        direct: str = "",
        pool_size: int = 8,
        must_answer: bool = True,
    ) -> PostgresStore:
        """Bring the schema up to date and open the pool.

        Args:
            conninfo: as libpq reads it, of a role that may create schema and roles.
            dimensions: length of the embedding model's vectors.
            embedding_identity: the model's name and the sha256 of its weights.
            mac_key: seals each row, and rows without its seal are not served (rules §8.1); None does neither.
            clock: what "unexpired" means in calls that name no time; None: the server's clock.
            direct: the way past a pooler in transaction mode, if `conninfo` goes through one.
            pool_size: most connections at a time.
            must_answer: False lets the store open while the server is away; the first call that reaches it prepares it.

        Raises:
            StoreUnavailable: the server cannot be reached.
            Misconfigured: server, extension, roles or embedding model do not fit; the message names what mends it.
        """
        database = Database(
            conninfo,
            role=APP_ROLE,
            prepare=lambda way: prepare(way, dimensions=dimensions, embedding_identity=embedding_identity),
            direct=direct,
            pool_size=pool_size,
        )
        if must_answer:
            try:
                database.start()
            except BaseException:
                database.close()
                raise
        return cls(database, dimensions=dimensions, embedding_identity=embedding_identity, mac_key=mac_key, clock=clock)

    @staticmethod
    def reader(
        conninfo: str,
        *,
        dimensions: int,
        embedding_identity: str,
        clock: Clock | None = None,
        mac_key: bytes | None = None,
    ) -> PostgresReader:
        """A reader that cannot write: another class, another role (SELECT only, no TEMP), read-only transactions."""
        return PostgresReader.open(
            conninfo, dimensions=dimensions, embedding_identity=embedding_identity, clock=clock, mac_key=mac_key
        )

    def apply(self, item: OutboxItem, *, embedding: Sequence[float] | None) -> bool:
        """Apply one effect in one transaction, with its witness; False if it had been applied before.

        1. Insert the effect's id; who does not insert it stops here. A concurrent relay waits on this row until the
        first ends.
        2. Move the witnessed head forwards.
        3. Change the memory.

        Raises:
            StoreUnavailable: Postgres is not reachable; nothing was applied.
            BadInput: an ACTIVATE without its memory or of another scope, a LINK without its other end or kind, an
                ATTEST without its person.
            Misconfigured: the embedding does not belong to the stored model.
        """
        effect = item.effect
        params: dict[str, Any] = scope_params(effect.scope) | {
            "effect_id": storable(effect.effect_id),
            "ledger_seq": item.ledger_seq,
            "ledger_head": item.ledger_head,
            "memory_id": storable(effect.memory_id),
            "by_memory_id": None if effect.by_memory_id is None else storable(effect.by_memory_id),
            "at": effect.at,
            "until": effect.until,
            "origin": storable(effect.origin),
            "link_kind": None if effect.link_kind is None else effect.link_kind.value,
            "weight": effect.weight,
            "by": storable(effect.by),
        }
        if effect.kind is EffectKind.LINK:
            _check_link(effect)
        if effect.kind is EffectKind.ATTEST and not effect.by:
            msg = f"the effect {effect.effect_id} confirms a memory without naming the person who did"
            raise BadInput(msg)
        if embedding is not None:
            self._check_length(embedding)
        with self._database.transaction(effect.scope) as conn:
            if conn.execute(QUERIES["record_effect"], params).fetchone() is None:
                return False
            if effect.kind is EffectKind.ACTIVATE:
                self._activate(conn, effect, embedding, ledger_seq=item.ledger_seq)
            elif effect.kind is EffectKind.REMOVE:
                if conn.execute(QUERIES["remove_embedding"], params).fetchone() is not None:
                    conn.execute(QUERIES["shrink_scope"], params)
                conn.execute(QUERIES["remove"], params)
            elif effect.kind in _ATTESTS:
                self._attest(conn, effect, params)
            else:
                conn.execute(QUERIES[_CHANGES[effect.kind]], params)
                if effect.kind not in _UNMIRRORED:
                    conn.execute(QUERIES["mirror"], params)
            # Last, since this one row is shared by all: it is locked for the shortest time.
            conn.execute(QUERIES["record_witness"], params)
        return True

    def lacking(self, scope: Scope, effect_ids: Sequence[str]) -> set[str]:
        """Those of the owner's effects that were never applied here, or that this server lost.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        wanted = {storable(one): one for one in effect_ids}
        rows = self._database.fetch("applied", scope_params(scope) | {"effect_ids": list(wanted)}, scope)
        return set(wanted.values()) - {wanted[str(row["effect_id"])] for row in rows}

    def witness_head(self, ledger_seq: int, ledger_head: str) -> None:
        """Move the witnessed head forwards; a store that no effect ever reached goes on witnessing nothing.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
        with self._database.transaction() as conn:
            conn.execute(QUERIES["witness_head"], {"ledger_seq": ledger_seq, "ledger_head": ledger_head})

    def reembed(self, embedder: Embedder) -> int:
        """Recompute every vector with another model and make it the store's; returns how many were computed.

        Raises:
            StoreUnavailable: Postgres went away; run it again, it goes on where it stopped.
            ModelUnavailable: the embedder's endpoint went away; likewise.
        """
        count = reembed(self._database.direct, embedder)
        self._dimensions, self._identity = embedder.dimensions, embedder.identity
        return count

    def _activate(
        self, conn: Connection, effect: Effect, embedding: Sequence[float] | None, *, ledger_seq: int
    ) -> None:
        memory = effect.memory
        if memory is None or memory.scope != effect.scope or memory.memory_id != effect.memory_id:
            msg = f"the effect {effect.effect_id} activates a memory that it does not carry, or one of another scope"
            raise BadInput(msg)
        row = to_row(memory, ledger_seq=ledger_seq, mac_key=self._mac_key)
        conn.execute(QUERIES["activate"], row)
        if embedding is None:
            return
        known = conn.execute(QUERIES["embedding_identity"]).fetchone()
        if known is None or known["value"] != self._identity:
            msg = (
                f"the stored vectors are no longer those of {self._identity}: restart with the new model, or run "
                f"`{REEMBED}`"
            )
            raise Misconfigured(msg)
        inserted = conn.execute(QUERIES["embed"], row | {"vector": vector_literal(embedding)}).fetchone()
        if inserted is not None and inserted["inserted"]:
            conn.execute(QUERIES["grow_scope"], row)

    def _attest(self, conn: Connection, effect: Effect, params: dict[str, Any]) -> None:
        """Note or take back who confirmed a memory, under a new seal; one that has no genuine one is left."""
        row = conn.execute(QUERIES["sealed_row"], params).fetchone()
        memory = None if row is None else genuine_memory(row, self._mac_key)
        if row is None or memory is None:
            return
        if effect.kind is EffectKind.ATTEST:
            memory = replace(memory, confirmed_by=params["by"], confirmed_at=effect.at)
        elif memory.confirmed_by is None or params["by"] not in ("", memory.confirmed_by):
            return  # somebody else confirmed it since: theirs stands
        else:
            memory = replace(memory, confirmed_by=None, confirmed_at=None)
        params["row_mac"] = seal(memory, ledger_seq=row["ledger_seq"], key=self._mac_key)
        conn.execute(QUERIES[_ATTESTS[effect.kind]], params)
        conn.execute(QUERIES["mirror"], params)


def _check_link(effect: Effect) -> None:
    if effect.by_memory_id is None or effect.link_kind is None or not 0.0 <= effect.weight <= 1.0:
        msg = f"the effect {effect.effect_id} links without an other end, a kind and a weight in [0, 1]"
        raise BadInput(msg)
