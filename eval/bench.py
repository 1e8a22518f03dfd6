"""Every speed in the README: `python -m eval.bench`, or `--small` for one minute on smaller numbers.

Prints each measurement with its number of repetitions, median and 95th percentile. Nothing is faked: the packaged
embedding model, the embedded Postgres with row-level security in the application's role, the SQLite ledger, the
console's own process.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from core.bootstrap import load_policy
from core.llm.embedder import PackagedEmbedder
from core.store import EmbeddedPostgres, PostgresStore
from eval import bench_assess, bench_corpus, bench_hop, bench_recall, bench_start, bench_write
from eval.bench_recall import WARM_UP
from eval.bench_report import Times
from eval.bench_write import median_of, ratio
from eval.results import Row, measured, told, write

PARTS = ("recall", "assess", "write", "wait", "start")
AIMS = {10_000: 6.0, 100_000: 10.0}  # milliseconds, median, of the store's part
RECALL_AIM = 0.99
ASSESS_AIM = 15.0  # milliseconds, median
HOP_AIM = 1.1  # recall with links over recall without, medians


def main(arguments: list[str]) -> int:
    """Run the parts that were asked for; 1 if recall brought too little back."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench", description=__doc__)
    parser.add_argument("--small", action="store_true", help="about a minute: fewer memories and repetitions")
    parser.add_argument("--only", choices=PARTS, action="append", help="some parts only")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args(arguments)
    parts = given.only or PARTS
    began = time.perf_counter()
    print(f"command: python -m eval.bench {' '.join(arguments)}".rstrip())
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    met = True
    rows: list[Row] = []
    if "recall" in parts:
        met = recall(rows, small=given.small)
    if "assess" in parts:
        rows += assess(size=1_000 if given.small else 10_000, candidates=40 if given.small else 120)
    if "write" in parts:
        rows += writing(turns=100 if given.small else 500)
    if "wait" in parts:
        rows += wait(turns=10 if given.small else 40)
    if "start" in parts:
        rows += start(later=1 if given.small else 3)
    if given.out:
        write(measured("bench", told("eval.bench", arguments), rows, seed="fixed, in bench_corpus"), given.out)
    print(f"\ntook {time.perf_counter() - began:.0f} s")
    return 0 if met else 1


def recall(rows: list[Row], *, small: bool) -> bool:
    """Recall by size, its figures added to `rows`; False if too little came back."""
    sizes = [1_000, 10_000] if small else [1_000, 10_000, 100_000]
    asked = 60 if small else 200
    embedder = PackagedEmbedder()
    embedder.warm()
    policy = load_policy(None)
    texts = bench_corpus.sentences(1_000 if small else bench_corpus.SENTENCES)
    vectors = bench_corpus.spread(bench_corpus.embedded(embedder, texts), max(sizes))
    name = embedder.identity.split("@")[0]
    print(f"\nrecall: {len(texts):,} sentences, embedded by {name}. Others repeat them, numbered; their vectors")
    print(
        f"are moved by {bench_corpus.STEP} of the difference of two others, plus noise of length {bench_corpus.NOISE}."
    )
    print(f"One owner in a store of its own; {policy.recall.candidates} candidates a question.")
    print("sql: the one statement in the application's role, rows received; store: with its rows made into memories")
    met = True
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="chronomemory-bench-", ignore_cleanup_errors=True) as folder:
            server = EmbeddedPostgres(Path(folder) / "pg")
            try:
                conninfo = server.start()
                store = PostgresStore.open(
                    conninfo, dimensions=embedder.dimensions, embedding_identity=embedder.identity
                )
                seconds = bench_recall.load(conninfo, [size], texts, vectors)
                questions = bench_corpus.questions(asked + WARM_UP)
                result = bench_recall.measure(store, embedder, policy, size, questions=questions, vectors=vectors)
                bench_hop.link(conninfo, size)
                hop = bench_hop.measure(store, embedder, policy, size, questions)
                store.close()
            finally:
                server.stop()
        aim = AIMS.get(size)
        fast = aim is None or result.sql.p50 < aim
        right = result.recall >= RECALL_AIM
        met = met and right  # how fast depends on the machine; how right does not
        print(f"{size:>8,} memories (loaded by COPY, index built, in {seconds:.0f} s)")
        print(f"   embedding  {result.embedding}")
        print(f"   sql        {result.sql}{'' if aim is None else _met(f'aim {aim:.0f} ms', met=fast)}")
        print(f"   store      {result.store}")
        print(f"   ranking    {result.ranking}")
        print(f"   together   {result.total}")
        print(f"   recall@10  {result.recall:.4f}{_met(f'aim {RECALL_AIM}', met=right)}")
        print(f"   the hop along {bench_hop.LINKS} links a memory, in pairs with and without; ×: ratio of medians")
        print(f"   sql        {hop.sql_with}  ×{ratio(hop.sql_with, hop.sql_without):.2f}")
        whole = ratio(hop.recall_with, hop.recall_without)
        print(f"   together   {hop.recall_with}  ×{whole:.2f}{_met(f'aim ×{HOP_AIM}', met=whole <= HOP_AIM)}")
        rows += _of_size(result, hop)
    return met


