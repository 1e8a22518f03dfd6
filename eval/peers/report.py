"""The peers' figures as a table and as rows; what is missing says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.intervals import shown_rate
from eval.peers.roster import PRODUCT
from eval.peers.scoring import Ratio, Times
from eval.peers.stages import Found
from eval.results import Row, share

STALE_AIM = 0.1
MEGABYTE = 1 << 20


def shown(found: Mapping[str, Found], left_out: Mapping[str, str]) -> list[str]:
    """Lines to print."""
    lines = ["", "who"]
    for name, one in found.items():
        lines.append(f"   {name:17} {one.about.get('version', '')}; {one.about.get('setup', '')}")
    sizes = sorted({size for one in found.values() for size in (*one.adds, *one.searches)})
    for size in sizes:
        lines += ["", f"{size:,} statements of ten users"]
        lines.append(
            f"   {'':17} {'acknowledged ms':>18} {'findable, statements/s':>36} {'search p50 / p95 ms':>22} "
            f"{'searches/s':>34} {'memories':>9} {'MB':>6}"
        )
        for name, one in found.items():
            lines.append(f"   {name:17} " + " ".join(_speed(one, found.get(PRODUCT), size)))
    lines += ["", "facts that change one to three times, five hits a question"]
    lines.append(f"   {'':17} {'current@5':>28} {'stale@5':>28} {'current and nothing stale':>28}")
    for name, one in found.items():
        n = len(one.judged)
        counts = (
            sum(judged.current for judged in one.judged),
            sum(judged.stale for judged in one.judged),
            sum(judged.current and not judged.stale for judged in one.judged),
        )
        cells = [f"{shown_rate(count, n):>28}" for count in counts] if n else [_missing(one, "changing facts")]
        lines.append(f"   {name:17} " + " ".join(cells))
    lines += ["", "two users with near-identical facts: hits that are the other's / questions, by pair"]
    for name, one in found.items():
        cells = [f"{'+'.join(pair)} {hits}/{asked}" for pair, (hits, asked) in one.foreign.items()]
        lines.append(f"   {name:17} " + ("  ".join(cells) if cells else _missing(one, "two users")))
    lines += ["", "killed (SIGKILL) while writing: acknowledged statements that are missing after a new start"]
    for name, one in found.items():
        cells = [f"{lost} of {acknowledged}" for acknowledged, lost in one.crashed]
        lines.append(f"   {name:17} " + (", ".join(cells) if cells else _missing(one, "crash")))
    reasons = [f"   {name:17} {stage}: {why}" for name, one in found.items() for stage, why in one.cannot.items()]
    if reasons:
        lines += ["", "what is missing, and why", *reasons]
    if left_out:
        lines += ["", "not measured", *(f"   {name:17} {why}" for name, why in left_out.items())]
    return lines


def _missing(one: Found, stage: str) -> str:
    return one.cannot.get(stage) or one.cannot.get("start") or "not run"


def _speed(one: Found, product: Found | None, size: int) -> Sequence[str]:
    rounds, searches = one.rounds.get(size), one.searches.get(size)
    if not rounds or not searches:
        return [one.cannot.get("speed") or _missing(one, f"search at {size:,}")]
    adds = Times.of(one.adds[size])
    found = Times.of([seconds for part in searches for seconds in part])
    rate = len(one.adds[size]) / sum(rounds)
    same = product is None or one is product
    adding = None if same else Ratio.of(rounds, product.rounds.get(size, []))  # type: ignore[union-attr]
    searching = None if same else Ratio.of(_per_round(one, size), _per_round(product, size))  # type: ignore[arg-type]
    weight = one.resident.get(size)
    kept = one.kept.get(size)
    return [
        f"{adds.p50:>8.1f} /{adds.p95:>8.1f}",
        f"{f'{rate:.1f}  time {adding}' if adding else f'{rate:.1f}':>36}",
        f"{found.p50:>10.1f} /{found.p95:>10.1f}",
        f"{f'{found.per_second:.1f}  time {searching}' if searching else f'{found.per_second:.1f}':>34}",
        f"{'-' if kept is None else format(kept, ','):>9}",
        f"{'-' if weight is None else format(weight // MEGABYTE, ','):>6}",
    ]


def _per_round(one: Found, size: int) -> list[float]:
    return [sum(part) for part in one.searches.get(size, [])]


def rows(found: Mapping[str, Found]) -> list[Row]:
    """The figures for the results file; aims are the product's own."""
    made: list[Row] = []
    product = found.get(PRODUCT, Found())
    for name, one in found.items():
        for size in one.searches:
            made += _speed_rows(name, one, product, size)
        made += _right_rows(name, one)
    return made


def _speed_rows(name: str, one: Found, product: Found, size: int) -> list[Row]:
    times = Times.of([seconds for part in one.searches[size] for seconds in part])
    rounds = one.rounds[size]
    rate = len(one.adds[size]) / sum(rounds)
    where = f"{size:,} statements"
    made = [
        Row(claim=f"{name}: search p50, ms, {where}", figure=times.p50, high=times.p95, n=times.n),
        Row(claim=f"{name}: statements findable a second, {where}", figure=rate, n=len(one.adds[size])),
    ]
    if size in one.resident:
        made.append(Row(claim=f"{name}: resident MB, {where}", figure=one.resident[size] / MEGABYTE))
    if name != PRODUCT:
        pairs = {
            "search": Ratio.of(_per_round(one, size), _per_round(product, size)),
            "adding": Ratio.of(rounds, product.rounds.get(size, [])),
        }
        made += [
            Row(
                claim=f"{name}: time of {what} over the product's, {where}", figure=ratio.median, low=ratio.low,
                high=ratio.high, n=ratio.n,
            )
            for what, ratio in pairs.items()
            if ratio is not None
        ]  # fmt: skip
    return made


def _right_rows(name: str, one: Found) -> list[Row]:
    own = name == PRODUCT
    made: list[Row] = []
    n = len(one.judged)
    if n:
        current, stale = sum(judged.current for judged in one.judged), sum(judged.stale for judged in one.judged)
        for what, count, aimed in (("current@5", current, False), ("stale@5", stale, own)):
            aim, met = (f"at most {STALE_AIM:g}", count / n <= STALE_AIM) if aimed else ("", None)
            made.append(share(f"{name}: {what}, changing facts", count, n, aim=aim, met=met))
    counted = (
        ("hits that are another user's", list(one.foreign.values())),
        ("acknowledged statements lost by SIGKILL", [(lost, of) for of, lost in one.crashed]),
    )
    for what, pairs in counted:
        if pairs:
            count, of = (sum(pair[place] for pair in pairs) for place in (0, 1))
            aim, met = ("0", count == 0) if own else ("", None)
            made.append(Row(claim=f"{name}: {what}", figure=count, n=of, aim=aim, met=met))
    return made
