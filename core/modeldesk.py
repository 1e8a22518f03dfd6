"""The models' health for people: what each role did since the start, and one tiny call when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.accounts import Accounts
from core.errors import BadInput
from core.model import Actor, Role
from core.ports import ChatMessage, ChatModel, RoleState

_ASK = "Reply with the one word: ready"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelDesk:
    """Authorises each look itself. A model is called by `check` only."""

    accounts: Accounts
    states: Callable[[], Sequence[RoleState]]
    models: Mapping[str, ChatModel]  # by role; a role that the rules do is not there

    def roles(self, actor: Actor) -> Sequence[RoleState]:
        """Every role's state.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        return self.states()

    def check(self, actor: Actor, role: str) -> str:
        """Make one tiny call of a role's model, with nobody's words in it; returns the model that answered.

        Raises:
            NotAuthorised: the actor is no admin.
            BadInput: the rules do this role's work.
            ModelUnavailable: it did not answer within its deadline.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        model = self.models.get(role)
        if model is None:
            msg = "No model is configured for this role; the rules do its work."
            raise BadInput(msg)
        pieces = model.stream([ChatMessage(role="user", content=_ASK)])
        for _ in pieces:  # the first piece is answer enough
            break
        getattr(pieces, "close", lambda: None)()
        return model.model_id


__all__ = ["ModelDesk"]
