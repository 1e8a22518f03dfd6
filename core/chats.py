"""The list of conversations as their owner keeps it: found by title, renamed. `core.chat` holds the conversations."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from core.accounts import Accounts
from core.errors import BadInput, NotFound
from core.model import Actor, Conversation
from core.ports import Clock, Ledger

TITLE_CHARS = 120  # of a name that a person gives
MANY = 5_000  # conversations of one person that are looked through


@dataclass(frozen=True, kw_only=True, slots=True)
class Chats:
    """The signed-in person's list."""

    accounts: Accounts
    ledger: Ledger
    clock: Clock

    def page(self, actor: Actor, *, text: str = "", limit: int = 30) -> tuple[list[Conversation], int]:
        """The first `limit` conversations whose title holds every word of `text`, last used first, and the total."""
        self.accounts.authorise(actor)
        words = _folded(text).split()
        every = self.ledger.conversations(actor.scope, limit=MANY if words else limit + 1)
        if not words:
            if len(every) <= limit:
                return every, len(every)
            return every[:limit], len(self.ledger.conversations(actor.scope, limit=MANY))
        found = [one for one in every if all(word in _folded(one.title) for word in words)]
        return found[:limit], len(found)

    def rename(self, actor: Actor, conversation_id: str, title: str) -> None:
        """Give a conversation another name; its place in the list stays. The same name again changes nothing.

        Raises:
            BadInput: there is no name, or it is too long.
            NotFound: the actor has no conversation by that id.
        """
        self.accounts.authorise(actor)
        name = " ".join(title.split())
        if not name:
            msg = "Give the chat a name."
            raise BadInput(msg)
        if len(name) > TITLE_CHARS:
            msg = f"The name has {len(name)} characters; the limit is {TITLE_CHARS}."
            raise BadInput(msg)
        known = self.ledger.conversation(actor.scope, conversation_id)
        if known is None:
            msg = "There is no such conversation."
            raise NotFound(msg)
        if known.title == name:
            return
        with self.ledger.transaction() as tx:
            tx.put_conversation(replace(known, title=name))
            tx.append_audit(
                at=self.clock.now(),
                actor=actor.user_id,
                action="conversation:renamed",
                tenant=actor.tenant,
                owner=actor.user_id,
                about={"conversation_id": conversation_id},
            )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
