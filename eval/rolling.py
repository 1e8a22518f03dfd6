"""Two consoles and two workers, restarted one after the other under load: `python -m eval.rolling`.

    python -m eval.rolling [--minutes N] [--every SECONDS] [--texts N] [--folder FOLDER] [--out FILE]

Each console and its worker have a data folder of their own, as two hosts have, with nothing shared but the secret; both
stores are databases of one Postgres. Programs put texts in under idempotency keys, recall and ask at either console; a
person promotes, rejects and forgets. One after the other each process is ended and started again, in every second round
by SIGKILL. In the end both stores are looked at as after a soak: nothing acknowledged may be lost, nothing may be there
twice.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from core.bootstrap import SystemClock, build_layer
from core.ledger_pg import PostgresLedger
from core.model import SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres
from eval.bench_api import until_ready as until_up
from eval.bench_report import Times
from eval.console_process import ROOT, free_port, until_ready
from eval.installation import Installation, build
from eval.results import Row, measured, write
from eval.results import told as told_command
from eval.soak import LONGEST_SECONDS, SETTLE_SECONDS
from eval.soak_check import Checked, check
from eval.soak_load import Book, Crowd

END_SECONDS = 90.0  # a process that is asked to end may take
HOSTS = ("a", "b")
CONSOLE = ("core.entrypoints.cli", "serve", "--address", "127.0.0.1")
WORKER = "core.entrypoints.worker"


@dataclass(frozen=True, kw_only=True, slots=True)
class Stores:
    """Addresses of the two databases."""

    memory: str
    ledger: str

    def settings(self, data: Path) -> Settings:
        """A host's, without a worker."""
        return Settings(
            _env_file=None,
            chronomemory_data=data,
            chronomemory_worker=False,
            database_url=self.memory,
            ledger_url=SecretStr(self.ledger),
        )


@dataclass(kw_only=True)
class Member:
    """One process of the installation: a console or a worker of a host."""

    name: str
    data: Path
    stores: Stores
    port: int = 0  # of a console; a worker has none
    ready: list[float] = field(default_factory=list)  # seconds from each start until it answered
    ended: list[int] = field(default_factory=list)  # exit status of each life that was asked to end
    killed: int = 0
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """A console's address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it; a console is waited for.

        Raises:
            RuntimeError: it does not come up.
        """
        given = {
            "CHRONOMEMORY_DATA": str(self.data),
            "CHRONOMEMORY_WORKER": "false",
            "DATABASE_URL": self.stores.memory,
            "LEDGER_URL": self.stores.ledger,
            "OPENAI_BASE_URL": "",
            "PORT": str(self.port or 1),
        }
        program = (
            ["core.entrypoints.cli", "serve", "--address", "127.0.0.1"] if self.port else ["core.entrypoints.worker"]
        )
        log = self.data / f"{self.name}.log"
        began = time.monotonic()
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                ["env", *(f"{name}={value}" for name, value in given.items()), sys.executable, "-m", *program],
                cwd=ROOT,
                stdout=out,
                stderr=out,
            )
        if self.port:
            until_ready(f"{self.url}/readyz", self._process, log)
            self.ready.append(time.monotonic() - began)

    def restart(self, *, kill: bool) -> None:
        """End it, by SIGKILL or by asking, and start it again.

        Raises:
            RuntimeError: it had ended by itself.
        """
        if self._process is None or self._process.poll() is not None:
            msg = f"{self.name} ended by itself; its log in {self.data} says why"
            raise RuntimeError(msg)
        self._process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        status = self._process.wait(timeout=END_SECONDS)
        if kill:
            self.killed += 1
        else:
            self.ended.append(status)
        self.start()

    def end(self) -> None:
        """Ask it to end; nothing of a measurement outlives it."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if nothing was lost, doubled or leaked."""
    parser = argparse.ArgumentParser(prog="python -m eval.rolling", description=__doc__)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--every", type=float, default=15.0, help="seconds from one restart to the next")
    parser.add_argument("--texts", type=float, default=3.0, help="texts a second")
    parser.add_argument("--folder", type=Path, help="where the installation is made, and kept")
    parser.add_argument("--out", type=Path, help="write the figures there too, as JSON")
    given = parser.parse_args(arguments)
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="chronomemory-rolling-", ignore_cleanup_errors=True) as name:
        members, book, checked = roll(given.folder or Path(name), given)
    rows = rows_of(members, book, checked)
    for row in rows:
        print(f"{row.claim:<62}{row.figure:>10g}{'  MISSED' if row.met is False else ''}")
    for what, count in sorted((book.refused | book.wrong).items()):
        print(f"   no success: {what}: {count}")
    if given.out:
        write(measured("rolling", told_command("eval.rolling", arguments), rows), given.out)
    return int(any(row.met is False for row in rows))


def roll(folder: Path, given: argparse.Namespace) -> tuple[list[Member], Book, Checked]:
    """The whole run in a folder."""
    hosts = {name: folder / name for name in HOSTS}
    for data in hosts.values():
        data.mkdir(parents=True, exist_ok=True)
    with _databases(folder / "postgres") as stores:
        agent, person = _set_up(stores, hosts)
        consoles = [Member(name=f"console-{one}", data=hosts[one], stores=stores, port=free_port()) for one in HOSTS]
        workers = [Member(name=f"worker-{one}", data=hosts[one], stores=stores) for one in HOSTS]
        members = [one for pair in zip(consoles, workers, strict=True) for one in pair]
        crowd = Crowd(urls=[one.url for one in consoles], agent=agent, person=person, texts_a_second=given.texts)
        try:
            for one in members:
                one.start()
            crowd.start()
            _restart_in_turn(members, minutes=given.minutes, every=given.every)
            crowd.end()
            _until_read(stores, hosts["a"], crowd.book)
        finally:
            for one in members:
                one.end()
        return members, crowd.book, _checked(stores, hosts["a"], crowd.book, folder / "snapshot.sqlite3")


