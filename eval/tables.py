"""Results as people read them: the table of `make eval`, the page `eval/RESULTS.md`, and the README's figures.

The README's table is a template (`eval/readme_figures.md`) whose figures stand in braces, `{result > claim > form}`. A
claim that ends in `*` stands for all that begin so; of those only the ones with an aim, if any has one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from eval.registry import MEASURES
from eval.results import SHARE, Result, Row

BEGIN = "<!-- figures: written by `make eval` from eval/measured and eval/readme_figures.md; edit those -->"
END = "<!-- end of figures -->"
_HEAD = """# Results

Written by `make eval` from the files in `eval/measured`; [ADR 17](../docs/adr/0017-a-figure-knows-its-code.md) says how
they are kept and checked. Intervals of counts are 95 % Clopper–Pearson, in percent; `p95` is a 95th percentile; other
brackets are the least and the most of several runs."""
_PLACE = re.compile(r"\{(?P<name>[a-z0-9-]+) > (?P<claim>[^{}]+?) > (?P<form>[^{}>]+)\}")


# --- one figure -------------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A figure as it is read: whole numbers whole, others with three or four digits."""
    if value == round(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"


def count(row: Row) -> int:
    """The count of a share."""
    return round(row.figure * (row.n or 0))


def figure(row: Row) -> str:
    """The figure with its unit."""
    if row.unit == SHARE:
        return f"{count(row):,} of {row.n or 0:,} ({100 * row.figure:.1f} %)"
    return f"{number(row.figure)} {row.unit}".rstrip()


def spread(row: Row) -> str:
    """Interval or spread; in percent for a share. One end alone is a 95th percentile."""
    if row.low is None and row.high is None:
        return ""
    if row.low is None or row.high is None:
        end = row.low if row.high is None else row.high
        return f"p95 {number(end or 0.0)}"
    if row.unit == SHARE:
        return f"[{100 * row.low:.1f}, {100 * row.high:.1f}] %"
    return f"[{number(row.low)}, {number(row.high)}]"


def verdict(row: Row) -> str:
    """The aim and whether it is met, plainly."""
    if row.met is None:
        return ""
    if row.met:
        return f"{row.aim}: met"
    return f"{row.aim}: MISSED{f' (known: {row.known})' if row.known else ''}"


def unknown_misses(results: Mapping[str, Result]) -> list[str]:
    """Every aim that is missed without being known to be."""
    return [
        f"{name}: {row.claim}: {figure(row)}, aim {row.aim}"
        for name, one in results.items()
        for row in one.rows
        if row.met is False and not row.known
    ]


# --- the table of `make eval` -----------------------------------------------------------------------------------------


def table(results: Mapping[str, Result]) -> str:
    """One table for the terminal."""
    lines = [("claim", "figure", "interval or spread", "n", "command", "aim")]
    for one in results.values():
        lines += [
            (f"{one.name}: {row.claim}", figure(row), spread(row), f"{row.n or ''}", repeat(one), verdict(row))
            for row in one.rows
        ]
    widths = [min(90, max(len(line[place]) for line in lines)) for place in range(5)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(line[:5], widths, strict=True)), line[5]]).rstrip()
        for line in lines
    )


def repeat(result: Result) -> str:
    """What a stranger types to have these figures again."""
    return next((one.command for one in MEASURES if one.name == result.name), result.command)


# --- eval/RESULTS.md --------------------------------------------------------------------------------------------------


def page(results: Mapping[str, Result]) -> str:
    """Every result with where it comes from, and every row of it."""
    titles = {one.name: one.title for one in MEASURES}
    order = {one.name: place for place, one in enumerate(MEASURES)}
    names = sorted(results, key=lambda one: (order.get(one, len(order)), one))
    return "\n\n".join([_HEAD, *(_section(results[name], titles.get(name, name)) for name in names)]) + "\n"


def _section(one: Result, title: str) -> str:
    facts = [f"`{one.command}`", one.date, one.machine]
    if one.load is not None:
        facts.append(f"load {one.load:g} at the end")
    if one.seed:
        facts.append(f"seed {one.seed}")
    facts += [f"{name} {told}" for name, told in one.versions.items()]
    lines = [f"## {one.name}: {title}", "", "; ".join(facts) + "."]
    if one.code:
        lines.append(f"\nFigures of {len(one.code)} files of code, digest {one.digest[:16]}.")
    if one.taken_over:
        lines.append(f"\n**Taken over:** {one.taken_over}; whether the code changed since cannot be told.")
    for kept in one.kept:
        files = ", ".join(f"`{path}`" for path in kept.changed[:SHOWN])
        more = f" and {len(kept.changed) - SHOWN} more" if len(kept.changed) > SHOWN else ""
        lines.append(f"\n**Kept on {kept.date} although the code changed** ({files}{more}): {kept.because}")
    lines += ["", "| claim | figure | interval or spread | n | aim |", "|---|---|---|---|---|"]
    lines += [
        f"| {_cell(row.claim)} | {figure(row)} | {spread(row)} | {'' if row.n is None else f'{row.n:,}'} "
        f"| {_cell(verdict(row)).replace('MISSED', '**MISSED**')} |"
        for row in one.rows
    ]
    return "\n".join(lines)


