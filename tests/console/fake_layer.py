"""A memory layer without stores, for tests of the console's front; `install` puts it where the bootstrap's would be."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from pathlib import Path

from core.accounts import Accounts
from core.credentials import AccountLimits
from core.model import Actor, Role, Scope, SourceKind
from core.observing import UNOBSERVED
from core.ports import AgentIdentity
from core.settings import Settings
from tests.fakes_people import AuditLog, CountingIds, FakePeople, SetClock

ADMIN = "ada.admin"
MEMBER = "mem.ber"
PASSWORD = "correct horse staple"
AGENT_KEY = "cmk_of-a-planner"


class FakeLayer:
    """Accounts in memory; `health` says what it is told to."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings(_env_file=None)
        self.clock = SetClock()
        self.store = FakePeople()
        self.audit = AuditLog()
        self.parts: dict[str, str] = {"store": "ok", "ledger": "ok", "embedding": "ok"}
        self.review = types.SimpleNamespace(summary=self._summary)
        self.keys = types.SimpleNamespace(resolve=agent_behind, admit=lambda *_args, **_rest: None)
        self.observer = UNOBSERVED
        self.demo = self.settings.chronomemory_demo
        self.started = False
        self.closed = False
        self.accounts = Accounts(
            people=self.store,
            clock=self.clock,
            ids=CountingIds(),
            audit=self.audit,
            limits=AccountLimits(bcrypt_rounds=4),
        )

    def start(self) -> None:
        self.started = True

    def close(self) -> None:
        self.closed = True

    def follow(self) -> bool:
        return False

    def health(self) -> Mapping[str, str]:
        return self.parts

    def _summary(self, actor: Actor) -> types.SimpleNamespace:
        return types.SimpleNamespace(held=3 if actor.role is not Role.MEMBER else 0)

    def with_people(self) -> FakeLayer:
        """Add an admin and a member."""
        self.accounts.ensure_admin(ADMIN, PASSWORD)
        admin = self.sign_in(ADMIN)
        token = self.accounts.invite(admin, Role.MEMBER)
        self.accounts.accept_invitation(token, MEMBER, "Mem Ber", PASSWORD)
        self.accounts.sign_out(admin)
        return self

    def sign_in(self, username: str) -> Actor:
        _, token = self.accounts.sign_in(username, PASSWORD, "192.0.2.1", "tests")
        actor = self.accounts.resolve(token)
        assert actor is not None
        return actor


def agent_behind(token: str) -> AgentIdentity | None:
    """Whose agent a key is; there is one."""
    scope = Scope(tenant="default", owner="u1", agent="planner")
    who = AgentIdentity(key_id="k1", agent="planner", scope=scope, channel=SourceKind.AGENT_TURN)
    return who if token == AGENT_KEY else None


class SwitchedPeople(FakePeople):
    """Down while a file exists: the switch that another process can throw."""

    def __init__(self, switch: Path) -> None:
        super().__init__()
        self._switch = switch

    def _up(self) -> None:
        self.down = self._switch.exists()
        super()._up()


def install(layer: FakeLayer) -> types.ModuleType:
    """Make `core.bootstrap.get_layer` give this layer."""
    module = types.ModuleType("core.bootstrap")
    module.get_layer = lambda: layer  # type: ignore[attr-defined]
    sys.modules["core.bootstrap"] = module
    return module
