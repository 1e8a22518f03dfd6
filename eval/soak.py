"""An hour of mixed load with a kill every minute: `python -m eval.soak`, or `make eval-soak`.

    python -m eval.soak [--minutes N] [--life SECONDS] [--texts N] [--console] [--folder FOLDER] [--out FILE]

Programs put texts in under idempotency keys, recall and ask; a person promotes, rejects and forgets; all of it over
HTTP on the loopback. Every life of the serving process ends with SIGKILL. In every third its embedded Postgres is
killed with it, in every third Postgres alone in the middle of it, and the process must find back by itself. In the end
both stores are looked at: what was acknowledged is there once, nothing that is held is in Postgres, the chain is whole,
the store is what the chain says. Memory, threads and open files of the process are compared between lives at the same
age.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from core.bootstrap import SystemClock, build_layer
from core.model import SourceKind
from core.settings import Settings
from core.store import EmbeddedPostgres
from eval.bench_api import until_ready
from eval.installation import Installation, build
from eval.results import measured, write
from eval.results import told as told_command
from eval.soak_check import Checked, check
from eval.soak_life import Life, new_port
from eval.soak_load import Book, Crowd
from eval.soak_report import rows_of, told

SAMPLES = 5  # looks at a process in each life
LEAST_LIFE = 20.0  # seconds that a process lives on once it is ready, however long its start took
OLDEST = 0.7  # of a life: the age at the last look
SETTLE_SECONDS = 300.0  # without any progress after the last kill, until what is left counts as stuck
LONGEST_SECONDS = 3600.0  # in all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if nothing was lost, doubled, leaked or left, and nothing grew."""
    parser = argparse.ArgumentParser(prog="python -m eval.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--life", type=float, default=60.0, help="seconds from one kill to the next")
    parser.add_argument("--texts", type=float, default=2.0, help="texts a second")
    parser.add_argument("--console", action="store_true", help="serve with the console's process")
    parser.add_argument("--folder", type=Path, help="where the installation is made, and kept")
    parser.add_argument("--out", type=Path, help="write the figures there too, as JSON")
    given = parser.parse_args(arguments)
    if given.life < LEAST_LIFE:
        parser.error(f"a life has {LEAST_LIFE:.0f} seconds at least")
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print(f"Python {platform.python_version()}; {given.minutes:g} minutes, {given.texts:g} texts a second")
    with tempfile.TemporaryDirectory(prefix="chronomemory-soak-", ignore_cleanup_errors=True) as name:
        folder = given.folder or Path(name)
        book, lives, checked = soak(folder, given)
    told(book, lives, checked)
    rows = rows_of(book, lives, checked)
    if given.out:
        write(measured("soak", told_command("eval.soak", arguments), rows), given.out)
    missed = [row.claim for row in rows if row.met is False]
    print(f"\n{'MISSED: ' + ', '.join(missed) if missed else 'nothing was lost, doubled or leaked, and nothing grew'}")
    return 1 if missed else 0


def soak(folder: Path, given: argparse.Namespace) -> tuple[Book, list[Life], Checked]:
    """The whole run in a folder."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    agent, person = _set_up(data)
    port = new_port()
    crowd = Crowd(urls=[f"http://127.0.0.1:{port}"], agent=agent, person=person, texts_a_second=given.texts)
    lives: list[Life] = []
    ending = time.monotonic() + given.minutes * 60
    try:
        while time.monotonic() < ending or not lives:
            life = Life(data=data, port=port, console=given.console)
            lives.append(life)
            _live(life, given.life, number=len(lives), crowd=crowd)
        last = Life(data=data, port=port, console=given.console)
        last.start()
        try:
            crowd.end()
            _until_read(last, crowd)
        finally:
            status = last.stop()
    finally:
        for life in lives:
            life.end()
    if status not in (0, -signal.SIGTERM):
        crowd.book.wrong[f"asked to end, the process ended with {status}"] += 1
    with _opened(data) as made:
        server = EmbeddedPostgres(data / "postgres")  # it runs: this is a share of it
        try:
            found = check(made.layer, made.admin, crowd.book, ledger=data / "ledger.sqlite3", conninfo=server.start())
        finally:
            server.stop()
        return crowd.book, lives, found


def _live(life: Life, seconds: float, *, number: int, crowd: Crowd) -> None:
    """One life: looked at as it ages, its Postgres perhaps killed in the middle of it, and killed at its end."""
    began = time.monotonic()
    life.start()
    if number == 1:
        crowd.start()
    print(f"   life {number}: ready after {life.ready:.1f} s", file=sys.stderr)
    alone, with_it = number % 3 == 2, number % 3 == 0
    ending = max(began + seconds, time.monotonic() + LEAST_LIFE)
    for at in range(1, SAMPLES + 1):
        age = at * seconds * OLDEST / SAMPLES  # of the process, so that lives compare, however long each start took
        if time.monotonic() + age - life.age > ending:
            break
        time.sleep(max(0.0, age - life.age))
        life.look()
        if alone and at == SAMPLES // 2:
            life.kill_postgres("in mid-life")
    time.sleep(max(0.0, ending - time.monotonic()))
    if with_it:
        life.kill_postgres()
    life.kill()


def _until_read(life: Life, crowd: Crowd) -> None:
    """Wait until everything acknowledged is through, as long as it gets on; what is left then is for the check to find.

    Raises:
        RuntimeError: the process ended by itself.
    """
    ledger = life.data / "ledger.sqlite3"
    began = moved = time.monotonic()
    least = sys.maxsize
    while time.monotonic() < min(moved + SETTLE_SECONDS, began + LONGEST_SECONDS):
        with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as conn:
            [[texts]] = conn.execute("SELECT count(*) FROM episode WHERE state IN ('new', 'leased')").fetchall()
            [[effects]] = conn.execute("SELECT count(*) FROM outbox WHERE applied_at IS NULL").fetchall()
        if not texts and not effects:
            return
        if texts + effects < least:
            least, moved = texts + effects, time.monotonic()
        if not life.alive:
            msg = "the serving process ended by itself; its log says why"
            raise RuntimeError(msg)
        print(f"   {texts} texts and {effects} effects wait", file=sys.stderr)
        time.sleep(5.0)
    crowd.book.wrong[f"not all was read, and nothing more in {SETTLE_SECONDS:.0f} s"] += 1


def _settings(data: Path) -> Settings:
    return Settings(_env_file=None, chronomemory_data=data, chronomemory_worker=False)


def _set_up(data: Path) -> tuple[str, str]:
    """An installation with its administrator; tokens of an agent's key and of an operator's."""
    made = build(_settings(data), clock=SystemClock())
    try:
        _key, agent = made.layer.keys.create(made.admin, "phone", channel=SourceKind.USER_TURN, shared=True)
        _key2, person = made.layer.operator_keys.create(made.admin, "soak")
        made.layer.drain()
    finally:
        made.layer.close()
    return agent, person


@contextmanager
def _opened(data: Path) -> Iterator[Installation]:
    """The installation again, without a worker, with its administrator signed in."""
    layer = build_layer(_settings(data))
    try:
        layer.start()
        until_ready(layer.health)
        made = Installation(layer=layer, clock=None, admin=None)  # type: ignore[arg-type]
        made.admin = made.sign_in("admin")
        yield made
    finally:
        layer.close()


if __name__ == "__main__":
    sys.exit(main())