def _of_size(result: bench_recall.RecallResult, hop: bench_hop.HopResult) -> list[Row]:
    """The figures of recall at one size."""
    where = f"{result.size:,} memories"
    aim = AIMS.get(result.size)
    sql_hop, whole = ratio(hop.sql_with, hop.sql_without), ratio(hop.recall_with, hop.recall_without)
    parts = {"embedding": result.embedding, "store": result.store, "ranking": result.ranking, "in all": result.total}
    return [
        _times(f"recall at {where}: sql", result.sql, aim),
        *(_times(f"recall at {where}: {name}", times, None) for name, times in parts.items()),
        _times(f"recall at {where}: sql with links", hop.sql_with, None),
        Row(claim=f"links at {where}: sql with over without", figure=sql_hop, n=hop.sql_with.n, unit="×"),
        Row(
            claim=f"links at {where}: recall with over without", figure=whole, n=hop.recall_with.n, unit="×",
            aim=f"at most {HOP_AIM}", met=whole <= HOP_AIM,
        ),
        Row(
            claim=f"recall@10 against the exact answer at {where}", figure=result.recall, n=result.total.n,
            aim=f"at least {RECALL_AIM}", met=result.recall >= RECALL_AIM,
        ),
    ]  # fmt: skip


def _times(claim: str, times: Times, aim: float | None) -> Row:
    """A median in milliseconds; the spread's upper end is the 95th percentile."""
    told_aim, met = ("", None) if aim is None else (f"below {aim:g} ms", times.p50 < aim)
    return Row(claim=claim, figure=times.p50, high=times.p95, n=times.n, unit="ms", aim=told_aim, met=met)


def assess(*, size: int, candidates: int) -> list[Row]:
    """What judging one candidate costs, beside its embedding."""
    embedder = PackagedEmbedder()
    embedder.warm()
    result = bench_assess.measure(embedder, load_policy(None), size, candidates)
    print(f"\njudging a candidate of an owner of {size:,} memories, embedding apart, no model call")
    for channel, times in result.by_channel.items():
        fast = times.p50 < ASSESS_AIM
        print(f"   {channel.value:13} {times}{_met(f'aim {ASSESS_AIM:.0f} ms', met=fast)}")
    where = f"{size:,} memories"
    return [
        _times(f"judging a candidate at {where}: {channel.value}", times, ASSESS_AIM)
        for channel, times in result.by_channel.items()
    ]


def writing(*, turns: int) -> list[Row]:
    """Facts a second through the real write path."""
    result = bench_write.measure_writing(turns)
    owners, rate = bench_write.OWNERS, result.facts / result.seconds
    print(f"\nwriting: {turns} turns of {owners} owners: submitted, distilled by rules, ruled on, relayed to the store")
    print(f"   submit     {result.submit}")
    print(
        f"   worker     {result.facts} memories in {result.seconds:.1f} s: {rate:.1f} facts/s, "
        f"{turns / result.seconds:.1f} turns/s (n={turns}, one worker)"
    )
    return [
        _times("writing: submit", result.submit, None),
        Row(claim="writing: facts a second, one worker", figure=rate, n=turns),
    ]


def wait(*, turns: int) -> list[Row]:
    """A chat turn never waits for the write path."""
    result = bench_write.measure_waiting(turns)
    accepted, answered = result.accepted_idle, result.answered_idle
    print("\nchat beside the write path (no model: answers by rules, unpaced); ×: ratio of medians to an idle worker")
    print(f"   accepted, worker idle      {accepted}")
    print(f"   accepted, worker busy      {result.accepted_busy}  ×{ratio(result.accepted_busy, accepted):.2f}")
    print(f"   answered, worker idle      {answered}")
    print(f"   answered, worker busy      {result.answered_busy}  ×{ratio(result.answered_busy, answered):.2f}")
    print(f"   answered, worker stopped   {result.answered_stopped}  ×{ratio(result.answered_stopped, answered):.2f}")
    before, after = result.backlog
    print(f"   waiting texts and effects: {before} when the busy turns began, {after} after them")
    print(f"   turns answered before any of them was distilled: {result.unprocessed_when_stopped} of {turns}")
    return [
        _times("chat: accepted, worker idle", accepted, None),
        _times("chat: accepted, worker busy", result.accepted_busy, None),
        _times("chat: answered, worker idle", answered, None),
        _times("chat: answered, worker busy", result.answered_busy, None),
        Row(claim="chat: answered before anything was distilled", figure=result.unprocessed_when_stopped, n=turns),
    ]


def start(*, later: int) -> list[Row]:
    """Start-up of the console's process."""
    first, again = bench_start.measure_starts(later)
    print("\nstart-up of the console's process, seconds")
    print(f"   first start, empty folder   sign-in page {first.login:.1f}  ready {first.ready:.1f}  (n=1)")
    print(
        f"   later starts                sign-in page {median_of([one.login for one in again]):.1f}  "
        f"ready {median_of([one.ready for one in again]):.1f}  (n={later}, medians)"
    )
    return [
        Row(claim="start-up: sign-in page, first start", figure=first.login, n=1, unit="s"),
        Row(claim="start-up: ready, first start", figure=first.ready, n=1, unit="s"),
        Row(claim="start-up: sign-in page", figure=median_of([one.login for one in again]), n=later, unit="s"),
        Row(claim="start-up: ready", figure=median_of([one.ready for one in again]), n=later, unit="s"),
    ]


def _met(text: str, *, met: bool) -> str:
    return f"  {text}: {'met' if met else 'MISSED'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
