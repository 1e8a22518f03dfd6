"""One chosen memory, as programs of a small contract see it: recall, stats, remember, ingest, forget, rebuild, verify.

Whose memory it is, the settings say, and what a text counts as, the way in: `remember` is an agent's word, `ingest` a
document. The admin token that opens the writing half is no person: it can do what an agent's key can in this one
memory, and have the store made anew. It never promotes and never sees what is held.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from core.agents import Said, conversation_of
from core.errors import Misconfigured, NotAuthorised
from core.layer import MemoryLayer
from core.model import Actor, Episode, Hit, MemoryStatus, Scope, SourceKind
from core.ports import AgentIdentity, ChainReport

AGENT = "corpus"  # under which name it puts texts in
KEY = "corpus"
REMEMBERED, INGESTED = SourceKind.AGENT_TURN, SourceKind.EXTERNAL_DOC


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """The chosen memory of one installation."""

    layer: MemoryLayer
    username: str  # whose memory it lies in
    space: str  # which of theirs
    admin_token: str  # "" closes the writing half

    # --- reading ------------------------------------------------------------------------------------------------

    def recall(self, query: str, *, k: int | None) -> tuple[Hit, ...]:
        """Trusted memories for a stranger's question. Writes nothing: what the public asks keeps no memory fresh.

        Raises:
            Misconfigured: no memory is chosen.
            BadInput, StoreUnavailable, ModelUnavailable: as `core.agents.AgentDesk.recall`.
        """
        who = self.identity()
        asked = self.layer.agents.question(query, k=k)
        recaller = self.layer.agents.api.recaller
        return recaller.recall(asked, who.scope, k=k, conversation_id=conversation_of(who, KEY)).hits

    def stats(self, who: AgentIdentity | None = None) -> Mapping[MemoryStatus, int]:
        """How many memories of each status there are in the chosen memory, or in that of an agent's key.

        Raises:
            Misconfigured: no memory is chosen.
        """
        return self.layer.store.count((who or self.identity()).scope)

    # --- writing, with the admin token --------------------------------------------------------------------------

    def remember(self, token: str, text: str) -> Episode:
        """Put an agent's word in.

        Raises:
            Misconfigured: there is no admin token, or no memory is chosen.
            NotAuthorised: the token is another one.
        """
        self.authorise(token)
        return self.layer.agents.submit(self.identity(), Said(text=text, conversation="remember"), route=REMEMBERED)

    def ingest(self, token: str, text: str, *, source: str, title: str) -> Episode:
        """Put a document in; what it says waits for a person.

        Raises:
            Misconfigured, NotAuthorised: as `remember`.
        """
        self.authorise(token)
        said = Said(text=text, conversation="ingest", source_ref=source, title=title)
        return self.layer.agents.submit(self.identity(), said, route=INGESTED)

    def forget(self, token: str, memory_id: str, reason: str) -> None:
        """Take back what was put in this way.

        Raises:
            Misconfigured, NotAuthorised: as `remember`; or it is somebody else's statement.
            NotFound: there is no such memory here.
        """
        self.authorise(token)
        self.layer.agents.forget(self.identity(), memory_id, reason)

    def consolidate(self, token: str) -> int:
        """Wake the worker, which reads what came in and lets the store have it; how many texts still wait.

        Raises:
            Misconfigured, NotAuthorised: as `remember`.
        """
        self.authorise(token)
        self.layer.wake_worker.set()
        return self.layer.ledger.unprocessed()

    def rebuild(self, token: str) -> int:
        """Make the store anew from the ledger; how many effects were applied again.

        Raises:
            Misconfigured, NotAuthorised: as `remember`.
            BadInput: the audit chain does not verify.
        """
        self.authorise(token)
        return self.layer.lifecycle.rebuild_unattended(by=AGENT, tenant=self.identity().scope.tenant)

    def verify(self, by: Actor | str) -> ChainReport:
        """Recompute the audit chain, for a person or with the admin token.

        Raises:
            Misconfigured, NotAuthorised: as `remember`.
        """
        if isinstance(by, Actor):
            return self.layer.audit_desk.verify(by)
        self.authorise(by)
        witnessed = self.layer.store.witness()
        return self.layer.ledger.verify(witnessed=witnessed if witnessed[0] else None)

    def head(self, by: Actor | str) -> tuple[int, str]:
        """Sequence and hash of the audit's last entry, for a person or with the admin token.

        Raises:
            Misconfigured, NotAuthorised: as `remember`.
        """
        if isinstance(by, Actor):
            return self.layer.audit_desk.head(by)
        self.authorise(by)
        return self.layer.ledger.head()

    # --- who ----------------------------------------------------------------------------------------------------

    def authorise(self, token: str) -> None:
        """Whether this is the admin token; compared in constant time.

        Raises:
            Misconfigured: there is none.
            NotAuthorised: it is another one.
        """
        if not self.admin_token:
            msg = "This is switched off: set CHRONOMEMORY_ADMIN_TOKEN to switch it on."
            raise Misconfigured(msg)
        if not self.is_admin(token):
            msg = "Send the admin token: Authorization: Bearer …"
            raise NotAuthorised(msg)

    def is_admin(self, token: str) -> bool:
        """Whether a token is the admin's."""
        sent, known = token.encode("utf-8", "surrogatepass"), self.admin_token.encode()
        return bool(known) and hmac.compare_digest(sent, known)

    def identity(self) -> AgentIdentity:
        """The agent that this memory is open to, in its owner's name.

        Raises:
            Misconfigured: no memory is chosen, or its owner's account is closed.
        """
        person = self.layer.accounts.open_account(self.username) if self.username else None
        if person is None:
            msg = "No memory is chosen: set CHRONOMEMORY_CORPUS_USER to the user name of whose it is."
            raise Misconfigured(msg)
        scope = Scope(tenant=person.tenant, owner=person.user_id, agent=self.space)
        return AgentIdentity(key_id=KEY, agent=AGENT, scope=scope, channel=REMEMBERED)


__all__ = ["Corpus"]