def rows_of(members: Sequence[Member], book: Book, checked: Checked) -> list[Row]:
    """The figures; what must be 0 has an aim."""
    ready = [seconds for one in members for seconds in one.ready[1:]]
    asked = [status for one in members for status in one.ended]
    badly = sum(status not in (0, -signal.SIGTERM) for status in asked)
    wrong = sum(book.wrong.values())
    wait = Times.of([seconds * 1000 for seconds in book.waited])
    rows = [
        Row(claim="rolling restart: processes asked to end and started again", figure=len(asked)),
        Row(claim="rolling restart: processes killed and started again", figure=sum(one.killed for one in members)),
        Row(claim="rolling restart: texts acknowledged", figure=checked.texts),
    ]
    rows += [
        Row(claim=f"rolling restart: {name}", figure=count, n=checked.texts, aim="0", met=count == 0)
        for name, count in checked.faults.items()
    ]
    rows += [
        Row(claim="rolling restart: processes that did not end as asked", figure=badly, aim="0", met=badly == 0),
        Row(claim="rolling restart: answers that no restart explains", figure=wrong, aim="0", met=wrong == 0),
        Row(claim="rolling restart: requests to be sent again", figure=sum(book.refused.values())),
        Row(claim="rolling restart: text acknowledged after, p50, ms", figure=round(wait.p50, 1), n=wait.n),
        Row(claim="rolling restart: text acknowledged after, most, s", figure=round(max(book.waited), 2), n=wait.n),
        Row(claim="rolling restart: a console ready after, s, median", figure=round(statistics.median(ready), 1)),
        Row(claim="rolling restart: entries of one unforked audit chain", figure=checked.entries),
    ]
    return rows


def _restart_in_turn(members: Sequence[Member], *, minutes: float, every: float) -> None:
    ending = time.monotonic() + minutes * 60
    for number in itertools.count():
        for one in members:
            time.sleep(every)
            if time.monotonic() > ending:
                return
            kill = number % 2 == 1
            print(f"   {'kill' if kill else 'restart'} {one.name}", file=sys.stderr)
            one.restart(kill=kill)


@contextmanager
def _databases(folder: Path) -> Iterator[Stores]:
    """A Postgres with a database for trusted memory and, of another role, one for the ledger."""
    server = EmbeddedPostgres(folder)
    admin = server.start()
    try:
        with psycopg.connect(admin, autocommit=True) as conn:
            if not conn.execute("SELECT 1 FROM pg_database WHERE datname = 'memory'").fetchone():
                conn.execute("CREATE DATABASE memory")
                conn.execute("CREATE ROLE ledger LOGIN")
                conn.execute("CREATE DATABASE ledger OWNER ledger")
        yield Stores(
            memory=make_conninfo(admin, dbname="memory"), ledger=make_conninfo(admin, dbname="ledger", user="ledger")
        )
    finally:
        server.stop()


def _set_up(stores: Stores, hosts: dict[str, Path]) -> tuple[str, str]:
    """An installation with its administrator, its secret on every host; tokens of an agent's key and an operator's."""
    made = build(stores.settings(hosts["a"]), clock=SystemClock())
    try:
        _key, agent = made.layer.keys.create(made.admin, "phone", channel=SourceKind.USER_TURN, shared=True)
        _key2, person = made.layer.operator_keys.create(made.admin, "rolling")
        made.layer.drain()
    finally:
        made.layer.close()
    for name in HOSTS[1:]:
        shutil.copy2(hosts["a"] / "secret", hosts[name] / "secret")
    return agent, person


def _until_read(stores: Stores, data: Path, book: Book) -> None:
    """Wait until all that was acknowledged is through, as long as it gets on; what is left is for the check to find."""
    began = moved = time.monotonic()
    least = sys.maxsize
    with closing(PostgresLedger.open(stores.ledger, hmac_key=(data / "secret").read_bytes())) as ledger:
        while time.monotonic() < min(moved + SETTLE_SECONDS, began + LONGEST_SECONDS):
            texts, effects = ledger.unprocessed(), len(ledger.outbox())
            if not texts and not effects:
                return
            if texts + effects < least:
                least, moved = texts + effects, time.monotonic()
            print(f"   {texts} texts and {effects} effects wait", file=sys.stderr)
            time.sleep(5.0)
    book.wrong[f"not all was read, and nothing more in {SETTLE_SECONDS:.0f} s"] += 1


def _checked(stores: Stores, data: Path, book: Book, snapshot: Path) -> Checked:
    """Both stores at rest; the ledger by a snapshot of it."""
    layer = build_layer(stores.settings(data))
    try:
        layer.start()
        until_up(layer.health)
        made = Installation(layer=layer, clock=None, admin=None)  # type: ignore[arg-type]
        made.admin = made.sign_in("admin")
        layer.lifecycle.snapshot(made.admin, snapshot)
        return check(layer, made.admin, book, ledger=snapshot, conninfo=stores.memory)
    finally:
        layer.close()


if __name__ == "__main__":
    raise SystemExit(main())
