"""How fast the console answers with a full queue: `python -m eval.bench_console`, or `make bench-console`.

    python -m eval.bench_console [--held N] [--memories N] [--runs N] [--sessions N] [--seconds N] [--small]
        [--folder FOLDER]

A throw-away installation is filled (`bench_held`, `bench_corpus`), the real process serves it, and then 1. every page
of its navigation is run over a raw WebSocket (server time), 2. loaded in Chromium (until it can be used), 3. every key
of the review page is pressed (`bench_keys`), 4. many sessions run pages at the same time for a bounded while.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from core.bootstrap import SystemClock, load_secret
from core.llm.embedder import PackagedEmbedder
from core.model import Scope
from core.settings import Settings
from core.store import EmbeddedPostgres
from eval import bench_browser, bench_corpus, bench_held, bench_recall
from eval.bench_keys import PRESSES, VIEWS
from eval.bench_report import Times
from eval.console_process import Client, PageOf, empty_page, served
from eval.installation import PASSWORD, build
from eval.results import Row, measured, told, write

KEY_AIM, PAGE_AIM = 500.0, 1500.0  # milliseconds, 95th percentile
OWNERS = 5
WHO = "admin"
_UNREAD = re.compile(r"\s*\(\d+\+?\)")  # how many wait, in a page's title


@dataclass(kw_only=True)
class Table:
    """Lines of the report; remembers whether every aim was met."""

    met: bool = True
    missing: list[str] = field(default_factory=list)
    section: str = ""  # what the next lines are times of
    rows: list[Row] = field(default_factory=list)

    def line(self, name: str, values: Sequence[float], aim: float | None) -> None:
        """One measurement; two values at least, or it counts as missing."""
        if len(values) < 2:
            self.missing.append(name)
            print(f"   {name:<40} n={len(values)}: not answered")
            return
        times = Times.of(list(values))
        verdict = ""
        if aim is not None:
            fast = times.p95 < aim
            self.rows.append(self._aimed(name, times, aim, met=fast))
            self.met = self.met and fast
            verdict = f"  aim p95 < {aim / 1000:.1f} s: {'met' if fast else 'MISSED'}"
        else:
            self.rows.append(self._aimed(name, times, None, met=None))
        print(f"   {name:<40} {times}{verdict}")

    def _aimed(self, name: str, times: Times, aim: float | None, *, met: bool | None) -> Row:
        claim = f"{self.section}: {_UNREAD.sub('', name)}"
        shown = "" if aim is None else f"95th percentile below {aim / 1000:g} s"
        return Row(claim=claim, figure=times.p50, high=times.p95, n=times.n, unit="ms", aim=shown, met=met)


def fill(folder: Path, *, held: int, memories: int) -> None:
    """Make accounts, held items and memories in a folder, and close it."""
    clock = SystemClock()
    began = time.perf_counter()
    settings = Settings(_env_file=None, chronomemory_data=folder, chronomemory_worker=False)
    made = build(settings, clock=clock)
    try:
        owners = [made.person(f"owner{number}").scope for number in range(OWNERS)]
        admin = made.admin.scope
        made.layer.drain()
        began_held = time.perf_counter()
        count = bench_held.hold(made.layer, owners, held, newest=clock.now())
        seconds = time.perf_counter() - began_held
        print(f"held items: {count:,} of {-(-held // bench_held.A_PAGE):,} pages in {seconds:.0f} s")
        made.layer.drain()
        made.layer.accounts.sign_out(made.admin)
    finally:
        made.layer.close()
    seconds = _load(settings, admin, memories)
    print(f"memories: {memories:,} of one owner in {seconds:.0f} s; filled in {time.perf_counter() - began:.0f} s")


def _load(settings: Settings, owner: Scope, memories: int) -> float:
    embedder = PackagedEmbedder()
    embedder.warm()
    texts = bench_corpus.sentences(min(bench_corpus.SENTENCES, memories))
    vectors = bench_corpus.spread(bench_corpus.embedded(embedder, texts), memories)
    server = EmbeddedPostgres(settings.postgres_path)
    try:
        return bench_recall.load_owners(
            server.start(),
            [(owner, memories)],
            texts,
            vectors,
            mac_key=load_secret(settings.secret_path),
            newest=SystemClock().now(),
            days=180,
        )
    finally:
        server.stop()


def addresses(pages: Sequence[PageOf]) -> list[tuple[str, str, str]]:
    """Title, path and query of everything that is measured."""
    return [
        (f"{page.title}{f' ({query})' if query else ''}", page.path, query)
        for page in pages
        for query in VIEWS.get(page.path, ("",))
    ]


def server_times(base: str, table: Table, runs: int) -> list[PageOf]:
    """Each page's script over a raw WebSocket; returns the navigation."""
    table.section = "server's time of a page"
    client = Client(base=base)
    client.sign_in(WHO, PASSWORD)
    client.connect()
    pages = list(client.run("").pages)
    print(f"\nserver time of a page's script, raw WebSocket, one session (pages: {len(pages)}, of the navigation)")
    for title, path, query in addresses(pages):
        found = []
        for number in range(runs + 1):
            ran = client.run(path, query)
            if ran.problems:
                msg = f"{title} shows an exception: {ran.problems[0]}"
                raise RuntimeError(msg)
            if number:  # the first one warms the page's module
                found.append(ran.seconds * 1000)
        table.line(title, found, PAGE_AIM)
    client.close()
    return pages


