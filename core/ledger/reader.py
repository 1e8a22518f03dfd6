"""The read-only face of the ledger: handles that the database itself keeps from writing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Self

from core.audit import GENESIS, Link, stamp, verify_chain
from core.errors import Misconfigured
from core.ledger.codec import to_json
from core.ledger.desk import StoredDesk
from core.ledger.dialect import BUSY_SECONDS, Connection, Place, Row, Unreadable
from core.ledger.handle import READERS
from core.ledger.imports import StoredImports
from core.ledger.items import StoredItems
from core.ledger.keying import chain_key
from core.ledger.observed import StoredObserved
from core.ledger.patterns import StoredPatterns
from core.ledger.policies import StoredPolicies
from core.ledger.questions import StoredQuestions
from core.ledger.rows import (
    conversation_of,
    decision_of,
    entry_of_row,
    episode_of,
    folded,
    group_of,
    item_of,
    link_of,
    run_of,
    scope_values,
)
from core.ledger.schema import recorded
from core.ledger.tamper import StoredTamperGround
from core.ledger.transfer import StoredTransfer
from core.model import AuditEntry, Conversation, Decision, Episode, HeldItem, Run, Scope
from core.ports import ChainReport, HeldFilter, HeldGroup, QueueTally
from core.sql import pending


class StoredLedgerReader(
    StoredDesk,
    StoredPolicies,
    StoredQuestions,
    StoredObserved,
    StoredPatterns,
    StoredImports,
    StoredItems,
    StoredTamperGround,
    StoredTransfer,
):
    """Implements `core.ports.LedgerReader`. Each call reads one committed snapshot; safe from any thread."""

    @classmethod
    def at(
        cls,
        place: Place,
        *,
        hmac_key: bytes | None = None,
        busy_seconds: float = BUSY_SECONDS,
        readers: int = READERS,
    ) -> Self:
        """Open an existing ledger for reading only.

        Args:
            place: a file, or a database.
            hmac_key: the key the audit chain is made with; not used if the ledger says that its chain is a plain one.
            busy_seconds: how long to wait for a free connection.
            readers: how many read at once.

        Raises:
            LedgerUnavailable: there is none, or it cannot be read.
            Misconfigured: it is not a ledger, of another schema than this version's, or made with another key.
        """
        place.expect()
        reader = cls(place, hmac_key=hmac_key, busy_seconds=busy_seconds, readers=readers)
        try:
            reader._check_schema()
        except BaseException:
            reader.close()
            raise
        return reader

    @property
    def keyed(self) -> bool:
        """Whether the audit chain is made with a key, so that nobody without it can continue or rewrite it."""
        return self._hmac_key is not None

    def episode(self, episode_id: str) -> Episode | None:
        """One episode by id."""
        row = self._row("episode", episode_id=episode_id)
        return episode_of(row) if row else None

    def episodes(self, scope: Scope, conversation_id: str, *, limit: int = 200) -> list[Episode]:
        """The conversation's last `limit` episodes, in order of receipt."""
        rows = self._rows("episodes", **scope_values(scope), conversation_id=conversation_id, limit=limit)
        return [episode_of(row) for row in reversed(rows)]

    def attempts(self, episode_id: str) -> int:
        """How often an episode was leased: a worker's measure of when to give up; 0 if unknown."""
        row = self._row("episode", episode_id=episode_id)
        return int(row["attempts"]) if row else 0

    def processed(self, episode_id: str) -> bool:
        """Whether an episode has been through the write path (or was never meant to)."""
        row = self._row("processed", episode_id=episode_id)
        return bool(row and row["processed"])

    def conversation_scope(self, conversation_id: str) -> Scope | None:
        """Whose conversation it is, deleted ones included; None if nothing was ever written to it."""
        row = self._row("conversation_scope", conversation_id=conversation_id)
        return Scope(tenant=row["tenant"], owner=row["owner"], agent=row["agent"]) if row else None

    def tally(self, tenant: str, *, owner: str | None, since: datetime, at: datetime | None = None) -> QueueTally:
        """Numbers of the review strip, read from one snapshot; what is put off beyond `at` does not wait."""
        where = {"tenant": tenant, "owner": owner, "since": stamp(since)}
        with self._pool.snapshot() as connection:
            held = connection.rows("tally_held", **where, at=stamp(at) if at else "")[0]
            ruled = connection.rows("tally_ruled", **where)[0]
        return QueueTally(
            held=held["held"],
            oldest=datetime.fromisoformat(held["oldest"]) if held["oldest"] else None,
            held_since=held["held_since"],
            alone_since=held["alone_since"],
            promoted_since=ruled["promoted"],
            rejected_since=ruled["rejected"],
            snoozed=held["snoozed"],
        )

    def ruled(self, tenant: str, *, owner: str | None, since: datetime, limit: int = 20) -> list[HeldItem]:
        """Candidates whose latest decision is a person's and not older than `since`, newest first."""
        rows = self._rows("ruled", tenant=tenant, owner=owner, since=stamp(since), limit=limit)
        return [item_of(row) for row in rows]

    def ruled_by_policy(self, tenant: str, owner: str | None, limit: int) -> list[HeldItem]:
        """Candidates as the machine ruled on them: each with its first decision by the policy, newest first."""
        return [item_of(row) for row in self._rows("ruled_by_policy", tenant=tenant, owner=owner, limit=limit)]

    def unprocessed(self) -> int:
        """Episodes not yet taken through the write path, plus effects not yet applied."""
        return int(self._rows("unprocessed")[0]["waiting"])

    def candidate(self, candidate_id: str) -> HeldItem | None:
        """One candidate with its state and latest decision."""
        row = self._row("item", candidate_id=candidate_id)
        return item_of(row) if row else None

    def candidates_of(self, episode_id: str) -> list[HeldItem]:
        """All candidates of one episode, in order of their span."""
        return [item_of(row) for row in self._rows("items_of_episode", episode_id=episode_id)]

    def items_of_slot(self, scope: Scope, slot_key: str, *, limit: int = 200) -> list[HeldItem]:
        """All candidates of a scope's slot, in order of receipt."""
        rows = self._rows("items_of_slot", **scope_values(scope), slot_key=slot_key, limit=limit)
        return [item_of(row) for row in rows]

    def held(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldItem], int]:
        """One page of items in the wanted order, and the true total."""
        with self._pool.snapshot() as connection:
            page = connection.rows("held", **_filter_values(where), limit=limit, offset=offset)
            numbers = [row["queue_no"] for row in page if row["queue_no"] is not None]
            items = connection.rows("items_by_number", numbers=to_json(numbers)) if numbers else []
        found = {row["queue_no"]: item_of(row) for row in items}
        return [found[number] for number in numbers], page[0]["total"]

    def held_groups(
        self, where: HeldFilter, *, by: str = "source", limit: int = 50, offset: int = 0
    ) -> tuple[list[HeldGroup], int]:
        """Items grouped by owner and cluster, or by owner and near-duplicates ("alike"); and the number of groups."""
        rows = self._rows("held_groups", **_filter_values(where), by=by, limit=limit, offset=offset)
        return [group_of(row, by=by) for row in rows if row["first_no"] is not None], rows[0]["total"]

    def declined(self, scope: Scope, digest: str) -> bool:
        """Whether a person rejected these very words in this scope, and did not take it back."""
        return self._row("declined", **scope_values(scope), digest=digest) is not None

    def decisions(self, candidate_id: str) -> list[Decision]:
        """Every decision on one candidate, oldest first."""
        return [decision_of(row) for row in self._rows("decisions", candidate_id=candidate_id)]

    def audit(  # noqa: PLR0913 - a filter has that many parts
        self,
        tenant: str,
        *,
        owner: str | None = None,
        action: str | None = None,
        about: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        """Audit entries, newest first, and the true total. `action` is a prefix, `about` any id an entry names."""
        where = {
            "tenant": tenant,
            "owner": owner,
            "action": action,
            "about": about,
            "actor": actor,
            "since": stamp(since) if since else None,
            "until": stamp(until) if until else None,
        }
        with self._pool.snapshot() as connection:
            rows = connection.rows("audit_page", **where, limit=limit, offset=offset)
            total = connection.rows("audit_count", **where)[0]["total"]
        return [entry_of_row(row) for row in rows], total

    def tenants(self) -> list[str]:
        """Every tenant that the audit names, in order."""
        return [row["tenant"] for row in self._rows("tenants")]

    def head(self) -> tuple[int, str]:
        """(sequence, hash) of the last audit entry; (0, "") when there is none."""
        return _head(self._row("head"))

    def verify(self, *, witnessed: tuple[int, str] | None = None) -> ChainReport:
        """Recompute the chain from its stored bytes; see `core.audit.verify_chain`."""
        links = _Links()
        try:
            with self._pool.snapshot() as connection:
                return verify_chain(links.read(connection), key=self._hmac_key, witnessed=witnessed)
        except Unreadable as error:
            return links.unreadable(error)

    def conversations(self, scope: Scope, *, limit: int = 50) -> list[Conversation]:
        """The scope's conversations, last used first, deleted ones left out."""
        return [conversation_of(row) for row in self._rows("conversations", **scope_values(scope), limit=limit)]

    def conversation(self, scope: Scope, conversation_id: str) -> Conversation | None:
        """One conversation of this scope, unless deleted."""
        row = self._row("conversation", **scope_values(scope), conversation_id=conversation_id)
        return conversation_of(row) if row else None

    def run(self, run_id: str) -> Run | None:
        """One answer."""
        row = self._row("run", run_id=run_id)
        return run_of(row) if row else None

    def runs(self, scope: Scope, conversation_id: str) -> list[Run]:
        """All answers of a conversation, oldest first."""
        return [run_of(row) for row in self._rows("runs", **scope_values(scope), conversation_id=conversation_id)]

    def _check_schema(self) -> None:
        if self._row("has_migration_record") is None:
            msg = f"{self._place.name} is not a ledger: name another place"
            raise Misconfigured(msg)
        with self._pool.snapshot() as connection:
            missing = pending(self._place.migrations(), recorded(connection))
            if missing:
                name = self._place.name
                msg = f"ledger {name} is of an older version: start the console or the worker once to update it"
                raise Misconfigured(msg)
            self._hmac_key = chain_key(connection, self._hmac_key, self._place.name)


class _Links:
    """The stored chain, and how far it could be read when pages of the file itself are damaged."""

    def __init__(self) -> None:
        self._last = (0, GENESIS)

    def read(self, connection: Connection) -> Iterator[Link]:
        """Every link in order."""
        for row in connection.each("chain"):
            link = link_of(row)
            yield link
            self._last = (link.seq, link.hash)

    def unreadable(self, error: Unreadable) -> ChainReport:
        """The report on a chain that the database cannot read to its end."""
        seq, sound = self._last
        return ChainReport(
            ok=False,
            entries=seq,
            head_seq=seq,
            head_hash=sound,
            broken_seq=seq + 1,
            problem=f"entry {seq + 1} cannot be read: {error}",
        )


def _head(row: Row | None) -> tuple[int, str]:
    return (row["seq"], row["hash"]) if row else (0, GENESIS)


def _filter_values(where: HeldFilter) -> dict[str, Any]:
    """A filter as bound values; an empty text filters nothing."""
    return {
        "tenant": where.tenant,
        "owner": where.owner,
        "source_kind": where.source_kind.value if where.source_kind else None,
        "source_ref": where.source_ref,
        "cluster": where.cluster,
        "reason": where.reason,
        "text": folded(where.text.strip()) if where.text and where.text.strip() else None,
        "states": to_json(where.states),
        "alike": where.alike,
        "older_than": stamp(where.older_than) if where.older_than else None,
        "assigned_to": where.assigned_to,
        "snoozed": where.snoozed,
        "at": stamp(where.at) if where.at else "",
        "order": where.order,
    }
