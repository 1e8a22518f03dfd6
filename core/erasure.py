"""The last verbs of the lifecycle: erasing a person, rebuilding the store, snapshots. Resumable, audited, certified."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from core.accounts import Accounts
from core.enact import Enactor
from core.errors import BadInput, NotAuthorised
from core.model import Actor, AuditEntry, Role, Scope
from core.ports import Clock, Erasure, Ids, Ledger, LedgerFile, MemoryReader, StoreKeeper
from core.reconcile import Differences, reconcile

STARTED, DONE = "person:erasure_started", "person:erased"
TAKEN = "person:erasure_of_words"  # the ledger's part is done: its numbers, in the transaction that did it
AGAIN = "person:erasure_repeated"  # the store had lost it
STEPS = 1000  # entries of one kind looked at

log = logging.getLogger(__name__)


class Answers(Protocol):
    """What answers people in this process."""

    def end_answers(self, tenant: str, owner: str) -> None:
        """Stop a person's answers and wait for them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Certificate:
    """What was erased, provable without the words: the audit entry it names stands in the chain (rules §2.9)."""

    certificate_id: str
    tenant: str
    person: str
    at: datetime
    by: str
    ledger: Erasure
    memories: int
    audit_seq: int
    audit_hash: str

    def to_json(self) -> str:
        """The certificate as a file to keep."""
        plain: dict[str, Any] = asdict(self) | {"at": self.at.isoformat()}
        return json.dumps(plain, indent=2, sort_keys=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifecycle:
    """Acts on a whole person or installation. Each authorises its actor itself."""

    accounts: Accounts
    ledger: Ledger
    file: LedgerFile
    store: MemoryReader
    keeper: StoreKeeper
    answers: Answers
    enactor: Enactor
    clock: Clock
    ids: Ids

    def erase(self, actor: Actor, user_id: str) -> Certificate:
        """Remove a person's words from both stores, every derived row and their account (rules §2.9).

        The audit chain stays and still verifies: it holds digests, keyed by a key that is destroyed here. What is cut
        off half-way goes on at the next start.

        Raises:
            NotAuthorised: neither the person themself nor an admin of their tenant.
            BadInput: they are the tenant's last admin.
        """
        person = self.accounts.authorise(actor)
        if user_id != actor.user_id and person.role is not Role.ADMIN:
            msg = "Only the person themself or an admin can erase a person."
            raise NotAuthorised(msg)
        self.accounts.refuse_last_admin(actor, user_id)
        self.enactor.note(
            actor=actor.user_id, action=STARTED, tenant=actor.tenant, owner=user_id, about={"user_id": user_id}
        )
        return self._carry_out(actor.tenant, user_id, by=actor.user_id)

    def resume(self) -> list[Certificate]:
        """Finish every erasure that a crash cut off; called at each start."""
        return [
            self._carry_out(tenant, one.owner, by=one.actor)
            for tenant in self.ledger.tenants()
            for one in self._unfinished(tenant)
        ]

    def erase_again(self, since: datetime) -> int:
        """Take from the store once more whoever was erased since then: a fail-over may have brought them back.

        Returns:
            How many memories were back.

        Raises:
            StoreUnavailable: call again.
        """
        back = 0
        for tenant in self.ledger.tenants():
            done, _ = self.ledger.audit(tenant, action=DONE, since=since, limit=STEPS)
            for owner in {one.owner for one in done}:
                memories = self.keeper.erase(tenant, owner)
                if memories:
                    log.warning("an erased person's %d memories were back in the store and are erased again", memories)
                    about = {"memories": memories}
                    self.enactor.note(actor="relay", action=AGAIN, tenant=tenant, owner=owner, about=about)
                back += memories
        return back

    def _unfinished(self, tenant: str) -> list[AuditEntry]:
        """The last start of each erasure that no certificate came after, oldest first."""
        done, _ = self.ledger.audit(tenant, action=DONE, limit=STEPS)
        ended = {one.owner: one.seq for one in reversed(done)}
        started, _ = self.ledger.audit(tenant, action=STARTED, limit=STEPS)
        last = {one.owner: one for one in reversed(started)}
        return [one for one in last.values() if one.seq > ended.get(one.owner, 0)]

    def _carry_out(self, tenant: str, owner: str, *, by: str) -> Certificate:
        """Ledger, store, file, certificate: each step may be done again, and a start does again what was cut off."""
        self.accounts.shut_out(tenant, owner)
        self.answers.end_answers(tenant, owner)
        started, _ = self.ledger.audit(tenant, owner=owner, action=STARTED, limit=1)
        begun = started[0].seq if started else 0
        memories = self.enactor.erase(tenant, owner, by=by, action=TAKEN, keeper=self.keeper)
        self.file.compact()
        taken, _ = self.ledger.audit(tenant, owner=owner, action=TAKEN, limit=STEPS)
        erased = _sum(one.about for one in taken if one.seq > begun)
        certificate_id, at = self.ids.new(), self.clock.now()
        about = asdict(erased) | {"memories": memories, "certificate_id": certificate_id, "started": begun}
        with self.ledger.transaction() as tx:
            entry = tx.append_audit(at=at, actor=by, action=DONE, tenant=tenant, owner=owner, about=about)
        return Certificate(
            certificate_id=certificate_id,
            tenant=tenant,
            person=owner,
            at=at,
            by=by,
            ledger=erased,
            memories=memories,
            audit_seq=entry.seq,
            audit_hash=entry.hash,
        )

    def rebuild(self, actor: Actor) -> int:
        """Make the store anew from the ledger; returns how many effects were applied again.

        Raises:
            NotAuthorised: the actor is no admin.
            BadInput: the audit chain does not verify: a store must not be made from a ledger that was changed.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        return self.rebuild_unattended(by=actor.user_id, tenant=actor.tenant)

    def rebuild_unattended(self, *, by: str, tenant: str) -> int:
        """The same for a caller that has authorised the act, as the holder of the admin token (core.corpus).

        Raises:
            BadInput: the audit chain does not verify.
        """
        report = self.ledger.verify()
        if not report.ok:
            msg = f"the audit chain is broken at entry {report.broken_seq}: restore a snapshot that verifies first"
            raise BadInput(msg)
        self.enactor.note(actor=by, action="store:rebuilt", tenant=tenant, owner="", about={})
        return self.enactor.rebuild(self.keeper.clear)

    def heal(self) -> int:
        """Apply everything again to a store that witnessed nothing though the ledger decided: it was lost."""
        if self.store.witness()[0] or not self.ledger.head()[0]:
            return 0
        return self.enactor.rebuild(lambda: None)

    def reconcile(self, actor: Actor, owner: Scope) -> Differences:
        """Which of an owner's memories in the store are not what the audit chain says was applied (rules §8.1).

        Verify the chain first: this trusts it.

        Raises:
            NotAuthorised: the actor is no admin of the owner's tenant.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        if owner.tenant != actor.tenant:
            msg = "Only an admin of the owner's tenant can reconcile their memories."
            raise NotAuthorised(msg)
        self.enactor.relay()
        return reconcile(self.ledger, self.store, self.keeper, owner)

    def snapshot(self, actor: Actor, path: Path) -> tuple[int, str]:
        """Write a verified copy of the ledger, from which both stores can be made again (rules §8.3); its head.

        Raises:
            NotAuthorised: the actor is no admin.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        return self.file.snapshot(path)


def _sum(steps: Iterable[Mapping[str, Any]]) -> Erasure:
    """What an erasure took in all, however often it was begun again."""
    counts = Counter[str]()
    for about in steps:
        counts.update({one.name: int(about.get(one.name, 0)) for one in fields(Erasure)})
    return Erasure(**{one.name: counts[one.name] for one in fields(Erasure)})


__all__ = ["Certificate", "Lifecycle"]
