"""What `eval.scale` prints, and its figures as rows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from eval.bench_report import Times
from eval.intervals import interval
from eval.results import Row
from eval.scale_growth import Exponent, Prices, of_figures, of_samples
from eval.scale_measure import Measured
from eval.scale_recall import Asked, groups
from eval.scale_write import SUBMITTERS, Rate, slower

RECALL_AIM = 0.99  # of the exact ten nearest
MB = 1_000_000


def told(found: Measured, prices: Prices) -> None:
    """Print one size."""
    shape, filled, written = found.filled.shape, found.filled, found.written
    print(f"\n{shape.total:,} memories in all, {shape.light_owners + 2:,} owners; load of the machine {found.load:.1f}")
    print(
        f"   loaded in bulk in {filled.copying:.0f} s ({shape.total / filled.copying:,.0f} memories/s), "
        f"vector index built in {filled.indexing:.1f} s"
    )
    print("   disk      " + ", ".join(f"{name} {size / MB:.0f} MB" for name, size in filled.bytes.items()))
    print(
        f"   memory    product {found.product / MB:.0f} MB, server {found.server / MB:.0f} MB; "
        f"ledger {found.ledger / MB:.1f} MB on the disk"
    )
    for group in groups(shape):
        asked = found.idle[group.name]
        print(f"   {group.name} owner, {group.size:,} memories")
        for name, values in (("recall", asked.together), ("embedding", asked.embedding), ("search", asked.search)):
            print(f"      {name:<10}{Times.of(values)}")
        low, middle, high = statistics.quantiles(asked.ratios, n=4)
        print(
            f"      limit     {Times.of(asked.limit)}  product/limit {middle:.2f} (quartiles {low:.2f} to {high:.2f})"
        )
        if group.name in found.right:
            got, of = found.right[group.name]
            print(f"      recall@10 {got / of:.4f} of the exact ten ({got} of {of})")
        busy = written.busy[group.name]
        print(f"      loaded    {Times.of(busy.together)}  ×{slower(busy, written.idle[group.name]):.2f} of idle")
        cost = prices.of_thousand(statistics.fmean(asked.together))
        kept = prices.kept(found.product + found.server, _disk(found))
        print(f"      1,000 recalls {cost:.5f} {prices.currency} of processor time, {kept:.4f} of memory and disk kept")
    print("   writes")
    for name, rate in _rates(found).items():
        print(f"      {name:<58}{rate.a_second:9.1f}/s  (n={rate.count})")
    share = written.learned["light"].a_second / written.encoder_batch.a_second
    print(f"      texts learned for light owners, of the bare encoder's rate   {share:.3f}")
    print(f"      texts that waited while recall was asked under load: {written.backlog[0]} to {written.backlog[1]}")


def rows_of(found: Measured, prices: Prices) -> list[Row]:
    """The figures of one size."""
    shape, filled, written = found.filled.shape, found.filled, found.written
    at = f"at {shape.total:,}"
    rows = [
        Row(claim=f"load of the machine, {at}", figure=round(found.load, 1)),
        Row(claim=f"vector index built, s, {at}", figure=round(filled.indexing, 2)),
        Row(claim=f"loaded in bulk, memories a second, {at}", figure=round(shape.total / filled.copying, 1)),
        Row(claim=f"memory of the product, MB, {at}", figure=round(found.product / MB, 1)),
        Row(claim=f"memory of the server, MB, {at}", figure=round(found.server / MB, 1)),
    ]
    rows += [Row(claim=f"disk: {name}, MB, {at}", figure=round(size / MB, 1)) for name, size in filled.bytes.items()]
    for group in groups(shape):
        asked = found.idle[group.name]
        who = f"{group.name} owner of {group.size:,}, {at}"
        rows += _latency(f"recall, {who}", asked.together)
        rows += _latency(f"limit (encoder and one probe), {who}", asked.limit)
        rows.append(Row(claim=f"search p50, ms, {who}", figure=_p50(asked.search), n=len(asked.search)))
        low, middle, high = statistics.quantiles(asked.ratios, n=4)
        rows.append(
            Row(
                claim=f"recall over the limit, median of pairs (quartiles), {who}",
                figure=round(middle, 2),
                low=round(low, 2),
                high=round(high, 2),
                n=len(asked.ratios),
            )
        )
        if group.name in found.right:
            rows.append(_right(f"recall@10 against exact, {who}", *found.right[group.name]))
        busy, idle = written.busy[group.name], written.idle[group.name]
        rows += _latency(f"recall under full write load, {who}", busy.together)
        rows.append(
            Row(
                claim=f"recall under full write load over idle, {who}",
                figure=round(slower(busy, idle), 2),
                n=len(busy.together),
            )
        )
        cost = prices.of_thousand(statistics.fmean(asked.together))
        rows.append(Row(claim=f"{prices.currency} of processor time for 1,000 recalls, {who}", figure=round(cost, 6)))
    rows += [
        Row(claim=f"{name} a second, {at}", figure=round(rate.a_second, 1), n=rate.count)
        for name, rate in _rates(found).items()
    ]
    kept = prices.kept(found.product + found.server, _disk(found))
    rows.append(Row(claim=f"{prices.currency} of memory and disk for 1,000 requests, {at}", figure=round(kept, 5)))
    return rows


def slowest(found: Measured) -> str:
    """Whose recall is slowest, and which part of it."""
    name, asked = max(found.idle.items(), key=lambda one: statistics.median(one[1].together))
    whole = [sum(one) for one in zip(asked.embedding, asked.search, strict=True)]
    rest = [all_of_it - part for all_of_it, part in zip(asked.together, whole, strict=True)]
    parts = {"embedding": asked.embedding, "search": asked.search, "ranking and counsel": rest}
    part, values = max(parts.items(), key=lambda one: statistics.median(one[1]))
    return (
        f"slowest at {found.filled.shape.total:,}: recall of the {name} owner, p50 {_p50(asked.together)} ms; "
        f"its largest part is {part}, p50 {_p50(values)} ms"
    )


def growth(found: Sequence[Measured]) -> list[Row]:
    """Print and give the exponents: how each figure grows with the memories in all."""
    by_size = {one.filled.shape.total: one for one in found}
    exponents: dict[str, Exponent] = {}
    for name in ("heavy", "middle", "light"):
        exponents[f"recall, {name} owner"] = of_samples(_of(by_size, name, "together"))
        exponents[f"search, {name} owner"] = of_samples(_of(by_size, name, "search"))
        exponents[f"recall over the limit, {name} owner"] = of_samples(_of(by_size, name, "ratios"))
    exponents["limit (encoder and one probe)"] = of_samples(_of(by_size, "heavy", "limit"))
    exponents["building the vector index"] = of_figures({size: one.filled.indexing for size, one in by_size.items()})
    exponents["disk"] = of_figures({size: float(_disk(one)) for size, one in by_size.items()})
    exponents["memory of the server"] = of_figures({size: float(one.server) for size, one in by_size.items()})
    for who in ("light", "heavy"):
        seconds = {size: 1 / one.written.learned[who].a_second for size, one in by_size.items()}
        exponents[f"learning a text, {who} owner"] = of_figures(seconds)
    print("\ngrowth: exponent of the memories in all (0: does not grow; 1: as they do)")
    rows = []
    for name, one in exponents.items():
        print(f"   {name:<32}{one.slope:6.2f}  ({one.low:.2f} to {one.high:.2f})")
        rows.append(
            Row(
                claim=f"growth exponent: {name}",
                figure=round(one.slope, 3),
                low=round(one.low, 3),
                high=round(one.high, 3),
                n=len(by_size),
            )
        )
    print("   recall over the limit, in pairs, is the one that other work of the machine changes least")
    print("   spread: of medians drawn anew (recall, search, limit), else from the flattest to the steepest step")
    return rows


def _rates(found: Measured) -> Mapping[str, Rate]:
    written = found.written
    return {
        "bare encoder: texts, one at a time": written.encoder_single,
        "bare encoder: texts in batches": written.encoder_batch,
        "bare SQLite: durable commits": written.bare_ledger,
        "ledger: texts acknowledged, one after the other": written.submitted,
        f"ledger: texts acknowledged, {SUBMITTERS} at once": written.submitted_at_once,
        "write path: texts learned for light owners": written.learned["light"],
        "write path: texts learned for the heavy owner": written.learned["heavy"],
        "write path: ledger transactions": written.transactions,
        "write path: changes of the store": written.changes,
    }


def _of(found: Mapping[int, Measured], group: str, part: str) -> dict[int, list[float]]:
    def values(asked: Asked) -> list[float]:
        measured: list[float] = getattr(asked, part)
        return measured

    return {size: values(one.idle[group]) for size, one in found.items()}


def _latency(claim: str, values: Sequence[float]) -> list[Row]:
    times = Times.of(values)
    return [
        Row(claim=f"{claim}: p50, ms", figure=round(times.p50, 2), n=times.n),
        Row(claim=f"{claim}: p95, ms", figure=round(times.p95, 2), n=times.n),
    ]


def _right(claim: str, got: int, of: int) -> Row:
    low, high = interval(got, of)
    return Row(
        claim=claim,
        figure=round(got / of, 4),
        low=round(low, 4),
        high=round(high, 4),
        n=of,
        aim=f"at least {RECALL_AIM}",
        met=got / of >= RECALL_AIM,
    )


def _p50(values: Sequence[float]) -> float:
    return round(statistics.median(values), 2)


def _disk(found: Measured) -> int:
    return sum(found.filled.bytes.values()) + found.ledger
