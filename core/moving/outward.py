"""Writes an owner's whole memory into a file, as of one moment, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import ChronoMemoryError
from core.model import Actor, MemoryStatus, Scope, sha256_text
from core.moving.lines import LineWriter
from core.moving.nouns import Exported, Progress
from core.moving.shape import leaving
from core.moving.trusting import Trusting
from core.policy import Policy
from core.ports import (
    Clock,
    Codec,
    Embedder,
    MemoryFilter,
    MemoryReader,
    OwnerRecords,
    Plain,
    PolicyLedger,
    TransferLedger,
)

PAGE = 500
TELL_EVERY = 100  # records between two words of progress
LEFT_OUT = ("answers as they were drawn", "desk notes and reservations", "vectors", "accounts", "keys")


def quiet(_what: str, _done: int, _total: int) -> None:
    """Says nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outward(Trusting):
    """The way out."""

    ledger: TransferLedger
    versions: PolicyLedger
    store: MemoryReader
    embedder: Embedder
    codec: Codec
    policy: Policy
    clock: Clock
    program: str  # version of this program
    model: str  # of the conversation, or "none (rules)"

    def export(self, actor: Actor, out: BinaryIO, *, progress: Progress = quiet) -> Exported:
        """Write everything of the actor's own memory; what is left out is named in the header.

        Raises:
            StoreUnavailable: the memories cannot be read.
        """
        self.accounts.authorise(actor)
        self._relay()
        done = 0

        def seen(kind: str) -> None:
            nonlocal done
            done += 1
            if done % TELL_EVERY == 0:
                progress(f"writing {kind} records", done, 0)

        writer = LineWriter(out, seen=seen)
        writer.header(self._header(actor))
        with self.ledger.owner_records(actor.tenant, actor.user_id) as owned:
            head = self._write(actor, owned, writer)
        digest = writer.trailer(self.signer)
        about = {"digest": digest, "content": writer.content, "records": sum(writer.counts.values()), "slice": head}
        self.enactor.note(
            actor=actor.user_id, action="export:made", tenant=actor.tenant, owner=actor.user_id, about=about
        )
        counts = dict(writer.counts)
        return Exported(counts=counts, content=writer.content, digest=digest, fingerprint=self.own_fingerprint)

    def _write(self, actor: Actor, owned: OwnerRecords, writer: LineWriter) -> str:
        """Every record in the file's order; the head of the audit slice."""
        serials = owned.numbers()
        agents: dict[str, None] = {}

        def put(kind: str, record: Plain) -> None:
            writer.record(kind, leaving(record, owner=actor.user_id, serials=serials))

        for one in owned.conversations():
            agents[one["agent"]] = None
            put("conversation", one)
        for one in owned.episodes():
            agents[one["agent"]] = None
            put("episode", {name: value for name, value in one.items() if name != "serial_no"})  # its place says it
        for candidate, decisions in owned.candidates():
            put("candidate", candidate | {"digest": sha256_text(candidate["proposal"]["statement"])})
            for decision in decisions:
                put("decision", decision)
        for one in owned.effects():
            put("effect", one)
        for agent in agents:
            for one in self._memories(Scope(tenant=actor.tenant, owner=actor.user_id, agent=agent)):
                put("memory", one)
        head = ""
        for one in owned.audit():
            writer.record("audit", one)
            head = f"{one['seq']}:{one['hash']}"
        return head

    def _header(self, actor: Actor) -> Plain:
        used = [self.policy.digest, *(one.digest for one in self.versions.policy_versions(actor.tenant))]
        seq, head = self.ledger.head()
        return {
            "program": self.program,
            "exported_at": self.clock.now().isoformat(),
            "owner": actor.user_id,
            "installation": self.signer.public,
            "policy": self.policy.digest,
            "policies": list(dict.fromkeys(used)),
            "embedding": {"identity": self.embedder.identity, "dimensions": self.embedder.dimensions},
            "model": self.model,
            "audit_head": {"seq": seq, "hash": head},
            "left_out": list(LEFT_OUT),
        }

    def _memories(self, scope: Scope) -> Iterator[Plain]:
        """Every genuine row of a scope, forgotten ones included: they must stay so."""
        where = MemoryFilter(statuses=tuple(MemoryStatus))
        offset, total = 0, 1
        while offset < total:
            page, total = self.store.list(scope, where, limit=PAGE, offset=offset)
            for memory in page:
                yield self.codec.to_plain(memory)
            offset += PAGE

    def _relay(self) -> None:
        """Let the store have what was decided, so that the memories are those of the records."""
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise


__all__ = ["Outward", "quiet"]