def browser_times(base: str, table: Table, pages: Sequence[PageOf], *, runs: int, keys: int) -> None:
    """Page loads and key presses in Chromium."""
    with bench_browser.chromium() as browser:
        table.section = "a new tab until it can be used"
        print("\ntime to interactive, Chromium, a new tab each time (cache warm)")
        with tempfile.TemporaryDirectory(prefix="chronomemory-empty-") as name, empty_page(Path(name)) as empty:
            bare = browser.new_context(viewport={"width": 1440, "height": 1000})
            bench_browser.loads(bare, empty, 1)
            table.line("(an empty Streamlit page, for comparison)", bench_browser.loads(bare, empty, runs), None)
            bare.close()
        context = bench_browser.signed_in(browser, base, WHO, PASSWORD)
        for title, path, query in addresses(pages):
            address = f"{base}/{path}{f'?{query}' if query else ''}"
            table.line(title, bench_browser.loads(context, address, runs), PAGE_AIM)
        table.section = "a key until the answer is painted"
        print("\nkey presses on the review page, from the key until the page has been painted anew")
        for press in PRESSES:
            found = bench_browser.presses(context, f"{base}/review", press, keys)
            table.line(press.name, found.answered, KEY_AIM)
            if found.missed and found.answered:
                print(f"      {found.missed} presses without an answer in {bench_browser.ANSWER_MS / 1000:.0f} s")
        context.close()


@dataclass(kw_only=True)
class Crowd:
    """What many sessions met."""

    runs: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def crowd(base: str, pages: Sequence[PageOf], *, sessions: int, seconds: float) -> Crowd:
    """`sessions` signed-in WebSockets that run page after page until the time is over, each from another page on."""
    met = Crowd()
    where = addresses(pages)
    clients = [Client(base=base) for _ in range(sessions)]
    for client in clients:  # one after the other and before the clock runs: hashing a password is slow on purpose
        client.sign_in(WHO, PASSWORD)

    def one(number: int) -> None:
        client = clients[number]
        try:
            client.connect()
            deadline = time.monotonic() + seconds
            at = number
            while time.monotonic() < deadline:
                title, path, query = where[at % len(where)]
                ran = client.run(path, query)
                met.runs.append(ran.seconds * 1000)
                met.problems += [f"{title}: {problem}" for problem in ran.problems]
                at += 1
        except Exception as problem:  # noqa: BLE001 - whatever ends a session is what is counted here
            met.problems.append(f"session {number}: {type(problem).__name__}: {problem}")
        finally:
            client.close()

    with ThreadPoolExecutor(max_workers=sessions) as pool:
        list(pool.map(one, range(sessions)))
    return met


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if every aim was met, every key was answered and no session met an error."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench_console", description=__doc__)
    parser.add_argument("--held", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=10, help="of each page")
    parser.add_argument("--keys", type=int, default=20, help="presses of each key")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0, help="that the sessions go on")
    parser.add_argument("--small", action="store_true", help="500 held, 2,000 memories, 4 runs, 10 seconds")
    parser.add_argument("--folder", type=Path, help="fill it and keep it, or take what an earlier run left in it")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args(arguments)
    if given.small:
        given.held, given.memories, given.runs, given.keys, given.seconds = 500, 2_000, 4, 5, 10.0
    load = os.getloadavg()[0]  # of the machine's other work: above the cores, every time below is longer for it
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}")
    table = Table()
    with tempfile.TemporaryDirectory(prefix="chronomemory-bench-", ignore_cleanup_errors=True) as name:
        folder = given.folder or Path(name)
        if folder.is_dir() and any(folder.iterdir()):
            print(f"as it was left in {folder}")
        else:
            fill(folder, held=given.held, memories=given.memories)
        with served(folder) as base:
            pages = server_times(base, table, given.runs)
            browser_times(base, table, pages, runs=given.runs, keys=given.keys)
            print(f"\n{given.sessions} sessions at once for {given.seconds:.0f} s, raw WebSockets, every page in turn")
            met = crowd(base, pages, sessions=given.sessions, seconds=given.seconds)
            table.section = f"{given.sessions} sessions at once"
            table.line("a page's script, in the crowd", met.runs, None)
            print(f"   errors: {len(met.problems)}")
            for problem in met.problems[:10]:
                print(f"      {problem}")
    if given.out:
        errors = len(met.problems)
        crowd_row = Row(
            claim=f"{given.sessions} sessions at once: errors", figure=errors, n=len(met.runs), aim="0", met=errors == 0
        )
        write(measured("bench-console", told("eval.bench_console", arguments), [*table.rows, crowd_row]), given.out)
    if table.missing:
        print(f"\nnot answered: {', '.join(table.missing)}")
    print(f"\naims {'met' if table.met else 'MISSED'}; errors in the crowd: {len(met.problems)}")
    return 0 if table.met and not table.missing and not met.problems else 1


if __name__ == "__main__":
    sys.exit(main())
