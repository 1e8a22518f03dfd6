"""Operator keys, as far as a page sees them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.model import Actor
from core.ports import OperatorKey
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskOperatorKeys:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.rows = [
            OperatorKey(
                key_id="o-1",
                prefix="cmo_Qm27xR",
                tenant="main",
                user_id="u-1",
                name=desk.w("nightly export"),
                created_at=NOW - timedelta(days=3),
                last_used_at=NOW - timedelta(hours=5),
            )
        ]

    def list(self, actor: Actor) -> list[OperatorKey]:
        return [] if self.desk.empty else self.rows

    def of_tenant(self, actor: Actor) -> list[OperatorKey]:
        return self.list(actor)

    def create(self, actor: Actor, name: str) -> tuple[OperatorKey, str]:
        if not name:
            msg = "Say what the key is for, in 1 to 60 characters."
            raise BadInput(msg)
        self.desk.calls.append(("create_operator_key", name))
        return self.rows[0], "cmo_the-whole-token"

    def revoke(self, actor: Actor, key_id: str) -> None:
        self.desk.calls.append(("revoke_operator_key", key_id))
