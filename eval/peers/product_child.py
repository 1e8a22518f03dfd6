"""The product through the same protocol as its peers: its real layer, `submit`, the worker's steps, `recall`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from wire import serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.bootstrap import build_layer
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import MemoryStatus, Scope, SourceKind
from core.ports import MemoryFilter
from core.settings import Settings

WORKER = "PEER_WORKER"  # set: a worker beside the writer, as an installation has it
PER_CONVERSATION = 20
START_SECONDS = 300.0
SETTLE_SECONDS = 500.0
ALL = 100_000


class Product:
    """One installation; no key and no account, as an agent's route has it."""

    def __init__(self) -> None:
        """Nothing is opened yet."""
        self._layer: MemoryLayer | None = None
        self._said: dict[str, int] = {}

    @property
    def layer(self) -> MemoryLayer:
        """The opened layer."""
        if self._layer is None:
            msg = "not opened"
            raise RuntimeError(msg)
        return self._layer

    def about(self) -> dict[str, str]:
        """Name and set-up."""
        return {
            "name": "this product",
            "version": "this tree",
            "setup": "submit as the user's own turn, default policy, rules without a model, SQLite ledger + Postgres",
        }

    def open(self, folder: Path, dsn: str) -> None:
        """Start it and wait until store and model are there."""
        folder.mkdir(parents=True, exist_ok=True)
        beside = bool(os.environ.get(WORKER))  # noqa: TID251 - the parent's word to this child
        layer = build_layer(
            Settings(_env_file=None, chronomemory_data=folder, chronomemory_worker=beside, database_url=dsn)  # type: ignore[call-arg]
        )
        layer.start()
        deadline = time.monotonic() + START_SECONDS
        while any(state.startswith("starting") for state in layer.health().values()):
            if time.monotonic() > deadline:
                msg = f"did not start: {layer.health()}"
                raise RuntimeError(msg)
            time.sleep(0.05)
        self._layer = layer

    def add(self, user: str, text: str) -> None:
        """Durable in the ledger when it returns."""
        number = self._said[user] = self._said.get(user, 0) + 1
        self.layer.agent.submit(
            Submission(
                scope=_scope(user),
                conversation_id=f"{user}-{number // PER_CONVERSATION}",
                channel=SourceKind.USER_TURN,
                text=text,
                actor=user,
            )
        )

    def settle(self) -> None:
        """Through the write path and into the store; other work that the worker has is not waited for.

        What a killed worker had in hand is taken over when its lease runs out.
        """
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.layer.intake.run_once("peers") or self.layer.ledger.unprocessed() or self.layer.ledger.outbox():
            if time.monotonic() > deadline:
                msg = f"{self.layer.ledger.unprocessed()} texts still wait after {SETTLE_SECONDS:.0f} s"
                raise RuntimeError(msg)
            if os.environ.get(WORKER):  # noqa: TID251 - the worker beside is at it
                time.sleep(0.02)

    def search(self, user: str, query: str, k: int) -> list[str]:
        """What recall gives an agent."""
        return [hit.memory.text for hit in self.layer.agent.recall(query, _scope(user), k=k).hits]

    def listed(self, user: str) -> list[str]:
        """Every memory that holds."""
        found, _ = self.layer.store.list(_scope(user), MemoryFilter(statuses=(MemoryStatus.ACTIVE,)), limit=ALL)
        return [one.text for one in found]

    def close(self) -> None:
        """Close it."""
        if self._layer is not None:
            self._layer.close()


def _scope(user: str) -> Scope:
    return Scope(tenant="default", owner=user)


if __name__ == "__main__":
    sys.exit(serve(Product))
