"""What `eval.soak` prints, and its figures as rows."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.bench_report import Times
from eval.results import Row
from eval.soak_check import Checked
from eval.soak_life import Life, Sample
from eval.soak_load import Book

DRAWS = 1_000
SEED = 7
GROWTH = 0.002  # of the median, a life: below that it counts as not growing
MB = 1_000_000

_HELD: dict[str, tuple[Callable[[Sample], float], str]] = {
    "memory of the process": (lambda one: one.resident / MB, "MB"),
    "memory of the embedded Postgres": (lambda one: one.server / MB, "MB"),
    "threads": (lambda one: float(one.threads), ""),
    "open files": (lambda one: float(one.files), ""),
    "temporary files": (lambda one: float(one.kept), ""),
}
# What may grow with the data in the store; printed, without an aim.
_GROWS = frozenset({"memory of the embedded Postgres"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    """How a figure goes from life to life, at the same age of the process."""

    age: float  # seconds
    values: tuple[float, ...]
    slope: float  # a life
    low: float
    high: float

    @property
    def grows(self) -> bool:
        """Whether even the low end of its slope is more than noise."""
        return self.low > GROWTH * max(1.0, statistics.median(self.values))


def trend(lives: Sequence[Life], held: Callable[[Sample], float]) -> Trend | None:
    """The slope over the lives at the oldest age that most of them reached; None with fewer than four lives."""
    reached = Counter(len(one.samples) for one in lives)
    if not reached:
        return None
    at = reached.most_common(1)[0][0] - 1
    aged = [one.samples[at] for one in lives if len(one.samples) > at]
    if len(aged) < 4:
        return None
    points = [(float(number), held(sample)) for number, sample in enumerate(aged)]
    draw = random.Random(SEED)  # noqa: S311 - a bootstrap, no secret
    drawn: list[float] = []
    while len(drawn) < DRAWS:
        some = draw.choices(points, k=len(points))
        if len({x for x, _ in some}) > 1:
            drawn.append(_slope(some))
    drawn.sort()
    return Trend(
        age=statistics.median(one.age for one in aged),
        values=tuple(y for _, y in points),
        slope=_slope(points),
        low=drawn[int(0.025 * (DRAWS - 1))],
        high=drawn[int(0.975 * (DRAWS - 1))],
    )


def told(book: Book, lives: Sequence[Life], checked: Checked) -> None:
    """Print what happened and what came of it."""
    killed = Counter(one.killed for one in lives)
    print(f"\n{len(lives)} lives; killed: " + ", ".join(f"{what} {count}" for what, count in sorted(killed.items())))
    ready = [one.ready for one in lives]
    print(f"   ready after {statistics.median(ready):.1f} s (median), {max(ready):.1f} s at most")
    print(f"   {checked.texts} texts acknowledged; done: " + _listed(book.done))
    print("   no success: " + (_listed(book.refused) or "none"))
    for what in ("text", "recall", "ask"):
        if len(book.milliseconds.get(what, ())) > 1:
            print(f"   {what:<8}{Times.of(book.milliseconds[what])}, while the process was up")
    print("afterwards")
    for name, count in checked.faults.items():
        print(f"   {name:<52}{count:6}{'' if not count else '  MISSED'}")
    print(f"   promoted words in Postgres, which the same search did find: {checked.promoted}")
    print(f"   entries of the audit chain {checked.entries:,}{'; ' + checked.chain if checked.chain else ''}")
    for what, count in sorted(book.wrong.items()):
        print(f"   not explained by a killed part: {what}: {count}")
    print("from life to life, at the same age of the process: slope a life (95 % of bootstrap)")
    for name, (held, unit) in _HELD.items():
        found = trend(lives, held)
        if found is None:
            print(f"   {name:<34} too few lives")
            continue
        print(
            f"   {name:<34}{found.slope:+8.3f} {unit} ({found.low:+.3f} to {found.high:+.3f}); "
            f"median {statistics.median(found.values):.1f}, at {found.age:.0f} s, {len(found.values)} lives"
            f"{'  GROWS' if found.grows and name not in _GROWS else ''}"
        )
    within = [_within(one) for one in lives if len(one.samples) > 2]
    if within:
        print(
            f"   memory within a life, from its second look to its last: {statistics.median(within):+.2f} MB a minute "
            f"(median; {min(within):+.2f} to {max(within):+.2f})"
        )


def rows_of(book: Book, lives: Sequence[Life], checked: Checked) -> list[Row]:
    """The figures; what must be 0 has an aim."""
    rows = [
        Row(claim="soak: lives that ended by SIGKILL", figure=len(lives)),
        Row(claim="soak: Postgres killed, times", figure=sum("postgres" in one.killed for one in lives)),
        Row(claim="soak: texts acknowledged", figure=checked.texts),
        Row(
            claim="soak: ready after a kill, s, median", figure=round(statistics.median(one.ready for one in lives), 2)
        ),
        Row(claim="soak: ready after a kill, s, most", figure=round(max(one.ready for one in lives), 2)),
    ]
    rows += [
        Row(claim=f"soak: {name}", figure=count, n=checked.texts, aim="0", met=count == 0)
        for name, count in checked.faults.items()
    ]
    wrong = sum(book.wrong.values())
    rows.append(Row(claim="soak: answers that no killed part explains", figure=wrong, aim="0", met=wrong == 0))
    for what in ("text", "recall", "ask"):
        if len(book.milliseconds.get(what, ())) > 1:
            times = Times.of(book.milliseconds[what])
            rows.append(Row(claim=f"soak: {what} over HTTP, p50, ms", figure=round(times.p50, 1), n=times.n))
            rows.append(Row(claim=f"soak: {what} over HTTP, p95, ms", figure=round(times.p95, 1), n=times.n))
    for name, (held, unit) in _HELD.items():
        found = trend(lives, held)
        if found is None:
            continue
        aimed = name not in _GROWS
        rows.append(
            Row(
                claim=f"soak: {name}, change a life{', ' + unit if unit else ''}, at {found.age:.0f} s",
                figure=round(found.slope, 4),
                low=round(found.low, 4),
                high=round(found.high, 4),
                n=len(found.values),
                aim=f"low end at most {GROWTH:.1%} of the median" if aimed else "",
                met=not found.grows if aimed else None,
            )
        )
    return rows


def _within(life: Life) -> float:
    first, last = life.samples[1], life.samples[-1]
    return (last.resident - first.resident) / MB / max(1e-9, (last.age - first.age) / 60)


def _slope(points: Sequence[tuple[float, float]]) -> float:
    return statistics.linear_regression([x for x, _ in points], [y for _, y in points]).slope


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in sorted(counts.items()))
