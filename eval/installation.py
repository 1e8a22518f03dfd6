"""A throw-away installation for measuring: real ledger, embedded store and embedding model; a clock that is set."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.bootstrap import build_layer
from core.layer import MemoryLayer
from core.model import Actor, Role, Run, RunState
from core.ports import Clock, Embedder, Ids
from core.settings import Settings

PASSWORD = "measured in private"  # noqa: S105 - of accounts that live as long as the measurement
START_SECONDS = 600.0


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self, at: datetime) -> None:
        """Set it."""
        self.at = at

    def now(self) -> datetime:
        """What it was set to."""
        return self.at


@dataclass(kw_only=True)
class Installation:
    """A started layer without a running worker: the measurement drives it."""

    layer: MemoryLayer
    clock: Any  # a SetClock, unless the measurement brought its own
    admin: Actor

    def person(self, name: str) -> Actor:
        """A new member, signed in."""
        token = self.layer.accounts.invite(self.admin, Role.MEMBER, name)
        self.layer.accounts.accept_invitation(token, name, name, PASSWORD)
        return self.sign_in(name)

    def sign_in(self, name: str) -> Actor:
        """A session for an account."""
        _session, token = self.layer.accounts.sign_in(name, PASSWORD, "127.0.0.1", "eval")
        actor = self.layer.accounts.resolve(token)
        if actor is None:
            msg = f"{name} could not sign in"
            raise RuntimeError(msg)
        return actor

    def ask(self, actor: Actor, conversation: str, text: str) -> Run:
        """One turn: asked, answered, and taken through the write path."""
        run = self.layer.chat.ask(actor, conversation, text)
        while run.state is RunState.RUNNING:
            time.sleep(0.003)
            run = self.layer.chat.run(actor, run.run_id)
        self.layer.drain()
        return run


def _throw_away() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="chronomemory-eval-", ignore_cleanup_errors=True)


@contextmanager
def installation(
    *,
    at: datetime | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    kept: Path | None = None,
    **settings: object,
) -> Iterator[Installation]:
    """Start one in a temporary folder and take it down again; or in a folder that is `kept`, as it was left there."""
    clock = SetClock(at or datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    with nullcontext(kept) if kept else _throw_away() as folder:
        given = {
            "chronomemory_data": Path(folder),
            "chronomemory_worker": False,
            "idle_minutes": 60.0 * 24 * 3650,
            "absolute_hours": 24.0 * 3650,
        }
        chosen = Settings(_env_file=None, **(given | settings))  # type: ignore[arg-type]
        made = build(chosen, clock=clock, ids=ids, embedder=embedder)
        yield made
        made.layer.close()


def build(
    settings: Settings, *, clock: Clock, ids: Ids | None = None, embedder: Embedder | None = None
) -> Installation:
    """Start one in the settings' folder, with an admin who is signed in; whoever asks for it closes its layer."""
    layer = build_layer(settings, clock=clock, ids=ids, embedder=embedder, pause=lambda _seconds: None)
    layer.start()
    deadline = time.monotonic() + START_SECONDS
    while any(state.startswith("starting") for state in layer.health().values()):
        if time.monotonic() > deadline:
            msg = f"the installation did not start: {layer.health()}"
            raise RuntimeError(msg)
        time.sleep(0.05)
    made = Installation(layer=layer, clock=clock, admin=None)  # type: ignore[arg-type]
    if token := layer.accounts.setup_token():
        layer.accounts.create_first_admin(token, "admin", "Admin", PASSWORD)
    made.admin = made.sign_in("admin")
    return made
