"""Proofs for people: a damaged copy of the chain is found out, and one owner's rows stay out of another's reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.accounts import Accounts
from core.errors import BadInput, NotFound
from core.model import Actor, Role, Scope
from core.ports import IsolationFacts, IsolationProbe, MemoryReader, TamperGround, Tampering, TamperReport
from core.sessions import Audit


@dataclass(frozen=True, kw_only=True, slots=True)
class Proofs:
    """Each proof authorises its actor itself, and shows counts, ids and digests, never words."""

    accounts: Accounts
    ground: TamperGround
    probe: IsolationProbe
    store: MemoryReader
    audit: Audit

    def tamper(self, actor: Actor, how: Tampering) -> TamperReport:
        """Damage a copy of the audit chain and verify it, also against the head that the store witnessed.

        Nothing is audited: the ledger is only read, and stays byte for byte what it was.

        Raises:
            NotAuthorised: the actor is neither reviewer nor admin.
            BadInput: the chain is too short to show it.
            StoreUnavailable: the witnessed head cannot be read.
        """
        self.accounts.authorise(actor, Role.REVIEWER, Role.ADMIN)
        witnessed = self.store.witness()
        return self.ground.tamper_with_copy(how, witnessed=witnessed if witnessed[0] else None)

    def isolation(self, actor: Actor, user_id: str) -> IsolationFacts:
        """Ask, as the actor and in the reading role, for memories of another person of the tenant by their ids.

        Raises:
            NotAuthorised: the actor is no admin.
            NotFound: no such person in the tenant.
            BadInput: it is the actor, whose own rows prove nothing.
            StoreUnavailable: Postgres is not reachable.
        """
        person = self.accounts.authorise(actor, Role.ADMIN)
        if user_id == person.user_id:
            msg = "Choose somebody else: your own rows are yours to see."
            raise BadInput(msg)
        if user_id not in self.accounts.names(person.tenant):
            msg = "There is no such person."
            raise NotFound(msg)
        found = self.probe.probe(actor.scope, Scope(tenant=person.tenant, owner=user_id))
        about: dict[str, Any] = {
            "other": user_id,
            "asked": found.asked,
            "as_self": found.as_self,
            "as_nobody": found.as_nobody,
            "as_owner": found.as_owner,
        }
        self.audit(
            actor=person.user_id, action="isolation:proven", tenant=person.tenant, owner=person.user_id, about=about
        )
        return found


__all__ = ["Proofs"]