SHOWN = 12  # changed files that are named


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# --- the README -------------------------------------------------------------------------------------------------------


def filled(template: str, results: Mapping[str, Result]) -> str:
    """The template with its figures.

    Raises:
        LookupError: a result, a claim or a form that there is not.
    """
    table = _PLACE.sub(lambda place: _formed(place["name"], place["claim"], place["form"], results), template)
    left = re.search(r"\{[^{}]*>[^{}]*\}", table)
    if left:
        msg = f"{left[0]} in the template of the README's figures is not {{result > claim > form}}"
        raise LookupError(msg)
    return f"{table.rstrip()}\n{_unsure(template, results)}"


def used(template: str) -> set[str]:
    """The results that a template takes figures from."""
    return {place["name"] for place in _PLACE.finditer(template)}


def _unsure(template: str, results: Mapping[str, Result]) -> str:
    names = sorted(used(template))
    taken = [name for name in names if results[name].taken_over]
    kept = [name for name in names if results[name].kept]
    told = ""
    if taken:
        told += (
            "\nTaken over from before digests of the code were kept; nothing tells whether they are older than it: "
            f"{', '.join(taken)}.\n"
        )
    if kept:
        told += f"\nKept although the code changed since, for the reason that RESULTS.md gives: {', '.join(kept)}.\n"
    return told


def between(readme: str, block: str) -> str:
    """The README with the block between its markers.

    Raises:
        LookupError: the markers are missing.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        msg = f"README.md has no place for the figures: the lines {BEGIN!r} and {END!r}"
        raise LookupError(msg)
    return f"{before}{BEGIN}\n\n{block}\n{END}{after}"


def _formed(name: str, claim: str, form: str, results: Mapping[str, Result]) -> str:
    if name not in results:
        msg = f"the README takes figures from {name!r}, and there is no eval/measured/{name}.json"
        raise LookupError(msg)
    rows = _rows(results[name], claim)
    if not rows:
        msg = f"the README takes {claim!r} from {name!r}, which has {[row.claim for row in results[name].rows]}"
        raise LookupError(msg)
    return form_of(rows, form)


def _rows(result: Result, claim: str) -> list[Row]:
    if not claim.endswith("*"):
        return [row for row in result.rows if row.claim == claim]
    found = [row for row in result.rows if row.claim.startswith(claim[:-1])]
    return [row for row in found if row.aim] or found


def form_of(rows: Sequence[Row], form: str) -> str:
    """A figure in the README's words.

    Forms of one row: `of` (3 of 7), `ofci` with its interval, `count`, `n`, `ci` (percent), `ci2` (two decimals), `2`
    (any digit: decimals, no zero before the point), `pct`, `whole`, `s1` (milliseconds as seconds), `aim`. Of many:
    `met` (how many meet their aim), `range s1`, `high range s1` (of the upper ends).

    Raises:
        LookupError: there is no such form.
    """
    words = form.split()
    if "range" in words or "high" in words:
        values = [(row.high or 0.0) if "high" in words else row.figure for row in rows]
        ends = sorted({_number(value, words[-1]) for value in (min(values), max(values))}, key=float)
        return " to ".join(ends)
    if form == "met":
        return f"{sum(row.met is True for row in rows)} of {len(rows)}"
    row = rows[0]
    short = {
        "of": lambda: f"{count(row):,} of {row.n or 0:,}",
        "ofci": lambda: f"{count(row):,} of {row.n or 0:,} {_percent(row)}",
        "count": lambda: f"{count(row) if row.unit == SHARE else round(row.figure):,}",
        "n": lambda: f"{row.n or 0:,}",
        "ci": lambda: _percent(row),
        "ci2": lambda: f"[{_number(row.low or 0.0, '2')}, {_number(row.high or 0.0, '2')}]",
        "pct": lambda: f"{_rounded(100 * row.figure, 0)} %",
        "aim": lambda: f"aim {row.aim} {'met' if row.met else 'missed'}",
    }
    return short[form]() if form in short else _number(row.figure, form)


def _percent(row: Row) -> str:
    ends = (f"{100 * (end or 0.0):.1f}".removesuffix(".0") for end in (row.low, row.high))
    return f"[{', '.join(ends)}]"


def _rounded(value: float, places: int) -> Decimal:
    """Half away from zero, as people round: .975 is .98."""
    return Decimal(f"{value:.10g}").quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _number(value: float, form: str) -> str:
    if form == "whole":
        return f"{_rounded(value, 0):,}"
    if re.fullmatch(r"s\d", form):
        return f"{_rounded(value / 1000, int(form[1]))}"
    if re.fullmatch(r"\d", form):
        told = f"{_rounded(value, int(form))}"
        return "0" if not value else told[1:] if told.startswith("0.") else told
    msg = f"no form {form!r} for a figure"
    raise LookupError(msg)
