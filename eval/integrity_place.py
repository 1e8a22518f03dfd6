"""An installation that is started, restarted and copied as its operator, or whoever holds its files, would."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row

from core.bootstrap import build_embedder, build_layer
from core.intake import Submission
from core.layer import MemoryLayer
from core.lost import LOST
from core.model import Scope, SourceKind
from core.ports import Embedder
from core.reconcile import Differences, reconcile
from core.settings import Settings
from core.store import EmbeddedPostgres, PostgresKeeper
from eval.installation import START_SECONDS, SetClock

TENANT = "default"


@dataclass(kw_only=True)
class Ground:
    """One Postgres server and one embedding model for every place."""

    admin: str
    embedder: Embedder
    folder: Path
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def database(self) -> str:
        """The connection string of a new, empty database."""
        name = f"integrity_{next(self.numbers)}"
        with psycopg.connect(self.admin, autocommit=True) as conn:
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return make_conninfo(self.admin, dbname=name)


@contextmanager
def ground() -> Iterator[Ground]:
    """Start the server and take it down again."""
    with tempfile.TemporaryDirectory(prefix="chronomemory-eval-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        embedder = build_embedder(Settings(_env_file=None))
        try:
            yield Ground(admin=server.start(), embedder=embedder, folder=Path(folder))
        finally:
            server.stop()


class Place:
    """One installation, and what somebody who holds its files can do to them."""

    def __init__(self, on: Ground) -> None:
        """Make it and start it."""
        self._embedder = on.embedder
        self._folder = Path(tempfile.mkdtemp(dir=on.folder))
        self.conninfo = on.database()
        self.clock = SetClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
        self.layer = self._started()

    def __enter__(self) -> Self:
        """It is started already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Stop it and remove its folder."""
        self.layer.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def restart(self) -> None:
        """Stop it and start it again on the same files."""
        self.layer.close()
        self.layer = self._started()
        self.layer.drain()

    def said(self, owner: str, text: str, channel: SourceKind = SourceKind.USER_TURN, **more: Any) -> str:
        """One text through the write path; its episode's id."""
        given = Submission(
            scope=scope_of(owner),
            conversation_id=more.pop("conversation", f"talk of {owner}"),
            channel=channel,
            text=text,
            actor=more.pop("actor", owner),
            **more,
        )
        episode = self.layer.agent.submit(given)
        self.layer.drain()
        return episode.episode_id

    def noted(self, owner: str) -> None:
        """One audit entry that changes no memory."""
        self.layer.enactor.note(actor=owner, action="candidate:read", tenant=TENANT, owner=owner, about={})
        self.layer.drain()

    # --- what the product says ------------------------------------------------------------------------------------

    def chain_problem(self, *, exported: tuple[int, str] | None = None) -> str:
        """What the audit page finds wrong with the chain, by the store's witness or by an exported head."""
        witnessed = exported or self.layer.store.witness()
        return self.layer.ledger.verify(witnessed=witnessed if witnessed[0] else None).problem

    def differences(self, owner: str) -> Differences:
        """What reconciling the store with the chain finds."""
        layer = self.layer
        secret = (self._folder / "secret").read_bytes()
        keeper = PostgresKeeper(self.conninfo, mac_key=secret)
        return reconcile(layer.ledger, layer.store, keeper, scope_of(owner))

    def put_back(self) -> int:
        """How often the store was found to lack what had been applied to it, and got it again."""
        return self.layer.ledger.audit("", action=LOST, limit=1)[1]

    # --- what the holder of the files can do ------------------------------------------------------------------------

    @contextmanager
    def ledger_file(self) -> Iterator[sqlite3.Connection]:
        """The ledger's file without the product's guards."""
        with closing(sqlite3.connect(self._folder / "ledger.sqlite3", isolation_level=None)) as raw:
            raw.row_factory = sqlite3.Row
            for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                raw.execute(f'DROP TRIGGER "{row["name"]}"')
            raw.execute("PRAGMA ignore_check_constraints = ON")
            raw.execute("PRAGMA foreign_keys = OFF")
            yield raw

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection[dict[str, Any]]]:
        """The store's database as its superuser."""
        with psycopg.connect(self.conninfo, autocommit=True, row_factory=dict_row) as conn:
            conn.execute("SET search_path TO chronomemory, public")
            yield conn

    def copy_ledger(self) -> Path:
        """A complete copy of the ledger's file."""
        target = Path(tempfile.mkdtemp(dir=self._folder)) / "copy.sqlite3"
        with closing(sqlite3.connect(self._folder / "ledger.sqlite3")) as raw, closing(sqlite3.connect(target)) as copy:
            raw.backup(copy)
        return target

    def put_ledger_back(self, copy: Path) -> None:
        """Replace the ledger's file by a copy, with the product stopped, and start it again."""
        self.layer.close()
        for name in ("ledger.sqlite3-wal", "ledger.sqlite3-shm"):
            (self._folder / name).unlink(missing_ok=True)
        shutil.copy(copy, self._folder / "ledger.sqlite3")
        self.layer = self._started()

    # --- inside -----------------------------------------------------------------------------------------------------

    def _started(self) -> MemoryLayer:
        settings = Settings(
            _env_file=None,
            chronomemory_data=self._folder,
            chronomemory_worker=False,
            database_url=self.conninfo,
            idle_minutes=60.0 * 24 * 3650,
            absolute_hours=24.0 * 3650,
        )
        layer = build_layer(settings, clock=self.clock, embedder=self._embedder, pause=lambda _seconds: None)
        layer.start()
        deadline = time.monotonic() + START_SECONDS
        while any(state.startswith("starting") for state in layer.health().values()):
            if time.monotonic() > deadline:
                msg = f"the installation did not start: {layer.health()}"
                raise RuntimeError(msg)
            time.sleep(0.01)
        return layer


def scope_of(owner: str) -> Scope:
    """An owner's scope in this measurement."""
    return Scope(tenant=TENANT, owner=owner)
