"""Which other installations an admin here vouches for. The audit chain keeps it: the last entry on one decides."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.accounts import Accounts
from core.enact import Enactor
from core.errors import BadInput
from core.model import Actor, Role
from core.moving.signing import fingerprint
from core.ports import Ledger, Signer

TRUSTED, DISTRUSTED = "installation:trusted", "installation:distrusted"
_FINGERPRINT = re.compile("[0-9a-f]{64}")
_MANY = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class Trusting:
    """An admin's word on installations."""

    accounts: Accounts
    ledger: Ledger
    enactor: Enactor
    signer: Signer

    @property
    def own_fingerprint(self) -> str:
        """How this installation is named to others; no secret."""
        return fingerprint(self.signer.public)

    def trust(self, actor: Actor, name: str) -> str:
        """Believe what an installation signed from now on; returns its fingerprint. Said twice, it stays one entry.

        Raises:
            NotAuthorised: the actor is no admin.
            BadInput: this is no fingerprint.
        """
        return self._say(actor, name, TRUSTED, wanted=True)

    def distrust(self, actor: Actor, name: str) -> str:
        """Believe it no longer; what came from it stays as it was ruled on.

        Raises:
            NotAuthorised, BadInput: as `trust`.
        """
        return self._say(actor, name, DISTRUSTED, wanted=False)

    def trusted(self, actor: Actor) -> list[str]:
        """Fingerprints of the installations that are believed in the actor's tenant, this one left out.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        entries, _ = self.ledger.audit(actor.tenant, action=TRUSTED, limit=_MANY)
        names = dict.fromkeys(str(one.about["fingerprint"]) for one in reversed(entries))
        return [one for one in names if self.believes(actor.tenant, one)]

    def believes(self, tenant: str, name: str) -> bool:
        """Whether what this installation signed is believed in a tenant; one's own always is, nobody's never."""
        if not name:
            return False
        if name == self.own_fingerprint:
            return True
        said, _ = self.ledger.audit(tenant, action="installation:", about=name, limit=1)
        return bool(said) and said[0].action == TRUSTED

    def _say(self, actor: Actor, name: str, action: str, *, wanted: bool) -> str:
        self.accounts.authorise(actor, Role.ADMIN)
        plain = "".join(name.split()).replace(":", "").lower()
        if not _FINGERPRINT.fullmatch(plain):
            msg = "This is no fingerprint: it has 64 digits from 0 to f. `chronomemory trust` shows one's own."
            raise BadInput(msg)
        if self.believes(actor.tenant, plain) is not wanted:
            self.enactor.note(
                actor=actor.user_id, action=action, tenant=actor.tenant, owner="", about={"fingerprint": plain}
            )
        return plain


__all__ = ["DISTRUSTED", "TRUSTED", "Trusting"]
